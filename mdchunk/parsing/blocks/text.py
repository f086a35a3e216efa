"""Paragraphs and setext headings, told apart in one scan of their lines."""

from __future__ import annotations

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.chains import Chain
from mdchunk.parsing.blocks.state import BLANKS, TRIMMED, State

UNDERLINES = {"=": "h1", "-": "h2"}


def make_text_rule(terminators: Chain) -> RuleFuncBlockType:
    """Make the rule that is markdown-it's ``lheading`` and, where that fails, ``paragraph``."""

    def text(state: StateBlock, start: int, end: int, _silent: bool) -> bool:
        assert isinstance(state, State)
        parent, state.parentType = state.parentType, "paragraph"
        stop, marker = start + 1, ""
        if not state.isEmpty(stop):
            stop, marker = _scan(state, start, end, terminators, UNDERLINES)
            if not marker and end != state.lineMax:
                # in a container a paragraph may go on where a heading may not
                stop, marker = _scan(state, start, state.lineMax, terminators, {})
        first, begin = state.bMarks[start], state.bMarks[start] + state.tShift[start]
        # of a tab that is taken off in part, getLines may leave what is before the text
        if stop == start + 1 and "\t" not in state.src[first:begin]:
            content = state.src[begin : state.eMarks[start]].strip(TRIMMED)
        else:
            content = state.getLines(start, stop, state.blkIndent, False).strip(TRIMMED)
        if marker:
            state.line = stop + 1
            state.push_text("heading", UNDERLINES[marker], content, marker, start, stop)
            state.parentType = parent
        else:
            # the type of the parent stays "paragraph", since lheading leaves it so
            state.line = stop
            state.push_text("paragraph", "p", content, "", start, stop)
        return True

    return text


def _scan(
    state: State, start: int, end: int, terminators: Chain, underlines: dict[str, str]
) -> tuple[int, str]:
    """Find the line where text stops, and the marker of the underline that stands there, if any."""
    begins, shifts, ends, counts = state.bMarks, state.tShift, state.eMarks, state.sCount
    plain, always, heads = terminators.plain, terminators.always, state.heads
    source, block = state.src, state.blkIndent
    for line in range(start + 1, end):
        position = begins[line] + shifts[line]
        if position >= ends[line]:
            return line, ""
        indent = counts[line]
        if indent - block > 3:
            continue  # too far in to be anything but text
        character = source[position]
        underline = character in underlines and indent >= block
        if underline and not source[position : ends[line]].rstrip(BLANKS).strip(character):
            return line, character
        if indent < 0:
            continue  # a block quote has found that the line goes on with its text
        rules = terminators.at(state, line) if line in heads else plain.get(character, always)
        for rule in rules:
            if rule(state, line, end, True):
                return line, ""
    return max(end, start + 1), ""
