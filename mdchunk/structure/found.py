"""What a walk over a document's tokens has found so far."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from mdchunk.model import Boundary, Definition, Fence, Heading, Span, Structure, Table
from mdchunk.structure.section_ends import SectionEnds

_new_boundary = partial(tuple.__new__, Boundary)
_new_span = partial(tuple.__new__, Span)


class Found(NamedTuple):
    """What a walk has found so far; boundaries and spans are plain tuples, in half the time."""

    boundaries: list[tuple[int, float, str]]
    spans: list[tuple[int, int, str]]
    blocks: list[tuple[int, int, str]]
    interior: list[tuple[int, float, str]]
    headings: list[Heading]
    heading_scores: list[float]
    fences: list[Fence]
    tables: list[Table]
    definitions: list[Definition]
    ends: SectionEnds
    tails: list[Span]

    def structure(self, length: int) -> Structure:
        """Return what was found as the structure of a source of a length."""
        return Structure(
            length,
            tuple(map(_new_boundary, self.boundaries)),
            tuple(map(_new_span, self.spans)),
            tuple(map(_new_boundary, self.interior)),
            tuple(self.headings),
            tuple(self.heading_scores),
            tuple(map(_new_span, self.blocks)),
            tuple(self.fences),
            tuple(self.tables),
            tuple(self.definitions),
            tuple(self.ends.found),
            tuple(self.tails),
        )
