"""Chunks out: JSON lines, JSON, CSV, text or Parquet, into a file that is whole or not there."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple, Protocol

from mdchunk.errors import MdchunkError, installation
from mdchunk.files.schema import NAMES, PACKED, RECORD, SECTION
from mdchunk.model import flatten

Record = dict[str, Any]
COLUMNS = NAMES
"""The columns of a table, which are the keys of a record."""
CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")
"""What a terminal would obey in the name of a file, or what would end its line."""


class Sink(Protocol):
    """Writes what a format made of documents."""

    def write(self, encoded: Any) -> None:
        """Write the records of one document."""

    def close(self) -> None:
        """Write what comes after the last."""


class Format(NamedTuple):
    """How records are written: ``encode``, perhaps in another process, then joined by ``sink``.

    Without a sink it is no stream: an index, which is brought up to date in its place. A name that
    ends in one of the ``suffixes`` asks for it where no flag does.
    """

    encode: Callable[[list[Record]], Any]
    sink: Callable[[BinaryIO], Sink] | None
    suffixes: tuple[str, ...] = ()


def to_json(value: object) -> str:
    """Return a value as JSON on one line, in its own letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_lines(records: list[Record]) -> bytes:
    """Return each record as a line of JSON."""
    return "".join(to_json(record) + "\n" for record in records).encode()


def flat_lines(records: list[Record]) -> bytes:
    """Return each record as a line of JSON with texts and numbers only."""
    return json_lines([flatten(record) for record in records])


def json_items(records: list[Record]) -> bytes:
    """Return records as what stands between the brackets of a JSON array."""
    return ",\n".join(map(to_json, records)).encode()


def csv_rows(records: list[Record]) -> bytes:
    """Return records as rows of CSV (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    for record in records:
        writer.writerow(
            to_json(record[name]) if name in PACKED else record[name] for name in COLUMNS
        )
    return out.getvalue().encode()


def plain(records: list[Record]) -> bytes:
    """Return records for a reader: a line that tells where a chunk stands and which sections start
    in it, then what to embed."""
    parts = []
    for record in records:
        lines = f"{record['start_line']}-{record['end_line']}"
        source = CONTROL.sub("\ufffd", record["source"])
        titles = "; ".join(section["title"] for section in record["sections"])
        named = f" sections {CONTROL.sub(chr(0xFFFD), titles)}" if titles else ""
        parts.append(f"-- {source}:{lines} size {record['size']}{named}\n")
        text = record["contextualized"]
        parts.append(text if text.endswith(("\n", "\r")) else text + "\n")
    return "".join(parts).encode()


def unchanged(records: list[Record]) -> list[Record]:
    """Return the records as they are."""
    return records


class PlainSink:
    """What was encoded as it comes."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def write(self, encoded: bytes) -> None:
        """Write a document's part."""
        self.file.write(encoded)

    def close(self) -> None:
        """Write nothing more."""


class ArraySink(PlainSink):
    """One JSON array, a record a line."""

    before = b"[\n"

    def write(self, encoded: bytes) -> None:
        """Write a document's records."""
        if encoded:
            self.file.write(self.before + encoded)
            self.before = b",\n"

    def close(self) -> None:
        """End the array."""
        self.file.write(b"[]\n" if self.before == b"[\n" else b"\n]\n")


class CsvSink(PlainSink):
    """CSV behind a row of names."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        file.write((",".join(COLUMNS) + "\r\n").encode())


class ParquetSink:
    """A Parquet table, written in groups of rows; needs pyarrow."""

    GROUP = 10_000

    def __init__(self, file: BinaryIO) -> None:
        try:
            import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
            from pyarrow import parquet
        except ImportError as problem:
            raise MdchunkError(
                f"--format parquet needs pyarrow: {installation('parquet')}"
            ) from problem
        self.arrow = pyarrow
        self.schema = pyarrow.schema(list(arrow_types(pyarrow).items()))
        self.rows: list[Record] = []
        self.file = file
        self.writer = parquet.ParquetWriter(file, self.schema)

    def write(self, encoded: list[Record]) -> None:
        """Keep a document's records until a group is full."""
        self.rows += [{**row, "metadata": to_json(row["metadata"])} for row in encoded]
        if len(self.rows) >= self.GROUP:
            self._flush()

    def _flush(self) -> None:
        self.writer.write_table(self.arrow.Table.from_pylist(self.rows, schema=self.schema))
        self.rows = []

    def close(self) -> None:
        """Write the last group and the footer."""
        self._flush()
        self.writer.close()


def arrow_types(arrow: Any) -> dict[str, Any]:
    """Return the type of each field of a record, of pyarrow; front matter is JSON."""
    text, number = arrow.string(), arrow.int64()
    plain = {"text": text, "number": number, "texts": arrow.list_(text), "object": text}
    section = arrow.struct([(field.name, plain[field.kind]) for field in SECTION])
    types = {**plain, "sections": arrow.list_(section), "pages": arrow.list_(number)}
    return {field.name: types[field.kind] for field in RECORD}


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "jsonl": Format(json_lines, PlainSink, (".jsonl", ".ndjson")),
        "json": Format(json_items, ArraySink, (".json",)),
        "flat": Format(flat_lines, PlainSink),
        "csv": Format(csv_rows, CsvSink, (".csv",)),
        "text": Format(plain, PlainSink, (".txt",)),
        "parquet": Format(unchanged, ParquetSink, (".parquet",)),
        "sqlite": Format(unchanged, None, (".db", ".sqlite", ".sqlite3")),
    }
)
BY_SUFFIX = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}
"""The format that an output file's name asks for, if no flag does."""


@contextlib.contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """Open a file that takes its name only when the block ends well; otherwise nothing is left.

    What exists and is no regular file (a device, a pipe) is written to directly. What replaces a
    file has its owner, group and rights, as far as we may give them, and never any more.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as direct:
            yield direct
        return
    old = target.stat() if target.exists() else None
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with _hidden(part, old.st_mode) if old else part.open("xb") as file:
            yield file
        if old:
            _as_before(part, old if not target.exists() else target.stat())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _hidden(path: Path, mode: int) -> BinaryIO:
    """Make a file that its owner alone may use, and that only as far as ``mode`` says."""
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode & 0o600))


def _as_before(path: Path, old: os.stat_result) -> None:
    """Set owner, group and rights to those of a file that is replaced, or to fewer rights."""
    mode = stat.S_IMODE(old.st_mode)
    chown: Callable[[Path, int, int], None] | None = getattr(os, "chown", None)
    if chown:  # not on Windows
        for owner, group in ((old.st_uid, -1), (-1, old.st_gid)):
            with contextlib.suppress(OSError):  # only root may give a file away
                chown(path, owner, group)
    new = path.stat()
    if new.st_uid != old.st_uid:
        mode &= ~stat.S_ISUID
    if new.st_gid != old.st_gid:
        mode &= ~(stat.S_ISGID | stat.S_IRWXG)
    path.chmod(mode)
