"""Which of the places to cut at: the cutoff selectors, which know scores and sizes but no Markdown.

A selector takes the steps of a range and gives the indices of the places to cut at, the range's
end included. ``limit`` is what a chunk may hold, ``plan`` what it should: less, if an overlap is
to be added. A single step may take the limit whole, since it cannot be cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import exp, inf, log
from operator import le
from types import MappingProxyType
from typing import Literal

from mdchunk.cutting.candidates import Candidates

THIN = 64
"""Under the optimal selector no more than two places in each 1/64 of the limit are candidates."""
SHARED = 1 << 14
"""Up to this limit what fills cost is remembered from one document to the next."""
LEAST = 1e-9
"""A worth of nothing, so that its logarithm exists."""

Weigh = Callable[[int, int, int], float]
"""Says what a place is worth that stands between two cuts: (cut before, place, cut after)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorParams:
    """What a selector strives for.

    ``decay`` is how much of its score a cut loses as its chunk gets shorter, ``mixing`` how much of
    its worth a chunk loses for each heading inside it, in shares of that heading's score;
    ``window`` is how far behind the limit lookback looks (None: to the chunk's start).
    """

    limit: float
    plan: float
    decay: float
    mixing: float = 0.0
    window: float | None = None


def lookback(steps: Candidates, aim: SelectorParams) -> list[int]:
    """Fill each chunk to the limit, then go back to the best place to cut (QMD's selector)."""
    cuts: list[int] = []
    start, last = 0, len(steps.offsets) - 1
    while start < last:
        limit = aim.plan if start else aim.limit
        end = start + 1
        while end < last and steps.size(start, end + 1) <= limit:
            end += 1
        if end < last:
            end = _best_behind(steps, start, end, limit, aim)
        cuts.append(end)
        start = end
    return cuts


def _best_behind(
    steps: Candidates, start: int, furthest: int, limit: float, aim: SelectorParams
) -> int:
    window = min(aim.window or limit, limit)
    best, best_worth = furthest, -1.0
    for end in range(furthest, start, -1):
        distance = limit - steps.size(start, end)
        if distance > window:
            break
        worth = cut_worth(steps.scores[end], distance, window, aim.decay)
        if worth > best_worth:
            best, best_worth = end, worth
    return best


def cut_worth(score: float, distance: float, window: float, decay: float) -> float:
    """Give what a cut is worth at a distance behind the limit: less by the square of it (QMD)."""
    return score * (1 - decay * (max(distance, 0) / window) ** 2)


def optimal(steps: Candidates, aim: SelectorParams) -> list[int]:
    """Find the set of cuts whose chunks' worths have the greatest product, as TeX breaks lines.

    The least sum of -log worth over all sets is found by forward relaxation; of equal sets the
    one with the later cut wins.
    """
    places = candidates(steps, aim)
    before, through = _mixing(steps, places, aim.mixing)
    heads = [steps.heads[place] - steps.extras[place] for place in places]
    costs = [COSTS[steps.scores[place]] for place in places]
    costs[-1] = 0.0  # the end of the range is the best of cuts
    fill = _fill(aim.plan, aim.decay) if aim.plan <= SHARED else _Fill(aim.plan, aim.decay)
    # what the best cuts up to a place cost, less the headings up to it
    behind = [-through[0]]
    after = _Cheaper(heads)
    back = [0]
    low, plan = 0, aim.plan
    for near in range(len(places) - 1):
        end = near + 1
        tail = steps.tails[places[end]]
        while low < near and tail - heads[low] > plan:
            low += 1
        least, best, place = inf, near, low
        while place < near:
            cost = behind[place] + fill[tail - heads[place]]
            if cost <= least:
                least, best = cost, place
            place = after[place]
        # a step of its own may be as large as the limit
        cost = behind[near] + fill[min(tail - heads[near], plan)]
        if cost <= least:
            least, best = cost, near
        back.append(best)
        behind.append(least + before[end] + costs[end] - through[end])
        after.link(behind, near)
    return [places[index] for index in _trace(back)]


class _Cheaper(list[int]):
    """From each place, the next behind which the best cuts cost no more.

    The later of two starts makes the smaller chunk, which costs more, so one that costs more by
    itself too need not be compared while the earlier is within reach. This holds where sizes rise
    from place to place; with context they may not, and then no place is passed over.
    """

    def __init__(self, heads: Sequence[float]) -> None:
        super().__init__(range(1, len(heads) + 1))
        self.rising = all(map(le, heads, heads[1:]))
        self.dearer: list[int] = []

    def link(self, behind: Sequence[float], newest: int) -> None:
        """Take in a place whose cost is known."""
        if not self.rising:
            return
        cost, dearer = behind[newest], self.dearer
        while dearer and behind[dearer[-1]] >= cost:
            self[dearer.pop()] = newest
        self[newest] = len(self)  # none is known yet
        dearer.append(newest)


