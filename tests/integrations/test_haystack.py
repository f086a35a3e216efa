"""Haystack: exact places, saving, and its own pipelines and in-memory store over them."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
pytest.importorskip("haystack", reason="Haystack is not installed: pip install '.[haystack]'")

from edited import AFTER, BEFORE
from haystack import Document, Pipeline
from haystack.components.retrievers import InMemoryBM25Retriever, SentenceWindowRetriever
from haystack.components.writers import DocumentWriter
from haystack.core.errors import DeserializationError, SerializationError
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy
from pages import run

import mdchunk
from mdchunk import Options, OptionsError, Weight
from mdchunk.integrations.haystack import MarkdownChunkSplitter

DOCUMENTS = Path(__file__).parents[2] / "fixtures" / "documents"
SOURCES = {path.name: path.read_bytes().decode() for path in sorted(DOCUMENTS.glob("*.md"))}
TWICE = "# A\n\nthe same text\n\n# B\n\nthe same text\n"
SMALL: dict[str, Any] = {"chunk_size": 15, "chunk_overlap": 0, "unit": "characters"}
OURS = ["mdchunk.*"]


def splitter(**settings: Any) -> MarkdownChunkSplitter:
    return MarkdownChunkSplitter(**{**SMALL, **settings})


def split(one: MarkdownChunkSplitter, *sources: str) -> list[Document]:
    documents = [Document(content=source, meta={"source": "a"}) for source in sources]
    return list(one.run(documents=documents)["documents"])


@pytest.mark.parametrize("name", SOURCES)
def test_every_part_is_the_slice_that_it_says(name: str) -> None:
    source = SOURCES[name]
    options: dict[str, Any] = {"chunk_size": 200, "chunk_overlap": 40, "unit": "characters"}
    given = Document(content=source, meta={"source": name})
    parts = splitter(**options).run(documents=[given])["documents"]
    chunks = mdchunk.chunk(source, **options)
    assert [part.content for part in parts] == [chunk.text for chunk in chunks]
    for number, (part, chunk) in enumerate(zip(parts, chunks, strict=True)):
        own = part.meta
        assert (own["split_idx_start"], own["split_idx_end"]) == (chunk.start, chunk.end)
        assert (own["source_id"], own["split_id"], own["source"]) == (given.id, number, name)
        assert (own["headings"], own["kinds"]) == (list(chunk.headings), list(chunk.kinds))
        assert (own["chunk_id"], own["size"], own["overlap"]) == (
            chunk.id,
            chunk.size,
            chunk.overlap,
        )
        assert json.loads(json.dumps(own)) == own
    assert len({part.id for part in parts}) == len(parts)
    assert given.meta == {"source": name}


def test_a_text_that_stands_twice_has_two_places() -> None:
    same = [p.meta["split_idx_start"] for p in split(splitter(), TWICE) if "same" in str(p.content)]
    assert same == [TWICE.index("the same"), TWICE.rindex("the same")]


def test_context_is_there_if_asked_for() -> None:
    source = "# Title\n\n" + "Some words here.\n\n" * 3
    plain = split(splitter(chunk_size=30, context="headings"), source)
    full = split(splitter(chunk_size=30, context="headings", contextualized=True), source)
    assert plain[-1].content == "Some words here."
    assert full[-1].content == "# Title\n\nSome words here."
    assert full[-1].meta == plain[-1].meta


def test_what_is_no_text_is_told_and_blank_text_has_no_parts() -> None:
    with pytest.raises(TypeError, match="list"):
        splitter().run(documents=Document(content="a"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has no text"):
        splitter().run(documents=[Document(content=None)])
    assert split(splitter(), "", " \n") == []


def test_parts_share_no_meta_with_their_document_or_one_another() -> None:
    given = Document(content=TWICE, meta={"tags": ["a"], "by": {"name": "b"}})
    first, second, *_ = splitter().run(documents=[given])["documents"]
    first.meta["tags"].append("c")
    first.meta["by"]["name"] = "d"
    assert given.meta == {"tags": ["a"], "by": {"name": "b"}}
    assert (second.meta["tags"], second.meta["by"]) == (["a"], {"name": "b"})


def test_wrong_options_are_told() -> None:
    with pytest.raises(OptionsError, match="not both"):
        MarkdownChunkSplitter(Options(), chunk_size=9)
    with pytest.raises(OptionsError, match="no such option"):
        MarkdownChunkSplitter(split_by="word")
    for wrong in (400, 0, "tokens", {"chunk_size": 9}):
        with pytest.raises(OptionsError, match=r"options: .* is not allowed; allowed are Options"):
            MarkdownChunkSplitter(wrong)  # type: ignore[arg-type]


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"contextualized": True, "context": "full"},
        {"scores": {"code": Weight(5, 1, 0)}, "dialects": ("gfm",)},
        {"unit": "tokens"},
    ],
)
def test_a_component_is_saved_and_loaded(settings: dict[str, Any]) -> None:
    one = splitter(**settings)
    saved = json.loads(json.dumps(one.to_dict()))
    assert saved["type"] == "mdchunk.integrations.haystack.MarkdownChunkSplitter"
    kept = copy.deepcopy(saved)
    again = MarkdownChunkSplitter.from_dict(saved)
    assert saved == kept
    assert again.options == one.options
    assert again.contextualized == one.contextualized
    assert split(again, TWICE) == split(one, TWICE)


def test_a_pipeline_written_by_hand_may_name_no_options() -> None:
    name = "mdchunk.integrations.haystack.MarkdownChunkSplitter"
    text = f"components:\n  splitter:\n    type: {name}\n    init_parameters:\nconnections: []\n"
    loaded = Pipeline.loads(text, allowed_modules=OURS).get_component("splitter")
    assert loaded.options == Options()


def test_a_function_is_saved_by_its_name() -> None:
    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter(unit=words, chunk_size=2))
    text = pipeline.dumps()
    again = Pipeline.loads(text, allowed_modules=[*OURS, words.__module__])
    assert again.get_component("splitter").options.unit is words
    with pytest.raises(DeserializationError):
        Pipeline.loads(text, allowed_modules=OURS)


def test_what_cannot_be_loaded_is_not_saved() -> None:
    class Counter:
        def __call__(self, text: str) -> int:
            return len(text)

    with pytest.raises(SerializationError, match="lambda"):
        splitter(unit=lambda text: len(text)).to_dict()
    with pytest.raises(OptionsError, match=r"unit: .* cannot be saved"):
        splitter(unit=Counter()).to_dict()
    dialect = mdchunk.Dialect("mine", lambda _parser: None)
    with pytest.raises(OptionsError, match="dialects: mine"):
        splitter(dialects=("gfm", dialect)).to_dict()


def indexing(store: InMemoryDocumentStore) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter(chunk_size=300))
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("splitter.documents", "writer.documents")
    return pipeline


def test_a_saved_pipeline_fills_a_store_that_finds_a_chunk_and_its_place() -> None:
    store = InMemoryDocumentStore()
    # a store that is loaded is a new one of the same index
    again = Pipeline.loads(indexing(store).dumps(), allowed_modules=OURS)
    given = [Document(content=source, meta={"source": n}) for n, source in SOURCES.items()]
    written = again.run({"splitter": {"documents": given}})["writer"]["documents_written"]
    filled = again.get_component("writer").document_store
    assert filled.count_documents() == written > len(SOURCES)

    search = Pipeline()
    search.add_component("retriever", InMemoryBM25Retriever(filled, top_k=1))
    goal = filled.filter_documents()[written // 2]
    (found,) = search.run({"retriever": {"query": goal.content}})["retriever"]["documents"]
    assert found.content == goal.content
    place = slice(found.meta["split_idx_start"], found.meta["split_idx_end"])
    assert SOURCES[found.meta["source"]][place] == found.content
    code = {"field": "meta.start_line", "operator": ">", "value": 20}
    assert all(d.meta["start_line"] > 20 for d in filled.filter_documents(code))


def test_the_neighbours_of_a_chunk_are_found_and_joined() -> None:
    store = InMemoryDocumentStore()
    indexing(store).run({"splitter": {"documents": [Document(content=SOURCES["prose.md"])]}})
    parts = sorted(store.filter_documents(), key=lambda d: d.meta["split_id"])
    assert len(parts) > 4
    window = SentenceWindowRetriever(store, window_size=1).run(retrieved_documents=[parts[2]])
    assert [d.id for d in window["context_documents"]] == [d.id for d in parts[1:4]]
    (joined,) = window["context_windows"]
    assert all(str(part.content) in joined for part in parts[1:4])


def test_it_is_warm_before_the_first_document() -> None:
    one = MarkdownChunkSplitter()
    pipeline = Pipeline()
    pipeline.add_component("splitter", one)
    pipeline.warm_up()
    assert split(one, "# A")[0].content == "# A"


def test_the_page_is_right() -> None:
    assert run("docs/frameworks.md", "mdchunk.integrations.haystack")


def test_a_hierarchy_is_merged_by_the_host() -> None:
    from haystack.components.retrievers.auto_merging_retriever import AutoMergingRetriever

    sizes = (90, 30)
    source = "# A\n\n" + "Some words to read. " * 9 + "\n\n# B\n\n" + "Others, and more. " * 9
    one = MarkdownChunkSplitter(chunk_sizes=sizes, unit="characters", chunk_overlap=0)
    parts = one.run([Document(content=source, meta={"name": "a"})])["documents"]
    levels = mdchunk.Chunker(unit="characters", chunk_size=90, chunk_overlap=0).hierarchy(
        source, sizes
    )
    assert [p.content for p in parts] == [c.text for level in levels for c in level]
    assert [p.meta["__level"] for p in parts] == [1] * len(levels[0]) + [2] * len(levels[1])
    assert len({p.id for p in parts}) == len(parts)
    leaves = [p for p in parts if not p.meta["__children_ids"]]
    assert [p.meta["__block_size"] for p in leaves] == [30] * len(levels[1])
    store = InMemoryDocumentStore()
    store.write_documents([p for p in parts if p.meta["__children_ids"]])
    parents = {p.id: p for p in parts}
    group = [p for p in leaves if p.meta["__parent_id"] == leaves[0].meta["__parent_id"]]
    assert len(group) > 2
    merged = AutoMergingRetriever(store, threshold=0.5).run(group[:-1])["documents"]
    assert [p.content for p in merged] == [parents[leaves[0].meta["__parent_id"]].content]
    kept = AutoMergingRetriever(store, threshold=0.5).run(group[:1])["documents"]
    assert [p.content for p in kept] == [leaves[0].content]
    again = MarkdownChunkSplitter.from_dict(one.to_dict())
    assert again.run([Document(content=source, meta={"name": "a"})])["documents"] == parts


def steps(source: str, path: str = "steps.md", **settings: Any) -> list[Document]:
    """Split a page of 23 sections into as many parts, named by the path that it is from."""
    one = MarkdownChunkSplitter(
        split_headings=2, chunk_overlap=0, **{"source_key": "file_path", **settings}
    )
    return list(one.run([Document(content=source, meta={"file_path": path})])["documents"])


def test_a_store_keeps_what_did_not_change() -> None:
    store = InMemoryDocumentStore()
    assert store.write_documents(steps(BEFORE)) == 23
    assert store.write_documents(steps(BEFORE), policy=DuplicatePolicy.SKIP) == 0
    kept = {part.id for part in steps(BEFORE)} & {part.id for part in steps(AFTER)}
    assert len(kept) == 22
    assert store.write_documents(steps(AFTER), policy=DuplicatePolicy.SKIP) == 1
    store.write_documents(steps(AFTER), policy=DuplicatePolicy.OVERWRITE)
    assert store.count_documents() == 24
    store.delete_documents([part.id for part in steps(BEFORE) if part.id not in kept])
    held = sorted(store.filter_documents(), key=lambda part: part.meta["split_id"])
    assert held == steps(AFTER)
    for part in held:
        place = slice(part.meta["split_idx_start"], part.meta["split_idx_end"])
        assert AFTER[place] == part.content
    with pytest.raises(DuplicateDocumentError):
        store.write_documents(steps(AFTER), policy=DuplicatePolicy.FAIL)


def test_ids_are_keys_of_the_name_and_the_chunk() -> None:
    keys = [chunk.key("a.md") for chunk in mdchunk.chunk(TWICE, **SMALL)]
    named = Document(id="a.md", content=TWICE)
    assert [part.id for part in splitter().run([named])["documents"]] == keys
    other = Document(content=TWICE, meta={"path": "a.md"})
    one = splitter(source_key="path")
    assert [part.id for part in one.run([other])["documents"]] == keys
    both = [other, Document(content=TWICE, meta={"path": "b.md"})]
    assert len({part.id for part in one.run(both)["documents"]}) == 2 * len(keys)
    again = MarkdownChunkSplitter.from_dict(one.to_dict())
    assert again.run(both) == one.run(both)
    hashed = [part.id for part in split(splitter(), TWICE, TWICE + "\nmore\n")]
    assert len(set(hashed)) == len(hashed)


def test_an_edit_keeps_the_ids_of_a_hierarchy() -> None:
    before, after = (steps(source, chunk_sizes=(60, 20)) for source in (BEFORE, AFTER))
    assert {part.meta["__level"] for part in before} == {1, 2}
    assert len({part.id for part in before}) == len(before)
    lost = [part for part in before if part.id not in {one.id for one in after}]
    assert {part.meta["split_idx_start"] for part in lost} == {0}
    ids = {part.id for part in after}
    for part in after:
        assert part.meta["__parent_id"] in ids | {None}
        assert ids.issuperset(part.meta["__children_ids"])


def test_a_whole_path_in_the_meta_names_a_document_by_default(tmp_path: Path) -> None:
    """As Haystack's converters write it with ``store_full_path=True``."""

    def ids(source: str, **meta: Any) -> list[str]:
        one = MarkdownChunkSplitter(split_headings=2, chunk_overlap=0)
        return [p.id for p in one.run([Document(content=source, meta=meta)])["documents"]]

    for path in ("docs/steps.md", str(tmp_path / "steps.md"), r"C:\\docs\\steps.md"):
        before, after = ids(BEFORE, file_path=path), ids(AFTER, file_path=path)
        assert len(before) == len(after) == 23
        assert len({*before} & {*after}) == 22
        assert ids(BEFORE, file_path=path, edited=True) == before
    # a bare name may be that of many files, and what is no text is none
    for meta in ({"file_path": "steps.md"}, {"file_path": None}, {"file_path": Path("a/b")}, {}):
        assert not {*ids(BEFORE, **meta)} & {*ids(AFTER, **meta)}


