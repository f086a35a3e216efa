"""What block rules remember while one source is parsed."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from markdown_it.rules_block import StateBlock
from markdown_it.rules_core.state_core import StateCore
from markdown_it.utils import EnvType

ENV_KEY = "mdchunk"
"""The one key of markdown-it's environment that is ours, and only until the parse has ended."""


@dataclass(slots=True)
class TagLines:
    """What is known of tags that stand alone on a line, by line number.

    ``names`` are those that both open and close in the source, None if nobody has asked;
    ``alone`` the lines that were made blocks of their own. A second reading of the blocks knows
    which lines are ``paired`` (None in the first), and which of them are ``interrupting`` what
    they stand in.
    """

    names: Set[str] | None = None
    alone: set[int] = field(default_factory=set)
    interrupting: Set[int] = frozenset()
    paired: Set[int] | None = None


@dataclass(slots=True)
class ParseState:
    """What was found once and need not be looked for again; lines are line numbers.

    A ``lean`` parse leaves out tokens of which no structure is made: what a table holds, millions
    in a large one, and the texts and closings of paragraphs and headings. Those of what may hold a
    tag or a comment stay.

    ``own_levels`` counts the open containers that are a dialect's. ``open_fences`` and ``misses``
    hold the range of lines in which a fence, or what a rule looked for, is not closed, by what it
    is and the container. ``closings`` maps opening lines to closing ones (-1: none), by syntax;
    ``tails`` keeps the closing tags at the ends of a paragraph's lines, by paragraph. ``facts``
    are answers about the whole source, by the dialect that asks.
    """

    lean: bool = False
    own_levels: int = 0
    open_fences: dict[tuple[object, ...], tuple[int, int]] = field(default_factory=dict)
    misses: dict[tuple[object, ...], tuple[int, int]] = field(default_factory=dict)
    closings: dict[str, dict[int, int]] = field(default_factory=dict)
    tails: dict[tuple[int, ...], Any] = field(default_factory=dict)
    facts: dict[str, bool] = field(default_factory=dict)
    tags: TagLines = field(default_factory=TagLines)


def parse_state(state: StateBlock | StateCore) -> ParseState:
    """Return what is remembered in the parse of a state; at first that is nothing."""
    found: ParseState | None = state.env.get(ENV_KEY)
    if found is None:
        found = state.env[ENV_KEY] = ParseState()
    return found


def is_lean(env: EnvType) -> bool:
    """Return whether a parse with an environment is lean; nothing is added to that."""
    found: ParseState | None = env.get(ENV_KEY)
    return found is not None and found.lean
