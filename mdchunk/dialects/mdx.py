"""MDX: ``import`` and ``export``, JSX elements and ``{…}`` expressions; off unless it is named.

The source is MDX 3: no indented code, Markdown inside elements, tags over several lines. Misreads
in plain Markdown: a paragraph that begins with the word ``import`` or ``export`` or with a brace,
and code that is only indented.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.javascript import (
    OPENING_TAG,
    closing_tag_line,
    closing_text_line,
    script,
)
from mdchunk.dialects.shared.lines import INTERRUPTS, line_text, push_container
from mdchunk.dialects.shared.reading import COMMENT, add_patterns
from mdchunk.rules import HIDDEN, Reading, Rule

MODULE = re.compile(r"(?:import|export)(?:[ \t{*\"']|\Z)")

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
SHOWN = {
    "brace_comment": COMMENT,
    "jsx_string": r"\{\s*(?P<quote>[\"'`])(?P<code>[^\"'`{}\n]*)(?P=quote)\s*\}",
    "jsx_value": _BRACES,
    "jsx_tag": r"</?[A-Za-z_$][\w$.:-]*"
    rf"(?:\s(?:[^<>{{}}\"']|\"[^\"]*\"|'[^']*'|{_BRACES})*)?/?>|</?>",
}
"""JSX in a line: tags and values off, strings kept."""


def extend(parser: MarkdownIt) -> None:
    """Add the block rules and switch indented code off."""
    parser.disable("code")
    ruler = parser.block.ruler
    ruler.before("table", "esm", _module)
    ruler.before("fence", "jsx_expression", _expression, INTERRUPTS)
    ruler.before("fence", "jsx", _element, INTERRUPTS)
    add_patterns(parser, SHOWN)


def _module(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    if silent or state.level or state.sCount[start] or not MODULE.match(line_text(state, start)):
        return False
    stop = script(state).statement_end(state.bMarks[start])
    _push_leaf(state, "esm", start, _line_after(state, stop))
    return True


def _expression(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    stop = script(state).expression_end(begin) if state.src.startswith("{", begin) else -1
    return stop >= 0 and _whole_lines(state, start, end, stop, silent=silent)


def _element(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    tag = OPENING_TAG.match(line_text(state, start))
    begin = state.bMarks[start] + state.tShift[start]
    stop = script(state).tag_end(begin) if tag else -1
    if not tag or stop < 0 or _line_after(state, stop) > end:
        return False
    if state.src[stop - 2] == "/":
        return _whole_lines(state, start, end, stop, silent=silent)
    last = _line_after(state, stop) - 1
    rest = state.src[stop : state.eMarks[last]].strip()
    if rest:
        if not rest.endswith(f"</{tag[1]}>"):
            last = closing_text_line(state, tag[1], last, end)
        if last >= 0 and not silent:
            _push_leaf(state, "jsx", start, last + 1)
        return last >= 0
    close = closing_tag_line(state, start, end)
    if close > 0 and not silent:
        push_container(state, "jsx", (start, close + 1), (last + 1, close))
    return close > 0


def _whole_lines(state: StateBlock, start: int, end: int, stop: int, *, silent: bool) -> bool:
    """Make a block of lines if what was found ends with the line it ends in."""
    after = _line_after(state, stop)
    if after > end or state.src[stop : state.eMarks[after - 1]].strip():
        return False
    if not silent:
        _push_leaf(state, "jsx_expression", start, after)
    return True


def _line_after(state: StateBlock, offset: int) -> int:
    return min(bisect_left(state.eMarks, offset, hi=state.lineMax), state.lineMax - 1) + 1


def _push_leaf(state: StateBlock, name: str, start: int, stop: int) -> None:
    token = state.push(name, "", 0)
    token.map = [start, stop]
    token.content = state.getLines(start, stop, state.blkIndent, True)
    state.line = stop


DIALECT = Dialect(
    "mdx",
    extend,
    rules={
        "esm": Rule("esm", "hard", inside="lines", introduced=False, divided="code"),
        "jsx": Rule("jsx", "hard", inside="lines"),
        "jsx_expression": Rule("jsx", "hard", inside="lines"),
        "jsx_open": Rule("jsx", "hard", row="tag_open", after="tag_close", section=True),
    },
    starts={"esm": "ie", "jsx_expression": "{", "jsx": "<"},
    readings={
        "esm": HIDDEN,
        "jsx": Reading("inline"),
        "jsx_expression": HIDDEN,
        "jsx_open": HIDDEN,
    },
)
