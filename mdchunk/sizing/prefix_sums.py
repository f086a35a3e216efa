"""Sizes of slices of one source: planned cheaply, by sums, and counted exactly.

``size_before`` and ``size_through`` are the planned size before an offset, without and with the
token that the offset falls into; their difference, ``planned``, is never too small by more than a
token or two. ``exact`` counts a slice as it would be counted alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from mdchunk.model import INLINE_DATA, elide
from mdchunk.sizing.known_sums import ExactSums, KnownSums, known_sums
from mdchunk.sizing.stretches import (
    LONGEST_WORD,
    Counter,
    CountMany,
    Spread,
    TokenEnds,
    TokenSpread,
    WordSpread,
    in_batches,
    windows,
)

NEAR_ADDITIVE = 8
NEAR = 1.25
"""How far over a limit a plan may be wrong: by tokens at a slice's ends, or by this factor."""
FEW_BLANKS = 4
"""Blanks behind a stretch that are planned with it."""
TAIL = 16
"""How far back blanks before a cut are looked for, when planning."""


class SizeIndex(Protocol):
    """The sizes of all slices of one source; offsets are code points."""

    additive: bool

    def size_before(self, offset: int) -> int:
        """Plan the size before an offset, without the token that the offset falls into."""

    def size_to_cut(self, offset: int) -> int:
        """Plan the size before a cut, perhaps without the blanks before it."""

    def sizes_before(self, offsets: Sequence[int]) -> list[int]:
        """Return ``size_before`` of many offsets."""

    def sizes_to_cuts(self, offsets: Sequence[int]) -> list[int]:
        """Return ``size_to_cut`` of many offsets."""

    def planned(self, start: int, end: int) -> int:
        """Plan the size of a slice."""

    def furthest(self, start: int, size: float) -> int:
        """Find the last offset up to which the planned size from ``start`` is at most ``size``."""

    def exact(self, start: int, end: int) -> int:
        """Count a slice exactly."""


class Budget:
    """A limit on the slices of one source: says what fits, counting where the plan is near."""

    __slots__ = ("_index", "_near", "_short", "limit")

    def __init__(self, size_index: SizeIndex, limit: float) -> None:
        self._index = size_index
        self.limit = limit
        self._near = limit + NEAR_ADDITIVE if size_index.additive else NEAR * limit + 8
        # by words, a link in a line without spaces is planned as large as that line
        self._short = 0 if size_index.additive else 2 * LONGEST_WORD

    def fits(self, start: int, end: int) -> bool:
        """Return whether ``source[start:end]`` fits."""
        size = self._index.planned(start, end)
        if size <= self.limit:
            return True
        near = size <= self._near or end - start <= self._short
        return near and self._index.exact(start, end) <= self.limit

    def holds(self, start: int, end: int) -> bool:
        """Return whether ``source[start:end]`` fits by counting it, whatever the plan says."""
        return self._index.exact(start, end) <= self.limit

    def reach(self, start: int) -> int:
        """Plan the last offset up to which a slice fits, or one a little before it."""
        return self._index.furthest(start, self.limit)


class CharacterSizes:
    """Code points: a slice is as big as it is long."""

    __slots__ = ("_source",)
    additive = True

    def __init__(self, source: str) -> None:
        self._source = source

    def size_before(self, offset: int) -> int:
        return offset

    def sizes_before(self, offsets: Sequence[int]) -> list[int]:
        return list(offsets)

    def sizes_to_cuts(self, offsets: Sequence[int]) -> list[int]:
        return list(map(self.size_to_cut, offsets))

    def size_to_cut(self, offset: int) -> int:
        near = offset - TAIL if offset > TAIL else 0
        return near + len(self._source[near:offset].rstrip())

    def planned(self, start: int, end: int) -> int:
        return end - start

    def furthest(self, start: int, size: float) -> int:
        return min(len(self._source), start + int(size))

    def exact(self, start: int, end: int) -> int:
        return end - start


