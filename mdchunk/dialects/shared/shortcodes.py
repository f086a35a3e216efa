"""Which line closes a template's tag: ``{% note %}``, ``{{< note >}}``, ``{{% note %}}``."""

from __future__ import annotations

import re

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import (
    Opened,
    line_text,
    lines_outside_fences,
    outdented,
)
from mdchunk.parsing.parse_state import parse_state

TAG = re.compile(
    r"\{%[-+]?[ \t]*(?P<end>/|end_?)?(?P<name>[A-Za-z][\w-]*)"
    r"(?:[ \t](?:[^%]|%(?!\}))*)?[-+]?%\}"
    r"|(?P<hugo>\{\{[<%])[ \t]*(?P<slash>/?)[ \t]*(?P<code>[A-Za-z][\w./-]*)"
    r"(?:[ \t](?:[^>%]|[>%](?!\}\}))*)?[>%]\}\}"
)
"""A tag alone on a line; what closes it is ``endnote`` or, in Markdoc and Hugo, ``/note``."""
KEY = "shortcodes"


def _read(text: str) -> tuple[str, bool]:
    """Give the name of a tag, with its kind, and whether it closes; "" for no tag."""
    match = TAG.fullmatch(text)
    if match is None:
        return "", False
    if match["hugo"]:
        return match["hugo"] + match["code"], bool(match["slash"])
    return match["name"], bool(match["end"])


def closing_tag(state: StateBlock, start: int, end: int) -> int:
    """Find the line that closes the tag on a line; -1 if none does or if it is no opening tag.

    One reading pairs all the tags behind it as well, so that those that none closes cost nothing.
    """
    name, closes = _read(line_text(state, start))
    if not name or closes:
        return -1
    known = parse_state(state).closings.setdefault(KEY, {})
    found = known.get(start)
    if found is None or found >= end or (found > 0 and outdented(state, found)):
        known |= _pairs(state, start, end)
        found = known.get(start, -1)
    return found


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
