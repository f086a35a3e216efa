"""The headings of a document, and the anchors that a site gave them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html.parser import HTMLParser
from itertools import count
from operator import attrgetter
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from mdchunk.document import Document
from mdchunk.model import Span
from mdchunk.parsing.heading_text import LINE_BREAK, plain_text

LEVELS = {f"h{level}": level for level in range(1, 7)}
EXPLICIT_ID = re.compile(
    r"(?:\{[^{}]*#([^\s{}#]+)(?=[\s{}#])(?:[^{}#]|#(?![^\s{}#]))*\}"
    r"|<!--\s*#((?:(?!-->|<!--)[^\s{}#])+)(?=[\s#]|-->)(?:(?!-->|<!--)[^{}])*-->)[ \t#]*\Z"
)
"""``{#id}`` at a heading's end (Python-Markdown, Hugo, Docusaurus, VitePress), or in a comment.

The last of several counts in braces, the first in a comment. Each part ends in one way only, so
that a heading of nothing but marks takes linear time.
"""
BRACES = re.compile(r"\{[^{}]*\}\s*\Z")
SHORTCODE = re.compile(r":[\w+-]+:")
NOT_WORDS = re.compile(r"[\W_]+")
UNSEEN = frozenset({"script", "style", "template", "svg"})
LINK_CLASSES = frozenset({"headerlink", "header-anchor", "anchor", "anchorjs-link", "hash-link"})
"""Classes of the link to itself that a host puts into a heading."""
PIECE = 1 << 16
"""So many characters of a page are read at once."""
UNENDED = 1 << 20
"""A tag or comment that has not ended after so many characters is text; so long none is."""
PAGE = 1 << 24
"""What a page has after so many characters is not read."""
LEAD = 12
"""So many letters after a heading tell it from one of the same text; more meet more markup."""
LEAD_SOURCE = 200
WINDOW = 32
"""So many headings of each side are compared at once where none is the only one of its text."""
Pairs = list[tuple[int, int]]
T = TypeVar("T")


class Title(NamedTuple):
    """A heading in the source; ``own`` is False where a list, quote or the like holds it.

    ``lead`` is how what follows begins, as ``comparable`` has it; ``lines`` counts those of the
    heading, an underline too; ``raw`` is True for an element of HTML.
    """

    offset: int
    line: int
    level: int
    text: str
    explicit: str
    own: bool
    lead: str = ""
    lines: int = 1
    raw: bool = False


class Anchor(NamedTuple):
    """A heading in a page; ``id`` is empty if nothing can link to it."""

    level: int
    text: str
    id: str
    lead: str = ""


class Place(NamedTuple):
    """A heading of the document itself and the id that stands in the page, if it was found."""

    title: Title
    id: str


Typed = Callable[[str], str]


def titles(document: Document, typed: Typed | None = None) -> list[Title]:
    """List all headings of a document that was parsed with its tokens kept, in source order.

    Those in containers count too: a page shows them, and its ids are numbered with them. Texts are
    made of what ``typed`` makes of a heading's Markdown.
    """
    raw = _html_headings(document)
    found = [*_titles(document, typed or str, raw), *_html_titles(document, raw)]
    return sorted(found, key=attrgetter("offset"))


def _html_headings(document: Document) -> dict[int, Span]:
    """Find the headings of the document itself that are HTML, with their blocks, by number."""
    starts = document.lines.starts
    tokens = document.tokens
    marked = {starts[it.map[0]] for it in tokens if it.type == "heading_open" and it.map}
    blocks = [block for block in document.structure.blocks if block.kind == "heading"]
    begins = [block.start for block in blocks]
    found: dict[int, Span] = {}
    for number, heading in enumerate(document.structure.headings):
        # a section may begin with what stands right before its heading
        place = bisect_left(begins, heading.offset)
        if place < len(begins) and begins[place] not in marked:
            found[number] = blocks[place]
    return found


def _html_titles(document: Document, raw: Mapping[int, Span]) -> Iterator[Title]:
    """List the headings that are HTML; each has the id that is written there, or none."""
    source = document.source
    for number, block in raw.items():
        offset, level, text = document.structure.headings[number]
        ids = [it.id for it in html_anchors(source[block.start : block.end])]
        lead = comparable(source[block.end : block.end + LEAD_SOURCE])[:LEAD]
        line = document.lines.of(offset)
        lines = document.lines.of(block.end - 1) - line + 1
        yield Title(offset, line, level, text, "".join(ids[:1]), True, lead, lines, raw=True)


def _titles(document: Document, typed: Typed, raw: Mapping[int, Span]) -> Iterator[Title]:
    headings = enumerate(document.structure.headings)
    own = iter([heading for number, heading in headings if number not in raw])
    coming = next(own, None)
    parser, env, starts = document.syntax.parser, document.env, document.lines.starts
    for token, inline in zip(document.tokens, document.tokens[1:], strict=False):
        if token.type != "heading_open" or not token.map:
            continue
        line = token.map[0]
        offset, mine = starts[line], False
        # one of the document itself may begin with the label before it, and never comes later
        if coming is not None and coming.offset <= offset:
            offset, mine = coming.offset, True
            coming = next(own, None)
        found = EXPLICIT_ID.search(inline.content)
        # an id is made of the text alone, in which a line break is nothing
        text = plain_text(LINE_BREAK.sub("", typed(inline.content)), parser, env)
        after = starts[token.map[1]]
        lead = comparable(document.source[after : after + LEAD_SOURCE])[:LEAD]
        explicit = (found[1] or found[2]) if found else ""
        lines = token.map[1] - line
        yield Title(offset, line, int(token.tag[1]), text, explicit, mine, lead, lines)


def html_anchors(html: str) -> list[Anchor]:
    """Read the headings and their ids from a page's HTML."""
    reader = HeadingReader()
    reader.read(html)
    return list(reader.anchors())


class HeadingReader(HTMLParser):
    """Collects the headings of a page; the links to themselves are no part of their text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[Anchor, int]] = []
        self.level = 0
        self.id = ""
        self.text: list[str] = []
        self.skipped: list[str] = []
        self.all: list[str] = []  # text outside headings and in them, in pieces
        self.section = ""  # the id of a section in which nothing is shown yet
        self.rawdata = ""

    def read(self, html: str) -> None:
        """Read a page in little more than linear time, whatever it holds.

        What is left of it when it ends is no whole tag; to close the parser would be to try it as
        one from each of its characters on.
        """
        for start in range(0, min(len(html), PAGE), PIECE):
            self.feed(html[start : start + PIECE])
            if len(self.rawdata) > UNENDED:
                self.rawdata = self.rawdata[-len("</template") :]

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Take ``<![`` as browsers do, for a comment; the base class fails at what it lacks."""
        return self.parse_bogus_comment(i, report)

    def anchors(self) -> Iterator[Anchor]:
        """Return the headings, each with how what follows begins."""
        leads: list[str] = []
        lead, end = "", len(self.all)
        # from the last, whose own lead stands for all behind it: many pieces may have no letter
        for _, start in reversed(self.found):
            text, piece = "", start
            while len(text) < LEAD and piece < end:
                text += comparable(self.all[piece][:LEAD_SOURCE])
                piece += 1
            lead, end = (text + lead)[:LEAD], start
            leads.append(lead)
        for (anchor, _), own in zip(self.found, reversed(leads), strict=True):
            yield anchor._replace(lead=own)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a heading, or note what one holds."""
        values = {name: value or "" for name, value in attrs}
        if tag in LEVELS:
            self.level, self.text, self.skipped = LEVELS[tag], [], []
            self.id = values.get("id", "") or self.section
            self.section = ""
        elif self.level:
            self._inside(tag, values)
        elif tag in UNSEEN:
            self.skipped.append(tag)
        elif tag == "section" or "section" in values.get("class", "").split():
            self.section = values.get("id", "")

    def _inside(self, tag: str, values: dict[str, str]) -> None:
        if tag == "img" and not self.skipped:
            self.text.append(values.get("alt", ""))
        classes = set(values.get("class", "").split())
        to_itself = tag == "a" and bool(classes & LINK_CLASSES)
        if tag == "a" and not self.id:
            href = values.get("href", "") if to_itself else ""
            target = unquote(href[1:]) if href.startswith("#") else ""
            self.id = values.get("id") or values.get("name") or target
        footnote = tag == "sup" and values.get("id", "").startswith("fnref")
        if self.skipped:
            if tag == self.skipped[-1]:
                self.skipped.append(tag)
        elif tag in UNSEEN or footnote or to_itself:
            self.skipped.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close a heading, or what is skipped."""
        if self.skipped and tag == self.skipped[-1]:
            self.skipped.pop()
        elif self.level and LEVELS.get(tag) == self.level:
            text = "".join(self.text)
            self.all.append(text)
            self.found.append((Anchor(self.level, text, self.id), len(self.all)))
            self.level = 0

    def handle_data(self, data: str) -> None:
        """Take text that a reader sees."""
        if not self.skipped:
            if not data.isspace():
                self.section = ""
            (self.text if self.level else self.all).append(data)


def align(document: Document, anchors: Sequence[Anchor]) -> list[Place]:
    """Return, for each heading of the document itself, the id that the page has for it.

    Headings that only one side has (a snippet's, one in raw HTML) stand in the way of no other.
    Where several have one text, what follows them tells which is which, and so it does where the
    text is not the same.
    """
    ours = titles(document)
    # what is no attribute list to all is to some, and no part of the title then
    left = [(t.level, comparable(BRACES.sub("", t.text)), t.lead) for t in ours]
    right = [(a.level, comparable(BRACES.sub("", a.text)), a.lead) for a in anchors]
    pairs = _matches(left, right)
    # what follows may be short, and what then follows set differently on both sides
    for length in (LEAD // 2, LEAD // 4, 0):
        cut = [[_cut(key, length) for key in side] for side in (left, right)]
        pairs = _filled(pairs, cut[0], cut[1], _matches)
    # a host may write © for (c) and the like; of what nothing follows there is no telling
    below = [_below(key, -1 - i) for i, key in enumerate(left)], [*map(_below, right, count(1))]
    pairs = _filled(pairs, *below, _matches)
    # a theme, or the one title that a page may have, moves headings to another level
    texts = [text or str(-1 - i) for i, (_, text, _) in enumerate(left)], [key[1] for key in right]
    found = dict(_filled(pairs, *texts, _matches))
    ids = [anchors[found[i]].id if i in found else "" for i in range(len(ours))]
    return [Place(title, id_) for title, id_ in zip(ours, ids, strict=True) if title.own]


Key = tuple[int, str, str]
"""A heading's level, its text, and what follows it."""


def _cut(key: Key, length: int) -> Key:
    level, text, lead = key
    return level, text, lead[:length]


def _below(key: Key, number: int) -> tuple[int, str, int]:
    """Return a heading's level and what follows it, or a number of its own where nothing does."""
    level, _, lead = key
    return level, lead, 0 if lead else number


def _matches(left: Sequence[object], right: Sequence[object]) -> Pairs:
    """Pair what is equal on both sides, in order: first what each has once, then what is between.

    That takes little more than linear time, however many are equal.
    """
    once = [Counter(left), Counter(right)]
    where = {key: b for b, key in enumerate(right) if all(count[key] == 1 for count in once)}
    sure = [(a, where[key]) for a, key in enumerate(left) if key in where]
    return _filled(_rising(sure), left, right, _near)


def _rising(pairs: Pairs) -> Pairs:
    """Keep the most pairs, in the order of the left, that are in order on the right too."""
    # by length, how a row of pairs ends at best: where on the right, and with which pair
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, b) in enumerate(pairs):
        length = bisect_left(ends, b)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [b], [number]
    found: Pairs = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _filled(
    sure: Pairs,
    left: Sequence[T],
    right: Sequence[T],
    match: Callable[[Sequence[T], Sequence[T]], Pairs],
) -> Pairs:
    """Add the pairs that are found between sure ones: what is next to one belongs to it."""
    found: Pairs = []
    a = b = 0
    for next_a, next_b in [*sure, (len(left), len(right))]:
        between = left[a:next_a], right[b:next_b]
        if sure and not found:
            backward = match(between[0][::-1], between[1][::-1])
            found += [(next_a - 1 - i, next_b - 1 - j) for i, j in reversed(backward)]
        else:
            found += [(a + i, b + j) for i, j in match(*between)]
        found.append((next_a, next_b))
        a, b = next_a + 1, next_b + 1
    return found[:-1]


def _near(left: Sequence[object], right: Sequence[object]) -> Pairs:
    """Pair what is equal on both sides and not far apart, from the first on."""
    found: Pairs = []
    a = b = 0
    while (rest := len(left) - a) > 0 and (other := len(right) - b) > 0:
        pairs = [(0, 0)] if left[a] == right[b] else _window(left, right, a, b)
        if pairs:
            found += [(a + i, b + j) for i, j in pairs]
            a, b = found[-1][0] + 1, found[-1][1] + 1
        else:
            # the longer side has what the other lacks
            a += WINDOW if rest >= other else 0
            b += WINDOW if other >= rest else 0
    return found


def _window(left: Sequence[object], right: Sequence[object], a: int, b: int) -> Pairs:
    window = left[a : a + WINDOW], right[b : b + WINDOW]
    blocks = SequenceMatcher(None, *window, autojunk=False).get_matching_blocks()
    return [(i + n, j + n) for i, j, size in blocks for n in range(size)]


def comparable(text: str) -> str:
    """Fold what Markdown processors may set differently: marks, quotes, case, emoji codes."""
    return NOT_WORDS.sub("", SHORTCODE.sub("", text)).casefold()
