"""Tables in a piece of HTML: where their rows are, which of them are headers, what rows share."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mdchunk.lines import pattern

TABLE = re.compile(r"<table\b", re.IGNORECASE)
TAG = pattern(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<close>/?)(?P<name>table|thead|tbody|tfoot|tr|th|td)\b(?P<attributes>[^<>]*)>",
    re.IGNORECASE | re.DOTALL,
)
ROWSPAN = re.compile(r"\browspan\s*=\s*[\"']?\s*(\d{1,5})", re.IGNORECASE)
OPENING = pattern(r"<(?!br|hr|img)[a-z][^<>]*(?<!/)>", re.IGNORECASE)


def part_start(source: str, offset: int) -> int:
    """Return where the line starts that a tag is the first thing in, else where the tag does."""
    start = offset
    while start and source[start - 1] in " \t>":
        start -= 1
    return start if not start or source[start - 1] in "\r\n" else offset


def end_before(source: str, offset: int) -> int:
    """Return where ends what stands before a tag, without the marks of a quote."""
    end = part_start(source, offset)
    while end and source[end - 1].isspace():
        end -= 1
    return end


def opening_start(source: str, start: int, offset: int) -> int:
    """Return where the opening tags begin that stand right before a tag, at or after a place."""
    while (end := end_before(source, offset)) > start and source[end - 1] == ">":
        begin = source.rfind("<", start, end)
        if begin < 0 or not OPENING.fullmatch(source, begin, end):
            break
        offset = begin
    return offset


class HtmlTable(NamedTuple):
    """A table: ``tag`` opens it, ``head`` are the places of its header rows or its ``thead``.

    ``outset`` is where the opening tags begin that stand right before it.
    ``cell`` is where its first cell is, ``body`` its first row that is no header (its end, where
    there is none), ``groups`` are runs of rows that share a cell, outermost first. What lies in
    ``nested`` is a table in a cell.
    """

    outset: int
    start: int
    end: int
    tag: str
    cell: int
    body: int
    head: tuple[int, int] | None
    groups: tuple[tuple[int, int], ...]
    nested: tuple[tuple[int, int], ...]


class _Row:
    """A row while it is read: of which part of the table, and how many rows its cells reach."""

    __slots__ = ("data", "end", "headings", "in_head", "part", "reach", "start")

    def __init__(self, start: int, part: int, *, in_head: bool) -> None:
        self.start = self.end = start
        self.part = part
        self.in_head = in_head
        self.data = self.headings = False
        self.reach = 1


class _Reading:
    """A table while it is read."""

    def __init__(self, outset: int, opening: re.Match[str]) -> None:
        self.outset, self.start, self.tag = outset, opening.start(), opening[0]
        self.rows: list[_Row] = []
        self.part = 0
        self.open: _Row | None = None
        self.cell = opening.end()
        self.head: tuple[int, int] | None = None
        self.head_start = -1
        self.nested: list[tuple[int, int]] = []

    def take(self, tag: re.Match[str]) -> None:
        """Take a tag of the table's own."""
        name, closes = tag["name"].lower(), bool(tag["close"])
        if name in ("th", "td"):
            if not closes:
                self._cell(name, tag)
            return
        closed = name == "tr" and closes
        self._end_row(tag.end() if closed else end_before(tag.string, tag.start()))
        if name == "tr":
            if not closes:
                self.open = _Row(tag.start(), self.part, in_head=self.head_start >= 0)
                self.rows.append(self.open)
            return
        self.part += 1
        if self.head_start >= 0:
            self.head = self.head or (self.head_start, tag.end() if closes else tag.start())
        self.head_start = tag.start() if name == "thead" and not closes else -1

    def _cell(self, name: str, tag: re.Match[str]) -> None:
        row = self.open
        if row is None:
            return
        if len(self.rows) == 1 and not (row.data or row.headings):
            self.cell = tag.start()
        row.data |= name == "td"
        row.headings |= name == "th"
        span = ROWSPAN.search(tag["attributes"])
        # none at all reaches to the end of its part
        row.reach = max(row.reach, (int(span[1]) or sys.maxsize) if span else 1)

    def _end_row(self, end: int) -> None:
        if self.open:
            self.open.end = end
            self.open = None

    def table(self, source: str, end: int) -> HtmlTable:
        """Return what was read, of a table that ends at an offset."""
        self._end_row(end)
        count = self._headers()
        head = self.head
        if head is None and any(row.headings for row in self.rows[:count]):
            head = self.rows[0].start, self.rows[count - 1].end
        body = self.rows[count].start if count < len(self.rows) else end
        groups = [
            (part_start(source, self.rows[first].start), self.rows[last].end)
            for first, last in _nested(self._shared())
        ]
        return HtmlTable(
            self.outset,
            self.start,
            end,
            self.tag,
            self.cell,
            body,
            head,
            tuple(groups),
            tuple(self.nested),
        )

    def _headers(self) -> int:
        """Count the rows before the first of data: those of ``thead``, else those without data."""
        if self.head:
            return sum(row.in_head for row in self.rows)
        datas = (number for number, row in enumerate(self.rows) if row.data)
        return next(datas, 0)

    def _shared(self) -> Iterator[tuple[int, int]]:
        """Find the first and the last row of each cell that several have, by the first."""
        last = len(self.rows) - 1
        for number in range(last, -1, -1):
            row = self.rows[number]
            if row.part != self.rows[last].part:
                last = number
            if row.reach > 1 and number < last:
                yield number, min(number + row.reach - 1, last)


def _nested(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that cross, so that all that are left lie apart or in one another."""
    found: list[list[int]] = []
    stack: list[list[int]] = []
    for first, last in sorted(ranges, key=lambda it: (it[0], -it[1])):
        while stack and stack[-1][1] < first:
            stack.pop()
        crossed: list[int] = []
        while stack and stack[-1][1] < last:
            crossed.clear()  # what is inside of the outermost that crosses is part of the whole
            crossed = stack.pop()
        if crossed:
            crossed[1] = last
        else:
            crossed = [first, last]
            found.append(crossed)
        stack.append(crossed)
    return [(kept[0], kept[1]) for kept in found if kept]


def tables(source: str, start: int, end: int) -> Iterator[HtmlTable]:
    """Read the tables of a piece of HTML; one in a cell is part of the one round it."""
    if not TABLE.search(source, start, end):
        return
    reading: _Reading | None = None
    depth = inner = 0
    for tag in TAG.finditer(source, start, end):
        name = (tag["name"] or "").lower()
        if name != "table":
            if reading and name and depth == 1:
                reading.take(tag)
        elif reading is None:
            if not tag["close"]:
                reading, depth = _Reading(opening_start(source, start, tag.start()), tag), 1
        elif not tag["close"]:
            inner, depth = inner if depth > 1 else tag.start(), depth + 1
        elif depth > 1:
            depth -= 1
            reading.nested += [(inner, tag.end())] if depth == 1 else []
        else:
            yield reading.table(source, tag.end())
            reading, start = None, tag.end()
    if reading:
        yield reading.table(source, end)
