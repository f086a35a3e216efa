"""How many other chunks one local edit changes: each is one that must be embedded again."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks import chunkers, tokens
from benchmarks.chunkers import Piece, Split
from benchmarks.corpus import Document
from benchmarks.errors import BenchmarkError
from benchmarks.ink import Ink, ink
from benchmarks.oracle import Block
from benchmarks.placing import place
from benchmarks.report import Column, Result

COUNT = 200
SEED = 6
LEAST = 2  # documents are at least so many limits long
COLUMNS = (
    Column("mean", "mean", ".1%"),
    Column("p95", "p95", ".1%"),
    Column("max", "max", ".1%"),
    Column("sentence in", "sentence in", ".1%"),
    Column("paragraph out", "paragraph out", ".1%"),
    Column("item in", "item in", ".1%"),
    Column("documents", "documents"),
)
_SENTENCE = " One more sentence was written here afterwards."
_ITEM = " One more item was written here afterwards.\n"
_MARKER = re.compile(r"[-+*]|\d{1,9}[.)]")
_LINE_START = re.compile(r"[ \t>]*")


class Edit(NamedTuple):
    """A document before and after one change; what it touched, in offsets of the text before."""

    kind: str
    before: str
    after: str
    start: int
    end: int


def _sentence_in(source: str, blocks: Sequence[Block], chance: random.Random) -> Edit | None:
    found = [b for b in blocks if b.kind == "paragraph"]
    if not found:
        return None
    at = chance.choice(found).end
    return Edit("sentence in", source, source[:at] + _SENTENCE + source[at:], at - 1, at)


def _paragraph_out(source: str, blocks: Sequence[Block], chance: random.Random) -> Edit | None:
    found = [b for b in blocks if b.kind == "paragraph" and b.parent < 0]
    if not found:
        return None
    block = chance.choice(found)
    rest = source[block.end :].lstrip("\r\n")
    return Edit("paragraph out", source, source[: block.start] + rest, block.start, block.end)


def _item_in(source: str, blocks: Sequence[Block], chance: random.Random) -> Edit | None:
    found = [b for b in blocks if b.kind == "item" and _starts_line(source, b.start)]
    if not found:
        return None
    at = chance.choice(found).start
    line = _line(source, at)
    marker = _MARKER.match(source, at)
    if marker is None:
        return None
    added = source[line:at] + marker[0] + _ITEM
    return Edit("item in", source, source[:line] + added + source[line:], at, at + 1)


def _line(source: str, at: int) -> int:
    return max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1


def _starts_line(source: str, at: int) -> bool:
    return _LINE_START.fullmatch(source, _line(source, at), at) is not None


_KINDS: tuple[Callable[[str, Sequence[Block], random.Random], Edit | None], ...] = (
    _sentence_in,
    _paragraph_out,
    _item_in,
)


def draw(
    documents: Sequence[Document],
    blocks: Sequence[Sequence[Block]],
    limit: int,
    unit: str,
    count: int = COUNT,
) -> list[Edit]:
    """Samples documents and makes one edit in each, the three kinds in turn."""
    sizes = tokens.sizes([d.text for d in documents], unit)
    long = [i for i, size in enumerate(sizes) if size >= LEAST * limit]
    chance = random.Random(SEED)
    chance.shuffle(long)
    edits: list[Edit] = []
    for i in long:
        kind = _KINDS[len(edits) % len(_KINDS)]
        edit = kind(documents[i].text, blocks[i], chance)
        if edit is not None:
            edits.append(edit)
        if len(edits) == count:
            break
    if not edits:
        raise BenchmarkError(
            f"no document of {LEAST} × {limit} {unit} to edit: name a larger corpus"
        )
    return edits


def changed(split: Split, edit: Edit) -> float | None:
    """Gives the share of the chunks apart from the edit whose text is no longer among the new."""
    drawn = ink(edit.before)
    start, end = int(drawn.before[edit.start]), int(drawn.before[edit.end])
    others = _apart(split(edit.before), drawn, start, end)
    if not others:
        return None
    kept = Counter(piece.indexed.strip() for piece in split(edit.after))
    return (Counter(others) - kept).total() / len(others)


def _apart(pieces: Sequence[Piece], drawn: Ink, start: int, end: int) -> list[str]:
    placed = place(pieces, drawn)
    return [
        text.strip()
        for text, spot in zip(placed.texts, placed.places, strict=True)
        if spot is None or spot.end <= start or spot.start >= end
    ]


def measure(names: Sequence[str], edits: Sequence[Edit], size: int, unit: str) -> Result:
    """Makes every edit under every chunker."""
    rows = {}
    for name in names:
        split = chunkers.make(name, size, unit)
        shares = [(edit.kind, changed(split, edit)) for edit in edits]
        rows[name] = _row([(kind, share) for kind, share in shares if share is not None])
    setting = {"unit": unit, "size": size, "edits": len(edits), "seed": SEED}
    return Result(f"edits-{unit}", setting, (COLUMNS,), rows)


def _row(shares: Sequence[tuple[str, float]]) -> dict[str, float]:
    if not shares:
        return {"documents": 0}
    values = np.array([share for _, share in shares])
    row: dict[str, float] = {
        "mean": float(values.mean()),
        "p95": float(np.quantile(values, 0.95)),
        "max": float(values.max()),
        "documents": len(values),
    }
    for kind in dict.fromkeys(kind for kind, _ in shares):
        row[kind] = float(np.mean([share for other, share in shares if other == kind]))
    return row
