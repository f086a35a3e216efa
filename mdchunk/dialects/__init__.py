"""The dialects by name: those shipped here, and those that entry points add.

Each file here but this one has a ``DIALECT``; adding one is adding a file.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

from markdown_it import MarkdownIt

from mdchunk.dialect import Dialect
from mdchunk.errors import DialectError
from mdchunk.rules import COMMONMARK_READINGS, COMMONMARK_RULES, Reading, Rule
from mdchunk.scores import DEFAULT_SCORES, Weight

ENTRY_POINTS = "mdchunk.dialects"
DEFAULT_DIALECTS = (
    "front_matter",
    "slides",
    "gfm",
    "pandoc_tables",
    "pages",
    "footnote",
    "math",
    "admonition",
    "directive",
    "callout",
    "deflist",
    "liquid",
    "docfx",
    "html_headings",
    "tags",
)
"""What is on unless others are named: what plain Markdown does not write by chance."""


def _nothing(parser: MarkdownIt) -> None:
    """Add nothing: CommonMark is what the parser knows."""


def _shipped() -> Iterator[Dialect]:
    yield Dialect("commonmark", _nothing)
    for module in pkgutil.iter_modules(__path__):
        if not module.ispkg:
            yield import_module(f"{__name__}.{module.name}").DIALECT


_FOUND = {dialect.name: dialect for dialect in _shipped()}
SHIPPED: Mapping[str, Dialect] = MappingProxyType(
    {name: _FOUND[name] for name in ("commonmark", *DEFAULT_DIALECTS, *_FOUND)}
)
"""The dialects that come with the package, by name, those that are on first."""


def find_dialect(name: str | Dialect) -> Dialect:
    """Find a dialect by name: shipped, or installed under the entry points ``mdchunk.dialects``.

    Raises DialectError that lists the known names.
    """
    if isinstance(name, Dialect):
        return name
    if name in SHIPPED:
        return SHIPPED[name]
    # it loads more than the rest of this package does
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS, name=name):
        loaded = point.load()
        if isinstance(loaded, Dialect):
            return loaded
        raise DialectError(f"dialects: entry point {name!r} gives {loaded!r}, which is no Dialect")
    installed = (point.name for point in entry_points(group=ENTRY_POINTS))
    known = ", ".join(sorted({*SHIPPED, *installed}))
    raise DialectError(f"dialects: unknown name {name!r}; known names: {known}")


def join_rules(dialects: Sequence[Dialect]) -> Mapping[str, Rule]:
    """Join CommonMark's rules and the dialects'; a clash of token types is a DialectError."""
    rules = _joined(dialects, "rules", COMMONMARK_RULES, "token type {!r} another meaning")
    return MappingProxyType({**COMMONMARK_RULES, **rules})


def join_readings(dialects: Sequence[Dialect]) -> Mapping[str, Reading]:
    """Join CommonMark's readings and the dialects', which may change those.

    A clash between two dialects is a DialectError.
    """
    readings = _joined(dialects, "readings", {}, "token type {!r} another reading")
    return MappingProxyType({**COMMONMARK_READINGS, **readings})


def join_scores(dialects: Sequence[Dialect]) -> Mapping[str, Weight]:
    """Join the dialects' score rows; one that changes a row of another is a DialectError."""
    return MappingProxyType(_joined(dialects, "scores", DEFAULT_SCORES, "kind {!r} another score"))


def _joined(
    dialects: Sequence[Dialect], table: str, known: Mapping[str, object], changes: str
) -> dict[str, Any]:
    """Join a table of each dialect; ``changes`` says what a row does that is not as it was."""
    joined: dict[str, Any] = {}
    for dialect in dialects:
        for key, row in getattr(dialect, table).items():
            if joined.get(key, known.get(key, row)) != row:
                what = changes.format(key)
                raise DialectError(f"dialects: {dialect.name!r} gives the {what} than it has")
            joined[key] = row
    return joined
