"""The headings of a document, with the ids that its author gave them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter

from mdchunk.document import Document
from mdchunk.integrations.sites.headings import LEAD, LEAD_SOURCE, Title, comparable
from mdchunk.integrations.sites.page_headings import html_anchors
from mdchunk.model import Span
from mdchunk.parsing.heading_text import LINE_BREAK, plain_text

EXPLICIT_ID = re.compile(
    r"(?:\{[^{}]*#([^\s{}#]+)(?=[\s{}#])(?:[^{}#]|#(?![^\s{}#]))*\}"
    r"|<!--\s*#((?:(?!-->|<!--)[^\s{}#])+)(?=[\s#]|-->)(?:(?!-->|<!--)[^{}])*-->)[ \t#]*\Z"
)
"""``{#id}`` at a heading's end (Python-Markdown, Hugo, Docusaurus, VitePress), or in a comment.

The last of several counts in braces, the first in a comment. Each part ends in one way only, so
that a heading of nothing but marks takes linear time.
"""


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
