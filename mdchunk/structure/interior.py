"""Where a leaf that may not fit can be cut: at rows, at lines, at gaps, at what HTML is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from markdown_it.token import Token

from mdchunk.structure import cues


class Insides:
    """The places inside the leaves of one document, in source order, as plain tuples."""

    def __init__(self, source: str, starts: Sequence[int], worths: Mapping[str, float]) -> None:
        self.source = source
        self.starts = starts
        self.worths = worths
        self.places: list[tuple[int, float, str]] = []

    def leaf(self, token: Token, inside: str, first: int, last: int) -> None:
        """Set the places of a leaf, by what its rule says of its inside."""
        if inside == "code":
            fenced, content = bool(token.markup), token.content
            # without a line end the last line is code: no fence closes it
            whole = not content or content.endswith("\n")
            closed = fenced and whole and content.count("\n") + 2 == last - first + 1
            # neither fence may stand alone, so the first line of code stays with the opening one
            self.lines(first + 1 + fenced, last - closed, "code_gap")
        elif inside == "rows":
            if last > first + 1:
                # header and delimiter row may go without a row only if they have to
                self._add(self.starts[first + 2 : first + 3], "line")
            self._add(self.starts[first + 3 : last + 1], "table_row")
        elif inside == "html":
            self.lines(first + 1, last, "code_gap")
            self._parts(first, last)
        else:
            self.lines(first + 1, last)

    def lines(self, first: int, last: int, gap: str = "line") -> None:
        """Set a place at each line that is not blank; ``gap`` is its kind after a blank one."""
        source, places = self.source, self.places
        plain, after_gap = (self.worths["line"], "line"), (self.worths[gap], gap)
        following = plain
        for start, end in pairwise(self.starts[first : last + 2]):
            if source[start:end].strip().strip(" \t>"):
                places.append((start, *following))
                following = plain
            else:
                following = after_gap

    def _parts(self, first: int, last: int) -> None:
        """Set a place at each row and item of an HTML block, instead of its line's."""
        start, worth = self.starts[first], self.worths["html"]
        found = set(cues.parts(self.source, start, self.starts[last + 1]))
        if found:
            own = len(self.places)
            while own and self.places[own - 1][0] >= start:
                own -= 1
            lines = [place for place in self.places[own:] if place[0] not in found]
            self.places[own:] = sorted([*lines, *((part, worth, "html") for part in found)])

    def _add(self, starts: Iterable[int], kind: str) -> None:
        worth = self.worths[kind]
        self.places += [(start, worth, kind) for start in starts]
