"""The selectors on places made by hand: QMD's arithmetic, and the best cuts against all cuts."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise
from math import inf, log
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk import DEFAULT_SCORES, Chunker, Options, OptionsError, options
from mdchunk.commands.flags import descriptions
from mdchunk.cutting import planner, selectors
from mdchunk.cutting.candidates import Candidates
from mdchunk.cutting.explain import explain
from mdchunk.cutting.intervals import Intervals
from mdchunk.cutting.selectors import (
    SELECTORS,
    Cutoff,
    Selector,
    SelectorParams,
    chunk_worths,
    cut_worth,
    lookback,
    optimal,
    thinned,
)
from mdchunk.options import CHOICES

HEADING = DEFAULT_SCORES["heading"]
BLANK_LINE = DEFAULT_SCORES["paragraph"].base
LIMIT, WINDOW, DECAY = 3600, 800, 0.7


def make(
    places: Sequence[tuple[int, float]],
    end: int,
    headings: Sequence[tuple[int, float]] = (),
    extras: Sequence[float] = (),
) -> Candidates:
    """Make steps of (offset, score) places, a unit being a code point."""
    offsets = [0, *(offset for offset, _ in places), end]
    return Candidates(
        offsets,
        [0.0, *(score for _, score in places), 100.0],
        ["start", *("block" for _ in places), "end"],
        list(offsets),
        list(offsets),
        list(extras) or [0.0] * len(offsets),
        list(headings),
        Intervals([]),
    )


def first_cut(*places: tuple[int, float], end: int = 9000) -> int:
    """Give the offset at which QMD's chunker ends a first chunk."""
    steps = make(sorted(places), end)
    aim = SelectorParams(limit=LIMIT, plan=LIMIT, decay=DECAY, window=WINDOW)
    return steps.offsets[lookback(steps, aim)[0]]


# QMD's arithmetic: 900 tokens of four characters, a window of 200 tokens


def test_an_h2_at_the_far_edge_beats_a_blank_line_at_the_target() -> None:
    assert cut_worth(HEADING.at(2), 800, WINDOW, DECAY) == pytest.approx(27)
    assert first_cut((2800, HEADING.at(2)), (3600, BLANK_LINE)) == 2800


def test_an_h4_there_wins_and_an_h6_loses() -> None:
    assert cut_worth(HEADING.at(4), 800, WINDOW, DECAY) == pytest.approx(21)
    assert cut_worth(HEADING.at(6), 800, WINDOW, DECAY) == pytest.approx(15)
    assert first_cut((2800, HEADING.at(4)), (3600, BLANK_LINE)) == 2800
    assert first_cut((2800, HEADING.at(6)), (3600, BLANK_LINE)) == 3600


def test_an_h5_wins_from_780_back_and_loses_from_782() -> None:
    assert first_cut((3600 - 780, HEADING.at(5)), (3600, BLANK_LINE)) == 2820
    assert first_cut((3600 - 782, HEADING.at(5)), (3600, BLANK_LINE)) == 3600


def test_a_far_h1_loses_to_a_near_h2() -> None:
    assert cut_worth(HEADING.at(1), 600, WINDOW, DECAY) == pytest.approx(60.6, abs=0.05)
    assert cut_worth(HEADING.at(2), 200, WINDOW, DECAY) == pytest.approx(86.1, abs=0.05)
    assert first_cut((3000, HEADING.at(1)), (3400, HEADING.at(2))) == 3400


def test_the_window_includes_its_edge() -> None:
    assert first_cut((2800, 100), (3600, 1)) == 2800
    assert first_cut((2799, 100), (3600, 1)) == 3600


def test_qmds_options_reach_the_selector() -> None:
    options = Options.qmd()
    assert (options.chunk_size, options.chunk_overlap, options.window) == (900, 135, 200)
    assert (options.cutoff, options.decay, options.front_matter) == ("lookback", 0.7, "chunk")


@pytest.mark.parametrize(
    ("level", "cut"), [(2, "heading"), (4, "heading"), (6, "paragraph"), (5, "paragraph")]
)
def test_qmds_arithmetic_holds_on_markdown(level: int, cut: str) -> None:
    """A heading after 2,800 characters against a paragraph after 3,600."""
    heading = f"\n\n{'#' * level} Heading\n\n"
    text = f"{'a' * 2800}{heading}{'b' * (800 - len(heading))}\n\n{'c' * 3000}\n"
    options = Options.qmd(chunk_size=3600, window=800, chunk_overlap=0, unit="characters")
    first = Chunker(options).chunk(text)[0]
    assert (first.cut, first.size) == (cut, 2800 if cut == "heading" else 3600)


# lookback otherwise


