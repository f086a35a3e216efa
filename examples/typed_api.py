"""The typed API in one program: strict type checkers accept it as it stands.

python examples/typed_api.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mdchunk
from mdchunk import Chunk, Chunker, Document, Options, Section, Weight

SOURCE = "# Coffee\n\nGrind, then brew.\n\n## Grinder\nBurrs wear.\n"
SCORES: Mapping[str, float | Weight] = {"paragraph": 30, "heading": Weight(100, 10, 50)}


def label(chunk: Chunk) -> str:
    """Return where a chunk comes from and what it says."""
    path: tuple[str, ...] = chunk.headings_at(chunk.start)
    line: int = chunk.start_line
    text: str = chunk.text.strip()
    return f"{' > '.join(path)} (line {line}): {text}"


def titles(chunks: Sequence[Chunk]) -> list[str]:
    """Return the titles of the headings that stand in some chunks."""
    sections: list[Section] = [section for chunk in chunks for section in chunk.sections]
    return [section.title for section in sections]


def main() -> None:
    """Chunk one text in each way that the library offers."""
    options = Options(chunk_size=10, unit="tokens", cutoff="optimal", scores=SCORES)
    chunker = Chunker(options)
    document: Document = mdchunk.parse(SOURCE)
    chunks: list[Chunk] = chunker.chunk(document)
    assert chunks == mdchunk.chunk(SOURCE, chunk_size=10, scores=SCORES)
    assert titles(chunks) == [heading.text for heading in document.structure.headings]

    levels: list[list[Chunk]] = mdchunk.hierarchy(SOURCE, chunk_sizes=(64, 10))
    merged: list[Chunk] = mdchunk.auto_merge([chunk.id for chunk in levels[-1]], levels)
    assert merged == levels[0]

    record: dict[str, object] = chunks[-1].as_dict(flat=True)
    assert record["size"] == chunker.count(chunks[-1].contextualized)
    assert checked(0) is None
    print(label(chunks[-1]))


def checked(size: int) -> Options | None:
    """Return options of a size; None for one that is not allowed."""
    try:
        return Options(chunk_size=size)
    except mdchunk.OptionsError:
        return None


if __name__ == "__main__":
    main()
