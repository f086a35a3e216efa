"""A block while its document is walked, and what it remembers for the blocks behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdchunk.lines import Lines
from mdchunk.structure import cues
from mdchunk.structure.compiled_rules import CompiledRule

TEXTUAL = frozenset({"paragraph", "html"})
"""The kinds whose text says what they belong to."""


class Place(NamedTuple):
    """Where a block begins if what leads it is counted, and which boundary stands there."""

    start: int
    last: Block | None
    behind: tuple[str, float]
    boundary: int


class Numbering(NamedTuple):
    """How far the ordered lists of a container have counted.

    ``number`` is that of the last item of the list that ended before ``boundary``, the place behind
    it; -1 stands for none.
    """

    boundary: int = -1
    number: int = -1


NOT_NUMBERED = Numbering()


class Block:
    """A block: an open container, or what came last in one.

    Made for every block of a document, so it is one mutable record: the first row is set when it is
    made, the second as its neighbours are seen.
    """

    __slots__ = (
        *("begin", "cap", "cues", "depth", "end", "first", "foreign", "level", "rule", "start"),
        *("type", "caption", "goes_on", "last", "numbering", "number", "place", "span", "under"),
    )

    def __init__(
        self,
        rule: CompiledRule,
        token_type: str,
        extent: tuple[int, int, int],
        parent: Block | None,
    ) -> None:
        self.rule = rule
        self.type = token_type
        self.first, self.start, self.end = extent
        self.begin = self.start  # of its own text, behind the marks of what it stands in
        self.level = 1
        self.cues = rule.cues
        self.place: Place | None = None
        self.last: Block | None = None
        self.span = -1
        self.under = 0  # the level of the heading that it comments on or defines labels for
        self.number = -1  # of an ordered list's last item
        self.goes_on = False  # whether that list goes on with the numbers of one before
        self.numbering = NOT_NUMBERED
        self.caption = False  # whether it is a caption of the block before it, or has its own there
        if parent is None:
            self.cap, self.depth, self.foreign = float("inf"), 0, False
            return
        self.cap = parent.cap  # the most that a boundary inside may be worth
        self.depth = parent.depth + rule.is_list  # of lists
        self.foreign = parent.foreign or not rule.section  # its headings are not the document's


def read_words(source: str, block: Block, parent: Block) -> None:
    """Note what the words of a paragraph or piece of HTML say of its neighbours."""
    if parent.last is None:
        if parent.rule.kind == "list_item":
            return  # its item's mark stands before it
    elif source[block.start] in " \t>":
        block.begin = cues.text_start(source, block.start, block.end)
    block.cues = cues.read(source, block.begin, block.end, block.rule.cues, block.rule.kind)


def same_list(last: Block | None, block: Block, lines: Lines) -> bool:
    """Return whether a list goes on from the one before it with another marker."""
    if last is None or not block.rule.is_list or last.type != block.type:
        return False
    texts = (lines.text(last.first), lines.text(block.first))
    before, here = (len(text) - len(text.lstrip()) for text in texts)
    return before == here


def bare_container(stack: Sequence[Block]) -> Block | None:
    """Return the outermost of the containers that hold nothing yet but one another."""
    found = None
    for container in reversed(stack[1:]):
        if container.last is not None:
            break
        found = container
    return found


def section_start(first: Block) -> int:
    """Return where a section begins whose heading a block is, or is the first thing in.

    A chunk that starts at its label, or at the tag that it comes after, is of the section.
    """
    return first.place.start if first.place else first.start
