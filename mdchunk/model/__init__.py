"""The values that pass between rooms."""

from mdchunk.model.chunk import (
    Chunk,
    Recipe,
    Section,
    SectionEnd,
    beside,
    flatten,
    key_of,
    neighbours,
)
from mdchunk.model.frozen import FrozenDict, freeze
from mdchunk.model.inline_data import INLINE_DATA, elide, has_data
from mdchunk.model.structure import (
    Boundary,
    Definition,
    Extent,
    Fence,
    Heading,
    Span,
    Structure,
    Table,
    moved,
)

__all__ = [
    "INLINE_DATA",
    "Boundary",
    "Chunk",
    "Definition",
    "Extent",
    "Fence",
    "FrozenDict",
    "Heading",
    "Recipe",
    "Section",
    "SectionEnd",
    "Span",
    "Structure",
    "Table",
    "beside",
    "elide",
    "flatten",
    "freeze",
    "has_data",
    "key_of",
    "moved",
    "neighbours",
]
