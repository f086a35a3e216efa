"""The header of an article: ``Title: …`` and other keys, as Pelican's Markdown reader takes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mdchunk.lines import BOM, Lines

KEY = re.compile(r" {0,3}([A-Za-z0-9_-]+):[ \t]*([^\r\n]*)")
MORE = re.compile(r"(?: {4}|\t)[ \t]*([^\s][^\r\n]*)")
BLANK = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


class Header(NamedTuple):
    """What the header says, and how many lines and code points it takes with the blank one."""

    metadata: Mapping[str, str]
    lines: int
    end: int


NO_HEADER = Header({}, 0, 0)


def find_header(source: str) -> Header:
    """Find the header of an article; what has no title may be text that looks like one.

    Source: the extension ``meta`` of Python-Markdown, which Pelican needs.
    """
    found: dict[str, list[str]] = {}
    last = ""
    lines, start = 0, len(BOM) if source.startswith(BOM) else 0
    if not KEY.match(source, start):
        return NO_HEADER  # as most have none, their lines need not be found
    ends = [*Lines(source).starts[1:], len(source)]  # the end of a source ends its header too
    while match := KEY.match(source, start) or (last and MORE.match(source, start)):
        if match.re is KEY:
            last = match[1].lower()
        found.setdefault(last, []).append(match[match.re.groups].strip())
        lines, start = lines + 1, ends[lines]
    if not any(found.get("title", ())) or not BLANK.match(source, start):
        return NO_HEADER
    said = {name: "\n".join(filter(None, values)) for name, values in found.items()}
    return Header(said, lines + 1, ends[lines])
