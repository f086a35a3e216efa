"""The places where a cut may fall under a limit, close enough that each step between them fits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from mdchunk.cutting.fallback import (
    CODE,
    PROSE,
    ROW,
    TEXT,
    Intervals,
    Rung,
    constructs,
    cuts,
    divide,
    sentences,
    visible_end,
    visible_line,
)
from mdchunk.lines import LINE_END
from mdchunk.model import Boundary, Heading, Span, Structure
from mdchunk.sizing.prefix_sums import Budget, SizeIndex

RUNGS: Mapping[str, Sequence[Rung]] = MappingProxyType(
    {"rows": ROW, "prose": PROSE, "code": CODE, "words": TEXT}
)
"""The ladder of a leaf's line, by what its rule says of how it is divided."""
LEADING = frozenset({"lead_in", "open_end", "mid_sentence"})
"""Boundaries behind a text that leads on to what follows."""
Extra = Callable[[int], float]
"""The size of the context that a chunk would get if it started at an offset; or, as a weight, the
size of all that the text before an offset brings along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRules:
    """What a plan must keep to: the limit, and what each kind of boundary and span means.

    ``soft`` spans only lower the scores inside by ``soft_factor``; at ``glue`` kinds a cut falls
    if it must; ``divided`` says how a line of each kind of leaf is divided; ``keep`` leaves what
    cannot fit whole. Links and the like that fit into ``whole`` are not cut, though the limit is
    lower.
    """

    limit: float
    soft: frozenset[str]
    soft_factor: float
    glue: frozenset[str]
    scores: Callable[[str], float]
    heading_score: Callable[[int], float]
    divided: Mapping[str, str]
    keep: bool = False
    whole: float | None = None
    extra: Extra | None = None
    weight: Extra | None = None

    def within(self, limit: float) -> CutRules:
        """Give the same terms under a lower limit."""
        return replace(self, limit=limit, whole=self.whole or self.limit)

    def room(self, offset: int) -> float:
        """Give the size that the text of a chunk that starts at an offset may have."""
        return self.limit - self.extra(offset) if self.extra else self.limit


@dataclass(frozen=True, slots=True)
class Candidates:
    """Flat arrays over the places 0 to n; place 0 is the start of the range and n its end.

    ``heads`` and ``tails`` are planned sizes: ``tails[j] - heads[i] + extras[i]`` is that of a
    chunk from place i to place j. ``headings`` are the offsets and scores of section headings,
    ``shut`` the spans that fit.
    """

    offsets: list[int]
    scores: list[float]
    kinds: list[str]
    heads: list[float]
    tails: list[float]
    extras: list[float]
    headings: list[tuple[int, float]]
    shut: Intervals

    def size(self, start: int, end: int) -> float:
        """Plan the size of a chunk from one place to another."""
        return self.tails[end] - self.heads[start] + self.extras[start]


class CandidateBuilder:
    """Builds the steps of one range of one document."""

    def __init__(
        self, source: str, structure: Structure, size_index: SizeIndex, terms: CutRules
    ) -> None:
        self.source = source
        self.structure = structure
        self.size_index = size_index
        self.terms = terms
        self.room = Budget(size_index, terms.limit)
        self.tied: dict[int, int] = {}  # the first boundary of the chain that one ends

    def steps(self, start: int, end: int, last: Boundary) -> Candidates:
        """Give the steps of ``source[start:end]``, which ``last`` ends."""
        shut, soft = self._spans(start, end)
        places = [Boundary(start, 0, "start"), *self._available(start, end, shut, soft), last]
        if not self.terms.keep:
            places = self._refine(places, shut)
        places = self._stick(places, shut)
        if not self.terms.keep:
            places = self._ease(places, shut)
        return self._arrays(places, shut)

    def fits(self, start: int, end: int) -> bool:
        """Tell whether a slice fits as a chunk of its own."""
        return self._room(start).fits(start, end)

    def _room(self, offset: int) -> Budget:
        return (
            Budget(self.size_index, max(1, self.terms.room(offset)))
            if self.terms.extra
            else self.room
        )

    def _fits(self, first: Boundary, then: Boundary) -> bool:
        start, end = first.offset, then.offset
        size = self.size_index.size_to_cut(end) - self.size_index.size_before(start)
        if not self.terms.extra and size <= self.terms.limit:
            return True
        return self.fits(start, visible_end(self.source, start, end))

    def _spans(self, start: int, end: int) -> tuple[Intervals, Intervals]:
        """Find the outermost hard spans that fit, and the soft ones that do."""
        hard: list[tuple[int, int]] = []
        soft: list[tuple[int, int]] = []
        fits = self.fits if self.terms.extra else self.room.fits
        keep, softer = self.terms.keep, self.terms.soft
        spans = self.structure.spans
        low, high = bisect_left(spans, (start,)), bisect_left(spans, (end,))
        closed = -1
        for first, past, kind in spans[low:high]:
            if first < closed or past > end:
                continue
            if kind in softer:
                if fits(first, past):
                    soft.append((first, past))
            elif keep or fits(first, past):
                hard.append((first, past))
                closed = past
        return Intervals(hard), Intervals(soft)

    def _available(
        self, start: int, end: int, shut: Intervals, soft: Intervals
    ) -> Iterator[Boundary]:
        """Give the boundaries that lie in no shut span; all ranges are in source order."""
        boundaries = self.structure.boundaries
        low = bisect_right(boundaries, start, key=_offset)
        high = bisect_left(boundaries, end, key=_offset)
        if not shut.starts and not soft.starts:
            yield from boundaries[low:high]
            return
        factor = self.terms.soft_factor
        ranges = zip(shut.starts, shut.ends, strict=True)
        first, past = next(ranges, (end, end))
        for boundary in boundaries[low:high]:
            offset = boundary.offset
            while past <= offset:
                first, past = next(ranges, (end, end + 1))
            if offset > first:
                continue
            if soft.starts and soft.around(offset) >= 0:
                boundary = Boundary(offset, boundary.score * factor, boundary.kind)
            yield boundary

    def _refine(self, places: list[Boundary], shut: Intervals) -> list[Boundary]:
        """Divide each step that does not fit by the first rungs of its ladder that suffice."""
        refined: list[Boundary] = []
        done = 0
        for index in self._misfits(places):
            refined += places[done : index + 1]
            refined += self._ladder(places[index], places[index + 1], shut)
            done = index + 1
        return [*refined, *places[done:]] if done else places

    def _ease(self, places: list[Boundary], shut: Intervals) -> list[Boundary]:
        """Let the last sentence of a text that leads on go with what it leads to.

        That is where the text and what follows it do not fit into one chunk.
        """
        eased = places[:1]
        for index, place in enumerate(places[1:-1], 1):
            if place.kind in LEADING:
                then = self._sense(places, index)
                if not self._fits(eased[-1], then):
                    eased += self._last_sentence(eased[-1], place, shut)
            eased.append(place)
        return [*eased, places[-1]]

    def _sense(self, places: list[Boundary], index: int) -> Boundary:
        """Return the end of what a text leads on to, with what goes on behind that."""
        end = index + 1
        while end < len(places) - 1 and places[end].kind in ("mid_sentence", "open_start"):
            end += 1
        return places[end]

    def _last_sentence(self, first: Boundary, place: Boundary, shut: Intervals) -> list[Boundary]:
        """Return the start of the sentence before a place, if it is worth a cut."""
        boundaries = self.structure.boundaries
        block = boundaries[bisect_left(boundaries, place.offset, key=_offset) - 1]
        start = max(first.offset, block.offset)
        end = visible_end(self.source, start, place.offset)
        if shut.around(end - 1) >= 0:
            return []
        links = self._links(start, end, self._room(start))
        found = [offset for offset, _ in cuts(sentences, self.source, start, end, links)]
        score = self.terms.scores("sentence")
        return [Boundary(offset, score, "sentence") for offset in found[-1:]]

    def _misfits(self, places: list[Boundary]) -> list[int]:
        """Find the places from which the step to the next does not fit."""
        offsets = [place.offset for place in places]
        heads, tails = (
            self.size_index.sizes_before(offsets[:-1]),
            self.size_index.sizes_to_cuts(offsets),
        )
        least = 0 if self.terms.extra else self.terms.limit
        steps = enumerate(zip(heads, tails[1:], strict=False))
        return [
            index
            for index, (head, tail) in steps
            if tail - head > least and not self._fits(places[index], places[index + 1])
        ]

    def _ladder(self, first: Boundary, then: Boundary, shut: Intervals) -> list[Boundary]:
        inner = self._interior(first.offset, then.offset, shut)
        if behind := self._behind(first.offset, then.offset, shut):
            rest = [] if self._fits(behind, then) else self._ladder(behind, then, shut)
            return [behind, *rest]
        rungs = self._rungs(first)
        if not inner:
            return self._text(first, then, rungs, shut)
        # gaps and rows come before lines, and lines before what is inside them
        coarse = [boundary for boundary in inner if boundary.kind != "line"]
        found: list[Boundary] = []
        for start, end in zip([first, *coarse], [*coarse, then], strict=True):
            if start is not first:
                found.append(start)
            if self._fits(start, end):
                continue
            low, high = (bisect_right(inner, edge.offset, key=_offset) for edge in (start, end))
            lines = [boundary for boundary in inner[low:high] if boundary.kind == "line"]
            for line, following in zip([start, *lines], [*lines, end], strict=True):
                if line is not start:
                    found.append(line)
                if not self._fits(line, following):
                    found += self._text(line, following, rungs, shut)
        return found

    def _rungs(self, place: Boundary) -> Sequence[Rung]:
        """Choose how text at a place is divided: in code and the like a sentence means nothing."""
        spans = self.structure.spans
        nearest = bisect_right(spans, place.offset, key=_start) - 1
        if nearest < 0 or place.offset >= spans[nearest].end:
            return PROSE
        return RUNGS[self.terms.divided.get(spans[nearest].kind, "prose")]

    def _behind(self, start: int, end: int, shut: Intervals) -> Boundary | None:
        """Find the line behind a span that fits, where a step holds more: a quote's empty lines."""
        around = shut.around(start + 1)
        if around != start:
            return None
        line = LINE_END.search(self.source, shut.past(start), end)
        offset = visible_line(self.source, line.end(), end) if line else end
        return Boundary(offset, self.terms.scores("line"), "line") if offset < end else None

    def _interior(self, start: int, end: int, shut: Intervals) -> list[Boundary]:
        interior = self.structure.interior
        low = bisect_right(interior, start, key=_offset)
        high = bisect_left(interior, end, key=_offset)
        return [b for b in interior[low:high] if shut.around(b.offset) < 0]

    def _text(
        self, first: Boundary, then: Boundary, rungs: Sequence[Rung], shut: Intervals
    ) -> list[Boundary]:
        source, score = self.source, self.terms.scores
        end = visible_end(source, first.offset, then.offset)
        room = self._room(first.offset)
        links = self._links(first.offset, end, room)
        left = self._left(first)
        below = Budget(self.size_index, left) if 1 <= left < room.limit else None
        cuts = divide(source, first.offset, end, room, rungs, links, below)
        return [
            Boundary(offset, score(kind), kind) for offset, kind in cuts if shut.around(offset) < 0
        ]

    def _left(self, place: Boundary) -> float:
        """Give what headings that are tied to a place leave of a chunk."""
        boundaries, glue = self.structure.boundaries, self.terms.glue
        heading = place
        at = first = bisect_left(boundaries, place.offset, key=_offset)
        while at and heading.kind in glue:
            at = self.tied.get(at, at - 1)
            heading = boundaries[at]
        if heading is not place:
            self.tied[first] = at
        used = self.size_index.planned(heading.offset, place.offset)
        return self.terms.room(heading.offset) - used

    def _links(self, start: int, end: int, room: Budget) -> Intervals:
        """Find what is not to be cut inside a block, by the highest limit that a chunk may have."""
        terms = self.terms
        if terms.whole is not None:
            room = Budget(self.size_index, room.limit + terms.whole - terms.limit)
        return constructs(self.source, start, end, room)

    def _stick(self, places: list[Boundary], shut: Intervals) -> list[Boundary]:
        """Take out the places behind a heading, unless the heading and what follows cannot fit.

        Going backwards, the heading nearest to the text is tied to it first.
        """
        glue = self.terms.glue
        kept = [places[-1]]
        body: Boundary | None = None
        for index in range(len(places) - 2, -1, -1):
            place = places[index]
            if not index or place.kind not in glue:
                kept.append(place)
                body = None
                continue
            heading, body = places[index - 1], body or place
            if self.terms.keep and not self._fits(body, kept[-1]):
                continue  # what is over the limit anyway is not without its heading
            if not self._fits(heading, kept[-1]):
                kept += reversed(self._share(heading, body, kept[-1], shut))
                if not self._fits(heading, kept[-1]):
                    kept.append(place)
        kept.reverse()
        return kept

    def _share(
        self, heading: Boundary, text: Boundary, then: Boundary, shut: Intervals
    ) -> list[Boundary]:
        """Divide prose that would fit alone, so that its heading need not stand alone."""
        end = visible_end(self.source, text.offset, then.offset)
        if shut.around(text.offset + 1) >= 0:
            return []
        used = self.size_index.planned(heading.offset, text.offset)
        left = self.terms.room(heading.offset) - used
        if left < 1:
            return []
        # for the heading's sake no link is cut that would fit without it
        links = self._links(text.offset, end, self._room(text.offset))
        found = divide(
            self.source, text.offset, end, Budget(self.size_index, left), PROSE[:1], links
        )
        return [
            Boundary(offset, self.terms.scores(kind), kind)
            for offset, kind in found
            if kind == "sentence"
        ]

    def _headings(self, start: int, end: int) -> list[tuple[int, float]]:
        headings = self.structure.headings
        low, high = (bisect_left(headings, edge, key=_offset) for edge in (start, end))
        heading_score = self.terms.heading_score
        return [(h.offset, heading_score(h.level)) for h in headings[low:high]]

    def _arrays(self, places: list[Boundary], shut: Intervals) -> Candidates:
        size_index = self.size_index
        offsets = [place.offset for place in places]
        extra, weight = self.terms.extra, self.terms.weight
        tails: list[float] = [*size_index.sizes_to_cuts(offsets)]
        # no chunk starts at the end, where the index would have to look into what stands before
        heads: list[float] = [*size_index.sizes_before(offsets[:-1]), tails[-1]]
        if weight:
            heads = [head + weight(offset) for head, offset in zip(heads, offsets, strict=True)]
            tails = [tail + weight(offset) for tail, offset in zip(tails, offsets, strict=True)]
        return Candidates(
            offsets,
            [place.score for place in places],
            [place.kind for place in places],
            heads,
            tails,
            [extra(offset) for offset in offsets] if extra else [0.0] * len(offsets),
            self._headings(offsets[0], offsets[-1]),
            shut,
        )


def _start(span: Span) -> int:
    return span.start


def _offset(value: Boundary | Heading) -> int:
    return value[0]
