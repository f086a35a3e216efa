"""What lets a slice be read alone: headings, a table's header, fence lines, definitions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from mdchunk.cutting.sections import Sections
from mdchunk.lines import Lines
from mdchunk.model import Definition, Structure
from mdchunk.sizing.stretches import Counter

QUOTE = re.compile(r"[ \t]*>[ \t>]*")
MARKER = re.compile(r"[^ \t>]")
REFERENCE = re.compile(r"\\.|\[((?:[^\[\]\\]|\\.){1,999})\](?!\()", re.DOTALL)
"""An escape, which opens nothing, or what may be a use of a definition: its label is group 1."""
NEAR = 2
"""Uses of one label within so many code points a unit of the limit are likely in one chunk."""


class Fence(NamedTuple):
    """A fenced block: its opening line, that line without its info string, and a closing line."""

    start: int
    end: int
    opening: str
    bare: str
    closing: str


class AddedContext(NamedTuple):
    """What is put before and after a slice."""

    prefix: str = ""
    suffix: str = ""


NO_CONTEXT = AddedContext()


class Context:
    """The frames of one document's chunks; a frame takes at most half of the limit."""

    def __init__(
        self,
        source: str,
        lines: Lines,
        structure: Structure,
        *,
        full: bool,
        limit: int,
        count: Counter,
        counted: bool = True,
    ) -> None:
        self.source = source
        self.lines = lines
        self.sections = Sections(structure)
        self.limit = limit
        self.half = limit / 2
        self.most = limit if counted else inf
        self.count = count
        self.sizes: dict[str, int] = {"": 0}
        # what may be long is written once, and not for each place that it is asked for
        self.paths: dict[int, str] = {}
        self.weights: dict[Definition, int] = {}
        self.fences = list(self._fences(structure)) if full else []
        self.outer = _outer(self.fences)
        self.tables = structure.tables if full else ()
        self.definitions: dict[str, Definition] = {}
        for definition in structure.definitions if full else ():
            self.definitions.setdefault(_normal(definition.label), definition)
        self.uses, self.used = self._uses() if self.definitions else ([], [0])

    def size(self, text: str) -> int:
        """Count a piece of context, once for each text."""
        if text not in self.sizes:
            self.sizes[text] = self.count(text)
        return self.sizes[text]

    def extra(self, offset: int) -> float:
        """Plan the size of the frame of a chunk that starts at an offset."""
        return self._prefix(offset, offset, self._inside(offset), 0)[1]

    def frame(self, start: int, own: int, end: int) -> AddedContext:
        """Give the frame of ``source[start:end]``, whose own text starts at ``own``."""
        inside = self._inside(start)
        closed = self._inside(end)
        opened = sum(self.size(fence.closing) for fence in closed if fence not in inside)
        if opened > self.half:
            # the slice ends in the marks of a fence that are longer than half of it
            closed, opened = [], 0
        own = self.sections.start(own, end)
        prefix, _ = self._prefix(start, own, inside, opened)
        reopened = not inside or inside[-1].bare.rstrip() in prefix
        suffix = "".join(f.closing for f in reversed(closed) if reopened or f not in inside)
        used = self.size(prefix) + self.size(suffix)
        if self.definitions:
            text = self.source[start:end]
            room = min(self.half - used, self.most - used - self.count(text))
            suffix += self._defined(text, start, end, room)
        return AddedContext(prefix, suffix)

    def _prefix(self, start: int, own: int, inside: list[Fence], taken: int) -> tuple[str, int]:
        """Give what stands before a slice, and its size with that of the marks that close fences.

        ``taken`` is the size of the marks for the fences that the slice itself opens.
        """
        opening, size = self._opening(start, inside, taken)
        headings = self._headings(start, own)
        if headings and size + self.size(headings) <= self.half:
            return headings + opening, size + self.size(headings)
        return opening, size

    def _opening(self, start: int, inside: list[Fence], taken: int) -> tuple[str, int]:
        """Give what opens the block that a slice starts in, as much of it as there is room for."""
        # a slice that starts within a line of a quote lacks that line's mark
        line = self.lines.starts[self.lines.of(start)]
        lead = QUOTE.match(self.source, line, start) if inside and line < start else None
        mark = lead[0] if lead else ""
        choices = (
            "".join(fence.opening for fence in inside) or self._table_header(start),
            "".join(fence.bare for fence in inside),
        )
        closing = taken + sum(self.size(fence.closing) for fence in inside)
        for choice in choices:
            size = self.size(choice + mark) + closing
            if choice and size <= self.half:
                return choice + mark, size
        return "", taken

    def _headings(self, start: int, own: int) -> str:
        sections = self.sections
        section = sections.at(own)
        while section >= 0 and sections.headings[section].offset >= start:
            section = sections.parents[section]
        if section not in self.paths:
            self.paths[section] = self._path(section)
        return self.paths[section]

    def _path(self, section: int) -> str:
        headings = map(self.sections.headings.__getitem__, self.sections.path(section))
        lines = [f"{'#' * heading.level} {heading.text}\n" for heading in headings if heading.text]
        return "".join([*lines, "\n"]) if lines else ""

    def _fences(self, structure: Structure) -> Iterator[Fence]:
        for start, end, marks, closed in structure.fences:
            line = self.lines.text(self.lines.of(start))
            lead = line[: line.index(marks)]
            # a slice that ends with a fence that nothing closes is still inside of it
            past = end + (not closed)
            closing = f"\n{MARKER.sub(' ', lead)}{marks}"
            yield Fence(start, past, f"{line.rstrip()}\n", f"{lead}{marks}\n", closing)

    def _inside(self, offset: int) -> list[Fence]:
        """List the fences that an offset is strictly inside of, outermost first.

        Blocks nest, so they are among the last that starts before it and those round that one.
        """
        found: list[Fence] = []
        index = bisect_right(self.fences, (offset,)) - 1
        while index >= 0:
            if offset < self.fences[index].end:
                found.append(self.fences[index])
            index = self.outer[index]
        return found[::-1]

    def _table_header(self, offset: int) -> str:
        index = bisect_right(self.tables, (offset,)) - 1
        inside = index >= 0 and self.tables[index].start < offset < self.tables[index].end
        return self.tables[index].header if inside else ""

    def _uses(self) -> tuple[list[int], list[int]]:
        """Find where definitions are used, and sum their sizes up to each place.

        A use soon after another of the same label brings nothing new.
        """
        offsets: list[int] = []
        sums = [0]
        last: dict[str, int] = {}
        for offset, label in _labels(self.source):
            block = self.definitions.get(label)
            if block is None or offset - last.get(label, -NEAR * self.limit) < NEAR * self.limit:
                continue
            last[label] = offset
            offsets.append(offset)
            sums.append(sums[-1] + self._weigh(block))
        return offsets, sums

    def _weigh(self, block: Definition) -> int:
        """Count a definition on a line of its own."""
        if block not in self.weights:
            self.weights[block] = self.count("\n" + self.source[block.start : block.end])
        return self.weights[block]

    def weight(self, offset: int) -> float:
        """Plan the size of the definitions that are used before an offset."""
        return self.used[bisect_right(self.uses, offset)]

    def _defined(self, text: str, start: int, end: int, room: float) -> str:
        """Give the definitions that a text uses and lacks, as far as there is room."""
        found: dict[Definition, str] = {}
        for _, label in _labels(text):
            block = self.definitions.get(label)
            if block is None or block in found or start <= block.start < end:
                continue
            if self._weigh(block) > room:
                continue
            addition = ("" if found else "\n") + "\n" + self.source[block.start : block.end]
            if (size := self.size(addition)) <= room:
                found[block] = addition
                room -= size
        return "".join(found.values())


def _labels(text: str) -> Iterator[tuple[int, str]]:
    """Find what may be uses of definitions: where each begins, and its label."""
    for match in REFERENCE.finditer(text):
        if match[1] is not None:
            yield match.start(), _normal(match[1])


def _normal(label: str) -> str:
    """Fold a label as CommonMark matches it (section 4.7): case and white space do not count."""
    return " ".join(label.split()).casefold()


def _outer(fences: Sequence[Fence]) -> list[int]:
    """Find for each fence the nearest one round it, else -1."""
    found: list[int] = []
    for index, (start, *_) in enumerate(fences):
        outer = index - 1
        while outer >= 0 and fences[outer][1] <= start:
            outer = found[outer]
        found.append(outer)
    return found
