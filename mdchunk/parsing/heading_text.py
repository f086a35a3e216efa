"""A heading's text as a reader sees it: no markup, no attribute list, entities decoded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

MARKUP = re.compile(r"[\\`*_\[\]<>&!{~$:^=|\n]")
_ATTRIBUTE = r"(?::\s*)?(?:[#.][^{}\s]+|[\w-]+=(?:\"[^\"]*\"|[^{}\s\"][^{}\s]*)|-)"
ATTRIBUTES = re.compile(rf"\s*{_ATTRIBUTE}(?:\s+{_ATTRIBUTE})*\s*|/\*[^{{}}]*\*/")
"""What stands in braces at a heading's end: ``#id .class key=value`` (Pandoc, also ``-``, kramdown,
Python-Markdown), or ``/* id */`` (React's documentation, Docusaurus)."""
LONGEST_TITLE = 2000
MOST_BRACKETS = 50
"""What is longer or has more stays as it is written: brackets take time by their square."""
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
PERMALINK = re.compile(
    rf"\[(?:[#¶§🔗\ufe0f{UNSEEN}]|&para;|&#\w{{1,9}};)*\]"
    r"\((?:<[^<>\n]*>|[^\s()<>]*)(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
)
"""A heading's link to itself, as in pages that were made of HTML: ``[¶](#install "Link")``."""
LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
HTML_TITLE = re.compile(r"<h1\b[^<>]*>((?:[^<]|<(?!/?h1\b)){0,2000})</h1\s*>", re.IGNORECASE)
IMAGE_TEXT = re.compile(r"<img\b[^<>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
CLOSING = re.compile(r"(?:\A|(?<![ \t])[ \t]+)#+\Z")


def plain_text(content: str, parser: MarkdownIt, env: EnvType) -> str:
    """Give inline Markdown as plain text, white space folded (CommonMark 6, mdast ``toString``)."""
    if content.endswith("}"):
        content = _without_attributes(content)
    simple = len(content) <= LONGEST_TITLE and content.count("[") <= MOST_BRACKETS
    if simple and MARKUP.search(content):
        content = PERMALINK.sub("", content) if "](" in content else content
        tokens: list[Token] = []
        parser.inline.parse(content, parser, env, tokens)
        content = _text(tokens)
    return " ".join(content.split()).strip(UNSEEN)


def html_title(source: str, start: int, end: int) -> str:
    """Give the text of the first ``h1`` in a piece of HTML, else that of its image; "" for none.

    READMEs have theirs so, in the middle of the page and with a logo.
    """
    found = HTML_TITLE.search(source, start, end)
    if found is None:
        return ""
    image = IMAGE_TEXT.search(found[1])
    text = TAG.sub(" ", found[1]).strip() or (image and (image[1] or image[2])) or ""
    return " ".join(unescape(text).split()).strip(UNSEEN)


def _without_attributes(content: str) -> str:
    bare, _, attributes = content[:-1].rpartition("{")
    # Docusaurus takes braces that a translator's tool has escaped
    if not ATTRIBUTES.fullmatch(attributes.removesuffix("\\")):
        return content
    # the closing hashes of a heading may stand before its attributes (Pandoc)
    return CLOSING.sub("", bare.removesuffix("\\").rstrip())


def _text(tokens: Sequence[Token]) -> str:
    return "".join(_piece(token) for token in tokens)


def _piece(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return _text(token.children or ())
    if token.type == "html_inline":
        return " " if LINE_BREAK.match(token.content) else ""
    return token.content
