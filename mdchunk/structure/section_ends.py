"""Where sections end that a container holds: behind it the section from before goes on."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

from markdown_it.token import Token

from mdchunk.lines import pattern
from mdchunk.structure.compiled_rules import CompiledRules

CONTAINERS = (
    "div|section|article|aside|main|header|footer|nav|center|figure|blockquote|details|p|listing"
)
TAG = pattern(
    rf"<!--.*?(?:-->|\Z)|<(?P<closes>/?)(?P<name>{CONTAINERS})\b[^<>]*(?P<alone>/?)>",
    re.IGNORECASE | re.DOTALL,
)
"""A tag of an element that may hold blocks, or a comment."""
ANY_TAG = pattern(r"</?[A-Za-z][^<>]*>")


class _Section(NamedTuple):
    """A section: the level of its heading, the section that it is in, and how deep it lies."""

    level: int
    parent: int
    depth: int


def outermost(tokens: Iterable[Token], rules: CompiledRules) -> int:
    """Return how deep the outermost sections of a document lie, if they are not of level 1.

    One that holds all others is the document's own and has its title: 1. Several are sections of a
    document whose title stands elsewhere, in front matter or a file's name: 2.
    """
    least, count = sys.maxsize, 0
    for token in tokens:
        if token.level or token.nesting < 0:
            continue
        rule = rules.openers.get(token.type)
        if rule is not None and rule.level_from == "tag":
            level = int(token.tag[1:])
            if level <= least:
                least, count = level, count + 1
    return 1 if count <= 1 else 2


class SectionEnds:
    """Follows which section is open, and where it ends with its container.

    ``here`` is how deep the section lies that is open, 0 where none is.
    """

    __slots__ = (
        *("_elements", "_headings", "_open", "_opened", "_outermost", "_sections"),
        *("found", "here"),
    )

    def __init__(self, outermost: int) -> None:
        self._outermost = outermost
        self.here = 0
        self.found: list[tuple[int, int]] = []
        self._headings = 0
        self._sections: list[_Section] = []
        self._open = -1
        self._opened: list[tuple[int, int]] = []
        self._elements: dict[str, list[tuple[int, int]]] = {}

    def depth(self, level: int) -> int:
        """Return how deep the section of a heading of a level lies here."""
        return self._below(self._parent(level), level)

    def _below(self, parent: int, level: int) -> int:
        if parent >= 0:
            return self._sections[parent].depth + 1
        return 1 if level == 1 else self._outermost

    def head(self, level: int) -> None:
        """Note that a heading of a level opens a section."""
        parent = self._parent(level)
        self._sections.append(_Section(level, parent, self._below(parent, level)))
        self._go_to(self._headings)
        self._headings += 1

    def _go_to(self, section: int) -> None:
        self._open = section
        self.here = self._sections[section].depth if section >= 0 else 0

    def _parent(self, level: int) -> int:
        parent = self._open
        while parent >= 0 and self._sections[parent].level >= level:
            parent = self._sections[parent].parent
        return parent

    def enter(self) -> None:
        """Note that a container begins."""
        self._opened.append((self._open, self._headings))

    def leave(self, offset: int) -> None:
        """Note that the container that began last ends at an offset."""
        self._end(offset, self._opened.pop())

    def tags(self, source: str, start: int, end: int) -> None:
        """Note the elements that begin and end in a piece of HTML.

        What a piece begins with ends before it, so that a chunk may begin with the tags.
        """
        place, done = start, start
        for tag in TAG.finditer(source, start, end):
            if place > start or ANY_TAG.sub("", source[done : tag.start()]).strip():
                place = tag.start()
            done = tag.end()
            if tag["name"] is None or tag["alone"]:
                continue
            opened = self._elements.setdefault(tag["name"].lower(), [])
            if not tag["closes"]:
                opened.append((self._open, self._headings))
            elif opened:
                self._end(place, opened.pop())

    def _end(self, offset: int, before: tuple[int, int]) -> None:
        section, headings = before
        inside = self._headings - headings
        # the title of a document may stand in an element of its own, or in one with all the text
        if inside and section < 0 and (inside == 1 or self._sections[headings].level == 1):
            section = headings
        if section == self._open or not inside:
            return
        self._go_to(section)
        self.found.append((offset, section))
