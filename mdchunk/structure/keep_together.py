"""Why a block is not to be parted from the one before it, told by their kinds and words."""

from __future__ import annotations

from typing import NamedTuple

from mdchunk.lines import Lines
from mdchunk.structure import cues
from mdchunk.structure.compiled_rules import CompiledRule

TEXTUAL = frozenset({"paragraph", "html"})
"""The kinds whose text tells what they belong to."""
LISTED = frozenset({"list", "list_item"})
UNTITLED = frozenset({"heading", "thematic_break"})
"""What a bold line is no title of."""
NO_STEP = (-1, -1)
"""Which boundary stands behind an ordered list, and the number of that list's last item."""


class Place(NamedTuple):
    """Where a block begins if what leads it is counted, and which boundary stands there."""

    start: int
    last: Block | None
    behind: tuple[str, float]
    boundary: int


class Block:
    """A block: an open container, or what came last in one."""

    __slots__ = (
        *("begin", "cap", "end", "first", "goes_on", "last", "leads", "level", "meaning", "number"),
        *("pictured", "place", "shown", "span", "start", "step", "trails", "type", "under"),
    )

    def __init__(
        self, meaning: CompiledRule, token_type: str, first: int, start: int, end: int, cap: float
    ) -> None:
        self.meaning = meaning
        self.type = token_type
        self.first = first
        self.start = start
        self.begin = start  # of its own text, behind the marks of what it stands in
        self.end = end
        self.cap = cap  # the most that a boundary inside may be worth
        self.level = 1
        self.span = -1
        self.leads: cues.Leads = "all" if meaning.leads else ""
        self.trails = False  # whether it only names or styles the block before it
        self.shown = meaning.led  # whether it is what a sentence may introduce
        self.pictured = meaning.pictured  # whether it may have a caption
        self.last: Block | None = None
        self.place: Place | None = None
        self.under = 0  # the level of the heading that it comments on or defines labels for
        self.number = -1  # of an ordered list's last item
        self.goes_on = False  # whether that list goes on with the numbers of one before
        self.step = NO_STEP  # in a container, of what stands behind its last ordered list


class Ties:
    """What ties the blocks of one document together."""

    def __init__(self, source: str, lines: Lines) -> None:
        self.source = source
        self.lines = lines
        self.caption: Block | None = None  # the last one that stands behind what it is of

    def read(self, block: Block, parent: Block) -> None:
        """Note what the words of a paragraph or piece of HTML tell of its neighbours."""
        source = self.source
        if parent.last is None:
            if parent.meaning.is_item:
                return  # its item's mark stands before it
        elif source[block.start] in " \t>":
            block.begin = cues.text_start(source, block.start, block.end)
        # most begin with another letter, which is found out sooner
        if source[block.begin] not in cues.TELLING:
            return
        start, end, html = block.begin, block.end, block.meaning.kind == "html"
        block.leads = cues.leads(source, start, end, block=html)
        block.trails = not html and cues.trails(source, start, end)
        block.shown = block.shown or cues.shows(source, start)
        block.pictured = cues.pictures(source, start)

    def reason(self, last: Block, block: Block, *, in_item: bool) -> str:
        """Name the reason not to cut between two blocks, "" if there is none."""
        meaning, before = block.meaning, last.meaning
        above = last.level if before.kind == "heading" else last.under
        if above:
            if meaning.kind != "heading":
                return "heading_content"
            return "heading_heading" if block.level > above else ""
        if block.trails or (
            meaning.kind == "html" and cues.closes(self.source, block.begin, block.end)
        ):
            return "attached"
        if before.kind == "paragraph" and self._entitles(last, block, in_item=in_item):
            return "lead_in"
        if block.shown and self._introduces(last, block):
            return "lead_in"
        pictured = block.pictured or last.pictured or before.kind == "blockquote"
        return "lead_in" if pictured and self._captioned(last, block) else ""

    def belongs(self, label: Block, block: Block) -> bool:
        """Tell whether a label is that of the block behind it."""
        if label.leads == "all":
            return True
        shown, before = block.shown, label.place.last if label.place else None
        if self.lines.of(label.end - 1) + 1 == block.first:
            return shown or block.meaning.kind == "heading" or block.leads == "heading"
        if block.leads == "all" and not label.under:
            return True
        return shown and before is not None and self._introduces(before, block)

    def continues(self, last: Block | None, block: Block) -> bool:
        """Tell whether a list goes on from the one before it with another marker."""
        if last is None or not block.meaning.is_list or last.type != block.type:
            return False
        texts = (self.lines.text(last.first), self.lines.text(block.first))
        before, here = (len(text) - len(text.lstrip()) for text in texts)
        return before == here

    def _entitles(self, last: Block, block: Block, *, in_item: bool) -> bool:
        """Tell whether a paragraph is a block's title, or what an item says before its list."""
        if in_item and block.meaning.is_list:
            return True
        if self.source[last.begin] not in cues.TITLE_STARTS or last is self.caption:
            return False
        untitled = block.meaning.kind in UNTITLED
        return not untitled and cues.entitles(self.source, last.begin, last.end)

    def _introduces(self, last: Block, block: Block) -> bool:
        """Tell whether a block ends in a paragraph that ends in a colon.

        A step of a list may introduce what stands beside the list, without its indentation.
        """
        while last.meaning.kind in LISTED and last.last and not block.meaning.is_list:
            last = last.last
        paragraph = last.meaning.kind == "paragraph"
        return paragraph and cues.introduces(self.source, last.start, last.end)

    def _captioned(self, last: Block, block: Block) -> bool:
        """Tell whether one of two blocks is the caption of the other, or says whose it is."""
        source = self.source
        if last.meaning.kind == "blockquote":
            return cues.attributes(source, block.begin, block.end)
        if last.pictured:
            image = cues.is_image(source, last.begin)
            found = cues.caption(source, block.begin, block.end, image=image)
            if found and found != self._never(last):
                self.caption = block
                return True
        if last.meaning.kind != "paragraph" or last is self.caption:
            return False
        return block.pictured and cues.caption(source, last.begin, last.end) != ""

    def _never(self, block: Block) -> cues.Caption:
        """Name the kind of caption that no such block has: that is one of what comes next."""
        if block.meaning.kind == "table" or self.source.startswith("<table", block.begin):
            return "figure"
        return "" if block.meaning.pictured else "table"
