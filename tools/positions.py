"""Ask a parser that shares no code with ours where blocks and inline constructs stand.

    python tools/positions.py          # write fixtures/positions anew (Node.js 18 or newer)
    python tools/positions.py --check  # only tell which file would change

The parser comes by ``npm install --prefix tools/oracles``. The laws of tests/positions.py read what
is kept, so that the suite itself needs no Node.js.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
KEPT = FIXTURES / "positions"
ORACLES = ROOT / "tools" / "oracles"


class Suite(NamedTuple):
    """A file of answers, and the parser that gave them."""

    name: str
    parser: str


SUITES = (
    Suite("commonmark", "micromark"),
    Suite("gfm", "micromark-gfm"),
    Suite("documents", "micromark-gfm"),
)
SPECS = {
    "commonmark": ("commonmark/spec-0.31.2.json",),
    "gfm": ("gfm/spec-0.29.json", "gfm/extensions.json"),
}


def sources(suite: Suite) -> dict[str, str]:
    """Read the Markdown of a suite by name."""
    if suite.name in SPECS:
        return {
            f"{Path(path).stem} {example['example']}": example["markdown"]
            for path in SPECS[suite.name]
            for example in json.loads((FIXTURES / path).read_text(encoding="utf-8"))
        }
    paths = sorted([*FIXTURES.glob("documents/*.md"), *KEPT.glob("*.md")])
    return {
        path.relative_to(FIXTURES).as_posix(): path.read_text(encoding="utf-8") for path in paths
    }


def ask(parser: str, texts: Iterable[str]) -> list[dict[str, Any]]:
    """Have a parser find the places in texts, whose line ends are LF."""
    told = "".join(json.dumps(text) + "\n" for text in texts)
    command = ["node", str(ORACLES / "positions.mjs"), parser]
    done = subprocess.run(command, input=told, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"{parser} failed (npm install --prefix tools/oracles?): {done.stderr[-400:]}")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def answers(suite: Suite) -> str:
    """Make the file of a suite: a row for each block and each inline construct."""
    texts = sources(suite)
    found = zip(texts, ask(suite.parser, texts.values()), strict=True)
    body = ",\n".join(f"{json.dumps(name)}: {_rows(places)}" for name, places in found)
    asked = json.loads((ORACLES / "package.json").read_text(encoding="utf-8"))["dependencies"]
    version = f"mdast-util-from-markdown {asked['mdast-util-from-markdown']}"
    if suite.parser == "micromark-gfm":
        version += f", mdast-util-gfm {asked['mdast-util-gfm']}"
    return f'{{"version": {json.dumps(version)},\n"places": {{\n{body}\n}}}}\n'


def _rows(places: Mapping[str, list[Any]]) -> str:
    parts = []
    for part in ("blocks", "inline"):
        rows = [json.dumps(row, ensure_ascii=False) for row in places[part]]
        parts.append(f'"{part}": [' + ",\n  ".join(rows) + "]")
    return "{" + ",\n ".join(parts) + "}"


def main() -> int:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    stale = 0
    for suite in SUITES:
        path, text = KEPT / f"{suite.name}.json", answers(suite)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(path.relative_to(ROOT), "would change" if check else "is written")
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
