"""Where a cut may fall under a limit: so close that what stands between two candidates fits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import add
from types import MappingProxyType

from mdchunk.cutting.candidates import Candidates, CutRules
from mdchunk.cutting.fallback import constructs, cuts, divide, visible_end, visible_line
from mdchunk.cutting.intervals import Intervals
from mdchunk.cutting.rungs import CODE, PROSE, ROW, TEXT, Rung, sentences
from mdchunk.cutting.subject import Subject
from mdchunk.lines import LINE_END
from mdchunk.model import Boundary
from mdchunk.scores import KEEP_WITH_NEXT, SOFT_FACTOR
from mdchunk.sizing.prefix_sums import Budget

RUNGS: Mapping[str, Sequence[Rung]] = MappingProxyType(
    {"rows": ROW, "prose": PROSE, "code": CODE, "words": TEXT}
)
"""The ladder of a leaf's line, by what its rule says of how it is divided."""
MID_SENTENCE = "mid_sentence"
"""The boundary between two blocks of one sentence."""


class CandidateBuilder:
    """Finds the candidates of ranges of one document, under one limit."""

    __slots__ = ("budget", "context", "rules", "size_index", "source", "structure", "subject")

    def __init__(self, subject: Subject, rules: CutRules) -> None:
        self.subject = subject
        self.source = subject.source
        self.structure = subject.structure
        self.size_index = subject.size_index
        self.context = subject.counted_context
        self.rules = rules
        self.budget = Budget(subject.size_index, rules.limit)

    def candidates(
        self, start: int, end: int, last: Boundary, *, apart: bool = False
    ) -> Candidates:
        """Return the candidates of ``source[start:end]``, which ``last`` ends.

        They are so close that what stands between two of them fits, if it can. With ``apart``
        headings and the like may be parted from what follows them.
        """
        closed, soft = self._spans(start, end)
        first, last = Boundary(start, 0, "start"), last._replace(offset=end)
        found = [first, *self._open(start, end, closed, soft), last]
        if not self.rules.keep:
            found = self._refine(found, closed)
        if not apart:
            found = self._keep_headings(found, closed)
        if not self.rules.keep:
            found = self._ease(found, closed)
        return self._arrays(found, closed)

    def fits(self, start: int, end: int) -> bool:
        """Return whether a slice fits as a chunk of its own."""
        return self._budget(start).fits(start, end)

    def _budget(self, offset: int) -> Budget:
        if not self.context:
            return self.budget
        return Budget(self.size_index, max(1, self.subject.left(self.rules.limit, offset)))

    def _fits(self, first: Boundary, then: Boundary) -> bool:
        start, end = first.offset, then.offset
        if not self.context:
            size = self.size_index.size_to_cut(end) - self.size_index.size_before(start)
            if size <= self.rules.limit:
                return True
        return self.fits(start, visible_end(self.source, start, end))

    def _spans(self, start: int, end: int) -> tuple[Intervals, Intervals]:
        """Find the outermost hard spans that fit, and the soft ones that do."""
        hard: list[tuple[int, int]] = []
        soft: list[tuple[int, int]] = []
        fits = self.fits if self.context else self.budget.fits
        keep, softer = self.rules.keep, self.rules.soft
        spans = self.structure.spans
        low, high = bisect_left(spans, (start,)), bisect_left(spans, (end,))
        outermost = -1
        for first, past, kind in spans[low:high]:
            if first < outermost or past > end:
                continue
            if kind in softer:
                if fits(first, past):
                    soft.append((first, past))
            elif keep or fits(first, past):
                hard.append((first, past))
                outermost = past
        return Intervals(hard), Intervals(soft)

    def _open(self, start: int, end: int, closed: Intervals, soft: Intervals) -> Iterator[Boundary]:
        """Return the boundaries that lie in no closed span; all ranges are in source order."""
        boundaries = self.structure.boundaries
        low = bisect_left(boundaries, (start + 1,))
        high = bisect_left(boundaries, (end,))
        if not closed.starts and not soft.starts:
            yield from boundaries[low:high]
            return
        ranges = zip(closed.starts, closed.ends, strict=True)
        first, past = next(ranges, (end, end))
        for boundary in boundaries[low:high]:
            offset = boundary.offset
            while past <= offset:
                first, past = next(ranges, (end, end + 1))
            if offset > first:
                continue
            if soft.starts and soft.around(offset) >= 0:
                boundary = Boundary(offset, boundary.score * SOFT_FACTOR, boundary.kind)
            yield boundary

    def _refine(self, candidates: list[Boundary], closed: Intervals) -> list[Boundary]:
        """Divide each stretch that does not fit by the first rungs of its ladder that suffice."""
        refined: list[Boundary] = []
        done = 0
        for index in self._misfits(candidates):
            refined += candidates[done : index + 1]
            refined += self._ladder(candidates[index], candidates[index + 1], closed)
            done = index + 1
        return [*refined, *candidates[done:]] if done else candidates

    def _ease(self, candidates: list[Boundary], closed: Intervals) -> list[Boundary]:
        """Let a sentence that goes on in a formula go with it, if the whole text has no room there.

        Elsewhere no paragraph that fits is divided for what it leads on to.
        """
        eased = candidates[:1]
        for index, candidate in enumerate(candidates[1:-1], 1):
            if candidate.kind == MID_SENTENCE:
                then = self._sense(candidates, index)
                if not self._fits(eased[-1], then):
                    eased += self._last_sentence(eased[-1], candidate, closed)
            eased.append(candidate)
        return [*eased, candidates[-1]]

    def _sense(self, candidates: list[Boundary], index: int) -> Boundary:
        """Return the end of what a text leads on to, with what goes on behind that."""
        end = index + 1
        while end < len(candidates) - 1 and candidates[end].kind in (MID_SENTENCE, "open_start"):
            end += 1
        return candidates[end]

    def _last_sentence(
        self, first: Boundary, candidate: Boundary, closed: Intervals
    ) -> list[Boundary]:
        """Return the start of the sentence before a candidate, if it is worth a cut."""
        boundaries = self.structure.boundaries
        block = boundaries[bisect_left(boundaries, (candidate.offset,)) - 1]
        start = max(first.offset, block.offset)
        end = visible_end(self.source, start, candidate.offset)
        if closed.around(end - 1) >= 0:
            return []
        links = self._links(start, end, self._budget(start))
        found = [offset for offset, _ in cuts(sentences, self.source, start, end, links)]
        return [self.rules.boundary(offset, "sentence") for offset in found[-1:]]

    def _misfits(self, candidates: list[Boundary]) -> list[int]:
        """Find the candidates from which the stretch to the next does not fit."""
        offsets = [candidate.offset for candidate in candidates]
        heads = self.size_index.sizes_before(offsets[:-1])
        tails = self.size_index.sizes_to_cuts(offsets)
        least = 0 if self.context else self.rules.limit
        return [
            index
            for index, (head, tail) in enumerate(zip(heads, tails[1:], strict=True))
            if tail - head > least and not self._fits(candidates[index], candidates[index + 1])
        ]

    def _ladder(self, first: Boundary, then: Boundary, closed: Intervals) -> list[Boundary]:
        inner = self._interior(first.offset, then.offset, closed)
        if behind := self._behind(first.offset, then.offset, closed):
            rest = [] if self._fits(behind, then) else self._ladder(behind, then, closed)
            return [behind, *rest]
        rungs = self._rungs(first)
        if not inner:
            return self._text(first, then, rungs, closed)
        # gaps and rows come before lines, and lines before what is inside them
        coarse = [boundary for boundary in inner if boundary.kind != "line"]
        found: list[Boundary] = []
        for start, end in zip([first, *coarse], [*coarse, then], strict=True):
            if start is not first:
                found.append(start)
            if self._fits(start, end):
                continue
            low, high = (bisect_left(inner, (edge.offset + 1,)) for edge in (start, end))
            lines = [boundary for boundary in inner[low:high] if boundary.kind == "line"]
            for line, following in zip([start, *lines], [*lines, end], strict=True):
                if line is not start:
                    found.append(line)
                if not self._fits(line, following):
                    found += self._text(line, following, rungs, closed)
        return found

    def _rungs(self, candidate: Boundary) -> Sequence[Rung]:
        """Choose how text is divided: in code and the like a sentence means nothing."""
        spans = self.structure.spans
        nearest = bisect_left(spans, (candidate.offset + 1,)) - 1
        if nearest < 0 or candidate.offset >= spans[nearest].end:
            return PROSE
        return RUNGS[self.rules.divided.get(spans[nearest].kind, "prose")]

    def _behind(self, start: int, end: int, closed: Intervals) -> Boundary | None:
        """Find the line behind a span that fits, where more follows: a quote's empty lines."""
        around = closed.around(start + 1)
        if around != start:
            return None
        line = LINE_END.search(self.source, closed.past(start), end)
        offset = visible_line(self.source, line.end(), end) if line else end
        return self.rules.boundary(offset, "line") if offset < end else None

    def _interior(self, start: int, end: int, closed: Intervals) -> list[Boundary]:
        interior = self.structure.interior
        low = bisect_left(interior, (start + 1,))
        high = bisect_left(interior, (end,))
        return [b for b in interior[low:high] if closed.around(b.offset) < 0]

    def _text(
        self, first: Boundary, then: Boundary, rungs: Sequence[Rung], closed: Intervals
    ) -> list[Boundary]:
        start, end = first.offset, visible_end(self.source, first.offset, then.offset)
        budget = self._budget(start)
        links = self._links(start, end, budget)
        left = self._left_by(self._chain_start(first), start)
        filled = Budget(self.size_index, left) if 1 <= left < budget.limit else None
        found = divide(self.source, start, end, budget, rungs, links, filled)
        return [self.rules.boundary(*cut) for cut in found if closed.around(cut[0]) < 0]

    def _chain_start(self, candidate: Boundary) -> int:
        """Return where the first of the headings begins that go with what follows a candidate."""
        if candidate.kind not in KEEP_WITH_NEXT:
            return candidate.offset
        boundaries = self.structure.boundaries
        index = bisect_left(boundaries, (candidate.offset,))
        return boundaries[self.subject.chain_starts[index]].offset

    def _left_by(self, heading: int, text: int) -> float:
        """Return what of a chunk that starts with headings is left to the text behind them."""
        left = self.subject.left(self.rules.limit, heading)
        return left - self.size_index.planned(heading, text)

    def _links(self, start: int, end: int, budget: Budget) -> Intervals:
        """Find what is not to be cut inside a block, by the highest limit that a chunk may have."""
        rules = self.rules
        if rules.whole is not None:
            budget = Budget(self.size_index, budget.limit + rules.whole - rules.limit)
        return constructs(self.source, start, end, budget)

    def _keep_headings(self, candidates: list[Boundary], closed: Intervals) -> list[Boundary]:
        """Take out what stands behind a heading, unless the heading and what follows cannot fit.

        Going backwards, the heading nearest to the text is kept with it first.
        """
        kept = [candidates[-1]]
        text: Boundary | None = None  # what the headings lead to
        for index in range(len(candidates) - 2, -1, -1):
            candidate = candidates[index]
            if not index or candidate.kind not in KEEP_WITH_NEXT:
                kept.append(candidate)
                text = None
                continue
            heading, text = candidates[index - 1], text or candidate
            if self.rules.keep and not self._fits(text, kept[-1]):
                continue  # what is over the limit anyway is not without its heading
            if not self._fits(heading, kept[-1]):
                kept += reversed(self._share(heading, text, kept[-1], closed))
                if not self._fits(heading, kept[-1]):
                    kept.append(candidate)
        kept.reverse()
        return kept

    def _share(
        self, heading: Boundary, text: Boundary, then: Boundary, closed: Intervals
    ) -> list[Boundary]:
        """Divide a paragraph that would fit alone, so that its heading need not stand alone."""
        start, end = text.offset, visible_end(self.source, text.offset, then.offset)
        if closed.around(start + 1) >= 0 or not self._ends_in_paragraph(then.offset):
            return []
        left = self._left_by(heading.offset, start)
        if left < 1:
            return []
        # for the heading's sake no link is cut that would fit without it
        links = self._links(start, end, self._budget(start))
        found = divide(self.source, start, end, Budget(self.size_index, left), PROSE[:1], links)
        return [self.rules.boundary(*cut) for cut in found if cut[1] == "sentence"]

    def _ends_in_paragraph(self, end: int) -> bool:
        """Return whether the text before a candidate is a paragraph's, and no row or line."""
        blocks = self.structure.blocks
        return blocks[bisect_left(blocks, (end,)) - 1].kind == "paragraph"

    def _headings(self, start: int, end: int) -> list[tuple[int, float]]:
        headings = self.structure.headings
        low, high = (bisect_left(headings, (edge,)) for edge in (start, end))
        scores = self.structure.heading_scores[low:high]
        return [(h.offset, score) for h, score in zip(headings[low:high], scores, strict=True)]

    def _arrays(self, candidates: list[Boundary], closed: Intervals) -> Candidates:
        size_index, context = self.size_index, self.context
        offsets = [candidate.offset for candidate in candidates]
        tails: list[float] = [*size_index.sizes_to_cuts(offsets)]
        # no chunk starts at the end, where the index would have to look into what stands before
        heads: list[float] = [*size_index.sizes_before(offsets[:-1]), tails[-1]]
        if context and context.uses.offsets:
            weights = list(map(context.uses.weight, offsets))
            heads = list(map(add, heads, weights))
            tails = list(map(add, tails, weights))
        return Candidates(
            offsets,
            [candidate.score for candidate in candidates],
            [candidate.kind for candidate in candidates],
            heads,
            tails,
            list(map(context.extra, offsets)) if context else [0.0] * len(offsets),
            self._headings(offsets[0], offsets[-1]),
            closed,
        )
