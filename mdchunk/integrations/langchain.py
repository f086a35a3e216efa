"""LangChain: a text splitter whose documents know where in their source they stand."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Literal

from mdchunk.chunker import Chunker
from mdchunk.cutting.sections import Sections
from mdchunk.errors import OptionsError
from mdchunk.integrations.hosts import chunk_metadata, missing
from mdchunk.integrations.standing import handed_down, place_of, standing
from mdchunk.options import Options

try:
    from langchain_core.documents import Document  # type: ignore[import-not-found, unused-ignore]
    from langchain_text_splitters import TextSplitter  # type: ignore[import-not-found, unused-ignore]
except ImportError as problem:
    raise missing("langchain-text-splitters", "langchain", problem) from problem

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["MarkdownChunkSplitter"]


class MarkdownChunkSplitter(TextSplitter):  # type: ignore[misc, unused-ignore]
    """Splits Markdown into documents with exact ``start_index`` and the metadata of the chunk.

    options: Options, or their fields as keywords; sizes are in tokens of cl100k_base unless a
        ``unit`` is given.
    length_function: LangChain's name for a unit that is a callable; ``len`` is characters.
    contextualized: the content is ``chunk.contextualized`` (heading path and the like, as the
        option ``context`` asks) in place of the exact slice of the source.
    add_start_index: ``start_index`` and ``end_index`` (in code points) are in the metadata.

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
        add_start_index: bool = True,
        **fields: Any,
    ) -> None:
        if length_function is not None:
            if "unit" in fields or options is not None:
                raise OptionsError("length_function: give either it or a unit, not both")
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

        Special tokens that a tokenizer adds round a text are not counted.
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
        for text, metadata in zip(texts, given, strict=True):
            parsed = self._chunker.parse(text)
            start, end = metadata.get("start_index"), metadata.get("end_index")
            place = place_of(text, start, end, metadata, parsed)
            handed, sections = handed_down(metadata), Sections(parsed.structure)
            for chunk in self._chunker.chunk(parsed):
                own = {**chunk_metadata(chunk), **standing(chunk, place, sections)}
                if self._add_start_index:
                    own["start_index"] = chunk.start + place.start
                    own["end_index"] = chunk.end + place.start
                content = chunk.contextualized if self._contextualized else chunk.text
                both = {**copy.deepcopy(handed), **own}
                documents.append(Document(page_content=content, metadata=both))
        return documents
