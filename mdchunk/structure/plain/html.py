"""What a reader sees of HTML: no tags, no comments, no scripts; entities as what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from mdchunk.lines import pattern

TOKEN = pattern(
    r"(?P<hidden><!--(?:-?>|.*?(?:-->|\Z))|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|<![A-Za-z][^>]*>"
    r"|<(?P<literal>script|style|template)(?=[\s/>]).*?(?:</(?P=literal)\s*>|\Z))"
    r"|<(?P<tag>/?[A-Za-z][^\s/<>]*)(?P<attributes>(?=[\s/>])"
    r"(?:(?:[^<>\"']|\"[^\"]*\"|'[^']*')*|[^<>]*))>"
    r"|(?P<entity>&(?:\#\w{1,8}|\w{1,32});)"
    r"|(?P<blank>[ \t\r\n]+)",
    re.DOTALL | re.IGNORECASE,
)
"""What is not text of itself; a tag that nothing closes is text."""
ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_BLOCKS = """
address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption
figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup
option p pre search section summary table tbody td tfoot th thead title tr ul
"""
GAPS = {**dict.fromkeys(_BLOCKS.split(), "\n"), "td": "\t", "th": "\t"}
"""What the tags of an element part; those of all others part nothing."""


class Shown(NamedTuple):
    """What stands at a place in HTML: text, or a gap."""

    start: int
    end: int
    text: str
    gap: str = ""


def shown(html: str) -> Iterator[Shown]:
    """Go through a piece of HTML: texts, and the gaps between them, in order."""
    position, preformatted = 0, 0
    for match in TOKEN.finditer(html):
        start, end = match.span()
        if position < start:
            yield Shown(position, start, html[position:start])
        position = end
        if match["entity"]:
            yield Shown(start, end, unescape(match[0]))
        elif match["blank"]:
            yield Shown(start, end, "", "\n" if preformatted and "\n" in match[0] else " ")
        elif match["tag"]:
            name = match["tag"].lower()
            preformatted += (name == "pre") - (name == "/pre")
            yield from _tag(start, end, name, match["attributes"])
    if position < len(html):
        yield Shown(position, len(html), html[position:])


def _tag(start: int, end: int, name: str, attributes: str) -> Iterator[Shown]:
    bare = name.strip("/")
    yield Shown(start, end, "", GAPS.get(bare, ""))
    if name == "img" and (alt := ALT.search(attributes)):
        yield Shown(start, end, unescape(alt[1] or alt[2] or ""))
