"""Compare our blocks with those of parsers that share no code with ours, and write what agrees.

    python tools/conformance.py                  # against the answers kept in fixtures/conformance
    python tools/conformance.py --ask            # ask the parsers anew (Node.js 18 or newer)
    python tools/conformance.py --corpus FOLDER  # over every file of a folder too; asks as well

The parsers come by ``npm install --prefix tools/oracles``. What is accepted as a difference stands
with its reason in fixtures/conformance/accepted.json; the page is docs/conformance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mdchunk import parse

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
KEPT = FIXTURES / "conformance"
PAGE = ROOT / "docs" / "conformance.md"
ORACLES = ROOT / "tools" / "oracles"
GFM_KINDS = {"callout": "blockquote"}
"""What GitHub renders apart and no parser does: an alert is a quote to them."""

Block = tuple[str, int, int]
"""A kind, first and last line, counted from 1."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A parser, what it reads, our dialects to compare, and kinds that it does not tell of."""

    name: str
    package: str
    suites: tuple[str, ...]
    dialects: tuple[str, ...]
    blind: frozenset[str] = frozenset()


JUDGES = (
    Judge(
        "commonmark-js", "commonmark", ("commonmark",), ("commonmark",), frozenset({"definition"})
    ),
    Judge("micromark", "mdast-util-from-markdown", ("commonmark",), ("commonmark",)),
    Judge("micromark-gfm", "mdast-util-gfm", ("gfm", "extensions"), ("gfm", "footnote")),
)
SUITES = {
    "commonmark": FIXTURES / "commonmark" / "spec-0.31.2.json",
    "gfm": FIXTURES / "gfm" / "spec-0.29.json",
    "extensions": FIXTURES / "gfm" / "extensions.json",
}


class Difference(NamedTuple):
    """Blocks that only one side has, of one example or file."""

    name: str
    ours: list[Block]
    theirs: list[Block]

    @property
    def is_end(self) -> bool:
        """Return whether kinds and first lines agree."""
        return [block[:2] for block in self.ours] == [block[:2] for block in self.theirs]


def our_blocks(source: str, judge: Judge) -> list[Block]:
    """List the blocks of our Structure as a judge would."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = parse(source, dialects=judge.dialects)
    lines, found = document.lines, []
    for block in document.structure.blocks:
        kind = block.kind.split(":")[0]
        if kind not in judge.blind:
            kind = GFM_KINDS.get(kind, kind)
            found.append((kind, lines.of(block.start) + 1, lines.of(block.end - 1) + 1))
    return found


def difference(name: str, ours: Sequence[Block], theirs: Sequence[Block]) -> Difference | None:
    """Take away what both have; None if nothing is left."""
    more, less = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    if not more and not less and list(ours) == list(theirs):
        return None
    return Difference(
        name, sorted(more.elements(), key=_place), sorted(less.elements(), key=_place)
    )


def _place(block: Block) -> tuple[int, str, int]:
    return block[1], block[0], block[2]


def examples(suite: str) -> dict[str, str]:
    """Read a suite's Markdown by name and number."""
    read = json.loads(SUITES[suite].read_text(encoding="utf-8"))
    return {f"{suite} {example['example']}": example["markdown"] for example in read}


def sources_of(judge: Judge) -> dict[str, str]:
    """Read the examples that a judge reads."""
    return {name: text for suite in judge.suites for name, text in examples(suite).items()}


def ask(judge: Judge, sources: Iterable[str]) -> list[list[Block]]:
    """Have a judge parse sources."""
    told = "".join(json.dumps(source.removeprefix("\ufeff")) + "\n" for source in sources)
    command = ["node", str(ORACLES / "blocks.mjs"), judge.name]
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{judge.name} failed (npm install --prefix tools/oracles?): {done.stderr[-400:]}")
    return [_blocks(json.loads(line)) for line in done.stdout.split("\n") if line]


def _blocks(rows: Iterable[Sequence[object]]) -> list[Block]:
    return [(str(row[0]), int(str(row[1])), int(str(row[2]))) for row in rows]


def keep(judge: Judge) -> None:
    """Ask a judge about its examples and keep the answers, one example a line."""
    sources = sources_of(judge)
    rows = zip(sources, ask(judge, sources.values()), strict=True)
    body = ",\n".join(f"{json.dumps(name)}: {json.dumps(blocks)}" for name, blocks in rows)
    asked = json.loads((ORACLES / "package.json").read_text(encoding="utf-8"))
    version = f"{judge.package} {asked['dependencies'][judge.package]}"
    text = f'{{"version": {json.dumps(version)},\n"examples": {{\n{body}\n}}}}\n'
    (KEPT / f"{judge.name}.json").write_text(text, encoding="utf-8", newline="\n")


def kept(judge: Judge) -> tuple[str, dict[str, list[Block]]]:
    """Read a judge's version and the answers that were kept."""
    read = json.loads((KEPT / f"{judge.name}.json").read_text(encoding="utf-8"))
    return read["version"], {name: _blocks(rows) for name, rows in read["examples"].items()}


