"""A document's lines as HTML: chunks as bands beside them, places and spans in the margin.

The markup holds the document as it is written, so that it can be read, searched and printed
without a script.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from mdchunk.cutting.explain import Candidate
from mdchunk.document import Document
from mdchunk.model import Boundary, Chunk, Span
from mdchunk.view.text import CONTROLS, chosen, columns_of

HUES = 4
"""How many colours chunks take turns in; the style sheet has as many."""
DEEP = 5
"""From this depth on nested spans are drawn as one."""
SIDES = "ab"


class Side(NamedTuple):
    """A document as one setting splits it."""

    document: Document
    chunks: Sequence[Chunk]
    explained: Sequence[Candidate]


class Sheet(NamedTuple):
    """A document on the page: its name, and a side for each setting."""

    name: str
    sides: Sequence[Side]


class Stretch(NamedTuple):
    """A piece of the source that the same chunks hold from its start to its end."""

    start: int
    end: int
    owners: Sequence[tuple[int, ...]]


def sheet_markup(number: int, sheet: Sheet) -> Iterator[str]:
    """Return the markup of one document."""
    name = escape(sheet.name)
    yield f'<article class="doc" id="d{number}"><h2>{name}</h2><div class="text">'
    margin = _Margin(sheet.sides[0])
    heads = _heads(number, sheet)
    columns = [columns_of(side.chunks) for side in sheet.sides]
    for stretch in stretches(sheet.sides):
        yield from heads.get(stretch.start, ())
        yield _stretch(stretch, columns, margin)
    yield "</div></article>"


def stretches(sides: Sequence[Side]) -> Iterator[Stretch]:
    """Part a document where a chunk of either setting starts, begins its own text or ends."""
    document = sides[0].document
    ends = [_shown_ends(side) for side in sides]
    marks = {document.lines.starts[0], len(document.source)}
    for side, last in zip(sides, ends, strict=True):
        marks.update(chunk.start for chunk in side.chunks)
        marks.update(chunk.start + chunk.overlap for chunk in side.chunks)
        marks.update(last)
    first = [0] * len(sides)
    for start, end in pairwise(sorted(marks)):
        owners = []
        for index, side in enumerate(sides):
            last = ends[index]
            while first[index] < len(last) and last[first[index]] <= start:
                first[index] += 1
            found = first[index]
            while found < len(last) and side.chunks[found].start <= start:
                found += 1
            owners.append(tuple(range(first[index], found)))
        yield Stretch(start, end, owners)


def _shown_ends(side: Side) -> list[int]:
    """Find where each chunk ends to the eye: what is blank behind it in its last line is its."""
    source, lines, chunks = side.document.source, side.document.lines, side.chunks
    owns = [chunk.start + chunk.overlap for chunk in chunks[1:]]
    found = []
    for chunk, then in zip(chunks, [*owns, len(source)], strict=False):
        end = min(then, lines.starts[lines.of(chunk.end - 1) + 1])
        found.append(chunk.end if source[chunk.end : end].strip() else max(chunk.end, end))
    return found


def _heads(number: int, sheet: Sheet) -> dict[int, list[str]]:
    """Make the line that stands before each chunk's own text, by offset."""
    found: dict[int, list[str]] = {}
    for mark, side in zip(SIDES, sheet.sides, strict=False):
        cuts = [None, *chosen(side.document, side.chunks)]
        worths = {candidate.offset: candidate for candidate in side.explained}
        for index, (chunk, cut) in enumerate(zip(side.chunks, cuts, strict=False)):
            own = chunk.start + chunk.overlap
            name = f"d{number}-{mark}{index}"
            label = f"{mark.upper()} " if len(sheet.sides) > 1 else ""
            button = f'<button type="button" class="go">{label}Chunk {index + 1}</button>'
            why = _why(side.document, cut, worths.get(own)) if cut else ""
            found.setdefault(own, []).append(
                f'<div class="head {mark}" id="{name}" data-k="{index}"><h3>{button}</h3>'
                f'<span class="size">{chunk.size:,}</span>{why}</div>'
            )
    return found


def _why(document: Document, cut: Boundary, candidate: Candidate | None) -> str:
    """Say what was cut at and what it was worth."""
    text = f"cut at {cut.kind} {cut.score:g}"
    if candidate is not None and candidate.chosen:
        text += f", worth {number(candidate.worth)}"
        if candidate.runner_up is not None:
            line = document.lines.of(candidate.runner_up) + 1
            text += f"; next best line {line}, {number(candidate.runner_up_worth)}"
    return f'<span class="why">{escape(text)}</span>'


def number(worth: float) -> str:
    """Return a worth with two digits that count."""
    return f"{worth:.2g}" if worth < 0.01 else f"{worth:.2f}"


