"""Sections that are left out by their titles, as stretches that no chunk reaches into."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase

from mdchunk.cutting.sections import Sections
from mdchunk.lines import pattern
from mdchunk.model import Structure

Stretch = tuple[int, int]
"""Where what is left out starts and ends, in code points."""
COMMENT = pattern(r"(?:%%|<!--)[ \t]*\n(?:[ \t]*\n)*(?= {0,3}#{1,6}[ \t])")
"""What opens a comment that begins with a heading."""
HEADING_LINE = pattern(r"^ {0,3}(#{1,6})[ \t]+(.*)$", re.MULTILINE)
"""A heading of CommonMark's section 4.2: what is in a comment has no tokens."""


def excluded_stretches(source: str, structure: Structure, names: Collection[str]) -> list[Stretch]:
    """Return the sections with these titles, each with those in it, in source order and apart.

    A name is a title or a glob of titles; case does not count. A comment that begins with a
    heading is a section too.
    """
    if not names:
        return []
    folded = [name.casefold() for name in names]
    found = [*_sections(structure, folded), *_in_comments(source, structure, folded)]
    joined: list[Stretch] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            start, before = joined.pop()
            end = max(before, end)
        joined.append((start, end))
    return joined


def is_excluded(stretches: Sequence[Stretch], offset: int) -> bool:
    """Return whether an offset is in one of some stretches, which are in source order."""
    index = bisect_right(stretches, offset, key=lambda stretch: stretch[0]) - 1
    return index >= 0 and offset < stretches[index][1]


def _is_named(title: str, folded: Sequence[str]) -> bool:
    title = title.casefold()
    # a title may have the characters of a glob itself
    return any(title == name or fnmatchcase(title, name) for name in folded)


def _sections(structure: Structure, folded: Sequence[str]) -> Iterator[Stretch]:
    sections = Sections(structure)
    excluded: list[bool] = []
    for heading, parent in zip(sections.headings, sections.parents, strict=True):
        inherited = parent >= 0 and excluded[parent]
        excluded.append(inherited or _is_named(heading.text, folded))
    for start, end, index in sections.pieces(structure.length):
        if index >= 0 and excluded[index]:
            yield start, end


def _in_comments(source: str, structure: Structure, folded: Sequence[str]) -> Iterator[Stretch]:
    """Find comments that begin with a heading of a name; another section in them stays."""
    for start, end, kind in structure.blocks:
        opening = COMMENT.match(source, start, end) if kind == "html" else None
        if not opening:
            continue
        first, *others = HEADING_LINE.finditer(source, opening.end(), end)
        if _is_named(_title(first[2]), folded):
            level = len(first[1])
            yield start, next((o.start() for o in others if len(o[1]) <= level), end)


def _title(written: str) -> str:
    """Return a title without the marks that may close its line, which stand behind a blank."""
    title = written.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title
