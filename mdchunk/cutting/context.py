"""What lets a slice be read alone: which of headings, fences, headers, definitions it repeats."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import NamedTuple

from mdchunk.cutting.repeatable import FenceLines, Repeatable
from mdchunk.cutting.sections import Sections
from mdchunk.model import Definition
from mdchunk.sizing.stretches import Counter

NEAR = 2
"""Uses of one label within so many code points a unit of the limit are likely in one chunk."""


class AddedContext(NamedTuple):
    """What is put before and after a slice."""

    prefix: str = ""
    suffix: str = ""


NO_CONTEXT = AddedContext()


class DefinitionUses(NamedTuple):
    """Where definitions are used, and the sizes of those that are used up to each place."""

    offsets: Sequence[int] = ()
    sums: Sequence[int] = (0,)

    def weight(self, offset: int) -> int:
        """Plan the size of the definitions that are used before an offset."""
        return self.sums[bisect_right(self.offsets, offset)]


class HeadingPaths:
    """The lines that say in which sections a slice is, written once for each section."""

    __slots__ = ("_found", "sections")

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        self._found: dict[int, str] = {}

    def before(self, start: int, own: int) -> str:
        """Return the headings of the section of ``own`` that stand before ``start``."""
        sections = self.sections
        section = sections.at(own)
        while section >= 0 and sections.headings[section].offset >= start:
            section = sections.parents[section]
        if section not in self._found:
            self._found[section] = self._path(section)
        return self._found[section]

    def _path(self, section: int) -> str:
        headings = map(self.sections.headings.__getitem__, self.sections.path(section))
        lines = [f"{'#' * heading.level} {heading.text}\n" for heading in headings if heading.text]
        return "".join([*lines, "\n"]) if lines else ""


class Context:
    """Chooses what each chunk of one document repeats: at most half of the limit.

    With ``counted`` a chunk and its context are to fit into the limit together.
    """

    __slots__ = ("_count", "_half", "_paths", "_repeatable", "_weigh", "most", "size", "uses")

    def __init__(
        self,
        repeatable: Repeatable,
        sections: Sections,
        *,
        limit: int,
        count: Counter,
        counted: bool = True,
    ) -> None:
        self._repeatable = repeatable
        self._paths = HeadingPaths(sections)
        self._half = limit / 2
        self.most = limit if counted else inf
        self._count = count
        # each text is counted once
        self.size: Counter = cache(lambda text: count(text) if text else 0)
        self._weigh: Callable[[Definition], int] = cache(
            lambda definition: count("\n" + repeatable.text(definition))
        )
        self.uses = self._uses(NEAR * limit) if repeatable.definitions else DefinitionUses()

    def extra(self, offset: int) -> float:
        """Plan the size of the context of a chunk that starts at an offset."""
        return self._prefix(offset, offset, self._repeatable.fences_around(offset), 0)[1]

    def added(self, start: int, own: int, end: int) -> AddedContext:
        """Return the context of ``source[start:end]``, whose own text starts at ``own``."""
        inside = self._repeatable.fences_around(start)
        closed = self._repeatable.fences_around(end)
        opened = sum(self.size(fence.closing) for fence in closed if fence not in inside)
        if opened > self._half:
            # the slice ends in the marks of a fence that are longer than half of it
            closed, opened = [], 0
        own = self._paths.sections.start(own, end)
        prefix, _ = self._prefix(start, own, inside, opened)
        reopened = not inside or inside[-1].bare.rstrip() in prefix
        suffix = "".join(f.closing for f in reversed(closed) if reopened or f not in inside)
        if self._repeatable.definitions:
            used = self.size(prefix) + self.size(suffix)
            text = self._repeatable.source[start:end]
            left = min(self._half - used, self.most - used - self._count(text))
            suffix += self._defined(text, start, end, left)
        return AddedContext(prefix, suffix)

    def _prefix(
        self, start: int, own: int, inside: list[FenceLines], taken: int
    ) -> tuple[str, int]:
        """Return what stands before a slice, and its size with that of what closes its fences.

        ``taken`` is the size of the marks for the fences that the slice itself opens.
        """
        opening, size = self._opening(start, inside, taken)
        headings = self._paths.before(start, own)
        if headings and size + self.size(headings) <= self._half:
            return headings + opening, size + self.size(headings)
        return opening, size

    def _opening(self, start: int, inside: list[FenceLines], taken: int) -> tuple[str, int]:
        """Return what opens the block that a slice starts in, as much of it as fits."""
        mark = self._repeatable.quote_mark(start) if inside else ""
        choices = (
            "".join(fence.opening for fence in inside) or self._repeatable.table_header(start),
            "".join(fence.bare for fence in inside),
        )
        closing = taken + sum(self.size(fence.closing) for fence in inside)
        for choice in choices:
            size = self.size(choice + mark) + closing
            if choice and size <= self._half:
                return choice + mark, size
        return "", taken

    def _uses(self, near: int) -> DefinitionUses:
        """Find where definitions are used, and sum their sizes up to each place.

        A use soon after another of the same definition brings nothing new.
        """
        offsets: list[int] = []
        sums = [0]
        last: dict[Definition, int] = {}
        for offset, definition in self._repeatable.uses(self._repeatable.source):
            if offset - last.get(definition, -near) < near:
                continue
            last[definition] = offset
            offsets.append(offset)
            sums.append(sums[-1] + self._weigh(definition))
        return DefinitionUses(offsets, sums)

    def _defined(self, text: str, start: int, end: int, left: float) -> str:
        """Return the definitions that a text uses and lacks, as far as they fit."""
        found: dict[Definition, str] = {}
        for _, definition in self._repeatable.uses(text):
            if definition in found or start <= definition.start < end:
                continue
            if self._weigh(definition) > left:
                continue
            addition = ("" if found else "\n") + "\n" + self._repeatable.text(definition)
            if (size := self.size(addition)) <= left:
                found[definition] = addition
                left -= size
        return "".join(found.values())
