"""Why each cut fell where it did: the places that were compared, and what each was worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdchunk.cutting.candidates import Candidates
from mdchunk.cutting.selectors import SelectorParams, chunk_worth


class Candidate(NamedTuple):
    """A place at which a cut could fall.

    ``worth`` is that of the two chunks beside the place, the cuts before and after it staying as
    they are; 0 if one of them would not fit. ``runner_up`` is the offset of the next best place
    for a chosen cut, and ``runner_up_worth`` what that one is worth.
    """

    offset: int
    kind: str
    score: float
    chosen: bool
    worth: float
    runner_up: int | None
    runner_up_worth: float


def explain(
    chosen: Iterable[tuple[Candidates, Sequence[int], SelectorParams]],
) -> Iterator[Candidate]:
    """Give every place that the selector could cut at, in source order."""
    for steps, cuts, aim in chosen:
        edges = [0, *cuts]
        for index in range(1, len(edges)):
            before, cut = edges[index - 1], edges[index]
            after = edges[index + 1] if index + 1 < len(edges) else None
            for place in range(before + 1, cut):
                yield _candidate(steps, aim, before, place, cut)
            if after is not None:
                yield _chosen(steps, aim, before, cut, after)


def _candidate(
    steps: Candidates, aim: SelectorParams, before: int, place: int, after: int
) -> Candidate:
    worth = _pair(steps, aim, before, place, after)
    return Candidate(
        steps.offsets[place], steps.kinds[place], steps.scores[place], False, worth, None, 0.0
    )


def _chosen(steps: Candidates, aim: SelectorParams, before: int, cut: int, after: int) -> Candidate:
    others = [place for place in range(before + 1, after) if place != cut]
    worths = [_pair(steps, aim, before, place, after) for place in others]
    best = max(range(len(others)), key=worths.__getitem__, default=None)
    runner_up = None if best is None or not worths[best] else steps.offsets[others[best]]
    return Candidate(
        steps.offsets[cut],
        steps.kinds[cut],
        steps.scores[cut],
        True,
        _pair(steps, aim, before, cut, after),
        runner_up,
        worths[best] if best is not None else 0.0,
    )


def _pair(steps: Candidates, aim: SelectorParams, before: int, place: int, after: int) -> float:
    """Give what a place is worth between two cuts: the product of the chunks beside it."""
    for start, end in ((before, place), (place, after)):
        if end > start + 1 and steps.size(start, end) > aim.plan:
            return 0.0
    return chunk_worth(steps, aim, before, place) * chunk_worth(steps, aim, place, after)
