"""An index of chunks in SQLite: kept in step with the documents, and searched by words.

The file's ``application_id`` says that it is ours, its ``user_version`` which schema it has.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mdchunk.errors import MdchunkError
from mdchunk.files.fulltext import headings_of, indexed
from mdchunk.files.schema import NUMBERS, PACKED
from mdchunk.files.writers import COLUMNS, Record, to_json

SCHEMA_VERSION = 1
"""Raised whenever a table or what it holds changes."""
APPLICATION_ID = 0x6D64636B  # "mdck"
HEADER = 100
WAIT = 30.0
"""Seconds for which another process that writes is waited for."""
OF_DOCUMENT = ("source", "title")
STORED = tuple(name for name in COLUMNS if name not in (*OF_DOCUMENT, "contextualized"))
"""The fields of a record that every row of ``chunks`` has; ``contextualized`` is there only where
it differs from prefix, text and suffix put together."""


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _column(name: str) -> str:
    return f'"{name}" {"INTEGER" if name in NUMBERS else "TEXT"} NOT NULL'


VIEWED = {
    **{name: f'd."{name}"' for name in OF_DOCUMENT},
    **{name: f'c."{name}"' for name in STORED},
    "contextualized": "coalesce(c.contextualized, c.prefix || c.text || c.suffix)",
}
SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE documents (
    document INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, title TEXT, digest TEXT NOT NULL
);
CREATE TABLE chunks (
    chunk INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents,
    {", ".join(map(_column, STORED))},
    contextualized TEXT,
    UNIQUE (document, id)
);
CREATE VIRTUAL TABLE search USING fts5(
    headings, plain, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIEW records AS SELECT c.chunk AS chunk,
    {", ".join(f'{VIEWED[name]} AS "{name}"' for name in COLUMNS)}
    FROM chunks c JOIN documents d USING (document);
"""

COLUMN_NAMES = (*STORED, "contextualized")
Row = tuple[object, ...]
"""The values of ``COLUMN_NAMES``."""
Words = tuple[str, str]
"""What is indexed of headings and text."""
UPSERT_ABOUT = """
INSERT INTO about VALUES (?, ?) ON CONFLICT (name)
DO UPDATE SET value = excluded.value WHERE value <> excluded.value
"""
UPSERT_DOCUMENT = """
INSERT INTO documents (source, title, digest) VALUES (?, ?, ?) ON CONFLICT (source)
DO UPDATE SET title = excluded.title, digest = excluded.digest
"""
SELECT_CHUNKS = """
SELECT c.*, s.headings AS in_headings, s.plain AS in_plain
FROM chunks c JOIN search s ON s.rowid = c.chunk WHERE c.document = ?
"""
INSERT_CHUNK = f"""
INSERT INTO chunks (document, {_quoted(COLUMN_NAMES)})
VALUES (?, {", ".join("?" * len(COLUMN_NAMES))})
"""
UPDATE_CHUNK = f"""
UPDATE chunks SET {", ".join(f'"{name}" = ?' for name in COLUMN_NAMES)} WHERE chunk = ?
"""
INSERT_WORDS = "INSERT INTO search (rowid, headings, plain) VALUES (?, ?, ?)"
UPDATE_WORDS = "UPDATE search SET headings = ?, plain = ? WHERE rowid = ?"


def check(path: str) -> bool:
    """Return whether there is an index at a path; nothing, or an empty file, is none.

    Raises MdchunkError for a file that is not ours or has another schema, OSError.
    """
    try:
        with Path(path).open("rb") as file:
            head = file.read(HEADER)
    except FileNotFoundError:
        return False
    if not head:
        return False
    if head[:16] != b"SQLite format 3\0" or int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise MdchunkError(
            f"{path}: this file is not an index of mdchunk and is left as it is; allowed is an "
            "index that mdchunk wrote, or a name that is not taken"
        )
    version = int.from_bytes(head[60:64], "big")
    if version != SCHEMA_VERSION:
        raise MdchunkError(
            f"{path}: an index of schema {version}, and this mdchunk knows {SCHEMA_VERSION}; "
            "write to another file, or remove this one, since it can be made again"
        )
    return True


