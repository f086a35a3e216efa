"""Plain text in pieces that know their place in the source, so that any part of it has its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """Text that a reader sees of ``source[start:end]``; ``gap`` stands between it and the last.

    Text as long as its stretch is that of the source character by character, and may be cut like
    it. Other text is whole, and belongs to where it begins.
    """

    start: int
    end: int
    text: str
    gap: str


class PlainText:
    """The plain text of one document; its pieces are in source order and do not overlap."""

    __slots__ = ("_ends", "_starts", "pieces")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)
        self._starts = [piece.start for piece in pieces]
        self._ends = [piece.end for piece in pieces]

    def between(self, start: int, end: int) -> str:
        """Return what a reader sees of ``source[start:end]``; offsets count code points."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        parts: list[str] = []
        for piece in self.pieces[first:last]:
            text = _part(piece, start, end)
            if text:
                parts += (piece.gap if parts else "", text)
        return "".join(parts).rstrip()


def _part(piece: Piece, start: int, end: int) -> str:
    """Return what of a piece stands in a range that it reaches into."""
    if start <= piece.start and piece.end <= end:
        return piece.text
    if len(piece.text) == piece.end - piece.start:
        text = piece.text[max(start - piece.start, 0) : end - piece.start]
        return text.lstrip() if piece.start < start else text
    return "" if piece.start < start else piece.text


class Collector:
    """Takes pieces as they are read, with the widest gap that was asked for between two."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._gap = ""

    def gap(self, gap: str) -> None:
        """Ask for a gap before the next piece: line ends before a tab before a blank."""
        if _width(gap) > _width(self._gap):
            self._gap = gap

    def add(self, start: int, end: int, text: str) -> None:
        """Take a piece; where it would begin before the last one ends it begins there."""
        if not text:
            return
        reached = self.pieces[-1].end if self.pieces else 0
        over = reached - start
        if over > 0 and len(text) == end - start > over and not text[:over].strip():
            # a tab that is taken off in part leaves more blanks than stand there
            self._gap, text, start = self._gap + text[:over], text[over:], reached
        elif over > 0:
            start, end = reached, max(end, reached + 1)
        self.pieces.append(Piece(start, end, text, self._gap))
        self._gap = ""


def _width(gap: str) -> tuple[bool, bool, int]:
    return "\n" in gap, "\t" in gap, len(gap)
