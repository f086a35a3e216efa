"""Measures laid along one source: slices are planned cheaply, by sums, and counted exactly.

``floor`` and ``ceil`` give the planned size before an offset, without and with the token that the
offset falls into; so ``ceil(end) - floor(start)`` is the planned size of a slice, never too small
by more than a token or two. ``exact`` counts a slice as it would be counted alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add
from string import ascii_letters, digits
from typing import Protocol

from mdchunk.model import DATA_URI, elide

Counter = Callable[[str], int]
CountMany = Callable[[Sequence[str]], Sequence[int]]
"""Counts many texts in one call."""
Reached = Callable[[str], Sequence[int]]
"""Tells of each token of a text up to which code point it reaches."""

NEAR_ADDITIVE = 8
NEAR = 1.25
"""How far over a limit a plan may be wrong: by tokens at a slice's ends, or by this factor."""
UNSAFE = "/"
"""What a line may not start with for sums over its start to be exact in every encoding."""
LETTERS = frozenset(ascii_letters + digits)
FEW_BLANKS = 4
"""Blanks behind a stretch that are planned with it."""
TAIL = 16
"""How far back blanks before a place are looked for, when planning."""
LONGEST_WORD = 64
WORD = re.compile(rf"\s*\S{{1,{LONGEST_WORD}}}\s*|\s+")
"""What is counted at a time where only a user's counter can tell."""
BATCH = 200_000
"""Code points that are counted in one call: all at once would take memory by a source's length."""
WINDOW = 256
"""Runs without a break are counted in slices of this many code points when planning: tiktoken
before 0.13 takes time by the square of a run's length, and all panic on a million blanks."""


class SizeIndex(Protocol):
    """A measure laid along one source; offsets are code points."""

    additive: bool

    def floor(self, offset: int) -> int:
        """Plan the size before an offset, without what the offset falls into."""

    def ceil(self, offset: int) -> int:
        """Plan the size before an offset, with what the offset falls into."""

    def before(self, offset: int) -> int:
        """Plan the size before a place to cut, perhaps without the blanks that stand there."""

    def floors(self, offsets: Sequence[int]) -> list[int]:
        """Give ``floor`` of many offsets."""

    def befores(self, offsets: Sequence[int]) -> list[int]:
        """Give ``before`` of many offsets."""

    def reach(self, start: int, size: float) -> int:
        """Find the last offset up to which the planned size from ``start`` is at most ``size``."""

    def exact(self, start: int, end: int) -> int:
        """Count a slice exactly."""


class Budget:
    """A limit on the slices of one source: tells what fits, counting where the plan is near."""

    __slots__ = ("_near", "_ruler", "_short", "limit")

    def __init__(self, ruler: SizeIndex, limit: float) -> None:
        self._ruler = ruler
        self.limit = limit
        self._near = limit + NEAR_ADDITIVE if ruler.additive else NEAR * limit + 8
        # by words, a link in a line without spaces is planned as large as that line
        self._short = 0 if ruler.additive else 2 * LONGEST_WORD

    def fits(self, start: int, end: int) -> bool:
        """Tell whether ``source[start:end]`` fits."""
        ruler = self._ruler
        size = ruler.ceil(end) - ruler.floor(start)
        if size <= self.limit:
            return True
        near = size <= self._near or end - start <= self._short
        return near and ruler.exact(start, end) <= self.limit

    def holds(self, start: int, end: int) -> bool:
        """Tell whether ``source[start:end]`` fits by counting it, whatever the plan says."""
        return self._ruler.exact(start, end) <= self.limit

    def reach(self, start: int) -> int:
        """Plan the last offset up to which a slice fits, or one a little before it."""
        return self._ruler.reach(start, self.limit)


class CharacterRuler:
    """Code points: a slice is as big as it is long."""

    additive = True

    def __init__(self, source: str) -> None:
        self._source = source

    def floor(self, offset: int) -> int:
        return offset

    def ceil(self, offset: int) -> int:
        return offset

    def before(self, offset: int) -> int:
        near = max(0, offset - TAIL)
        return near + len(self._source[near:offset].rstrip())

    def floors(self, offsets: Sequence[int]) -> list[int]:
        return list(offsets)

    def befores(self, offsets: Sequence[int]) -> list[int]:
        return list(map(self.before, offsets))

    def reach(self, start: int, size: float) -> int:
        return min(len(self._source), start + int(size))

    def exact(self, start: int, end: int) -> int:
        return end - start


