"""Last resorts inside a block: sentence, word, grapheme cluster; never in a construct that fits."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from mdchunk.cutting.abbreviations import goes_on
from mdchunk.cutting.inline_spans import inline_spans
from mdchunk.lines import pattern
from mdchunk.sizing.prefix_sums import Budget

LINE_BREAK = r"[^\S\r\n]*(?:\r\n|\r|\n)"
GAP = re.compile(rf"(?:{LINE_BREAK})+(?P<prefix>[ \t>]*)|[^\S\r\n]+")
"""White space between words; indentation and quote marks of the next line belong to that line."""
NO_WIDTH = re.compile(r"(?:\u200b|\u00ad|<wbr[ \t]*/?>)+(?P<prefix>(?!))?")
"""Where a word may be broken though nothing shows: a space of no width, a soft hyphen, a tag."""
NO_BREAK = frozenset("\u00a0\u2007\u202f")
"""Spaces that keep words together, as in ``10 km``; a text without others is cut at them."""
_LINKED = r"(?:\([^()\s]{0,200}\))?"
_NOTE = (
    # no two of these match the same, else a run of them takes time by powers of two
    rf"[⁰¹²³⁴-⁹†‡]|\\\[[\d\s,;–-]{{1,20}}\\?\]{_LINKED}"
    rf"|\[\d+[\s,;–][\d\s,;–-]{{0,18}}\]{_LINKED}|\[\^?[\w-]{{1,40}}\](?:\(\#[^()\s]{{0,200}}\))?"
    rf"|\[\\?\[\^?[\w-]{{1,20}}\\?\]\]{_LINKED}|\[-?@[^\[\]\r\n]{{1,200}}\]"
    r"|<(?P<raised>sup|a)\b[^<>]{0,200}>(?:(?!</?(?P=raised)\b)[^\r\n]){1,200}</(?P=raised)>"
    r"|\^[\w,*†‡\[\]-]{1,20}\^"
)
"""Footnote and citation marks: ``[^1]``, ``[3-5]``, ``\\[6\\]``, ``[[7]](#n)``, ``[@key]``, ``¹``,
``<sup>[8](#f)</sup>``, ``^9^``. They belong to the sentence before them."""
_CLOSER = r"[\"'”’»)\]*_~`}]|[\u00a0\u202f]»"
"""What closes a sentence behind its mark; in French with a space that does not break."""
BEHIND = rf"(?:{_NOTE}|{_CLOSER})*"
SPOKEN = frozenset("\"'”’»")
"""What closes speech, behind which a sentence may go on: ``"Why?" they asked``."""
STOPS = (
    "!?…\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0964\u0965\u104a\u104b\u1362\u1367\u1368"
    "\u166e\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b5a\u1b5b\u1b5e\u1b5f\u1c3b\u1c3c\u1c7e"
    "\u1c7f\u203c\u203d\u2047-\u2049\u0f0d\u0f0e\ua4ff\ua60e\ua60f\ua8ce\ua8cf\uaa5d-\uaa5f\uabeb"
)
"""The marks that end a sentence before a blank, of the scripts in use (Unicode's property
Sentence_Terminal): Armenian, Arabic, Syriac, Devanagari, Burmese, Ethiopic, Khmer, Tibetan …"""
WIDE_STOPS = "。｡！？；…\ufe12\ufe52\ufe56\ufe57"
_WIDE = rf"(?:[{WIDE_STOPS}]|．(?![0-9０-９]))"
_WIDE_CLOSER = r"[”’」』）》】〉〕］｝\"')\]*_~`]"
LONGEST_LABEL = 80
"""What is longer is a sentence in bold and no label, in code points."""
_LABEL_STOPS = rf".:：{STOPS}{WIDE_STOPS}"
BORDER = r"[\s\u200b]|<wbr\b"
SENTENCE_END = pattern(
    # from the first of a run of marks only, else a line of dots takes time by its square
    rf"(?<![.{STOPS}])[.{STOPS}]+{BEHIND}(?={BORDER})"
    rf"|{_WIDE}(?:{_WIDE}|{_WIDE_CLOSER}|{_NOTE.replace('raised', 'lifted')})*"
    r"|(?:(?<! ) {2,}|(?<!\\)\\)(?=[\r\n])"
)
"""The last is a hard line break (CommonMark 6.7), of verse or an address."""
LABEL = re.compile(
    r"(?m:^|(?<=\r))[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?"
    rf"(?P<mark>\*{{1,3}}|_{{1,3}})(?![\s*_])(?:(?!(?P=mark))[^\r\n]){{1,{LONGEST_LABEL}}}"
    rf"(?:(?<=[{_LABEL_STOPS}])(?P=mark)|(?P=mark)[{_LABEL_STOPS}])(?![*_])"
)
"""A bold or italic label at a line's start that what it opens follows: ``**Leap.** The toad …``."""
BARE = re.compile(r"(?:\A|(?<=[\r\n]))[ \t>]*\Z")
MARGIN = 16
"""How far from its line's start a mark may stand that no text is before."""
CITED = re.compile(r"と(?!ころ|ても|もあれ)|って|なんて|など")
"""How Japanese goes on behind words that it quotes: ``「行くのか？」と聞いた``."""
CELL_START = re.compile(r"(?<=[^\s\\>|])[ \t]*\|[ \t]*(?=[^\s|:-])")
"""The border before a cell that is neither a row's first nor of a delimiter row."""
ADDRESS = re.compile(r"(?<![a-z])[a-z]{2,12}://[^\s\"'`<>()\[\]{}，、；：）。]+")
"""An address that is too long for a chunk is filled up, so that its beginning tells what it is."""
MEMBER_END = re.compile(r"(?:[)\]}][,;]|[;}])[ \t]*(?=[^\s,;)\]}])")
"""Behind a statement, or a member of a list of lists or objects, on one line of code or data."""
ITEM_END = re.compile(r",+[ \t]*(?=\S)")
CLAUSE_END = re.compile(r"[，、,;:：)）]+(?=\S)")
OPENING = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*"
    rf"(?:\[[ xX]\][ \t]+|(?:`{{3,}}|~{{3,}})[^`\r\n]*{LINE_BREAK}[ \t>]*)?"
)
"""What stands before a block's own text: marks, a fence. A cut behind it would strand it."""
MARKS = 4
"""So many pieces may be made of what stands before a block's own text, as ``- [ ] `` is three."""
CLOSING = re.compile(r"(?<=[\r\n])[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z")
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
CLUSTER_WINDOW = 256
"""Code points in which clusters are looked for at once."""
Cut = tuple[int, str]
"""An offset inside a block, and the kind of cut it would be."""
Rung = Callable[[str, int, int], Iterable[Cut]]


def sentences(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the starts of sentences, by the scripts' end marks; not in 3.14, not after e.g."""
    first, last = _own_text(source, start, end)
    opened = _opened(source, start, end)
    for match in SENTENCE_END.finditer(source, start, end):
        after = match.end()
        gap = GAP.match(source, after, end) or NO_WIDTH.match(source, after, end)
        place = gap.end() if gap else after
        following, mark = source[place : min(end, place + 1)], match[0]
        if BARE.search(source, max(start, match.start() - MARGIN), match.start()):
            continue  # of a line that begins with it, as in a listing: ``?? new.md``
        spoken = mark[0] in "!?" and mark[-1] in SPOKEN
        if following.islower() and (spoken or mark[0] in ".…"):
            continue
        if mark == "." and goes_on(source, start, match.start(), place):
            continue
        if mark[-1] in "」』”" and CITED.match(source, place, end):
            continue
        offset = _after(gap) if gap else after
        if following and first < offset < last and offset not in opened:
            yield offset, "sentence"


def lines(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the starts of lines: of a log, a chat, a wrapped text."""
    return (cut for cut in words(source, start, end) if cut[1] == "line")


def cells(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the starts of cells in a row of a table, but for the first."""
    yield from ((border.end(), "table_cell") for border in CELL_START.finditer(source, start, end))


def words(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the starts of words and of lines."""
    first, last = _own_text(source, start, end)
    opened = _opened(source, start, end)
    yield from (
        cut
        for cut in spaces(source, start, end)
        if first < cut[0] < last and cut[0] not in opened and not _bound(source, start, cut)
    )


def _bound(source: str, start: int, cut: Cut) -> bool:
    """Return whether a word belongs to the one before it: ``10 km``, ``Fig. 3``, ``3. Mai``."""
    offset, kind = cut
    if source[offset - 1] in NO_BREAK:
        return True
    dot = offset - 2
    return kind == "word" and source[dot] == "." and goes_on(source, start, dot, offset)


def _opened(source: str, start: int, end: int) -> frozenset[int]:
    """Find where the text starts that labels at the starts of lines open."""
    ends = (label.end() for label in LABEL.finditer(source, start, end))
    gaps = ((after, GAP.match(source, after, end)) for after in ends)
    return frozenset(_after(gap) if gap else after for after, gap in gaps)


def _own_text(source: str, start: int, end: int) -> tuple[int, int]:
    """Find where a block's own text starts, and where its last line does if that is a fence."""
    opening = OPENING.match(source, start, end)
    closing = CLOSING.search(source, start, end)
    return opening.end() if opening else start, closing.start() if closing else end


def spaces(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the starts of words again, those behind a block's marker or any space too."""
    for gap in GAP.finditer(source, start, end):
        # marks of a quote may be all that a last line shows
        if gap.end() < end or ">" in gap[0]:
            yield _after(gap), "word" if gap["prefix"] is None else "line"


def borders(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the borders of words that have no width: of Khmer and Thai, and hidden hyphens."""
    first, last = _own_text(source, start, end)
    for border in NO_WIDTH.finditer(source, start, end):
        if first < border.end() < last:
            yield border.end(), "word"


def members(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the places between statements, objects and the like, not in addresses."""
    yield from _outside_addresses(MEMBER_END, source, start, end)


def items(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the places behind the commas of code and data, not in addresses."""
    yield from _outside_addresses(ITEM_END, source, start, end)


def clauses(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the places after a comma or the like: scripts without spaces, data; not in addresses."""
    yield from _outside_addresses(CLAUSE_END, source, start, end)


def _outside_addresses(ends: re.Pattern[str], source: str, start: int, end: int) -> Iterator[Cut]:
    addresses = Intervals(match.span() for match in ADDRESS.finditer(source, start, end))
    for match in ends.finditer(source, start, end):
        if addresses.around(match.end()) < 0:
            yield match.end(), "word"


def _after(gap: re.Match[str]) -> int:
    return gap.end() if gap["prefix"] is None else gap.start("prefix")


# spaces twice: to the first pass, the marks that start a line are part of the gap before it
TEXT: Sequence[Rung] = (lines, words, borders, spaces, spaces, clauses)
PROSE: Sequence[Rung] = (sentences, *TEXT)
ROW: Sequence[Rung] = (cells, *TEXT)
CODE: Sequence[Rung] = (lines, members, items, *TEXT)


class Intervals:
    """Stretches that no cut may enter, as sorted and disjoint ranges."""

    __slots__ = ("ends", "starts")

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(ranges):
            if self.ends and start < self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def around(self, offset: int) -> int:
        """Return the start of the stretch that an offset is strictly inside of, else -1."""
        nearest = bisect_right(self.starts, offset - 1) - 1
        return self.starts[nearest] if nearest >= 0 and offset < self.ends[nearest] else -1

    def past(self, offset: int) -> int:
        """Return the end of the stretch that starts at an offset or holds it."""
        return self.ends[bisect_right(self.starts, offset) - 1]


def constructs(source: str, start: int, end: int, budget: Budget) -> Intervals:
    """Find the inline constructs that fit into a limit."""
    return Intervals(span for span in inline_spans(source, start, end) if budget.fits(*span))


def cuts(rung: Rung, source: str, start: int, end: int, closed: Intervals) -> list[Cut]:
    """List the places of one rung that lie in no closed stretch and in no grapheme cluster."""
    return [
        (offset, kind)
        for offset, kind in rung(source, start, end)
        if start < offset < end
        and closed.around(offset) < 0
        and not _joins(source[offset])
        and not _closes(source, offset, kind)
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
        # a word with blanks and marks behind it may fit alone
        word = not GAP.search(source, cut[0], shown)
        at = _marked(source, refined, first) if word else len(refined) - 1
        del refined[at + 1 :]
        most = first if word and not at else budget
        refined += _fill(source, refined[at][0], shown, budget, closed, most)
    return refined


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
    for rung in TEXT:
        if found := cuts(rung, source, start, end, closed):
            return min(found, key=lambda cut: abs(cut[0] - middle))
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
