"""LangChain: exact places, the chunk's metadata, and its own vector store and index over them."""

import asyncio
import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "langchain_text_splitters", reason="LangChain is not installed: pip install '.[langchain]'"
)
pytest.importorskip("numpy", reason="LangChain's in-memory store needs numpy")

from edited import AFTER, BEFORE
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import InMemoryVectorStore
from pages import run

import mdchunk
from mdchunk import Options, OptionsError
from mdchunk.integrations.langchain import MarkdownChunkSplitter

DOCUMENTS = Path(__file__).parents[2] / "fixtures" / "documents"
SOURCES = {path.name: path.read_bytes().decode() for path in sorted(DOCUMENTS.glob("*.md"))}
TWICE = "# A\n\nthe same text\n\n# B\n\nthe same text\n"
SMALL = {"chunk_size": 40, "chunk_overlap": 10, "unit": "characters"}


def splitter(**settings: object) -> MarkdownChunkSplitter:
    placed = {**SMALL, "add_start_index": True, **settings}
    return MarkdownChunkSplitter(**placed)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SOURCES)
def test_every_document_is_the_slice_that_it_says(name: str) -> None:
    source = SOURCES[name]
    given = Document(page_content=source, metadata={"source": name, "tags": ["a"]})
    found = splitter(chunk_size=200).split_documents([given])
    chunks = mdchunk.chunk(source, **{**SMALL, "chunk_size": 200})  # type: ignore[arg-type]
    assert [d.page_content for d in found] == [c.text for c in chunks]
    for document, chunk in zip(found, chunks, strict=True):
        own = document.metadata
        assert source[own["start_index"] : own["end_index"]] == document.page_content
        assert (own["start_index"], own["chunk_id"]) == (chunk.start, chunk.id)
        assert (own["source"], own["tags"]) == (name, ["a"])
        assert own["headings"] == list(chunk.headings)
        assert own["kinds"] == list(chunk.kinds)
        assert (own["start_line"], own["end_line"]) == (chunk.start_line, chunk.end_line)
        assert (own["overlap"], own["size"], own["cut"]) == (chunk.overlap, chunk.size, chunk.cut)
        assert json.loads(json.dumps(own)) == own
        assert own["tags"] is not given.metadata["tags"]


def test_a_text_that_stands_twice_has_two_places() -> None:
    found = splitter(chunk_size=15, chunk_overlap=0).create_documents([TWICE], [{"a": 1}])
    same = [d.metadata["start_index"] for d in found if d.page_content == "the same text"]
    assert same == [TWICE.index("the same"), TWICE.rindex("the same")]


def test_texts_are_those_of_the_documents() -> None:
    one = splitter()
    assert one.split_text(TWICE) == [d.page_content for d in one.create_documents([TWICE])]
    assert one.split_text(" \n") == []
    assert list(one.transform_documents([Document(page_content=TWICE)])) == one.create_documents(
        [TWICE]
    )
    later = asyncio.run(one.atransform_documents([Document(page_content=TWICE)]))
    assert list(later) == one.create_documents([TWICE])


class Shouting(MarkdownChunkSplitter):
    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        return super().create_documents([text.upper() for text in texts], metadatas)


def test_a_subclass_changes_all_methods_in_one_place() -> None:
    one = Shouting(chunk_size=40, unit="characters")
    given = Document(page_content=TWICE)
    made = one.create_documents([TWICE])
    assert all(document.page_content.isupper() for document in made)
    assert one.split_text(TWICE) == [document.page_content for document in made]
    assert one.split_documents([given]) == list(one.transform_documents([given])) == made


def test_metadata_of_each_text_is_its_own_and_must_be_complete() -> None:
    found = splitter().create_documents(["# A", "# B"], [{"n": 1}, {"n": 2}])
    assert [d.metadata["n"] for d in found] == [1, 2]
    with pytest.raises(ValueError, match="shorter"):
        splitter().create_documents(["# A", "# B"], [{"n": 1}])


