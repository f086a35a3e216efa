"""What a reader sees of HTML: no tags, no comments, no scripts; entities as what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

ATTRIBUTE = r"(?:[^<>\"'=]|=\s*\"[^\"]*\"|=\s*'[^']*'|=|\"|')*"
TOKEN = re.compile(
    r"(?P<hidden><!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[|\]\]>|<![A-Za-z][^>]*>?"
    r"|<(?P<literal>script|style|template)\b.*?(?:</(?P=literal)\s*>|\Z))"
    rf"|<(?P<tag>/?[A-Za-z][\w:.-]*)(?P<attributes>{ATTRIBUTE})(?:>|\Z)"
    r"|(?P<entity>&(?:\#\w{1,8}|\w{1,32});)"
    r"|(?P<blank>[ \t\r\n]+)",
    re.DOTALL | re.IGNORECASE,
)
"""What is not text of itself. A tag that nothing closes goes on to the end."""
ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_INLINE = """
a abbr b bdi bdo big cite code data del dfn em font i img ins kbd mark picture q s samp small
source span strike strong sub sup time tt u var wbr
"""
INLINE = frozenset(_INLINE.split())
"""Elements that part no words; all others begin a line, and cells of tables a cell."""
GAPS = {"td": "\t", "th": "\t", "br": "\n", "input": "", "label": "", "button": " "}


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
    yield Shown(start, end, "", GAPS.get(bare, "" if bare in INLINE else "\n"))
    if name == "img" and (alt := ALT.search(attributes)):
        yield Shown(start, end, unescape(alt[1] or alt[2] or ""))
