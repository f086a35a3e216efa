"""What the adapters of retrieval frameworks share: the missing host, metadata, options as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from mdchunk.dialect import Dialect
from mdchunk.dialects import find_dialect
from mdchunk.errors import MdchunkError, OptionsError, installation
from mdchunk.model import Chunk
from mdchunk.options import Options
from mdchunk.scores import Weight

CALLABLE = "callable"
"""The key under which a unit that is no JSON value is named."""

NAMES = ("start_line", "end_line", "overlap", "size", "headings", "sections", "kinds", "cut")
"""The keys of a record of a chunk that stores keep beside its text."""


class MissingHostError(MdchunkError, ImportError):
    """A host is not installed; the message names the extra that brings it."""


def missing(host: str, extra: str, problem: ImportError) -> MissingHostError:
    """Make the error that says how to install a host, and what the import said."""
    return MissingHostError(f"{host} is not installed ({problem}): {installation(extra)}")


def chunk_metadata(chunk: Chunk) -> dict[str, Any]:
    """Return what a store may keep beside a chunk's text, as JSON values.

    Offsets are left to the host's own names. Pages, front matter, prefix and suffix are there only
    if the chunk has any.
    """
    record = chunk.as_dict()
    metadata = {"chunk_id": chunk.id, **{name: record[name] for name in NAMES}}
    extras = {"prefix": chunk.prefix, "suffix": chunk.suffix, "front_matter": record["metadata"]}
    extras["pages"] = record["pages"]
    return {**metadata, **{name: value for name, value in extras.items() if value}}


CHUNK_KEYS = ("chunk_id", *NAMES, "prefix", "suffix", "front_matter", "pages")
"""All keys that ``chunk_metadata`` may give."""


def options_to_json(options: Options) -> dict[str, Any]:
    """Return all options as JSON values, so that a saved pipeline outlives a change of defaults.

    A unit or a dialect that is an object is named only; see ``options_from_json``.
    """
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    return {
        **values,
        "unit": _unit_name(options.unit),
        "exclude_sections": list(options.exclude_sections),
        "dialects": [_dialect_name(dialect) for dialect in options.dialects],
        "scores": {
            kind: list(value) if isinstance(value, Weight) else value
            for kind, value in options.scores.items()
        },
    }


def lost(option: str, name: object, *, again: str = "it") -> OptionsError:
    """Return the error of an option that was an object, of which only the name was saved."""
    message = f"{option}: {name} cannot be loaded; give {again} again as {option}=…"
    return OptionsError(message, option=option, value=name)


def options_from_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that saved options stand for; names of objects may be replaced before.

    Raises OptionsError that says what has to be given again.
    """
    found = dict(values)
    unit = found.get("unit")
    if isinstance(unit, Mapping):
        raise lost("unit", unit.get(CALLABLE))
    for dialect in found.get("dialects", ()):
        if isinstance(dialect, Mapping):
            raise lost("dialects", dialect.get("dialect"), again="them")
    if isinstance(found.get("scores"), Mapping):
        found["scores"] = {
            kind: Weight(*value) if isinstance(value, (list, tuple)) else value
            for kind, value in found["scores"].items()
        }
    return found


def _unit_name(unit: Any) -> Any:
    if isinstance(unit, str):
        return unit
    kind = type(unit)
    name = getattr(unit, "__qualname__", kind.__qualname__)
    if hasattr(unit, "encode_ordinary") and hasattr(unit, "name"):
        # as when pickled, tiktoken's own are their name, and another may only be called like one
        if unit.__getstate__() == unit.name:
            return unit.name
        name = unit.name
    return {CALLABLE: f"{getattr(unit, '__module__', kind.__module__)}.{name}"}


def _dialect_name(dialect: str | Dialect) -> Any:
    if isinstance(dialect, str):
        return dialect
    try:
        known = find_dialect(dialect.name) is dialect
    except LookupError:
        known = False
    return dialect.name if known else {"dialect": dialect.name}
