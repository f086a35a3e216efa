"""Sections that are left out: what is in no chunk, and what of the others stays as it is."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from corpus import LINE_ENDS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laws import all_laws, line_ends_change_nothing
from strategies import documents

from mdchunk import Chunk, Chunker, chunk, hierarchy

pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")

ORCHARD = """---
title: Orchard
---
# Orchard

Rows of pear trees.

## Pruning

Cut in winter[^cut], see [the list].

### Tools

A saw.

## Harvest

Pick by hand.

### Tools

A ladder.

# Cellar

Shelves of oak.

[^cut]: Never in frost.
[the list]: list.md
"""
DRAWING = "N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4z"
CANVAS = f"""# Excalidraw Data

## Text Elements
Berry bush ^abc

%%
## Drawing
```compressed-json
{DRAWING}
```
%%
"""


def texts(source: str, *names: str, size: int = 512, **options: Any) -> list[str]:
    chunker = Chunker(chunk_size=size, exclude_sections=names, **options)
    return [it.text for it in all_laws(chunker, source)]


def by_section(source: str, **options: Any) -> list[Chunk]:
    return chunk(source, split_headings=6, **options)


def test_a_section_is_left_out_with_those_in_it() -> None:
    (before, after) = texts(ORCHARD, "Pruning")
    assert before == "# Orchard\n\nRows of pear trees."
    assert after.startswith("## Harvest\n\nPick by hand.\n\n### Tools\n\nA ladder.\n\n# Cellar")


@pytest.mark.parametrize("name", ["tools", "TOOLS", "Too*", "t??ls"])
def test_a_name_is_a_title_or_a_glob_of_any_case(name: str) -> None:
    found = texts(ORCHARD, name)
    assert len(found) == 3
    assert "saw" not in "".join(found)
    assert "ladder" not in "".join(found)


def test_a_glob_may_have_classes() -> None:
    found = chunk(ORCHARD, exclude_sections=("[st]ools", "[!a-p]*"))
    assert [it.text.partition("\n")[0] for it in found] == ["# Orchard", "## Harvest", "# Cellar"]


def test_only_the_whole_title_is_compared() -> None:
    assert texts(ORCHARD, "tool", "arch", "ruin?") == texts(ORCHARD)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("[1.0] Pears", "[1.0] pears"),
        ("What?", "what?"),
        (r"a\*b", "A*B"),
        ("Straße", "STRASSE"),
        ("`code` *x* {#some-id}", "code x"),
    ],
)
def test_a_title_is_its_own_name_whatever_is_in_it(written: str, name: str) -> None:
    assert texts(f"# Kept\n\nyes\n\n# {written}\n\nno\n", name) == ["# Kept\n\nyes"]


def test_all_is_left_out_but_what_no_heading_is_above() -> None:
    assert texts("Lead.\n\n" + ORCHARD.split("---\n")[2], "*") == ["Lead."]
    assert texts("# A\n\nb\n\n## C\n\nd\n", "a") == []


@pytest.mark.parametrize("line_end", LINE_ENDS)
@pytest.mark.parametrize("context", ["none", "headings", "full"])
def test_the_chunks_of_other_sections_are_what_they_were(line_end: str, context: str) -> None:
    source = ORCHARD.replace("\n", LINE_ENDS[line_end])
    for size in (12, 30, 512):
        options: Any = {"chunk_size": size, "context": context, "plain": True}
        whole = by_section(source, **options)
        kept = by_section(source, exclude_sections=("pruning",), **options)
        assert kept == [it for it in whole if "Pruning" not in it.headings]
        assert [it.embedding_text for it in kept] == [
            it.embedding_text for it in whole if "Pruning" not in it.headings
        ]


def test_headings_behind_a_section_are_those_of_the_document() -> None:
    *_, last = chunk(ORCHARD, chunk_size=30, exclude_sections=("Pruning", "Harvest"))
    assert last.headings == ("Cellar",)
    (harvest,) = (it for it in chunk(ORCHARD, exclude_sections=("Pruning",)) if it.start > 100)
    assert [it.path for it in harvest.sections] == [
        ("Orchard", "Harvest"),
        ("Orchard", "Harvest", "Tools"),
        ("Cellar",),
    ]


def test_nothing_of_a_section_is_repeated() -> None:
    words = " ".join(f"pear{n}." for n in range(60))
    source = f"# A\n\n{words}\n\n# B\n\n{words}\n\n# C\n\n{words}\n"
    for found in chunk(source, chunk_size=60, chunk_overlap=30, exclude_sections=("b",)):
        assert source.index("# B") >= found.end or found.start >= source.index("# C")
        assert found.headings in (("A",), ("C",))


def test_definitions_of_a_section_are_not_repeated() -> None:
    options: Any = {"chunk_size": 40, "context": "full", "exclude_sections": ("cellar",)}
    assert all("list.md" not in it.contextualized for it in chunk(ORCHARD, **options))
    # the first definition of a label counts, so that the second is not what the text uses
    second = (
        "# A\n\n[a] b.\n\n# Cellar\n\n[a]: one\n\n# C\n\nlong " + "text " * 40 + "\n\n[a]: two\n"
    )
    assert "two" not in chunk(second, **options)[0].contextualized


def test_a_section_ends_with_its_container() -> None:
    source = (
        "# T\n\na\n\n<details>\n<summary>More</summary>\n\nin\n\n## Notes\n\nleft out\n\n"
        "</details>\n\nafter\n"
    )
    before, after = texts(source, "notes")
    assert before.endswith("\n\nin")
    assert after == "</details>\n\nafter"
    assert chunk(source, exclude_sections=("notes",))[1].headings == ("T",)


@pytest.mark.parametrize("marks", [("%%", "%%"), ("<!--", "-->")])
@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_a_comment_that_begins_with_a_heading_is_a_section(
    marks: tuple[str, str], line_end: str
) -> None:
    source = CANVAS.replace("%%\n#", f"{marks[0]}\n#").replace("```\n%%", f"```\n{marks[1]}")
    (found,) = texts(source.replace("\n", LINE_ENDS[line_end]), "drawing")
    assert found.endswith("Berry bush ^abc")


def test_only_the_named_section_of_a_comment_is_left_out() -> None:
    source = "a\n\n%%\n## Drawing\nb\n### Of it\nc\n## Other\nd\n%%\n\ne\n"
    assert texts(source, "drawing") == ["a", "## Other\nd\n%%\n\ne"]
    assert texts(source, "other") == [source.strip()]


def test_drawings_that_no_comment_hides_are_left_out() -> None:
    assert "Berry" in texts(CANVAS.replace("%%", ""), "Drawing")[0]
    assert DRAWING not in "".join(texts(CANVAS.replace("%%", ""), "Drawing"))


def test_front_matter_stays_what_it_is() -> None:
    (first,) = chunk(ORCHARD, exclude_sections=("orchard", "cellar"), front_matter="chunk")
    assert first.text == "---\ntitle: Orchard\n---"
    assert chunk(ORCHARD, exclude_sections=("orchard", "cellar")) == []


def test_small_chunks_are_not_joined_over_what_is_left_out() -> None:
    found = texts(ORCHARD, "harvest", min_chunk_size=200)
    assert [text.partition("\n")[0] for text in found] == ["# Orchard", "# Cellar"]


@pytest.mark.parametrize("sizes", [(512, 20), (40, 12, 3)])
def test_a_hierarchy_is_without_it_on_every_level(sizes: tuple[int, ...]) -> None:
    levels = hierarchy(ORCHARD, sizes, exclude_sections=("tools",))
    for chunks in levels:
        assert "saw" not in "".join(it.text for it in chunks)
        assert {it for found in chunks for it in found.headings} <= {
            *("Orchard", "Pruning", "Harvest", "Cellar")
        }
    assert {it.parent for it in levels[1]} == {it.id for it in levels[0]}


def test_explained_places_are_none_of_a_section() -> None:
    low, high = ORCHARD.index("## Pruning"), ORCHARD.index("## Harvest")
    places = Chunker(chunk_size=12, exclude_sections=("pruning",)).explain(ORCHARD)
    assert places
    assert not [it for it in places if low <= it.offset < high]


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    documents(),
    st.integers(1, 200),
    st.sampled_from([("*a*",), ("?", "*e"), ("*",), ("*o*", "*t")]),
    st.sampled_from(["none", "full"]),
)
def test_drawn_documents(source: str, size: int, names: tuple[str, ...], context: Any) -> None:
    overlap = size // 4
    chunker = Chunker(
        chunk_size=size, chunk_overlap=overlap, exclude_sections=names, context=context
    )
    all_laws(chunker, source)
    line_ends_change_nothing(chunker, source)


@pytest.mark.parametrize("size", [5, 60])
def test_comments_in_every_place(size: int) -> None:
    hidden = "%%\n# Drawing\n\nabc\n%%"
    shapes = ["{}\n", "a\n\n{}\n\nb\n", "# A\n\n{}\n\n## B\n\nc\n", "# A\n{}\n{}\n", "- a\n\n{}\n"]
    for shape, end in itertools.product(shapes, LINE_ENDS.values()):
        chunker = Chunker(chunk_size=size, exclude_sections=("drawing",))
        found = all_laws(chunker, shape.replace("{}", hidden).replace("\n", end))
        assert "abc" not in "".join(it.text for it in found)


@pytest.mark.parametrize("lead", ["- ", "> ", "1. - ", "- a\n\n  "])
@pytest.mark.parametrize("hidden", ["%%\n# Drawing\nabc\n%%", "# Drawing\n\nabc"])
def test_what_is_in_lists_and_quotes_is_no_section(lead: str, hidden: str) -> None:
    following = "\n" + (lead if lead == "> " else " " * len(lead.split("\n")[-1]))
    source = lead + hidden.replace("\n", following)
    for size in (5, 60):
        assert texts(source, "drawing", size=size) == texts(source, size=size)


@pytest.mark.parametrize(
    "line", ["  # Drawing", "# Drawing #", "#\tDRAWING ## ", "\n \n### drawing"]
)
@pytest.mark.parametrize("mark", ["%%", "<!-- "])
def test_headings_of_comments_in_every_form(line: str, mark: str) -> None:
    close = "%%" if mark == "%%" else "-->"
    for end in LINE_ENDS.values():
        source = f"a\n\n{mark}\n{line}\nb\n\n# Other\nc\n{close}\n".replace("\n", end)
        kept = texts(source, "drawing")
        assert "b" not in "".join(kept)
        assert texts(source, "C") == texts(source)


@pytest.mark.parametrize(
    "text", ["#Drawing", "##", "    # Drawing", "x # Drawing", "####### a", ""]
)
def test_other_comments_are_no_sections(text: str) -> None:
    source = f"a\n\n%%\n{text}\nb\n%%\n"
    assert texts(source, "drawing") == texts(source)


def test_a_title_keeps_marks_that_close_nothing() -> None:
    assert texts("a\n\n%%\n# C#\nb\n%%\n", "c") == ["a\n\n%%\n# C#\nb\n%%"]
    assert texts("a\n\n%%\n# C#\nb\n%%\n", "c#") == ["a"]
