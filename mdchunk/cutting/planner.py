"""From structure to extents: segments, the selector's cuts, exact sizes and overlaps."""

# ruff: noqa: D102

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mdchunk.cutting.candidates import CandidateBuilder, Candidates, CutRules
from mdchunk.cutting.context import NO_CONTEXT, AddedContext, Context
from mdchunk.cutting.fallback import halve, is_cluster, visible_end, visible_line
from mdchunk.cutting.merge import DraftChunk, merge_small
from mdchunk.cutting.overlap import Overlaps
from mdchunk.cutting.selectors import SELECTORS, SelectorParams
from mdchunk.model import Boundary, Extent, Structure
from mdchunk.sizing.prefix_sums import SizeIndex
from mdchunk.sizing.stretches import Counter

BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff"
"""What a chunk may not be made of alone: white space, and the byte order mark."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is planned over: a source with its structure, and how slices of it are sized."""

    source: str
    structure: Structure
    size_index: SizeIndex
    count: Counter
    context: Context | None
    front_matter_end: int
    counted: bool = True
    """Whether context counts towards the limit."""

    def frame(self, start: int, own: int, end: int) -> AddedContext:
        """Give the context of a slice whose own text starts at ``own``.

        What cannot be divided has none if it would be over the limit with it.
        """
        if not self.context:
            return NO_CONTEXT
        frame = self.context.frame(start, own, end)
        if (frame.prefix or frame.suffix) and is_cluster(self.source, start, end):
            size = self.count(frame.prefix + self.source[start:end] + frame.suffix)
            return frame if size <= self.context.most else NO_CONTEXT
        return frame

    def size(self, start: int, own: int, end: int) -> int:
        """Count exactly what of a slice the limit is for: all of it, or the text alone."""
        return self.whole(start, own, end) if self.counted else self.size_index.exact(start, end)

    def whole(self, start: int, own: int, end: int) -> int:
        """Count a slice exactly, with its context."""
        frame = self.frame(start, own, end)
        line_before = frame.prefix.endswith("\n") and not frame.suffix
        if self.context and line_before and self.size_index.additive:
            # the prefix ends a line, and the slice starts with something to see
            return self.context.size(frame.prefix) + self.size_index.exact(start, end)
        if frame is NO_CONTEXT or not (frame.prefix or frame.suffix):
            return self.size_index.exact(start, end)
        return self.count(frame.prefix + self.source[start:end] + frame.suffix)


class Settings(Protocol):
    """What a plan asks of the options; see Options for each."""

    @property
    def chunk_size(self) -> int: ...
    @property
    def overlap(self) -> int: ...
    @property
    def min_chunk_size(self) -> int: ...
    @property
    def cutoff(self) -> str: ...
    @property
    def window(self) -> int | None: ...
    @property
    def decay_in_force(self) -> float: ...
    @property
    def mixing(self) -> float: ...
    @property
    def split_headings(self) -> int: ...
    @property
    def front_matter(self) -> str: ...
    @property
    def oversize(self) -> str: ...


class Planned(NamedTuple):
    """An extent and its exact size."""

    extent: Extent
    size: int