def test_context_is_there_if_asked_for() -> None:
    settings = {"chunk_size": 30, "chunk_overlap": 0, "context": "headings"}
    source = "# Title\n\n" + "Some words here.\n\n" * 3
    plain = splitter(**settings).create_documents([source])
    full = splitter(**settings, contextualized=True).create_documents([source])
    assert plain[-1].page_content == "Some words here."
    assert plain[-1].metadata["prefix"] == "# Title\n\n"
    assert full[-1].page_content == "# Title\n\nSome words here."
    assert full[-1].metadata == plain[-1].metadata


def test_ways_to_make_one() -> None:
    options = Options(chunk_size=9)
    assert MarkdownChunkSplitter(options).options is options
    assert MarkdownChunkSplitter().options == Options()
    assert MarkdownChunkSplitter(length_function=len).options.unit == "characters"
    words = MarkdownChunkSplitter(length_function=lambda t: len(t.split()), chunk_size=3)
    assert words.split_text("one two\n\nthree four") == ["one two", "three four"]
    tiktoken = MarkdownChunkSplitter.from_tiktoken_encoder(chunk_size=9)
    assert tiktoken.split_text(TWICE) == MarkdownChunkSplitter(chunk_size=9).split_text(TWICE)
    named = MarkdownChunkSplitter.from_tiktoken_encoder(model_name="gpt-4")
    assert named.options.unit == "gpt-4"


@pytest.mark.parametrize(
    "settings",
    [
        {"options": Options(), "chunk_size": 9},
        {"options": Options(), "length_function": len},
        {"unit": "tokens", "length_function": len},
        {"separators": []},
        {"chunk_size": 0},
    ],
)
def test_wrong_options_are_told(settings: dict[str, object]) -> None:
    with pytest.raises(OptionsError):
        MarkdownChunkSplitter(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [400, 0, "tokens", {"chunk_size": 9}])
def test_options_that_are_none_are_told(options: object) -> None:
    with pytest.raises(OptionsError, match=r"options: .* is not allowed; allowed are Options"):
        MarkdownChunkSplitter(options)  # type: ignore[arg-type]


def test_tokenizers_of_hugging_face() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    model = tokenizers.models.WordLevel({"?": 0}, unk_token="?")
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()

    class Fast:
        backend_tokenizer = backend

    class Slow:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    source = "one two\n\nthree four"
    for tokenizer in (Fast(), Slow(), backend):
        made = MarkdownChunkSplitter.from_huggingface_tokenizer(tokenizer, chunk_size=3)
        assert made.split_text(source) == ["one two", "three four"]


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"]
)
def test_a_splitter_travels(again: object) -> None:
    assert again(splitter()).split_text(TWICE) == splitter().split_text(TWICE)  # type: ignore[operator]


