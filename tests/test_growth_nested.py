"""Containers in containers: calls grow with the lines inside of them, at any depth."""

from __future__ import annotations

import pytest
from growth import calls, doublings
from hostile import CONTAINERS, DEPTHS, INSIDES, Shape, nested, opened, repeated

from mdchunk import parse

SIZE = 240
STEEPEST = 2.3


def assert_linear(shape: Shape, size: int) -> None:
    counts = [calls(lambda n=n: parse(shape(n))) for n in (size, 2 * size, 4 * size)]
    assert max(doublings(counts)) <= STEEPEST, counts


@pytest.mark.parametrize("inside", INSIDES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_calls_grow_with_what_is_inside(container: str, inside: str) -> None:
    parse(nested(container, inside, 1)(SIZE))
    for depth in DEPTHS:
        assert_linear(nested(container, inside, depth), SIZE)


@pytest.mark.parametrize("container", CONTAINERS)
def test_calls_grow_with_the_number_of_containers(container: str) -> None:
    parse(repeated(container, 1)(SIZE))
    for depth in DEPTHS:
        assert_linear(repeated(container, depth), 1_000)
        assert_linear(opened(container, depth), 1_000)


@pytest.mark.parametrize("container", CONTAINERS)
def test_the_containers_are_there(container: str) -> None:
    """The text is in a block of its own in one for each level, as the shape says."""
    for depth in DEPTHS[:3]:
        document = parse(nested(container, "blank lines", depth)(90))
        texts = [block for block in document.structure.blocks if block.kind == "paragraph"]
        last = texts[-1]
        round_it = [
            b for b in document.structure.blocks if b.start <= last.start and b.end >= last.end
        ]
        assert len(round_it) > depth, [block.kind for block in document.structure.blocks]