def accepted() -> dict[str, dict[str, str]]:
    """Read the accepted differences: a judge, then example or file, then the reason."""
    read: dict[str, dict[str, str]] = json.loads(
        (KEPT / "accepted.json").read_text(encoding="utf-8")
    )
    return read


def differences(judge: Judge) -> list[Difference]:
    """Compare our blocks of every example with a judge's answers."""
    answers = kept(judge)[1]
    found = (
        difference(name, our_blocks(source, judge), answers[name])
        for name, source in sources_of(judge).items()
    )
    return [each for each in found if each]


def documents(folder: Path | None) -> dict[str, str]:
    """Read this project's documents and the files of a folder that are text."""
    paths = sorted((FIXTURES / "documents").glob("*.md"))
    names = {path: f"fixtures/documents/{path.name}" for path in paths}
    for top, _, files in os.walk(folder) if folder else ():
        for name in sorted(files):
            path = Path(top) / name
            if path.suffix != ".tsv":
                names[path] = f"corpus/{path.relative_to(folder or top).as_posix()}"
    texts = {name: path.read_bytes().decode("utf-8") for path, name in names.items()}
    return {name: text.removeprefix("\ufeff") for name, text in texts.items()}


def table_row(count: int, blocks: int, found: Sequence[Difference]) -> str:
    """Make a row: how many agree in kinds and first lines, and how many in last lines too."""
    starts = count - sum(not each.is_end for each in found)
    return f"{blocks:,} | {starts:,} of {count:,} | {count - len(found):,} of {count:,} |"


def spec_part() -> list[str]:
    """Compare the examples and list each accepted difference."""
    rows = [
        "| parser | examples | blocks | kinds and first lines agree | last lines agree too |",
        "| --- | --- | --- | --- | --- |",
    ]
    reasons = []
    for judge in JUDGES:
        version, answers = kept(judge)
        found = differences(judge)
        blocks = sum(map(len, answers.values()))
        suites = " and ".join(judge.suites)
        row = table_row(len(answers), blocks, found)
        rows.append(f"| {judge.name} ({version}) | {suites} | {row}")
        reasons += [_reason(judge, each) for each in found]
    heading = ["", "| parser | example | ours | theirs | why |", "| --- | --- | --- | --- | --- |"]
    return [*rows, *heading, *reasons]


def _reason(judge: Judge, found: Difference) -> str:
    why = accepted().get(judge.name, {}).get(found.name, "**not accepted**")
    return (
        f"| {judge.name} | {found.name} | {_shown(found.ours)} | {_shown(found.theirs)} | {why} |"
    )


def _shown(blocks: Sequence[Block]) -> str:
    shown = [f"{kind} {first}-{last}" for kind, first, last in blocks[:4]]
    return ", ".join([*shown, *(["…"] if len(blocks) > 4 else [])])


def corpus_part(folder: Path) -> list[str]:
    """Compare whole documents."""
    sources = documents(folder)
    rows = [
        "| parser | blocks | kinds and first lines agree | last lines agree too |",
        "| --- | --- | --- | --- |",
    ]
    reasons: list[str] = []
    for judge in JUDGES:
        answers = ask(judge, sources.values())
        pairs = zip(sources.items(), answers, strict=True)
        compared = (difference(n, our_blocks(text, judge), told) for (n, text), told in pairs)
        found = [each for each in compared if each]
        blocks = sum(map(len, answers))
        rows.append(f"| {judge.name} | {table_row(len(sources), blocks, found)}")
        reasons += [_reason(judge, each) for each in found]
    heading = ["", "| parser | file | ours | theirs | why |", "| --- | --- | --- | --- | --- |"]
    return [*rows, *heading, *reasons]


TOP = """\
# Conformance

Blocks of our `Structure` by kind, first and last line, compared with parsers that share no code
with ours. Written by `python tools/conformance.py`; `--ask` asks the parsers anew, and
`--corpus FOLDER` compares whole documents too. Each difference has its reason in
fixtures/conformance/accepted.json.

## The examples of the specifications
"""
MIDDLE = "\n## Whole documents\n"


def page(corpus: Sequence[str] | None) -> str:
    """Make the page; without a corpus the part about documents stays as it is."""
    rest = "\n".join(corpus) + "\n" if corpus else ""
    if not corpus and PAGE.exists():
        rest = PAGE.read_text(encoding="utf-8").partition(MIDDLE)[2].lstrip("\n")
    return f"{TOP}\n" + "\n".join(spec_part()) + f"\n{MIDDLE}\n{rest}"


def main() -> None:
    """Read the command line and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--ask", action="store_true", help="ask the parsers anew")
    parser.add_argument("--corpus", type=Path, help="a folder of documents to compare too")
    given = parser.parse_args()
    if given.ask:
        for judge in JUDGES:
            keep(judge)
    text = page(corpus_part(given.corpus) if given.corpus else None)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(text)


if __name__ == "__main__":
    main()
