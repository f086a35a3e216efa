"""Where a leaf that may not fit can be cut: at rows, at lines, at gaps, at what HTML is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from markdown_it.token import Token

from mdchunk.structure import cues

Place = tuple[int, float, str]
"""A boundary as a plain tuple, which takes half the time to make."""


class LeafCutter:
    """Finds the places inside the leaves of one document."""

    __slots__ = ("_gap", "_line", "_source", "_starts", "_worths")

    def __init__(self, source: str, starts: Sequence[int], worths: Mapping[str, float]) -> None:
        self._source = source
        self._starts = starts
        self._worths = worths
        self._line = worths["line"], "line"
        self._gap = worths["code_gap"], "code_gap"

    def leaf(self, token: Token, inside: str, first: int, last: int) -> Iterable[Place]:
        """Return the places of a leaf, by what its rule says of its inside."""
        if inside == "code":
            return self._code(token, first, last)
        if inside == "rows":
            return self._rows(first, last)
        if inside == "html":
            return self._html(first, last)
        return self.lines(first + 1, last)

    def lines(self, first: int, last: int) -> Iterator[Place]:
        """Return a place at each line that is not blank."""
        return self._lines(first, last, self._line)

    def _code(self, token: Token, first: int, last: int) -> Iterator[Place]:
        fenced, content = bool(token.markup), token.content
        # without a line end the last line is code: no fence closes it
        whole = not content or content.endswith("\n")
        closed = fenced and whole and content.count("\n") + 2 == last - first + 1
        # neither fence may stand alone, so the first line of code stays with the opening one
        return self._lines(first + 1 + fenced, last - closed, self._gap)

    def _rows(self, first: int, last: int) -> Iterator[Place]:
        starts = self._starts
        if last > first + 1:
            # header and delimiter row may go without a row only if they have to
            yield from ((start, *self._line) for start in starts[first + 2 : first + 3])
        worth = self._worths["table_row"]
        yield from ((start, worth, "table_row") for start in starts[first + 3 : last + 1])

    def _html(self, first: int, last: int) -> Iterable[Place]:
        """Return a place at each line, but at each row and item instead of its line's."""
        lines = self._lines(first + 1, last, self._gap)
        start, worth = self._starts[first], self._worths["html"]
        parts = set(cues.parts(self._source, start, self._starts[last + 1]))
        if not parts:
            return lines
        others = (place for place in lines if place[0] not in parts)
        return sorted([*others, *((part, worth, "html") for part in parts)])

    def _lines(self, first: int, last: int, gap: tuple[float, str]) -> Iterator[Place]:
        """Return a place at each line that is not blank; ``gap`` is its worth after a blank one."""
        source, plain = self._source, self._line
        following = plain
        for start, end in pairwise(self._starts[first : last + 2]):
            if source[start:end].strip().strip(" \t>"):
                yield (start, *following)
                following = plain
            else:
                following = gap
