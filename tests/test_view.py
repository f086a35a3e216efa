"""The drawing shows every line once, the brackets of the chunks, and the cuts with their scores."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk import Chunk, Chunker, chunk, parse
from mdchunk.lines import LINE_END
from mdchunk.view.text import LINE, REST, align, boundaries, coloured, gutter, rows

TEXT = """\
---
title: Tools
---
# Install

Two ways, both short:

- From source, with make.
- From the index.

The end of it all. And more of it, up to the end.
"""

DRAWN = """\
   |---
   |title: Tools
   |---
┌  |# Install
│  |
└  |Two ways, both short:
   |
-- lead_in 1
┌  |- From source, with make.
└  |- From the index.
   |
-- list_end 75
[  |The end of it all. And more of it, up to the end.
"""


def split(text: str, size: int, overlap: int = 0) -> list[Chunk]:
    return chunk(text, unit="characters", chunk_size=size, chunk_overlap=overlap)


def test_brackets_stand_beside_lines_and_cuts_between_them() -> None:
    assert gutter(TEXT, split(TEXT, 50)) == DRAWN
    assert gutter(parse(TEXT), split(TEXT, 50)) == DRAWN


def made(text: str, *pieces: tuple[int, int, int]) -> list[Chunk]:
    """Make chunks of starts, ends and overlaps, all cut at a sentence."""
    whole = split(text, 999)[0]
    fields = {name: getattr(whole, name) for name in Chunk.__slots__}
    return [
        Chunk(
            **{**fields, "start": a, "end": b, "overlap": o, "text": text[a:b], "cut": "sentence"}
        )
        for a, b, o in pieces
    ]


def test_an_overlap_is_two_columns_and_a_cut_inside_a_line_parts_it() -> None:
    text = "One here. Two here. Three.\nFour.\n"
    drawn = gutter(text, made(text, (0, 19, 0), (10, 26, 10), (20, 32, 7)))
    assert drawn.split("\n") == [
        "┌  |One here. ",
        "└┌ ¦Two here. ",
        "-- sentence 2",
        "┌└ ¦Three.",
        "-- sentence 2",
        "└  |Four.",
        "",
    ]


def test_a_document_that_is_one_chunk_or_none() -> None:
    assert gutter("a\nb\n", split("a\nb\n", 9)) == "┌  |a\n└  |b\n"
    assert gutter("a", split("a", 9)) == "[  |a\n"
    assert gutter("\n\n", []) == "   |\n   |\n"
    assert gutter("", []) == ""


def test_what_a_terminal_would_obey_is_drawn_and_not_sent() -> None:
    text = "a\x1b[31mb\x07\x0c\x7f\x9b\tc\u2028d\n"
    assert gutter(text, split(text, 99)) == "[  |a␛[31mb␇␌␡\ufffd\tc\u2028d\n"


def test_a_byte_order_mark_is_not_drawn() -> None:
    assert gutter("\ufeff# a\r\nb", split("\ufeff# a\r\nb", 9)) == "┌  |# a\n└  |b\n"


def test_more_than_two_chunks_in_a_line_widen_the_gutter() -> None:
    text = "a b c d e"
    drawn = gutter(text, made(text, (0, 5, 0), (2, 7, 3), (4, 9, 3))).split("\n")
    assert drawn[0] == "┌   |a "
    assert drawn[2].startswith("└│┌ ¦")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("size", "overlap"), [(12, 0), (30, 9), (50, 20), (999, 0)])
def test_each_line_is_drawn_once_whatever_ends_it(line_end: str, size: int, overlap: int) -> None:
    text = TEXT.replace("\n", line_end)
    check(text, split(text, size, overlap))


@given(
    st.text(alphabet="ab.# -`|>\n\r\t\u3042", max_size=80), st.integers(1, 30), st.integers(0, 9)
)
def test_any_document_can_be_drawn(text: str, size: int, overlap: int) -> None:
    check(text, split(text, size, min(overlap, size - 1)))


def check(text: str, chunks: list[Chunk]) -> None:
    """Compare a drawing with what it shows."""
    drawn = [row for row in rows(text, chunks) if row.mark]
    lines: list[str] = []
    for row in drawn:
        if row.mark == REST:
            lines[-1] += row.text
        else:
            lines.append(row.text)
    expected = LINE_END.split(text)
    assert lines == (expected if expected[-1] else expected[:-1])
    assert all(row.mark in (LINE, REST) for row in drawn)
    brackets = "".join(row.brackets for row in drawn)
    assert brackets.count("┌") == brackets.count("└")
    assert brackets.count("┌") + brackets.count("[") == len(chunks)
    cuts = [row.text for row in rows(text, chunks) if not row.mark]
    assert [re.match(r"-- (\w+) [\d.]+\Z", cut)[1] for cut in cuts] == [  # type: ignore[index]
        before.cut for before, _ in pairwise(chunks)
    ]


def test_colour_adds_style_and_no_text() -> None:
    chunks = split(TEXT, 50, 10)
    lines = [line.plain for line in coloured(rows(TEXT, chunks))]
    assert "".join(f"{line}\n" for line in lines) == gutter(TEXT, chunks)


def test_boundaries_mark_what_was_chosen() -> None:
    table = [line.split(None, 5) for line in boundaries(TEXT, split(TEXT, 50)).split("\n")[1:-1]]
    structure = parse(TEXT).structure
    assert [int(row[1]) for row in table] == [place.offset for place in structure.boundaries]
    assert [row[3] for row in table if row[4] == "*"] == ["lead_in", "list_end"]
    assert table[1][:4] == ["4", "21", "100", "heading"]


def test_boundaries_list_cuts_that_are_no_places_between_blocks() -> None:
    text = "One sentence here. Two sentences here.\n"
    last = boundaries(text, split(text, 20)).split("\n")[-2].split(None, 5)
    assert last == ["1", "19", "2", "sentence", "*", "Two sentences here."]


def test_boundaries_tell_what_each_place_was_worth() -> None:
    text = (Path(__file__).parents[1] / "docs" / "example.md").read_text(encoding="utf-8")
    chunker = Chunker(chunk_size=60)
    explained = chunker.explain(text)
    rows = boundaries(text, chunker.chunk(text), explained).split("\n")[1:-1]
    compared = [row.split() for row in rows if re.match(r"\d\.\d{3}$", row.split()[3])]
    assert [row[1] for row in compared] == [str(candidate.offset) for candidate in explained]
    next_best = [row[6:9:2] for row in compared if row[6:7] == ["line"]]
    assert next_best
    assert len(next_best) == sum(candidate.runner_up is not None for candidate in explained)


def test_columns_are_aligned() -> None:
    assert align([("a", "bb"), ("100", "c")], right=1) == "  a  bb\n100  c\n"
