"""Where a block may be cut that cannot be whole: sentences, lines, cells, words, clauses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from mdchunk.cutting.abbreviations import goes_on
from mdchunk.cutting.intervals import Intervals
from mdchunk.lines import pattern

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
EMPHASIS = "*_~"
"""What closes a text in bold or the like, whose dot is no other than one without."""
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
LABEL = pattern(
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
CELL_START = pattern(r"(?<=[^\s\\>|])[ \t]*\|[ \t]*(?=[^\s|:-])")
"""The border before a cell that is neither a row's first nor of a delimiter row."""
ADDRESS = re.compile(r"(?<![a-z])[a-z]{2,12}://[^\s\"'`<>()\[\]{}，、；：）。]+")
"""An address that is too long for a chunk is filled up, so that its beginning tells what it is."""
MEMBER_END = pattern(r"(?:[)\]}][,;]|[;}])[ \t]*(?=[^\s,;)\]}])")
"""Behind a statement, or a member of a list of lists or objects, on one line of code or data."""
ITEM_END = re.compile(r",+[ \t]*(?=\S)")
CLAUSE_END = re.compile(r"[，、,;:：)）]+(?=\S)")
PHRASE_END = pattern(r"[;:,、，；：—–)）\]][\"'”’»)*_~]*\s+\Z")
"""The end of a phrase and the blanks behind it."""
OPENING = pattern(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*"
    rf"(?:\[[ xX]\][ \t]+|(?:`{{3,}}|~{{3,}})[^`\r\n]*{LINE_BREAK}[ \t>]*)?"
)
"""What stands before a block's own text: marks, a fence. A cut behind it would strand it."""
CLOSING = re.compile(r"(?<=[\r\n])[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z")
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
        if mark.rstrip(EMPHASIS) == "." and goes_on(source, start, match.start(), place):
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


def phrases(source: str, start: int, end: int) -> Iterator[Cut]:
    """Find the words in a line behind a semicolon, a comma, a dash or the like."""
    yield from (
        cut
        for cut in words(source, start, end)
        if cut[1] == "word" and PHRASE_END.search(source, max(start, cut[0] - MARGIN), cut[0])
    )


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
PROSE: Sequence[Rung] = (sentences, lines, phrases, *TEXT[1:])
ROW: Sequence[Rung] = (cells, *TEXT)
CODE: Sequence[Rung] = (lines, members, items, *TEXT)
