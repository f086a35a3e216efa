"""Block quotes by markdown-it's rule, with few lines to look at behind the first lazy one."""

from __future__ import annotations

from markdown_it import rules_block
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.state import State

LAZY = 16
"""Lines behind the first that lacks a mark which are read at first: more than most have."""

PATIENCE = 4
"""How often a document's lines may be read in vain: quotes in quotes would read each other's."""


def blockquote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a quote, as markdown-it's rule of this name does.

    That reads all lines up to a blank one, though most end with the paragraph that is open where a
    mark is missing; so that a document of many quotes would be read again and again. No block but
    a paragraph goes on over such a line, so what is read there changes nothing before it.
    """
    if silent:
        return rules_block.blockquote(state, start, end, True)
    assert isinstance(state, State)
    lazy, ahead = _first_lazy(state, start, end), LAZY
    while lazy + ahead < end and state.quoted_in_vain <= PATIENCE * len(state.bMarks):
        undo = _Mark(state)
        state.lineMax = lazy + ahead  # or a paragraph would look at all lines below
        rules_block.blockquote(state, start, state.lineMax, False)
        state.lineMax = undo.last
        if state.line < lazy + ahead:
            return True
        undo.back()
        state.quoted_in_vain += lazy + ahead - start
        ahead *= 2
    return rules_block.blockquote(state, start, end, False)


def _first_lazy(state: StateBlock, start: int, end: int) -> int:
    """Find the first line that lacks the quote's mark."""
    source, begins, shifts = state.src, state.bMarks, state.tShift
    for line in range(start, end):
        if not source.startswith(">", begins[line] + shifts[line]):
            return line
    return end


class _Mark:
    """How far tokens and definitions were when a quote began."""

    def __init__(self, state: StateBlock) -> None:
        self.state = state
        self.tokens = len(state.tokens)
        self.before = state.line, state.tight, state.parentType
        self.last = state.lineMax
        self.known = len(state.env.get("references", ()))
        self.again = len(state.env.get("duplicate_refs", ()))

    def back(self) -> None:
        """Take back what a quote that is read once more has made."""
        state = self.state
        del state.tokens[self.tokens :]
        state.line, state.tight, state.parentType = self.before
        references = state.env.pop("references", {})
        while len(references) > self.known:
            references.popitem()
        again = state.env.pop("duplicate_refs", [])[: self.again]
        # a parse without definitions has neither
        if references:
            state.env["references"] = references
        if again:
            state.env["duplicate_refs"] = again
