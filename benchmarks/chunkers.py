"""The chunkers under test, by name; each peer is imported when it is asked for.

A name may carry options of mdchunk: ``mdchunk:decay=0.8:scores.code=30`` is mdchunk with a decay
of 0.8 and a code row of 30. None uses overlap unless such an option asks for it.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from typing import Any, NamedTuple

from benchmarks import tokens
from benchmarks.errors import BenchmarkError, UnavailableError


class Piece(NamedTuple):
    """One chunk as its maker gives it."""

    text: str
    start: int | None = None  # code points of the source; None where the maker gives no offsets
    end: int | None = None
    embedded: str | None = None  # what would be indexed where that is not the text alone
    clue: str | None = None  # what an index gets in place of that, though a reader does not
    parent: Piece | None = None  # the bigger one that may be read in its stead

    @property
    def indexed(self) -> str:
        """What a search index gets, and a reader where there is no clue."""
        return self.text if self.embedded is None else self.embedded


_YARDSTICKS = ("tiktoken", "toktok-rs", "markdown-it-py")
Split = Callable[[str], list[Piece]]
Make = Callable[[int, str], Split]  # size, unit ("tokens" or "characters")


class Entry(NamedTuple):
    """A row of the table of chunkers."""

    make: Make
    package: str
    note: str


def make(name: str, size: int, unit: str) -> Split:
    """Builds the chunker of a name for a size; `UnavailableError` where its package is missing."""
    base, *settings = name.split(":")
    if base not in TABLE:
        raise BenchmarkError(f"no chunker {base!r}; there are: {', '.join(TABLE)}")
    try:
        if not settings:
            return TABLE[base].make(size, unit)
        if base not in _OWN:
            raise BenchmarkError(f"{base} takes no options in its name")
        return own(size, unit, **(_settings(base, size) | _options(settings)))
    except ImportError as error:
        raise UnavailableError(f"{base}: {error}") from error


def available(names: Sequence[str], size: int, unit: str) -> list[str]:
    """Leaves out the chunkers that cannot be built, with a line on each."""
    good = []
    for name in names:
        try:
            make(name, size, unit)("# Title\n\nText.\n")
        except UnavailableError as error:
            print(f"skipped {error}", file=sys.stderr)
        except OSError as error:  # a peer that wants to download what it counts with
            print(f"skipped {name}: {type(error).__name__}", file=sys.stderr)
        else:
            good.append(name)
    return good


def versions(names: Sequence[str]) -> dict[str, str]:
    """Finds the installed version of each chunker's package and of the yardsticks'."""
    found = {}
    bases = [name.split(":")[0] for name in names]
    packages = [TABLE[base].package for base in bases if base in TABLE]
    for package in dict.fromkeys([*packages, *_YARDSTICKS]):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            if package not in _YARDSTICKS:  # ours, run from a checkout
                found[package] = getattr(sys.modules.get("mdchunk"), "__version__", "?")
    return found


def _options(settings: Sequence[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        try:
            parsed = json.loads(value)
        except json.JSONDecodeError:
            parsed = value
        key, _, row = key.partition(".")
        if row:
            options.setdefault(key, {})[row] = parsed
        else:
            options[key] = parsed
    return options


# --- ours


def own(size: int, unit: str, clue: str = "", children: int = 0, **options: Any) -> Split:
    """Makes a chunker of ours with options of its own.

    ``clue`` is the property of a chunk that is indexed in its stead; with ``children``, so many
    times smaller, a hierarchy is made, of which the small chunks are indexed.
    """
    import mdchunk

    defaults = {"chunk_overlap": 0, "front_matter": "chunk"}
    chunker = mdchunk.Chunker(chunk_size=size, unit=unit, **(defaults | options))

    def piece(c: mdchunk.Chunk, parent: Piece | None = None) -> Piece:
        hint = getattr(c, clue) if clue else None
        return Piece(c.text, c.start, c.end, c.contextualized, hint, parent)

    def nested(source: str) -> list[Piece]:
        above, below = chunker.hierarchy(source, (size, size // children))
        parents = {c.id: piece(c) for c in above}
        return [piece(c, parents[c.parent]) for c in below]

    return nested if children else lambda source: [piece(c) for c in chunker.chunk(source)]


def _qmd(size: int) -> dict[str, Any]:
    import mdchunk

    qmd = mdchunk.Options.qmd()
    given = {name: getattr(qmd, name) for name in ("cutoff", "decay", "scores")}
    return given | {"window": round(size * (qmd.window or qmd.chunk_size) / qmd.chunk_size)}


CHILDREN = 4  # a hierarchy's small chunks are so many times smaller: 128 in 512
_OWN: dict[str, dict[str, Any]] = {
    "mdchunk": {},
    "mdchunk-lookback": {"cutoff": "lookback"},
    "mdchunk-sections": {"split_headings": 6, "min_chunk_size": 24},
    "mdchunk-qmd": {},  # what depends on the size is added by `_settings`
    "mdchunk-headings": {"context": "headings"},
    "mdchunk-full": {"context": "full"},
    "mdchunk-plain": {"plain": True, "clue": "plain"},
    "mdchunk-embedding": {"plain": True, "clue": "embedding_text"},
    "mdchunk-sections-embedding": {"split_headings": 6, "plain": True, "clue": "embedding_text"},
    "mdchunk-hierarchy": {"plain": True, "clue": "embedding_text", "children": CHILDREN},
    "mdchunk-hierarchy-text": {"children": CHILDREN},
}


def _settings(name: str, size: int) -> dict[str, Any]:
    return _qmd(size) if name == "mdchunk-qmd" else _OWN[name]


def _own(name: str) -> Make:
    return lambda size, unit: own(size, unit, **_settings(name, size))


def _by_tiktoken(size: int, unit: str) -> Split:
    """Makes our chunker without what the extra ``fast`` brings."""
    if unit != "tokens" or importlib.util.find_spec("toktok") is None:
        raise UnavailableError("mdchunk-tiktoken: mdchunk counts without toktok-rs anyhow")
    from mdchunk.sizing.toktok import SWITCH

    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "0"  # read when a chunker is made
    try:
        return own(size, unit)
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before


# --- peers


def _quiet() -> None:
    """Keeps peers from the network and from printing."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)


