"""Which line closes a template's tag: ``{% note %}``, ``{{< note >}}``, ``{{% note %}}``."""

from __future__ import annotations

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import line_text, lines_outside_fences
from mdchunk.dialects.shared.pairs import Opened, known_closing
from mdchunk.lines import pattern

TEMPLATE_TAG = pattern(
    r"\{%[-+]?[ \t]*(?P<end>/|end_?)?(?P<name>[A-Za-z][\w-]*)"
    r"(?:[ \t](?:[^%]|%(?!\}))*)?[-+]?%\}"
    r"|(?P<hugo>\{\{[<%])[ \t]*(?P<slash>/?)[ \t]*(?P<code>[A-Za-z][\w./-]*)"
    r"(?:[ \t](?:[^>%]|[>%](?!\}\}))*)?[>%]\}\}"
)
"""A tag alone on a line; what closes it is ``endnote`` or, in Markdoc and Hugo, ``/note``."""


def _read(text: str) -> tuple[str, bool]:
    """Return the name of a tag, with its kind, and whether it closes; "" for no tag."""
    match = TEMPLATE_TAG.fullmatch(text)
    if match is None:
        return "", False
    if match["hugo"]:
        return match["hugo"] + match["code"], bool(match["slash"])
    return match["name"], bool(match["end"])


def closing_tag(state: StateBlock, start: int, end: int) -> int:
    """Find the line that closes the tag on a line; -1 if none does or if it is no opening tag."""
    name, closes = _read(line_text(state, start))
    if not name or closes:
        return -1
    return known_closing(state, start, end, "shortcodes", _pairs)


def _pairs(state: StateBlock, start: int, end: int) -> dict[int, int]:
    opened: Opened[str] = Opened()
    for line, text in lines_outside_fences(state, start, end):
        if not text.startswith("{") or state.is_code_block(line):
            continue
        name, closes = _read(text)
        if name and closes:
            opened.close(line, name)
        elif name:
            opened.push(line, name)
        if not opened.stack:
            break
    return opened.closing
