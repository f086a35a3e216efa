"""The cuts drawn beside the text: every line of a document behind a gutter of brackets.

A bracket is a chunk, two side by side are an overlap, and ``-- kind score`` stands where a cut
falls. ``|`` begins a line of the document, ``¦`` the rest of a line that was cut inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from mdchunk.cutting.explain import Candidate
from mdchunk.document import Document, parse
from mdchunk.model import Boundary, Chunk

if TYPE_CHECKING:
    from rich.text import Text

COLUMNS = 2
"""Columns of the gutter, or more where more chunks overlap."""
FIRST, MIDDLE, LAST, WHOLE = "┌", "│", "└", "["
LINE, REST = "|", "¦"
COLOURS = ("cyan", "magenta", "green", "yellow")
PREVIEW = 40
CONTROLS: Mapping[int, str] = {
    **{code: chr(0x2400 + code) for code in range(32) if code != 9},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
}
"""What stands for characters that a terminal would obey."""


class Row(NamedTuple):
    """A row of the drawing: brackets with the chunks that they belong to, a mark, and text."""

    brackets: str
    owners: tuple[int, ...]
    mark: str
    text: str


def gutter(source: str | Document, chunks: Sequence[Chunk]) -> str:
    """Draw the chunks of a document beside its lines."""
    lines = (row.brackets + row.mark + row.text for row in rows(source, chunks))
    return "".join(f"{line}\n" for line in lines)


def rows(source: str | Document, chunks: Sequence[Chunk]) -> Iterator[Row]:
    """Return the rows of the drawing."""
    document = source if isinstance(source, Document) else parse(source)
    columns = columns_of(chunks)
    width = max([COLUMNS, *(column + 1 for column in columns)])
    cuts = {cut.offset: cut for cut in chosen(document, chunks)}
    starts = set(document.lines.starts)
    first = 0
    for start, end in _pieces(document, chunks):
        while first < len(chunks) and chunks[first].end <= start:
            first += 1
        if start in cuts:
            yield Row("", (), "", f"-- {cuts[start].kind} {cuts[start].score:g}")
        cells, owners = [" "] * width, [-1] * width
        for index in range(first, len(chunks)):
            if chunks[index].start > start:
                break
            if chunks[index].end > start:
                cells[columns[index]] = _bracket(chunks[index], start, end)
                owners[columns[index]] = index
        text = document.source[start:end].rstrip("\r\n").translate(CONTROLS)
        mark = LINE if start in starts else REST
        yield Row("".join(cells) + " ", tuple(owners), mark, text)


def chosen(document: Document, chunks: Sequence[Chunk]) -> list[Boundary]:
    """Return the cuts between chunks, each with the score of its place, or of its kind."""
    structure = document.structure
    known = {place.offset: place for place in (*structure.interior, *structure.boundaries)}
    cuts = []
    for before, after in pairwise(chunks):
        offset = after.start + after.overlap
        place = known.get(offset)
        if place is None or place.kind != before.cut:
            weight = document.syntax.scores.get(before.cut)
            place = Boundary(offset, weight.at(1) if weight else 0, before.cut)
        cuts.append(place)
    return cuts


def _pieces(document: Document, chunks: Sequence[Chunk]) -> Iterator[tuple[int, int]]:
    """Return the lines of a document, parted where a chunk or its own text starts inside one."""
    starts = document.lines.starts
    marks = {c.start for c in chunks} | {c.start + c.overlap for c in chunks}
    # the empty line behind a last line end is none to a reader
    places = sorted({*starts, *marks})
    yield from pairwise(places)


def columns_of(chunks: Sequence[Chunk]) -> list[int]:
    """Find a column for each chunk: the first that is free where it starts."""
    taken: list[int] = []
    found = []
    for chunk in chunks:
        column = next((i for i, end in enumerate(taken) if end <= chunk.start), len(taken))
        taken[column : column + 1] = [chunk.end]
        found.append(column)
    return found


def _bracket(chunk: Chunk, start: int, end: int) -> str:
    if chunk.end <= end:
        return WHOLE if chunk.start == start else LAST
    return FIRST if chunk.start == start else MIDDLE


def boundaries(
    source: str | Document, chunks: Sequence[Chunk], explained: Iterable[Candidate] = ()
) -> str:
    """List the places where a cut could fall: line, offset, score, kind, ``*`` if chosen, text.

    With what ``Chunker.explain`` gives there is also what each place was worth to the selector,
    and for a cut the line of the next best place with its worth.
    """
    document = source if isinstance(source, Document) else parse(source)
    worths = {candidate.offset: candidate for candidate in explained}
    cuts = {cut.offset: cut for cut in chosen(document, chunks)}
    places = {place.offset: place for place in document.structure.boundaries} | cuts
    places |= {c.offset: Boundary(c.offset, c.score, c.kind) for c in worths.values()}
    table = [("line", "offset", "score", "worth", "kind", "cut", "next best", "text")]
    for place in sorted(places.values()):
        line = document.lines.of(place.offset)
        end = max(place.offset, document.lines.end(line))
        text = document.source[place.offset : end].strip().translate(CONTROLS)
        numbers = (str(line + 1), str(place.offset), f"{place.score:g}")
        worth, best = _worths(document, worths.get(place.offset))
        mark = "*" if place.offset in cuts else ""
        table.append((*numbers, worth, place.kind, mark, best, text[:PREVIEW]))
    return align(table, right=4)


def _worths(document: Document, found: Candidate | None) -> tuple[str, str]:
    """Return what a place is worth, and the line of the next best place with its worth."""
    if found is None:
        return "", ""
    best = ""
    if found.runner_up is not None:
        best = f"line {document.lines.of(found.runner_up) + 1}: {found.runner_up_worth:.3f}"
    return f"{found.worth:.3f}", best


def align(table: Sequence[Sequence[str]], *, right: int) -> str:
    """Set a table in columns, the first ``right`` of them flush right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [cell.rjust(w) if i < right else cell.ljust(w) for i, (cell, w) in pairs]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def coloured(drawing: Iterator[Row]) -> Iterator[Text]:
    """Return the rows of a drawing as a terminal shows them: each chunk's bracket in its colour."""
    from rich.text import Text

    for row in drawing:
        if not row.mark:
            yield Text(row.text, "bold")
            continue
        line = Text(row.brackets)
        for column, owner in enumerate(row.owners):
            if owner >= 0:
                line.stylize(f"bold {COLOURS[owner % len(COLOURS)]}", column, column + 1)
        yield line.append(row.mark, "dim").append(row.text)
