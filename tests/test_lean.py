"""What is not kept need not be made: tokens of which a document's structure needs none."""

from __future__ import annotations

import pytest
from corpus import own_documents, spec_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from strategies import documents

from mdchunk import Chunker, parse
from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED, Dialect
from mdchunk.document import make_syntax, parse_with

SYNTAXES = [make_syntax(dialects, {}) for dialects in (DEFAULT_DIALECTS, tuple(SHIPPED))]
CELLS = st.sampled_from(["a", "<x>", "</x>", "<!--", "-->", "`<b>`", "", r"b \| c", "</y>", "1"])
ROWS = st.lists(CELLS, min_size=1, max_size=3).map(lambda cells: f"| {' | '.join(cells)} |")
BETWEEN = st.sampled_from(
    [
        "",
        "text",
        "- item",
        "> quote",
        "<x>",
        "</x>",
        "<!--",
        "-->",
        "</y>",
        "# a",
        "b\n===",
        "> [!tip]",
    ]
)
HEADS = st.just("| a | b |\n|---|---|")
TABLES = st.lists(ROWS | BETWEEN | HEADS | CELLS, max_size=12).map("\n".join)


def same_structure(source: str) -> bool:
    for syntax in SYNTAXES:
        kept, lean = (parse_with(source, syntax, keep_tokens=keep) for keep in (True, False))
        if kept.structure != lean.structure or kept.title != lean.title:
            return False
    return True


@settings(max_examples=500, deadline=None)
@given(TABLES)
def test_tags_are_found_without_the_cells_round_them(source: str) -> None:
    assert same_structure(source)


@pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")
@settings(max_examples=500, deadline=None)
@given(documents())
def test_blocks_are_found_without_their_texts(source: str) -> None:
    assert same_structure(source)


def test_the_structure_of_documents_needs_no_texts() -> None:
    assert all(map(same_structure, [*spec_examples(), *own_documents().values()]))


def test_a_parsed_document_has_all_tokens() -> None:
    kinds = [token.type for token in parse("# a\n\nb\n\n| a |\n|---|\n| b |").tokens]
    assert kinds.count("td_open") == kinds.count("th_open") == 1
    assert kinds.count("inline") == 4


def test_a_dialect_of_a_user_sees_all_tokens() -> None:
    seen: list[str] = []

    def extend(parser: MarkdownIt) -> None:
        parser.core.ruler.push("look", lambda state: seen.extend(t.type for t in state.tokens))

    Chunker(dialects=("gfm", Dialect("looks", extend))).chunk("# a\n\nb\n\n| c |\n|---|\n| d |")
    assert seen.count("inline") == 4
