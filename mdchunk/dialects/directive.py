"""Directives: ``:::`` containers, MyST's fences, block breaks and targets, MDX's comments.

The sources are the directives of Docusaurus, VitePress, MyST and Pandoc's fenced divs. A container
that nothing closes runs to the end of the one around it. Docusaurus writes its comments as MDX
does, ``{/* … */}``; the rest of MDX is a dialect of its own. May misread: a line of prose that
begins with ``:::`` and a word, or is ``+++`` or ``(words)=`` alone. A bare ``:::`` line opens
nothing.
"""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.colons import OPENING_LINE, closing_line
from mdchunk.dialects.shared.lines import (
    INTERRUPTS,
    find_line,
    line_text,
    outdented,
    push_container,
)
from mdchunk.dialects.shared.myst import LITERAL_NAMES, content_start, extend_myst
from mdchunk.dialects.shared.reading import ATTRIBUTES, COMMENT, add_patterns
from mdchunk.rules import HIDDEN, Reading, Rule

COMMENT_OPENS, COMMENT_CLOSES = "{/*", "*/}"
_NAMED = "note|tip|info|warning|danger|caution|important|error|hint|attention|success|question"
_TITLED = (
    "admonition|topic|sidebar|details|dropdown|tab-item|card|grid-item-card|versionadded"
    "|versionchanged|versionremoved|deprecated|exercise|solution|proof|theorem|lemma|definition"
    "|example|remark|corollary|seealso|todo|epigraph|aside"
)
TITLE = (
    r"\A[^\n]*?(?:(?::{3,}|`{3,}|~{3,})[ \t]*(?:"
    rf"\{{(?:(?P<name>{_NAMED})|(?:prf:)?(?:{_TITLED}))\}}[ \t]*(?P<text>.*\S)?"
    r"|\{[^{}]*\}.*"
    rf"|(?:(?P<name_b>{_NAMED})|[A-Za-z][\w-]*)[ \t]*"
    r"(?:\[(?P<text_l>.*)\]|(?P<text_b>[^\s{\[:].*?))?[ \t]*(?:\{[^{}]*\})?[ \t]*:*[ \t]*$))"
    r"|^[ \t]*:(?:alt|caption):[ \t]+(?P<text_a>.+)$"
)
"""The title of a directive; one without is called by its type where hosts do so."""
LITERALS = (
    r"\A[^\n]*?(?:`{3,}|~{3,}|:{3,})[ \t]*\{[^`\n]*(?:\n|\Z)"
    r"(?:---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)"
    r"|(?:[ \t]*:(?:alt|caption):[ \t]+(?P<text>.+)(?:\n|\Z)|[ \t]*:[\w-]+:(?:[ \t].*)?(?:\n|\Z))*)"
    r"(?P<code>(?:.|\n)*?)(?:\n?[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*)?\Z"
)
"""Content that is no Markdown, without the directive's options."""
SHOWN = {
    "span": rf"\[(?P<text>[^\[\]]+)\]{ATTRIBUTES}",
    "attributes": ATTRIBUTES,
    "brace_comment": COMMENT,
    "escaped_id": r"\\\{#[^{}\s]+\\\}\s*\Z",
    "role_with_target": r"\{[\w:.+-]+\}(?P<ticks>`+)"
    r"(?P<code>[^`<>]*[^`<>\s])\s*<[^<>`]+>(?P=ticks)",
    "role": r"\{[\w:.+-]+\}(?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)",
}


def extend(parser: MarkdownIt) -> None:
    """Add the block rules; as in Docusaurus and MyST they may interrupt a paragraph."""
    parser.block.ruler.before("fence", "directive", _directive, INTERRUPTS)
    parser.block.ruler.before("fence", "brace_comment", _comment, INTERRUPTS)
    extend_myst(parser)
    add_patterns(parser, SHOWN)


def _directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    opening = (
        None if state.is_code_block(start) else OPENING_LINE.fullmatch(line_text(state, start))
    )
    if not opening or silent:
        return opening is not None
    found = closing_line(state, start, end)
    stop, after = (found, found + 1) if found > 0 else (end, end)
    name = opening["myst"] or ""
    if name in LITERAL_NAMES:
        _push_literal(state, (start, stop, after))
        return True
    # a div of Pandoc's may hold whole sections, and so does what only the document's end closes
    division = found < 0 or bool(opening["div"])
    inner = content_start(state, start, stop) if name else start + 1
    kind = "division" if division else "directive"
    push_container(state, kind, (start, after), (inner, stop))
    return True


def _comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    text = line_text(state, start)
    if state.is_code_block(start) or not text.startswith(COMMENT_OPENS):
        return False
    last, text = start, text.removeprefix(COMMENT_OPENS)
    if COMMENT_CLOSES not in text:
        last = find_line(state, start, end, _has_closing, mark=COMMENT_CLOSES)
        text = line_text(state, last) if last > 0 else ""
    if last < 0 or not text.endswith(COMMENT_CLOSES) or text.count(COMMENT_CLOSES) > 1:
        return False
    if not silent:
        token = state.push("brace_comment", "", 0)
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _has_closing(text: str) -> bool:
    return COMMENT_CLOSES in text


def _push_literal(state: StateBlock, lines: tuple[int, int, int]) -> None:
    start, stop, after = lines
    if after == stop:  # unclosed
        stop = after = next((n for n in range(start, stop) if outdented(state, n)), stop)
    token = state.push("colon_fence", "code", 0)
    text = line_text(state, start)
    token.info = text.lstrip(":")
    token.markup = ":" * (len(text) - len(token.info))
    token.content = state.getLines(start + 1, stop, state.sCount[start], True)
    token.map = [start, after]
    state.line = after


DIALECT = Dialect(
    "directive",
    extend,
    rules={
        "directive_open": Rule("directive", "hard", fenced=True),
        "division_open": Rule("directive", "hard", section=True),
        "colon_fence": Rule("code", "hard", inside="code", captioned=True),
        "brace_comment": Rule("html", "hard", inside="html"),
        "block_break": Rule(
            "block_break", "hard", inside="lines", row="thematic_break", introduced=False
        ),
        "target": Rule("target", "hard", inside="lines", leads=True, introduced=False),
    },
    starts={
        "directive": ":",
        "directive_fence": "`~",
        "block_break": "+",
        "brace_comment": "{",
        "target": "(",
    },
    readings={
        "directive_open": Reading(shows=TITLE),
        "division_open": Reading(shows=TITLE),
        "colon_fence": Reading("code", shows=LITERALS),
        "fence": Reading("code", shows=LITERALS),
        "brace_comment": HIDDEN,
        "block_break": HIDDEN,
        "target": HIDDEN,
    },
)
