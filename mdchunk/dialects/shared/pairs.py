"""Which line closes what a line opens, where many of a kind may stand in each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import outdented
from mdchunk.parsing.parse_state import parse_state

Key = TypeVar("Key", int, str)
Pairs = Callable[[StateBlock, int, int], dict[int, int]]
"""Reads a range of lines; returns the closing line for each that opens something, -1 for none."""


def known_closing(state: StateBlock, start: int, end: int, key: str, pairs: Pairs) -> int:
    """Return the line that closes what a line opens; -1 if none does.

    One reading by ``pairs`` does for all that is nested, and for what nothing closes, so that
    neither costs more. It is remembered under ``key``, the syntax.
    """
    known = parse_state(state).closings.setdefault(key, {})
    found = known.get(start)
    if found is None or found >= end or (found > 0 and outdented(state, found)):
        known |= pairs(state, start, end)
        found = known.get(start, -1)
    return found


def known_outer_closing(state: StateBlock, start: int, end: int, key: str, pairs: Pairs) -> int:
    """Return what ``known_closing`` does, for a syntax that may end the text of a list's item.

    A line that does so is one of the container round that.
    """
    indent, state.blkIndent = state.blkIndent, min(state.blkIndent, state.sCount[start])
    found = known_closing(state, start, end, key, pairs)
    state.blkIndent = indent
    return found


class Opened(Generic[Key]):
    """What is open while lines are read from one on, each with a key, and what closes it."""

    def __init__(self) -> None:
        self.stack: list[tuple[int, Key]] = []
        self.keys: Counter[Key] = Counter()
        self.closing: dict[int, int] = {}

    def push(self, line: int, key: Key) -> None:
        """Note that a line opens something; until it is closed nothing closes it."""
        self.stack.append((line, key))
        self.keys[key] += 1
        self.closing[line] = -1

    def close(self, line: int, key: Key) -> bool:
        """Close the innermost of a key, if there is one; what is open inside of it stays so."""
        if not self.keys[key]:
            return False
        while self.stack[-1][1] != key:
            self._pop()
        self.close_last(line)
        return True

    def close_last(self, line: int) -> None:
        """Close what was opened last."""
        self.closing[self._pop()] = line

    def _pop(self) -> int:
        line, key = self.stack.pop()
        self.keys[key] -= 1
        return line
