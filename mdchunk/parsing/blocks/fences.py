"""Fenced code, with the tokens of markdown-it's rule."""

from __future__ import annotations

from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.state import BLANKS


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take fenced code; the line starts with a backtick or a tilde."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    info = line.lstrip(line[0])
    markup = line[: len(line) - len(info)]
    if len(markup) < 3 or (line[0] == "`" and "`" in info):
        return False
    if not silent:
        stop, closed = _find_close(state, start, end, markup)
        state.line = stop + closed
        token = state.push("fence", "code", 0)
        token.info = info
        token.content = state.getLines(start + 1, stop, state.sCount[start], True)
        token.markup = markup
        token.map = [start, state.line]
    return True


def _find_close(state: StateBlock, start: int, end: int, markup: str) -> tuple[int, bool]:
    """Find the line of the closing fence, else the line before which the code must end."""
    begins, shifts, ends, counts = state.bMarks, state.tShift, state.eMarks, state.sCount
    source, block = state.src, state.blkIndent
    length = len(source)
    for line in range(start + 1, end):
        position = begins[line] + shifts[line]
        if counts[line] < block and position < ends[line]:
            return line, False
        if position >= length:
            return line, False  # the blank rest of a container at the end of the source
        if not source.startswith(markup, position) or state.is_code_block(line):
            continue
        if not source[position : ends[line]].lstrip(markup[0]).strip(BLANKS):
            return line, True
    return max(end, start + 1), False
