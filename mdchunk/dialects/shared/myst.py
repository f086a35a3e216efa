"""MyST's part of the directives: fences, what their content is, options, block breaks, targets."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import INTERRUPTS, find_line, line_text, push_container

_LITERAL = """
code code-block code-cell sourcecode literalinclude parsed-literal raw math mermaid eval-rst toctree
csv-table doctest highlight
"""
LITERAL_NAMES = frozenset(_LITERAL.split())
"""Directives whose content is no Markdown."""
_FENCED = """
note warning tip important caution danger error hint attention seealso todo admonition aside topic
sidebar margin epigraph highlights pull-quote blockquote compound container div only details
dropdown versionadded versionchanged versionremoved deprecated figure figure-md table
glossary tab-set tab-item card card-carousel grid grid-item grid-item-card
exercise solution proof theorem lemma definition example remark corollary
"""
FENCED = frozenset(_FENCED.split())
"""Directives whose content is Markdown behind a fence too; any other fence is code."""
DIRECTIVE_FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})[ \t]*\{(?:prf:)?(?P<name>[\w-]+)\}[^`]*")
OPTION = re.compile(r":[\w-]+:(?:\s|\Z)")
BREAK = re.compile(r"\+\+\+(?:[ \t]+\{.*)?")
TARGET = re.compile(r"\([^()\s](?:[^()]*[^()\s])?\)=")


def extend_myst(parser: MarkdownIt) -> None:
    """Add the block rules; as in MyST they may interrupt a paragraph."""
    ruler = parser.block.ruler
    ruler.before("fence", "directive_fence", _fence, INTERRUPTS)
    ruler.before("blockquote", "block_break", _break, INTERRUPTS)
    ruler.before("blockquote", "target", _target, INTERRUPTS)


def _fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    opening = (
        None if state.is_code_block(start) else DIRECTIVE_FENCE.fullmatch(line_text(state, start))
    )
    if not opening or opening["name"] not in FENCED:
        return False
    if silent:
        return True
    mark = opening["marks"]

    def closes(text: str) -> bool:
        return text.startswith(mark) and not text.strip(mark[0])

    found = find_line(state, start, end, closes, mark=mark)
    stop, after = (found, found + 1) if found > 0 else (end, end)
    inner = content_start(state, start, stop), stop
    push_container(state, "directive", (start, after), inner).markup = mark
    return True


def content_start(state: StateBlock, start: int, stop: int) -> int:
    """Find the line after a MyST directive's options: ``:key: value`` lines or a block of YAML."""
    line = start + 1
    if line < stop and line_text(state, line) == "---":
        closing = (n for n in range(line + 1, stop) if line_text(state, n) == "---")
        return next(closing, start) + 1
    while line < stop and OPTION.match(line_text(state, line)):
        line += 1
    return line


def _break(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    return _push_line(state, "block_break", BREAK, start, silent=silent)


def _target(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    return _push_line(state, "target", TARGET, start, silent=silent)


def _push_line(
    state: StateBlock, name: str, pattern: re.Pattern[str], line: int, *, silent: bool
) -> bool:
    """Make a block of one line, if the line is one."""
    if state.is_code_block(line) or not pattern.fullmatch(line_text(state, line)):
        return False
    if not silent:
        state.push(name, "", 0).map = [line, line + 1]
        state.line = line + 1
    return True
