"""Chunks that are too small, joined to a neighbour of their section."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mdchunk.model import Boundary, Heading

NO_HEADING = 7
"""The rank of a cut at no heading: below every level."""


class DraftChunk(NamedTuple):
    """A chunk's own text, the boundary that ends it, and the limit it was planned under."""

    start: int
    end: int
    cut: Boundary
    limit: float


def merge_small(
    drafts: Sequence[DraftChunk],
    headings: Sequence[Heading],
    size: Callable[[int, int], float],
    *,
    least: int,
    most: int,
) -> list[DraftChunk]:
    """Join each draft smaller than ``least`` to a neighbour where both fit into ``most`` (unrag).

    A draft goes forward to a sibling or child of its section, else back to the sibling or parent
    before it; sections of the first level are never joined, since nothing but the document holds
    both. What stands before the first heading, a banner, goes to its section.
    """
    levels = {heading.offset: heading.level for heading in headings}
    offsets = [heading.offset for heading in headings]
    merged: list[DraftChunk] = []
    waiting = list(reversed(drafts))
    while waiting:
        draft = waiting.pop()
        if size(draft.start, draft.end) >= least:
            merged.append(draft)
            continue
        then = waiting[-1] if waiting else None
        section = bisect_right(offsets, draft.start) - 1
        own = headings[section].level if section >= 0 else 0
        goes_on = then is not None and (section < 0 or _joined(levels, then, own))
        if then and goes_on and size(draft.start, then.end) <= most:
            waiting.pop()
            waiting.append(then._replace(start=draft.start))
        elif merged and _joined(levels, draft, 2) and size(merged[-1].start, draft.end) <= most:
            before = merged.pop()
            waiting.append(draft._replace(start=before.start))
        else:
            merged.append(draft)
    return merged


def _joined(levels: dict[int, int], draft: DraftChunk, least: int) -> bool:
    """Return whether a draft may join the one before: no heading above ``least`` between."""
    return levels.get(draft.start, NO_HEADING) >= max(least, 2)
