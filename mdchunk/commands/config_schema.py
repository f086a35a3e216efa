"""A JSON Schema of ``[tool.mdchunk]``, made of the options, so that editors know its keys.

It is of draft 7, which the editors' plug-ins for TOML read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from mdchunk.commands.flags import descriptions
from mdchunk.config import PRESETS
from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED
from mdchunk.options import CHOICES, Options
from mdchunk.scores import DEFAULT_SCORES

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXTS = {"type": "array", "items": {"type": "string"}}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SCORE = {"type": "number", "minimum": 0, "maximum": 100}
WEIGHT = {
    "anyOf": [
        SCORE,
        {
            "type": "array",
            "items": SCORE,
            "minItems": 1,
            "maxItems": 3,
        },
    ],
    "description": "The score, or a list: the score, what each level takes from it, the least.",
}

REFERENCE = {"$ref": "#/definitions/score"}


def _one_of(names: Any, *, also: bool = False) -> dict[str, Any]:
    """Return the schema of a text that is one of some names, or any other ``also``."""
    listed = {"type": "string", "enum": list(names)}
    return {"anyOf": [listed, {"type": "string"}]} if also else listed


def _scores() -> dict[str, Any]:
    own = (kind for dialect in SHIPPED.values() for kind in dialect.scores)
    kinds = dict.fromkeys((*DEFAULT_SCORES, *own))
    return {
        "type": "object",
        "properties": dict.fromkeys(kinds, REFERENCE),
        "additionalProperties": REFERENCE,
    }


VALUES: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "chunk_size": {"type": "integer", "minimum": 1},
        "chunk_overlap": {"type": "integer", "minimum": 0},
        "min_chunk_size": {"type": "integer", "minimum": 0},
        "unit": _one_of(("tokens", "characters"), also=True),
        "window": {"type": "integer", "minimum": 1},
        "decay": SHARE,
        "mixing": SHARE,
        "split_headings": {"type": "integer", "minimum": 0, "maximum": 6},
        "exclude_sections": TEXTS,
        "count_context": {"type": "boolean"},
        "plain": {"type": "boolean"},
        "dialects": {"type": "array", "items": _one_of(SHIPPED, also=True)},
        "scores": _scores(),
        **{name: _one_of(names) for name, names in CHOICES.items()},
    }
)
"""What values an option may have in a file, where there is no None."""
OTHERS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "preset": {
            **_one_of(PRESETS),
            "description": "A set-up that the other options start from.",
        },
        "exclude": {
            **TEXTS,
            "description": "Files and folders to leave out: patterns as in .gitignore.",
        },
    }
)


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration file's table, by which editors complete keys.

    A hyphen in a key is as good as an underscore; only the latter is offered.
    """
    texts = descriptions()
    properties = {
        **{field.name: _option(field.name, texts[field.name]) for field in fields(Options)},
        **OTHERS,
    }
    return {
        "$schema": DRAFT,
        "$id": "urn:mdchunk:options",
        "title": "mdchunk",
        "description": "Options of mdchunk: mdchunk.toml, or [tool.mdchunk] in pyproject.toml.",
        "type": "object",
        "properties": properties,
        "patternProperties": {
            f"^{name.replace('_', '[-_]')}$": {"$ref": f"#/properties/{name}"}
            for name in properties
            if "_" in name
        },
        "additionalProperties": False,
        "definitions": {"score": WEIGHT},
    }


def _option(name: str, text: str) -> dict[str, Any]:
    default = DEFAULT_DIALECTS if name == "dialects" else getattr(Options(), name)
    found = {"description": text[:1].upper() + text[1:], **VALUES[name]}
    if isinstance(default, tuple):
        default = list(default)
    return found if default is None or name == "scores" else {**found, "default": default}
