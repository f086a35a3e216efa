"""Which candidates to cut at: the cutoff selectors, which know scores and sizes but no Markdown.

A selector takes the candidates of a range and returns the indices of those to cut at, the range's
end included. ``limit`` is what a chunk may hold, ``plan`` what it should: less, if an overlap is
to be added. What stands between two neighbours may take the limit whole, since it cannot be cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import exp, inf, log
from operator import le
from types import MappingProxyType
from typing import Literal

from mdchunk.cutting.candidates import Candidates

THIN = 64
"""The optimal selector compares no more than two candidates in each 1/64 of the limit."""
MOST_SIZES = 20_000
"""So many sizes of chunks a table of costs holds; whole ones under usual limits are fewer."""
LEAST = 1e-9
"""A worth of nothing, so that its logarithm exists."""

Weigh = Callable[[int, int, int], float]
"""Returns what a candidate is worth between two cuts: (cut before, candidate, cut after)."""


class FillCosts(dict[float, float]):
    """What a chunk costs for the space that it leaves, by its size: each is worked out once."""

    def __init__(self, plan: float, decay: float) -> None:
        self.plan = plan
        self.decay = decay

    def __missing__(self, size: float) -> float:
        short = 1 - size / self.plan
        cost = inf if short < 0 else -log(max(1 - self.decay * short * short, LEAST))
        if len(self) < MOST_SIZES:
            self[size] = cost
        return cost


@lru_cache(maxsize=16)
def _fill_costs(plan: float, decay: float) -> FillCosts:
    """Return the costs under a plan, which are the same for every document."""
    return FillCosts(plan, decay)


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorParams:
    """What a selector goes by: ``limit`` is what a chunk may hold, ``plan`` what it should.

    ``decay`` is how much of its score a cut loses as its chunk gets shorter, ``mixing`` how much of
    its worth a chunk loses for each heading inside it, in shares of that heading's score;
    ``window`` is how far behind the limit lookback looks (None: to the chunk's start).
    """

    limit: float
    plan: float
    decay: float
    mixing: float = 0.0
    window: float | None = None
    fill: FillCosts = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fill", _fill_costs(self.plan, self.decay))


def lookback(candidates: Candidates, params: SelectorParams) -> list[int]:
    """Fill each chunk to the limit, then go back to the best cut (QMD's selector)."""
    cuts: list[int] = []
    start, last = 0, len(candidates.offsets) - 1
    while start < last:
        limit = params.plan if start else params.limit
        end = start + 1
        while end < last and candidates.size(start, end + 1) <= limit:
            end += 1
        if end < last:
            end = _best_behind(candidates, start, end, limit, params)
        cuts.append(end)
        start = end
    return cuts


def _best_behind(
    candidates: Candidates, start: int, furthest: int, limit: float, params: SelectorParams
) -> int:
    window = min(params.window or limit, limit)
    best, best_worth = furthest, -1.0
    for end in range(furthest, start, -1):
        distance = limit - candidates.size(start, end)
        if distance > window:
            break
        worth = cut_worth(candidates.scores[end], distance, window, params.decay)
        if worth > best_worth:
            best, best_worth = end, worth
    return best


def cut_worth(score: float, distance: float, window: float, decay: float) -> float:
    """Return what a cut is worth at a distance behind the limit: less by the square of it (QMD)."""
    return score * (1 - decay * (max(distance, 0) / window) ** 2)


def optimal(candidates: Candidates, params: SelectorParams) -> list[int]:
    """Find the set of cuts whose chunks' worths have the greatest product, as TeX breaks lines.

    The least sum of -log worth over all sets is found by forward relaxation; of equal sets the
    one with the later cut wins.
    """
    compared = thinned(candidates, params)
    before, through = _mixing(candidates, compared, params.mixing)
    costs = {score: -log(max(score / 100, LEAST)) for score in set(candidates.scores)}
    cuts = [costs[candidates.scores[here]] for here in compared]
    cuts[-1] = 0.0  # the end of the range is the best of cuts
    heads = [candidates.heads[here] - candidates.extras[here] for here in compared]
    tails = [candidates.tails[here] for here in compared]
    starts = _best_starts(heads, tails, params.fill, list(zip(before, cuts, through, strict=True)))
    return [compared[index] for index in _trace(starts)]


def _best_starts(
    heads: Sequence[float],
    tails: Sequence[float],
    fill: FillCosts,
    costs: Sequence[tuple[float, float, float]],
) -> list[int]:
    """Return for each end of a chunk the start with which the chunks up to there cost least.

    ``costs`` are of an end: those of the headings before it, of a cut there, and of the headings
    up to and with it. The totals are without the headings up to their end.
    """
    # the later of two starts makes the smaller chunk, which costs more, so one that costs more by
    # itself too need not be compared while the earlier is within reach; this holds where sizes
    # rise, and with context they may not: then none is passed over
    rising = all(map(le, heads, heads[1:]))
    cheaper = list(range(1, len(heads) + 1))
    dearer: list[int] = []
    totals, starts, low = [-costs[0][2]], [0], 0
    for near, (before, cut, through) in enumerate(costs[1:]):
        tail = tails[near + 1]
        while low < near and tail - heads[low] > fill.plan:
            low += 1
        least, best, start = inf, near, low
        while start < near:
            cost = totals[start] + fill[tail - heads[start]]
            if cost <= least:
                least, best = cost, start
            start = cheaper[start]
        # a stretch between two neighbours may be as large as the limit
        cost = totals[near] + fill[min(tail - heads[near], fill.plan)]
        if cost <= least:
            least, best = cost, near
        starts.append(best)
        totals.append(least + before + cut - through)
        if rising:
            _link(cheaper, dearer, totals, near)
    return starts


def _link(cheaper: list[int], dearer: list[int], totals: Sequence[float], newest: int) -> None:
    """Make a start the next cheaper one of those before it that cost as much or more.

    ``dearer`` are the starts, their totals rising, for which there is no cheaper one yet.
    """
    total = totals[newest]
    while dearer and totals[dearer[-1]] >= total:
        cheaper[dearer.pop()] = newest
    cheaper[newest] = len(cheaper)
    dearer.append(newest)


def thinned(candidates: Candidates, params: SelectorParams) -> list[int]:
    """Choose the candidates that optimal compares: all, or of tiny blocks the best of a stretch.

    Each then has at most about 128 within reach, so that time is linear.
    """
    heads, tails, last = candidates.heads, candidates.tails, len(candidates.offsets) - 1
    if last < 4 * THIN:
        return list(range(last + 1))  # even if each could reach all before it
    low = reached = 0
    for end in range(1, last + 1):
        while tails[end] - heads[low] > params.plan and low < end - 1:
            low += 1
        reached += end - low
    if reached <= 2 * THIN * last:
        return list(range(last + 1))
    stretch = params.plan / THIN
    kept = {0, last}
    first = best = 1
    for here in range(1, last):
        # the ends of a large stretch stay, since its neighbours might not reach across it
        if heads[here + 1] - heads[here] > stretch:
            kept.update((here, here + 1))
        if heads[here] - heads[first] > stretch:
            kept.add(best)
            first = best = here
        elif candidates.scores[here] >= candidates.scores[best]:
            best = here
    kept.add(best)
    return sorted(kept)


def _mixing(
    candidates: Candidates, compared: Sequence[int], mixing: float
) -> tuple[list[float], list[float]]:
    """Sum the costs of the headings before each candidate, without and with one there."""
    headings = [offset for offset, _ in candidates.headings]
    totals = _heading_costs(candidates, mixing)
    offsets = [candidates.offsets[here] for here in compared]
    before = [totals[bisect_left(headings, offset)] for offset in offsets]
    through = [totals[bisect_right(headings, offset)] for offset in offsets]
    return before, through


def _heading_costs(candidates: Candidates, mixing: float) -> list[float]:
    """Sum up to each heading what it costs a chunk to have the headings before it inside."""
    costs = (-log(max(1 - mixing * score / 100, LEAST)) for _, score in candidates.headings)
    return [0.0, *accumulate(costs)]


def _trace(back: Sequence[int]) -> list[int]:
    cuts = []
    index = len(back) - 1
    while index > 0:
        cuts.append(index)
        index = back[index]
    cuts.reverse()
    return cuts


def chunk_worths(candidates: Candidates, params: SelectorParams) -> Callable[[int, int], float]:
    """Return what says what the chunk between two candidates is worth to the optimal selector.

    The range's end is the best of cuts. Costs of headings are summed once, and not for each chunk.
    """
    headings = [offset for offset, _ in candidates.headings]
    totals = _heading_costs(candidates, params.mixing)
    last = len(candidates.offsets) - 1

    def worth(start: int, end: int) -> float:
        score = 100.0 if end == last else candidates.scores[end]
        short = 1 - min(candidates.size(start, end), params.plan) / params.plan
        low = bisect_right(headings, candidates.offsets[start])
        mixed = totals[max(low, bisect_left(headings, candidates.offsets[end]))] - totals[low]
        filled = max(1 - params.decay * short * short, LEAST)
        return max(score / 100, LEAST) * filled * exp(-mixed)

    return worth


def optimal_worth(candidates: Candidates, params: SelectorParams) -> Weigh:
    """Weigh a candidate by the product of the worths of the two chunks beside it."""
    chunk = chunk_worths(candidates, params)

    def weigh(before: int, here: int, after: int) -> float:
        for start, end in ((before, here), (here, after)):
            if end > start + 1 and candidates.size(start, end) > params.plan:
                return 0.0
        return chunk(before, here) * chunk(here, after)

    return weigh


def lookback_worth(candidates: Candidates, params: SelectorParams) -> Weigh:
    """Weigh a candidate by its score and its distance from the limit, whatever comes after it."""

    def weigh(before: int, here: int, _after: int) -> float:
        limit = params.plan if before else params.limit
        window = min(params.window or limit, limit)
        size = candidates.size(before, here)
        last = candidates.size(before, here + 1) > limit
        if (size > limit and here > before + 1) or (limit - size > window and not last):
            return 0.0
        # what comes last before the limit is taken though it may be out of the window
        return cut_worth(candidates.scores[here], min(limit - size, window), window, params.decay)

    return weigh


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A way to choose cuts, with all that depends on it.

    ``select`` returns what to cut at; ``worth`` says for a range what a candidate is worth to it.
    ``decay`` and ``overlap`` (a share of the chunk size) are in force where none is given;
    ``mixes`` says whether it takes the option ``mixing``, ``about`` in a few words what it does.
    """

    select: Callable[[Candidates, SelectorParams], list[int]]
    worth: Callable[[Candidates, SelectorParams], Weigh]
    decay: float
    overlap: float
    mixes: bool
    about: str


Cutoff = Literal["optimal", "lookback"]
"""The names of the selectors, for those who check types."""
SELECTORS: Mapping[str, Selector] = MappingProxyType(
    {
        "optimal": Selector(
            select=optimal,
            worth=optimal_worth,
            decay=0.9,
            overlap=0.0,  # more gave nothing that could be measured (docs/benchmarks.md)
            mixes=True,
            about="the best cuts for the document as a whole",
        ),
        "lookback": Selector(
            select=lookback,
            worth=lookback_worth,
            decay=0.7,  # QMD's
            overlap=0.1,
            mixes=False,
            about="chunk by chunk the best cut near its limit",
        ),
    }
)
"""The selectors by name, as the option ``cutoff`` takes them; the first is the default."""


def selector_notes() -> dict[str, str]:
    """Return for each option that depends on the selector what it is with each of them."""
    rows = SELECTORS.items()
    overlaps = ", ".join(f"{name} {row.overlap:.0%}" for name, row in rows)
    return {
        "cutoff": "; ".join(f"{name}: {row.about}" for name, row in rows),
        "chunk_overlap": f"{overlaps} of the size",
        "decay": ", ".join(f"{name} {row.decay:g}" for name, row in rows),
        "mixing": ", ".join(name for name, row in rows if row.mixes) + " only",
    }
