"""Links, headings and blocks stay whole where another parser finds them."""

from __future__ import annotations

from typing import Any

import pytest
from positions import (
    Judged,
    blocks_are_whole,
    constructs_are_whole,
    headings_keep_their_text,
    judged,
    line_start,
    stacks,
)

from mdchunk import Chunk, Chunker

SUITES = ("commonmark", "gfm", "documents")
DIALECTS: dict[str, dict[str, Any]] = {
    "commonmark": {},  # the dialects that are on by default change none of the examples
    "gfm": {},
    "documents": {"dialects": ("gfm", "footnote")},
}
OTHERWISE = {
    # the parser lets a heading start at the definition that was taken out of it
    ("spec-0.31.2 215", blocks_are_whole),
    # a bare address of mail, amid a word that is longer than the limit
    ("extensions 20", constructs_are_whole),
}
"""Where the parser's word is not taken for it, and why."""


def check(judged: Judged, name: str, chunker: Chunker) -> list[Chunk]:
    """Hold the chunks of a source to the laws."""
    options, source = chunker.options, judged.source
    chunks = chunker.chunk(source)

    def fits(start: int, end: int) -> bool:
        return chunker.count(source[start:end].rstrip()) <= options.chunk_size

    for law in (constructs_are_whole, blocks_are_whole):
        if (name, law) not in OTHERWISE:
            law(judged, chunks, fits)
    headings_keep_their_text(judged, chunks, fits, keep=options.oversize == "keep")
    return chunks


@pytest.mark.parametrize("size", [1, 7, 20, 40, 90, 200])
@pytest.mark.parametrize("suite", SUITES)
def test_what_fits_is_whole_by_another_parser_too(suite: str, size: int) -> None:
    sets: list[dict[str, Any]] = [
        {"unit": "characters"},
        {"unit": "characters", "cutoff": "lookback", "chunk_overlap": size // 5},
        {"unit": "tokens", "chunk_overlap": size // 5},
        {"unit": "tokens", "oversize": "keep"},
    ]
    for options in sets:
        chunker = Chunker(chunk_size=size, front_matter="text", **DIALECTS[suite], **options)
        for name, one in judged(suite).items():
            check(one, name, chunker)


def test_the_laws_notice_a_cut_at_any_place_that_is_none() -> None:
    """A wrong cut is noticed in each construct, in each block and below each heading."""
    for one in judged("documents").values():
        for _, start, _ in one.inline:
            with pytest.raises(AssertionError):
                constructs_are_whole(one, parted(one, start + 1), lambda _, __: True)
        for block in one.blocks:
            if block.kind != "list":
                with pytest.raises(AssertionError):
                    blocks_are_whole(one, parted(one, block.end - 1), lambda _, __: True)
        for _, block, _ in stacks(one.blocks):
            chunks = parted(one, line_start(one.source, block.start))
            with pytest.raises(AssertionError):
                headings_keep_their_text(one, chunks, lambda _, __: True, keep=False)


def parted(one: Judged, offset: int) -> list[Chunk]:
    """Return two chunks that part a source at an offset."""
    chunk = Chunker(chunk_size=10**6).chunk("A")[0]
    source = one.source
    values = {name: getattr(chunk, name) for name in Chunk.__slots__}
    return [
        Chunk(**{**values, "text": source[start:end], "start": start, "end": end})
        for start, end in ((0, offset), (offset, len(source)))
    ]
