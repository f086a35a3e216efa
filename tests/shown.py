"""What a reader sees of a page, told by markdown-it's HTML and Python's HTML parser: an oracle."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from markdown_it import MarkdownIt

UNSEEN = frozenset({"script", "style", "template"})
_PARTING = """
address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol
optgroup option p pre section summary table tbody td tfoot th thead title tr ul
"""
PARTING = frozenset(_PARTING.split())
WORD = re.compile(r"[^\W_]+")


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in UNSEEN
        if tag in PARTING:
            self.found.append(" ")
        if tag == "img":
            self.found.append(dict(attrs).get("alt") or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.unseen -= tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN and self.unseen > 0
        if tag in PARTING:
            self.found.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.found.append(data)


def renderer(*rules: str) -> MarkdownIt:
    """Make a parser of CommonMark and some more of markdown-it's rules; any address is a link."""
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(list(rules))
    parser.validateLink = lambda _: True  # type: ignore[method-assign]
    return parser


def shown(parser: MarkdownIt, source: str) -> str:
    """Render a source and return the text of the page."""
    texts = _Texts()
    texts.feed(parser.render(source))
    texts.close()
    return "".join(texts.found)


def words(text: str) -> Counter[str]:
    """Count the words of a text."""
    return Counter(WORD.findall(text))
