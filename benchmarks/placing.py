"""Where chunks lie in their source, in ink coordinates.

By the chunker's own offsets where it gives them; else by the chunk's non-blank characters, looked
for from the end of the chunk before; else, for chunkers that rewrite text, by anchors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmarks.chunkers import Piece
from benchmarks.ink import Ink

Stretch = tuple[int, int]
_ANCHOR = 14  # characters that make a stretch of text known again
_REACH = 30_000  # how far behind the last place an anchor is looked for
_NEAR = 40  # the same for what is too short for an anchor
_DROPPED = 600  # so much added text is skipped at most
_TRUST = 25  # a skip may be so many times as long as what agrees after it
_EXACT = 40  # a text this long may lie further on than where it is expected


class Place(NamedTuple):
    """The hull of a chunk and the stretches of it that really are source text."""

    start: int
    end: int
    kept: tuple[Stretch, ...]


class Placed(NamedTuple):
    """All chunks of one document that have text, in order, and what could not be trusted."""

    texts: list[str]
    places: list[Place | None]  # one for each text; None where it is nowhere in the source
    altered: int  # chunks whose text does not stand in the source as it is
    blank: int  # chunks without text

    @property
    def found(self) -> list[Place]:
        """Lists the places that are known."""
        return [place for place in self.places if place is not None]


def place(pieces: Iterable[Piece], ink: Ink) -> Placed:
    """Places every chunk of a document."""
    texts: list[str] = []
    places: list[Place | None] = []
    altered = blank = at = 0
    for piece in pieces:
        if not piece.text.strip():
            blank += 1
            continue
        texts.append(piece.indexed)
        altered += _is_altered(piece, ink.source)
        found = _place_one(piece, ink, at)
        places.append(found)
        at = at if found is None else found.end
    return Placed(texts, places, altered, blank)


def _is_altered(piece: Piece, source: str) -> bool:
    if piece.start is None:
        return piece.text not in source
    return source[piece.start : piece.end] != piece.text


def _place_one(piece: Piece, ink: Ink, at: int) -> Place | None:
    if piece.start is not None and piece.end is not None:
        limit = len(ink.source)
        start, end = (int(ink.before[min(max(o, 0), limit)]) for o in (piece.start, piece.end))
        return Place(start, end, ((start, end),)) if end > start else None
    text = "".join(piece.text.split())
    start = _find(text, ink.text, at)
    if start >= 0:
        return Place(start, start + len(text), ((start, start + len(text)),))
    kept = _anchored(text, ink.text, at)
    return Place(kept[0][0], kept[-1][1], kept) if kept else None


def _find(text: str, source: str, at: int) -> int:
    if source.startswith(text, at):
        return at
    if len(text) < _EXACT:
        return -1
    near = max(2_000, 5 * len(text))
    return source.find(text, max(0, at - len(text)), at + near + len(text))


def _anchored(text: str, source: str, at: int) -> tuple[Stretch, ...]:
    """Finds the stretches of a rewritten text, forward, with as little skipped as can be."""
    kept: list[Stretch] = []
    i = 0
    while True:
        length = _common(text, i, source, at)
        if length:
            kept.append((at, at + length))
        resumed = _resume(text, i + length, source, at + length)
        if resumed is None:
            return tuple(kept)
        i, at = resumed


def _resume(text: str, i: int, source: str, at: int) -> tuple[int, int] | None:
    """Finds where both agree again, by the anchor that skips the least of both."""
    length = min(_ANCHOR, len(text) - i)
    if not length:
        return None
    best = None
    reach = _REACH if length == _ANCHOR else _NEAR
    for j in range(i, min(len(text) - length, i + _DROPPED) + 1):
        skipped = j - i
        if skipped >= reach:
            break
        found = source.find(text[j : j + length], at, at + reach - skipped + length)
        if found >= 0 and found - at <= _TRUST * _common(text, j, source, found):
            best = (j, found)
            reach = skipped + found - at
    return best


def _common(text: str, i: int, source: str, at: int) -> int:
    length = 0
    for a, b in zip(text[i:], source[at : at + len(text) - i], strict=False):
        if a != b:
            break
        length += 1
    return length


def covered(stretches: Sequence[Stretch]) -> int:
    """Counts the characters that lie in at least one stretch."""
    total = last = 0
    for start, end in sorted(stretches):
        total += max(0, end - max(start, last))
        last = max(last, end)
    return total
