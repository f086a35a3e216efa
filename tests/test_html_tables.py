"""Tables in HTML are cut before a row that stands alone, and not behind their head."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk import Chunk, Chunker

SPANS = st.lists(
    st.lists(st.sampled_from([1, 1, 1, 1, 2, 2, 3, 5]), min_size=1, max_size=3),
    min_size=1,
    max_size=12,
)


def rows_of(spans: list[list[int]]) -> list[str]:
    return [
        "<tr>" + "".join(f'<td rowspan="{n}">x{row:02}</td>' for n in cells) + "</tr>"
        for row, cells in enumerate(spans)
    ]


def cut(source: str, size: int) -> list[Chunk]:
    return Chunker(unit="characters", chunk_size=size, chunk_overlap=0).chunk(source)


def groups(spans: list[list[int]]) -> list[range]:
    """The rows that hang together with others through cells, by a walk from row to row."""
    found, row = [], 0
    while row < len(spans):
        first, past = row, row + 1
        while row < past:
            past = min(max(past, row + max(spans[row])), len(spans))
            row += 1
        found.append(range(first, past))
    return found


@settings(max_examples=200, deadline=None)
@given(SPANS, st.integers(60, 400), st.sampled_from(["", "<tr><th>a</th></tr>\n"]))
def test_rows_that_share_a_cell_are_in_one_chunk_where_they_fit(
    spans: list[list[int]], size: int, head: str
) -> None:
    rows = rows_of(spans)
    chunks = cut("<table>\n" + head + "\n".join(rows) + "\n</table>\n", size)
    for group in groups(spans):
        text = "\n".join(rows[group.start : group.stop])
        if len(text) <= size:
            assert any(text in chunk.text for chunk in chunks), text


PAGES = {
    "lines": "<table>\n<thead>\n<tr><th>a</th></tr>\n</thead>\n<tbody>\n{}\n</tbody>\n</table>",
    "one line": "<table><thead><tr><th>a</th></tr></thead><tbody>{}</tbody></table>",
    "headings only": "<table>\n<tr><th>a</th></tr>\n<tr><th>b</th></tr>\n{}\n</table>",
    "in a div": "<div>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n{}\n</table>\n</div>",
    "behind text": "<p>a</p>\n<div><table><thead><tr><th>a</th></tr></thead>\n{}\n</table></div>",
    "in a quote": "> <table>\n> <thead>\n> <tr><th>a</th></tr>\n> </thead>\n> {}\n> </table>",
}
STRANDED = re.compile(r"(?:<(?:table|thead|tbody|tr|div)>|</thead>|</th>\s*</tr>)[\s>]*\Z")


@pytest.mark.parametrize("size", [100, 120, 150, 190, 260])
@pytest.mark.parametrize("name", PAGES)
def test_no_chunk_ends_with_the_head_of_a_table(name: str, size: int) -> None:
    lead = "> " if name == "in a quote" else ""
    rows = f"\n{lead}".join(f"<tr><td>row {n}</td></tr>" for n in range(12))
    for before in range(0, 90, 7):
        source = f"{'a' * before} text\n\n{PAGES[name].format(rows)}\n"
        for chunk in cut(source, size)[:-1]:
            assert not STRANDED.search(chunk.text), chunk.text


def test_in_a_cell_or_in_a_comment_no_row_is_one_of_the_table() -> None:
    inner = "<table><tr><td>i</td></tr><tr><td>j</td></tr></table><!-- <tr><td rowspan=9> -->"
    rows = "\n".join(f"<tr><td>{inner}</td></tr>" for _ in range(4))
    chunks = cut(f"<table>\n{rows}\n</table>\n", 140)
    assert len(chunks) > 2
    assert all(chunk.text.startswith(("<table>", "<tr><td><table>")) for chunk in chunks)