class Planner:
    """Plans the extents of one document; holds the steps that were laid, for the overlaps."""

    def __init__(self, subject: Subject, options: Settings, terms: CutRules) -> None:
        self.subject = subject
        self.source = subject.source
        self.options = options
        self.limit = options.chunk_size
        self.selector = SELECTORS[options.cutoff]
        self.terms = terms
        self.laid: list[Candidates] = []
        self.forced = list(self._forced())
        self.chosen: list[tuple[Candidates, list[int], SelectorParams]] = []

    def plan(self) -> list[Planned]:
        """Give the extents of all chunks with their sizes, in order."""
        front = self.subject.front_matter_end if self.options.front_matter == "metadata" else 0
        end = len(self.source)
        return self._settled([self._drafts(front, end, Boundary(end, 100, "end"))])[0]

    def plan_within(self, outer: Iterable[Extent]) -> list[list[Planned]]:
        """Plan chunks inside each of some extents: a chunk ends where the one round it does.

        The text that an extent repeats of the one before it is no text of its own; so the first
        chunk inside repeats nothing.
        """
        return self._settled([self._drafts(own, end, cut) for _, own, end, cut in outer])

    def _drafts(self, start: int, end: int, last: Boundary) -> list[DraftChunk]:
        pieces: list[DraftChunk] = []
        for segment in self._segments(start, end, last):
            pieces += self._segment(*segment)
        return self._merged(pieces) if self.options.min_chunk_size else pieces

    def _merged(self, pieces: list[DraftChunk]) -> list[DraftChunk]:
        """Join small pieces; front matter stays a chunk of its own."""
        front = self.subject.front_matter_end if self.options.front_matter == "chunk" else 0
        own = [piece for piece in pieces if piece.end <= front]
        return own + merge_small(
            pieces[len(own) :],
            self.subject.structure.headings,
            lambda start, end: self.subject.size(start, start, end),
            least=self.options.min_chunk_size,
            most=self.limit,
        )

    def _segments(
        self, start: int, end: int, last: Boundary
    ) -> Iterator[tuple[int, int, Boundary]]:
        """Part a range where a chunk must start: behind front matter, at chosen headings."""
        source, forced = self.source, self.forced
        visible = visible_end(source, start, end)
        low = bisect_right(forced, start, key=_offset)
        high = bisect_left(forced, visible, key=_offset)
        for boundary in (*forced[low:high], last._replace(offset=end)):
            first = visible_line(source, start, boundary.offset)
            stop = visible_end(source, start, boundary.offset)
            if first < stop:
                yield first, stop, boundary
            start = boundary.offset

    def _forced(self) -> Iterator[Boundary]:
        front = self.subject.front_matter_end
        if front and self.options.front_matter == "chunk":
            yield Boundary(front, 100, "front_matter_end")
        yield from self._section_starts(front)

    def _section_starts(self, front: int) -> Iterator[Boundary]:
        """Find the headings that start a chunk; one right below another goes with that one.

        Where small chunks are merged, first-level sections are kept apart: nothing holds both.
        """
        boundaries = self.subject.structure.boundaries
        level = max(self.options.split_headings, 1 if self.options.min_chunk_size else 0)
        for heading in self.subject.structure.headings:
            if heading.level <= level and heading.offset > front:
                at = bisect_left(boundaries, heading.offset, key=lambda b: b.offset)
                # that of content is at a tag, which the heading comes right after
                if boundaries[at].kind not in ("heading_heading", "heading_content"):
                    yield boundaries[at]

    def _segment(self, start: int, end: int, last: Boundary) -> list[DraftChunk]:
        room = self.terms.room(start)
        if self.subject.size_index.planned(start, end) <= room:
            return self._piece(start, end, last, self.limit)
        steps, cuts = self._select(start, end, last, self.limit, self.options.overlap)
        self.laid.append(steps)
        self.chosen.append((steps, cuts, self._aim(self.limit, self.options.overlap)))
        return self._pieces(steps, cuts, last, self.limit)

    def _select(
        self,
        start: int,
        end: int,
        last: Boundary,
        limit: float,
        overlap: int,
        *,
        fine: bool = False,
    ) -> tuple[Candidates, list[int]]:
        """Lay the steps of a range and choose cuts under a limit.

        What fits into a chunk is kept whole under a lower limit too, unless ``fine``.
        """
        terms = self.terms.within(limit) if fine else self.terms
        builder = CandidateBuilder(
            self.source, self.subject.structure, self.subject.size_index, terms
        )
        steps = builder.steps(start, end, last._replace(offset=end))
        return steps, self.selector.select(steps, self._aim(limit, overlap))

    def _aim(self, limit: float, overlap: int) -> SelectorParams:
        options = self.options
        return SelectorParams(
            limit=limit,
            plan=max(1, limit - overlap),
            decay=options.decay_in_force,
            mixing=options.mixing if self.selector.mixes else 0.0,
            window=options.window,
        )

    def _pieces(
        self, steps: Candidates, cuts: list[int], last: Boundary, limit: float
    ) -> list[DraftChunk]:
        pieces = []
        start = 0
        for cut in cuts:
            first, offset = steps.offsets[start], steps.offsets[cut]
            boundary = Boundary(offset, steps.scores[cut], steps.kinds[cut])
            if cut + 1 == len(steps.offsets):
                boundary = last
            pieces += self._piece(first, offset, boundary, limit)
            start = cut
        return pieces

    def _piece(self, start: int, end: int, cut: Boundary, limit: float) -> list[DraftChunk]:
        """Take the blanks off a piece, but for a first line's indentation; nothing may be left."""
        end = visible_end(self.source, start, end)
        text = self.source[start:end]
        if not text.strip(BLANKS):
            return []
        if start and self.source[start - 1] not in "\r\n":
            start = end - len(text.lstrip())
        elif text[0].isspace():
            start = visible_line(self.source, start, end)
        return [DraftChunk(start, end, cut, limit)]

    def _settled(self, groups: Iterable[list[DraftChunk]]) -> list[list[Planned]]:
        """Settle each group by itself: its first chunk repeats nothing."""
        overlaps = Overlaps(self.subject, self.laid, self.terms, self.options.overlap, self.limit)
        return [list(self._settle(group, overlaps)) for group in groups]

    def _settle(self, pieces: list[DraftChunk], overlaps: Overlaps) -> Iterator[Planned]:
        """Count each chunk exactly, add the overlap that fits, and divide again what does not."""
        size_of = self.subject.size
        queue = deque(pieces)
        before: tuple[int, int] | None = None
        while queue:
            piece = queue.popleft()
            start, size = overlaps.choose(piece, before)
            if start == piece.start:
                size = size_of(start, start, piece.end)
                if size > self.limit and (parts := self._divide(piece, size)):
                    queue.extendleft(reversed(parts))
                    continue
            yield Planned(Extent(start, piece.start, piece.end, piece.cut), size)
            before = start, piece.end

    def _divide(self, piece: DraftChunk, size: int) -> list[DraftChunk]:
        """Plan a piece again under a lower limit, since its exact size was over the planned one."""
        limit = min(piece.limit - 1, piece.limit * self.limit / size)
        keep = self.options.oversize == "keep"
        if limit < 1:
            return [] if keep else self._halves(piece)
        steps, cuts = self._select(piece.start, piece.end, piece.cut, limit, 0)
        if len(steps.offsets) == 2:
            if keep:
                return []
            steps, cuts = self._select(piece.start, piece.end, piece.cut, limit, 0, fine=True)
        return self._pieces(steps, cuts, piece.cut, limit)

    def _halves(self, piece: DraftChunk) -> list[DraftChunk]:
        """Cut a piece near its middle; one grapheme cluster is over any limit and stays."""
        cut = self._middle(piece)
        if cut is None:
            return []
        halves = [(piece.start, cut.offset, cut), (cut.offset, piece.end, piece.cut)]
        return [part for half in halves for part in self._piece(*half, 0)]

    def _middle(self, piece: DraftChunk) -> Boundary | None:
        """Find the place nearest to a piece's middle, of the best kind that it has inside."""
        start, end = piece.start, piece.end
        builder = CandidateBuilder(
            self.source, self.subject.structure, self.subject.size_index, self.terms
        )
        steps = builder.steps(start, end, piece.cut._replace(offset=end))
        middle = (start + end) // 2
        if len(steps.offsets) > 2:
            inner = range(1, len(steps.offsets) - 1)
            at = min(inner, key=lambda index: abs(steps.offsets[index] - middle))
            return Boundary(steps.offsets[at], steps.scores[at], steps.kinds[at])
        found = halve(self.source, start, end, builder.room)
        return Boundary(found[0], self.terms.scores(found[1]), found[1]) if found else None


def _offset(boundary: Boundary) -> int:
    return boundary.offset
