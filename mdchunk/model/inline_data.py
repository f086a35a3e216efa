"""Data within a text that nobody reads, and the text without it."""

from __future__ import annotations

from mdchunk.lines import pattern

INLINE_DATA = pattern(
    r"((?i:data):[\w.+/-]+(?:;[\w.=+-]+)*;(?i:base64),|<svg\b[^<>\r\n]*>|\b(?:d|points)=[\"']"
    r"|```compressed-json[ \t]*\n|%%[ \t]*\n(?:#[^\r\n]*\n)?```json[ \t]*\n)"
    r"(?:(?<=,)(?:[A-Za-z0-9+/=_-]|%2[BbFf]|%3[Dd]){64,}"
    r"|(?<=>)(?:(?!</?svg\b)[^\r\n]){64,}(?=</svg>)"
    r"|(?<=[\"'])[MLHVCSQTAZmlhvcsqtazeE0-9\s,.+-]{64,}|(?<=json\n)[^`]{64,}(?=\n))"
)
"""Data that nobody reads: base64 behind its media type, an element `svg` on one line, the path of a
bigger one, a drawing of Excalidraw, compressed or in a comment. What is shorter costs less than
what replaces it."""


def has_data(text: str) -> bool:
    """Return whether a text has data that nobody reads."""
    return INLINE_DATA.search(text) is not None


def elide(text: str) -> str:
    """Shorten inline data to what it begins with, as its media type, and an ellipsis."""
    return INLINE_DATA.sub(r"\1…", text)
