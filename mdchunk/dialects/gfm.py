"""GitHub Flavored Markdown: tables, and alerts (``> [!NOTE]``); a task list is a list already.

The sources are the GFM specification 0.29 (4.10) and GitHub's page on alerts. May misread: lines
of prose with pipes over a line of dashes and pipes (a table to GitHub too).
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import CALLOUT_MARK, CALLOUT_RULES, retype_quotes
from mdchunk.dialects.shared.reading import add_patterns

ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)
TASK_BOX = {"task_box": r"\[[ xX]\](?=\s)"}


def extend(parser: MarkdownIt) -> None:
    """Switch on tables and, for titles, struck text; tell alerts once the blocks are known."""
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.push("alerts", _alerts)
    add_patterns(parser, CALLOUT_MARK, first_in="callout_open")
    add_patterns(parser, TASK_BOX, first_in="list_item_open")


def _alerts(state: StateCore) -> None:
    if "[!" in state.src:
        retype_quotes(state.tokens, ALERT)


DIALECT = Dialect("gfm", extend, rules=CALLOUT_RULES)
