"""Inline rules that are tried only while a reader's plain text is read, each told by a pattern.

Of what a pattern matches a reader sees the group ``text`` as inline Markdown, ``code`` as it
stands, or ``name`` as a word with a capital where there is no other; without these, nothing. What
is behind ``text`` must begin with a character at which markdown-it looks for mark-up. A blank
stands before what has a group ``apart``, and a line ends behind what has matched a group ``end``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from markdown_it import MarkdownIt
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.rules_inline import StateInline

from mdchunk.rules import READING

_ATTRIBUTE = r"(?:[#.][^{}\s]+|[\w-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^{}\s\"']+))"
ATTRIBUTES = (
    r"(?:(?<=\S)|(?=\{[^{}\n]*\}\s*(?:\n|\Z)))"
    rf"\{{:?[ \t]*{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE})*[ \t]*\}}"
)
"""Attributes behind what they are of, or at a line's end: ``{.a}``, ``{: #id }``, ``{w=50}``."""
COMMENT = r"\{/\*.*?\*/\}"
"""A comment of MDX and Docusaurus."""
HIGHLIGHT = r"==(?=[^\s=])(?P<text>[^\n]{0,1000}?[^\s=])==(?!=)"
"""Highlighted text in Obsidian, PyMdown and Pandoc."""


def add_patterns(parser: MarkdownIt, patterns: Mapping[str, str], first_in: str = "") -> None:
    """Add a rule for each pattern, before all of markdown-it's that might take what it matches.

    With ``first_in`` the patterns count only at the beginning of the first text in a container of
    that token type. A rule that another dialect has added under the same name is not added again.
    """
    ruler = parser.inline.ruler
    known = {rule.name for rule in ruler.__rules__}
    for name, pattern in patterns.items():
        if name not in known:
            ruler.before("escape", name, _rule(re.compile(pattern, re.DOTALL), first_in))


def _rule(pattern: re.Pattern[str], first_in: str) -> RuleFuncInlineType:
    def rule(state: StateInline, silent: bool) -> bool:
        container = state.env.get(READING)
        if container is None or (first_in and (state.pos or container != first_in)):
            return False
        match = pattern.match(state.src, state.pos, state.posMax)
        if match is None:
            return False
        if not silent:
            _show(state, match)
        state.pos = match.end()
        return True

    return rule


def _show(state: StateInline, match: re.Match[str]) -> None:
    """Make tokens of what a reader sees of a match."""
    groups = match.groupdict()
    if "apart" in groups:
        state.push("softbreak", "br", 0)
    if groups.get("text"):
        end = state.posMax
        state.push("shown_open", "", 1)
        state.pos, state.posMax = match.span("text")
        state.md.inline.tokenize(state)
        state.push("shown_close", "", -1)
        state.posMax = end
    elif groups.get("code"):
        state.push("shown", "", 0).content = groups["code"]
    elif groups.get("name"):
        name = groups["name"]
        state.push("shown", "", 0).content = name[:1].upper() + name[1:]
    else:
        state.push("hidden", "", 0)
    if groups.get("end"):
        state.push("hardbreak", "br", 0)