def _measure(unit: str) -> Callable[[str], int]:
    return len if unit == "characters" else tokens.counter()


def _langchain(class_name: str) -> Make:
    def build(size: int, unit: str) -> Split:
        import langchain_text_splitters as package

        splitter = getattr(package, class_name)(
            chunk_size=size, chunk_overlap=0, length_function=_measure(unit)
        )
        return lambda source: [Piece(text) for text in splitter.split_text(source)]

    return build


def _semantic_text_splitter(size: int, unit: str) -> Split:
    from semantic_text_splitter import MarkdownSplitter

    if unit == "characters":
        splitter = MarkdownSplitter(size)
    else:  # its own cl100k_base, built in
        splitter = MarkdownSplitter.from_tiktoken_model("gpt-4", size)
    return lambda source: [
        Piece(text, at, at + len(text)) for at, text in splitter.chunk_indices(source)
    ]


def _nested_semantic_text_splitter(size: int, unit: str) -> Split:
    above, below = (_semantic_text_splitter(n, unit) for n in (size, size // CHILDREN))

    def split(source: str) -> list[Piece]:
        return [
            Piece(c.text, parent.start + c.start, parent.start + c.end, parent=parent)
            for parent in above(source)
            for c in below(parent.text)
            if parent.start is not None and c.start is not None and c.end is not None
        ]

    return split


def _chonkie(size: int, unit: str) -> Split:
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    # Its published Markdown recipe needs the network; this is the same idea: headings first.
    headings = ["\n" + "#" * level + " " for level in range(1, 7)]
    levels = [
        RecursiveLevel(delimiters=headings, include_delim="next"),
        RecursiveLevel(delimiters=["\n\n", "\r\n", "\n", "\r"]),
        RecursiveLevel(delimiters=[". ", "! ", "? "]),
        RecursiveLevel(whitespace=True),
        RecursiveLevel(),
    ]
    tokenizer: Any = "character" if unit == "characters" else tokens.encoding()
    chunker = RecursiveChunker(tokenizer, chunk_size=size, rules=RecursiveRules(levels))
    return lambda source: [Piece(c.text, c.start_index, c.end_index) for c in chunker.chunk(source)]


def _semchunk(size: int, unit: str) -> Split:
    from semchunk.semchunk import chunkerify

    # It memoises counts between calls unless told not to, which would time the second round.
    chunker: Any = chunkerify(_measure(unit), size, memoize=False)

    def split(source: str) -> list[Piece]:
        texts, spans = chunker(source, offsets=True)
        return [Piece(text, *span) for text, span in zip(texts, spans, strict=True)]

    return split


def _llama_index(size: int, unit: str) -> Split:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter

    encode = list if unit == "characters" else tokens.encoding().encode_ordinary
    sections = MarkdownNodeParser(include_metadata=False)
    sentences = SentenceSplitter(chunk_size=size, chunk_overlap=0, tokenizer=encode)

    def split(source: str) -> list[Piece]:
        nodes: Any = sections.get_nodes_from_documents([Document(text=source)])
        return [Piece(text) for node in nodes for text in sentences.split_text(node.text)]

    return split


def _llama_index_hierarchy(size: int, unit: str) -> Split:
    from llama_index.core import Document
    from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter

    encode = list if unit == "characters" else tokens.encoding().encode_ordinary
    levels = {
        str(n): SentenceSplitter(chunk_size=n, chunk_overlap=0, tokenizer=encode)
        for n in (size, size // CHILDREN)
    }
    parser = HierarchicalNodeParser(node_parser_ids=list(levels), node_parser_map=dict(levels))

    def split(source: str) -> list[Piece]:
        nodes: Any = parser.get_nodes_from_documents([Document(text=source)])
        parents = {n.node_id: Piece(n.text) for n in nodes if n.child_nodes}
        return [
            Piece(n.text, parent=parents[n.parent_node.node_id]) for n in nodes if n.parent_node
        ]

    return split


def _haystack(size: int, unit: str) -> Split:
    from haystack import Document
    from haystack.components.preprocessors import RecursiveDocumentSplitter
    from haystack.components.preprocessors.markdown_header_splitter import MarkdownHeaderSplitter

    headers = MarkdownHeaderSplitter()
    splitter = RecursiveDocumentSplitter(
        split_length=size,
        split_overlap=0,
        split_unit="char" if unit == "characters" else "token",  # its tokens are o200k_base
        separators=["\n\n", "\n", ". ", " "],
    )
    splitter.warm_up()

    def split(source: str) -> list[Piece]:
        if not source.strip():
            return []
        found = headers.run(documents=[Document(content=source)])["documents"]
        return [Piece(d.content or "") for d in splitter.run(documents=found)["documents"]]

    return split


def _docling(size: int, unit: str) -> Split:
    if unit == "characters":
        raise UnavailableError("docling: its tokenizers count no characters")
    from docling.backend.md_backend import MarkdownDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer

    tokenizer = OpenAITokenizer(tokenizer=tokens.encoding(), max_tokens=size)
    chunker = HybridChunker(tokenizer=tokenizer)

    def split(source: str) -> list[Piece]:
        stream = BytesIO(source.encode("utf-8", "replace"))
        given = InputDocument(
            path_or_stream=stream,
            format=InputFormat.MD,
            backend=MarkdownDocumentBackend,
            filename="source.md",
        )
        document = MarkdownDocumentBackend(in_doc=given, path_or_stream=stream).convert()
        return [Piece(chunk.text) for chunk in chunker.chunk(document)]

    return split


def _peer(build: Make) -> Make:
    def quiet(size: int, unit: str) -> Split:
        _quiet()
        return build(size, unit)

    return quiet


PEERS: dict[str, Entry] = {
    "semantic-text-splitter": Entry(
        _peer(_semantic_text_splitter), "semantic-text-splitter", "MarkdownSplitter"
    ),
    "langchain-md": Entry(
        _peer(_langchain("MarkdownTextSplitter")),
        "langchain-text-splitters",
        "MarkdownTextSplitter",
    ),
    "langchain-recursive": Entry(
        _peer(_langchain("RecursiveCharacterTextSplitter")),
        "langchain-text-splitters",
        "RecursiveCharacterTextSplitter",
    ),
    "chonkie-recursive-md": Entry(
        _peer(_chonkie), "chonkie", "RecursiveChunker, headings as the first delimiters"
    ),
    "semchunk": Entry(_peer(_semchunk), "semchunk", "chunkerify without memoising"),
    "llama-index": Entry(
        _peer(_llama_index), "llama-index-core", "MarkdownNodeParser, then SentenceSplitter"
    ),
    "haystack": Entry(
        _peer(_haystack), "haystack-ai", "MarkdownHeaderSplitter, then RecursiveDocumentSplitter"
    ),
    "docling": Entry(_peer(_docling), "docling-core", "docling-slim's Markdown, HybridChunker"),
}
NESTED: dict[str, Entry] = {  # of peers; only retrieval can tell what they are for
    "semantic-text-splitter-hierarchy": Entry(
        _peer(_nested_semantic_text_splitter),
        "semantic-text-splitter",
        "MarkdownSplitter at two sizes, one within the other",
    ),
    "llama-index-hierarchy": Entry(
        _peer(_llama_index_hierarchy), "llama-index-core", "HierarchicalNodeParser"
    ),
}
TABLE: dict[str, Entry] = {
    "mdchunk": Entry(_own("mdchunk"), "mdchunk-ast", "defaults, front matter as a chunk"),
    "mdchunk-tiktoken": Entry(_by_tiktoken, "mdchunk-ast", "without toktok-rs: MDCHUNK_FAST=0"),
    "mdchunk-lookback": Entry(_own("mdchunk-lookback"), "mdchunk-ast", 'cutoff="lookback"'),
    "mdchunk-sections": Entry(
        _own("mdchunk-sections"), "mdchunk-ast", "split_headings=6, min_chunk_size=24"
    ),
    "mdchunk-qmd": Entry(_own("mdchunk-qmd"), "mdchunk-ast", "Options.qmd(), scaled to the size"),
    "mdchunk-headings": Entry(_own("mdchunk-headings"), "mdchunk-ast", 'context="headings"'),
    "mdchunk-full": Entry(_own("mdchunk-full"), "mdchunk-ast", 'context="full"'),
    "mdchunk-plain": Entry(_own("mdchunk-plain"), "mdchunk-ast", "plain is indexed"),
    "mdchunk-embedding": Entry(
        _own("mdchunk-embedding"), "mdchunk-ast", "embedding_text with plain is indexed"
    ),
    "mdchunk-sections-embedding": Entry(
        _own("mdchunk-sections-embedding"), "mdchunk-ast", "split_headings=6, the same indexed"
    ),
    "mdchunk-hierarchy": Entry(
        _own("mdchunk-hierarchy"), "mdchunk-ast", "small ones so indexed, auto_merge"
    ),
    "mdchunk-hierarchy-text": Entry(
        _own("mdchunk-hierarchy-text"), "mdchunk-ast", "small ones indexed as they are, auto_merge"
    ),
    **PEERS,
    **NESTED,
}
