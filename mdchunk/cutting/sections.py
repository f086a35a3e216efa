"""The heading path at any place of a document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise

from mdchunk.model import Structure


class Sections:
    """The sections of one document: which holds an offset, and in which others that one is.

    A section goes on to the next heading, or to the end of the container that its heading is in:
    behind that the section from before the container goes on.
    """

    __slots__ = ("_boundaries", "_changes", "_offsets", "_tails", "_titles", "headings", "parents")

    def __init__(self, structure: Structure) -> None:
        self.headings = structure.headings
        self.parents: list[int] = []
        self._titles: dict[int, tuple[str, ...]] = {-1: ()}
        self._tails = {tail.start: tail.end for tail in structure.tails}
        self._boundaries = structure.boundaries
        starts = [(heading.offset, index) for index, heading in enumerate(structure.headings)]
        if structure.section_ends:
            # at one offset, what ends does so before anything begins
            starts = sorted([*starts, *structure.section_ends], key=lambda change: change[0])
        self._offsets = [offset for offset, _ in starts]
        self._changes = [index for _, index in starts]
        self._find_parents()

    def _find_parents(self) -> None:
        current = -1
        for index in self._changes:
            if index == len(self.parents):
                level, parent = self.headings[index].level, current
                while parent >= 0 and self.headings[parent].level >= level:
                    parent = self.parents[parent]
                self.parents.append(parent)
            current = index

    def at(self, offset: int) -> int:
        """Return the heading whose section an offset is in; it opens its own. -1 is before all."""
        change = bisect_right(self._offsets, offset) - 1
        return self._changes[change] if change >= 0 else -1

    def pieces(self, length: int) -> Iterator[tuple[int, int, int]]:
        """Return the stretches of one section each: start, end, and its heading, or -1.

        What stands before all headings is none of them.
        """
        edges = pairwise([*self._offsets, length])
        for (start, end), index in zip(edges, self._changes, strict=True):
            yield start, end, index

    def path(self, index: int) -> list[int]:
        """Return a section and those it is in, outermost first."""
        found = []
        while index >= 0:
            found.append(index)
            index = self.parents[index]
        return found[::-1]

    def titles(self, offset: int) -> tuple[str, ...]:
        """Return the titles of the sections that hold an offset, outermost first."""
        section = self.at(offset)
        if section not in self._titles:
            path = (self.headings[index].text for index in self.path(section))
            self._titles[section] = tuple(title for title in path if title)
        return self._titles[section]

    def start(self, offset: int, end: int) -> int:
        """Return where the text of a chunk begins, behind closing tags and rules at its start."""
        first = offset
        while offset in self._tails:
            following = bisect_left(self._boundaries, (self._tails[offset],))
            if following == len(self._boundaries) or self._boundaries[following].offset >= end:
                return first  # there is nothing else
            offset = self._boundaries[following].offset
        return offset


def root_title(metadata: Mapping[str, object], structure: Structure, given: str) -> str:
    """Return the title of a document whose headings do not say it, else "".

    Front matter tells it, else who asks does.
    """
    said = metadata.get("title")
    title = str(said).strip() if isinstance(said, (str, int, float)) else ""
    title = title or given.strip()
    headings = structure.headings
    tops = [heading for heading in headings if heading.level == 1]
    if len(tops) == 1 and tops[0] is headings[0]:
        return ""
    known = {heading.text.casefold() for heading in headings}
    return "" if title.casefold() in known else title
