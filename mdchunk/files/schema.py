"""The record of a chunk: its fields, in order, for every format, and as a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

SCHEMA_VERSION = 4
"""Raised whenever a record's fields, or what they mean, change."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
Kind = Literal["text", "number", "texts", "sections", "pages", "object"]


class Field(NamedTuple):
    """A field of a record: its name, what values it has, and what they say."""

    name: str
    kind: Kind
    says: str
    nullable: bool = False


RECORD = (
    Field("source", "text", "The document: its path from the root of the run."),
    Field("title", "text", "The document's title, null if it has none.", nullable=True),
    Field("index", "number", "The chunk's number in its document and level, from 0."),
    Field("level", "number", "The level of a hierarchy, 0 for the biggest chunks."),
    Field("key", "text", "A UUID of source and id: names the chunk among those of all documents."),
    Field("id", "text", "Names the chunk in its document; an edit elsewhere does not change it."),
    Field("parent", "text", 'The id of the chunk of the level above, "" at the top.'),
    Field("previous", "text", 'The id of the chunk before it, "" for the first.'),
    Field("next", "text", 'The id of the chunk after it, "" for the last.'),
    Field("text", "text", "The exact slice of the document."),
    Field("start", "number", "Where the slice starts, in code points from 0."),
    Field("end", "number", "Where it ends: the first code point after it."),
    Field("start_line", "number", "Its first line, from 1."),
    Field("end_line", "number", "Its last line."),
    Field("overlap", "number", "How many code points of the chunk before it are repeated."),
    Field("size", "number", "The size of contextualized, in the unit of the options."),
    Field("headings", "texts", "The titles of the sections in which it starts, outermost first."),
    Field("sections", "sections", "The headings in it."),
    Field("pages", "pages", "Its first and last page, null if no page marks say so.", True),
    Field("kinds", "texts", "The kinds of its blocks, code as code:language."),
    Field("cut", "text", "The kind of place at which it ends."),
    Field("prefix", "text", "What contextualized has before the text."),
    Field("suffix", "text", "What contextualized has after it."),
    Field("contextualized", "text", "What to embed: prefix, text and suffix, lines ended by LF."),
    Field("plain", "text", 'The text as a reader sees it, "" if that was not asked for.'),
    Field("metadata", "object", "The front matter of the document."),
)
"""The fields that every record has."""
PLACE = (
    Field("url", "text", "The address of the chunk's section."),
    Field("location", "text", "The same within the site."),
    Field("anchor", "text", 'The id of the heading, "" above the first one.'),
)
SITE = (
    Field("answer_text", "text", "The text for an answer: its links have full addresses."),
    *PLACE,
    Field("section", "text", "The title of the chunk's section, or of the page above the first."),
    Field("hierarchy", "object", "Titles by level: lvl0 the part of the site, lvl1 the page."),
    Field("tags", "texts", "The tags of the page."),
)
"""What the records of a site have behind these."""
SECTION = (
    Field("title", "text", "What the heading says."),
    Field("level", "number", "Its level, 1 to 6."),
    Field("start", "number", "Where it starts, in code points of the document."),
    Field("start_line", "number", "Its line, from 1."),
    Field("path", "texts", "The titles above it, and its own."),
)
NAMES = tuple(field.name for field in RECORD)
PACKED = frozenset(it.name for it in RECORD if it.kind in ("texts", "sections", "pages", "object"))
"""Fields that are JSON where there is room for a text only."""
NUMBERS = frozenset(it.name for it in RECORD if it.kind == "number")
"""Fields that are whole numbers."""
TYPES: Mapping[Kind, Mapping[str, Any]] = MappingProxyType(
    {
        "text": {"type": "string"},
        "number": {"type": "integer", "minimum": 0},
        "texts": {"type": "array", "items": {"type": "string"}},
        "pages": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        "object": {"type": "object"},
    }
)


def json_schema(*, site: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of a record, or of a record of a site."""
    name = "site-record" if site else "record"
    section = (*SECTION, *PLACE) if site else SECTION
    return {
        "$schema": DIALECT,
        "$id": f"urn:mdchunk:{name}:{SCHEMA_VERSION}",
        "title": f"mdchunk {name}, version {SCHEMA_VERSION}",
        **_object((*RECORD, *SITE) if site else RECORD, section),
    }


def _object(fields: Sequence[Field], section: Sequence[Field] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.name: _property(field, section) for field in fields},
        "required": [field.name for field in fields],
        "additionalProperties": False,
    }


def _property(field: Field, section: Sequence[Field]) -> dict[str, Any]:
    if field.kind == "sections":
        return {"description": field.says, "type": "array", "items": _object(section)}
    found = dict(TYPES[field.kind])
    if field.nullable:
        found["type"] = [found["type"], "null"]
    return {"description": field.says, **found}
