"""Which heading of a page is which of its document."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import count
from typing import TypeVar

from mdchunk.document import Document
from mdchunk.integrations.sites.headings import BRACES, LEAD, Anchor, Place, comparable
from mdchunk.integrations.sites.source_headings import titles

WINDOW = 32
"""So many headings of each side are compared at once where none is the only one of its text."""
Pairs = list[tuple[int, int]]
T = TypeVar("T")


def align(document: Document, anchors: Sequence[Anchor]) -> list[Place]:
    """Return, for each heading of the document itself, the id that the page has for it.

    Headings that only one side has (a snippet's, one in raw HTML) stand in the way of no other.
    Where several have one text, what follows them tells which is which, and so it does where the
    text is not the same.
    """
    ours = titles(document)
    # what is no attribute list to all is to some, and no part of the title then
    left = [(t.level, comparable(BRACES.sub("", t.text)), t.lead) for t in ours]
    right = [(a.level, comparable(BRACES.sub("", a.text)), a.lead) for a in anchors]
    pairs = _matches(left, right)
    # what follows may be short, and what then follows set differently on both sides
    for length in (LEAD // 2, LEAD // 4, 0):
        cut = [[_cut(key, length) for key in side] for side in (left, right)]
        pairs = _filled(pairs, cut[0], cut[1], _matches)
    # a host may write © for (c) and the like; of what nothing follows there is no telling
    below = [_below(key, -1 - i) for i, key in enumerate(left)], [*map(_below, right, count(1))]
    pairs = _filled(pairs, *below, _matches)
    # a theme, or the one title that a page may have, moves headings to another level
    texts = [text or str(-1 - i) for i, (_, text, _) in enumerate(left)], [key[1] for key in right]
    found = dict(_filled(pairs, *texts, _matches))
    ids = [anchors[found[i]].id if i in found else "" for i in range(len(ours))]
    return [Place(title, id_) for title, id_ in zip(ours, ids, strict=True) if title.own]


Key = tuple[int, str, str]
"""A heading's level, its text, and what follows it."""


def _cut(key: Key, length: int) -> Key:
    level, text, lead = key
    return level, text, lead[:length]


def _below(key: Key, number: int) -> tuple[int, str, int]:
    """Return a heading's level and what follows it, or a number of its own where nothing does."""
    level, _, lead = key
    return level, lead, 0 if lead else number


def _matches(left: Sequence[object], right: Sequence[object]) -> Pairs:
    """Pair what is equal on both sides, in order: first what each has once, then what is between.

    That takes little more than linear time, however many are equal.
    """
    once = [Counter(left), Counter(right)]
    where = {key: b for b, key in enumerate(right) if all(count[key] == 1 for count in once)}
    sure = [(a, where[key]) for a, key in enumerate(left) if key in where]
    return _filled(_rising(sure), left, right, _near)


def _rising(pairs: Pairs) -> Pairs:
    """Keep the most pairs, in the order of the left, that are in order on the right too."""
    # by length, how a row of pairs ends at best: where on the right, and with which pair
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, b) in enumerate(pairs):
        length = bisect_left(ends, b)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [b], [number]
    found: Pairs = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _filled(
    sure: Pairs,
    left: Sequence[T],
    right: Sequence[T],
    match: Callable[[Sequence[T], Sequence[T]], Pairs],
) -> Pairs:
    """Add the pairs that are found between sure ones: what is next to one belongs to it."""
    found: Pairs = []
    a = b = 0
    for next_a, next_b in [*sure, (len(left), len(right))]:
        between = left[a:next_a], right[b:next_b]
        if sure and not found:
            backward = match(between[0][::-1], between[1][::-1])
            found += [(next_a - 1 - i, next_b - 1 - j) for i, j in reversed(backward)]
        else:
            found += [(a + i, b + j) for i, j in match(*between)]
        found.append((next_a, next_b))
        a, b = next_a + 1, next_b + 1
    return found[:-1]


def _near(left: Sequence[object], right: Sequence[object]) -> Pairs:
    """Pair what is equal on both sides and not far apart, from the first on."""
    found: Pairs = []
    a = b = 0
    while (rest := len(left) - a) > 0 and (other := len(right) - b) > 0:
        pairs = [(0, 0)] if left[a] == right[b] else _window(left, right, a, b)
        if pairs:
            found += [(a + i, b + j) for i, j in pairs]
            a, b = found[-1][0] + 1, found[-1][1] + 1
        else:
            # the longer side has what the other lacks
            a += WINDOW if rest >= other else 0
            b += WINDOW if other >= rest else 0
    return found


def _window(left: Sequence[object], right: Sequence[object], a: int, b: int) -> Pairs:
    window = left[a : a + WINDOW], right[b : b + WINDOW]
    blocks = SequenceMatcher(None, *window, autojunk=False).get_matching_blocks()
    return [(i + n, j + n) for i, j, size in blocks for n in range(size)]
