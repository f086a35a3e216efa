"""LlamaIndex: a node parser whose nodes know where in their source they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mdchunk.chunker import Chunker, make_options
from mdchunk.cutting.sections import Sections
from mdchunk.document import Document as Parsed
from mdchunk.errors import OptionsError, not_allowed
from mdchunk.integrations.hosts import (
    CHUNK_KEYS,
    chunk_metadata,
    lost,
    missing,
    options_from_json,
    options_to_json,
)
from mdchunk.integrations.standing import OPEN, Place, place_of, standing
from mdchunk.model import Chunk
from mdchunk.options import Fields, Options, falling_sizes

try:
    from llama_index.core.bridge.pydantic import (  # type: ignore[import-not-found, unused-ignore]
        Field,
        PrivateAttr,
    )
    from llama_index.core.callbacks import (  # type: ignore[import-not-found, unused-ignore]
        CallbackManager,
    )
    from llama_index.core.node_parser import (  # type: ignore[import-not-found, unused-ignore]
        NodeParser,
    )
    from llama_index.core.node_parser.node_utils import (  # type: ignore[import-not-found, unused-ignore]
        build_nodes_from_splits,
        default_id_func,
    )
    from llama_index.core.schema import (  # type: ignore[import-not-found, unused-ignore]
        BaseNode,
        Document,
        NodeRelationship,
        TextNode,
    )
    from llama_index.core.utils import (  # type: ignore[import-not-found, unused-ignore]
        get_tqdm_iterable,
    )
except ImportError as problem:
    raise missing("llama-index-core", "llama-index", problem) from problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["MarkdownChunkNodeParser"]

IdFunction = Callable[[int, BaseNode], str]
KEYS = (*CHUNK_KEYS, OPEN)
FINGERPRINT = "fingerprint"


class MarkdownChunkNodeParser(NodeParser):  # type: ignore[misc, unused-ignore]
    """Parses Markdown into nodes with exact places and the metadata of the chunk.

    options: Options, what ``to_dict`` made of them, or their fields as keywords; sizes are in
        tokens of cl100k_base unless a ``unit`` is given.
    contextualized: the text is ``chunk.contextualized`` (heading path and the like, as the option
        ``context`` asks) in place of the exact slice of the source.
    include_metadata: nodes have their document's metadata too; the chunk's own win.
    include_prev_next_rel: nodes of one source are linked to their neighbours.
    chunk_sizes: sizes of a hierarchy, biggest first, such as (512, 128), in place of
        ``chunk_size``: nodes come level by level and know their parents and children, as those
        of HierarchicalNodeParser do; ``get_leaf_nodes`` and AutoMergingRetriever take them.
    id_func: makes a node's id; by default a UUID of the document's id and the chunk's, so that
        the same document gives the same ids.

    The chunk's metadata is for filters and stays out of what is embedded or shown to a model.
    Raises OptionsError, DialectError, TokenizerError.
    """

    options: dict[str, Any] = Field(description="The options of mdchunk, as JSON values.")
    contextualized: bool = Field(default=False, description="Whether texts have their context.")
    chunk_sizes: list[int] = Field(default_factory=list, description="Sizes of a hierarchy.")

    _chunker: Chunker = PrivateAttr()
    _own_ids: bool = PrivateAttr()

    def __init__(
        self,
        options: Options | Mapping[str, Any] | None = None,
        *,
        contextualized: bool = False,
        chunk_sizes: Sequence[int] = (),
        include_metadata: bool = True,
        include_prev_next_rel: bool = True,
        callback_manager: CallbackManager | None = None,
        id_func: IdFunction | None = None,
        **fields: Unpack[Fields],
    ) -> None:
        sizes = list(falling_sizes(chunk_sizes)) if chunk_sizes else []
        if sizes and not isinstance(options, Options):
            fields = {**fields, "chunk_size": sizes[0]}
        chosen = _options_of(options, fields)
        settings: dict[str, Any] = {
            "options": options_to_json(chosen),
            "contextualized": contextualized,
            "chunk_sizes": sizes,
            "include_metadata": include_metadata,
            "include_prev_next_rel": include_prev_next_rel,
            "callback_manager": callback_manager or CallbackManager([]),
        }
        if id_func is not None:
            settings["id_func"] = id_func
        super().__init__(**settings)
        self._chunker = Chunker(chosen)
        self._own_ids = id_func is None

    @classmethod
    def from_defaults(cls, **settings: Any) -> MarkdownChunkNodeParser:
        """Make a parser, as with the class itself; the name that other parsers have."""
        return cls(**settings)

    @classmethod
    def class_name(cls) -> str:
        """Name the class in what is saved."""
        return "MarkdownChunkNodeParser"

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field; options are what the class takes, checked, and None is no ``id_func``."""
        if name == "options":
            chosen = _options_of(value, {})
            self._chunker, value = Chunker(chosen), options_to_json(chosen)
        elif name == "id_func":
            self._own_ids = value is None
            value = value or default_id_func
        super().__setattr__(name, value)

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """Return the parser as JSON values; a unit that is an object is named only.

        The fingerprint is for the host's cache, which looks at nothing else.
        """
        saved: dict[str, Any] = super().to_dict(**kwargs)
        options = self._chunker.options
        saved |= {"options": options_to_json(options), FINGERPRINT: options.fingerprint()}
        if self._own_ids:
            saved.pop("id_func", None)
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any], **kwargs: Any) -> MarkdownChunkNodeParser:
        """Make a parser of what was saved; keywords replace settings and options.

        Raises OptionsError if the unit, a dialect or ``id_func`` was an object: give it again.
        """
        settings = {**data, **kwargs}
        for key in ("class_name", FINGERPRINT):
            settings.pop(key, None)
        if isinstance(settings.get("id_func"), Mapping):
            raise lost("id_func", settings["id_func"].get("id_func_name"))
        return cls(**settings)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # the values that __init__ takes: objects and all, and no function if none was given
        state["__dict__"] = {**state["__dict__"], "options": self._chunker.options}
        if self._own_ids:
            state["__dict__"].pop("id_func", None)
        return state

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **_kwargs: Any
    ) -> list[BaseNode]:
        found: list[BaseNode] = []
        for parent in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            found += self._nodes_of(parent)
        return found

    def _nodes_of(self, parent: BaseNode) -> list[TextNode]:
        document = self._chunker.parse(parent.get_content())
        levels = [self._chunker.chunk(document)]
        if self.chunk_sizes:
            levels = self._chunker.hierarchy(document, self.chunk_sizes)
        chunks = [chunk for level in levels for chunk in level]
        texts = [c.contextualized if self.contextualized else c.text for c in chunks]
        id_func: Any = self._stable_ids(chunks) if self._own_ids else self.id_func
        nodes: list[TextNode] = build_nodes_from_splits(texts, parent, id_func=id_func)
        place, sections = _place(parent, document), Sections(document.structure)
        for node, chunk in zip(nodes, chunks, strict=True):
            node.start_char_idx = chunk.start + place.start
            node.end_char_idx = chunk.end + place.start
            node.metadata = _metadata(chunk, parent) | standing(chunk, place, sections)
            node.excluded_embed_metadata_keys = _joined(node.excluded_embed_metadata_keys)
            node.excluded_llm_metadata_keys = _joined(node.excluded_llm_metadata_keys)
        _nest({chunk.id: node for chunk, node in zip(chunks, nodes, strict=True)}, chunks)
        return nodes

    @staticmethod
    def _stable_ids(chunks: Sequence[Chunk]) -> IdFunction:
        def name(index: int, parent: BaseNode) -> str:
            return chunks[index].key(parent.node_id)

        return name

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        places = [(node.start_char_idx, node.end_char_idx) for node in _text_nodes(nodes)]
        super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        # the host looks each text up, and finds the wrong place where it stands twice
        for node, (start, end) in zip(_text_nodes(nodes), places, strict=True):
            node.start_char_idx, node.end_char_idx = start, end
        if self.include_prev_next_rel:
            _link(nodes)
            _part_levels(nodes)
        return nodes


