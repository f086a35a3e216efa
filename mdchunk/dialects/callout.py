"""Obsidian's callouts: ``> [!tip]- Title``, of any type, folded or not, and nested as quotes are.

With them come its comments, between two lines of ``%%``, and in titles its links
``[[note|text]]``. The sources are Obsidian's help pages on these. May misread: a quote whose first
line begins with ``[!word]`` and is no link, which no Markdown gives a meaning; it is kept whole
like any quote.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import (
    CALLOUT_MARK,
    CALLOUT_RULES,
    INTERRUPTS,
    find_line,
    line_text,
    retype_quotes,
)
from mdchunk.dialects.shared.reading import HIGHLIGHT, add_patterns
from mdchunk.rules import HIDDEN, Rule

CALLOUT = re.compile(r"\[![^\]\n]+\][+-]?(?:[ \t\n]|\Z)")
COMMENT_LINE = "%%"
_TYPES = "avif|bmp|flac|gif|jpe?g|m4a|mkv|mov|mp3|mp4|og[gv]|pdf|png|svg|wav|web[mp]"
_FILE = rf"[^\[\]|\n]*\.(?:{_TYPES})"
SHOWN = {
    "embedded_file": rf"!\[\[{_FILE}(?:#[^\[\]|\n]*)?"
    r"(?:\|(?:\d+(?:x\d+)?|(?P<code>[^\[\]|\n]+)(?:\|[^\[\]\n]*)?))?\]\]",
    "shown_wiki_link": r"!?\[\[(?:[^\[\]|\n]*\|)?#*(?P<code>[^\[\]|\n]+)\]\](?![(\[])",
    "inline_comment": r"%%(?!%).+?%%",
    "block_id": r"(?<!\S)\^[A-Za-z0-9-]+[ \t]*\Z",
    "highlight": HIGHLIGHT,
}
"""What a reader sees of links and embedded files, which have no text of their own, and the like."""
LINK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\](?![(\[])")


def extend(parser: MarkdownIt) -> None:
    """Add comments and links; tell callouts from other quotes once the blocks are known."""
    parser.block.ruler.before("blockquote", "percent_comment", _comment, INTERRUPTS)
    parser.core.ruler.push("callouts", _callouts)
    parser.inline.ruler.before("link", "wiki_link", _link)
    add_patterns(parser, CALLOUT_MARK, first_in="callout_open")
    add_patterns(parser, SHOWN)


def _comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start) or line_text(state, start) != COMMENT_LINE:
        return False
    last = find_line(state, start, end, COMMENT_LINE.__eq__, mark=COMMENT_LINE)
    if last >= 0 and not silent:
        token = state.push("percent_comment", "", 0)
        token.map = [start, last + 1]
        state.line = last + 1
    return last >= 0


def _link(state: StateInline, silent: bool) -> bool:
    match = LINK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.pending += match[1]
    state.pos = match.end()
    return True


def _callouts(state: StateCore) -> None:
    if "[!" in state.src:
        retype_quotes(state.tokens, CALLOUT)


DIALECT = Dialect(
    "callout",
    extend,
    rules={**CALLOUT_RULES, "percent_comment": Rule("html", "hard", inside="html")},
    starts={"percent_comment": "%"},
    readings={"percent_comment": HIDDEN},
)
