"""Obsidian's callouts: ``> [!tip]- Title``, of any type, folded or not, and nested as quotes are.

In titles its links ``[[note|text]]`` are read too. The source is Obsidian's help, the pages on
callouts and on links. May misread: a quote whose first line begins with
``[!word]`` and is no link, which no Markdown gives a meaning; it is kept whole like any quote.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from mdchunk.dialects.base import Dialect
from mdchunk.dialects.containers import CALLOUT_RULES, retype_quotes

CALLOUT = re.compile(r"\[![^\]\n]+\][+-]?(?:[ \t\n]|\Z)")

LINK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\](?![(\[])")


def extend(parser: MarkdownIt) -> None:
    """Tell callouts from other quotes once the blocks are known."""
    parser.core.ruler.push("callouts", _callouts)
    parser.inline.ruler.before("link", "wiki_link", _link)


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


CALLOUTS = Dialect("callout", extend, rules=CALLOUT_RULES)
