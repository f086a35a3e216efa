"""The state of a block parse: markdown-it's, with lines and tokens made in fewer steps."""

# ruff: noqa: N802, N803

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, count
from operator import add
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.common import utils
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core.state_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.parsing.parse_state import is_lean

BLANKS = " \t"
# older versions of markdown-it trim what Python calls whitespace
TRIMMED: str | None = getattr(utils, "MD_TRIM_CHARS", None)
DELIMITER_ROW_END = re.compile(r"-:?[ \t]*(?:\|[ \t]*)?$", re.MULTILINE)
TOKEN_FIELDS = {
    *("type", "tag", "nesting", "attrs", "map", "level", "children"),
    *("content", "markup", "info", "meta", "block", "hidden"),
}


def _made_by_constructor(token_class: type[Token]) -> Token:
    return token_class("", "", 0)


# a token is made field by field, in half the time; one of a version with more fields is not
_new_token: Callable[[type[Token]], Token] = (
    object.__new__ if set(Token.__slots__) == TOKEN_FIELDS else _made_by_constructor
)


def normalize(state: StateCore) -> None:
    """Make every line end a line feed and replace NUL, as markdown-it's rule of this name does."""
    state.src = state.src.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def make_token(
    kind: str,
    tag: str,
    nesting: Literal[-1, 0, 1],
    level: int,
    lines: list[int] | None = None,
    content: str = "",
    markup: str = "",
    children: list[Token] | None = None,
) -> Token:
    """Make a block token; what is not given is as markdown-it's constructor leaves it."""
    token = _new_token(Token)
    token.type = kind
    token.tag = tag
    token.nesting = nesting
    token.attrs = {}
    token.map = lines
    token.level = level
    token.children = children
    token.content = content
    token.markup = markup
    token.info = ""
    token.meta = {}
    token.block = True
    token.hidden = False
    return token


class State(StateBlock):
    """A block parse of one source.

    ``heads`` are the lines before what may be a table's delimiter row: no other heads a table.
    """

    def __init__(self, source: str, parser: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__("", parser, env, tokens)
        self.src = source
        self.lean = is_lean(env)
        self.quoted_in_vain = 0  # lines of quotes that had to be read once more
        lines = source.split("\n")
        if not lines[-1].strip(BLANKS):
            lines.pop()  # a last line of blanks without a line end is none
        self._mark(lines)
        self.heads = self._find_heads() if "|" in source else frozenset[int]()

    def _mark(self, lines: list[str]) -> None:
        """Note where each line begins and ends and how far it is indented."""
        shifts = [len(line) - len(line.lstrip(BLANKS)) for line in lines]
        counts = shifts.copy()
        if "\t" in self.src:
            for number, shift in enumerate(shifts):
                if shift and "\t" in lines[number][:shift]:
                    counts[number] = len(lines[number][:shift].expandtabs(4))
        ends = list(map(add, accumulate(map(len, lines)), count()))
        length = len(self.src)
        self.lineMax = len(lines)
        # a line past the last spares the rules a check
        self.eMarks = [*ends, length]
        self.bMarks = [0, *[end + 1 for end in ends]] if ends else [length]
        self.bMarks[-1] = length
        self.tShift = [*shifts, 0]
        self.sCount = [*counts, 0]
        self.bsCount = [0] * (len(lines) + 1)
        self._begins, self._ends = self.bMarks.copy(), self.eMarks.copy()

    def _find_heads(self) -> frozenset[int]:
        rows = (match.start() for match in DELIMITER_ROW_END.finditer(self.src))
        return frozenset(bisect_right(self.bMarks, row, hi=self.lineMax) - 2 for row in rows)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Add a token to the stream, and go in or out of a level."""
        if nesting < 0:
            self.level -= 1
        token = make_token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token

    def push_text(
        self, kind: str, tag: str, content: str, markup: str, start: int, text_end: int
    ) -> None:
        """Add a block of text that ends at ``line``: its opening, its text, its closing.

        Where the stream is lean the opening holds the text, and is all.
        """
        level, lines, opening = self.level, [start, self.line], f"{kind}_open"
        if self.lean and "<" not in content and ">" not in content:
            self.tokens.append(make_token(opening, tag, 0, level, lines, content, markup))
            return
        self.tokens += (
            make_token(opening, tag, 1, level, lines, "", markup),
            make_token("inline", "", 0, level + 1, [start, text_end], content, "", []),
            make_token(f"{kind}_close", tag, -1, level, None, "", markup),
        )

    def skipEmptyLines(self, from_pos: int) -> int:
        """Find the first line that is not blank."""
        begins, shifts, ends = self.bMarks, self.tShift, self.eMarks
        for line in range(from_pos, self.lineMax):
            if begins[line] + shifts[line] < ends[line]:
                return line
        return max(from_pos, self.lineMax)

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:
        """Return lines without their indentation; blanks beyond it stay."""
        if begin >= end or indent < 0:
            return super().getLines(begin, end, indent, keepLastLF)
        if begin + 1 == end:
            return self._line(begin, indent, int(keepLastLF))
        if indent == 0 and self._untouched(begin, end):
            return self.src[self.bMarks[begin] : self.eMarks[end - 1] + keepLastLF]
        lines = [self._line(line, indent, 1) for line in range(begin, end - 1)]
        lines.append(self._line(end - 1, indent, int(keepLastLF)))
        return "".join(lines)

    def _untouched(self, begin: int, end: int) -> bool:
        """Return whether lines are as in the source, with no container's mark taken off."""
        return (
            self.bMarks[begin:end] == self._begins[begin:end]
            and self.eMarks[begin:end] == self._ends[begin:end]
        )

    def _line(self, line: int, indent: int, after: int) -> str:
        begin, shift = self.bMarks[line], self.tShift[line]
        end = self.eMarks[line] + after
        if indent == 0:
            return self.src[begin:end]
        if "\t" in self.src[begin : begin + indent]:
            # a tab may stand for more columns than are to be taken off
            return super().getLines(line, line + 1, indent, bool(after))
        if shift >= indent:
            return self.src[begin + indent : end]
        if self.src[begin + shift : begin + shift + 1] in (" ", "\t"):
            return super().getLines(line, line + 1, indent, bool(after))
        return self.src[begin + shift : end]
