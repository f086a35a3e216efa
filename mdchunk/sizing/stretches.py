"""How the size of a stretch of text is spread over it, where only the whole stretch was counted."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Protocol

Counter = Callable[[str], int]
CountMany = Callable[[Sequence[str]], Sequence[int]]
"""Counts many texts in one call."""
CountAll = Callable[[Iterable[str]], Iterator[int]]
"""Returns the sizes of texts, in order, as they are asked for."""
TokenEnds = Callable[[str], Sequence[int]]
"""Returns for each token of a text up to which code point it reaches."""

LONGEST_WORD = 64
WORD = re.compile(rf"\s*\S{{1,{LONGEST_WORD}}}\s*|\s+")
"""What is counted at a time where only a user's counter can tell."""
WINDOW = 256
"""Runs without a break are counted in slices of this many code points when planning: tiktoken
before 0.13 takes time by the square of a run's length, and all panic on a million blanks."""
BATCH = 200_000
"""Code points that are counted in one call: all at once would take memory by a source's length."""


class Spread(Protocol):
    """How the size of each stretch of a source is spread over it.

    ``at`` counts code points from the start of the stretch.
    """

    def before(self, stretch: int, at: int) -> int:
        """Return the planned size before a place, without the token that it falls into."""

    def through(self, stretch: int, at: int) -> int:
        """Return the planned size before a place, with the token that it falls into."""

    def furthest(self, stretch: int, size: int) -> int | None:
        """Return how many code points a size is enough for; None: for all of the stretch."""


class TokenSpread:
    """By tokens, each of which tells how far it reaches."""

    __slots__ = ("_edges", "_found", "_source", "_token_ends")

    def __init__(self, source: str, edges: Sequence[int], token_ends: TokenEnds) -> None:
        self._source = source
        self._edges = edges
        self._token_ends = token_ends
        self._found: dict[int, Sequence[int]] = {}

    def before(self, stretch: int, at: int) -> int:
        return bisect_right(self._ends(stretch), at)

    def through(self, stretch: int, at: int) -> int:
        ends = self._ends(stretch)
        passed = bisect_right(ends, at)
        return passed if passed and ends[passed - 1] == at else passed + 1

    def furthest(self, stretch: int, size: int) -> int | None:
        ends = self._ends(stretch)
        if size >= len(ends):
            return None
        # a code point of several tokens is passed only with its last
        passed = bisect_left(ends, ends[size])
        return ends[passed - 1] if passed else 0

    def _ends(self, stretch: int) -> Sequence[int]:
        """Return up to where each token of a stretch reaches, asked for once."""
        if stretch not in self._found:
            ends: list[int] = []
            for part in windows(self._source[self._edges[stretch] : self._edges[stretch + 1]]):
                base = ends[-1] if ends else 0
                ends += [base + end for end in self._token_ends(part)]
            self._found[stretch] = ends
        return self._found[stretch]


class WordSpread:
    """By words, each counted alone, for a counter that tells of no tokens."""

    __slots__ = ("_count_all", "_edges", "_found", "_source")

    def __init__(self, source: str, edges: Sequence[int], count_all: CountAll) -> None:
        self._source = source
        self._edges = edges
        self._count_all = count_all
        self._found: dict[int, tuple[list[int], list[int]]] = {}

    def before(self, stretch: int, at: int) -> int:
        base, size, past, width = self._word(stretch, at)
        return base + past * size // width

    def through(self, stretch: int, at: int) -> int:
        base, size, past, width = self._word(stretch, at)
        return base + (past * size + width - 1) // width

    def furthest(self, stretch: int, size: int) -> int | None:
        ends, sums = self._words(stretch)
        word = bisect_right(sums, size) - 1
        if word + 1 >= len(ends):
            return None
        width, more = ends[word + 1] - ends[word], sums[word + 1] - sums[word]
        return ends[word] + (size - sums[word]) * width // more

    def _word(self, stretch: int, at: int) -> tuple[int, int, int, int]:
        """Return the size before the word at a place, its size, how far in that is, its length."""
        ends, sums = self._words(stretch)
        word = min(bisect_right(ends, at), len(ends) - 1) - 1
        start = ends[word]
        return sums[word], sums[word + 1] - sums[word], at - start, ends[word + 1] - start

    def _words(self, stretch: int) -> tuple[list[int], list[int]]:
        """Return where the words of a stretch end, 0 first, and the size up to each."""
        if stretch not in self._found:
            text = self._source[self._edges[stretch] : self._edges[stretch + 1]]
            words = list(WORD.finditer(text))
            sizes = self._count_all(word[0] for word in words)
            ends = [0, *(word.end() for word in words)]
            self._found[stretch] = ends, [0, *accumulate(sizes)]
        return self._found[stretch]


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


def in_batches(count_many: CountMany) -> CountAll:
    """Return what counts texts many in a call."""

    def count_all(texts: Iterable[str]) -> Iterator[int]:
        batch: list[str] = []
        length = 0
        for text in texts:
            batch.append(text)
            length += len(text)
            if length >= BATCH:
                yield from count_many(batch)
                batch, length = [], 0
        if batch:
            yield from count_many(batch)

    return count_all
