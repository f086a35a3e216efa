r"""Display math, ``$$ … $$`` and ``\[ … \]``, and environments, ``\begin{x}`` … ``\end{x}``.

The sources are Pandoc's ``tex_math_dollars`` and ``raw_tex``, MyST's ``dollarmath`` and
``amsmath``, and MathJax. An environment of any name is one block, as converters of papers write
them: what is in it is LaTeX, not Markdown. May misread: a paragraph that begins with an escaped
bracket and ends with one, such as ``\[to do\]``, a paragraph between two lines of ``$$``, and
Markdown in an environment that only lays out a page. ``$$`` with text behind it must close before a
blank line, and an opening mark that is not closed is text.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import (
    INTERRUPTS,
    find_line,
    line_text,
    outdented,
)
from mdchunk.dialects.shared.pairs import Opened, known_outer_closing
from mdchunk.dialects.shared.reading import add_patterns
from mdchunk.rules import CONTENT_LINE, Reading, Rule

MATH_OPENING = re.compile(r"\$\$|\\\[")
MATH_CLOSING = {"$$": "$$", r"\[": r"\]"}
ENVIRONMENT = re.compile(r"\\(?P<mark>begin|end)\{(?P<name>[^\W\d_][\w@-]{0,60}\*?)\}")
ARGUMENTS = re.compile(r"(?:\s*(?:\[[^\[\]]*\]|\{[^{}]*\}))*\s*")
"""What may stand behind ``\\begin{x}``, so that it opens as a line of its own does."""
MATH_NAMES = re.compile(
    r"(?:equation|multline|gather|align|alignat|flalign|eqnarray|split|gathered|aligned|alignedat"
    r"|math|displaymath|subequations|cases|dcases|array|[bpvBV]?matrix|smallmatrix)\*?"
)
"""The environments of LaTeX and amsmath that hold math."""
LABEL = re.compile(r"\s*(?:\([^()$]+\)|\{[^{}$]*\})?")
"""An equation's label behind its closing mark: ``$$ (euler)``, ``$$ {#eq-euler}``."""

FORMULA = (
    r"\A[^\n]*?(?:\$\$\s*(?P<code>(?:.|\n)*?)\s*\$\$|\\\[\s*(?P<code_b>(?:.|\n)*?)\s*\\\]"
    r"|(?P<code_e>\\begin\{(?:.|\n)*))"
)
"""What is kept of a block: all but ``$$`` and brackets, and a label behind them."""
INLINE = {
    "math_dollars": r"\$\$(?P<code>[^$]+)\$\$",
    "math_dollar": r"(?<![\w$])\$(?P<code>(?![\s$])[^$`]*[^\s$`\\])\$(?![\w$])",
    "math_brackets": r"\\\((?P<code>[^\[\]]{1,1000}?)\\\)",
    "math_square": r"\\\[(?P<code>[^\[\]]{1,1000}?)\\\]",
}
"""Inline math, the text of which is kept."""


def extend(parser: MarkdownIt) -> None:
    """Add the block rules; as in MyST they may interrupt a paragraph."""
    parser.block.ruler.before("blockquote", "math_block", _math, INTERRUPTS)
    parser.block.ruler.before("blockquote", "latex_block", _environment, INTERRUPTS)
    add_patterns(parser, INLINE)


def _math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    text = line_text(state, start)
    opening = MATH_OPENING.match(text)
    if not opening:
        return False
    mark = MATH_CLOSING[opening[0]]
    rest = text[opening.end() :]
    if mark in rest:
        last = start if rest.index(mark) and _ends_with(rest, mark) else -1
    else:
        last = find_line(
            state,
            start,
            end,
            lambda line: _ends_with(line, mark),
            mark=mark,
            over_blank=not rest.strip(),
        )
    if last >= 0 and not silent:
        _push(state, "math_block", start, last, "" if rest else opening[0])
    return last >= 0


def _ends_with(text: str, mark: str) -> bool:
    """Return whether a line has the mark once, at its end."""
    at = text.find(mark)
    return at >= 0 and LABEL.fullmatch(text, at + len(mark)) is not None


def _environment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    text = line_text(state, start)
    opening = ENVIRONMENT.match(text)
    if not opening or opening["mark"] == "end":
        return False
    last = known_outer_closing(state, start, end, "environments", _pairs)
    name = opening["name"]
    if last < 0 or (last == start and not _ends_with(text, rf"\end{{{name}}}")):
        return False
    if not silent:
        kind = "math_block" if MATH_NAMES.fullmatch(name) else "latex_block"
        alone = ARGUMENTS.fullmatch(text, opening.end())
        _push(state, kind, start, last, opening[0] if alone else "")
    return True


def _pairs(state: StateBlock, start: int, end: int) -> dict[int, int]:
    """Find for the lines that begin with an opening mark those that close it."""
    opened: Opened[str] = Opened()
    begins: dict[int, int] = {}
    for line in range(start, end):
        if outdented(state, line):
            break
        text, begin = line_text(state, line), state.bMarks[line] + state.tShift[line]
        for match in () if text.startswith("%") else ENVIRONMENT.finditer(text):
            if match["mark"] == "end":
                opened.close(line, match["name"])
                continue
            opened.push(begin + match.start(), match["name"])
            if not match.start():
                begins[line] = begin
        if not opened.stack:
            break
    return {line: opened.closing[begin] for line, begin in begins.items()}


def _push(state: StateBlock, kind: str, start: int, last: int, markup: str) -> None:
    """Make the block; with an opening mark alone on its line it is cut like a fenced one."""
    token = state.push(kind, "math" if kind == "math_block" else "", 0)
    token.map = [start, last + 1]
    token.markup = markup
    token.content = state.getLines(start + 1, last, state.sCount[start], True)
    token.meta = {CONTENT_LINE: start + 1}
    state.line = last + 1


DIALECT = Dialect(
    "math",
    extend,
    rules={
        "math_block": Rule("math", "hard", inside="code", captioned=True, divided="words"),
        "latex_block": Rule("latex", "hard", inside="code", captioned=True, divided="prose"),
    },
    starts={"math_block": "$\\", "latex_block": "\\"},
    readings={"math_block": Reading(shows=FORMULA)},
)
