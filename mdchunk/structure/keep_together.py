"""Rules that keep a block with the one before it, from the kinds and the text of both."""

from __future__ import annotations

from collections.abc import Callable

from mdchunk.lines import Lines
from mdchunk.structure import cues
from mdchunk.structure.blocks import Block

LISTED = frozenset({"list", "list_item"})


def reason(source: str, last: Block, block: Block, parent: Block) -> str:
    """Return the reason not to cut between two blocks of one container, "" if there is none."""
    above = last.level if last.rule.kind == "heading" else last.under
    if above:
        return _below_heading(above, block)
    for holds, name in REASONS:
        if holds(source, last, block, parent):
            return name
    return ""


def belongs(source: str, lines: Lines, label: Block, block: Block) -> bool:
    """Return whether a label is that of the block behind it."""
    leads = label.cues.leads
    if leads != "heading":
        return leads == "all"
    introduced, before = block.cues.introduced, label.place.last if label.place else None
    if lines.of(label.end - 1) + 1 == block.first:
        return introduced or block.rule.kind == "heading" or block.cues.leads == "heading"
    if block.cues.leads == "all" and not label.under:
        return True
    return introduced and before is not None and introduces(source, before, block)


def _below_heading(above: int, block: Block) -> str:
    if block.rule.kind != "heading":
        return "heading_content"
    return "heading_heading" if block.level > above else ""


def _trails(_source: str, _last: Block, block: Block, _parent: Block) -> bool:
    return block.cues.trails


def _closes(source: str, _last: Block, block: Block, _parent: Block) -> bool:
    return block.rule.kind == "html" and cues.closes(source, block.begin, block.end)


def _entitles(source: str, last: Block, block: Block, parent: Block) -> bool:
    """Return whether a paragraph is a block's title, or what an item says before its list."""
    if last.rule.kind != "paragraph":
        return False
    if block.rule.is_list and parent.rule.kind == "list_item":
        return True
    if source[last.begin] not in cues.TITLE_STARTS or last.caption:
        return False
    return block.rule.titled and cues.entitles(source, last.begin, last.end)


def _introduces(source: str, last: Block, block: Block, _parent: Block) -> bool:
    return block.cues.introduced and introduces(source, last, block)


def introduces(source: str, last: Block, block: Block) -> bool:
    """Return whether a block ends in a paragraph that ends in a colon.

    A step of a list may introduce what stands beside the list, without its indentation.
    """
    while last.rule.kind in LISTED and last.last and not block.rule.is_list:
        last = last.last
    return last.rule.kind == "paragraph" and cues.introduces(source, last.start, last.end)


def _says(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a line says whose words the quote before it has."""
    quoted = last.rule.kind == "blockquote"
    return quoted and cues.attributes(source, block.begin, block.end)


def _captions(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether one of two blocks is the caption of the other."""
    if not (block.cues.captioned or last.cues.captioned) or last.rule.kind == "blockquote":
        return False
    if last.cues.captioned:
        image = cues.is_image(source, last.begin)
        found = cues.caption(source, block.begin, block.end, image=image)
        if found and found != _never(source, last):
            block.caption = True
            return True
    if last.rule.kind != "paragraph" or last.caption:
        return False
    return block.cues.captioned and cues.caption(source, last.begin, last.end) != ""


def _never(source: str, block: Block) -> cues.Caption:
    """Return the kind of caption that no such block has: that is one of what comes next."""
    if block.rule.inside == "rows" or source.startswith("<table", block.begin):
        return "figure"
    return "" if block.rule.cues.captioned else "table"


REASONS: tuple[tuple[Callable[[str, Block, Block, Block], bool], str], ...] = (
    (_trails, "attached"),
    (_closes, "attached"),
    (_entitles, "lead_in"),
    (_introduces, "lead_in"),
    (_says, "lead_in"),
    (_captions, "lead_in"),
)
"""The reasons not to cut between two blocks of which none is a heading, the first that holds."""
