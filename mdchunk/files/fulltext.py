"""Full-text search in SQLite's FTS5: what is indexed of a text, and any words as a safe query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from mdchunk.files.writers import Record

SPACELESS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3040, 0x30FF),  # kana
    (0x3105, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # ideographs
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Hangul, where a word is written together with its particles
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)
"""Code points of scripts in which a word has no blanks round it: each letter is indexed by itself,
and words are looked for as pairs of neighbours."""
LETTER = "".join(f"{chr(first)}-{chr(last)}" for first, last in SPACELESS)
SEPARATOR, OPEN, CLOSE = "\x1f", "\x02", "\x03"
"""What parts letters in the index, and what stands round a word that was found: no token holds
them, and they are taken out of texts."""
BETWEEN = re.compile(rf"(?<=[{LETTER}])(?=\S)|(?<=\S)(?=[{LETTER}])")
BY_LETTER = re.compile(f"[{LETTER}]")
RUN = re.compile(rf"[{LETTER}]+|[^{LETTER}]+")
ASKED = re.compile(r'"([^"]*)"|(\w+)')
MARKS = re.compile(f"[{OPEN}{CLOSE}]")
CONTROLS = str.maketrans(dict.fromkeys(SEPARATOR + OPEN + CLOSE + "\0", " "))
"""What is no part of an indexed text: NUL would end a query."""
MOST_TERMS = 100
"""More terms of a query are left out: FTS5 takes expressions of a bounded size only."""


class Excerpt(NamedTuple):
    """A piece of a text on one line, and the places (from, to) of the words that were found."""

    text: str
    marks: list[tuple[int, int]]


def indexed(text: str) -> str:
    """Return a text as it is indexed: composed (NFC), letters of scripts without blanks parted."""
    # a lone surrogate has no UTF-8 form
    clean = text.translate(CONTROLS).encode("utf-8", "replace").decode()
    return BETWEEN.sub(SEPARATOR, unicodedata.normalize("NFC", clean))


def query_of(words: str) -> str:
    """Return an FTS5 query for any text: one of its words is enough, more of them rank higher.

    What stands in double quotes is looked for as it stands. Empty if there is no word.
    """
    terms = list(dict.fromkeys(_terms(words)))[:MOST_TERMS]
    return " OR ".join(f'"{term}"' for term in terms)


def _terms(words: str) -> Iterator[str]:
    clean = unicodedata.normalize("NFC", words.translate(CONTROLS))
    for phrase, word in ASKED.findall(clean):
        if re.search(r"\w", phrase):
            yield indexed(phrase)
        for run in RUN.findall(word):
            if BY_LETTER.match(run):
                yield from _pairs(run)
            else:
                yield indexed(run)


def _pairs(run: str) -> Iterator[str]:
    """Return the pairs of neighbours in a run of letters, and the run itself, which ranks first."""
    yield indexed(run)
    for place in range(len(run) - 1):
        yield indexed(run[place : place + 2])


def excerpt(snippet: str) -> Excerpt:
    """Return what FTS5 cut out, as a line and the places of the words found in it."""
    joined = snippet.replace(f"{CLOSE}{SEPARATOR}{OPEN}", "")
    line = " ".join(joined.replace(SEPARATOR, "").split())
    marks: list[tuple[int, int]] = []
    parts: list[str] = []
    length = start = 0
    for number, part in enumerate(MARKS.split(line)):
        if number % 2:
            start = length
        elif number:
            marks.append((start, length))
        parts.append(part)
        length += len(part)
    return Excerpt("".join(parts), marks)


def marked(found: Excerpt, before: str, after: str) -> str:
    """Return an excerpt with marks round the words that were found."""
    parts, end = [], 0
    for start, stop in found.marks:
        parts += [found.text[end:start], before, found.text[start:stop], after]
        end = stop
    return "".join([*parts, found.text[end:]])


def headings_of(record: Record) -> str:
    """Return the field of headings of a chunk's record.

    It holds the document's title and the name of its file, the heading path, the headings in the
    text and, for the first chunk of a document, the texts of its front matter (tags, aliases).
    """
    name = PurePosixPath(record["source"]).stem
    own = [section["title"] for section in record["sections"]]
    above = [] if record["index"] else _texts(record["metadata"])
    lines = (record["title"], name, *record["headings"], *own, *above)
    return indexed("\n".join(dict.fromkeys(filter(None, lines))))


def _texts(value: object) -> Iterator[str]:
    """Return all texts in a JSON value; the names of keys are not among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