def test_of_equal_worths_the_later_cut_wins() -> None:
    steps = make([(10, 50), (20, 50), (30, 50)], 100)
    aim = SelectorParams(limit=35, plan=35, decay=0.0)
    assert lookback(steps, aim)[0] == 3


def test_no_window_is_the_whole_chunk() -> None:
    places = [(100, 100), (900, 20), (1000, 20)]
    whole = SelectorParams(limit=1000, plan=1000, decay=0.7)
    near = SelectorParams(limit=1000, plan=1000, decay=0.7, window=500)
    assert lookback(make(places, 1500), whole)[0] == 1
    assert lookback(make(places, 1500), near)[0] == 3


def test_a_window_larger_than_the_chunk_is_the_whole_chunk() -> None:
    places = [(100, 100), (900, 20), (1000, 20)]
    wide = SelectorParams(limit=1000, plan=1000, decay=0.7, window=50_000)
    assert lookback(make(places, 1500), wide)[0] == 1


def test_the_first_chunk_may_fill_the_limit_and_the_others_leave_room_for_overlap() -> None:
    steps = make([(offset, 20) for offset in range(10, 300, 10)], 300)
    aim = SelectorParams(limit=100, plan=80, decay=0.0)
    assert [steps.offsets[cut] for cut in lookback(steps, aim)] == [100, 180, 260, 300]


@pytest.mark.parametrize("select", [lookback, optimal])
def test_a_step_over_the_limit_is_a_chunk_of_its_own(select: object) -> None:
    assert callable(select)
    steps = make([(50, 20), (500, 20), (540, 20)], 590)
    aim = SelectorParams(limit=100, plan=100, decay=0.7)
    offsets = [steps.offsets[cut] for cut in select(steps, aim)]
    assert offsets[:2] == [50, 500]
    assert offsets[-1] == 590


# optimal against all sets of cuts


def cost(steps: Candidates, aim: SelectorParams, cuts: Sequence[int]) -> float:
    """Sum -log worth over the chunks of a set of cuts, straight from the formula (design, 10)."""
    total = 0.0
    for start, end in pairwise((0, *cuts)):
        size = steps.size(start, end)
        if size > aim.plan and end - start > 1:
            return inf
        short = 1 - min(size, aim.plan) / aim.plan
        score = 100 if end == len(steps.offsets) - 1 else steps.scores[end]
        worth = max(score / 100, 1e-9) * max(1 - aim.decay * short**2, 1e-9)
        for offset, heading in steps.headings:
            if steps.offsets[start] < offset < steps.offsets[end]:
                worth *= 1 - aim.mixing * heading / 100
        total -= log(worth)
    return total


def all_cuts(steps: Candidates) -> Iterator[tuple[int, ...]]:
    last = len(steps.offsets) - 1
    inner = range(1, last)
    for some in chain.from_iterable(combinations(inner, n) for n in range(last)):
        yield (*some, last)


@st.composite
def small_documents(draw: st.DrawFn) -> Candidates:
    """Draw up to 12 places with headings at some of them and between some."""
    gaps = draw(st.lists(st.integers(1, 60), min_size=2, max_size=11))
    offsets = [sum(gaps[: n + 1]) for n in range(len(gaps))]
    scores = [float(draw(st.sampled_from([0.5, 1, 4, 20, 45, 75, 90, 100]))) for _ in offsets[:-1]]
    heads = draw(st.lists(st.integers(0, offsets[-1] - 1), max_size=5, unique=True))
    heads += draw(st.lists(st.sampled_from([0, *offsets[:-1]]), max_size=3, unique=True))
    headings = [(h, draw(st.sampled_from([50.0, 80.0, 100.0]))) for h in sorted(set(heads))]
    extras: list[float] = []
    if draw(st.booleans()):
        extras = [float(draw(st.integers(0, 25))) for _ in range(len(offsets) + 1)]
    return make(list(zip(offsets[:-1], scores, strict=True)), offsets[-1], headings, extras)


aims = st.builds(
    lambda limit, decay, mixing: SelectorParams(
        limit=limit, plan=limit, decay=decay, mixing=mixing
    ),
    st.integers(20, 200),
    st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    st.sampled_from([0.0, 0.6, 0.8]),
)


@settings(max_examples=150, deadline=None)
@given(small_documents(), aims)
def test_nothing_beats_optimal(steps: Candidates, aim: SelectorParams) -> None:
    found = cost(steps, aim, optimal(steps, aim))
    least = min(cost(steps, aim, cuts) for cuts in all_cuts(steps))
    assert found <= least + 1e-9 * (1 + abs(least))