def test_parts_of_one_file_are_named_by_their_ids() -> None:
    one = MarkdownChunkSplitter()
    pages = [
        Document(content=TWICE, meta={"file_path": "docs/a.md", "page": page}) for page in (1, 2)
    ]
    parts = one.run(pages)["documents"]
    assert len({part.id for part in parts}) == len(parts)
    split = [Document(content=TWICE, meta={**p.meta, "split_id": n}) for n, p in enumerate(pages)]
    alone = [part.id for page in split for part in one.run([page])["documents"]]
    assert len({*alone}) == len(alone), "what was split before is a part, also by itself"
    again = one.run([pages[0], pages[0]])["documents"]
    assert len({part.id for part in again}) * 2 == len(again)


def test_what_names_no_document_or_two_is_told() -> None:
    one = splitter(source_key="file_path")
    for meta in ({}, {"file_path": None}, {"file_path": ""}):
        with pytest.raises(ValueError, match="has no meta 'file_path'"):
            one.run([Document(content="# A", meta=meta)])
    same = [Document(content=text, meta={"file_path": "index.md"}) for text in ("# A", "# B")]
    with pytest.raises(ValueError, match=r"two have 'index.md' as meta 'file_path'.*store_full"):
        one.run(same)
    assert len(one.run([same[0], same[0]])["documents"]) == 2
