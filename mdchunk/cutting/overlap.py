"""Where a chunk starts if it repeats the end of the one before: the overlaps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from mdchunk.cutting.candidates import Candidates, CutRules
from mdchunk.cutting.fallback import constructs, cuts, sentences, visible_end, visible_line, words
from mdchunk.cutting.merge import DraftChunk
from mdchunk.model import Structure
from mdchunk.sizing.known_sums import LETTERS
from mdchunk.sizing.prefix_sums import Budget, SizeIndex

TRIES = 4
"""How many starts are counted exactly before a chunk goes without overlap."""


class Sized(Protocol):
    """A source with its structure and measures."""

    @property
    def source(self) -> str: ...
    @property
    def structure(self) -> Structure: ...
    @property
    def size_index(self) -> SizeIndex: ...
    def size(self, start: int, own: int, end: int) -> int:
        """Count a slice exactly, with its context."""


class Overlaps:
    """Chooses the overlap of each chunk of one document, in order."""

    def __init__(
        self, subject: Sized, laid: Sequence[Candidates], terms: CutRules, overlap: int, limit: int
    ) -> None:
        self.subject = subject
        self.laid = laid
        self.firsts = [steps.offsets[0] for steps in laid]
        self.terms = terms
        self.overlap = overlap
        self.limit = limit
        self.headings = [heading.offset for heading in subject.structure.headings]

    def choose(self, piece: DraftChunk, before: tuple[int, int] | None) -> tuple[int, int]:
        """Give the start of a chunk and its exact size; the start is the piece's own if none fits.

        ``before`` is where the chunk before starts, and starts must rise, and where it ends.
        """
        if before and self.overlap:
            for start in islice(self._starts(piece.start, *before), TRIES):
                if self.subject.size_index.exact(start, before[1]) > self.overlap:
                    continue
                size = self.subject.size(start, piece.start, piece.end)
                if size <= self.limit:
                    return start, size
        return piece.start, 0

    def _starts(self, cut: int, before: int, ended: int) -> Iterator[int]:
        """Find the places to start at, best first: a boundary, else a sentence, else a word."""
        steps = self._steps(cut)
        section = bisect_right(self.headings, cut) - 1
        heading = self.headings[section] if section >= 0 else 0
        if steps is None or (section >= 0 and heading == cut):
            return
        low = max(before + 1, heading, steps.offsets[0])
        # between the two there may be more than white space: what is not worth a chunk
        end = min(ended, visible_end(self.subject.source, low, cut))
        first = bisect_left(steps.offsets, low)
        last = bisect_left(steps.offsets, end)
        places = [
            index
            for index in range(first, last)
            if self._size(steps.offsets[index], end) <= self.overlap
            and self._starts_something(steps.offsets[index], end)
        ]
        places.sort(key=lambda index: (-steps.scores[index], index))
        yield from (steps.offsets[index] for index in places)
        if not places and last:
            yield from self._inside(steps.offsets[last - 1], low, end, steps)

    def _starts_something(self, offset: int, end: int) -> bool:
        """Tell whether a place is one to start at: not amid a word that had to be cut, no blank."""
        source = self.subject.source
        before, here = source[offset - 1], source[offset]
        if before in "\r\n":
            return visible_line(source, offset, end) == offset
        inside = before in LETTERS and here in LETTERS
        return not inside and not here.isspace()

    def _inside(self, start: int, low: int, end: int, steps: Candidates) -> Iterator[int]:
        """Find the sentences, else the words of the prose before a cut."""
        source = self.subject.source
        if steps.shut.around(end) >= 0 or steps.shut.around(end - 1) >= 0 or self._in_leaf(end):
            return
        start = max(start, self._place_before(low))
        shut = constructs(source, start, end, Budget(self.subject.size_index, self.limit))
        for rung in (sentences, words):
            for offset, _ in cuts(rung, source, start, end, shut):
                near = offset >= low and self._size(offset, end) <= self.overlap
                if near and steps.shut.around(offset) < 0:
                    yield offset

    def _place_before(self, offset: int) -> int:
        """Find the nearest start of a block or of a bare line: no construct reaches over it."""
        structure = self.subject.structure
        found = 0
        for places in (structure.boundaries, structure.interior):
            nearest = bisect_right(places, offset, key=lambda place: place.offset) - 1
            found = max(found, places[nearest].offset if nearest >= 0 else 0)
        return found

    def _in_leaf(self, end: int) -> bool:
        """Tell whether a stretch ends in code or the like, where a sentence means nothing."""
        spans = self.subject.structure.spans
        index = bisect_left(spans, (end,)) - 1
        return index >= 0 and spans[index].end >= end and spans[index].kind in self.terms.divided

    def _size(self, start: int, end: int) -> float:
        size_index = self.subject.size_index
        return size_index.planned(start, end)

    def _steps(self, cut: int) -> Candidates | None:
        index = bisect_left(self.firsts, cut) - 1
        return self.laid[index] if index >= 0 and cut < self.laid[index].offsets[-1] else None
