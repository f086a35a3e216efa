"""Rules that keep a block with the one before it, from the kinds and the text of both."""

from __future__ import annotations

from collections.abc import Callable

from mdchunk.lines import Lines
from mdchunk.structure import cues, ends
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
    text = _text(last)
    return text is not None and cues.introduces(source, text.start, text.end)


def _shows_output(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a block of code shows what the fenced one before it gives."""
    if not (last.rule.inside == block.rule.inside == "code" and last.rule.kind == block.rule.kind):
        return False
    first = cues.text_start(source, last.start, last.end)
    begin = cues.text_start(source, block.start, block.end)
    return source.startswith(("```", "~~~"), first) and cues.is_output(source, begin, block.end)


def _text(last: Block) -> Block | None:
    """Return the paragraph that ends a block: itself, or all that a quote says."""
    if last.rule.kind == "blockquote" and last.last and last.last.first == last.first:
        last = last.last
    return last if last.rule.kind == "paragraph" else None


def _points(source: str, last: Block, block: Block, _parent: Block) -> bool:
    text = _text(last) if block.cues.introduced else None
    return text is not None and ends.points_down(source, text.begin, text.end)


def _is_open(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a text leads on to a block, since it does not end where its paragraph does.

    A line leads on to a paragraph only as its title or question, so that one is a sentence itself.
    """
    follows = block.rule.kind == "paragraph"
    leads = follows or (block.cues.introduced and block.rule.titled)
    text = _text(last) if leads else None
    if text is None or last.caption or cues.shows(source, text.begin):
        return False
    if not ends.is_open(source, text.begin, text.end):
        return False
    return not follows or ends.is_sentence(source, block.begin, block.end)


def _in_sentence(source: str, last: Block, block: Block, parent: Block) -> bool:
    """Return whether one sentence goes on from a text to a formula, or behind one."""
    if block.rule.kind != "math" and not _goes_on(source, last, block, parent):
        return False
    text = _text(last)
    return text is not None and ends.is_open(source, text.begin, text.end)


def _goes_on(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a text goes on from before a block, or from a text that has no end."""
    if block.rule.kind != "paragraph":
        return False
    closed = last.rule.kind == "paragraph" and not ends.is_open(source, last.begin, last.end)
    if closed and not cues.shows(source, last.begin):
        return False
    behind_math = last.rule.kind == "math"
    return ends.goes_on(source, block.begin, block.end, behind_math=behind_math)


def _says(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a line says whose words the quote before it has."""
    quoted = last.rule.kind == "blockquote"
    return quoted and cues.attributes(source, block.begin, block.end)


def _captions(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether one of two blocks is the caption of the other."""
    if not (block.cues.captioned or last.cues.captioned) or last.rule.kind == "blockquote":
        return False
    if last.cues.captioned and not last.caption:
        image = cues.is_image(source, last.begin)
        found = cues.caption(source, block.begin, block.end, image=image)
        if found and found != _never(source, last):
            block.caption = True
            return True
    if last.rule.kind != "paragraph" or last.caption:
        return False
    if not block.cues.captioned or not cues.caption(source, last.begin, last.end):
        return False
    block.caption = True
    return True


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
    (_shows_output, "lead_in"),
    (_says, "lead_in"),
    (_captions, "lead_in"),
    (_points, "lead_in"),
    (_in_sentence, "mid_sentence"),
    (_is_open, "open_end"),
    (_goes_on, "open_start"),
)
"""The reasons not to cut between two blocks of which none is a heading, the first that holds."""
