"""LlamaIndex: exact places, relationships, saving, and its own pipeline and stores over them."""

import asyncio
import copy
import functools
import hashlib
import json
import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "llama_index.core", reason="LlamaIndex is not installed: pip install '.[llama-index]'"
)

from edited import AFTER, BEFORE
from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.storage.kvstore import SimpleKVStore
from llama_index.core.vector_stores import SimpleVectorStore
from pages import run

import mdchunk
from mdchunk import Options, OptionsError, Weight
from mdchunk.integrations.llama_index import MarkdownChunkNodeParser
from mdchunk.model import Heading

DOCUMENTS = Path(__file__).parents[2] / "fixtures" / "documents"
SOURCES = {path.name: path.read_bytes().decode() for path in sorted(DOCUMENTS.glob("*.md"))}
TWICE = "# A\n\nthe same text\n\n# B\n\nthe same text\n"
SMALL: dict[str, Any] = {"chunk_size": 15, "chunk_overlap": 0, "unit": "characters"}


def parser(**settings: Any) -> MarkdownChunkNodeParser:
    return MarkdownChunkNodeParser(**{**SMALL, **settings})


def document(source: str = TWICE, name: str = "a", **settings: Any) -> Document:
    return Document(text=source, id_=name, metadata={"source": name}, **settings)


def text_nodes(nodes: list[BaseNode]) -> list[TextNode]:
    return [node for node in nodes if isinstance(node, TextNode)]


def place(node: TextNode) -> slice:
    assert node.start_char_idx is not None
    return slice(node.start_char_idx, node.end_char_idx)


@pytest.mark.parametrize("name", SOURCES)
def test_every_node_is_the_slice_that_it_says(name: str) -> None:
    options: dict[str, Any] = {"chunk_size": 200, "chunk_overlap": 40, "unit": "characters"}
    nodes = text_nodes(parser(**options).get_nodes_from_documents([document(SOURCES[name], name)]))
    chunks = mdchunk.chunk(SOURCES[name], **options)
    assert [n.text for n in nodes] == [c.text for c in chunks]
    for node, chunk in zip(nodes, chunks, strict=True):
        assert (node.start_char_idx, node.end_char_idx) == (chunk.start, chunk.end)
        assert SOURCES[name][place(node)] == node.text
        own = node.metadata
        assert (own["chunk_id"], own["source"]) == (chunk.id, name)
        assert (own["headings"], own["kinds"]) == (list(chunk.headings), list(chunk.kinds))
        assert (own["start_line"], own["size"], own["cut"]) == (
            chunk.start_line,
            chunk.size,
            chunk.cut,
        )
        assert json.loads(json.dumps(own)) == own


def test_nodes_know_their_source_and_neighbours() -> None:
    nodes = parser().get_nodes_from_documents([document(), document(name="b")])
    first, second = nodes[:4], nodes[4:]
    assert len(second) == 4
    for own, name in ((first, "a"), (second, "b")):
        assert [n.ref_doc_id for n in own] == [name] * 4
        assert [n.prev_node.node_id if n.prev_node else None for n in own] == [
            None,
            *(n.node_id for n in own[:-1]),
        ]
        assert [n.next_node.node_id if n.next_node else None for n in own] == [
            *(n.node_id for n in own[1:]),
            None,
        ]
    unlinked = parser(include_prev_next_rel=False).get_nodes_from_documents([document()])
    assert {relation for n in unlinked for relation in n.relationships} == {NodeRelationship.SOURCE}


def test_a_text_that_stands_twice_has_two_places() -> None:
    nodes = text_nodes(parser().get_nodes_from_documents([document()]))
    same = [n.start_char_idx for n in nodes if n.text == "the same text"]
    assert same == [TWICE.index("the same"), TWICE.rindex("the same")]


def test_nodes_of_nodes_have_places_in_the_document() -> None:
    whole = parser(chunk_size=20)(list[BaseNode]([document()]))
    nodes = text_nodes(parser()(whole))
    assert len(whole) == 2
    assert [TWICE[place(n)] for n in nodes] == [n.text for n in nodes]
    assert {n.ref_doc_id for n in nodes} == {"a"}
    assert [n.next_node.node_id for n in nodes[:-1] if n.next_node] == [n.id_ for n in nodes[1:]]


