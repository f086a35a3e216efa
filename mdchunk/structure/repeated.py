"""What a chunk may repeat to be read alone: fences, headers of tables, definitions."""

from __future__ import annotations

import re

from markdown_it.token import Token

from mdchunk.lines import Lines
from mdchunk.model import Definition, Fence, Table
from mdchunk.structure.blocks import Block
from mdchunk.structure.html_tables import HtmlTable, part_start

SHORTEST_FENCE = 3
LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]:", re.DOTALL)
"""A label as it is written (CommonMark 4.7)."""
LONGEST_HEAD = 4_000
"""Code points of a table's head in HTML that is worth repeating."""


def fence(lines: Lines, token: Token, block: Block) -> Fence | None:
    """Return the fence of a block whose token has one as its mark: a run of one character."""
    marks = token.markup
    if len(marks) < SHORTEST_FENCE or marks.strip(marks[0]):
        return None
    last = lines.of(block.end - 1)
    text = lines.text(last).strip().lstrip("> \t")
    closed = last > block.first and text.startswith(marks) and not text.strip(marks[0])
    return Fence(block.start, block.end, marks, closed)


def table(lines: Lines, token: Token, block: Block) -> Table:
    """Return a table of rows with its header: two lines, if its token does not say otherwise."""
    head = range(block.first, block.first + token.meta.get("head", 2))
    rows = (lines.text(line).rstrip() for line in head)
    return Table(block.start, block.end, "".join(f"{row}\n" for row in rows))


def html_table(source: str, found: HtmlTable) -> Table | None:
    """Return a table in HTML that has a header."""
    if found.head is None or found.head[1] - found.head[0] > LONGEST_HEAD:
        return None
    start, end = found.head
    lead = source[part_start(source, found.start) : found.start]  # the marks of a quote
    header = f"{lead}{found.tag}\n{lead}{source[start:end]}\n"
    return Table(end - 1, found.end, header)


def definition(source: str, block: Block) -> Definition | None:
    """Return what a link definition or footnote defines."""
    label = LABEL.search(source, block.start, block.end)
    return Definition(label.start(), block.end, label[1]) if label else None
