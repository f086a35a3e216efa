"""Haystack: a component that splits documents and knows where in their source the parts stand."""

import copy
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdchunk.chunker import Chunker
from mdchunk.errors import OptionsError
from mdchunk.integrations.hosts import (
    CALLABLE,
    chunk_metadata,
    missing,
    options_from_json,
    options_to_json,
)
from mdchunk.model import Chunk
from mdchunk.options import Fields, Options, falling_sizes

try:
    from haystack import Document, component  # type: ignore[import-not-found, unused-ignore]
    from haystack.core.serialization import (  # type: ignore[import-not-found, unused-ignore]
        default_from_dict,
        default_to_dict,
    )
    from haystack.utils import (  # type: ignore[import-not-found, unused-ignore]
        deserialize_callable,
        serialize_callable,
    )
except ImportError as problem:
    raise missing("haystack-ai", "haystack", problem) from problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["MarkdownChunkSplitter"]

FILE_PATH = "file_path"
"""The key of the meta in which Haystack's converters say what file a document is from."""
SEPARATOR = re.compile(r"[/\\]")


@component
class MarkdownChunkSplitter:
    """Splits Markdown documents into documents with exact places and the metadata of the chunk.

    options: Options, or their fields as keywords; sizes are in tokens of cl100k_base unless a
        ``unit`` is given.
    contextualized: the content is ``chunk.contextualized`` (heading path and the like, as the
        option ``context`` asks) in place of the exact slice of the source.
    chunk_sizes: sizes of a hierarchy, biggest first, such as (512, 128), in place of
        ``chunk_size``: parts come level by level and have the meta of Haystack's
        HierarchicalDocumentSplitter, which AutoMergingRetriever takes: ``__level`` (1 for the
        biggest), ``__block_size``, ``__parent_id`` (None for the biggest), ``__children_ids``.
    source_key: the key of the meta that names a document. By default that is ``file_path`` where it
        is a path with a folder, as converters write it with ``store_full_path=True``, and no two
        documents of a run have it; else the document's id, which Haystack makes of all its text
        unless it is given.

    A part's id is a UUID made of its document's name and the chunk's id, so that an edit changes
    only the ids of what it changes.
    A part has its document's meta and, under Haystack's names, ``source_id``, ``split_id`` (its
    number, from 0) and ``split_idx_start``, beside it ``split_idx_end`` (both in code points).
    Raises OptionsError, DialectError, TokenizerError.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        contextualized: bool = False,
        chunk_sizes: Sequence[int] = (),
        source_key: str | None = None,
        **fields: "Unpack[Fields]",
    ) -> None:
        self.chunk_sizes = falling_sizes(chunk_sizes) if chunk_sizes else ()
        if self.chunk_sizes and options is None:
            fields["chunk_size"] = self.chunk_sizes[0]
        self._chunker = Chunker(options, **fields)
        self.options = self._chunker.options
        self.contextualized = contextualized
        self.source_key = source_key

    def warm_up(self) -> None:
        """Count a word, so that what the unit loads is loaded before the first document."""
        self._chunker.count("word")

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator, unused-ignore]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents; a blank one has no parts.

        Raises TypeError for what is no list of documents, ValueError for one without text, and
        with ``source_key`` for one without a name or with that of another.
        """
        if not isinstance(documents, list) or not all(isinstance(d, Document) for d in documents):
            raise TypeError("documents: allowed is a list of haystack.Document")
        named: dict[str, Document] = {}
        found: list[Document] = []
        shared = _shared_paths(documents)
        for document in documents:
            name = self._name(document, shared)
            if named.setdefault(name, document).id != document.id:
                raise ValueError(
                    f"documents: two have {name!r} as meta {self.source_key!r}, which source_key "
                    "says to name a document; converters take store_full_path=True"
                )
            found += self._parts(document, name)
        return {"documents": found}

    def _name(self, document: Document, shared: Collection[str]) -> str:
        if self.source_key is None:
            path = _whole_path(document)
            return str(document.id) if path is None or path in shared else path
        name = document.meta.get(self.source_key)
        if name is None or name == "":
            raise ValueError(
                f"documents: the document {document.id} has no meta {self.source_key!r}, which "
                "source_key says to name it"
            )
        return str(name)

    def _parts(self, document: Document, name: str) -> list[Document]:
        if document.content is None:
            raise ValueError(f"documents: the document {document.id} has no text")
        if not self.chunk_sizes:
            return self._made(document, name, self._chunker.chunk(document.content))
        levels = self._chunker.hierarchy(document.content, self.chunk_sizes)
        parts = [self._made(document, name, level) for level in levels]
        return _nested(levels, parts, self.chunk_sizes)

    def _made(self, document: Document, name: str, chunks: Sequence[Chunk]) -> list[Document]:
        parts = []
        for number, chunk in enumerate(chunks):
            place = {
                "source_id": document.id,
                "split_id": number,
                "split_idx_start": chunk.start,
                "split_idx_end": chunk.end,
            }
            content = chunk.contextualized if self.contextualized else chunk.text
            meta = {**copy.deepcopy(document.meta), **chunk_metadata(chunk), **place}
            parts.append(Document(id=chunk.key(name), content=content, meta=meta))
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return the component as JSON values; a function as unit by its name.

        Raises Haystack's SerializationError for a lambda or a nested function, OptionsError for
        other objects as unit and for dialects that are no part of mdchunk.
        """
        values = options_to_json(self.options)
        if isinstance(values["unit"], Mapping):
            if not hasattr(self.options.unit, "__qualname__"):
                unit = self.options.unit
                message = f"unit: {unit!r} cannot be saved; name a function"
                raise OptionsError(message, option="unit", value=unit)
            values["unit"] = {CALLABLE: serialize_callable(self.options.unit)}
        options_from_json({**values, "unit": "tokens"})
        saved: dict[str, Any] = default_to_dict(
            self,
            contextualized=self.contextualized,
            chunk_sizes=list(self.chunk_sizes),
            source_key=self.source_key,
            **values,
        )
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "MarkdownChunkSplitter":
        """Make a component of what was saved.

        Haystack loads a function only from modules that the caller allows.
        """
        values = dict(data.get("init_parameters") or {})  # YAML reads an empty mapping as null
        unit = values.get("unit")
        if isinstance(unit, Mapping) and CALLABLE in unit:
            values["unit"] = deserialize_callable(unit[CALLABLE])
        values = options_from_json(values)
        made: MarkdownChunkSplitter = default_from_dict(cls, {**data, "init_parameters": values})
        return made


def _whole_path(document: Document) -> str | None:
    """Return the path of the file that a document is the whole of, None if nothing says so.

    A bare name may be that of many files, and what was split before is a part of one.
    """
    path = document.meta.get(FILE_PATH)
    whole = isinstance(path, str) and SEPARATOR.search(path) and "split_id" not in document.meta
    return path if whole else None


def _shared_paths(documents: Sequence[Document]) -> set[str]:
    """Return the paths that several documents have, as pages of one file do."""
    named = {(document.id, path) for document in documents if (path := _whole_path(document))}
    counts = Counter(path for _, path in named)
    return {path for path, count in counts.items() if count > 1}


def _nested(
    levels: Sequence[Sequence[Chunk]], parts: Sequence[Sequence[Document]], sizes: Sequence[int]
) -> list[Document]:
    """Return the parts of all levels with what says how they lie in each other."""
    pairs = [pair for level in zip(levels, parts, strict=True) for pair in zip(*level, strict=True)]
    ids = {chunk.id: part.id for chunk, part in pairs}
    children: dict[str, list[str]] = {}
    for chunk, part in pairs:
        children.setdefault(chunk.parent, []).append(part.id)
    found = []
    for depth, level in enumerate(zip(levels, parts, strict=True)):
        for chunk, part in zip(*level, strict=True):
            links = {
                "__level": depth + 1,  # 0 is the source itself
                "__block_size": sizes[depth],
                "__parent_id": ids.get(chunk.parent),
                "__children_ids": children.get(chunk.id, []),
            }
            found.append(Document(id=part.id, content=part.content, meta={**part.meta, **links}))
    return found
