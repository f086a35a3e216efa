"""Headings as values: in the source, in a page, and the two together."""

from __future__ import annotations

import re
from typing import NamedTuple

BRACES = re.compile(r"\{[^{}]*\}\s*\Z")
SHORTCODE = re.compile(r":[\w+-]+:")
NOT_WORDS = re.compile(r"[\W_]+")
LEAD = 12
"""So many letters after a heading tell it from one of the same text; more meet more markup."""
LEAD_SOURCE = 200


class Title(NamedTuple):
    """A heading in the source; ``own`` is False where a list, quote or the like holds it.

    ``lead`` is how what follows begins, as ``comparable`` has it; ``lines`` counts those of the
    heading, an underline too; ``raw`` is True for an element of HTML.
    """

    offset: int
    line: int
    level: int
    text: str
    explicit: str
    own: bool
    lead: str = ""
    lines: int = 1
    raw: bool = False


class Anchor(NamedTuple):
    """A heading in a page; ``id`` is empty if nothing can link to it."""

    level: int
    text: str
    id: str
    lead: str = ""


class Place(NamedTuple):
    """A heading of the document itself and the id that stands in the page, if it was found."""

    title: Title
    id: str


def comparable(text: str) -> str:
    """Fold what Markdown processors may set differently: marks, quotes, case, emoji codes."""
    return NOT_WORDS.sub("", SHORTCODE.sub("", text)).casefold()
