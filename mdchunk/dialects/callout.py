"""Obsidian's callouts: ``> [!tip]- Title``, of any type, folded or not, and nested as quotes are.

The source is Obsidian's help page on callouts. May misread: a quote whose first line begins with
``[!word]`` and is no link, which no Markdown gives a meaning; it is kept whole like any quote.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from mdchunk.dialects.base import Dialect
from mdchunk.dialects.containers import CALLOUT_RULES, retype_quotes

CALLOUT = re.compile(r"\[![^\]\n]+\][+-]?(?:[ \t\n]|\Z)")


def extend(parser: MarkdownIt) -> None:
    """Tell callouts from other quotes once the blocks are known."""
    parser.core.ruler.push("callouts", _callouts)


def _callouts(state: StateCore) -> None:
    if "[!" in state.src:
        retype_quotes(state.tokens, CALLOUT)


CALLOUTS = Dialect("callout", extend, rules=CALLOUT_RULES)
