"""mdchunk splits Markdown into exact, bounded, structure-aware chunks for search and retrieval."""

from mdchunk.chunker import Chunker, chunk, hierarchy
from mdchunk.cutting.auto_merge import auto_merge
from mdchunk.cutting.explain import Candidate
from mdchunk.dialect import Dialect
from mdchunk.document import Document, parse
from mdchunk.errors import (
    DialectError,
    MdchunkError,
    MdchunkWarning,
    OptionsError,
    TokenizerError,
)
from mdchunk.model import Boundary, Chunk, Extent, Heading, Section, Span, Structure
from mdchunk.options import Options
from mdchunk.rules import Reading, Rule
from mdchunk.scores import DEFAULT_SCORES, Weight

__all__ = [
    "DEFAULT_SCORES",
    "Boundary",
    "Candidate",
    "Chunk",
    "Chunker",
    "Dialect",
    "DialectError",
    "Document",
    "Extent",
    "Heading",
    "MdchunkError",
    "MdchunkWarning",
    "Options",
    "OptionsError",
    "Reading",
    "Rule",
    "Section",
    "Span",
    "Structure",
    "TokenizerError",
    "Weight",
    "auto_merge",
    "chunk",
    "hierarchy",
    "parse",
]
__version__ = "0.2.0"
