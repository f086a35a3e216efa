"""Where the text of a block stands in the source, from which marks of containers were taken off."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate


class Content:
    """A block's text and where each line of it, or each part of a table's cell, begins."""

    __slots__ = ("_begins", "_origins", "text")

    def __init__(self, text: str, begins: Sequence[int], origins: Sequence[int]) -> None:
        self.text = text
        self._begins = begins
        self._origins = origins

    def at(self, offset: int) -> int:
        """Find the place in the source of an offset in the text."""
        index = bisect_right(self._begins, offset) - 1
        return self._origins[index] + offset - self._begins[index]

    def stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Divide a range of the text where what stands before and behind is apart in the source."""
        index = bisect_right(self._begins, start)
        while start < end:
            stop = min(end, self._begins[index]) if index < len(self._begins) else end
            yield start, stop
            start, index = stop, index + 1


def lines_content(source: str, starts: Sequence[int], text: str, first: int) -> Content:
    """Place a text whose lines end the lines of a source from one on, white space apart."""
    begins, origins, begin = [], [], 0
    for number, line in enumerate(text.split("\n"), first):
        number = min(number, len(starts) - 2)
        begins.append(begin)
        origins.append(starts[number] + _column(source[starts[number] : starts[number + 1]], line))
        begin += len(line) + 1
    return Content(text, begins, origins)


def _column(whole: str, line: str) -> int:
    """Find where in a line of the source the text that is left of it begins."""
    bare = line.strip()
    whole = whole.rstrip()
    found = len(whole) - len(bare) if whole.endswith(bare) else max(whole.find(bare), 0)
    return found - (len(line) - len(line.lstrip()))


def cell_content(source: str, begin: int, end: int, text: str) -> tuple[Content, int]:
    """Place a cell of a table at or after an offset of its row, and say where it ends.

    In a row a pipe that is text is escaped, in the cell it is not.
    """
    parts = text.split("|")
    found = max(source.find("\\|".join(parts), begin, end), begin)
    begins, origins, offset, place = [], [], 0, found
    for part in parts:
        begins.append(offset)
        origins.append(place)
        # the pipe itself goes with what stands before it
        offset, place = offset + len(part) + 1, place + len(part) + 2
    return Content(text, begins, origins), min(place - 1, end)


def block_content(
    source: str, starts: Sequence[int], first: int, last: int, quotes: int
) -> Content:
    """Place the lines of a block without the marks of the quotes round it and its indentation."""
    mark = re.compile(rf"(?:[ \t]*>){{0,{quotes}}}")
    lines: list[str] = []
    origins: list[int] = []
    indent = 0
    for number in range(first, min(last, len(starts) - 1)):
        begin, end = starts[number], starts[number + 1]
        match = mark.match(source, begin, end)
        begin = match.end() if match else begin
        line = source[begin:end].rstrip()
        blanks = len(line) - len(line.lstrip())
        if number == first:
            indent = blanks
        begin += min(blanks, indent)
        lines.append(source[begin:end].rstrip())
        origins.append(begin)
    begins = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
    return Content("\n".join(lines), begins, origins)
