"""What a block's own text tells: what it introduces, what it is a label of, its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

Leads = Literal["all", "heading", ""]
"""What a block leads: whatever follows it, a heading right below it, or nothing."""

LEAD_IN = re.compile(
    r"[:：][*_~`\"'”’»)\]]*(?:\([^()\s]*\)|\[[^\[\]]*\])?[*_~`]*(?:[ \t]*<br[ \t]*/?>)?\Z"
)
"""The end of a paragraph that introduces what follows: a colon, perhaps before closing marks."""
LEAD_IN_REACH = 200
IMAGES = ("![", "<img")
"""How a paragraph begins that shows something, so that one before it may introduce it."""
ANCHOR = re.compile(
    r"(?:\s*<(?P<name>a|span|div)\s+(?:id|name)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=`]+)\s*"
    r"(?:/>|>\s*</(?P=name)\s*>))+",
    re.IGNORECASE,
)
"""Elements that hold nothing but a name for what follows: ``<a id="install"></a>``."""
COMMENT = re.compile(r"<!--[^\r\n]*-->")
"""A comment of one line; right above a heading it is for the heading, as a linter's switch is."""
HTML_PART = re.compile(r"(?:(?<=[\r\n])[ \t>]*|(?<=>))<(?:tr|li|dt)\b", re.IGNORECASE)
"""What a table or list in HTML is made of."""
LANGUAGE = re.compile(
    r"\s*\{?\s*(?:#[^\s{}]+\s+)*(?:\.|lang(?:uage)?-)?"
    r"(?:(?:code|code-block|code-cell|sourcecode)\}?\s+)?([^\s{},:;=]+)(?![^\s{},:;=]*\s*=)"
)
"""The language in an info string: ``py``, ``py{1,3}``, ``{#id .py}``, ``{code-block} py``."""


def introduces(source: str, start: int, end: int) -> bool:
    """Tell whether a paragraph introduces what follows it."""
    return LEAD_IN.search(source, max(start, end - LEAD_IN_REACH), end) is not None


def shows(source: str, start: int) -> bool:
    """Tell whether a paragraph begins with an image."""
    return source.startswith(IMAGES, start)


def leads(source: str, start: int, end: int) -> Leads:
    """Tell what a piece of HTML is a label of."""
    if ANCHOR.fullmatch(source, start, end):
        return "all"
    return "heading" if COMMENT.fullmatch(source, start, end) else ""


def language(info: str) -> str:
    """Give the language that an info string names; "" for none."""
    found = LANGUAGE.match(info)
    return found[1] if found else ""


def parts(source: str, start: int, end: int) -> Iterator[int]:
    """Find where the rows and items of a piece of HTML start, but for its own start."""
    found = (match.start() for match in HTML_PART.finditer(source, start, end))
    return (offset for offset in found if offset > start)
