"""What is counted once along a source: the stretches between marks, and sums over them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, pairwise
from operator import add

from mdchunk.sizing.stretches import WINDOW, CountAll, Counter, windows

UNSAFE = "/"
"""What a line may not start with for sums over its start to be exact in every encoding."""
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
TRIES = 4
"""How many spaces of a line are looked at for one at which a new piece begins."""


@dataclass(frozen=True, slots=True)
class KnownSums:
    """The sizes of the stretches of a source.

    Stretch n goes from ``edges[n]`` to ``edges[n + 1]``, its text ends at ``visible[n]``, and
    ``sums[n]`` is the size of all before it. ``parted`` are the starts of stretches that were
    counted in parts, so that their sizes are not exact.
    """

    edges: Sequence[int]
    sums: Sequence[int]
    visible: Sequence[int]
    parted: Sequence[int]

    def stretch(self, offset: int) -> int:
        """Return the stretch that an offset lies in."""
        return bisect_right(self.edges, offset) - 1

    def size(self, stretch: int) -> int:
        """Return the size of a stretch."""
        return self.sums[stretch + 1] - self.sums[stretch]

    def any_parted(self, start: int, end: int) -> bool:
        """Return whether a slice reaches into a stretch that was counted in parts."""
        if not self.parted:
            return False
        nearest = bisect_left(self.parted, self.edges[self.stretch(start)])
        return nearest < len(self.parted) and self.parted[nearest] < end


def known_sums(source: str, count_all: CountAll, marks: Sequence[int]) -> KnownSums:
    """Count each stretch of a source between marks."""
    edges = sorted({0, *marks, len(source)})
    texts = [source[start:end] for start, end in pairwise(edges)]
    visible = list(map(add, edges, map(len, map(str.rstrip, texts))))
    parts = [(text,) if len(text) <= 2 * WINDOW else tuple(windows(text)) for text in texts]
    counts = count_all(chain.from_iterable(parts))
    parted = [start for start, some in zip(edges, parts, strict=False) if len(some) > 1]
    sizes = (sum(islice(counts, len(some))) for some in parts) if parted else counts
    return KnownSums(edges, [0, *accumulate(sizes)], visible, parted)


class ExactSums:
    """Exact counts by an encoding whose counts add up at marks: little is counted again."""

    __slots__ = ("_count", "_known", "_source")

    def __init__(self, source: str, count: Counter, known: KnownSums) -> None:
        self._source = source
        self._count = count
        self._known = known

    def exact(self, start: int, end: int) -> int:
        """Return the count of ``source[start:end]``."""
        known = self._known
        edges, sums = known.edges, known.sums
        first, last = bisect_left(edges, start), bisect_left(edges, end) - 1
        if first > last or known.any_parted(start, end):
            return self._count(self._source[start:end])
        size = sums[last] - sums[first] + self._tail(last, end)
        if start < edges[first]:
            size += self._count(self._source[start : edges[first]])
        return size

    def _tail(self, stretch: int, end: int) -> int:
        """Count from the start of a stretch; where its text ends, by the end of its last line."""
        source, known = self._source, self._known
        start, following = known.edges[stretch : stretch + 2]
        if end != known.visible[stretch]:
            return self._count(source[start:end])
        line = max(start, source.rfind("\n", start, end) + 1)
        near = self._last_words(line, end)
        if near == start or (near == line and source[line] in UNSAFE):
            return self._count(source[start:end])
        blanks = self._count(source[near:following]) - self._count(source[near:end])
        return known.size(stretch) - blanks

    def _last_words(self, line: int, end: int) -> int:
        """Find a place in a line where a new piece begins: a space after a letter or digit.

        The patterns of additive encodings take no space into a piece that has begun with either.
        """
        near, tries = end, TRIES
        while (near := self._source.rfind(" ", line + 1, near)) >= 0 and tries:
            if self._source[near - 1] in LETTERS:
                return near
            tries -= 1
        return line
