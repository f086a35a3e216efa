"""Rules that keep a block with the one before it, from the kinds and the text of both."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from mdchunk.lines import Lines
from mdchunk.structure import cues, ends
from mdchunk.structure.blocks import Block
from mdchunk.structure.compiled_rules import CompiledRule

LISTED = frozenset({"list", "list_item"})
COUNTS_ON = re.compile(r"[ \t>]*0*(?:[2-9]|1\d)")
"""How a list begins that goes on with the numbers of one before."""
WORDLESS = frozenset({"heading", "mark"})
"""What comments and marks lead."""
DESCRIBING = frozenset({"described", "short_text"})
"""The reasons that say what a place is worth at most; the others say what it is worth."""
TEXTS = frozenset({"paragraph", "blockquote"})
"""The kinds that may end in a text which leads on to what follows."""


class Side(NamedTuple):
    """What is known of a block before its text is read."""

    rule: CompiledRule
    cues: cues.Cues


May = Callable[[Side, Side], bool]
Holds = Callable[[str, Block, Block, Block], bool]


class Applicable(NamedTuple):
    """What may keep two kinds of block together: reasons, whether a sentence may go on from one to
    the other, and whether one may describe the other."""

    reasons: tuple[tuple[Holds, str], ...]
    flows: bool
    describes: bool


def reason(source: str, last: Block, block: Block, parent: Block) -> str:
    """Return the reason not to cut between two blocks of one container, "" if there is none."""
    above = last.level if last.rule.kind == "heading" else last.under
    if above:
        return _below_heading(above, block)
    reasons, flows, describes = _applicable(last.rule, last.cues, block.rule, block.cues)
    for holds, name in reasons:
        if holds(source, last, block, parent):
            return name
    if flows and (name := _flow(source, last, block)):
        return name
    return _describes(source, last, block) if describes else ""


@lru_cache(maxsize=4096)
def _applicable(
    last: CompiledRule, last_cues: cues.Cues, block: CompiledRule, block_cues: cues.Cues
) -> Applicable:
    """Return what may keep blocks of two kinds together: for most pairs few reasons or none."""
    before, behind = Side(last, last_cues), Side(block, block_cues)
    reasons = tuple((holds, name) for may, holds, name in REASONS if may(before, behind))
    leads = block_cues.introduced and block.titled
    flows = leads or block.kind in ("paragraph", "math")
    return Applicable(reasons, flows, _may_describe(before, behind))


def belongs(source: str, lines: Lines, label: Block, block: Block) -> bool:
    """Return whether a label is that of the block behind it."""
    leads, before = label.cues.leads, label.place.last if label.place else None
    if leads == "all":
        return True
    if leads not in WORDLESS:
        return False
    titled = block.rule.kind == "heading" or block.cues.leads in WORDLESS
    if titled and _begins(label, before):
        return True
    if leads == "mark":
        return False
    introduced = block.cues.introduced
    if lines.of(label.end - 1) + 1 == block.first:
        return introduced or block.rule.kind == "heading" or block.cues.leads == "heading"
    if block.cues.leads == "all" and not label.under:
        return True
    return introduced and before is not None and introduces(source, before, block)


def _begins(label: Block, before: Block | None) -> bool:
    """Return whether a wordless label begins what comes: after nothing, a rule or its own label."""
    if before is None or before.rule.kind in ("thematic_break", "front_matter"):
        return True
    return label.place is not None and label.place.start < label.start


def _below_heading(above: int, block: Block) -> str:
    if block.rule.kind != "heading":
        return "heading_content"
    return "heading_heading" if block.level > above else ""


def _trails(_source: str, _last: Block, _block: Block, _parent: Block) -> bool:
    return True


def _closes(source: str, _last: Block, block: Block, _parent: Block) -> bool:
    return cues.closes(source, block.begin, block.end)


def _entitles(source: str, last: Block, block: Block, parent: Block) -> bool:
    """Return whether a paragraph is a block's title, or what an item says before its list."""
    if block.rule.is_list and parent.rule.kind == "list_item":
        return True
    if source[last.begin] not in cues.TITLE_STARTS or last.caption:
        return False
    return block.rule.titled and cues.entitles(source, last.begin, last.end)


def _introduces(source: str, last: Block, block: Block, _parent: Block) -> bool:
    return introduces(source, last, block)


def introduces(source: str, last: Block, block: Block) -> bool:
    """Return whether a block ends in a paragraph that ends in a colon.

    A step of a list may introduce what stands beside the list, without its indentation.
    """
    if last.rule.is_list and block.rule.is_list:
        return _leads_to_list(source, last, block)
    text = _last_text(last)
    return text is not None and cues.introduces(source, text.start, text.end)


def _leads_to_list(source: str, last: Block, block: Block) -> bool:
    """Return whether the last step of a list introduces a list of other marks beside it.

    If that step is all that the list has, it may be the title of the other one.
    """
    item, text = last.last, _last_text(last)
    if last.type == block.type or item is None or text is None:
        return False
    if COUNTS_ON.match(source, block.start):
        return False
    if cues.introduces(source, text.start, text.end):
        return True
    alone = item.start == last.start and item.last is text
    return alone and ends.is_open(source, text.begin, text.end)


