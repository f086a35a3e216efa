"""Inline tokens with the places at which they begin, which markdown-it does not tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import RuleFuncInline2Type
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

JOINING = frozenset({"fragments_join", "text_collapse"})
"""What joins tokens of text, by its names in versions of markdown-it: each is wanted with its
place."""
LONGEST = 20_000
MOST_BRACKETS = 100
"""What is longer or has more is read in parts: brackets take time by their square."""


class _Recording(StateInline):
    """A state that notes where the text stands of which each token is made."""

    def __init__(self, text: str, parser: MarkdownIt, env: EnvType) -> None:
        super().__init__(text, parser, env, [])
        self.places: dict[int, int] = {}
        self.reached = 0

    def pushPending(self) -> Token:  # noqa: N802
        """Note that text that waited ends right before what comes now, blanks apart."""
        token = super().pushPending()
        self._note(token, self.src.rfind(token.content, self.reached, max(self.pos, self.reached)))
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Note that a token begins where the rule that makes it was tried."""
        token = super().push(ttype, tag, nesting)
        self._note(token, self.pos)
        return token

    def _note(self, token: Token, place: int) -> None:
        self.places[id(token)] = place = max(place, self.reached)
        self.reached = place + (token.type == "text") * max(len(token.content), 1)


def inline_tokens(text: str, parser: MarkdownIt, env: EnvType) -> Iterator[tuple[Token, int]]:
    """Read a text by a parser's inline rules: each token, and where in the text it begins."""
    for start, end in _parts(text):
        state = _Recording(text[start:end], parser, env)
        parser.inline.tokenize(state)
        for rule in _second_rules(parser):
            rule(state)
        for token in state.tokens:
            yield token, start + state.places.get(id(token), 0)
        if text.startswith(("\n", " "), end):
            yield Token("softbreak", "br", 0), end


def _second_rules(parser: MarkdownIt) -> Sequence[RuleFuncInline2Type]:
    ruler = parser.inline.ruler2
    joining = {rule.fn for rule in ruler.__rules__ if rule.name in JOINING}
    return [rule for rule in ruler.getRules("") if rule not in joining]


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Divide a text at lines, else at blanks, so that no part is too long or has many brackets."""
    start = 0
    while start < len(text):
        end = min(start + LONGEST, _bracket_end(text, start))
        if end < len(text):
            cut = max(text.rfind("\n", start + 1, end), start)
            cut = cut if cut > start else max(text.rfind(" ", start + 1, end), start)
            end = cut if cut > start else end
        yield start, end
        start = end + text.startswith(("\n", " "), end)


def _bracket_end(text: str, start: int) -> int:
    """Find where a text has had as many brackets as are read at once."""
    place = start - 1
    for _ in range(MOST_BRACKETS):
        place = text.find("[", place + 1)
        if place < 0:
            return len(text)
    return max(place, start + 1)
