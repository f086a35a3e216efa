"""What is found in a source; offsets are code points from the start, half-open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from mdchunk.lines import ToSource


class Boundary(NamedTuple):
    """A place where a cut may fall: before ``source[offset]``."""

    offset: int
    score: float
    kind: str


class Span(NamedTuple):
    """A stretch of the source that one block covers, without the blank lines after it."""

    start: int
    end: int
    kind: str


class Heading(NamedTuple):
    """A heading of the document itself (none in lists or quotes); ``text`` is plain."""

    offset: int
    level: int
    text: str


class Extent(NamedTuple):
    """A chunk before its text is taken: ``start`` to ``cut_from`` is overlap, ``cut`` ends it."""

    start: int
    cut_from: int
    end: int
    cut: Boundary


class Fence(NamedTuple):
    """A fenced block: its marks, and whether a line with these marks closes it."""

    start: int
    end: int
    marks: str
    closed: bool


class Table(NamedTuple):
    """A table from its header's end on: what a slice that starts inside it lacks."""

    start: int
    end: int
    header: str


class Definition(NamedTuple):
    """A link definition or footnote: its label as written, and where it stands."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Structure:
    """What a cut may do to one document; every tuple is in source order.

    ``boundaries`` are the places between blocks, ``interior`` those inside a block that are
    used only if it cannot fit. ``spans`` are the blocks to keep whole, ``blocks`` all of them
    (code as ``code:language``), ``headings`` the section titles,
    ``heading_scores`` what a cut before each is worth. What context may repeat is in
    ``fences``, ``tables`` and ``definitions``. ``section_ends`` are the offsets at which a
    container ends that holds headings, each with the number of the heading whose section goes on
    there (-1 for none); ``tails`` are closing tags, rules, comments and pictures. ``pages`` are
    the offsets at which pages start, each with its number; none where nothing says so.
    """

    length: int
    boundaries: tuple[Boundary, ...]
    spans: tuple[Span, ...]
    interior: tuple[Boundary, ...]
    headings: tuple[Heading, ...]
    heading_scores: tuple[float, ...] = ()
    blocks: tuple[Span, ...] = ()
    fences: tuple[Fence, ...] = ()
    tables: tuple[Table, ...] = ()
    definitions: tuple[Definition, ...] = ()
    section_ends: tuple[tuple[int, int], ...] = ()
    tails: tuple[Span, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()


Point = TypeVar("Point", Boundary, Heading)
Stretch = TypeVar("Stretch", Span, Fence, Table, Definition)


def _points(found: Sequence[Point], place: ToSource) -> tuple[Point, ...]:
    return tuple(it._replace(offset=place(it.offset)) for it in found)


def _stretches(found: Sequence[Stretch], place: ToSource) -> tuple[Stretch, ...]:
    return tuple(it._replace(start=place(it.start), end=place(it.end)) for it in found)


def moved(structure: Structure, length: int, place: ToSource) -> Structure:
    """Return a structure as one of a text of another length, to which ``place`` takes offsets."""
    return Structure(
        length,
        _points(structure.boundaries, place),
        _stretches(structure.spans, place),
        _points(structure.interior, place),
        _points(structure.headings, place),
        structure.heading_scores,
        _stretches(structure.blocks, place),
        _stretches(structure.fences, place),
        _stretches(structure.tables, place),
        _stretches(structure.definitions, place),
        tuple((place(offset), heading) for offset, heading in structure.section_ends),
        _stretches(structure.tails, place),
        tuple((place(offset), page) for offset, page in structure.pages),
    )