class PrefixSums:
    """Any counter: what stands between marks is counted once, and slices are sums over that.

    Where an offset falls between marks, ``reached`` tells how far each token there reaches;
    without it words are counted. With ``additive`` the sums over marks are exact.
    """

    def __init__(
        self,
        source: str,
        count: Counter,
        marks: Sequence[int],
        *,
        additive: bool = False,
        reached: Reached | None = None,
        count_many: CountMany | None = None,
    ) -> None:
        self._source = source
        self._count = count
        self._count_many = count_many
        self._reached = reached
        self.additive = additive
        self._marks = sorted({0, *marks, len(source)})
        self._rough: list[int] = []
        texts = [source[start:end] for start, end in pairwise(self._marks)]
        self._sums = [0, *accumulate(self._lay(texts))]
        # the planned sizes before the places most asked for: marks, and where text before one ends
        self._at = dict(zip(self._marks, self._sums, strict=True))
        self._visible: list[int] = list(map(add, self._marks, map(len, map(str.rstrip, texts))))
        self._stops = dict(zip(self._visible, self._sums[1:], strict=True))
        self._without_dear_blanks()
        self._ends: dict[int, Sequence[int]] = {}
        self._parts: dict[int, tuple[list[int], list[int]]] = {}

    def _without_dear_blanks(self) -> None:
        """Plan the text before many blanks without them, since they may take more than it does."""
        edges = zip(self._visible, self._marks[1:], strict=True)
        for mark in [n for n, (stop, end) in enumerate(edges) if end - stop > FEW_BLANKS]:
            text = self._source[self._marks[mark] : self._visible[mark]]
            size = sum(map(self._count, windows(text)))
            self._stops[self._visible[mark]] = self._sums[mark] + size

    def _lay(self, texts: Sequence[str]) -> Iterator[int]:
        """Count each stretch between marks."""
        count = self._count if self._count_many is None else self._counted(texts)
        for start, text in zip(self._marks, texts, strict=False):
            if len(text) <= 2 * WINDOW:
                yield count(text)
                continue
            parts = list(windows(text))
            if len(parts) > 1:
                self._rough.append(start)
            yield sum(map(count, parts))

    def _counted(self, texts: Sequence[str]) -> Counter:
        """Return what gives the sizes of stretches' parts in order, many counted in a call."""
        parts = (
            part
            for text in texts
            for part in ((text,) if len(text) <= 2 * WINDOW else windows(text))
        )
        sizes = self._sizes(parts)
        return lambda _part: next(sizes)

    def _sizes(self, parts: Iterable[str]) -> Iterator[int]:
        if self._count_many is None:
            yield from map(self._count, parts)
            return
        for batch in _batches(parts):
            yield from self._count_many(batch)

    def floor(self, offset: int) -> int:
        size = self._at.get(offset)
        return self._inner(offset, 0) if size is None else size

    def ceil(self, offset: int) -> int:
        size = self._stops.get(offset)
        if size is None:
            size = self._at.get(offset)
        return self._inner(offset, 1) if size is None else size

    def before(self, offset: int) -> int:
        size = self._at.get(offset)
        return self.ceil(offset) if size is None else size

    def floors(self, offsets: Sequence[int]) -> list[int]:
        at, inner = self._at, self._inner
        return [at[offset] if offset in at else inner(offset, 0) for offset in offsets]

    def befores(self, offsets: Sequence[int]) -> list[int]:
        at, ceil = self._at, self.ceil
        return [at[offset] if offset in at else ceil(offset) for offset in offsets]

    def _inner(self, offset: int, up: int) -> int:
        """Plan the size before an offset between marks."""
        mark = bisect_right(self._marks, offset) - 1
        start = self._marks[mark]
        total = self._sums[mark + 1] - self._sums[mark]
        if up and offset >= self._visible[mark]:
            return self._sums[mark + 1]
        if self._reached is None:
            return self._sums[mark] + min(self._words_before(mark, offset - start, up), total)
        ends = self._ends_of(mark)
        before = bisect_right(ends, offset - start)
        inside = up and (before == 0 or ends[before - 1] != offset - start)
        return self._sums[mark] + min(before + inside, total)

    def _ends_of(self, mark: int) -> Sequence[int]:
        ends = self._ends.get(mark)
        if ends is None:
            assert self._reached is not None
            reached: list[int] = []
            for part in windows(self._source[self._marks[mark] : self._marks[mark + 1]]):
                base = reached[-1] if reached else 0
                reached += [base + end for end in self._reached(part)]
            self._ends[mark] = ends = reached
        return ends

    def _words_before(self, mark: int, place: int, up: int) -> int:
        """Plan the size before a place in a stretch by a counter that tells of no tokens."""
        places, sums = self._parts_of(mark)
        part = min(bisect_right(places, place), len(places) - 1) - 1
        width, size = places[part + 1] - places[part], sums[part + 1] - sums[part]
        return sums[part] + ((place - places[part]) * size + (width - 1) * up) // width

    def _words_within(self, mark: int, size: int, all_of_it: int) -> int:
        """Plan how far into a stretch a size reaches by a counter that tells of no tokens."""
        places, sums = self._parts_of(mark)
        part = bisect_right(sums, size) - 1
        if part + 1 >= len(places):
            return all_of_it
        width, more = places[part + 1] - places[part], sums[part + 1] - sums[part]
        return places[part] + (size - sums[part]) * width // more

    def _parts_of(self, mark: int) -> tuple[list[int], list[int]]:
        """Give the places between the parts of a stretch, and the size before each."""
        if mark not in self._parts:
            text = self._source[self._marks[mark] : self._marks[mark + 1]]
            places, sums = [0], [0]
            words = list(WORD.finditer(text))
            sizes = self._sizes(word[0] for word in words)
            for word, size in zip(words, sizes, strict=True):
                sums.append(sums[-1] + size)
                places.append(word.end())
            self._parts[mark] = places, sums
        return self._parts[mark]

    def reach(self, start: int, size: float) -> int:
        goal = self.floor(start) + int(size)
        mark = bisect_right(self._sums, goal) - 1
        if mark + 1 >= len(self._marks):
            return len(self._source)
        begin, end = self._marks[mark : mark + 2]
        left = goal - self._sums[mark]
        if self._reached is None:
            return begin + self._words_within(mark, left, end - begin)
        ends = self._ends_of(mark)
        if left >= len(ends):
            return end
        # a code point of several tokens is passed only with its last
        passed = bisect_left(ends, ends[left])
        return begin + (ends[passed - 1] if passed else 0)

    def exact(self, start: int, end: int) -> int:
        marks = self._marks
        first, last = bisect_left(marks, start), bisect_left(marks, end) - 1
        if not self.additive or first > last or self._is_rough(start, end):
            return self._count(self._source[start:end])
        size = self._sums[last] - self._sums[first] + self._tail(last, end)
        if start < marks[first]:
            size += self._count(self._source[start : marks[first]])
        return size

    def _tail(self, mark: int, end: int) -> int:
        """Count from a mark to an offset in its stretch; all of it by the end of its last line."""
        source, start = self._source, self._marks[mark]
        if end != self._visible[mark]:
            return self._count(source[start:end])
        line = max(start, source.rfind("\n", start, end) + 1)
        near, following = self._last_words(line, end), self._marks[mark + 1]
        if near == start or (near == line and source[line] in UNSAFE):
            return self._count(source[start:end])
        blanks = self._count(source[near:following]) - self._count(source[near:end])
        return self._sums[mark + 1] - self._sums[mark] - blanks

    def _last_words(self, line: int, end: int) -> int:
        """Find a place in a line where a new piece begins: a space after a letter or digit.

        The patterns of additive encodings take no space into a piece that has begun with either.
        """
        near, tries = end, 4
        while (near := self._source.rfind(" ", line + 1, near)) >= 0 and tries:
            if self._source[near - 1] in LETTERS:
                return near
            tries -= 1
        return line

    def _is_rough(self, start: int, end: int) -> bool:
        if not self._rough:
            return False
        stretch = self._marks[bisect_right(self._marks, start) - 1]
        nearest = bisect_left(self._rough, stretch)
        return nearest < len(self._rough) and self._rough[nearest] < end