@pytest.mark.parametrize("seed", range(3))
def test_nothing_beats_optimal_at_fourteen_boundaries(seed: int) -> None:
    draw = random.Random(seed)
    offsets = sorted(draw.sample(range(1, 400), 14))
    places = [(offset, draw.choice([1.0, 20.0, 70.0, 90.0])) for offset in offsets]
    steps = make(places, 400, [(offset, 90.0) for offset, score in places if score == 90])
    aim = SelectorParams(limit=150, plan=150, decay=0.9, mixing=0.8)
    least = min(cost(steps, aim, cuts) for cuts in all_cuts(steps))
    assert cost(steps, aim, optimal(steps, aim)) == pytest.approx(least, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 30), st.sampled_from([50.0, 100.0])), min_size=2, max_size=10
    ),
    st.integers(30, 90),
)
def test_of_equal_sets_the_later_cuts_win(blocks: list[tuple[int, float]], limit: int) -> None:
    """Scores of 50 and 100 without decay cost 1 and 0 bits, so that equal sums are equal floats."""
    offsets = [sum(size for size, _ in blocks[: n + 1]) for n in range(len(blocks))]
    scores = [score for _, score in blocks[:-1]]
    steps = make(list(zip(offsets[:-1], scores, strict=True)), offsets[-1])
    aim = SelectorParams(limit=limit, plan=limit, decay=0.0)
    costs = {
        cuts: round(cost(steps, aim, cuts) / log(2))
        for cuts in all_cuts(steps)
        if fits(steps, aim, cuts)
    }
    least = min(costs.values())
    latest = max(cuts[::-1] for cuts in costs if costs[cuts] == least)
    assert tuple(optimal(steps, aim))[::-1] == latest


def fits(steps: Candidates, aim: SelectorParams, cuts: Sequence[int]) -> bool:
    return cost(steps, aim, cuts) < inf


@settings(max_examples=100, deadline=None)
@given(small_documents(), aims)
def test_the_worth_that_is_shown_is_the_worth_that_is_summed(
    steps: Candidates, aim: SelectorParams
) -> None:
    cuts = optimal(steps, aim)
    worth = chunk_worths(steps, aim)
    shown = -sum(log(worth(a, b)) for a, b in pairwise((0, *cuts)))
    assert shown == pytest.approx(cost(steps, aim, cuts), abs=1e-9)


class Counted(list[tuple[int, float]]):
    """Headings that count how many of them are looked at, since a loop need not call anything."""

    looked_at = 0

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        self.looked_at += len(found) if isinstance(index, slice) else 1
        return found

    def __iter__(self) -> Iterator[tuple[int, float]]:
        self.looked_at += len(self)
        return super().__iter__()


@pytest.mark.parametrize("name", SELECTORS)
def test_places_are_explained_in_proportion_to_their_number(name: str) -> None:
    """Each was weighed by a walk over the headings of its chunk: the square of their number."""

    def looked_at(count: int) -> int:
        headings = Counted((10 * n, 90.0) for n in range(1, count))
        steps = replace(make(headings, 10 * count), headings=headings)
        headings.looked_at = 0
        aim = SelectorParams(limit=5 * count, plan=5 * count, decay=0.9, mixing=0.001)
        cuts = SELECTORS[name].select(steps, aim)
        assert len(cuts) <= 3
        assert len(list(explain([(steps, cuts, aim)], SELECTORS[name]))) == count - 1
        return headings.looked_at

    assert looked_at(1600) <= 2.1 * max(looked_at(800), 800)


@pytest.mark.parametrize("window", [None, 3, 20])
@settings(max_examples=100, deadline=None)
@given(small_documents(), aims)
def test_lookback_takes_what_is_worth_most_to_it(
    window: int | None, steps: Candidates, aim: SelectorParams
) -> None:
    """Worth is by QMD's formula; 0 for what does not fit or is out of the window."""
    aim = replace(aim, window=window)
    cuts = lookback(steps, aim)
    for place in explain([(steps, cuts, aim)], SELECTORS["lookback"]):
        at = steps.offsets.index(place.offset)
        before = max(cut for cut in (0, *cuts) if cut < at)
        limit = aim.plan if before else aim.limit
        distance = limit - steps.size(before, at)
        reach = limit if window is None else min(window, limit)
        if place.chosen:
            assert place.worth >= place.runner_up_worth
        elif (distance < 0 and at > before + 1) or distance > reach:
            assert place.worth == 0 or (place.worth > 0 and steps.size(before, at + 1) > limit)
        if 0 <= distance <= reach:
            expected = place.score * (1 - aim.decay * (distance / reach) ** 2)
            assert place.worth == pytest.approx(expected)


def test_each_selector_is_one_row() -> None:
    assert tuple(SELECTORS) == get_args(Cutoff) == CHOICES["cutoff"]
    assert Options().cutoff == next(iter(SELECTORS))


