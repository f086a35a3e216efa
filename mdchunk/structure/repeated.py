"""What a chunk may repeat to be read alone: fences, headers of tables, definitions."""

from __future__ import annotations

import re

from markdown_it.token import Token

from mdchunk.lines import Lines
from mdchunk.model import Definition, Fence, Table
from mdchunk.structure.blocks import Block

SHORTEST_FENCE = 3
LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]:", re.DOTALL)
"""A label as it is written (CommonMark 4.7)."""
HTML_HEADER = re.compile(
    r"(?:<(?:div|figure|center)\b[^<>]*>\s*)*(?P<table><table\b[^<>]*>)\s*"
    r"(?:<(?P<part>caption|colgroup)\b.{0,2000}?</(?P=part)>\s*){0,2}(?:<tbody>\s*)?"
    r"(?P<head><thead\b.{0,4000}?</thead>|<tr\b[^<>]*>(?:(?!</tr>|<td\b).){0,4000}</tr>)",
    re.IGNORECASE | re.DOTALL,
)
"""How a table in HTML begins that has a header: a ``thead``, or a first row without ``td``."""


def fence(lines: Lines, token: Token, block: Block) -> Fence | None:
    """Return the fence of a block whose token has one as its mark: a run of one character."""
    marks = token.markup
    if len(marks) < SHORTEST_FENCE or marks.strip(marks[0]):
        return None
    last = lines.of(block.end - 1)
    text = lines.text(last).strip().lstrip("> \t")
    closed = last > block.first and text.startswith(marks) and not text.strip(marks[0])
    return Fence(block.start, block.end, marks, closed)


def table(lines: Lines, block: Block) -> Table:
    """Return a table of rows with its header, the first two lines."""
    rows = (lines.text(line).rstrip() for line in (block.first, block.first + 1))
    return Table(block.start, block.end, "".join(f"{row}\n" for row in rows))


def html_table(source: str, block: Block) -> Table | None:
    """Return a table in HTML that has a header."""
    if not source.startswith("<", block.start):
        return None
    header = HTML_HEADER.match(source, block.start, block.end)
    if header is None:
        return None
    return Table(header.end() - 1, block.end, f"{header['table']}\n{header['head']}\n")


def definition(source: str, block: Block) -> Definition | None:
    """Return what a link definition or footnote defines."""
    label = LABEL.search(source, block.start, block.end)
    return Definition(label.start(), block.end, label[1]) if label else None
