"""Tables of Pandoc without pipes: grid, multiline and simple tables.

The source is Pandoc's manual, sections ``grid_tables``, ``multiline_tables`` and ``simple_tables``.
To CommonMark they are paragraphs, rules and underlined headings, so the form has to show: a border
``+---+`` above and below; or a line of two or more runs of dashes with text that keeps clear of the
gaps between them. A grid is cut behind a border, where a copy of its head makes a table of what
follows. May misread: a box drawn with ``+---+``, which is kept whole, and a line of words over
``--- ---`` that stands for a rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import line_text, outdented
from mdchunk.parsing.parse_state import parse_state
from mdchunk.rules import Rule

BORDER = re.compile(r"\+(?:[-=:]*[-=][-=:]*\+)+")
COLUMNS = re.compile(r"-{2,}(?:[ \t]+-{2,})+")
DASHES = re.compile(r"-{3,}")
RULE = re.compile(r"--[ \t]+--")
"""What a source without such a table does not have, found at the speed of its first characters."""
MOST_HEAD_LINES = 12
"""Lines of a multiline table's head, so that rules above long texts take time by their number."""


def extend(parser: MarkdownIt) -> None:
    """Add the block rules; as in Pandoc a table begins behind a blank line or another block."""
    parser.block.ruler.before("table", "grid_table", _grid)
    parser.block.ruler.before("table", "dash_table", _dashed)


def _grid(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent or state.is_code_block(start) or not BORDER.fullmatch(line_text(state, start)):
        return False
    borders, head, line = [start], 1, start + 1
    if line >= end or BORDER.fullmatch(line_text(state, line)):
        return False
    while line < end and not outdented(state, line):
        text = line_text(state, line)
        if text[:1] not in ("|", "+") or text[-1] not in "|+":
            break
        if BORDER.fullmatch(text):
            if "=" in text and head == 1:
                head = line + 1 - start
            borders.append(line)
        line += 1
    if len(borders) < 2:
        return False
    if start + head > borders[-1]:
        head = 1  # what is below the last row is no head
    rows = [border + 1 for border in borders[:-1] if border + 1 >= start + head]
    _push(state, (start, borders[-1]), head, rows)
    return True


def _dashed(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a multiline or simple table: with a rule above its head, with a head, or without."""
    if silent or start + 2 >= end or state.isEmpty(start + 1) or not _has_rules(state):
        return False
    text = line_text(state, start)
    if text.startswith("--") and not state.is_code_block(start):
        if DASHES.fullmatch(text):
            head = _head_end(state, start, end)
            return head > 0 and _multiline(state, start, head, end)
        return COLUMNS.fullmatch(text) is not None and _bare(state, start, end)
    rule = start + 1
    if state.is_code_block(rule) or outdented(state, rule) or not _is_rule(state, rule):
        return False
    fits = not state.isEmpty(rule + 1) and _clear(state, rule, (start, rule + 1))
    return fits and _simple(state, start, rule, end)


def _has_rules(state: StateBlock) -> bool:
    facts = parse_state(state).facts
    if "pandoc_tables" not in facts:
        facts["pandoc_tables"] = RULE.search(state.src) is not None
    return facts["pandoc_tables"]


def _is_rule(state: StateBlock, line: int) -> bool:
    return COLUMNS.fullmatch(line_text(state, line)) is not None


def _head_end(state: StateBlock, start: int, end: int) -> int:
    """Find the rule with columns that ends the head of a multiline table; 0 if there is none."""
    for line in range(start + 1, min(end, start + MOST_HEAD_LINES)):
        if state.isEmpty(line) or outdented(state, line):
            return 0
        if _is_rule(state, line):
            return line if line > start + 1 else 0
    return 0


def _multiline(state: StateBlock, start: int, head: int, end: int) -> bool:
    """Take a table that has blank lines between its rows and a rule below; one at most."""
    first = state.skipEmptyLines(head + 1)
    rows, line = [first], first
    while line < end and not outdented(state, line):
        text = line_text(state, line)
        if not text:
            line += 1
            if line >= end or state.isEmpty(line):
                return False
            if not text.startswith("--"):
                rows.append(line)
            continue
        if text.startswith("--") and (DASHES.fullmatch(text) or COLUMNS.fullmatch(text)):
            rows = [row for row in rows if row < line]
            if rows:
                _push(state, (start, line), head + 1 - start, rows)
            return bool(rows)
        line += 1
    return False


def _bare(state: StateBlock, start: int, end: int) -> bool:
    """Take a table without a head: its rows keep clear of the gaps of the rule above."""
    if not _clear(state, start, (start + 1,)):
        return False
    last = start + 1
    while last < end and not state.isEmpty(last) and not outdented(state, last):
        if _is_rule(state, last):
            _push(state, (start, last), 1, range(start + 1, last))
            return True
        last += 1
    return _multiline(state, start, start, end)


def _simple(state: StateBlock, start: int, rule: int, end: int) -> bool:
    """Take a table with a head of one line, and a row a line up to a blank one or a rule."""
    last = rule + 1
    while last + 1 < end and not state.isEmpty(last + 1) and not outdented(state, last + 1):
        last += 1
        if _is_rule(state, last) or DASHES.fullmatch(line_text(state, last)):
            break
    rows = range(rule + 1, last + (not line_text(state, last).startswith("--")))
    if rows:
        _push(state, (start, last), rule + 1 - start, rows)
    return bool(rows)


def _clear(state: StateBlock, rule: int, lines: Sequence[int]) -> bool:
    """Return whether lines have a blank in each gap of a rule that they reach."""
    runs = [match.span() for match in re.finditer("-+", _columns(state, rule))]
    gaps = [(before[1], after[0]) for before, after in pairwise(runs)]
    texts = [_columns(state, line) for line in lines]
    between = (text[low:high] for text in texts for low, high in gaps)
    return all(not part or any(map(str.isspace, part)) for part in between)


def _columns(state: StateBlock, line: int) -> str:
    """Return a line with a character for each column that it takes on a screen."""
    text = state.src[state.bMarks[line] : state.eMarks[line]].expandtabs(4)
    if text.isascii():
        return text
    return "".join(map(_stretched, text))


def _stretched(character: str) -> str:
    if unicodedata.combining(character):
        return ""
    return character * (1 + (unicodedata.east_asian_width(character) in "WF"))


def _push(state: StateBlock, lines: tuple[int, int], head: int, rows: Sequence[int]) -> None:
    first, last = lines
    token = state.push("pandoc_table", "table", 0)
    token.map = [first, last + 1]
    token.content = state.getLines(first, last + 1, state.blkIndent, True)
    token.meta = {"head": head, "rows": tuple(rows)}
    state.line = last + 1


DIALECT = Dialect(
    "pandoc_tables",
    extend,
    rules={"pandoc_table": Rule("table", "hard", inside="rows", captioned=True)},
    starts={"grid_table": "+"},
)