def test_a_vector_store_finds_a_chunk_and_its_place() -> None:
    documents = [Document(page_content=s, metadata={"source": n}) for n, s in SOURCES.items()]
    parts = splitter(chunk_size=300).split_documents(documents)
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=64))
    store.add_documents(parts)
    goal = parts[len(parts) // 2]
    (found,) = store.as_retriever(search_kwargs={"k": 1}).invoke(goal.page_content)
    assert found.metadata == goal.metadata
    place = slice(found.metadata["start_index"], found.metadata["end_index"])
    assert SOURCES[found.metadata["source"]][place] == goal.page_content
    only = store.similarity_search("x", k=1000, filter=lambda d: "table" in d.metadata["kinds"])
    assert {d.metadata["start_index"] for d in only} == {
        d.metadata["start_index"] for d in parts if "table" in d.metadata["kinds"]
    }


class Counting(DeterministicFakeEmbedding):
    """Counts the texts that it embeds."""

    embedded: int = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded += len(texts)
        return super().embed_documents(texts)


def sections(*, edited: bool = False, **settings: Any) -> list[Document]:
    """Split a page of 23 sections into as many documents, before or after a line comes in."""
    source = AFTER if edited else BEFORE
    one = MarkdownChunkSplitter(split_headings=2, chunk_overlap=0, **settings)
    return one.split_documents([Document(page_content=source, metadata={"source": "steps.md"})])


def manager_of(kind: str) -> Any:
    """Return one of the record managers that LangChain has, ready for use."""
    made: Any = InMemoryRecordManager("steps")
    if kind == "sql":
        classic = pytest.importorskip("langchain_classic.indexes")
        made = classic.SQLRecordManager("steps", db_url="sqlite:///:memory:")
    made.create_schema()
    return made


def indexed(
    parts: list[Document], manager: Any, store: InMemoryVectorStore, encoder: Any = "sha256"
) -> tuple[int, int, int]:
    """Return how many documents an index has added, left and deleted."""
    said = index(
        parts,
        manager,
        store,
        cleanup="incremental",
        source_id_key="source",
        key_encoder=encoder,
    )
    assert said["num_updated"] == 0
    return said["num_added"], said["num_skipped"], said["num_deleted"]


@pytest.mark.parametrize("kind", ["memory", "sql"])
@pytest.mark.parametrize("context", ["none", "headings"])
def test_an_index_embeds_only_what_changed(kind: str, context: str) -> None:
    manager, embedding = manager_of(kind), Counting(size=8)
    store = InMemoryVectorStore(embedding)
    settings: dict[str, Any] = {"context": context, "contextualized": True}
    assert indexed(sections(**settings), manager, store) == (23, 0, 0)
    assert indexed(sections(**settings), manager, store) == (0, 23, 0)
    assert embedding.embedded == 23
    assert indexed(sections(**settings, edited=True), manager, store) == (1, 22, 1)
    assert embedding.embedded == 24
    held = {entry["text"] for entry in store.store.values()}
    assert held == {part.page_content for part in sections(**settings, edited=True)}


def test_an_index_by_ids_embeds_only_what_changed_with_places_too() -> None:
    manager, store = manager_of("memory"), InMemoryVectorStore(DeterministicFakeEmbedding(size=8))

    def run(*, edited: bool) -> tuple[int, int, int]:
        parts = sections(edited=edited, add_start_index=True)
        return indexed(parts, manager, store, lambda part: part.id)

    assert run(edited=False) == (23, 0, 0)
    assert run(edited=True) == (1, 22, 1)
    assert set(store.store) == {part.id for part in sections(edited=True)}


def test_a_document_that_is_stored_again_takes_its_own_place() -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    for _ in range(2):
        store.add_documents(sections())
    assert len(store.store) == 23
    before, after = ({part.id for part in sections(edited=edited)} for edited in (False, True))
    assert len(before & after) == 22


def test_ids_are_keys_of_source_and_chunk_and_never_equal() -> None:
    for name, source in SOURCES.items():
        chunks = mdchunk.chunk(source, **SMALL)  # type: ignore[arg-type]
        page = Document(page_content=source, metadata={"source": name})
        parts = splitter().split_documents([page])
        assert [part.id for part in parts] == [chunk.key(name) for chunk in chunks]
        # pages of a file share its name, and parts of parts are split one part at a time
        pages = splitter().split_documents([page, page])
        smaller = splitter(chunk_size=10, chunk_overlap=4)
        again = [small for part in parts for small in smaller.split_documents([part])]
        for found in (pages, again, parts + again):
            assert len({one.id for one in found}) == len(found)
        assert {part.id for part in parts} < {part.id for part in pages}


@pytest.mark.parametrize("metadata", [{}, {"source": None}, {"source": ""}, {"title": "A"}])
def test_without_a_source_there_is_no_id(metadata: dict[str, object]) -> None:
    """Texts of two unnamed documents may be equal: a store would keep one of them."""
    found = splitter().create_documents([TWICE, TWICE], [metadata, metadata])
    assert {one.id for one in found} == {None}


def test_nothing_in_the_metadata_moves_unless_it_is_asked_for() -> None:
    before, after = sections(), sections(edited=True)
    assert [part.metadata for part in after[1:]] == [part.metadata for part in before[1:]]
    assert [part.metadata["headings"] for part in before[1:3]] == [
        ["Steps", "Step 2"],
        ["Steps", "Step 3"],
    ]
    assert set(before[1].metadata["sections"][0]) == {"title", "level", "path"}
    placed = sections(add_start_index=True)
    for part in placed:
        start, end = part.metadata["start_index"], part.metadata["end_index"]
        assert BEFORE[start:end] == part.page_content
        assert part.metadata["start_line"] == BEFORE.count("\n", 0, start) + 1
    assert placed[1].metadata["sections"][0].keys() > before[1].metadata["sections"][0].keys()


@pytest.mark.parametrize("of_parts", [False, True])
@pytest.mark.parametrize("of_whole", [False, True])
def test_parts_of_parts_have_their_headings_and_no_place_of_another(
    of_whole: bool, of_parts: bool
) -> None:
    whole = splitter(chunk_size=120, chunk_overlap=0, add_start_index=of_whole)
    smaller = splitter(chunk_size=30, chunk_overlap=0, add_start_index=of_parts)
    placed = splitter(chunk_size=120, chunk_overlap=0)
    given = Document(page_content=GUIDE, metadata={"source": "guide.md"})
    goal = splitter(chunk_size=30, chunk_overlap=0).split_documents(placed.split_documents([given]))
    found = smaller.split_documents(whole.split_documents([given]))
    assert [part.page_content for part in found] == [part.page_content for part in goal]
    for part, right in zip(found, goal, strict=True):
        assert part.metadata["headings"] == right.metadata["headings"]
        keys = {"start_index", "end_index", "start_line", "end_line"}
        assert keys & set(part.metadata) == (keys if of_parts else set())
        if of_whole and of_parts:
            assert part.metadata == right.metadata


def test_what_another_splitter_has_divided_has_no_headings_of_the_whole() -> None:
    from langchain_text_splitters import CharacterTextSplitter

    (whole,) = splitter(chunk_size=999, add_start_index=False).create_documents([GUIDE])
    parts = CharacterTextSplitter("\n\n", chunk_size=40, chunk_overlap=0).split_documents([whole])
    assert len(parts) > 3
    for part in splitter(chunk_size=99).split_documents(parts):
        titles = [line.strip("# ") for line in GUIDE.split("\n") if line.startswith("#")]
        inside = [title for title in titles if title in part.page_content]
        assert set(part.metadata["headings"]) <= set(inside)


def test_the_page_is_right() -> None:
    assert run("docs/frameworks.md", "mdchunk.integrations.langchain")


GUIDE = """# Guide

Some words to begin with.

## Install

Take the first of these. And the second of these.

### Linux

Run it here, then there. Run it again, and once more.

## Use

The end of it all, and more.
"""


def test_what_is_split_again_stands_in_the_document() -> None:
    """Small to big: LangChain splits the documents of one splitter with another."""
    pytest.importorskip("langchain_classic")
    from langchain_classic.retrievers import ParentDocumentRetriever
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.stores import InMemoryStore
    from langchain_core.vectorstores import InMemoryVectorStore

    store: Any = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    retriever = ParentDocumentRetriever(
        vectorstore=store,
        docstore=InMemoryStore(),
        parent_splitter=splitter(chunk_size=120, chunk_overlap=20, context="headings"),
        child_splitter=splitter(chunk_size=30, chunk_overlap=8),
    )
    retriever.add_documents([Document(page_content=GUIDE, metadata={"source": "guide.md"})])
    children = [entry["metadata"] | {"text": entry["text"]} for entry in store.store.values()]
    assert len(children) > 7
    headings = mdchunk.parse(GUIDE).structure.headings
    for child in children:
        start = child["start_index"]
        assert GUIDE[start : child["end_index"]] == child["text"]
        assert child["start_line"] == GUIDE.count("\n", 0, start) + 1
        above: list[str] = []
        for offset, level, title in headings:
            if offset <= start + child["overlap"]:
                above = [*above[: level - 1], title]
        assert child["headings"] == above
        assert child["source"] == "guide.md"
        assert "prefix" not in child
    (found, *_) = retriever.invoke("install")
    assert found.page_content in GUIDE
    assert found.metadata["start_index"] == GUIDE.index(found.page_content)
