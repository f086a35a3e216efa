"""Pages of converted documents: from their marks, in their own numbers, on every chunk."""

from __future__ import annotations

import json
import pickle

import pytest

import mdchunk
from mdchunk import Chunk

TEXT = "A text of one page, which goes on for a while."
SOURCES = {
    "marker": ("{{{0}}}------------------------------------------------\n\n{1}\n\n", 0),
    "comments": ("<!-- Page {0} -->\n{1}\n\n", 1),
    "ends": ("{1}\n\n--- end of page={0} ---\n\n", 1),
    "breaks": ("{1}\n\n<!-- PageBreak -->\n\n", 1),
    "form feeds": ("{1}\n\n\f", 1),
    "form feeds in lines of their own": ("{1}\n\n\f\n\n", 1),
    "words of other languages": ("<!-- Página {0} -->\n\n{1}\n\n", 1),
    "marks of the east": ("<!-- 第 {0} 頁 -->\n\n{1}\n\n", 1),
}


def pages(name: str, count: int = 6) -> tuple[str, int]:
    form, first = SOURCES[name]
    texts = (form.format(first + n, f"{TEXT} ({first + n})") for n in range(count))
    return "".join(texts), first


def cut(source: str, size: int, **options: object) -> list[Chunk]:
    settings = {"unit": "characters", "chunk_overlap": 0, **options}
    return mdchunk.chunk(source, chunk_size=size, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [30, 110, 130, 240, 10_000])
@pytest.mark.parametrize("name", SOURCES)
def test_a_chunk_has_the_pages_of_its_text(name: str, size: int, line_end: str) -> None:
    source, first = pages(name)
    chunks = cut(source.replace("\n", line_end), size)
    for chunk in chunks:
        assert chunk.pages
        own = [n for n in range(first, first + 6) if f"({n})" in chunk.text]
        assert not own or (chunk.pages[0] <= own[0] <= own[-1] <= chunk.pages[1])
        if size > 100:
            assert chunk.pages == (own[0], own[-1]), chunk.text
    assert (chunks[0].pages or ())[0] == first
    assert (chunks[-1].pages or ())[1] == first + 5


@pytest.mark.parametrize("size", [110, 130, 240])
@pytest.mark.parametrize("name", SOURCES)
def test_no_chunk_is_a_mark_alone(name: str, size: int) -> None:
    for chunk in cut(pages(name)[0], size):
        assert TEXT in chunk.text


def test_a_mark_that_begins_a_page_stands_before_it_and_one_that_ends_it_behind() -> None:
    assert all(chunk.text.startswith("{") for chunk in cut(pages("marker")[0], 110))
    assert all(chunk.text.endswith("---") for chunk in cut(pages("ends")[0], 90))


def test_numbers_are_as_the_marks_say() -> None:
    source = "a\n\n<!-- Page 12 -->\n\nb\n\n<!-- page-break -->\n\nc\n\n<!-- Page 9 -->\n\nd\n"
    found = [chunk.pages for chunk in cut(source, 24)]
    assert found == [(11, 12), (13, 13), (9, 9)]


def test_what_has_no_marks_has_no_pages() -> None:
    assert [chunk.pages for chunk in cut(TEXT, 400)] == [None]
    source = pages("marker")[0]
    dialects = tuple(name for name in mdchunk.Options().dialects if name != "pages")
    assert {chunk.pages for chunk in cut(source, 400, dialects=dialects)} == {None}


def test_an_overlap_is_on_no_page_of_the_chunk() -> None:
    chunks = cut(pages("comments")[0], 130, chunk_overlap=40)
    assert any(chunk.overlap for chunk in chunks)
    for chunk in chunks:
        own = chunk.text[chunk.overlap :]
        assert chunk.pages
        assert f"({chunk.pages[0]})" in own


def test_pages_travel_with_the_chunk() -> None:
    (chunk,) = cut(pages("comments")[0], 10_000)
    assert pickle.loads(pickle.dumps(chunk)) == chunk
    assert json.loads(json.dumps(chunk.as_dict()))["pages"] == [1, 6]
    assert json.loads(str(chunk.as_dict(flat=True)["pages"])) == [1, 6]
    assert cut(TEXT, 400)[0].as_dict()["pages"] is None