def _last_text(last: Block) -> Block | None:
    """Return the paragraph that ends a block, or the last item of a list."""
    while last.rule.kind in LISTED and last.last:
        last = last.last
    return _text(last)


def _shows_output(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a block of code shows what the fenced one before it gives."""
    first = cues.text_start(source, last.start, last.end)
    begin = cues.text_start(source, block.start, block.end)
    return source.startswith(("```", "~~~"), first) and cues.is_output(source, begin, block.end)


def _text(last: Block) -> Block | None:
    """Return the paragraph that ends a block: itself, or all that a quote says."""
    if last.rule.kind == "blockquote" and last.last and last.last.first == last.first:
        last = last.last
    return last if last.rule.kind == "paragraph" else None


def _points(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a text points at what follows; a list's last item may also ask what that is.

    An item without a full stop asks for nothing: most have none.
    """
    text = _last_text(last)
    if text is None or (last.rule.is_list and block.rule.is_list):
        return False
    if last.rule.is_list and ends.last_mark(source, text.begin, text.end) in ends.ASKING:
        return True
    return ends.points_down(source, text.begin, text.end)


def _describes(source: str, last: Block, block: Block) -> str:
    """Return how a text describes what stands right behind it, whatever its words; "" if not.

    Before code each text does, before a list a short one of whole sentences; a list that counts on
    from another is told of before that one.
    """
    if last.caption or last.cues.trails:
        return ""
    if block.rule.inside == "code":
        return "described"
    if last.end - last.begin > ends.SHORT or COUNTS_ON.match(source, block.start):
        return ""
    return "short_text" if ends.is_sentence(source, last.begin, last.end) else ""


def _flow(source: str, last: Block, block: Block) -> str:
    """Return how a text leads on to a block, or a block goes on from before it; "" if neither.

    A sentence may go on from a text to a formula or behind one.
    """
    kind, text = block.rule.kind, _text(last)
    leads_on = text is not None and ends.is_open(source, text.begin, text.end)
    goes_on = kind == "paragraph" and (leads_on or _lets_go_on(source, last))
    if goes_on:
        behind_math = last.rule.kind == "math"
        goes_on = ends.goes_on(source, block.begin, block.end, behind_math=behind_math)
    if text is not None and leads_on:
        if goes_on or kind == "math":
            return "mid_sentence"
        if _needs(source, last, text, block):
            return "open_end"
    return "open_start" if goes_on else ""


def _lets_go_on(source: str, last: Block) -> bool:
    """Return whether a text may go on behind a block that is no text without an end."""
    return last.rule.kind != "paragraph" or cues.shows(source, last.begin)


def _needs(source: str, last: Block, text: Block, block: Block) -> bool:
    """Return whether a text without an end needs the block behind it.

    A line leads on to a paragraph only as its title or question, so that one is a sentence itself.
    """
    if last.caption or cues.shows(source, text.begin):
        return False
    if cues.is_aside(source, text.begin, text.end):
        return False
    follows = block.rule.kind == "paragraph"
    return not follows or ends.is_sentence(source, block.begin, block.end)


def _says(source: str, _last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a line says whose words the quote before it has."""
    return cues.attributes(source, block.begin, block.end)


def _notes(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether a paragraph is a note on a mark in the table or list before it."""
    mark = cues.note_mark(source, block.begin, block.end)
    block.caption = bool(mark) and source.find(mark, last.begin, last.end) >= 0
    return block.caption


def _captions(source: str, last: Block, block: Block, _parent: Block) -> bool:
    """Return whether one of two blocks is the caption of the other."""
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


def _may_entitle(last: Side, block: Side) -> bool:
    return last.rule.kind == "paragraph" and (block.rule.is_list or block.rule.titled)


def _may_introduce(last: Side, block: Side) -> bool:
    return block.cues.introduced and (last.rule.kind in TEXTS or last.rule.kind in LISTED)


def _may_describe(last: Side, block: Side) -> bool:
    told = block.rule.is_list or block.rule.inside == "code"
    return told and block.cues.introduced and last.rule.kind == "paragraph"


def _may_show_output(last: Side, block: Side) -> bool:
    return last.rule.inside == block.rule.inside == "code" and last.rule.kind == block.rule.kind


def _may_note(last: Side, block: Side) -> bool:
    return block.rule.kind == "paragraph" and (last.rule.is_list or last.rule.inside == "rows")


def _may_caption(last: Side, block: Side) -> bool:
    return last.rule.kind != "blockquote" and (block.cues.captioned or last.cues.captioned)


REASONS: tuple[tuple[May, Holds, str], ...] = (
    (lambda _last, block: block.cues.trails, _trails, "attached"),
    (lambda _last, block: block.rule.kind == "html", _closes, "attached"),
    (_may_entitle, _entitles, "lead_in"),
    (_may_introduce, _introduces, "lead_in"),
    (_may_show_output, _shows_output, "lead_in"),
    (lambda last, _block: last.rule.kind == "blockquote", _says, "lead_in"),
    (_may_note, _notes, "lead_in"),
    (_may_caption, _captions, "lead_in"),
    (_may_introduce, _points, "lead_in"),
)
"""The reasons not to cut between two blocks of which none is a heading, the first that holds.

A row has what two kinds of block must be for it, and what their texts must be.
"""
