"""Which block rules can match at a line, told by its first character that is no blank."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from markdown_it import rules_block
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.blocks.headings import heading
from mdchunk.parsing.blocks.quotes import blockquote
from mdchunk.parsing.blocks.references import LINE_BY_LINE, reference
from mdchunk.parsing.blocks.tables import table

FIRST_CHARACTERS: Mapping[str, str] = MappingProxyType(
    {
        "fence": "`~",
        "blockquote": ">",
        "hr": "*-_",
        "list": "*+-0123456789",
        "reference": "[",
        "html_block": "<",
        "heading": "#",
    }
)
"""Where markdown-it's own rules can match; a rule that is not named here is tried at every line."""
OPENINGS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "hr": re.compile(r"([*_-])(?:[ \t]*\1){2,}[ \t]*\Z"),
        # what has no escape is no definition unless its label ends in a colon, or on another line
        "reference": re.compile(r"\[[^\[\]\\]*(?:\]:|\\|\Z)"),
        "html_block": re.compile(r"<[\w/!?]"),
    }
)
"""What a line must look like, from its first character on, for a rule to be worth a call."""
REWRITTEN: Mapping[str, RuleFuncBlockType] = MappingProxyType(
    {
        "table": table,
        "blockquote": blockquote,
        "heading": heading,
        **({"reference": reference} if LINE_BY_LINE else {}),
    }
)
"""Rules done anew with the same tokens; they rely on being called where they can match."""
EVERY_LINE = range(sys.maxsize)
Rules = tuple[RuleFuncBlockType, ...]


class NamedRule(NamedTuple):
    """A block rule of a parser.

    ``starts`` are the characters it can match at, None for any; ``ships`` tells whether it is
    markdown-it's own rule of that name, not another in its place.
    """

    name: str
    function: RuleFuncBlockType
    starts: str | None
    ships: bool


def name_rule(name: str, function: RuleFuncBlockType, starts: Mapping[str, str]) -> NamedRule:
    """Name a rule with the characters it can match at: a dialect's, else markdown-it's own."""
    own = rules_block.list_block if name == "list" else getattr(rules_block, name, None)
    if function is not own:
        return NamedRule(name, function, starts.get(name), False)
    function = REWRITTEN.get(name, function)
    if name in OPENINGS:
        function = _guard(function, OPENINGS[name])
    return NamedRule(name, function, FIRST_CHARACTERS.get(name), True)


def _guard(rule: RuleFuncBlockType, opening: re.Pattern[str]) -> RuleFuncBlockType:
    """Spare a rule the calls at lines that it would refuse."""
    match = opening.match

    def guarded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        position = state.bMarks[start] + state.tShift[start]
        if match(state.src, position, state.eMarks[start]) is None:
            return False
        return rule(state, start, end, silent)

    return guarded


class Chain:
    """The rules of one chain in order, chosen by what stands at a line.

    Three tables by first character: ``plain`` lines, ``heads`` of what may be a table, and lines
    ``indented`` so far that of markdown-it's own rules only ``code`` takes them. Where a character
    is not in a table, the rules under ``""`` are tried.
    """

    __slots__ = ("always", "code", "heads", "indented", "plain")

    def __init__(self, rules: Sequence[NamedRule], *, code: bool) -> None:
        self.code = code
        flush = [rule for rule in rules if rule.name != "code" or not rule.ships]
        self.heads = _by_character(flush)
        self.plain = _by_character([r for r in flush if r.name != "table" or not r.ships])
        self.indented = _by_character([r for r in rules if r.name == "code" or not r.ships])
        self.always = self.plain[""]

    def at(self, state: StateBlock, line: int) -> Rules:
        """Choose the rules to try at a line."""
        if self.code and state.sCount[line] - state.blkIndent > 3:
            table = self.indented
        elif line in getattr(state, "heads", EVERY_LINE):
            table = self.heads
        else:
            table = self.plain
        position = state.bMarks[line] + state.tShift[line]
        return table.get(state.src[position : position + 1]) or table[""]

    def terminates(self, state: StateBlock, line: int, end: int, silent: bool) -> bool:
        """Return whether a rule of the chain matches at a line: one rule that stands for all."""
        for rule in self.at(state, line):  # noqa: SIM110 - a generator costs more than the rules
            if rule(state, line, end, silent):
                return True
        return False


def _by_character(rules: Sequence[NamedRule]) -> dict[str, Rules]:
    characters = {character for rule in rules for character in rule.starts or ""}
    table = {
        character: tuple(r.function for r in rules if r.starts is None or character in r.starts)
        for character in characters
    }
    table[""] = tuple(rule.function for rule in rules if rule.starts is None)
    return table
