"""One document of a run: read, split, and made into records, in this process or another."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mdchunk.chunker import Chunker
from mdchunk.document import Document
from mdchunk.errors import MdchunkError
from mdchunk.files.schema import NAMES
from mdchunk.files.sources import Source, inner_name, read_source, reason
from mdchunk.model import Chunk, neighbours
from mdchunk.parallel import noted

Record = dict[str, object]


class Outcome(NamedTuple):
    """What became of a document: its records as a format wants them, or the problem with it."""

    name: str
    encoded: Any
    notes: Sequence[str] = ()
    problem: str = ""
    sizes: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Recorder:
    """Makes the records of a document and hands them to a format; never raises for one document."""

    chunker: Chunker
    encode: Callable[[list[Record]], Any]
    errors: str = "strict"
    root: str = ""
    chunk_sizes: Sequence[int] = ()
    """The sizes of a hierarchy, if one is asked for."""

    def prepare(self) -> None:
        """Load what counting needs before there is something to count."""
        with contextlib.suppress(MdchunkError):
            self.chunker.count("")

    def __call__(self, source: Source) -> Outcome:
        """Make the records of one document."""
        try:
            text = read_source(source, errors=self.errors)
            (document, levels), notes = noted(lambda: self._split(text))
            made = records(inner_name(source, self.root), document, levels)
            sizes = [chunk.size for level in levels for chunk in level]
            return Outcome(source.name, self.encode(made), notes, sizes=sizes)
        except (OSError, UnicodeDecodeError) as problem:
            return Outcome(source.name, None, problem=reason(problem))
        except MdchunkError as problem:
            return Outcome(source.name, None, problem=str(problem))
        except Exception as problem:  # the other documents are not to suffer
            fault = f"{type(problem).__name__}: {problem} (a fault of mdchunk: please report it)"
            return Outcome(source.name, None, problem=fault)

    def _split(self, text: str) -> tuple[Document, list[list[Chunk]]]:
        document = self.chunker.parse(text)
        if self.chunk_sizes:
            return document, self.chunker.hierarchy(document, self.chunk_sizes)
        return document, [self.chunker.chunk(document)]


def records(name: str, document: Document, levels: Sequence[Sequence[Chunk]]) -> list[Record]:
    """Make a record of each chunk: where it comes from, then the chunk and its place."""
    about = {"source": name, "title": document.title}
    made = []
    for level, chunks in enumerate(levels):
        for index, (chunk, ids) in enumerate(zip(chunks, neighbours(chunks), strict=True)):
            place = {"index": index, "level": level, "previous": ids[0], "next": ids[1]}
            found = {**about, **place, "key": chunk.key(name), **chunk.as_dict()}
            made.append({field: found[field] for field in NAMES})
    return made
