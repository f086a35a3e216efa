"""Tabs of DocFX, as Microsoft Learn has them: ``# [Title](#tab/name)`` … up to a rule, ``---``.

The source is DocFX's page on Markdown extensions. The line that names a tab is a heading to
CommonMark, and here the opening line of a container: what stands behind the rule is in the section
that held before. Tabs that no rule closes end before the next heading that is none of theirs. May
misread: a heading that is nothing but a link to ``#tab/…``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdchunk.dialect import Dialect
from mdchunk.rules import Reading, Rule

TAB_LINK = re.compile(r"\[[^\n]*\]\(#tab/[^\s()]+\)")


class Group(NamedTuple):
    """Tabs by the numbers of the tokens that name them, and of the one that ends the last."""

    tabs: tuple[int, ...]
    end: int


class _Open:
    """The tabs that are open in a container, and the first heading behind the last's name."""

    __slots__ = ("heading", "tabs")

    def __init__(self) -> None:
        self.tabs: list[int] = []
        self.heading = -1


def extend(parser: MarkdownIt) -> None:
    """Make containers of the headings once the blocks are known."""
    parser.core.ruler.push("docfx_tabs", _tabs)


def _tabs(state: StateCore) -> None:
    if "](#tab/" not in state.src:
        return
    if groups := _groups(state.tokens):
        state.tokens = _rebuilt(state.tokens, groups)


def _groups(tokens: Sequence[Token]) -> list[Group]:
    """Find the groups; each is in one container."""
    found: list[Group] = []
    stack = [_Open()]
    for index, token in enumerate(tokens):
        here = stack[-1]
        if token.type == "heading_open":
            if TAB_LINK.fullmatch(_text(tokens, index)):
                here.tabs.append(index)
                here.heading = -1
            elif here.heading < 0:
                here.heading = index
        elif token.type == "hr" and token.markup.startswith("-") and here.tabs:
            found.append(Group(tuple(here.tabs), index))
            stack[-1] = _Open()
        if token.nesting > 0:
            stack.append(_Open())
        elif token.nesting < 0:
            found += _unclosed(stack.pop(), index)
    return found + _unclosed(stack.pop(), len(tokens))


def _unclosed(last: _Open, end: int) -> list[Group]:
    return [Group(tuple(last.tabs), last.heading if last.heading > 0 else end)] if last.tabs else []


def _text(tokens: Sequence[Token], index: int) -> str:
    token = tokens[index]
    if not token.markup.startswith("#"):
        return ""
    # a lean one holds its text itself
    return (tokens[index + 1].content if token.nesting else token.content).strip()


def _rebuilt(tokens: Sequence[Token], groups: Sequence[Group]) -> list[Token]:
    """Put the containers into a stream in place of what marks them."""
    put: dict[int, list[Token]] = {}
    left: set[int] = set()
    for group in groups:
        _put(tokens, group, put)
        for index in group.tabs:
            left.update(range(index, index + (3 if tokens[index].nesting else 1)))
        if group.end < len(tokens) and tokens[group.end].type == "hr":
            left.add(group.end)
    rebuilt: list[Token] = []
    depth = 0
    for index in range(len(tokens) + 1):
        for mark in put.get(index, ()):
            depth += min(mark.nesting, 0)
            mark.level += depth
            depth += max(mark.nesting, 0)
            rebuilt.append(mark)
        if index < len(tokens) and index not in left:
            tokens[index].level += depth
            rebuilt.append(tokens[index])
    return rebuilt


def _put(tokens: Sequence[Token], group: Group, put: dict[int, list[Token]]) -> None:
    """Note the tokens of a group by the numbers of those before which they stand."""
    first, last = group.tabs[0], _line(tokens, group)
    closed = group.end < len(tokens) and tokens[group.end].type == "hr"
    level = tokens[first].level
    edges = [*((tokens[index].map or [0])[0] for index in group.tabs), last]
    opening = _mark("docfx_tabs_open", 1, level, [edges[0], last + closed])
    for number, index in enumerate(group.tabs):
        lines = [edges[number], edges[number + 1]]
        before = [_mark("docfx_tab_close", -1, level)] if number else [opening]
        put.setdefault(index, []).extend([*before, _mark("docfx_tab_open", 1, level, lines)])
    ends = [_mark("docfx_tab_close", -1, level), _mark("docfx_tabs_close", -1, level)]
    put.setdefault(group.end, []).extend(ends)


def _line(tokens: Sequence[Token], group: Group) -> int:
    """Return the line before which the last tab ends."""
    end = tokens[group.end] if group.end < len(tokens) else None
    if end and end.map:
        return end.map[0]
    return max(token.map[1] for token in tokens[group.tabs[-1] : group.end] if token.map)


def _mark(kind: str, nesting: int, level: int, lines: list[int] | None = None) -> Token:
    token = Token(kind, "div", 1 if nesting > 0 else -1, map=lines, level=level)
    token.block = True
    return token


DIALECT = Dialect(
    "docfx",
    extend,
    rules={
        "docfx_tabs_open": Rule(
            "tab_group", "soft", row="tag_open", after="tag_close", section=True
        ),
        "docfx_tab_open": Rule("tab", "hard", row="tag_open", after="tag_close", section=True),
    },
    readings={"docfx_tab_open": Reading(shows=r"\A[#\s]*\[(?P<text>[^\n]*)\]\(#tab/")},
)
