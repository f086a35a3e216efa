"""A heading's text as a reader sees it: no markup, no attribute list, entities decoded."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
CLOSING = re.compile(r"(?:\A|(?<![ \t])[ \t]+)#+\Z")


def plain_text(content: str, parser: MarkdownIt, env: EnvType) -> str:
    """Give inline Markdown as plain text, white space folded (CommonMark 6, mdast ``toString``)."""
    if content.endswith("}"):
        content = _without_attributes(content)
    simple = len(content) <= LONGEST_TITLE and content.count("[") <= MOST_BRACKETS
    if simple and MARKUP.search(content):
        tokens: list[Token] = []
        parser.inline.parse(content, parser, env, tokens)
        content = _text(tokens)
    return " ".join(content.split())


def _without_attributes(content: str) -> str:
    bare, _, attributes = content[:-1].rpartition("{")
    if not ATTRIBUTES.fullmatch(attributes):
        return content
    # the closing hashes of a heading may stand before its attributes (Pandoc)
    return CLOSING.sub("", bare.rstrip())


def _text(tokens: Sequence[Token]) -> str:
    return "".join(_piece(token) for token in tokens)


def _piece(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return _text(token.children or ())
    return "" if token.type == "html_inline" else token.content
