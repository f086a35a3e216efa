"""Records read back from what a run wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mdchunk.errors import MdchunkError
from mdchunk.files.lookup import stored
from mdchunk.files.schema import NUMBERS, PACKED
from mdchunk.files.writers import BY_SUFFIX, Record

NEEDED = ("source", "id", "contextualized", "size", "start_line", "end_line")
"""Fields without which a record says too little to be compared."""


def _lines(path: str) -> Iterable[Any]:
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _array(path: str) -> Iterable[Any]:
    found = json.loads(Path(path).read_bytes())
    return found if isinstance(found, list) else [found]


def _rows(path: str) -> Iterable[Any]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            packed = {name: json.loads(row[name]) for name in PACKED & row.keys()}
            yield {**row, **packed, **{name: int(row[name]) for name in NUMBERS & row.keys()}}


def _table(path: str) -> Iterable[Any]:
    from pyarrow import parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]

    for row in parquet.read_table(path).to_pylist():
        yield {**row, "metadata": json.loads(row["metadata"])}


READERS: Mapping[str, Callable[[str], Iterable[Any]]] = MappingProxyType(
    {
        **dict.fromkeys((".jsonl", ".ndjson"), _lines),
        ".json": _array,
        ".csv": _rows,
        ".parquet": _table,
        **{suffix: stored for suffix, form in BY_SUFFIX.items() if form == "sqlite"},
    }
)
"""How records are read, by what a file's name ends in."""


def is_records(path: str) -> bool:
    """Return whether a file holds records, by its name."""
    return Path(path).suffix.lower() in READERS and not Path(path).is_dir()


def read_records(path: str) -> list[Record]:
    """Return the records of a file, in its order.

    Raises MdchunkError for what is no record, OSError.
    """
    try:
        found = list(READERS[Path(path).suffix.lower()](path))
    except (ValueError, KeyError) as problem:
        raise MdchunkError(f"{path}: these are not records of mdchunk ({problem})") from problem
    except ImportError as problem:
        raise MdchunkError(f"{path}: needs pyarrow: pip install pyarrow") from problem
    for number, record in enumerate(found, 1):
        missing = [name for name in NEEDED if not isinstance(record, dict) or name not in record]
        if missing:
            raise MdchunkError(f"{path}: record {number} has no {', '.join(missing)}")
    return found
