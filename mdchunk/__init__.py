"""mdchunk splits Markdown into exact, bounded, structure-aware chunks for search and retrieval."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

    compiled: bool
    """Whether the hot modules are compiled."""

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

_HOMES = {
    "mdchunk.chunker": "Chunker chunk hierarchy",
    "mdchunk.cutting.auto_merge": "auto_merge",
    "mdchunk.cutting.explain": "Candidate",
    "mdchunk.dialect": "Dialect",
    "mdchunk.document": "Document parse",
    "mdchunk.errors": "DialectError MdchunkError MdchunkWarning OptionsError TokenizerError",
    "mdchunk.model": "Boundary Chunk Extent Heading Section Span Structure",
    "mdchunk.options": "Options",
    "mdchunk.rules": "Reading Rule",
    "mdchunk.scores": "DEFAULT_SCORES Weight",
}
"""Where the public names are at home. A module is loaded when one of its names is first used."""


def __getattr__(name: str) -> object:
    """Load a public name, or a module of this package, when it is first used.

    A program may import this package long before it splits a text.
    """
    if name == "compiled":
        return _is_compiled()
    for module, names in _HOMES.items():
        if name in names.split():
            from importlib import import_module

            found: object = getattr(import_module(module), name)
            globals()[name] = found
            return found
    if not name.startswith("_"):
        from importlib.util import find_spec

        if find_spec(f"{__name__}.{name}"):
            from importlib import import_module

            return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _is_compiled() -> bool:
    """Return whether the hot modules are compiled; the sources are the same."""
    from mdchunk.structure import visitor

    return not visitor.__file__.endswith((".py", ".pyc"))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
