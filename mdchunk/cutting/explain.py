"""Why each cut fell where it did: the candidates that were compared, and what each was worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdchunk.cutting.candidates import Candidates
from mdchunk.cutting.selectors import Selector, SelectorParams, Weigh
from mdchunk.lines import ToSource


class Candidate(NamedTuple):
    """A place at which a cut could fall.

    ``worth`` is what the place is worth to the selector in force, the cuts before and after it
    staying as they are: to optimal that of the two chunks beside it, to lookback that of its score
    at its distance from the limit; 0 if it could not be cut at. ``runner_up`` is the offset of the
    next best place for a chosen cut, and ``runner_up_worth`` what that one is worth.
    """

    offset: int
    kind: str
    score: float
    chosen: bool
    worth: float
    runner_up: int | None
    runner_up_worth: float


def explain(
    selections: Iterable[tuple[Candidates, Sequence[int], SelectorParams]], selector: Selector
) -> Iterator[Candidate]:
    """Return every place that a selector could cut at, in source order."""
    for candidates, cuts, params in selections:
        weigh = selector.worth(candidates, params)
        edges = [0, *cuts]
        for index in range(1, len(edges)):
            before, cut = edges[index - 1], edges[index]
            for here in range(before + 1, cut):
                yield _candidate(candidates, here, weigh(before, here, cut))
            if index + 1 < len(edges):
                yield _chosen(candidates, weigh, before, cut, edges[index + 1])


def _candidate(candidates: Candidates, here: int, worth: float) -> Candidate:
    return Candidate(
        candidates.offsets[here],
        candidates.kinds[here],
        candidates.scores[here],
        False,
        worth,
        None,
        0.0,
    )


def _chosen(candidates: Candidates, weigh: Weigh, before: int, cut: int, after: int) -> Candidate:
    others = [here for here in range(before + 1, after) if here != cut]
    worths = [weigh(before, here, after) for here in others]
    best = max(range(len(others)), key=worths.__getitem__, default=None)
    runner_up = None if best is None or not worths[best] else candidates.offsets[others[best]]
    return _candidate(candidates, cut, weigh(before, cut, after))._replace(
        chosen=True,
        runner_up=runner_up,
        runner_up_worth=worths[best] if best is not None else 0.0,
    )


def in_source(candidate: Candidate, place: ToSource) -> Candidate:
    """Return a candidate of the normal text as one of the source."""
    other = candidate.runner_up
    return candidate._replace(
        offset=place(candidate.offset), runner_up=None if other is None else place(other)
    )