class _Costs(dict[float, float]):
    """What a cut costs by its score."""

    def __missing__(self, score: float) -> float:
        cost = -log(max(score / 100, LEAST))
        if len(self) < SHARED:
            self[score] = cost
        return cost


COSTS = _Costs()


class _Fill(dict[float, float]):
    """What a chunk costs for the room that it leaves, by its size; each size is worked out once."""

    def __init__(self, plan: float, decay: float) -> None:
        self.plan = plan
        self.decay = decay

    def __missing__(self, size: float) -> float:
        short = 1 - size / self.plan
        cost = inf if short < 0 else -log(max(1 - self.decay * short * short, LEAST))
        self[size] = cost
        return cost


_fill = lru_cache(maxsize=8)(_Fill)


def candidates(steps: Candidates, aim: SelectorParams) -> list[int]:
    """Choose the places that optimal compares: all, or of tiny blocks the best in each stretch.

    Each place then has at most about 128 places within reach, so that time is linear.
    """
    heads, tails, last = steps.heads, steps.tails, len(steps.offsets) - 1
    if last < 4 * THIN:
        return list(range(last + 1))  # even if each could reach all before it
    low = reached = 0
    for end in range(1, last + 1):
        while tails[end] - heads[low] > aim.plan and low < end - 1:
            low += 1
        reached += end - low
    if reached <= 2 * THIN * last:
        return list(range(last + 1))
    stretch = aim.plan / THIN
    kept = {0, last}
    first = best = 1
    for place in range(1, last):
        # the ends of a large step stay, since its neighbours might not reach across it
        if heads[place + 1] - heads[place] > stretch:
            kept.update((place, place + 1))
        if heads[place] - heads[first] > stretch:
            kept.add(best)
            first = best = place
        elif steps.scores[place] >= steps.scores[best]:
            best = place
    kept.add(best)
    return sorted(kept)


def _mixing(
    steps: Candidates, places: Sequence[int], mixing: float
) -> tuple[list[float], list[float]]:
    """Sum the costs of the headings before each place, without and with one that stands there."""
    headings = [offset for offset, _ in steps.headings]
    totals = _heading_costs(steps, mixing)
    offsets = [steps.offsets[place] for place in places]
    before = [totals[bisect_left(headings, offset)] for offset in offsets]
    through = [totals[bisect_right(headings, offset)] for offset in offsets]
    return before, through


def _heading_costs(steps: Candidates, mixing: float) -> list[float]:
    """Sum up to each heading what it costs a chunk to have the headings before it inside."""
    costs = (-log(max(1 - mixing * score / 100, LEAST)) for _, score in steps.headings)
    return [0.0, *accumulate(costs)]


def _trace(back: Sequence[int]) -> list[int]:
    cuts = []
    index = len(back) - 1
    while index > 0:
        cuts.append(index)
        index = back[index]
    cuts.reverse()
    return cuts


def chunk_worths(steps: Candidates, aim: SelectorParams) -> Callable[[int, int], float]:
    """Return what says what the chunk between two places is worth to the optimal selector.

    The range's end is the best of cuts. Costs of headings are summed once, and not for each chunk.
    """
    headings = [offset for offset, _ in steps.headings]
    totals = _heading_costs(steps, aim.mixing)
    last = len(steps.offsets) - 1

    def worth(start: int, end: int) -> float:
        score = 100.0 if end == last else steps.scores[end]
        short = 1 - min(steps.size(start, end), aim.plan) / aim.plan
        low = bisect_right(headings, steps.offsets[start])
        mixed = totals[max(low, bisect_left(headings, steps.offsets[end]))] - totals[low]
        filled = max(1 - aim.decay * short * short, LEAST)
        return max(score / 100, LEAST) * filled * exp(-mixed)

    return worth


def optimal_worth(steps: Candidates, aim: SelectorParams) -> Weigh:
    """Weigh a place by the product of the worths of the two chunks beside it."""
    chunk = chunk_worths(steps, aim)

    def weigh(before: int, place: int, after: int) -> float:
        for start, end in ((before, place), (place, after)):
            if end > start + 1 and steps.size(start, end) > aim.plan:
                return 0.0
        return chunk(before, place) * chunk(place, after)

    return weigh


def lookback_worth(steps: Candidates, aim: SelectorParams) -> Weigh:
    """Weigh a place by its score and its distance from the limit, whatever comes after it."""

    def weigh(before: int, place: int, _after: int) -> float:
        limit = aim.plan if before else aim.limit
        window = min(aim.window or limit, limit)
        size = steps.size(before, place)
        last = steps.size(before, place + 1) > limit
        if (size > limit and place > before + 1) or (limit - size > window and not last):
            return 0.0
        # what comes last before the limit is taken though it may be out of the window
        return cut_worth(steps.scores[place], min(limit - size, window), window, aim.decay)

    return weigh


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A way to choose cuts, with all that depends on it.

    ``select`` returns the places to cut at; ``worth`` says for a range what a place is worth to it.
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
