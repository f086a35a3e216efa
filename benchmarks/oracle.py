"""Block positions by micromark, run through Node: the judge that shares no code with mdchunk."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.errors import BenchmarkError

_HERE = Path(__file__).resolve().parent
_SCRIPT = _HERE / "oracle.mjs"
_CACHE = _HERE / ".cache"
_INSTALL = "npm install --prefix benchmarks"


class Block(NamedTuple):
    """A block, or an inline code span or link, in code points of the source."""

    kind: str
    start: int
    end: int
    level: int  # of a heading; else 0
    parent: int  # index of the enclosing block in the same list, or -1


def blocks(sources: Sequence[str]) -> list[list[Block]]:
    """Parses every source once; answers are kept on disk by content."""
    lines = [json.dumps(source) for source in sources]
    kept = _CACHE / f"blocks-{_key(lines)}.jsonl"
    if not kept.exists():
        answer = _run("\n".join(lines) + "\n")
        _CACHE.mkdir(exist_ok=True)
        kept.write_text(answer, encoding="utf-8")
    found = list(_read(kept))
    if len(found) != len(sources):
        kept.unlink()
        raise BenchmarkError(f"the oracle answered {len(found)} of {len(sources)} documents")
    return found


def _key(lines: Sequence[str]) -> str:
    digest = hashlib.sha256(_SCRIPT.read_bytes())
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()[:16]


def _run(text: str) -> str:
    node = shutil.which("node")
    if node is None:
        raise BenchmarkError("the block oracle needs Node.js 18 or newer on the PATH")
    if not (_HERE / "node_modules" / "mdast-util-from-markdown").exists():
        raise BenchmarkError(f"the block oracle's packages are missing: run `{_INSTALL}`")
    done = subprocess.run(
        [node, _SCRIPT], input=text, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise BenchmarkError(f"the block oracle failed: {done.stderr.strip()[-400:]}")
    return done.stdout


def _read(path: Path) -> Iterator[list[Block]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield [Block(*row) for row in json.loads(line)]
