"""The dialects by name: those shipped here, and those that entry points add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from markdown_it import MarkdownIt

from mdchunk.dialect import Dialect
from mdchunk.dialects.admonition import ADMONITIONS
from mdchunk.dialects.callout import CALLOUTS
from mdchunk.dialects.deflist import DEFLIST
from mdchunk.dialects.directive import DIRECTIVES
from mdchunk.dialects.docfx import DOCFX
from mdchunk.dialects.footnote import FOOTNOTE
from mdchunk.dialects.front_matter import FRONT_MATTER
from mdchunk.dialects.gfm import GFM
from mdchunk.dialects.html_headings import HTML_HEADINGS
from mdchunk.dialects.liquid import LIQUID
from mdchunk.dialects.math import MATH
from mdchunk.dialects.mdx import MDX
from mdchunk.dialects.pages import PAGES
from mdchunk.dialects.pandoc_tables import PANDOC_TABLES
from mdchunk.dialects.slides import SLIDES
from mdchunk.dialects.tags import TAGS
from mdchunk.errors import DialectError
from mdchunk.rules import COMMONMARK_READINGS, COMMONMARK_RULES, Reading, Rule
from mdchunk.scores import DEFAULT_SCORES, Weight

ENTRY_POINTS = "mdchunk.dialects"


def _nothing(parser: MarkdownIt) -> None:
    """Add nothing: CommonMark is what the parser knows."""


COMMONMARK = Dialect("commonmark", _nothing)

SHIPPED: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            COMMONMARK,
            FRONT_MATTER,
            SLIDES,
            GFM,
            PANDOC_TABLES,
            PAGES,
            FOOTNOTE,
            MATH,
            ADMONITIONS,
            DIRECTIVES,
            CALLOUTS,
            DEFLIST,
            LIQUID,
            DOCFX,
            HTML_HEADINGS,
            TAGS,
            MDX,
        )
    }
)
"""The dialects that come with the package, by name."""
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
    joined: dict[str, Rule] = dict(COMMONMARK_RULES)
    for dialect in dialects:
        for token_type, rule in dialect.rules.items():
            if joined.get(token_type, rule) != rule:
                raise DialectError(
                    f"dialects: {dialect.name!r} gives the token type {token_type!r} another "
                    "meaning than it has already"
                )
            joined[token_type] = rule
    return MappingProxyType(joined)


def join_readings(dialects: Sequence[Dialect]) -> Mapping[str, Reading]:
    """Join CommonMark's readings and the dialects', which may change those.

    A clash between two dialects is a DialectError.
    """
    joined: dict[str, Reading] = {}
    for dialect in dialects:
        for token_type, reading in dialect.readings.items():
            if joined.get(token_type, reading) != reading:
                raise DialectError(
                    f"dialects: {dialect.name!r} gives the token type {token_type!r} another "
                    "reading than it has already"
                )
            joined[token_type] = reading
    return MappingProxyType({**COMMONMARK_READINGS, **joined})


def join_scores(dialects: Sequence[Dialect]) -> Mapping[str, Weight]:
    """Join the dialects' score rows; one that changes a row of another is a DialectError."""
    joined: dict[str, Weight] = {}
    for dialect in dialects:
        for kind, weight in dialect.scores.items():
            if joined.get(kind, DEFAULT_SCORES.get(kind, weight)) != weight:
                raise DialectError(
                    f"dialects: {dialect.name!r} gives the kind {kind!r} another score than it has"
                )
            joined[kind] = weight
    return MappingProxyType(joined)
