"""Bullet and ordered lists, item by item, with the tokens of markdown-it's rule."""

from __future__ import annotations

import re

from markdown_it import rules_block
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.parse_state import is_lean

MARKER = re.compile(r"(?:([0-9]{1,9})[.)]|[*+-])(?=[ \t]|\Z)")
INDENT_OF_CODE = 4


def list_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a list; the line is not indented so far that it would be code."""
    indent = state.sCount[start]
    if 0 <= state.listIndent <= indent - INDENT_OF_CODE and indent < state.blkIndent:
        return False  # it goes on with the paragraph of an item four levels up
    marker = _marker(state, start)
    if marker is None:
        return False
    if silent:
        in_paragraph = state.parentType == "paragraph" and indent >= state.blkIndent
        return not in_paragraph or _interrupts(state, start, marker)
    if state.md.options.get("tasklists", False):
        return rules_block.list_block(state, start, end, silent)
    _take_list(state, start, end, marker)
    return True


def _marker(state: StateBlock, line: int) -> re.Match[str] | None:
    return MARKER.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])


def _interrupts(state: StateBlock, line: int, marker: re.Match[str]) -> bool:
    """Return whether an item can interrupt a paragraph: with text, and number 1 if numbered."""
    first = marker[1] is None or int(marker[1]) == 1
    return first and bool(state.src[marker.end() : state.eMarks[line]].strip(" \t"))


def _take_list(state: StateBlock, start: int, end: int, marker: re.Match[str]) -> None:
    first, sign, ordered = len(state.tokens), marker[0][-1], marker[1] is not None
    kind, tag = ("ordered_list", "ol") if ordered else ("bullet_list", "ul")
    opening = state.push(f"{kind}_open", tag, 1)
    opening.markup = sign
    if ordered and int(marker[1]) != 1:
        opening.attrs = {"start": int(marker[1])}
    parent, state.parentType = state.parentType, "list"
    tight, blank_before = True, False
    line = start
    following: re.Match[str] | None = marker
    while following is not None:
        item_tight = _take_item(state, line, end, following)
        tight = tight and item_tight and not blank_before
        blank_before = state.line - line > 1 and state.isEmpty(state.line - 1)
        line = state.line
        following = _next_marker(state, line, end)
        if following and (following[0][-1] != sign or (following[1] is not None) != ordered):
            break
    state.push(f"{kind}_close", tag, -1).markup = sign
    opening.map = [start, line]
    state.parentType = parent
    if tight and not is_lean(state.env):
        _hide_paragraphs(state, first)


def _take_item(state: StateBlock, line: int, end: int, marker: re.Match[str]) -> bool:
    """Take an item; return whether it is tight."""
    opening = state.push("list_item_open", "li", 1)
    opening.markup = sign = marker[0][-1]
    opening.info = marker[1] or ""
    content, column, indent = _measure(state, line, marker)
    before = (
        state.tight,
        state.tShift[line],
        state.sCount[line],
        state.listIndent,
        state.blkIndent,
    )
    state.tight, state.listIndent, state.blkIndent = True, state.blkIndent, indent
    state.tShift[line], state.sCount[line] = content - state.bMarks[line], column
    if content >= state.eMarks[line] and state.isEmpty(line + 1):
        # an item that starts with two blank lines is empty
        state.line = min(state.line + 2, end)
    else:
        state.md.block.tokenize(state, line, end)
    tight = state.tight
    state.tight, state.tShift[line], state.sCount[line], state.listIndent, state.blkIndent = before
    state.push("list_item_close", "li", -1).markup = sign
    opening.map = [line, state.line]
    return tight


def _measure(state: StateBlock, line: int, marker: re.Match[str]) -> tuple[int, int, int]:
    """Find where an item's text starts, in which column, and how far its lines are indented."""
    initial = column = state.sCount[line] + marker.end() - marker.start()
    source, position, last = state.src, marker.end(), state.eMarks[line]
    while position < last:
        if source[position] == "\t":
            column += 4 - (column + state.bsCount[line]) % 4
        elif source[position] == " ":
            column += 1
        else:
            break
        position += 1
    blanks = column - initial
    if position >= last or blanks > INDENT_OF_CODE:
        blanks = 1
    return position, column, initial + blanks


def _next_marker(state: StateBlock, line: int, end: int) -> re.Match[str] | None:
    """Return the marker of the next item, None if the line is none."""
    if line >= end or state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return None
    for rule in state.md.block.ruler.getRules("list"):
        if rule(state, line, end, True):
            return None
    return _marker(state, line)


def _hide_paragraphs(state: StateBlock, first: int) -> None:
    """Mark the paragraphs of a tight list's items as hidden."""
    level, tokens = state.level + 2, state.tokens
    for index in range(first + 2, len(tokens) - 2):
        if tokens[index].level == level and tokens[index].type == "paragraph_open":
            tokens[index].hidden = tokens[index + 2].hidden = True
