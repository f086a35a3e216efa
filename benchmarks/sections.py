"""What belongs together beyond blocks: a lead-in line and its block, the text of one section."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from benchmarks.oracle import Block

_INTRODUCED = frozenset({"code", "indented", "list", "quote", "table"})
_INLINE = "inline"
# A colon at the end, also before closing emphasis, quotes, or inside the end of a link.
_COLON = re.compile(r"[:：](?:[*_~\"'”’)]|\]\([^)\n]*\)|\]\[[^]\n]*\]|\])*\s*$")


def lead_ins(source: str, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Finds paragraphs that end in a colon with a block next in their container: (end, start)."""
    return [
        (paragraph.end, block.start)
        for paragraph, block in _siblings(blocks)
        if paragraph.kind == "paragraph"
        and block.kind in _INTRODUCED
        and _COLON.search(source, max(paragraph.start, paragraph.end - 200), paragraph.end)
    ]


def _siblings(blocks: Sequence[Block]) -> Iterator[tuple[Block, Block]]:
    families: dict[int, list[Block]] = {}
    for block in blocks:
        if block.kind != _INLINE:
            families.setdefault(block.parent, []).append(block)
    for family in families.values():
        yield from pairwise(family)


def sections_mixed(
    headings: Sequence[tuple[int, int]], chunks: Sequence[tuple[int, int]]
) -> dict[str, int]:
    """Counts the chunks that leave the section that holds their first character, in three ways.

    A chunk is *joined* when a heading strictly inside it has the level of that section or a
    higher one. It is *mixed* when, besides, it starts inside that section and not at its heading:
    the tail of one section and the head of another. It has *climbed* when a heading inside it has
    a higher level than that section.
    """
    starts = [start for start, _ in headings]
    counts = {"mixed": 0, "joined": 0, "climbed": 0}
    for start, end in chunks:
        own = bisect_right(starts, start) - 1
        inside = headings[own + 1 : bisect_left(starts, end)]
        if own < 0 or not inside:
            continue
        top, level = min(level for _, level in inside), headings[own][1]
        counts["joined"] += top <= level
        counts["mixed"] += top <= level and starts[own] != start
        counts["climbed"] += top < level
    return counts
