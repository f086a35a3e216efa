"""Link titles over many lines, in time that grows with their length and not with its square."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

from markdown_it import MarkdownIt, helpers
from markdown_it.common.utils import unescapeAll

CLOSING = {'"': '"', "'": "'", "(": ")"}
STOPS = {mark: re.compile(rf"[\\{open_mark}{mark}]") for open_mark, mark in CLOSING.items()}


class Title:
    """What is known of a title: whether it is whole, may go on, where it ends, what it says."""

    __slots__ = ("can_continue", "marker", "ok", "parts", "pos")

    def __init__(self, marker: str, parts: list[str]) -> None:
        self.marker, self.parts = marker, parts
        self.ok = self.can_continue = False
        self.pos = 0

    @property
    def str(self) -> str:
        """Give the text so far."""
        return "".join(self.parts)


def parse_link_title(
    string: str, start: int, maximum: int, prev_state: Title | None = None
) -> Title:
    """Read a link title, or go on with one on its next line, as markdown-it's helper does."""
    if prev_state is not None:
        title = Title(prev_state.marker, prev_state.parts)
    elif start < maximum and string[start] in CLOSING:
        title = Title(CLOSING[string[start]], [])
        start += 1
    else:
        return Title("", [])
    position = start
    while stop := STOPS[title.marker].search(string, position, maximum):
        position = stop.end()
        if stop[0] == title.marker:
            title.ok, title.pos = True, position
            title.parts.append(unescapeAll(string[start : stop.start()]))
            return title
        if stop[0] == "(":
            return title
        position += 1  # past what a backslash escapes
    title.can_continue = True
    title.parts.append(unescapeAll(string[start:maximum]))
    return title


def read_titles_quickly(parser: MarkdownIt) -> None:
    """Give a parser this way to read titles, if it reads them line by line at all."""
    if "prev_state" in inspect.signature(helpers.parseLinkTitle).parameters:
        names = {name: getattr(helpers, name) for name in helpers.__all__}
        parser.helpers = ModuleType("helpers")
        vars(parser.helpers).update(names, parseLinkTitle=parse_link_title)
