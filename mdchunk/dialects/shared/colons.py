"""Which line closes a container of marks: one of its length, else one longer than the innermost."""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import lines_outside_fences
from mdchunk.dialects.shared.pairs import Opened, known_outer_closing
from mdchunk.lines import pattern

OPENING_LINE = pattern(
    r"(?P<marks>:{3,})[ \t]*"
    r"(?:\{(?P<myst>[A-Za-z][\w:.+-]*)\}.*"
    r"|(?P<div>\{(?![^{}]*\.callout)[ \t]*[.#\w][^{}]*\})[ \t]*:*"
    r"|\{[.#][^{}]*\}[ \t]*:*"
    r"|(?!\w[\w-]*-end\b)[A-Za-z][\w-]*(?:[ \t]+:{3,}|(?:[\[{ \t].*)?(?<!:::)))"
)
"""An opening line: ``:::{name}`` (MyST), ``::: {.class}`` (Pandoc), ``::: name`` with a title.

Learn's ``:::image … :::`` and ``:::row:::`` open nothing, nor does ``:::zone-end``.
"""


class Marks(NamedTuple):
    """What opens containers, with a group ``marks``, and what they are of; ``:::`` three times."""

    key: str
    opening: re.Pattern[str]


COLONS = Marks(":::", OPENING_LINE)


def closing_line(state: StateBlock, start: int, end: int, marks: Marks = COLONS) -> int:
    """Find the line that closes the container opened at ``start``; -1 if none does."""

    def pairs(state: StateBlock, first: int, stop: int) -> dict[int, int]:
        return _pairs(state, first, stop, marks)

    return known_outer_closing(state, start, end, marks.key, pairs)


def _pairs(state: StateBlock, start: int, end: int, marks: Marks) -> dict[int, int]:
    opened: Opened[int] = Opened()
    for line, text in lines_outside_fences(state, start, end):
        if not text.startswith(marks.key) or state.is_code_block(line):
            continue
        if not text.strip(marks.key[0]):
            length = len(text)
            # a bare mark closes the innermost of its length, else the innermost if that is shorter
            closed = opened.close(line, length)
            if not closed and opened.stack and opened.stack[-1][1] <= length:
                opened.close_last(line)
            if not opened.stack:
                break
        elif opening := marks.opening.fullmatch(text):
            opened.push(line, len(opening["marks"]))
    return opened.closing
