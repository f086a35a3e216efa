"""What the dialects' block rules share: a line's text, the line that closes, the blocks inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from mdchunk.parsing.parse_state import parse_state
from mdchunk.rules import Rule

if TYPE_CHECKING:
    from markdown_it.ruler import RuleOptionsType

INTERRUPTS: RuleOptionsType = {
    "alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]
}
"""The options of a block rule that may end a paragraph, as those of fences and headings may."""

CODE_FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")


def line_text(state: StateBlock, line: int) -> str:
    """Return the text of a line without its indentation and the marks of its containers."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()


def outdented(state: StateBlock, line: int) -> bool:
    """Return whether a line ends the container that is open."""
    return state.sCount[line] < state.blkIndent and not state.isEmpty(line)


def lines_outside_fences(state: StateBlock, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Go through the lines of the open container that are no fence and in none, with their text."""
    # where a mark closed no fence once, it closes none that begins later
    open_fences = parse_state(state).open_fences
    fence, opened, stop = "", 0, end
    for line in range(start, end):
        if outdented(state, line):
            stop = line
            break
        text = line_text(state, line)
        if fence:
            if text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
        elif text[:3] in ("```", "~~~") and not state.is_code_block(line):
            opening = CODE_FENCE.match(text)
            fence, opened = (opening[0], line) if opening else ("", 0)
            since, until = open_fences.get((fence, state.level, state.blkIndent, end), (0, 0))
            if since <= line < until:
                return
        else:
            yield line, text
    if fence:
        open_fences[fence, state.level, state.blkIndent, end] = opened, stop


def find_line(
    state: StateBlock,
    start: int,
    end: int,
    closes: Callable[[str], object],
    *,
    mark: str,
    over_blank: bool = True,
) -> int:
    """Find the first line after an opening one that closes it; -1 if its container ends before.

    ``mark`` names what is looked for: where it was not found once it is not looked for again, so
    that a document full of unclosed openers takes linear time.
    """
    found = parse_state(state)
    # in our own containers a line looks as it does outside of them
    level = state.level - found.own_levels
    place = (mark, over_blank, level, state.blkIndent, end)
    since, until = found.misses.get(place, (0, 0))
    if since <= start < until:
        return -1
    stop = end
    for line in range(start + 1, end):
        if state.isEmpty(line):
            if over_blank:
                continue
            stop = line
            break
        if state.sCount[line] < state.blkIndent:
            stop = line
            break
        if closes(line_text(state, line)):
            return line
    found.misses[place] = (start, stop)
    return -1


def push_container(
    state: StateBlock, name: str, lines: tuple[int, int], inner: tuple[int, int], *, indent: int = 0
) -> Token:
    """Make a container of some lines, with the blocks of those between its marks.

    The container ends where its blocks do if they stop early.
    """
    opening = state.push(f"{name}_open", "div", 1)
    before = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax = "container", inner[1]
    state.blkIndent += indent
    state.line = inner[0]
    parse_state(state).own_levels += 1
    state.md.block.tokenize(state, *inner)
    parse_state(state).own_levels -= 1
    reached = state.line
    state.parentType, state.lineMax, state.blkIndent = before
    state.push(f"{name}_close", "div", -1)
    state.line = lines[1] if reached >= inner[1] else reached
    opening.map = [lines[0], state.line]
    return opening


def retype_quotes(tokens: Sequence[Token], pattern: re.Pattern[str]) -> None:
    """Make callouts of the block quotes that begin so; a first paragraph of one line is a title."""
    callouts: list[bool] = []
    for index, token in enumerate(tokens):
        if token.type == "blockquote_open":
            title = tokens[index + 1]
            text = ""
            if title.type == "paragraph_open":  # a lean one holds its text itself
                text = tokens[index + 2].content if title.nesting else title.content
            callouts.append(pattern.match(text) is not None)
            if callouts[-1]:
                token.type = "callout_open"
                if "\n" not in text:
                    title.type = "callout_title_open"
        elif token.type == "blockquote_close" and callouts.pop():
            token.type = "callout_close"


CALLOUT_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "callout_open": Rule("callout", "hard"),
        "callout_title_open": Rule("paragraph", inside="text", leads=True),
    }
)
"""What the tokens mean that ``retype_quotes`` makes."""
CALLOUT_MARK: Mapping[str, str] = MappingProxyType(
    {
        "callout_mark": r"\[!(?P<name>[^\[\]|\n]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*"
        r"(?P<text>[^\n]*)(?P<end>\n)?"
    }
)
"""How a callout begins: a reader sees its title, else the name of its type."""
