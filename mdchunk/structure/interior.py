"""Where a leaf that may not fit can be cut: at rows, at lines, at gaps, at what HTML is made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from markdown_it.token import Token

from mdchunk.structure import cues, html_tables
from mdchunk.structure.compiled_rules import DEEPEST
from mdchunk.structure.html_tables import HtmlTable

ROW = re.compile(r"[ \t>]*<tr\b", re.IGNORECASE)
COMMENT = re.compile(r"[ \t>]*(?:#(?![A-Za-z])|//|--(?!-)|;;|/\*|\*[ /\r\n])")
"""A line of code that is a comment."""
Place = tuple[int, float, str]
"""A boundary as a plain tuple, which takes half the time to make."""


class LeafCutter:
    """Finds the places inside the leaves of one document."""

    __slots__ = ("_depths", "_gap", "_line", "_source", "_starts", "_worths")

    def __init__(
        self,
        source: str,
        starts: Sequence[int],
        worths: Mapping[str, float],
        depths: Sequence[float],
    ) -> None:
        self._source = source
        self._starts = starts
        self._worths = worths
        self._line = worths["line"], "line"
        self._gap = worths["code_gap"], "code_gap"
        self._depths = depths  # what a gap in code is worth, by how deep it lies

    def leaf(self, token: Token, inside: str, first: int, last: int) -> Iterable[Place]:
        """Return the places of a leaf, by what its rule says of its inside."""
        if inside == "code":
            return self._code(token, first, last)
        if inside == "rows":
            return self._rows(token, first, last)
        if inside == "html":
            return self._html(first, last)
        return self.lines(first + 1, last)

    def lines(self, first: int, last: int) -> Iterator[Place]:
        """Return a place at each line that is not blank."""
        return self._lines(first, last, self._line)

    def _code(self, token: Token, first: int, last: int) -> Iterable[Place]:
        fenced, content = bool(token.markup), token.content
        # without a line end the last line is code: no fence closes it
        whole = not content or content.endswith("\n")
        closed = fenced and whole and content.count("\n") + 2 == last - first + 1
        # neither fence may stand alone, so the first line of code stays with the opening one
        lines = [*self._lines(first + 1 + fenced, last - closed, self._gap)]
        if all(kind == "line" for _, _, kind in lines):
            return lines
        return self._by_indent(self._starts[first + fenced], lines)

    def _by_indent(self, begin: int, lines: Sequence[Place]) -> Iterator[Place]:
        """Return the lines of code, a gap worth the more the less the line behind is indented."""
        indents = dict(self._gaps(begin, lines))
        widths = sorted({*indents.values()})
        worths = {width: self._depths[min(at, DEEPEST)] for at, width in enumerate(widths, 1)}
        for line in lines:
            width = indents.get(line[0])
            if width is None:
                yield (line[0], *self._line)
            else:
                yield (line[0], worths[width], "code_gap")

    def _gaps(self, begin: int, lines: Sequence[Place]) -> Iterator[tuple[int, int]]:
        """Return the lines behind gaps, each with its indentation.

        Behind comments alone there is no gap, since they go with what follows, nor is there one
        before a closing bracket.
        """
        source = self._source
        comments = COMMENT.match(source, begin)
        for offset, _, kind in lines:
            if kind == "code_gap":
                text = cues.text_start(source, offset, len(source))
                if not comments and source[text] not in ")]}":
                    yield offset, len(source[offset:text].expandtabs(4))
                comments = COMMENT.match(source, offset)
            elif comments:
                comments = COMMENT.match(source, offset)

    def _rows(self, token: Token, first: int, last: int) -> Iterator[Place]:
        """Return a place at each row; a token says where its rows are if they are no lines."""
        rows = token.meta.get("rows", range(first + 2, last + 1))
        if not rows:
            return
        worth = self._worths["table_row"]
        # header and delimiter row may go without a row only if they have to, a border below never
        stop = last if last in rows else last - 1
        begins = {self._starts[row] for row in rows[1:]}
        for place in self._lines(rows[0], stop, self._line):
            yield (place[0], worth, "table_row") if place[0] in begins else place

    def _html(self, first: int, last: int) -> Iterable[Place]:
        """Return a place at each line, but at each row and item instead of its line's."""
        source, start, end = self._source, self._starts[first], self._starts[last + 1]
        part = self._worths["html"], "html"
        lines = self._lines(first + 1, last, self._gap)
        places = {offset: (worth, kind) for offset, worth, kind in lines}
        places |= dict.fromkeys(cues.parts(source, start, end), part)
        found = list(html_tables.tables(source, start, end))
        for table in found:
            if table.outset > source.find("<", start):
                places[html_tables.part_start(source, table.outset)] = part
            self._lower(table, places)
        offsets = sorted(places)
        for table in found:
            self._hold(table, places, offsets)
        return [(offset, *places[offset]) for offset in offsets if offset in places]

    def _lower(self, table: HtmlTable, places: dict[int, tuple[float, str]]) -> None:
        """Let the items in a table's cells be worth less than its rows."""
        for offset in cues.parts(self._source, table.start, table.end):
            row = ROW.match(self._source, offset)
            if not row and places.get(offset, self._line)[1] == "html":
                places[offset] = self._worths["table_row"], "html"

    def _hold(
        self, table: HtmlTable, places: dict[int, tuple[float, str]], offsets: Sequence[int]
    ) -> None:
        """Keep a table's head with its first row, and a table in a cell together, where they fit.

        Its opening tags may not stand alone.
        """
        outset, cell, body = (
            html_tables.part_start(self._source, at)
            for at in (table.outset, table.cell, table.body)
        )
        for start, end in ((outset, body), *table.nested):
            for offset in offsets[bisect_right(offsets, start) : bisect_right(offsets, end)]:
                if offset <= cell:
                    places.pop(offset, None)
                else:
                    places[offset] = self._line

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
