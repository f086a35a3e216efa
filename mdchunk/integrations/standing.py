"""Where the parts of a text stand in the document that the text is a slice of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdchunk.cutting.making import chunk_id
from mdchunk.cutting.sections import Sections
from mdchunk.document import Document
from mdchunk.model import Chunk, Heading, Section

OPEN = "open_headings"
"""The key of the headings that a part's first character is under, with their marks: what splits
the part again could not know their levels otherwise."""

PLACES = frozenset(("start", "start_line", "end_line"))
"""The keys of a chunk and of its sections that say where these stand."""

REPEATS = 100
"""Of how many equal texts in a document a chunk is still known by its id."""


class Place(NamedTuple):
    """Where a text stands in its document: offset and lines before it, and headings above it."""

    start: int = 0
    lines: int = 0
    above: Sequence[Heading] = ()


def place_of(
    text: str, start: Any, end: Any, metadata: Mapping[Any, Any], parsed: Document
) -> Place:
    """Find where a text stands of which a host says that it is a slice from start to end.

    Lines and headings are known of a chunk only, by its metadata. Of one without offsets it is the
    headings alone.
    """
    first, last, above = (metadata.get(key) for key in ("start_line", "end_line", OPEN))
    if start is None and isinstance(above, list) and _is_chunk(parsed, metadata):
        return Place(above=_headings(above))
    if not (isinstance(start, int) and isinstance(end, int)) or end - start != len(text):
        return Place()
    if not (isinstance(first, int) and isinstance(last, int) and isinstance(above, list)):
        return Place(start)
    # another splitter hands down what it divides: a part that has all line ends starts in its line
    if last - first != parsed.lines.of(max(0, len(text) - 1)):
        return Place(start)
    return Place(start, first - 1, _headings(above))


def _is_chunk(parsed: Document, metadata: Mapping[Any, Any]) -> bool:
    """Return whether a text is the chunk that its metadata names, and no part of it."""
    named, text = metadata.get("chunk_id"), parsed.normal.source
    return any(chunk_id(text, again, 0) == named for again in range(REPEATS))


def _headings(above: Sequence[str]) -> list[Heading]:
    parted = (line.partition(" ") for line in above)
    return [Heading(0, len(marks), title) for marks, _, title in parted]


def handed_down(metadata: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the metadata of a text that its parts have too: not its place and what is round it."""
    own = {"start_index", "end_index"}
    if OPEN in metadata:
        own |= {"start_line", "end_line", "prefix", "suffix"}
    return {key: value for key, value in metadata.items() if key not in own}


def standing(chunk: Chunk, place: Place, sections: Sections) -> dict[str, Any]:
    """Return the lines and headings of a chunk in the document."""
    own, first = chunk.start + chunk.overlap, _path(sections, place, chunk.start)
    return {
        "start_line": chunk.start_line + place.lines,
        "end_line": chunk.end_line + place.lines,
        "headings": [heading.text for heading in _path(sections, place, own)],
        "sections": [_section(it, place, sections) for it in chunk.sections],
        OPEN: [f"{'#' * heading.level} {heading.text}" for heading in first],
    }


def unplaced(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chunk's metadata without lines and offsets, which move with any edit before it."""
    found = {key: value for key, value in metadata.items() if key not in PLACES}
    found["sections"] = [
        {key: value for key, value in section.items() if key not in PLACES}
        for section in metadata["sections"]
    ]
    return found


def _section(section: Section, place: Place, sections: Sections) -> dict[str, Any]:
    """Return a heading in a chunk, with its place and path in the document."""
    path = tuple(heading.text for heading in _path(sections, place, section.start))
    start, line = section.start + place.start, section.start_line + place.lines
    return section._replace(start=start, start_line=line, path=path).as_dict()


def _path(sections: Sections, place: Place, offset: int) -> list[Heading]:
    inner = [sections.headings[index] for index in sections.path(sections.at(offset))]
    outer = [it for it in place.above if not inner or it.level < inner[0].level]
    return [heading for heading in (*outer, *inner) if heading.text]