NESTED = """## Before

Some words.

## Next *one*

A line\r\nand another.

#### Deep

Text of it
goes on.

#

Text of none.

# Last

The end.
"""


def open_at(offset: int) -> list[Heading]:
    found: list[Heading] = []
    for heading in mdchunk.parse(NESTED).structure.headings:
        if heading.offset <= offset:
            found = [*(outer for outer in found if outer.level < heading.level), heading]
    return [heading for heading in found if heading.text]


@pytest.mark.parametrize("overlap", [0, 15])
@pytest.mark.parametrize("size", [25, 40, 60, 90])
def test_nodes_of_nodes_have_lines_and_headings_of_the_document(size: int, overlap: int) -> None:
    whole = parser(chunk_size=size, chunk_overlap=overlap)([document(NESTED)])
    again = parser(chunk_size=20)(whole)
    for node in text_nodes([*whole, *again, *parser(chunk_size=10)(again)]):
        start, end = place(node).start, place(node).stop
        assert NESTED[start:end] == node.text
        own = node.metadata
        assert own["start_line"] == NESTED.count("\n", 0, start) + 1
        assert own["end_line"] == NESTED.count("\n", 0, end) + 1
        assert own["open_headings"] == [f"{'#' * it.level} {it.text}" for it in open_at(start)]
        assert own["headings"] == [it.text for it in open_at(start + own["overlap"])]
        for section in own["sections"]:
            assert section["path"] == [it.text for it in open_at(section["start"])]
            assert section["start_line"] == NESTED.count("\n", 0, section["start"]) + 1
    for nodes in (whole, again):
        starts = [section["start"] for node in nodes for section in node.metadata["sections"]]
        assert starts == [it.offset for it in mdchunk.parse(NESTED).structure.headings]


def test_what_another_parser_has_divided_does_not_mislead() -> None:
    source = "# One\n\n" + "Some words, and more of them here. " * 4 + "\n\nThe end of it.\n"
    whole = parser(chunk_size=200)([document(source)])
    parts = SentenceSplitter(chunk_size=12, chunk_overlap=0)(whole)
    assert len(whole) == 1
    assert len(parts) > 2
    for part in parts:
        for node in text_nodes(parser(chunk_size=20)([part])):
            assert source[place(node)] == node.text
            assert node.metadata["start_line"] in (1, source.count("\n", 0, place(node).start) + 1)
    given = document(TWICE)
    given.metadata["open_headings"] = "of its own"
    for part in MarkdownNodeParser()([given]):
        (node,) = parser(chunk_size=99)([part])
        assert (node.metadata["start_line"], len(node.metadata["headings"])) == (1, 1)


def test_what_was_before_a_node_is_not_before_its_parts() -> None:
    whole = parser(chunk_size=30, context="headings")(
        [document("# Title\n\n" + "Some words.\n\n" * 3)]
    )
    assert whole[-1].metadata["prefix"] == "# Title\n\n"
    assert {node.metadata.get("prefix") for node in parser()(whole[-1:])} <= {"", None}


def test_nodes_of_a_node_that_is_no_slice_have_places_in_it() -> None:
    source = "# Title\n\n" + "Some words here.\n\n" * 3
    nodes = parser(context="headings", contextualized=True, chunk_size=30)([document(source)])
    parts = text_nodes(parser()(nodes[-1:]))
    assert nodes[-1].get_content().startswith("# Title")
    assert len(parts) > 1
    for part in parts:
        assert nodes[-1].get_content()[place(part)] == part.text


def test_ids_stay_and_may_be_chosen() -> None:
    nodes = parser().get_nodes_from_documents([document()])
    assert nodes == parser().get_nodes_from_documents([document()])
    edited = parser().get_nodes_from_documents([document("# New\n\nfirst part\n\n" + TWICE)])
    assert {n.id_ for n in nodes} < {n.id_ for n in edited}
    others = parser().get_nodes_from_documents([document(name="b")])
    assert not {n.id_ for n in nodes} & {n.id_ for n in others}
    named = parser(id_func=numbered).get_nodes_from_documents([document()])
    assert [n.id_ for n in named] == ["a-0", "a-1", "a-2", "a-3"]


