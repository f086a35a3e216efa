"""Last resorts inside a block: sentence, word, grapheme cluster; never in a construct that fits."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mdchunk.cutting.inline_spans import inline_spans
from mdchunk.cutting.intervals import Intervals
from mdchunk.cutting.rungs import CLOSING, GAP, OPENING, PROSE, TEXT, Cut, Rung, spaces
from mdchunk.sizing.prefix_sums import Budget

EXTENDERS = frozenset(
    "\u0e33\u0eb3\u200c\u200d\uff9e\uff9f"
    + "".join(map(chr, (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))))
)
"""What goes on a grapheme cluster and is no mark: vowels, joiners, skin tones, tags (annex 29)."""

CLOSING_MARKS = frozenset("。｡、､，．！？：；）］｝」』】》〉〕｣〗〙〛︒”’‰％")
"""What nothing starts with, in any script (the rules of line breaking, annex 14: CL, EX, CP)."""
PERHAPS_CLOSING = frozenset("!?;:)]}»›։؟۔،؛।॥။៕។")
"""What may as well open something, or begin a name, unless a blank or such a mark is behind it."""
PERHAPS_BEHIND = frozenset(["", *" \t\r\n\u00a0\u200b.,;:!?)]}»"])
MARKS = 4
"""So many pieces may be made of what stands before a block's own text, as ``- [ ] `` is three."""
CLUSTER_WINDOW = 256
"""Code points in which clusters are looked for at once."""


def constructs(source: str, start: int, end: int, budget: Budget) -> Intervals:
    """Find the inline constructs that fit into a limit."""
    return Intervals(span for span in inline_spans(source, start, end) if budget.fits(*span))


def cuts(rung: Rung, source: str, start: int, end: int, closed: Intervals) -> list[Cut]:
    """List the places of one rung that lie in no closed stretch and in no grapheme cluster."""
    return [
        (offset, kind)
        for offset, kind in _open_cuts(rung, source, start, end, closed)
        if not _closes(source, offset, kind)
    ]


def _open_cuts(rung: Rung, source: str, start: int, end: int, closed: Intervals) -> list[Cut]:
    """List such places, those before closing marks among them."""
    return [
        (offset, kind)
        for offset, kind in rung(source, start, end)
        if start < offset < end and closed.around(offset) < 0 and not _joins(source[offset])
    ]


def _closes(source: str, offset: int, kind: str) -> bool:
    """Return whether a place stands before what closes or ends the text before it."""
    character = source[offset]
    if character in CLOSING_MARKS:
        return True
    if kind == "line" or character not in PERHAPS_CLOSING:
        return False
    return source[offset + 1 : offset + 2] in PERHAPS_BEHIND


def _joins(character: str) -> bool:
    return character > "\u02ff" and (
        character in EXTENDERS or unicodedata.category(character)[0] == "M"
    )


def divide(
    source: str,
    start: int,
    end: int,
    budget: Budget,
    rungs: Sequence[Rung] = PROSE,
    closed: Intervals | None = None,
    first: Budget | None = None,
) -> list[Cut]:
    """Divide a stretch that cannot fit so that each piece does, by the first rung that suffices.

    What is ``closed`` is not divided: the inline constructs that fit, if nothing else is said.
    Where the first piece is filled up, that is to the limit of ``first``.
    """
    if closed is None:
        closed = constructs(source, start, end, budget)
    found: list[Cut] = [(start, "")]
    for rung in rungs:
        refined: list[Cut] = []
        for cut, stop in _pieces(found, end):
            refined.append(cut)
            if not budget.fits(cut[0], visible_end(source, cut[0], stop)):
                refined += cuts(rung, source, cut[0], stop, closed)
        found = refined
    return _filled(source, found, end, budget, closed, first or budget)[1:]


def _pieces(found: Sequence[Cut], end: int) -> Iterator[tuple[Cut, int]]:
    """Return each cut and where the piece behind it stops."""
    return zip(found, [*(offset for offset, _ in found[1:]), end], strict=True)


def _filled(
    source: str, found: Sequence[Cut], end: int, budget: Budget, closed: Intervals, first: Budget
) -> list[Cut]:
    """Fill up what no rung could divide; the marks round it go with its first and last piece."""
    refined: list[Cut] = []
    long = False
    for cut, stop in _pieces(found, end):
        if long and CLOSING.match(source, cut[0], stop) and budget.fits(refined[-1][0], stop):
            continue
        refined.append(cut)
        shown = visible_end(source, cut[0], stop)
        long = not budget.fits(cut[0], shown)
        if not long:
            continue
        if parted := _parted(source, cut[0], stop, budget, closed):
            refined += parted
            long = False
            continue
        # a word with blanks and marks behind it may fit alone
        word = not GAP.search(source, cut[0], shown)
        at = _marked(source, refined, first) if word else len(refined) - 1
        del refined[at + 1 :]
        most = first if word and not at else budget
        refined += _fill(source, refined[at][0], shown, budget, closed, most)
    return refined


