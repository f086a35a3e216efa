"""Ranges that lie inside each other, as blocks and fences do: which of them holds an offset."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


class Nesting:
    """Ranges in source order, of which two lie apart or one inside the other."""

    __slots__ = ("_ends", "_outer", "_starts")

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        starts: list[int] = []
        ends: list[int] = []
        outers: list[int] = []
        for index, (start, end) in enumerate(ranges):
            outer = index - 1
            while outer >= 0 and ends[outer] <= start:
                outer = outers[outer]
            starts.append(start)
            ends.append(end)
            outers.append(outer)
        self._starts, self._ends, self._outer = starts, ends, outers

    def around(self, offset: int) -> list[int]:
        """Return the indices of those that an offset is strictly inside of, outermost first.

        They are among the last that starts before it and those round that one.
        """
        found: list[int] = []
        index = bisect_left(self._starts, offset) - 1
        while index >= 0:
            if offset < self._ends[index]:
                found.append(index)
            index = self._outer[index]
        found.reverse()
        return found

    def innermost(self, offset: int) -> int:
        """Return the index of the last one that an offset is strictly inside of, -1 for none."""
        index = bisect_left(self._starts, offset) - 1
        while index >= 0 and offset >= self._ends[index]:
            index = self._outer[index]
        return index

    def outer(self, index: int) -> int:
        """Return the index of the one round another, -1 for none."""
        return self._outer[index]

    def between(self, start: int, end: int) -> range:
        """Return the indices of those that start in a slice."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))