def numbered(index: int, parent: BaseNode) -> str:
    return f"{parent.node_id}-{index}"


def test_metadata_of_the_chunk_is_not_embedded() -> None:
    given = document(excluded_embed_metadata_keys=["source"])
    node = parser().get_nodes_from_documents([given])[0]
    assert node.get_content(MetadataMode.EMBED) == "# A"
    assert node.get_content(MetadataMode.LLM) == "source: a\n\n# A"
    bare = parser(include_metadata=False).get_nodes_from_documents([given])[0]
    assert "source" not in bare.metadata
    assert bare.metadata["headings"] == ["A"]


def test_context_is_there_if_asked_for() -> None:
    settings = {"chunk_size": 30, "context": "headings"}
    source = "# Title\n\n" + "Some words here.\n\n" * 3
    plain = text_nodes(parser(**settings).get_nodes_from_documents([document(source)]))
    full = text_nodes(
        parser(**settings, contextualized=True).get_nodes_from_documents([document(source)])
    )
    assert plain[-1].text == "Some words here."
    assert full[-1].text == "# Title\n\nSome words here."
    assert place(full[-1]) == place(plain[-1])


SETTINGS: list[dict[str, Any]] = [
    {},
    {"contextualized": True, "context": "full", "include_metadata": False},
    {"scores": {"code": Weight(5, 1, 0)}, "dialects": ("gfm",), "include_prev_next_rel": False},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_parser_is_saved_and_loaded(settings: dict[str, Any]) -> None:
    one = parser(**settings)
    saved = json.loads(json.dumps(one.to_dict()))
    assert saved["class_name"] == "MarkdownChunkNodeParser"
    again = MarkdownChunkNodeParser.from_dict(saved)
    assert again.to_dict() == one.to_dict()
    assert again([document()]) == one([document()])
    assert MarkdownChunkNodeParser.from_json(one.to_json())([document()]) == one([document()])
    smaller = MarkdownChunkNodeParser.from_dict(saved, chunk_size=9)
    assert smaller.to_dict()["options"]["chunk_size"] == 9


def words(text: str) -> int:
    return len(text.split())


def test_functions_must_be_given_again() -> None:
    saved = parser(unit=words, chunk_size=2).to_dict()
    with pytest.raises(OptionsError, match=r"unit: .*words cannot be loaded; give it again"):
        MarkdownChunkNodeParser.from_dict(saved)
    again = MarkdownChunkNodeParser.from_dict(saved, unit=words)
    assert again([document()]) == parser(unit=words, chunk_size=2)([document()])
    saved = parser(id_func=numbered).to_dict()
    with pytest.raises(OptionsError, match="id_func: numbered cannot be loaded"):
        MarkdownChunkNodeParser.from_dict(saved)
    again = MarkdownChunkNodeParser.from_dict(saved, id_func=numbered)
    assert again([document()])[0].id_ == "a-0"


@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("settings", [{}, {"unit": words, "chunk_size": 2}, {"id_func": numbered}])
def test_a_parser_travels(again: Callable[[Any], Any], settings: dict[str, Any]) -> None:
    one = parser(**settings)
    assert again(one)([document()]) == one([document()])


def test_ways_to_make_one_and_wrong_ones() -> None:
    assert MarkdownChunkNodeParser.from_defaults(chunk_size=9).options["chunk_size"] == 9
    assert MarkdownChunkNodeParser(Options(chunk_size=9)).options["chunk_size"] == 9
    with pytest.raises(OptionsError, match="not both"):
        MarkdownChunkNodeParser(Options(), chunk_size=9)
    with pytest.raises(OptionsError, match="no such option"):
        MarkdownChunkNodeParser(separator=" ")


@pytest.mark.parametrize("options", [300, 0, "tokens", [3], mdchunk.Chunker()])
def test_options_that_are_none_are_told(options: Any) -> None:
    for use in (MarkdownChunkNodeParser, lambda it: setattr(parser(), "options", it)):
        with pytest.raises(OptionsError, match=r"options: .* is not allowed; allowed are Options"):
            use(options)


def test_fields_that_are_set_hold() -> None:
    one = parser()
    one.options = {**one.options, "chunk_size": 99}
    assert one.to_dict() == parser(chunk_size=99).to_dict()
    assert one([document()]) == parser(chunk_size=99)([document()])
    one.options = Options(**SMALL)
    one.id_func = numbered
    assert [n.id_ for n in one([document()])] == ["a-0", "a-1", "a-2", "a-3"]
    assert one.to_dict()["id_func"]["id_func_name"] == "numbered"
    one.id_func = None
    assert one([document()]) == parser()([document()])
    assert one.to_dict() == parser().to_dict()
    with pytest.raises(OptionsError, match="chunk_size: 0"):
        one.options = {"chunk_size": 0}
    one.options["chunk_size"] = 3
    assert one.to_dict() == parser().to_dict()
    one.contextualized = one.include_metadata = True
    assert one.to_dict()["contextualized"]


def test_nodes_come_while_others_wait() -> None:
    one = parser()
    later = asyncio.run(one.aget_nodes_from_documents([document()]))
    assert later == one.get_nodes_from_documents([document()])


class Words(BaseEmbedding):
    """Embeds a text by its words, so that the text nearest to itself is itself."""

    def _get_text_embedding(self, text: str) -> list[float]:
        vector = [0.001] * 64
        for word in text.lower().split():
            vector[hashlib.sha256(word.encode()).digest()[0] % 64] += 1
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def test_a_vector_store_finds_a_chunk_and_its_place() -> None:
    given = [
        document(source, name, excluded_embed_metadata_keys=["source"])
        for name, source in SOURCES.items()
    ]
    pipeline = IngestionPipeline(transformations=[parser(chunk_size=300), Words()])
    nodes = text_nodes(list(pipeline.run(documents=given)))
    assert all(node.embedding for node in nodes)
    index = VectorStoreIndex(nodes, embed_model=Words())
    goal = nodes[len(nodes) // 2]
    (found,) = index.as_retriever(similarity_top_k=1).retrieve(goal.text)
    assert isinstance(found.node, TextNode)
    assert found.node.text == goal.text
    assert SOURCES[found.node.metadata["source"]][place(found.node)] == goal.text


def test_a_pipeline_takes_in_only_what_changed(tmp_path: Path) -> None:
    def make() -> IngestionPipeline:
        return IngestionPipeline(
            transformations=[parser(), MockEmbedding(embed_dim=4)],
            docstore=SimpleDocumentStore(),
            vector_store=SimpleVectorStore(),
        )

    pipeline = make()
    assert len(pipeline.run(documents=[document(), document(name="b")])) == 8
    pipeline.persist(str(tmp_path))
    later = make()
    later.load(str(tmp_path))
    assert later.run(documents=[document()]) == []
    assert len(later.run(documents=[document(TWICE + "\nmore\n")])) == 5


class Counting(Words):
    """Counts the texts that it embeds."""

    embedded: int = 0

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self.embedded += len(texts)
        return super()._get_text_embeddings(texts)


def test_a_pipeline_embeds_only_the_nodes_that_changed() -> None:
    """The host takes in a changed document as a whole, and knows the texts that it embedded."""
    embedding = Counting(embeddings_cache=SimpleKVStore())
    store = SimpleVectorStore()
    pipeline = IngestionPipeline(
        transformations=[MarkdownChunkNodeParser(split_headings=2, chunk_overlap=0), embedding],
        docstore=SimpleDocumentStore(),
        vector_store=store,
    )
    before = pipeline.run(documents=[document(BEFORE, excluded_embed_metadata_keys=["source"])])
    assert (len(before), embedding.embedded) == (23, 23)
    after = pipeline.run(documents=[document(AFTER, excluded_embed_metadata_keys=["source"])])
    assert (len(after), embedding.embedded) == (23, 24)
    assert len({node.node_id for node in before} & {node.node_id for node in after}) == 22
    assert set(store.data.embedding_dict) == {node.node_id for node in after}
    for node in text_nodes(list(after)):
        assert AFTER[place(node)] == node.text


def test_the_cache_tells_options_apart() -> None:
    pipeline = IngestionPipeline(transformations=[parser()])
    first = pipeline.run(documents=[document()])
    again = IngestionPipeline(transformations=[parser()], cache=pipeline.cache)
    assert again.run(documents=[document()]) == first
    other = IngestionPipeline(transformations=[parser(chunk_size=99)], cache=pipeline.cache)
    assert len(other.run(documents=[document()])) == 1


def weighed(text: str, by: int) -> int:
    return len(text) * by


def test_the_cache_tells_units_of_one_class_apart() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

    def words(pattern: str) -> Any:
        made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
        made.pre_tokenizer = tokenizers.pre_tokenizers.Split(pattern, "removed")
        return made

    pipeline = IngestionPipeline(transformations=[parser()])
    for units in (map(words, (" ", "t")), (functools.partial(weighed, by=n) for n in (1, 5))):
        for unit in units:
            one = parser(unit=unit, chunk_size=20)
            pipeline.transformations = [one]
            assert pipeline.run(documents=[document()]) == one([document()])


def test_parsers_follow_one_another() -> None:
    pipeline = IngestionPipeline(
        transformations=[parser(chunk_size=20), SentenceSplitter(chunk_size=8, chunk_overlap=0)]
    )
    assert {n.ref_doc_id for n in pipeline.run(documents=[document()])} == {"a"}


def test_the_page_is_right() -> None:
    assert run("docs/frameworks.md", "mdchunk.integrations.llama_index")


def nested(source: str, **settings: Any) -> list[BaseNode]:
    one = MarkdownChunkNodeParser(unit="characters", chunk_sizes=(90, 30), **settings)
    return one.get_nodes_from_documents([document(source), document(source, name="b")])


def test_a_hierarchy_is_merged_by_the_host() -> None:
    from llama_index.core import StorageContext
    from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
    from llama_index.core.retrievers import AutoMergingRetriever, BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle
    from llama_index.core.storage.docstore import SimpleDocumentStore

    class Found(BaseRetriever):  # type: ignore[misc, unused-ignore]
        hits: list[BaseNode] = []  # noqa: RUF012

        def _retrieve(self, _query: QueryBundle) -> list[NodeWithScore]:
            return [NodeWithScore(node=node, score=1.0) for node in self.hits]

    source = "# A\n\n" + "Some words to read. " * 9 + "\n\n# B\n\n" + "Others, and more. " * 9
    nodes = nested(source)
    levels = mdchunk.hierarchy(source, (90, 30), unit="characters")
    assert [n.text for n in text_nodes(nodes)] == [c.text for level in levels for c in level] * 2
    roots, leaves = text_nodes(get_root_nodes(nodes)), text_nodes(get_leaf_nodes(nodes))
    assert [n.text for n in roots] == [c.text for c in levels[0]] * 2
    assert [n.text for n in leaves] == [c.text for c in levels[1]] * 2
    assert len({n.id_ for n in nodes}) == len(nodes)
    for level in (roots, leaves):
        half = len(level) // 2
        for one, then in pairwise(level[:half]):
            assert one.next_node
            assert then.prev_node
            assert (one.next_node.node_id, then.prev_node.node_id) == (then.id_, one.id_)
        assert level[0].prev_node is level[half - 1].next_node is level[half].prev_node is None
    for node in leaves:
        assert source[place(node)] == node.text
    store = SimpleDocumentStore()
    store.add_documents(nodes)
    found = Found()
    retriever = AutoMergingRetriever(found, StorageContext.from_defaults(docstore=store))
    children = [n for n in leaves if n.parent_node and n.parent_node.node_id == roots[0].id_]
    found.hits = list(children[:-1])
    assert [hit.node.id_ for hit in retriever.retrieve("any")] == [roots[0].id_]
    found.hits = list(children[:1])
    assert [hit.node.id_ for hit in retriever.retrieve("any")] == [children[0].id_]


def test_a_parser_of_a_hierarchy_is_saved_and_loaded() -> None:
    one = MarkdownChunkNodeParser(chunk_sizes=(90, 30), unit="characters")
    again = MarkdownChunkNodeParser.from_dict(json.loads(json.dumps(one.to_dict())))
    given = [document("# A\n\n" + "Some words to read. " * 9)]
    assert again.get_nodes_from_documents(given) == one.get_nodes_from_documents(given)
    with pytest.raises(OptionsError, match="chunk_sizes: "):
        MarkdownChunkNodeParser(chunk_sizes=(3, 9))
