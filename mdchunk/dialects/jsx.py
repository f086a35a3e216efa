"""Where JavaScript ends inside MDX: expressions in braces, tags, statements, elements."""

from __future__ import annotations

import re

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.containers import lines_outside_fences, outdented

STRINGS = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|/\*.*?\*/|//[^\n]*"
EXPRESSION = re.compile(r"[{}]|" + STRINGS, re.DOTALL)
STATEMENT = re.compile(r"[({\[\])}]|\n[ \t]*(?=\n)|" + STRINGS, re.DOTALL)
TAG = re.compile(r"\{|/?>|\"[^\"]*\"|'[^']*'")
REACH = 20_000
"""An expression or tag of more characters is text; so that unclosed ones take linear time."""


def expression_end(source: str, start: int) -> int:
    """Find where the expression that a brace opens ends; -1 if it does not."""
    depth = 0
    for match in EXPRESSION.finditer(source, start, start + REACH):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return -1


def tag_end(source: str, start: int) -> int:
    """Find where an opening tag ends, attributes in braces or quotes skipped; -1 if it does not."""
    position, limit = start, start + REACH
    while match := TAG.search(source, position, limit):
        if match[0][-1] == ">":
            return match.end()
        position = expression_end(source, match.start()) if match[0] == "{" else match.end()
        if position < 0:
            return -1
    return -1


def statement_end(source: str, start: int) -> int:
    """Find the blank line that ends statements: the first over which no bracket is open."""
    depth, first, limit = 0, -1, start + REACH
    for match in STATEMENT.finditer(source, start, limit):
        mark = match[0]
        if mark[0] == "\n":
            if depth <= 0:
                return match.start()
            first = match.start() if first < 0 else first
        elif len(mark) == 1:
            depth += 1 if mark in "({[" else -1
    if len(source) <= limit and depth <= 0:
        return len(source)
    return first if first >= 0 else len(source)


def closing_tag_line(state: StateBlock, name: str, start: int, end: int) -> int:
    """Find the line of the closing tag of an element; -1 if there is none.

    One reading pairs all elements of that name, so that many unclosed ones take linear time.
    """
    known: dict[int, int] = state.env.setdefault("jsx", {}).setdefault(name, {})
    found = known.get(start)
    if found is None or found >= end or (found > 0 and outdented(state, found)):
        known |= _pairs(state, name, start, end)
        found = known[start]
    return found


def _pairs(state: StateBlock, name: str, start: int, end: int) -> dict[int, int]:
    opening, closing = re.compile(rf"<{re.escape(name)}(?=[\s/>]|\Z)"), f"</{name}>"
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for line, text in lines_outside_fences(state, start, end):
        if text == closing and stack:
            pairs[stack.pop()] = line
        elif opening.match(text) and not text.endswith(closing):
            position = tag_end(state.src, state.bMarks[line] + state.tShift[line])
            if position > 0 and state.src[position - 2] != "/":
                stack.append(line)
                pairs[line] = -1
    return {start: -1} | pairs
