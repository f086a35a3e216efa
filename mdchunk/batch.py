"""Record batches in, record batches out: for dataframes and distributed engines."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from mdchunk.chunker import Chunker
from mdchunk.errors import MdchunkError, installation, not_allowed
from mdchunk.files.writers import arrow_types, to_json
from mdchunk.model import Chunk, neighbours
from mdchunk.options import Options, falling_sizes

Arrow: TypeAlias = Any
"""A value of pyarrow, which is imported when it is first needed."""

ID_COLUMN = "id"
GROUP_WEIGHT = 64_000_000
"""From about so many code points on rows are made into arrays, which hold 2 GiB of text at most."""


def __getattr__(name: str) -> Arrow:
    if name == "CHUNK_SCHEMA":
        return _schema()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def chunk_batch(
    record_batch: Arrow,
    options: Options | Mapping[str, Any] | None = None,
    *,
    text_column: str = "text",
    id_column: str | None = None,
    chunk_sizes: Sequence[int] = (),
) -> Arrow:
    """Split the documents of a pyarrow RecordBatch or Table; gives the like, of ``CHUNK_SCHEMA``.

    options: Options, or their fields as a mapping.
    text_column: holds the Markdown, as text or as UTF-8 bytes; plain, large, view or dictionary.
    id_column: names the documents, in any type that has a text; None takes ``id`` if there is one.
    chunk_sizes: those of a hierarchy, in place of the options' size; rows come level by level.

    A row of the result is a chunk; offsets count code points of the text, lines from 1. A null
    or blank text gives no row. A document that fails gives one row with ``error``, its place and
    its id. Raises OptionsError for wrong options, columns and types, MdchunkError if pyarrow is
    not installed.
    """
    arrow = _pyarrow()
    if not isinstance(record_batch, (arrow.RecordBatch, arrow.Table)):
        what = f"{type(record_batch).__name__} is not allowed"
        allowed = "RecordBatch and Table"
        raise not_allowed("record_batch", record_batch, allowed, what=what, verb="are")
    chunker = _chunker(options)
    sizes = falling_sizes(chunk_sizes) if chunk_sizes else ()
    texts = _column(record_batch, text_column, "text_column")
    _check_text(texts.type, text_column)
    if id_column is None and ID_COLUMN in record_batch.schema.names:
        id_column = ID_COLUMN
    ids = None if id_column is None else _column(record_batch, id_column, "id_column")
    groups = [_to_batch(rows) for rows in _groups(_rows(chunker, texts, ids, sizes))]
    table = arrow.Table.from_batches(groups, _schema())
    return table if isinstance(record_batch, arrow.Table) else _one_batch(table)


def _pyarrow() -> Arrow:
    try:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as problem:
        raise MdchunkError(
            f"record batches need pyarrow ({problem}): {installation('arrow')}"
        ) from problem
    return pyarrow


@functools.lru_cache(maxsize=1)
def _schema() -> Arrow:
    arrow = _pyarrow()
    own = {"row": arrow.int64(), "error": arrow.string()}
    return arrow.schema(list({**arrow_types(arrow), **own}.items()))


_last: tuple[Options, Chunker] | None = None
"""What the batch before this one was split with: engines send many under the same options."""


def _chunker(options: Options | Mapping[str, Any] | None) -> Chunker:
    global _last
    if options is None or isinstance(options, Mapping):
        options = Chunker(**(options or {})).options
    if not isinstance(options, Options):
        allowed = 'Options, or their fields as a mapping, such as {"chunk_size": 400}'
        raise not_allowed("options", options, allowed, verb="are")
    last = _last
    if last is None or last[0] != options:
        _last = last = (options, Chunker(options))
    return last[1]


def _column(record_batch: Arrow, name: str, option: str) -> Arrow:
    names = record_batch.schema.names
    if names.count(name) > 1:
        what = f"{name!r} is not allowed, since {names.count(name)} columns are named so"
        raise not_allowed(option, name, "a name that only one has", what=what)
    if name not in names:
        there = ", ".join(dict.fromkeys(names)) or "none"
        raise not_allowed(option, name, f"one of {there}")
    return record_batch.column(names.index(name))


def _check_text(kind: Arrow, name: str) -> None:
    types = _pyarrow().types
    inner = kind.value_type if types.is_dictionary(kind) else kind
    texts = ("string", "large_string", "string_view")
    names = (*texts, "binary", "large_binary", "binary_view", "null")
    # views came with pyarrow 16
    tests = [getattr(types, f"is_{name}") for name in names if hasattr(types, f"is_{name}")]
    if not any(test(inner) for test in tests):
        what = f"{name!r} of type {kind} is not allowed"
        raise not_allowed("text_column", name, "text, or UTF-8 bytes", what=what)


Row = dict[str, Any]


def _rows(
    chunker: Chunker, texts: Arrow, ids: Arrow | None, sizes: Sequence[int]
) -> Iterator[list[Row]]:
    """Return the rows of each document in turn."""
    names = itertools.repeat(None) if ids is None else ids
    for place, (cell, name) in enumerate(zip(texts, names, strict=False)):
        row: Row = {"row": place}
        try:
            row["source"] = None if name is None else _id_of(name)
            yield _document(chunker, cell.as_py(), row, sizes)
        except Exception as problem:  # the other documents are not to suffer
            yield [{**row, "error": _clean(f"{type(problem).__name__}: {problem}")}]


def _id_of(cell: Arrow) -> str | None:
    value = cell.as_py()
    if isinstance(value, bytes):
        return value.decode()
    return None if value is None else str(value)


def _document(
    chunker: Chunker, text: str | bytes | None, row: Row, sizes: Sequence[int]
) -> list[Row]:
    if text is None:
        return []
    document = chunker.parse(text.decode() if isinstance(text, bytes) else text)
    title = document.title
    whole = {**row, "title": None if title is None else _clean(title)}
    levels = chunker.hierarchy(document, sizes) if sizes else [chunker.chunk(document)]
    rows = []
    for level, chunks in enumerate(levels):
        for index, (chunk, ids) in enumerate(zip(chunks, neighbours(chunks), strict=True)):
            place = {"level": level, "index": index, "previous": ids[0], "next": ids[1]}
            key = None if row["source"] is None else chunk.key(row["source"])
            rows.append({**whole, **place, "key": key, **_cells(chunk)})
    return rows


def _cells(chunk: Chunk) -> Row:
    cells = chunk.as_dict()
    # front matter differs between documents, and a column has one type
    cells["metadata"] = _clean(to_json(cells["metadata"]))
    return cells


def _clean(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and a column of text cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _groups(documents: Iterator[list[Row]]) -> Iterator[list[Row]]:
    """Gather the rows of documents until they are heavy."""
    rows: list[Row] = []
    weight = 0
    for found in documents:
        rows += found
        weight += sum(len(row.get("contextualized", "")) for row in found)
        if weight >= GROUP_WEIGHT:
            yield rows
            rows, weight = [], 0
    if rows:
        yield rows


def _to_batch(rows: Sequence[Row]) -> Arrow:
    arrow, schema = _pyarrow(), _schema()
    columns = [arrow.array([row.get(f.name) for row in rows], f.type) for f in schema]
    return arrow.RecordBatch.from_arrays(columns, schema=schema)


def _one_batch(table: Arrow) -> Arrow:
    batches = table.combine_chunks().to_batches()
    if len(batches) > 1:
        raise MdchunkError("a RecordBatch has chunks of over 2 GiB: give smaller ones, or a Table")
    schema = _schema()
    return batches[0] if batches else _pyarrow().RecordBatch.from_pylist([], schema=schema)
