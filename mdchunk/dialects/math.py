r"""Display math: ``$$ … $$``, ``\[ … \]`` and the environments of amsmath, closed or not at all.

The sources are Pandoc's ``tex_math_dollars``, MyST's ``dollarmath`` and ``amsmath``, and MathJax.
May misread: a paragraph that begins with an escaped bracket and ends with one, such as
``\[to do\]``, and a paragraph between two lines of ``$$``. ``$$`` with text behind it must close
before a blank line, and an opening mark that is not closed is text.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import INTERRUPTS, find_line, line_text
from mdchunk.rules import Rule

ENVIRONMENTS = (
    "equation|multline|gather|align|alignat|flalign|eqnarray|split|gathered|aligned|alignedat"
    "|cases|array|matrix|pmatrix|bmatrix|Bmatrix|vmatrix|Vmatrix|smallmatrix"
)
OPENING = re.compile(rf"\$\$|\\\[|\\begin\{{((?:{ENVIRONMENTS})\*?)\}}")
LABEL = re.compile(r"\s*(?:\([^()$]+\)|\{[^{}$]*\})?")
"""An equation's label behind its closing mark: ``$$ (euler)``, ``$$ {#eq-euler}``."""


def extend(parser: MarkdownIt) -> None:
    """Add the block rule; as in MyST it may interrupt a paragraph."""
    parser.block.ruler.before("blockquote", "math_block", _math, INTERRUPTS)


def _math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    text = line_text(state, start)
    opening = OPENING.match(text)
    if not opening:
        return False
    mark = {"$": "$$", "[": r"\]"}.get(opening[0][-1], rf"\end{{{opening[1]}}}")
    rest = text[opening.end() :]
    if mark in rest:
        last = start if rest.index(mark) and _ends_with(rest, mark) else -1
    else:
        over_blank = bool(opening[1]) or not rest.strip()
        last = find_line(
            state, start, end, lambda line: _ends_with(line, mark), mark=mark, over_blank=over_blank
        )
    if last >= 0 and not silent:
        _push(state, start, last, "" if rest else opening[0])
    return last >= 0


def _ends_with(text: str, mark: str) -> bool:
    """Tell whether a line has the mark once, at its end."""
    at = text.find(mark)
    return at >= 0 and LABEL.fullmatch(text, at + len(mark)) is not None


def _push(state: StateBlock, start: int, last: int, markup: str) -> None:
    """Make the block; with an opening mark alone on its line it is cut like a fenced one."""
    token = state.push("math_block", "math", 0)
    token.map = [start, last + 1]
    token.markup = markup
    token.content = state.getLines(start + 1, last, state.sCount[start], True)
    state.line = last + 1


MATH = Dialect(
    "math",
    extend,
    rules={"math_block": Rule("math", "hard", inside="code", captioned=True, divided="words")},
    starts={"math_block": "$\\"},
)
