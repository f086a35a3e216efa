"""Admonitions and content tabs: ``!!! note "Title"``, ``???+ tip``, ``=== "Tab"``, ``/// note``.

The sources are Python-Markdown's ``admonition`` and PyMdown's ``details`` and ``tabbed``: content
goes on while lines are blank or indented by four; and PyMdown's ``blocks``, which as many slashes
close as open them. May misread: a line of words after ``!!!`` over an indented code block; a line
without indented content, and slashes that nothing closes, are text.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.colons import Marks, closing_line
from mdchunk.dialects.shared.lines import INTERRUPTS, line_text, push_container
from mdchunk.dialects.shared.reading import ATTRIBUTES, HIGHLIGHT, add_patterns
from mdchunk.rules import Reading, Rule

ADMONITION = re.compile(
    r'(?:!!!|\?\?\?\+?) ?[\w-]+(?: +[\w-]+)*(?: +".*")? *\Z|\?\?\?\+? ?".*" *\Z'
)
TAB_LINE = re.compile(r'===(?:\+!?|!\+?)? +".*" *\Z')
SLASHES = Marks("///", re.compile(r"(?P<marks>/{3,})[ \t]*[A-Za-z][\w-]*(?:[ \t]*\|.*)?"))
INDENT = 4
TITLE = (
    r"\A(?:(?:!!!|\?\?\?\+?) ?(?P<name>[\w-]+)?(?: +[\w-]+)*(?: *\"(?P<text>.*)\")? *$"
    r"|/{3,}[ \t]*(?:(?P<hidden>html|define|figure-caption|caption)\b.*"
    r"|(?:(?P<name_b>[A-Za-z][\w-]*))(?:[ \t]*\|[ \t]*(?P<text_b>.*))?)$)"
)
"""The title of an admonition; one without is called by its type."""
SHOWN = {
    "attributes": ATTRIBUTES,
    "highlight": HIGHLIGHT,
    "icon": r":(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:",
}


def extend(parser: MarkdownIt) -> None:
    """Add the block rules; as in Python-Markdown they may interrupt a paragraph."""
    parser.block.ruler.before("fence", "admonition", _admonition, INTERRUPTS)
    parser.block.ruler.before("fence", "tabs", _tabs, INTERRUPTS)
    parser.block.ruler.before("fence", "slashes", _slashes, INTERRUPTS)
    add_patterns(parser, SHOWN)


def _content_end(state: StateBlock, opening: re.Pattern[str], start: int, end: int) -> int:
    """Find where the content of an opening line ends; 0 if the line opens nothing."""
    if state.is_code_block(start) or not opening.match(line_text(state, start)):
        return 0
    last, indent = start, state.blkIndent + INDENT
    for line in range(start + 1, end):
        if state.isEmpty(line):
            continue
        if state.sCount[line] < indent:
            break
        last = line
    return last + 1 if last > start else 0


def _opens(state: StateBlock, opening: re.Pattern[str], start: int, end: int) -> bool:
    """Return whether a line opens something, by the first line of its content."""
    following = min(state.skipEmptyLines(start + 1), end)
    return _content_end(state, opening, start, min(following + 1, end)) > 0


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent:
        return _opens(state, ADMONITION, start, end)
    stop = _content_end(state, ADMONITION, start, end)
    if stop:
        push_container(state, "admonition", (start, stop), (start + 1, stop), indent=INDENT)
    return stop > 0


def _tabs(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent:
        return _opens(state, TAB_LINE, start, end)
    stop = _content_end(state, TAB_LINE, start, end)
    if not stop:
        return False
    group = state.push("tab_group_open", "div", 1)
    group.map = lines = [start, stop]
    line = start
    while stop:
        push_container(state, "tab", (line, stop), (line + 1, stop), indent=INDENT)
        lines[1] = stop
        line = state.skipEmptyLines(stop)
        inside = line < end and state.sCount[line] >= state.blkIndent
        stop = _content_end(state, TAB_LINE, line, end) if inside else 0
        if stop and line_text(state, line).startswith("===!"):
            break  # a mark that begins a group of its own
    state.push("tab_group_close", "div", -1)
    state.line = lines[1]
    return True


def _slashes(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start) or not SLASHES.opening.fullmatch(line_text(state, start)):
        return False
    last = closing_line(state, start, end, SLASHES)
    if last >= 0 and not silent:
        first = start + 1  # what is indented right below are options
        while first < last and not state.isEmpty(first) and state.is_code_block(first):
            first += 1
        push_container(state, "admonition", (start, last + 1), (first, last))
    return last >= 0


DIALECT = Dialect(
    "admonition",
    extend,
    rules={
        "admonition_open": Rule("admonition", "hard"),
        "tab_group_open": Rule("tab_group", "soft"),
        "tab_open": Rule("tab", "hard"),
    },
    starts={"admonition": "!?", "tabs": "=", "slashes": "/"},
    readings={
        "admonition_open": Reading(shows=TITLE),
        "tab_open": Reading(shows=r"\A===(?:\+!?|!\+?)? +\"(?P<text>.*)\" *$"),
    },
)
