"""A heading's text as a reader sees it: no markup, no attribute list, entities decoded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.lines import pattern

MARKUP = re.compile(r"[\\`*_\[\]<>&!{~$:^=|%\n]")
_HEADING_ATTRIBUTE = r"(?::\s*)?(?:[#.][^{}\s]+|[\w-]+=(?:\"[^\"]*\"|[^{}\s\"][^{}\s]*)|-)"
HEADING_ATTRIBUTES = pattern(
    rf"\s*{_HEADING_ATTRIBUTE}(?:\s+{_HEADING_ATTRIBUTE})*\s*|/\*[^{{}}]*\*/"
)
"""What stands in braces at a heading's end: ``#id .class key=value`` (Pandoc, also ``-``, kramdown,
Python-Markdown), or ``/* id */`` (React's documentation, Docusaurus)."""
_INNER = r"((?:[^\[\]]|\[[^\[\]]*\])*)"
SPAN = pattern(
    rf"(`+)[^`]+\1|\[{_INNER}\]\{{\s*{_HEADING_ATTRIBUTE}(?:\s+{_HEADING_ATTRIBUTE})*\s*\}}"
)
"""Pandoc's text with attributes: ``[words]{.underline}``, and an anchor of Word, ``[]{#_Toc1}``."""
HIDDEN = pattern(
    r"(`+)[^`]+\1"
    r"|%%[^%]*%%"  # a comment of Obsidian
    r"|\s\^[\w-]{2,}\s*\Z"  # the name of a block, by which Obsidian links to it
    r"|(?<!\\)(?:\[\^[^\[\]\s]+\]|\^\[[^\[\]]+\]|\[-?@[^\[\]]+\])"  # notes and citations
    r"|<sup\b[^<>]*>\s*(?:\\?\[.*?\\?\]|[*†‡]).*?</sup>"
    r"|\[\\?\[\d{1,3}\\?\]\]\(#[^()\s]*\)"
    r"|(?<![\w:/`]):[a-z+][\w+-]*:(?![\w:`(])"  # an icon or emoji: ``:rocket:``
    r"|\\?\[(?:edit|bearbeiten|modifier|editar|編集|编辑|править)\\?\]\s*\Z"  # of Wikipedia's pages
)
"""What stands in a heading and is shown to nobody, or is no word of its title; code is kept."""
MARKED = pattern(r"(`+)[^`]+\1|==(?=[^\s=])([^=]+)(?<=\S)==")
"""Words between the marks of a text marker: ``==key==``."""
BADGE = pattern(
    r"badge|shields\.io|/workflows/|travis-ci|codecov|coveralls|circleci|appveyor|goreportcard",
    re.IGNORECASE,
)
"""Where pictures come from that tell the state of a project."""
LONGEST_TITLE = 2000
MOST_BRACKETS = 50
"""What is longer or has more stays as it is written: brackets take time by their square."""
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
PERMALINK = pattern(
    rf"\[(?:[#¶§🔗\ufe0f{UNSEEN}]|&para;|&#\w{{1,9}};)*\]"
    r"\((?:<[^<>\n]*>|[^\s()<>]*)(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
)
"""A heading's link to itself, as in pages that were made of HTML: ``[¶](#install "Link")``."""
_OUTSIDE = MARKUP.pattern.replace("[", "[^", 1)
CODE_SPANS = re.compile(rf"(?:{_OUTSIDE}*`(?! )[^`\[\]{{}}\\\n]+(?<! )`(?!`))+{_OUTSIDE}*")
"""Text in which nothing has a meaning but single backticks, around what is code."""
LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
HTML_TITLE = pattern(r"<h1\b[^<>]*>((?:[^<]|<(?!/?h1\b)){0,2000})</h1\s*>", re.IGNORECASE)
IMAGE_TEXT = pattern(r"<img\b[^<>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
HTML_TAG = re.compile(r"<[^<>]*>")
CLOSING_HASHES = re.compile(r"(?:\A|(?<![ \t])[ \t]+)#+\Z")


def plain_text(content: str, parser: MarkdownIt, env: EnvType) -> str:
    """Return inline Markdown as plain text, white space folded (CommonMark 6, ``toString``)."""
    if content.endswith("}"):
        content = _without_attributes(content)
    simple = _is_simple(content)
    if simple and CODE_SPANS.fullmatch(content):
        content = content.replace("`", "")
    elif simple and MARKUP.search(content):
        content = _text(_inline(content, parser, env))
    return _folded(content)


def title_text(content: str, parser: MarkdownIt, env: EnvType) -> str:
    """Return a heading's inline Markdown as a reader sees it in a table of contents.

    Of its plain text, names of blocks, comments, notes, icons, and badges beside words are left
    out; what has nothing else is taken as it is.
    """
    marked = MARKUP.search(content) is not None
    if not marked and "}" not in content:
        return _folded(content)
    if not marked or CODE_SPANS.fullmatch(content) or not _is_simple(content):
        return plain_text(content, parser, env)
    if "{" in content:
        content = SPAN.sub(_kept, content)
    if content.endswith("}"):
        content = _without_attributes(content)
    content = MARKED.sub(_kept, content) if "==" in content else content
    shown = HIDDEN.sub(_code, content)
    return _folded(_title(_inline(shown if shown.strip() else content, parser, env)))


def _is_simple(content: str) -> bool:
    return len(content) <= LONGEST_TITLE and content.count("[") <= MOST_BRACKETS


def _inline(content: str, parser: MarkdownIt, env: EnvType) -> list[Token]:
    content = PERMALINK.sub("", content) if "](" in content else content
    tokens: list[Token] = []
    parser.inline.parse(content, parser, env, tokens)
    return tokens


def _folded(text: str) -> str:
    return " ".join(text.split()).strip(UNSEEN)


def _kept(match: re.Match[str]) -> str:
    """Return code as it is, else what the marks hold."""
    return match[0] if match[1] else match[2] or ""


def _code(match: re.Match[str]) -> str:
    return match[0] if match[1] else ""


def _title(tokens: Sequence[Token]) -> str:
    """Return the text without its badges, if there is any."""
    plain, links = [], 0
    for token in tokens:
        links += token.nesting if token.type.startswith("link_") else 0
        image = token.type == "image"
        if not image or not (links or BADGE.search(str(token.attrs.get("src", "")))):
            plain.append(token)
    words = _text(plain)
    if words.strip():
        return words
    logos = [
        token
        for token in tokens
        if token.type != "image" or not BADGE.search(str(token.attrs.get("src", "")))
    ]
    return _text(logos).strip() or _text(tokens)


def html_title(source: str, start: int, end: int) -> str:
    """Return the text of the first ``h1`` in a piece of HTML, else of its image, else "".

    READMEs have theirs so, in the middle of the page and with a logo.
    """
    found = HTML_TITLE.search(source, start, end)
    if found is None:
        return ""
    image = IMAGE_TEXT.search(found[1])
    text = HTML_TAG.sub(" ", found[1]).strip() or (image and (image[1] or image[2])) or ""
    return " ".join(unescape(text).split()).strip(UNSEEN)


def _without_attributes(content: str) -> str:
    bare, _, attributes = content[:-1].rpartition("{")
    # Docusaurus takes braces that a translator's tool has escaped
    if not HEADING_ATTRIBUTES.fullmatch(attributes.removesuffix("\\")):
        return content
    # the closing hashes of a heading may stand before its attributes (Pandoc)
    return CLOSING_HASHES.sub("", bare.removesuffix("\\").rstrip())


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
