"""LangChain: a text splitter whose documents know where in their source they stand."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Literal

from mdchunk.chunker import Chunker
from mdchunk.cutting.sections import Sections
from mdchunk.errors import OptionsError
from mdchunk.integrations.hosts import chunk_metadata, missing
from mdchunk.integrations.standing import OPEN, handed_down, place_of, standing, unplaced
from mdchunk.model import Chunk, key_of
from mdchunk.options import Fields, Options

try:
    from langchain_core.documents import Document  # type: ignore[import-not-found, unused-ignore]
    from langchain_text_splitters import TextSplitter  # type: ignore[import-not-found, unused-ignore]
except ImportError as problem:
    raise missing("langchain-text-splitters", "langchain", problem) from problem

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["MarkdownChunkSplitter"]


class MarkdownChunkSplitter(TextSplitter):  # type: ignore[misc, unused-ignore]
    """Splits Markdown into documents with ids that last and the metadata of the chunk.

    options: Options, or their fields as keywords; sizes are in tokens of cl100k_base unless a
        ``unit`` is given.
    length_function: LangChain's name for a unit that is a callable; ``len`` is characters.
    contextualized: the content is ``chunk.contextualized`` (heading path and the like, as the
        option ``context`` asks) in place of the exact slice of the source.
    add_start_index: ``start_index`` and ``end_index`` (in code points), ``start_line`` and
        ``end_line`` are in the metadata, and the places of ``sections``. They change with any edit
        before a chunk, and LangChain's ``index`` embeds anew whatever has other metadata.

    A document's ``id`` is a UUID made of the ``source`` in its metadata and the chunk's id, so
    that an edit changes only the ids of what it changes; without a source it is None.

    A subclass overrides ``create_documents``, which all other methods go through; here it is
    ``split_text`` that calls it, and not the other way round, since a text alone has no place.
    Raises OptionsError, DialectError, TokenizerError.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        length_function: Callable[[str], int] | None = None,
        contextualized: bool = False,
        add_start_index: bool = False,
        **fields: Unpack[Fields],
    ) -> None:
        if length_function is not None:
            if "unit" in fields or options is not None:
                message = "length_function: give either it or a unit, not both"
                raise OptionsError(message, option="length_function", value=length_function)
            fields["unit"] = "characters" if length_function is len else length_function
        self._chunker = Chunker(options, **fields)
        self._contextualized = contextualized
        super().__init__(
            chunk_size=self.options.chunk_size,
            chunk_overlap=self.options.overlap,
            length_function=self._chunker.count,
            add_start_index=add_start_index,
            strip_whitespace=False,
        )

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "cl100k_base",
        model_name: str | None = None,
        allowed_special: Literal["all"] | AbstractSet[str] | None = None,  # noqa: ARG003
        disallowed_special: Literal["all"] | Collection[str] = "all",  # noqa: ARG003
        **kwargs: Any,
    ) -> Self:
        """Make a splitter that counts the tokens of an encoding, or of the one of a model.

        Text that spells a special token is ordinary text, whatever is allowed. cl100k_base needs
        no network; TokenizerError is raised for others that can be found nowhere.
        """
        return cls(unit=model_name or encoding_name, **kwargs)

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> Self:
        """Make a splitter that counts the tokens of a transformers or tokenizers tokenizer.

        Tokens that a fast tokenizer adds to each text (``[CLS]``, ``[SEP]``) are counted.
        """
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is not None:
            return cls(unit=backend, **kwargs)
        if hasattr(tokenizer, "tokenize"):
            return cls(unit=lambda text: len(tokenizer.tokenize(text)), **kwargs)
        return cls(unit=tokenizer, **kwargs)

    @property
    def options(self) -> Options:
        """The options in force."""
        return self._chunker.options

    def split_text(self, text: str) -> list[str]:
        """Split a text; blank text gives nothing."""
        return [document.page_content for document in self.create_documents([text])]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Split texts into documents, each with its text's metadata and its own, which wins.

        A text that its metadata says to be a slice of a document, as one that was split before,
        gives places, lines and headings in that document.
        """
        given = metadatas or [{}] * len(texts)
        documents = []
        known: Counter[str] = Counter()
        for text, metadata in zip(texts, given, strict=True):
            parsed = self._chunker.parse(text)
            start, end = metadata.get("start_index"), metadata.get("end_index")
            place = place_of(text, start, end, metadata, parsed)
            handed, sections = handed_down(metadata), Sections(parsed.structure)
            for chunk in self._chunker.chunk(parsed):
                own = {**chunk_metadata(chunk), **standing(chunk, place, sections)}
                if self._add_start_index:
                    start, end = chunk.start + place.start, chunk.end + place.start
                    own |= {"start_index": start, "end_index": end}
                else:
                    own = unplaced(own)
                content = chunk.contextualized if self._contextualized else chunk.text
                both = {**copy.deepcopy(handed), **own}
                name = _id(metadata, chunk, known)
                documents.append(Document(id=name, page_content=content, metadata=both))
        return documents


def _id(metadata: Mapping[Any, Any], chunk: Chunk, known: Counter[str]) -> str | None:
    """Return what names a chunk of a source, and count it in ``known``.

    Pages of a source are documents that share it, so that equal chunks of theirs are numbered.
    """
    source = metadata.get("source")
    if source is None or source == "":
        return None
    part = metadata.get("chunk_id") if OPEN in metadata else None
    name = chunk.key(str(source) if part is None else key_of(str(source), str(part)))
    again, known[name] = known[name], known[name] + 1
    return key_of(name, str(again)) if again else name
