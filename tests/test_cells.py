"""What is not kept need not be made: a table's cells, where only its structure is asked for."""

from __future__ import annotations

from corpus import own_documents, spec_examples
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk import parse
from mdchunk.document import DEFAULT_DIALECTS, make_syntax, parse_with

SYNTAX = make_syntax(DEFAULT_DIALECTS, {})
CELLS = st.sampled_from(["a", "<x>", "</x>", "<!--", "-->", "`<b>`", "", r"b \| c", "</y>", "1"])
ROWS = st.lists(CELLS, min_size=1, max_size=3).map(lambda cells: f"| {' | '.join(cells)} |")
BETWEEN = st.sampled_from(["", "text", "- item", "> quote", "<x>", "</x>", "<!--", "-->", "</y>"])
HEADS = st.just("| a | b |\n|---|---|")
TABLES = st.lists(ROWS | BETWEEN | HEADS | CELLS, max_size=12).map("\n".join)


def same_without_cells(source: str) -> bool:
    kept = parse_with(source, SYNTAX)
    bare = parse_with(source, SYNTAX, keep_tokens=False)
    return kept.structure == bare.structure and kept.title == bare.title


@settings(max_examples=500, deadline=None)
@given(TABLES)
def test_the_structure_of_tables_needs_no_cells(source: str) -> None:
    assert same_without_cells(source)


def test_the_structure_of_documents_needs_no_cells() -> None:
    assert all(map(same_without_cells, [*spec_examples(), *own_documents().values()]))


def test_a_parsed_document_has_its_cells() -> None:
    kinds = [token.type for token in parse("| a |\n|---|\n| b |").tokens]
    assert kinds.count("td_open") == kinds.count("th_open") == 1