def _parted(source: str, start: int, end: int, budget: Budget, closed: Intervals) -> list[Cut]:
    """Part words from one another and from marks, so that a word that fits is whole."""
    opened = _open_cuts(spaces, source, start, end, closed)
    parts = _pieces([(start, ""), *opened], end)
    pieces = [(cut, visible_end(source, cut[0], stop)) for cut, stop in parts]
    whole = [budget.fits(cut[0], shown) for cut, shown in pieces]
    words = (any(map(str.isalnum, source[cut[0] : shown])) for cut, shown in pieces)
    if not opened or not any(fits and word for fits, word in zip(whole, words, strict=True)):
        return []
    found: list[Cut] = []
    for (cut, shown), fits in zip(pieces, whole, strict=True):
        found.append(cut)
        if not fits:
            found += _fill(source, cut[0], shown, budget, closed, budget)
    return found[1:]


def _marked(source: str, found: Sequence[Cut], budget: Budget) -> int:
    """Find the piece from which the last one is to be filled: the marks before it go with it."""
    last = len(found) - 1
    begin = found[last][0]
    for index in range(max(0, last - MARKS), last):
        start = found[index][0]
        if OPENING.fullmatch(source, start, begin) and budget.reach(start) > begin:
            return index
    return last


def halve(source: str, start: int, end: int, budget: Budget) -> Cut | None:
    """Find the place nearest to the middle of a stretch by the first rung that has any.

    The plan has failed here, so what may not be cut is counted.
    """
    middle = (start + end) // 2
    closed = Intervals(span for span in inline_spans(source, start, end) if budget.holds(*span))
    found = filter(None, (cuts(rung, source, start, end, closed) for rung in TEXT))
    # marks part from the word before them before that is cut
    if places := next(found, []) or _open_cuts(spaces, source, start, end, closed):
        return min(places, key=lambda cut: abs(cut[0] - middle))
    bounds = list(clusters(source, start, end))[:-1]
    outside = [offset for offset in bounds if closed.around(offset) < 0]
    if not bounds:
        return None
    return min(outside or bounds, key=lambda offset: abs(offset - middle)), "grapheme"


def visible_end(source: str, start: int, end: int) -> int:
    """Find where ``source[start:end]`` ends when the blanks after it are taken off."""
    near = max(start, end - 32)
    visible = source[near:end].rstrip()
    if visible or near == start:
        return near + len(visible)
    return start + len(source[start:near].rstrip())


def visible_line(source: str, start: int, end: int) -> int:
    """Find the start of the first line of ``source[start:end]`` that is not blank, else its end."""
    text = source[start:end]
    visible = start + len(text) - len(text.lstrip())
    line = max(source.rfind("\n", start, visible), source.rfind("\r", start, visible))
    return end if visible == end else max(start, line + 1)


def clusters(source: str, start: int, end: int) -> Iterator[int]:
    """Find where the grapheme clusters of a stretch end, which starts with one.

    It is read in windows, since a run of flags takes time by the square of what is read at once.
    """
    import regex  # which tiktoken brings along

    cluster, width = regex.compile(r"\X"), CLUSTER_WINDOW
    while start < end:
        window = source[start : min(end, start + width)]
        ends = [start + match.end() for match in cluster.finditer(window)]
        if start + len(window) < end:
            ends.pop()  # it may go on
        width = CLUSTER_WINDOW if ends else 2 * width
        yield from ends
        start = ends[-1] if ends else start


def is_cluster(source: str, start: int, end: int) -> bool:
    """Return whether a stretch is a single grapheme cluster."""
    return _cluster_end(source, start, start + 1, end) == end


def _fill(
    source: str, start: int, end: int, budget: Budget, closed: Intervals, first: Budget
) -> Iterator[Cut]:
    """Fill pieces up to the limit, cutting between grapheme clusters (Unicode annex 29)."""
    position = start
    while not budget.fits(position, end):
        reach = min((first if position == start else budget).reach(position), end)
        ends: list[int] = []
        for bound in clusters(source, position, end):
            if bound > reach and ends:
                break
            ends.append(bound)
            if bound >= reach:
                break
        cut = _not_closing(source, ends)
        around = closed.around(cut)
        if around >= 0:
            before = bisect_right(ends, around)
            past = closed.past(cut)
            cut = ends[before - 1] if before else _cluster_end(source, position, past, end)
        if cut >= end:
            return
        yield cut, "grapheme"
        position = cut


def _not_closing(source: str, ends: Sequence[int]) -> int:
    """Return the last of some ends that no closing mark stands behind, else the last."""
    for bound in reversed(ends):
        if source[bound : bound + 1] not in CLOSING_MARKS:
            return bound
    return ends[-1]


def _cluster_end(source: str, start: int, offset: int, end: int) -> int:
    """Find the first end of a cluster that is not before an offset."""
    return next((bound for bound in clusters(source, start, end) if bound >= offset), end)
