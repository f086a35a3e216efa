"""Stretches of a source that no cut may enter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable


class Intervals:
    """Stretches that no cut may enter, as sorted and disjoint ranges."""

    __slots__ = ("ends", "starts")

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(ranges):
            if self.ends and start < self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def around(self, offset: int) -> int:
        """Return the start of the stretch that an offset is strictly inside of, else -1."""
        nearest = bisect_right(self.starts, offset - 1) - 1
        return self.starts[nearest] if nearest >= 0 and offset < self.ends[nearest] else -1

    def past(self, offset: int) -> int:
        """Return the end of the stretch that starts at an offset or holds it."""
        return self.ends[bisect_right(self.starts, offset) - 1]