class _Margin:
    """What stands in the margin beside the lines: places with their scores, and spans."""

    def __init__(self, side: Side) -> None:
        document = self.document = side.document
        self.soft = document.syntax.soft
        worths = {candidate.offset: candidate for candidate in side.explained}
        places = {place.offset: place for place in document.structure.boundaries}
        places |= {c.offset: Boundary(c.offset, c.score, c.kind) for c in side.explained}
        self.places = sorted(places.values())
        self.offsets = [place.offset for place in self.places]
        self.worths = worths
        self.spans = sorted(document.structure.spans, key=lambda s: (s.start, -s.end))
        self.next_span = 0
        self.open: list[Span] = []

    def between(self, start: int, end: int) -> list[Boundary]:
        """Return the places in a part of a line."""
        low, high = bisect_left(self.offsets, start), bisect_left(self.offsets, end)
        return self.places[low:high]

    def walk(self, start: int, end: int) -> tuple[int, list[Span]]:
        """Go on to the next part of a line: how deep it stands in spans, and which start there."""
        self.open = [span for span in self.open if span.end > start]
        begun = []
        while self.next_span < len(self.spans) and self.spans[self.next_span].start < end:
            begun.append(self.spans[self.next_span])
            self.next_span += 1
        self.open += begun
        return min(len(self.open), DEEP), begun

    def whole(self, span: Span) -> str:
        """Say what a span is and how it is kept whole."""
        how = "by preference" if span.kind in self.soft else "if it fits"
        last = self.document.lines.of(span.end - 1) + 1
        return f"{span.kind} to line {last}, kept whole {how}"

    def note(self, place: Boundary) -> str:
        """Say all of a place that is known."""
        found = self.worths.get(place.offset)
        worth = f", worth {number(found.worth)}" if found else ""
        return f"a cut here: {place.kind} {place.score:g}{worth}"


def _stretch(stretch: Stretch, columns: Sequence[Sequence[int]], margin: _Margin) -> str:
    """Return the markup of a stretch: its bands, then its lines."""
    starts = margin.document.lines.starts
    first = margin.document.lines.of(stretch.start)
    edges = [stretch.start]
    line = first + 1
    while line < len(starts) and starts[line] < stretch.end:
        edges.append(starts[line])
        line += 1
    rows = [_row(a, b, margin) for a, b in pairwise([*edges, stretch.end])]
    names = ["s"]
    bands, data = "", ""
    for side, owners, column in zip(SIDES, stretch.owners, columns, strict=False):
        bands += "".join(
            f'<i class="band {side} h{k % HUES}" style="--c:{column[k]}"></i>' for k in owners
        )
        data += f' data-{side}="{" ".join(map(str, owners))}"'
    own = stretch.owners[0]
    names += [f"t{own[-1] % HUES}"] if own else ["none"]
    names += ["twice"] if len(own) > 1 else []
    return (
        f'<div class="{" ".join(names)}"{data} style="--n:{len(rows)}">{bands}{"".join(rows)}</div>'
    )


def _row(start: int, end: int, margin: _Margin) -> str:
    """Return the markup of a line, or of a part of one."""
    document = margin.document
    line = document.lines.of(start)
    whole = document.lines.starts[line] == start
    text = document.source[start:end].rstrip("\r\n")
    depth, begun = margin.walk(start, end)
    places = margin.between(start, end)
    marks = _marks(start, places, begun, margin) if places or begun else ""
    number = f' data-n="{line + 1}"' if whole else ""
    names = "l" if whole else "l rest"
    if depth:
        names += f" p{depth}"
    inside = [place for place in places if place.offset > start]
    return f'<div class="{names}"{number}>{marks}{_text(text, start, inside, margin)}</div>'


def _marks(start: int, places: Sequence[Boundary], begun: Sequence[Span], margin: _Margin) -> str:
    """Return what the margin says of a line: the place before it, the spans that start in it."""
    at = next((place for place in places if place.offset == start), None)
    # the outermost by name; all of them in the title
    kind = begun[0].kind if begun else ""
    title = escape("; ".join([*([margin.note(at)] if at else []), *map(margin.whole, begun)]))
    words = []
    if at:
        name = f"<em>{escape(kind)}</em>" if at.kind == kind else escape(at.kind)
        words.append(f"{name} {at.score:g}")
    if kind and (at is None or at.kind != kind):
        words.append(f"<em>{escape(kind)}</em>")
    return f'<span class="m" title="{title}">{" ".join(words)}</span>' if words else ""


def _text(text: str, start: int, inside: Sequence[Boundary], margin: _Margin) -> str:
    """Return a line's text, with a mark at each place inside it."""
    parts, done = [], 0
    for place in inside:
        at = min(place.offset - start, len(text))
        parts.append(_plain(text[done:at]))
        parts.append(f'<i class="in" title="{escape(margin.note(place))}"></i>')
        done = at
    return "".join([*parts, _plain(text[done:])])


def _plain(text: str) -> str:
    return escape(text.translate(CONTROLS), quote=False)
