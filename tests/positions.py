"""Laws that ask another parser, by fixtures/positions, where links, headings and blocks are.

The laws of the same sense in laws.py hold for any source, but ask the code under test.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from corpus import FIXTURES, read, spec_examples_of

from mdchunk import Chunk

LINE_END = re.compile(r"\r\n|\n|\r")
EMPTY_LINES = re.compile(r"(?:(?:\r\n|\n|\r)[ \t>]*(?=[\r\n]|\Z))*")
"""Blank lines and those of a quote that show nothing but its mark; they go with what is before."""
KEPT = FIXTURES / "positions"
Fits = Callable[[int, int], bool]


class Block(NamedTuple):
    """A block by another parser; ``depth`` counts the blocks around it, ``level`` a heading's."""

    kind: str
    depth: int
    start: int
    end: int
    level: int


class Inline(NamedTuple):
    """A link, image, code span, footnote reference or piece of HTML."""

    kind: str
    start: int
    end: int


class Judged(NamedTuple):
    """A source, and what another parser finds in it."""

    source: str
    blocks: list[Block]
    inline: list[Inline]


@cache
def judged(suite: str) -> dict[str, Judged]:
    """Read the sources of a suite with what is kept of them, by name."""
    places = json.loads(read(KEPT / f"{suite}.json"))["places"]
    texts = sources(suite)
    assert set(places) == set(texts), "python tools/positions.py"
    return {name: _judged(texts[name], found) for name, found in places.items()}


def _judged(source: str, found: dict[str, Any]) -> Judged:
    for _, start, end, text in found["inline"]:
        assert source[start:end] == text, "python tools/positions.py"
    return Judged(
        source,
        [Block(*row) for row in found["blocks"]],
        [Inline(*row[:3]) for row in found["inline"]],
    )


def sources(suite: str) -> dict[str, str]:
    """Read the Markdown of a suite by name, as tools/positions.py does."""
    if suite == "commonmark":
        return spec_examples_of("commonmark/spec-0.31.2.json")
    if suite == "gfm":
        return {
            **spec_examples_of("gfm/spec-0.29.json"),
            **spec_examples_of("gfm/extensions.json"),
        }
    paths: list[Path] = sorted([*FIXTURES.glob("documents/*.md"), *KEPT.glob("*.md")])
    return {path.relative_to(FIXTURES).as_posix(): read(path) for path in paths}


def cuts_inside(offsets: Sequence[int], start: int, end: int) -> list[int]:
    """List those of some sorted offsets that are strictly between two."""
    return list(offsets[bisect_right(offsets, start) : bisect_left(offsets, end)])


def own_starts(chunks: Sequence[Chunk]) -> list[int]:
    """List where the chunks' own texts start."""
    return [chunk.start + chunk.overlap for chunk in chunks]


def constructs_are_whole(judged: Judged, chunks: Sequence[Chunk], fits: Fits) -> None:
    """No chunk and no overlap starts inside a link, code span or the like that would fit."""
    places = sorted({*own_starts(chunks), *(chunk.start for chunk in chunks)})
    for kind, start, end in judged.inline:
        if cuts_inside(places, start, end):
            assert not fits(start, end), (kind, judged.source[start:end])


def blocks_are_whole(judged: Judged, chunks: Sequence[Chunk], fits: Fits) -> None:
    """No chunk starts inside a block that would fit, nor an overlap but in prose.

    A block begins with its line, marks of what it stands in included. A list is cut between its
    items even if it fits, and a paragraph below headings so that none of them stands alone.
    """
    own = own_starts(chunks)
    places = sorted({*own, *(chunk.start for chunk in chunks)})
    heading: Block | None = None
    for block in judged.blocks:
        start, end = line_start(judged.source, block.start), whole_end(judged, block)
        starts = own if block.kind == "paragraph" else places
        if block.kind != "list" and cuts_inside(starts, start, end):
            if heading and block.kind == "paragraph":
                start = line_start(judged.source, heading.start)
            assert not fits(start, end), (block.kind, judged.source[start:end])
        heading = (heading or block) if block.kind == "heading" else None


def whole_end(judged: Judged, block: Block) -> int:
    """Find the end of a block: a table's header is one with the delimiter row below it."""
    header = block.kind == "table_row" and judged.blocks[judged.blocks.index(block) - 1].kind
    if header != "table":
        return block.end
    delimiter = LINE_END.search(judged.source, block.end)
    following = delimiter and LINE_END.search(judged.source, delimiter.end())
    return following.start() if following else len(judged.source)


def headings_keep_their_text(
    judged: Judged, chunks: Sequence[Chunk], fits: Fits, *, keep: bool
) -> None:
    """No chunk ends between a heading and the block after it if the two fit into one.

    Headings that follow one another, each deeper than the one before, stand over the same block.
    """
    starts = own_starts(chunks)
    for over, under, last in stacks(judged.blocks):
        start = line_start(judged.source, over.start)
        if cuts_inside(starts, start, line_start(judged.source, under.start) + 1):
            end = EMPTY_LINES.match(judged.source, first_part(judged, last, fits, keep=keep)).end()
            assert not fits(start, end), judged.source[start:end]


def stacks(blocks: Sequence[Block]) -> Iterator[tuple[Block, Block, Block]]:
    """Find each heading, what follows it, and the block that it and those below it stand over.

    Definitions show nothing, so that no heading stands over one.
    """
    for first, heading in enumerate(blocks):
        if heading.kind != "heading":
            continue
        stack = [heading]
        for block in blocks[first + 1 :]:
            if block.depth != heading.depth:
                break  # the end of a quote or item
            if block.kind == "definition":
                continue
            if block.kind != "heading" or block.level > stack[-1].level:
                stack.append(block)
            if block.kind != "heading" or stack[-1] is not block:
                break
        if len(stack) > 1:
            yield heading, stack[1], stack[-1]


def first_part(judged: Judged, block: Block, fits: Fits, *, keep: bool) -> int:
    """Find the end of the part of a block that a heading before it must not be parted from.

    It is the whole block if that fits, else that of its first child; a table's header is not left
    without a row.
    """
    start, end = line_start(judged.source, block.start), whole_end(judged, block)
    if block.kind != "list" and (keep or fits(start, end)):
        return end
    inner = judged.blocks[judged.blocks.index(block) + 1 :]
    if block.kind == "table":
        rows = [row for row in inner[:2] if row.kind == "table_row"]
        return rows[-1].end if len(rows) > 1 else end
    if inner and inner[0].depth > block.depth:
        return first_part(judged, inner[0], fits, keep=keep)
    return end


def line_start(source: str, offset: int) -> int:
    """Find the start of the line that an offset is in; a byte order mark is no part of one."""
    first = 1 if source.startswith("\ufeff") else 0
    return max(first, source.rfind("\n", 0, offset) + 1, source.rfind("\r", 0, offset) + 1)
