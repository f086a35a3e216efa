"""What a dialect is: syntax, the meaning of its tokens, and how good its cuts are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from markdown_it import MarkdownIt

from mdchunk.rules import Reading, Rule
from mdchunk.scores import Weight


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A syntax beside CommonMark's, passed as an object or found by an entry point.

    ``extend`` is a markdown-it plug-in: it adds rules to the parser it is given. ``rules`` maps
    the token types that it makes to their meaning, ``scores`` the kinds to their weights (a kind
    without one counts as a paragraph). ``starts`` may name, for the block rules that it adds, the
    characters at which they can match, so that they are not tried at every line. ``readings`` says
    how the tokens of its blocks and inline rules read, if not as their text.
    """

    name: str
    extend: Callable[[MarkdownIt], None]
    rules: Mapping[str, Rule] = field(default_factory=lambda: MappingProxyType({}))
    scores: Mapping[str, Weight] = field(default_factory=lambda: MappingProxyType({}))
    starts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    readings: Mapping[str, Reading] = field(default_factory=lambda: MappingProxyType({}))
