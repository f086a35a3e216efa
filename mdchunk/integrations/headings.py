"""The headings of a document, and the anchors that a site gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html.parser import HTMLParser
from typing import NamedTuple

from mdchunk.document import Document
from mdchunk.titles import plain_text

LEVELS = {f"h{level}": level for level in range(1, 7)}
EXPLICIT_ID = re.compile(r"(?:\{[^{}]*|<!--\s*)#(?P<id>[^\s{}#]+)[^{}]*?(?:\}|-->)[ \t#]*\Z")
"""``{#id}`` at a heading's end (Python-Markdown, Hugo, Docusaurus, VitePress), or in a comment."""
BRACES = re.compile(r"\{[^{}]*\}\s*\Z")
SHORTCODE = re.compile(r":[\w+-]+:")
NOT_WORDS = re.compile(r"[\W_]+")
UNSEEN = frozenset({"script", "style", "template", "svg"})
LINK_CLASSES = frozenset({"headerlink", "header-anchor", "anchor", "anchorjs-link", "hash-link"})
"""Classes of the link to itself that a host puts into a heading."""
LEAD = 12
"""So many letters after a heading tell it from one of the same text; more meet more markup."""
LEAD_SOURCE = 200


class Title(NamedTuple):
    """A heading in the source; ``own`` is False where a list, quote or the like holds it.

    ``lead`` is how what follows begins, as ``comparable`` has it.
    """

    offset: int
    line: int
    level: int
    text: str
    explicit: str
    own: bool
    lead: str = ""


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


def titles(document: Document) -> list[Title]:
    """List all headings of a document that was parsed with its tokens kept, in source order.

    Those in containers count too: a page shows them, and its ids are numbered with them.
    """
    return list(_titles(document))


def _titles(document: Document) -> Iterator[Title]:
    own = iter(document.structure.headings)
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
        text = plain_text(inline.content, parser, env)
        after = starts[token.map[1]]
        lead = comparable(document.source[after : after + LEAD_SOURCE])[:LEAD]
        explicit = found["id"] if found else ""
        yield Title(offset, line, int(token.tag[1]), text, explicit, mine, lead)


def html_anchors(html: str) -> list[Anchor]:
    """Read the headings and their ids from a page's HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return list(reader.anchors())


class _Reader(HTMLParser):
    """Collects the headings of a page; the links to themselves are no part of their text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[Anchor, int]] = []
        self.level = 0
        self.id = ""
        self.text: list[str] = []
        self.skipped: list[str] = []
        self.all: list[str] = []  # text outside headings and in them, in pieces

    def anchors(self) -> Iterator[Anchor]:
        """Give the headings, each with how what follows begins."""
        for anchor, piece in self.found:
            lead = ""
            while len(lead) < LEAD and piece < len(self.all):
                lead += comparable(self.all[piece][:LEAD_SOURCE])
                piece += 1
            yield anchor._replace(lead=lead[:LEAD])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a heading, or note what one holds."""
        values = {name: value or "" for name, value in attrs}
        if tag in LEVELS:
            self.level, self.id, self.text = LEVELS[tag], values.get("id", ""), []
            self.skipped = []
        elif self.level:
            self._inside(tag, values)
        elif tag in UNSEEN:
            self.skipped.append(tag)

    def _inside(self, tag: str, values: dict[str, str]) -> None:
        if tag == "img" and not self.skipped:
            self.text.append(values.get("alt", ""))
        elif tag == "a" and not self.id:
            self.id = values.get("id") or values.get("name") or ""
        classes = set(values.get("class", "").split())
        footnote = tag == "sup" and values.get("id", "").startswith("fnref")
        if self.skipped:
            if tag == self.skipped[-1]:
                self.skipped.append(tag)
        elif tag in UNSEEN or footnote or (tag == "a" and classes & LINK_CLASSES):
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
            (self.text if self.level else self.all).append(data)


def align(document: Document, anchors: Sequence[Anchor]) -> list[Place]:
    """Give each heading of the document itself the id that the page has for it.

    Headings that only one side has (a snippet's, one in raw HTML) stand in the way of no other.
    Where several have one text, what follows them tells which is which.
    """
    ours = titles(document)
    # what is no attribute list to all is to some, and no part of the title then
    left = [(t.level, comparable(BRACES.sub("", t.text)), t.lead) for t in ours]
    right = [(a.level, comparable(BRACES.sub("", a.text)), a.lead) for a in anchors]
    sure = [*_matches(left, right), (len(left), len(right))]
    found: dict[int, int] = {}
    a = b = 0
    for next_a, next_b in sure:
        weak = _matches([key[:2] for key in left[a:next_a]], [key[:2] for key in right[b:next_b]])
        found.update((a + i, b + j) for i, j in weak)
        found[next_a] = next_b
        a, b = next_a + 1, next_b + 1
    ids = [anchors[found[i]].id if i in found else "" for i in range(len(ours))]
    return [Place(title, id_) for title, id_ in zip(ours, ids, strict=True) if title.own]


def _matches(left: Sequence[object], right: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Pair what is equal on both sides, in order."""
    for a, b, size in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        yield from zip(range(a, a + size), range(b, b + size), strict=True)


def comparable(text: str) -> str:
    """Fold what Markdown processors may set differently: marks, quotes, case, emoji codes."""
    return NOT_WORDS.sub("", SHORTCODE.sub("", text)).casefold()