class ElidedSums:
    """A ruler along the source as it reads with its base64 data shortened."""

    additive = False

    def __init__(
        self,
        source: str,
        marks: Sequence[int],
        count: Counter,
        lay: Callable[[str, Sequence[int]], SizeIndex],
    ) -> None:
        self._source = source
        self._count = count
        # where the data stands in the source, and how much of it is gone before each place
        found = list(DATA_URI.finditer(source))
        self._starts = [match.end(1) for match in found]
        self._ends = [match.end() for match in found]
        self._gone = [0]
        for start, end in zip(self._starts, self._ends, strict=True):
            self._gone.append(self._gone[-1] + end - start - 1)
        self._inner = lay(elide(source), [self._to(mark) for mark in marks])

    def _to(self, offset: int) -> int:
        passed = bisect_right(self._starts, offset)
        if passed and offset < self._ends[passed - 1]:
            return self._starts[passed - 1] - self._gone[passed - 1]
        return offset - self._gone[passed]

    def floor(self, offset: int) -> int:
        return self._inner.floor(self._to(offset))

    def ceil(self, offset: int) -> int:
        return self._inner.ceil(self._to(offset))

    def before(self, offset: int) -> int:
        return self._inner.before(self._to(offset))

    def floors(self, offsets: Sequence[int]) -> list[int]:
        return self._inner.floors(list(map(self._to, offsets)))

    def befores(self, offsets: Sequence[int]) -> list[int]:
        return self._inner.befores(list(map(self._to, offsets)))

    def reach(self, start: int, size: float) -> int:
        goal = self._inner.reach(self._to(start), size)
        low, high = start, len(self._source)
        while low < high:
            middle = (low + high + 1) // 2
            if self._to(middle) <= goal:
                low = middle
            else:
                high = middle - 1
        return low

    def exact(self, start: int, end: int) -> int:
        return self._count(elide(self._source[start:end]))


def windows(text: str) -> Iterator[str]:
    """Part a text so that no run without a break is long; a text without such runs stays whole."""
    start = 0
    for window in range(0, len(text) - WINDOW, WINDOW):
        part = text[window : window + WINDOW]
        if part.isspace() or len(part.split(None, 1)[0]) == WINDOW:
            if window > start:
                yield text[start:window]
            yield part
            start = window + WINDOW
    yield text[start:]


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Gather texts until they are as long as one call may take."""
    batch: list[str] = []
    length = 0
    for text in texts:
        batch.append(text)
        length += len(text)
        if length >= BATCH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch
