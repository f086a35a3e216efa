"""What is not kept need not be made: tokens of which a document's structure needs none."""

from __future__ import annotations

import re

import pytest
from corpus import own_documents, spec_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from strategies import documents

from mdchunk import Chunker, parse
from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED, Dialect
from mdchunk.document import make_syntax, parse_with
from mdchunk.parsing import heading_text

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


ADDRESSES = st.text(
    st.sampled_from("abjavscript:JAVASCRIPT<>()[]\\&;%#/.\"' \t\xa0\u2028\x01é") | st.characters(),
    max_size=14,
) | st.sampled_from(
    ["javascript:x", "JavaScript:x", "java&Tab;script:x", "<\xa0javascript:x>", "data:image/png;a"]
)


@settings(max_examples=1000, deadline=None)
@given(ADDRESSES, st.sampled_from(["", "< ", "<", "/"]))
def test_a_definition_is_one_whether_or_not_its_address_is_written_anew(
    address: str, before: str
) -> None:
    assert same_structure(f"[a]: {before}{address}\n\n[a]: b 'c'\n# d\n")


MARKS = ["`", "``", "a", " ", "b_c_", "<d>", "&amp;", "*", "\\", "[e](f)", "{#g}", "==", "é:"]
CODE = st.lists(st.sampled_from(MARKS), max_size=9).map("".join)


@settings(max_examples=1500, deadline=None)
@given(CODE)
def test_titles_with_code_are_those_of_the_inline_parser(content: str) -> None:
    parser, shown = MarkdownIt(), heading_text.title_text(content, MarkdownIt(), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heading_text, "CODE_SPANS", re.compile(r"(?!)"))
        assert heading_text.title_text(content, parser, {}) == shown
        expected = heading_text.plain_text(content, parser, {})
    assert heading_text.plain_text(content, parser, {}) == expected
