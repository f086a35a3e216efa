"""The header of an article: ``Title: …`` and other keys, as Pelican's Markdown reader takes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mdchunk.lines import Lines
from mdchunk.parser import BOM

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
    start = len(BOM) if source.startswith(BOM) else 0
    for number, end in enumerate(Lines(source).starts[1:]):
        key, more = KEY.match(source, start), MORE.match(source, start)
        if key:
            last = key[1].lower()
            found.setdefault(last, []).append(key[2].strip())
        elif more and last:
            found[last].append(more[1].strip())
        elif BLANK.match(source, start) and any(found.get("title", ())):
            said = {name: "\n".join(filter(None, lines)) for name, lines in found.items()}
            return Header(said, number + 1, end)
        else:
            break
        start = end
    return NO_HEADER