def test_a_row_is_all_that_a_selector_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cuts at each place is there for options, chunks, explanations and help."""

    def every(steps: Candidates, _: SelectorParams) -> list[int]:
        return list(range(1, len(steps.offsets)))

    def number(_steps: Candidates, _: SelectorParams) -> Callable[[int, int, int], float]:
        return lambda _before, place, _after: float(place)

    row = Selector(
        select=every, worth=number, decay=0.25, overlap=0.0, mixes=False, about="all places"
    )
    known = {**SELECTORS, "every": row}
    monkeypatch.setattr(selectors, "SELECTORS", known)
    for module in (options, planner):
        monkeypatch.setattr(module, "SELECTORS", known)
    monkeypatch.setattr(options, "CHOICES", {"cutoff": tuple(known)})
    chunker = Chunker(cutoff="every", chunk_size=12, unit="characters")  # type: ignore[arg-type]
    source = "One\n\nTwo\n\nThree\n"
    assert chunker.options.decay_in_force == 0.25
    assert [piece.text for piece in chunker.chunk(source)] == ["One", "Two", "Three"]
    assert [place.worth for place in chunker.explain(source)] == [1.0, 2.0]
    assert "every: all places" in descriptions()["cutoff"]
    with pytest.raises(OptionsError, match=", ".join(map(repr, known))):
        Options(cutoff="none")  # type: ignore[arg-type]


def test_a_document_without_places_is_one_chunk() -> None:
    aim = SelectorParams(limit=10, plan=10, decay=0.9, mixing=0.8)
    assert optimal(make([], 5), aim) == lookback(make([], 5), aim) == [1]


# thinning


def blocks_of(kind: str, count: int) -> list[int]:
    draw = random.Random(kind)
    sizes = {
        "ones": lambda: 1,
        "small": lambda: draw.randint(1, 4),
        "mixed": lambda: draw.choice([1, 1, 1, 1, 50]),
        "long tail": lambda: max(1, int(draw.paretovariate(0.9))),
        "just over a stretch": lambda: draw.choice([1, 17]),
    }
    return [sizes[kind]() for _ in range(count)]


def many(kind: str, count: int = 6000) -> Candidates:
    draw = random.Random(count)
    offset, places = 0, []
    for size in blocks_of(kind, count):
        offset += size
        places.append((offset, draw.choice([1.0, 20.0, 45.0, 90.0])))
    return make(places[:-1], offset)


KINDS = ["ones", "small", "mixed", "long tail", "just over a stretch"]
LIMITS = [10, 64, 130, 512, 1024, 4000, 50_000]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", LIMITS)
def test_no_place_has_more_than_140_within_reach(kind: str, limit: int) -> None:
    """The steps that the relaxation takes are counted, place by place."""
    steps = many(kind)
    places = thinned(steps, SelectorParams(limit=limit, plan=limit, decay=0.9))
    heads = [steps.heads[place] for place in places]
    reached = [
        end - bisect_left(heads, steps.tails[place] - limit) for end, place in enumerate(places)
    ]
    assert max(reached) <= 140 or len(places) == len(steps.offsets)
    assert sum(reached) <= 140 * len(steps.offsets)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", LIMITS)
def test_thinning_leaves_a_way_through(kind: str, limit: int) -> None:
    steps = many(kind)
    places = thinned(steps, SelectorParams(limit=limit, plan=limit, decay=0.9))
    assert (places[0], places[-1]) == (0, len(steps.offsets) - 1)
    for before, after in pairwise(places):
        assert after == before + 1 or steps.size(before, after) <= limit
    cuts = [0, *optimal(steps, SelectorParams(limit=limit, plan=limit, decay=0.9, mixing=0.8))]
    assert all(b == a + 1 or steps.size(a, b) <= limit for a, b in pairwise(cuts))


def test_thinning_keeps_the_best_place_of_a_stretch() -> None:
    """Of 4,000 unit blocks the one heading in each hundred is what is cut at."""
    places = [(n, 90.0 if n % 100 == 37 else 1.0) for n in range(1, 4000)]
    steps = make(places, 4000)
    cuts = optimal(steps, SelectorParams(limit=640, plan=640, decay=0.9))
    assert all(steps.offsets[cut] % 100 == 37 for cut in cuts[:-1])


def test_a_place_is_left_in_every_stretch_and_of_equal_ones_the_last() -> None:
    """A stretch is 1/64 of the limit, which is 10 of these blocks."""
    steps = make([(n, 20.0) for n in range(1, 4000)], 4000)
    places = thinned(steps, SelectorParams(limit=640, plan=640, decay=0.9))
    assert places[:4] == [0, 11, 22, 33]
    assert max(after - before for before, after in pairwise(places)) == 11


def test_few_places_are_not_thinned() -> None:
    steps = many("mixed", 60)
    assert thinned(steps, SelectorParams(limit=10**6, plan=10**6, decay=0.9)) == list(range(61))
