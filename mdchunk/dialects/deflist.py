"""Definition lists: a term, and under it ``: description``.

The source is Pandoc's manual (and PHP Markdown Extra), read by ``mdit_py_plugins.deflist``. May
misread: a line of prose followed by one that begins with a lone colon or tilde.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.rules import Reading, Rule

if TYPE_CHECKING:
    from markdown_it.ruler import RuleOptionsType

MARKS = (":", "~")


def extend(parser: MarkdownIt) -> None:
    """Add the plug-in's rule, tried only where the next line of text begins with a mark."""
    from mdit_py_plugins.deflist import deflist_plugin

    donor = MarkdownIt()
    deflist_plugin(donor)
    plugin = donor.block.ruler.getRules("")[-2]  # it stands before "paragraph", the last one

    def deflist(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        marked = start + 1
        if marked < end and state.isEmpty(marked):
            marked += 1
        if silent or marked >= end:
            return False
        begins = state.src.startswith(MARKS, state.bMarks[marked] + state.tShift[marked])
        return begins and plugin(state, start, end, silent)

    def next_description(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        return silent and plugin(state, line, end, silent)

    parser.block.ruler.before("lheading", "deflist", deflist)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    parser.block.ruler.before("lheading", "deflist_description", next_description, interrupts)


DIALECT = Dialect(
    "deflist",
    extend,
    rules={
        "dl_open": Rule("definition_list", "soft"),
        "dt_open": Rule("definition_term", "hard", inside="lines", leads=True, introduced=False),
        "dd_open": Rule("definition_description", "hard", introduced=False),
    },
    starts={"deflist_description": ":~"},
    readings={"dd_open": Reading(gap="\n")},
)
