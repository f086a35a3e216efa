"""Lists that go on with the numbers of one before: what stands between them is of its step."""

from __future__ import annotations

from markdown_it.token import Token

from mdchunk.structure.blocks import NOT_NUMBERED, Block, Numbering

BULLETS = -2
"""What stands for the number of a list that has none."""


def number(
    token: Token,
    block: Block,
    parent: Block,
    boundaries: list[tuple[int, float, str]],
    tie: tuple[float, str],
) -> None:
    """Tie what stands between two ordered lists to the first, if the second goes on with it.

    It is of the step before it, without the indentation that CommonMark asks for. Whoever
    numbers every step 1 means that too, and so does code between two lists without numbers.
    ``tie`` is what takes the place of score and kind.
    """
    last, rule = parent.last, block.rule
    (at, count), parent.numbering = parent.numbering, NOT_NUMBERED
    if rule.is_list:
        start = token.attrs.get("start", 1) if block.type == "ordered_list_open" else -1
        numbered = start == count + 1 or start == count == 1
        block.goes_on = at >= 0 and (start == -1 if count == BULLETS else numbered)
        if block.goes_on:
            boundaries[at] = (boundaries[at][0], *tie)
    elif last is not None and last.number >= 0 and boundaries[-1][0] == block.start:
        if rule.kind != "heading":
            parent.numbering = Numbering(len(boundaries) - 1, last.number)
        if last.goes_on and block.cues.introduced:
            boundaries[-1] = (boundaries[-1][0], *tie)
    elif last is not None and last.type == "bullet_list_open":
        if rule.inside == "code" and boundaries[-1][0] == block.start:
            parent.numbering = Numbering(len(boundaries) - 1, BULLETS)
    elif rule.kind != "heading" and count != BULLETS:
        parent.numbering = Numbering(at, count)
