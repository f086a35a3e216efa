"""Where the addresses of links and images stand in a document, in Markdown and in HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple

from markdown_it import MarkdownIt

from mdchunk.lines import pattern
from mdchunk.model import Definition
from mdchunk.rules import READING
from mdchunk.structure.plain.content import Content
from mdchunk.structure.plain.html import TOKEN
from mdchunk.structure.plain.inline import inline_tokens
from mdchunk.structure.plain.reader import Blocks, Parsed

ATTRIBUTE = pattern(r"""(?<![^\s"'/])(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
BEFORE = pattern(r"[ \t]*(?:\n[ \t>]*)?")
"""What may stand before an address: blanks, and a line end with the marks of quotes behind it."""


class Target(NamedTuple):
    """The address of a link or image: ``source[start:end]``, and what it says without escapes.

    ``html`` is True where it is the value of an attribute.
    """

    start: int
    end: int
    text: str
    html: bool


def read_targets(parsed: Parsed, definitions: Sequence[Definition]) -> list[Target]:
    """Return the addresses in a document, in source order; those in angle brackets are whole.

    A link by a label has none of its own; its definition has.
    """
    links = _Links(parsed)
    Blocks(parsed, links).read()
    return sorted({*links.found, *_defined(parsed.source, definitions, parsed.parser)})


class _Links:
    """Reads the texts of blocks for addresses."""

    def __init__(self, parsed: Parsed) -> None:
        self.found: list[Target] = []
        self.source = parsed.source
        self.parser = parsed.parser
        self.env = parsed.env

    def gap(self, gap: str) -> None:
        """Pass over what parts blocks."""

    def lines(self, content: Content, start: int, end: int) -> None:
        """Pass over code, in which nothing is a link."""

    def whole(self, content: Content, offset: int, text: str) -> None:
        """Pass over words that stand for something."""

    def html(self, content: Content, start: int, end: int) -> None:
        """Read the attributes of tags."""
        for tag in TOKEN.finditer(content.text, start, end):
            for found in ATTRIBUTE.finditer(content.text, *tag.span("attributes")):
                self._take(content, *found.span(found.lastindex or 0), html=True)

    def inline(self, content: Content, start: int, end: int, first_in: str = "") -> None:
        """Read inline Markdown."""
        text = content.text[start:end]
        for token, place in inline_tokens(text, self.parser, {**self.env, READING: first_in}):
            if token.type == "html_inline":
                self.html(content, start + place, start + place + len(token.content))
            elif token.type == "link_close":
                self._behind(content, start, text, place)
            elif token.type == "image":
                self._behind(content, start, text, place + len("![") + len(token.content))

    def _behind(self, content: Content, start: int, text: str, place: int) -> None:
        """Take the address behind the label that ends at a place."""
        if not text.startswith("](", place):
            return
        begin, end = _destination(text, place + len("]("), self.parser)
        self._take(content, start + begin, start + end)

    def _take(self, content: Content, begin: int, end: int, *, html: bool = False) -> None:
        """Take what stands in the source as it does in the text."""
        written = content.text[begin:end]
        if begin == end:
            return
        place = content.at(begin)
        stop = content.at(end - 1) + 1
        if self.source[place:stop].replace("\\|", "|") == written.replace("\\|", "|"):
            text = unescape(written).strip() if html else said(written, self.parser)
            self.found.append(Target(place, stop, text, html))


def said(written: str, parser: MarkdownIt) -> str:
    """Return what the address of a link says, without brackets and escapes."""
    found: str = parser.helpers.parseLinkDestination(written, 0, len(written)).str
    return found


def _destination(text: str, place: int, parser: MarkdownIt) -> tuple[int, int]:
    """Find the address at a place, blanks before it apart; nothing if there is none."""
    blank = BEFORE.match(text, place)
    place = blank.end() if blank else place
    found = parser.helpers.parseLinkDestination(text, place, len(text))
    return (place, found.pos) if found.ok else (place, place)


def _defined(
    source: str, definitions: Sequence[Definition], parser: MarkdownIt
) -> Iterator[Target]:
    """Find the addresses of link definitions; those in footnotes are links in their texts."""
    for definition in definitions:
        if definition.label.startswith("^"):
            continue
        place = definition.start + len(f"[{definition.label}]:")
        begin, end = _destination(source, place, parser)
        if begin < end <= definition.end:
            yield Target(begin, end, said(source[begin:end], parser), html=False)
