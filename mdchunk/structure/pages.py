"""On which page a place of a document is, by the marks of a converter and by form feeds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

FORM_FEED = re.compile("\f")

RULE = "page_start"
"""The token type that tells that page marks are read."""
MARKS = "page_marks"
"""Where a parse keeps its marks: by line, the page that one ends and that it begins, -1 if it does
not say so."""
Mark = tuple[int, int]


def page_starts(
    source: str, starts: Sequence[int], marks: Mapping[int, Mark]
) -> tuple[tuple[int, int], ...]:
    """Return the offsets at which pages start with their numbers; none at all without marks.

    ``starts`` are the offsets of the lines. A mark that begins a page is on it, one that ends a
    page is on that. Marks without a number and form feeds count on, from 1.
    """
    found = [(match.start(), (-1, -1)) for match in FORM_FEED.finditer(source)]
    found += [(starts[line + (mark[0] >= 0)], mark) for line, mark in marks.items()]
    found.sort()
    if not found:
        return ()
    pages = [(0, _first(*found[0][1]))]
    for offset, (ended, begun) in found:
        before = pages[-1][1]
        if ended >= 0:
            before = ended
            pages[-1] = (pages[-1][0], ended)
        pages.append((offset, begun if begun >= 0 else before + 1))
    return tuple(pages)


def _first(ended: int, begun: int) -> int:
    """Return the page before the first mark."""
    if ended >= 0:
        return ended
    return max(begun - 1, min(begun, 1)) if begun >= 0 else 1