@contextlib.contextmanager
def connected(path: str, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """Open a database without a transaction; a failure is an OSError, as of any file."""
    try:
        address = f"{Path(os.path.abspath(path)).as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, timeout=WAIT, isolation_level=None, uri=True)
        try:
            connection.row_factory = sqlite3.Row
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as problem:
        if "fts5" in str(problem):
            raise MdchunkError("an index needs FTS5, which this Python's SQLite lacks") from problem
        raise OSError(str(problem)) from problem


@contextlib.contextmanager
def updating(path: str, about: Mapping[str, str]) -> Iterator[Index]:
    """Open an index to write, in one transaction that counts only if the block ends well.

    One that is not there yet is made beside and takes its name at the end. Raises MdchunkError
    for a file that is not ours, OSError.
    """
    target = os.path.realpath(path)
    if check(path):
        with connected(target) as connection, _transaction(connection):
            yield Index(connection, about)
        return
    part = Path(target).with_name(f".{Path(target).name}.{secrets.token_hex(4)}.part")
    try:
        with connected(str(part), "rwc") as connection:
            connection.executescript(SCHEMA)
            with _transaction(connection):
                yield Index(connection, about)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


class Index:
    """An index that is being written; counts what was added, removed and kept."""

    def __init__(self, connection: sqlite3.Connection, about: Mapping[str, str]) -> None:
        self.connection = connection
        self.seen: set[str] = set()
        self.added = self.removed = self.same = 0
        for item in about.items():
            self._do(UPSERT_ABOUT, item)

    def _do(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self.connection.execute(statement, values)

    def write(self, encoded: list[Record]) -> None:
        """Write the records of one document."""
        if not encoded:
            return
        source, title = _clean(encoded[0]["source"]), _clean(encoded[0]["title"])
        self.seen.add(source)
        rows = {record["id"]: (_row(record), _words(record)) for record in encoded}
        digest = hashlib.sha256(to_json([title, *rows.values()]).encode()).hexdigest()
        known = self._do("SELECT digest FROM documents WHERE source = ?", (source,)).fetchone()
        if known and known["digest"] == digest:
            self.same += len(rows)
            return
        self._do(UPSERT_DOCUMENT, (source, title, digest))
        found = self._do("SELECT document FROM documents WHERE source = ?", (source,))
        self._write(found.fetchone()[0], rows)

    def _write(self, document: int, rows: Mapping[str, tuple[Row, Words]]) -> None:
        found = self._do(SELECT_CHUNKS, (document,)).fetchall()
        self._remove([before["chunk"] for before in found if before["id"] not in rows])
        old = {before["id"]: before for before in found}
        for id_, (row, words) in rows.items():
            before = old.get(id_)
            if before is None:
                self.added += 1
                chunk = self._do(INSERT_CHUNK, (document, *row)).lastrowid
                self._do(INSERT_WORDS, (chunk, *words))
            else:
                self._update(before, row, words)

    def _update(self, before: sqlite3.Row, row: Row, words: Words) -> None:
        """Bring a chunk up to date whose id is known; with another context it counts as new."""
        kept = _embedded(before) == _embedded(dict(zip(COLUMN_NAMES, row, strict=True)))
        self.same += kept
        self.added += not kept
        self.removed += not kept
        chunk = before["chunk"]
        if tuple(before[name] for name in COLUMN_NAMES) != row:
            self._do(UPDATE_CHUNK, (*row, chunk))
        if (before["in_headings"], before["in_plain"]) != words:
            self._do(UPDATE_WORDS, (*words, chunk))

    def _remove(self, chunks: Sequence[int]) -> None:
        self.removed += len(chunks)
        for chunk in chunks:
            self._do("DELETE FROM search WHERE rowid = ?", (chunk,))
            self._do("DELETE FROM chunks WHERE chunk = ?", (chunk,))

    def close(self, *, partial: bool = False) -> None:
        """Remove the documents that were not written; of a partial run they are kept."""
        for row in self._do("SELECT document, source FROM documents").fetchall():
            if row["source"] in self.seen:
                continue
            found = self._do("SELECT chunk FROM chunks WHERE document = ?", (row["document"],))
            chunks = [each[0] for each in found.fetchall()]
            if partial:
                self.same += len(chunks)
                continue
            self._remove(chunks)
            self._do("DELETE FROM documents WHERE document = ?", (row["document"],))

    def tally(self) -> str:
        """Return what changed: chunks added, removed, and kept with what is embedded of them."""
        return f"+{self.added} −{self.removed} ={self.same}"


def _clean(value: Any) -> Any:
    # a lone surrogate has no UTF-8 form
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _row(record: Record) -> Row:
    values = [to_json(record[name]) if name in PACKED else record[name] for name in STORED]
    whole = record["prefix"] + record["text"] + record["suffix"]
    context = record["contextualized"]
    return tuple(map(_clean, (*values, None if context == whole else context)))


def _embedded(row: Any) -> str:
    whole = row["prefix"] + row["text"] + row["suffix"]
    return str(whole if row["contextualized"] is None else row["contextualized"])


def _words(record: Record) -> Words:
    return headings_of(record), indexed(record["plain"])
