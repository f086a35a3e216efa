"""What an index in SQLite says: its records, and the chunks that hold some words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from mdchunk.errors import MdchunkError
from mdchunk.files.database import check, connected
from mdchunk.files.fulltext import CLOSE, OPEN, Excerpt, excerpt, query_of
from mdchunk.files.schema import PACKED
from mdchunk.files.writers import COLUMNS, Record

HEADINGS_WEIGHT = 2.0
"""What a word in the headings counts beside one in the text; measured in docs/pages/search.md."""
EXCERPT_LENGTH = 32
"""Words of an excerpt, or letters in scripts without blanks between words."""
BEST = f"""
SELECT search.rowid AS chunk, -bm25(search, {HEADINGS_WEIGHT}, 1.0) AS score
FROM search JOIN chunks ON chunks.chunk = search.rowid WHERE search MATCH ? AND level = 0
ORDER BY score DESC, search.rowid LIMIT ?
"""
"""Of a hierarchy only the biggest chunks: by words they are found as well as by their parts, and
nothing is found twice."""
SNIPPET = f"""
SELECT snippet(search, 1, '{OPEN}', '{CLOSE}', '…', {EXCERPT_LENGTH})
FROM search WHERE search MATCH ? AND rowid = ?
"""


class Hit(NamedTuple):
    """A chunk that was found.

    ``score`` is higher for what is better, ``excerpt`` shows the words, and ``path`` has the
    titles of the section of the chunk that most of the words stand in.
    """

    score: float
    excerpt: Excerpt
    path: list[str]
    record: Record


def search(path: str, words: str, limit: int) -> list[Hit]:
    """Return the best chunks for any words, best first.

    Raises MdchunkError for a file that is no index, OSError.
    """
    query = query_of(words)
    with _opened(path) as connection:
        if not query:
            return []
        best = connection.execute(BEST, (query, limit)).fetchall()
        return [_hit(connection, query, row) for row in best]


def _hit(connection: sqlite3.Connection, query: str, row: sqlite3.Row) -> Hit:
    (snippet,) = connection.execute(SNIPPET, (query, row["chunk"])).fetchone()
    found = connection.execute("SELECT * FROM records WHERE chunk = ?", (row["chunk"],))
    shown, record = excerpt(snippet), _record(found.fetchone())
    return Hit(row["score"], shown, _path(shown, record), record)


def _path(shown: Excerpt, record: Record) -> list[str]:
    """Return the path of the section in which most of the words stand; of equals the first."""
    words = {shown.text[start:end].casefold() for start, end in shown.marks}
    starts = [record["start"], *(section["start"] for section in record["sections"])]
    paths = [record["headings"], *(section["path"] for section in record["sections"])]
    texts = [
        record["text"][start - starts[0] : end - starts[0]].casefold()
        for start, end in pairwise([*starts, record["end"]])
    ]
    best = max(range(len(texts)), key=lambda n: sum(word in texts[n] for word in words))
    found: list[str] = paths[best]
    return found


def stored(path: str) -> Iterator[Record]:
    """Return all records of an index, in order of their documents. Raises as ``search`` does."""
    with _opened(path) as connection:
        for row in connection.execute('SELECT * FROM records ORDER BY source, level, "index"'):
            yield _record(row)


def about(path: str) -> dict[str, str]:
    """Return what an index says of itself. Raises as ``search`` does."""
    with _opened(path) as connection:
        return dict(connection.execute("SELECT name, value FROM about").fetchall())


def _opened(path: str) -> Any:
    if not check(path):
        raise MdchunkError(f"{path}: there is no index; mdchunk FOLDER -o {path} makes one")
    return connected(path)


def _record(row: sqlite3.Row) -> Record:
    return {name: json.loads(row[name]) if name in PACKED else row[name] for name in COLUMNS}
