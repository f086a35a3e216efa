"""Where the parts of a text stand in the document that the text is a slice of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdchunk.cutting.sections import Sections
from mdchunk.document import Document
from mdchunk.model import Chunk, Heading, Section

OPEN = "open_headings"
"""The key of the headings that a part's first character is under, with their marks: what splits
the part again could not know their levels otherwise."""


class Place(NamedTuple):
    """Where a text stands in its document: offset and lines before it, and headings above it."""

    start: int = 0
    lines: int = 0
    above: Sequence[Heading] = ()


def place_of(
    text: str, start: Any, end: Any, metadata: Mapping[Any, Any], parsed: Document
) -> Place:
    """Find where a text stands of which a host says that it is a slice from start to end.

    Lines and headings are known of a chunk only, by its metadata.
    """
    if not (isinstance(start, int) and isinstance(end, int)) or end - start != len(text):
        return Place()
    first, last, above = (metadata.get(key) for key in ("start_line", "end_line", OPEN))
    if not (isinstance(first, int) and isinstance(last, int) and isinstance(above, list)):
        return Place(start)
    # another splitter hands down what it divides: a part that has all line ends starts in its line
    if last - first != parsed.lines.of(max(0, len(text) - 1)):
        return Place(start)
    headings = [(marks, title) for marks, _, title in (line.partition(" ") for line in above)]
    return Place(start, first - 1, [Heading(0, len(marks), title) for marks, title in headings])


def handed_down(metadata: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the metadata of a text that its parts have too: not what is round a chunk's text."""
    own = {"prefix", "suffix"} if OPEN in metadata else set()
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


def _section(section: Section, place: Place, sections: Sections) -> dict[str, Any]:
    """Return a heading in a chunk, with its place and path in the document."""
    path = tuple(heading.text for heading in _path(sections, place, section.start))
    start, line = section.start + place.start, section.start_line + place.lines
    return section._replace(start=start, start_line=line, path=path).as_dict()


def _path(sections: Sections, place: Place, offset: int) -> list[Heading]:
    inner = [sections.headings[index] for index in sections.path(sections.at(offset))]
    outer = [it for it in place.above if not inner or it.level < inner[0].level]
    return [heading for heading in (*outer, *inner) if heading.text]
