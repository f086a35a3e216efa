"""The headings of a page of HTML, with their ids."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

from mdchunk.integrations.sites.headings import LEAD, LEAD_SOURCE, Anchor, comparable

LEVELS = {f"h{level}": level for level in range(1, 7)}
UNSEEN = frozenset({"script", "style", "template", "svg"})
LINK_CLASSES = frozenset({"headerlink", "header-anchor", "anchor", "anchorjs-link", "hash-link"})
"""Classes of the link to itself that a host puts into a heading."""
PIECE = 1 << 16
"""So many characters of a page are read at once."""
UNENDED = 1 << 20
"""A tag or comment that has not ended after so many characters is text; so long none is."""
PAGE = 1 << 24
"""What a page has after so many characters is not read."""


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
