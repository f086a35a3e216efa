"""What each markdown-it token type means to a chunker: its kind, level, whether it stays whole."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple


class Rule(NamedTuple):
    """One token type's meaning.

    ``kind`` is mdast's name. ``protected`` keeps the block whole where it fits: ``"hard"`` (or
    True) against every cut, ``"soft"`` by lowering what is inside. ``level`` says which level of
    its score row applies: ``"tag"`` the heading level, ``"lists"`` the depth of lists, ``""`` the
    first. ``inside`` says where a block that holds no blocks is cut if it cannot fit: ``"code"`` at
    gaps, then lines, ``"rows"`` at table rows, ``"html"`` at rows and items, then lines,
    ``"lines"`` at lines, ``"text"`` at sentences; ``""`` marks a container. ``divided`` says how a
    single line of it is divided that cannot fit: as ``"code"``, as table ``"rows"``, as ``"prose"``
    (sentences first) or at ``"words"``; ``""`` is what fits ``inside``. ``row`` is the row of the
    score table (else ``kind``, else ``paragraph``), ``after`` the row of the place behind the
    block. ``section`` marks a container whose headings are the document's own and keep their
    scores. ``leads`` marks a block that belongs to the one after it: that block's place is where it
    stands, and no cut parts them; ``trails`` one that belongs to the block before it.

    What a block is to its neighbours: ``introduced`` by a paragraph before it that ends in a colon,
    or not; ``titled`` by a bold line before it, or not; ``captioned`` by the line before or behind
    it, or not. ``fenced`` marks a container that opens and closes with a fence, as code does: what
    is cut out of its middle can be read alone if both are repeated.
    """

    kind: str
    protected: Literal["hard", "soft", ""] | bool = ""
    level: Literal["tag", "lists", ""] = ""
    inside: Literal["code", "rows", "html", "lines", "text", ""] = ""
    row: str = ""
    after: str = ""
    section: bool = False
    leads: bool = False
    trails: bool = False
    introduced: bool = True
    titled: bool = True
    captioned: bool = False
    divided: Literal["code", "rows", "prose", "words", ""] = ""
    fenced: bool = False


COMMONMARK_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "heading_open": Rule(
            "heading", "hard", "tag", inside="lines", introduced=False, titled=False
        ),
        "paragraph_open": Rule("paragraph", inside="text", introduced=False),
        "fence": Rule("code", "hard", inside="code", captioned=True),
        "code_block": Rule("code", "hard", inside="code", captioned=True),
        "html_block": Rule("html", "hard", inside="html"),
        "hr": Rule("thematic_break", "hard", inside="lines", introduced=False, titled=False),
        "blockquote_open": Rule("blockquote", "hard"),
        "bullet_list_open": Rule("list", "soft", "lists", row="list_item", after="list_end"),
        "ordered_list_open": Rule("list", "soft", "lists", row="list_item", after="list_end"),
        "list_item_open": Rule("list_item", "hard", "lists", introduced=False),
        "definition": Rule("definition", "hard", inside="lines", introduced=False),
        "table_open": Rule("table", "hard", inside="rows", captioned=True),
    }
)
"""The rules of CommonMark's blocks and of markdown-it's own table."""
DIVIDED = MappingProxyType(
    {"code": "code", "rows": "rows", "html": "prose", "lines": "words", "text": "prose"}
)
"""How a line of a leaf is divided whose rule does not say so, by its ``inside``."""


CONTENT_LINE = "content_line"
"""In the meta of a token: the line in which its content begins, if no mark or fence tells it."""
WHOLES = "wholes"
"""In the meta of a token: the lines behind stretches that begin with it and stay whole where they
fit, the longest first."""
READING = "reading"
"""Set in the environment of inline rules while plain text is read: the type of the container whose
first text it is, else ""."""


class Reading(NamedTuple):
    """How a token reads where a reader's plain text is asked for.

    ``reads`` says what it is: ``"code"`` content to be taken as it stands, ``"inline"`` inline
    Markdown, ``"html"`` HTML, ``"hidden"`` nothing that a reader sees; with ``""`` content is as
    it stands, and what has none is its lines. ``shows`` is a regular
    expression for the lines of a block, up to the first block in it, without the marks of what is
    round it. Where it is found a reader sees its groups: those named ``text…`` as inline Markdown,
    ``code…`` as they stand, and where no ``text…`` is, ``name…`` as a word with a capital. ``gap``
    stands before a block: ``"\n\n"``, ``"\n"``, ``"\t"`` or nothing.
    """

    reads: Literal["", "code", "inline", "html", "hidden"] = ""
    shows: str = ""
    gap: str = "\n\n"


HIDDEN = Reading("hidden")
COMMONMARK_READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "fence": Reading("code"),
        "code_block": Reading("code"),
        "html_block": Reading("html"),
        "html_inline": Reading("html"),
        "hr": HIDDEN,
        "definition": HIDDEN,
        "list_item_open": Reading(gap="\n"),
        "thead_open": Reading(gap=""),
        "tbody_open": Reading(gap=""),
        "tr_open": Reading(gap="\n"),
        "th_open": Reading(gap="\t"),
        "td_open": Reading(gap="\t"),
    }
)
"""How the tokens of CommonMark and of markdown-it's own table read, if not as they stand."""