def _options_of(options: Options | Mapping[str, Any] | None, fields: Mapping[str, Any]) -> Options:
    if isinstance(options, Options):
        if fields:
            message = "options: give either Options or keywords, not both"
            raise OptionsError(message, option="options", value=options)
        return options
    if not isinstance(options, Mapping | None):
        allowed = "Options, or their fields as a mapping or as keywords, such as chunk_size=400"
        raise not_allowed("options", options, allowed, verb="are")
    return make_options(options_from_json({**(options or {}), **fields}))


def _joined(excluded: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*excluded, *KEYS]))


def _place(parent: BaseNode, parsed: Parsed) -> Place:
    """Find where a node that is a slice of a document stands in it; a document is all of it."""
    if not isinstance(parent, TextNode) or parent.source_node is None:
        return Place()
    return place_of(
        parent.text, parent.start_char_idx, parent.end_char_idx, parent.metadata, parsed
    )


def _metadata(chunk: Chunk, parent: BaseNode) -> dict[str, Any]:
    """Return a chunk's metadata; what is round the text of its node is not to be handed down."""
    known = parent.metadata
    blank: dict[str, Any] = {
        key: "" for key in ("prefix", "suffix") if OPEN in known and key in known
    }
    return {**blank, **chunk_metadata(chunk)}


def _text_nodes(nodes: Sequence[BaseNode]) -> list[TextNode]:
    return [node for node in nodes if isinstance(node, TextNode)]


def _link(nodes: Sequence[BaseNode]) -> None:
    """Add the links that the host misses where it changes the source of nodes of nodes."""
    for left, right in pairwise(nodes):
        before, after = left.source_node, right.source_node
        if before is None or after is None or before.node_id != after.node_id:
            continue
        if NodeRelationship.NEXT not in left.relationships:
            left.relationships[NodeRelationship.NEXT] = right.as_related_node_info()
        if NodeRelationship.PREVIOUS not in right.relationships:
            right.relationships[NodeRelationship.PREVIOUS] = left.as_related_node_info()


def _nest(nodes: Mapping[str, TextNode], chunks: Sequence[Chunk]) -> None:
    """Link the nodes of a hierarchy to their parents and children."""
    for chunk in chunks:
        if not chunk.parent:
            continue
        above, node = nodes[chunk.parent], nodes[chunk.id]
        node.relationships[NodeRelationship.PARENT] = above.as_related_node_info()
        children = above.relationships.setdefault(NodeRelationship.CHILD, [])
        children.append(node.as_related_node_info())  # type: ignore[union-attr, unused-ignore]


def _part_levels(nodes: Sequence[BaseNode]) -> None:
    """Take out the links between the last node of a level and the first of the next."""
    depths: dict[str, int] = {}
    for node in nodes:
        above = node.relationships.get(NodeRelationship.PARENT)
        depths[node.node_id] = depths[above.node_id] + 1 if above else 0  # type: ignore[union-attr, unused-ignore]
    for left, right in pairwise(nodes):
        if depths[left.node_id] != depths[right.node_id]:
            left.relationships.pop(NodeRelationship.NEXT, None)
            right.relationships.pop(NodeRelationship.PREVIOUS, None)
