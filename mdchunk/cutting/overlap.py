"""Where a chunk starts if it repeats the end of the one before: the overlaps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import islice

from mdchunk.cutting.candidates import Candidates
from mdchunk.cutting.fallback import constructs, cuts, visible_end, visible_line
from mdchunk.cutting.intervals import Intervals
from mdchunk.cutting.merge import DraftChunk
from mdchunk.cutting.rungs import sentences, words
from mdchunk.cutting.subject import Subject
from mdchunk.model import Boundary, Heading, Structure
from mdchunk.sizing.known_sums import LETTERS
from mdchunk.sizing.prefix_sums import Budget

TRIES = 4
"""How many starts are counted exactly before a chunk goes without overlap."""


@dataclass(frozen=True, slots=True)
class OverlapParams:
    """What overlaps go by: how much of the chunk before a chunk may repeat, and its limit.

    A sentence means nothing in the kinds of block that are ``divided`` otherwise.
    """

    overlap: int
    limit: int
    divided: Container[str]


def choose_start(
    subject: Subject,
    params: OverlapParams,
    draft: DraftChunk,
    before: tuple[int, int],
    candidates: Candidates | None,
) -> tuple[int, int] | None:
    """Return where a chunk starts that repeats the end of the one before, and its exact size.

    ``before`` is where the chunk before starts, and starts must rise, and where it ends;
    ``candidates`` are those of the range that both are from. None where no overlap fits.
    """
    if candidates is None or not params.overlap:
        return None
    starts = _starts(subject, params, candidates, draft.start, before)
    for start in islice(starts, TRIES):
        if subject.size_index.exact(start, before[1]) > params.overlap:
            continue
        size = subject.size(start, draft.start, draft.end)
        if size <= params.limit:
            return start, size
    return None


def _starts(
    subject: Subject,
    params: OverlapParams,
    candidates: Candidates,
    cut: int,
    before: tuple[int, int],
) -> Iterator[int]:
    """Find where to start, best first: at a boundary, else at a sentence, else at a word."""
    headings = subject.structure.headings
    section = bisect_right(headings, cut, key=_offset) - 1
    heading = headings[section].offset if section >= 0 else 0
    if section >= 0 and heading == cut:
        return
    offsets = candidates.offsets
    low = max(before[0] + 1, heading, offsets[0])
    # between the two there may be more than white space: what is not worth a chunk
    end = min(before[1], visible_end(subject.source, low, cut))
    planned = subject.size_index.planned
    first, last = bisect_left(offsets, low), bisect_left(offsets, end)
    found = [
        index
        for index in range(first, last)
        if planned(offsets[index], end) <= params.overlap
        and _starts_something(subject.source, offsets[index], end)
    ]
    found.sort(key=lambda index: (-candidates.scores[index], index))
    yield from (offsets[index] for index in found)
    closed = candidates.closed
    if not found and last and not _is_closed(subject, params, closed, end):
        start = max(offsets[last - 1], _block_start(subject.structure, low))
        budget = Budget(subject.size_index, params.limit)
        for offset in _prose_starts(subject.source, start, end, budget):
            near = offset >= low and planned(offset, end) <= params.overlap
            if near and closed.around(offset) < 0:
                yield offset


def _starts_something(source: str, offset: int, end: int) -> bool:
    """Return whether an offset is one to start at: not amid a word that had to be cut, no blank."""
    before, here = source[offset - 1], source[offset]
    if before in "\r\n":
        return visible_line(source, offset, end) == offset
    inside = before in LETTERS and here in LETTERS
    return not inside and not here.isspace()


def _is_closed(subject: Subject, params: OverlapParams, closed: Intervals, end: int) -> bool:
    """Return whether a stretch ends in what no cut may enter, or in code or the like."""
    if closed.around(end) >= 0 or closed.around(end - 1) >= 0:
        return True
    spans = subject.structure.spans
    index = bisect_left(spans, (end,)) - 1
    return index >= 0 and spans[index].end >= end and spans[index].kind in params.divided


def _prose_starts(source: str, start: int, end: int, budget: Budget) -> Iterator[int]:
    """Find the sentences, then the words, of prose."""
    closed = constructs(source, start, end, budget)
    for rung in (sentences, words):
        yield from (offset for offset, _ in cuts(rung, source, start, end, closed))


def _block_start(structure: Structure, offset: int) -> int:
    """Find the nearest start of a block or of a bare line: no construct reaches over it."""
    found = 0
    for boundaries in (structure.boundaries, structure.interior):
        nearest = bisect_right(boundaries, offset, key=_offset) - 1
        found = max(found, boundaries[nearest].offset if nearest >= 0 else 0)
    return found


def _offset(value: Boundary | Heading) -> int:
    return value[0]
