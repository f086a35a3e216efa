"""Tables of GFM, with the tokens of markdown-it's rule."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from markdown_it import rules_block
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.state import BLANKS, TRIMMED, make_token
from mdchunk.parsing.parse_state import is_lean

DELIMITER_ROW = re.compile(r"(?!-[ \t])[|:-][-|: \t]+\Z")
DELIMITER = re.compile(r":?-+:?")
SEPARATOR = re.compile(r"(?<!\\)\|")
# older versions of markdown-it fill up short rows without limit
MAX_FILLED: int = rules_block.table.__globals__.get("MAX_AUTOCOMPLETED_CELLS", sys.maxsize)


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table; no line of its head is indented so far that it would be code."""
    styles = _styles(state, start + 1) if start + 2 <= end else []
    if not styles:
        return False
    head = _text(state, start)
    if "|" not in head:
        return False
    cells = _cells(head)
    if len(cells) != len(styles):
        return False
    if not silent:
        opening = state.push("table_open", "table", 1)
        state.push("thead_open", "thead", 1).map = [start, start + 1]
        _push_row(state, start, "th", cells, styles)
        state.push("thead_close", "thead", -1)
        state.line = _take_body(state, start + 2, end, styles)
        state.push("table_close", "table", -1)
        opening.map = [start, state.line]
    return True


def _text(state: StateBlock, line: int) -> str:
    begin = state.bMarks[line] + state.tShift[line]
    return state.src[begin : state.eMarks[line]].strip(TRIMMED)


def _styles(state: StateBlock, line: int) -> list[str]:
    """Read a delimiter row: the style of each column, none at all if it is no such row."""
    begin = state.bMarks[line] + state.tShift[line]
    row = state.src[begin : state.eMarks[line]]
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return []
    if not DELIMITER_ROW.match(row):
        return []
    columns = [column.strip(BLANKS) for column in row.split("|")]
    # a row may begin and end with a pipe, but no column may be empty
    columns = columns[not columns[0] : len(columns) - (not columns[-1])]
    if not all(DELIMITER.fullmatch(column) for column in columns):
        return []
    return [_style(column) for column in columns]


def _style(column: str) -> str:
    if column.endswith(":"):
        return "text-align:center" if column.startswith(":") else "text-align:right"
    return "text-align:left" if column.startswith(":") else ""


def _cells(row: str) -> list[str]:
    """Split a row at its pipes; an escaped one is text."""
    if "\\|" in row:
        cells = [cell.replace("\\|", "|") for cell in SEPARATOR.split(row)]
    else:
        cells = row.split("|")
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells


def _take_body(state: StateBlock, start: int, end: int, styles: Sequence[str]) -> int:
    """Take the rows below the delimiter row; return the line at which the table ends."""
    parent, state.parentType = state.parentType, "table"
    terminators = state.md.block.ruler.getRules("blockquote")
    columns, filled, line = len(styles), 0, start
    opening = None
    while line < end and state.sCount[line] >= state.blkIndent:
        if any(rule(state, line, end, True) for rule in terminators):
            break
        row = _text(state, line)
        if not row or state.is_code_block(line):
            break
        cells = _cells(row)
        filled += columns - len(cells)
        if filled > MAX_FILLED:
            break
        opening = opening or state.push("tbody_open", "tbody", 1)
        _push_row(state, line, "td", cells + [""] * (columns - len(cells)), styles)
        line += 1
    if opening:
        state.push("tbody_close", "tbody", -1)
        opening.map = [start, line]
    state.parentType = parent
    return line


def _push_row(
    state: StateBlock, line: int, tag: str, cells: Sequence[str], styles: Sequence[str]
) -> None:
    if is_lean(state.env) and not any("<" in cell or ">" in cell for cell in cells):
        return
    state.push("tr_open", "tr", 1).map = [line, line + 1]
    level, tokens = state.level, state.tokens
    for cell, style in zip(cells, styles):  # noqa: B905 - a row may have cells beyond the head's
        opening = make_token(f"{tag}_open", tag, 1, level)
        if style:
            opening.attrs = {"style": style}
        text = make_token("inline", "", 0, level + 1, [line, line + 1], cell.strip(TRIMMED))
        text.children = []
        tokens += (opening, text, make_token(f"{tag}_close", tag, -1, level))
    state.push("tr_close", "tr", -1)