class PrefixSums:
    """Any counter: what stands between marks is counted once, and slices are sums over that.

    Where an offset falls between marks, ``token_ends`` tells how far each token there reaches;
    without it words are counted. With ``additive`` the sums over marks are exact. ``count_many``
    counts as ``count`` does.
    """

    __slots__ = ("_at", "_known", "_spread", "_stops", "additive", "exact")

    def __init__(
        self,
        source: str,
        count: Counter,
        marks: Sequence[int],
        *,
        additive: bool = False,
        token_ends: TokenEnds | None = None,
        count_many: CountMany | None = None,
    ) -> None:
        count_all = in_batches(count_many) if count_many else partial(map, count)
        known = known_sums(source, count_all, marks)
        self._known = known
        # the planned sizes before the places most asked for: marks, and where text before one ends
        self._at = dict(zip(known.edges, known.sums, strict=True))
        self._stops = dict(zip(known.visible, known.sums[1:], strict=True))
        self._stops.update(_without_many_blanks(source, count, known))
        self._spread: Spread = (
            TokenSpread(source, known.edges, token_ends)
            if token_ends
            else WordSpread(source, known.edges, count_all)
        )
        self.additive = additive
        self.exact: Callable[[int, int], int] = (
            ExactSums(source, count, known).exact
            if additive
            else lambda start, end: count(source[start:end])
        )

    def size_before(self, offset: int) -> int:
        size = self._at.get(offset)
        return self._inside(offset, self._spread.before) if size is None else size

    def size_through(self, offset: int) -> int:
        size = self._stops.get(offset)
        if size is None:
            size = self._at.get(offset)
        if size is not None:
            return size
        stretch = self._known.stretch(offset)
        if offset >= self._known.visible[stretch]:
            return self._known.sums[stretch + 1]
        return self._inside(offset, self._spread.through)

    def size_to_cut(self, offset: int) -> int:
        size = self._at.get(offset)
        return self.size_through(offset) if size is None else size

    def _inside(self, offset: int, spread: Callable[[int, int], int]) -> int:
        """Plan the size before an offset between marks."""
        known = self._known
        stretch = known.stretch(offset)
        size = spread(stretch, offset - known.edges[stretch])
        return known.sums[stretch] + min(size, known.size(stretch))

    def planned(self, start: int, end: int) -> int:
        return self.size_through(end) - self.size_before(start)

    def sizes_before(self, offsets: Sequence[int]) -> list[int]:
        at, before = self._at, self.size_before
        return [at[offset] if offset in at else before(offset) for offset in offsets]

    def sizes_to_cuts(self, offsets: Sequence[int]) -> list[int]:
        at, through = self._at, self.size_through
        return [at[offset] if offset in at else through(offset) for offset in offsets]

    def furthest(self, start: int, size: float) -> int:
        edges, sums = self._known.edges, self._known.sums
        goal = self.size_before(start) + int(size)
        stretch = bisect_right(sums, goal) - 1
        if stretch + 1 >= len(edges):
            return edges[-1]
        passed = self._spread.furthest(stretch, goal - sums[stretch])
        return edges[stretch + 1] if passed is None else edges[stretch] + passed


def _without_many_blanks(
    source: str, count: Counter, known: KnownSums
) -> Iterator[tuple[int, int]]:
    """Plan the text before many blanks without them, since they may take more than it does."""
    ends = zip(known.visible, known.edges[1:], strict=True)
    for stretch in [n for n, (stop, end) in enumerate(ends) if end - stop > FEW_BLANKS]:
        stop = known.visible[stretch]
        text = source[known.edges[stretch] : stop]
        yield stop, known.sums[stretch] + sum(map(count, windows(text)))


class ElidedSums:
    """The sizes of a source as it reads with its base64 data shortened."""

    __slots__ = ("_count", "_ends", "_gone", "_inner", "_source", "_starts")
    additive = False

    def __init__(
        self,
        source: str,
        marks: Sequence[int],
        count: Counter,
        size_index: Callable[[str, Sequence[int]], SizeIndex],
    ) -> None:
        self._source = source
        self._count = count
        # where the data stands in the source, and how much of it is gone before each place
        found = list(INLINE_DATA.finditer(source))
        self._starts = [match.end(1) for match in found]
        self._ends = [match.end() for match in found]
        self._gone = [0]
        for start, end in zip(self._starts, self._ends, strict=True):
            self._gone.append(self._gone[-1] + end - start - 1)
        self._inner = size_index(elide(source), [self._to(mark) for mark in marks])

    def _to(self, offset: int) -> int:
        """Return where an offset of the source is in the shortened one."""
        passed = bisect_right(self._starts, offset)
        if passed and offset < self._ends[passed - 1]:
            return self._starts[passed - 1] - self._gone[passed - 1]
        return offset - self._gone[passed]

    def size_before(self, offset: int) -> int:
        return self._inner.size_before(self._to(offset))

    def size_to_cut(self, offset: int) -> int:
        return self._inner.size_to_cut(self._to(offset))

    def sizes_before(self, offsets: Sequence[int]) -> list[int]:
        return self._inner.sizes_before(list(map(self._to, offsets)))

    def sizes_to_cuts(self, offsets: Sequence[int]) -> list[int]:
        return self._inner.sizes_to_cuts(list(map(self._to, offsets)))

    def planned(self, start: int, end: int) -> int:
        return self._inner.planned(self._to(start), self._to(end))

    def furthest(self, start: int, size: float) -> int:
        goal = self._inner.furthest(self._to(start), size)
        within = range(start + 1, len(self._source) + 1)
        return start + bisect_right(within, goal, key=self._to)

    def exact(self, start: int, end: int) -> int:
        return self._count(elide(self._source[start:end]))
