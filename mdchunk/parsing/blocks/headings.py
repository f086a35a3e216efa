"""ATX headings, with the tokens of markdown-it's rule."""

from __future__ import annotations

from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.state import BLANKS, TRIMMED, State


def heading(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Take an ATX heading, as markdown-it's rule of this name does."""
    assert isinstance(state, State)
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    text = line.lstrip("#")
    level = len(line) - len(text)
    if not 1 <= level <= 6 or text[:1] not in ("", " ", "\t"):
        return False
    if not silent:
        text = text.rstrip(BLANKS)
        bare = text.rstrip("#")
        if bare.endswith((" ", "\t")):
            text = bare
        state.line = start + 1
        state.push_text("heading", f"h{level}", text.strip(TRIMMED), "#" * level, start, start + 1)
    return True
