"""From structure to extents: segments, the selector's cuts, exact sizes and overlaps."""

# ruff: noqa: D102

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from mdchunk.cutting.candidate_builder import CandidateBuilder
from mdchunk.cutting.candidates import Candidates, CutRules
from mdchunk.cutting.fallback import halve, visible_end, visible_line
from mdchunk.cutting.merge import DraftChunk, merge_small
from mdchunk.cutting.overlap import OverlapParams, choose_start
from mdchunk.cutting.selectors import SELECTORS, Selector, SelectorParams
from mdchunk.cutting.subject import Subject
from mdchunk.model import Boundary, Extent

BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff"
"""What a chunk may not be made of alone: white space, and the byte order mark."""


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


class Segment(NamedTuple):
    """A range that a chunk must start and end with, and the boundary that ends it."""

    start: int
    end: int
    last: Boundary


class Selection(NamedTuple):
    """The candidates of a range, and which of them were chosen to cut at, by what."""

    candidates: Candidates
    cuts: list[int]
    params: SelectorParams


class Plan(NamedTuple):
    """The extents of the chunks of each range that was planned, and the selections behind them."""

    groups: list[list[Planned]]
    selections: list[Selection]


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the extents of one document."""

    subject: Subject
    options: Settings
    rules: CutRules
    _known: dict[tuple[float, int], SelectorParams] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def plan(self) -> Plan:
        """Return a plan of the document: a group for each range round what is left out."""
        return self._plan(self._ranges())

    def _ranges(self) -> Iterator[Segment]:
        """Part the document where sections are left out."""
        start = self.subject.front_matter_end if self.options.front_matter == "metadata" else 0
        boundaries = self.subject.structure.boundaries
        for low, high in self.subject.excluded:
            if start < low:
                at = bisect_left(boundaries, (low,))
                known = at < len(boundaries) and boundaries[at].offset == low
                yield Segment(start, low, boundaries[at] if known else Boundary(low, 1, "line"))
            start = max(start, high)
        end = len(self.subject.source)
        if start < end:
            yield Segment(start, end, Boundary(end, 100, "end"))

    def plan_within(self, outer: Iterable[Extent]) -> Plan:
        """Plan chunks inside each of some extents: a chunk ends where the one round it does.

        The text that an extent repeats of the one before it is no text of its own; so the first
        chunk inside repeats nothing.
        """
        return self._plan([Segment(own, end, cut) for _, own, end, cut in outer])

    @property
    def selector(self) -> Selector:
        """The selector of the options."""
        return SELECTORS[self.options.cutoff]

    def _plan(self, ranges: Iterable[Segment]) -> Plan:
        forced = list(self._forced())
        groups: list[list[DraftChunk]] = []
        selections: list[Selection] = []
        for whole in ranges:
            drafts: list[DraftChunk] = []
            for segment in self._segments(whole, forced):
                cut, selection = self._segment(segment)
                drafts += cut
                selections += [selection] if selection else []
            groups.append(self._merged(drafts) if self.options.min_chunk_size else drafts)
        return Plan([list(self._settle(group, selections)) for group in groups], selections)

    def _merged(self, drafts: list[DraftChunk]) -> list[DraftChunk]:
        """Join small drafts; front matter stays a chunk of its own."""
        front = self.subject.front_matter_end if self.options.front_matter == "chunk" else 0
        own = [draft for draft in drafts if draft.end <= front]
        return own + merge_small(
            drafts[len(own) :],
            self.subject.structure.headings,
            lambda start, end: self.subject.size(start, start, end),
            least=self.options.min_chunk_size,
            most=self.options.chunk_size,
        )

    def _segments(self, whole: Segment, forced: Sequence[Boundary]) -> Iterator[Segment]:
        """Part a range where a chunk must start: behind front matter, at chosen headings."""
        source, (start, end, last) = self.subject.source, whole
        visible = visible_end(source, start, end)
        low = bisect_left(forced, (start + 1,))
        high = bisect_left(forced, (visible,))
        for boundary in (*forced[low:high], last._replace(offset=end)):
            first = visible_line(source, start, boundary.offset)
            stop = visible_end(source, start, boundary.offset)
            if first < stop:
                yield Segment(first, stop, boundary)
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
                at = bisect_left(boundaries, (heading.offset,))
                # that of content is at a tag, which the heading comes right after
                if boundaries[at].kind not in ("heading_heading", "heading_content"):
                    yield boundaries[at]

    def _segment(self, segment: Segment) -> tuple[list[DraftChunk], Selection | None]:
        """Cut a segment under the limit; what fits needs no selection."""
        start, end, last = segment
        limit = self.options.chunk_size
        if self.subject.size_index.planned(start, end) <= self.subject.left(limit, start):
            return self._draft(start, end, last, limit), None
        selection = self._select(segment, limit, self.options.overlap)
        return self._drafts(selection, last), selection

    def _select(
        self,
        segment: Segment,
        limit: float,
        overlap: int,
        *,
        apart: bool = False,
        fine: bool = False,
    ) -> Selection:
        """Find the candidates of a range and choose cuts under a limit.

        What fits into a chunk is kept whole under a lower limit too, unless ``fine``; ``apart`` is
        as for candidates.
        """
        rules = self.rules.within(limit) if fine else self.rules
        candidates = CandidateBuilder(self.subject, rules).candidates(*segment, apart=apart)
        params = self._params(limit, overlap)
        return Selection(candidates, self.selector.select(candidates, params), params)

    def _params(self, limit: float, overlap: int) -> SelectorParams:
        """Return what the selector goes by, one for all ranges: it knows what it has worked out."""
        if (limit, overlap) not in self._known:
            self._known[limit, overlap] = SelectorParams(
                limit=limit,
                plan=max(1, limit - overlap),
                decay=self.options.decay_in_force,
                mixing=self.options.mixing if self.selector.mixes else 0.0,
                window=self.options.window,
            )
        return self._known[limit, overlap]

    def _drafts(self, selection: Selection, last: Boundary) -> list[DraftChunk]:
        candidates, cuts, params = selection
        drafts: list[DraftChunk] = []
        start = 0
        for cut in cuts:
            first, boundary = candidates.offsets[start], candidates.boundary(cut)
            end = boundary.offset
            if cut + 1 == len(candidates.offsets):
                boundary = last
            drafts += self._draft(first, end, boundary, params.limit)
            start = cut
        return drafts

    def _draft(self, start: int, end: int, cut: Boundary, limit: float) -> list[DraftChunk]:
        """Take the blanks off a draft, but for a first line's indentation; nothing may be left."""
        source = self.subject.source
        end = visible_end(source, start, end)
        text = source[start:end]
        if not text.strip(BLANKS):
            return []
        if start and source[start - 1] not in "\r\n":
            start = end - len(text.lstrip())
        elif text[0].isspace():
            start = visible_line(source, start, end)
        return [DraftChunk(start, end, cut, limit)]

    def _settle(
        self, drafts: Iterable[DraftChunk], selections: Sequence[Selection]
    ) -> Iterator[Planned]:
        """Count each chunk exactly, add the overlap that fits, and divide again what does not.

        The first chunk repeats nothing.
        """
        subject, limit = self.subject, self.options.chunk_size
        params = OverlapParams(self.options.overlap, limit, self.rules.divided)
        queue = deque(drafts)
        before: tuple[int, int] | None = None
        while queue:
            draft = queue.popleft()
            found = None
            if before and params.overlap:
                candidates = _around(selections, draft.start)
                found = choose_start(subject, params, draft, before, candidates)
            start, size = found or (draft.start, subject.size(draft.start, draft.start, draft.end))
            if start == draft.start and size > limit and (parts := self._divide(draft, size)):
                queue.extendleft(reversed(parts))
                continue
            yield Planned(Extent(start, draft.start, draft.end, draft.cut), size)
            before = start, draft.end

    def _divide(self, draft: DraftChunk, size: int) -> list[DraftChunk]:
        """Plan a draft again under a lower limit, since its exact size was over the planned one.

        There are no parts where it stays whole.
        """
        limit = min(draft.limit - 1, draft.limit * self.options.chunk_size / size)
        keep = self.options.oversize == "keep"
        if limit < 1:
            return [] if keep else self._halves(draft)
        segment = Segment(draft.start, draft.end, draft.cut)
        selection = self._select(segment, limit, 0)
        if len(selection.candidates.offsets) == 2:
            if keep:
                return []
            # planned too small, a heading and what follows seemed to fit: they part before words do
            selection = self._select(segment, limit, 0, apart=True)
            if len(selection.candidates.offsets) == 2:
                selection = self._select(segment, limit, 0, fine=True)
        return self._drafts(selection, draft.cut)

    def _halves(self, draft: DraftChunk) -> list[DraftChunk]:
        """Cut a draft near its middle; one grapheme cluster is over any limit and stays."""
        cut = self._middle(draft)
        if cut is None:
            return []
        halves = [(draft.start, cut.offset, cut), (cut.offset, draft.end, draft.cut)]
        return [part for half in halves for part in self._draft(*half, 0)]

    def _middle(self, draft: DraftChunk) -> Boundary | None:
        """Find the boundary nearest to a draft's middle, of the best kind that it has inside."""
        start, end = draft.start, draft.end
        builder = CandidateBuilder(self.subject, self.rules)
        candidates = builder.candidates(start, end, draft.cut)
        middle = (start + end) // 2
        inner = range(1, len(candidates.offsets) - 1)
        if inner:
            nearest = min(inner, key=lambda index: abs(candidates.offsets[index] - middle))
            return candidates.boundary(nearest)
        found = halve(self.subject.source, start, end, builder.budget)
        return self.rules.boundary(*found) if found else None


def _around(selections: Sequence[Selection], cut: int) -> Candidates | None:
    """Return the candidates of the range that a cut lies inside of."""
    index = bisect_left(selections, cut, key=_first) - 1
    if index < 0 or cut >= selections[index].candidates.offsets[-1]:
        return None
    return selections[index].candidates


def _first(selection: Selection) -> int:
    return selection.candidates.offsets[0]
