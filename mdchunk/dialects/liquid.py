"""Template tags in pairs: ``{% note %}`` … ``{% endnote %}``, Hugo's ``{{< note >}}`` and others.

The sources are the pages of Jekyll, Hugo, GitBook and Markdoc on these. Both tags stand alone on
their lines, and one that is not closed is text. What they hold is Markdown, but for ``highlight``
and ``comment``. May misread: nothing that another Markdown gives a meaning, but for pages about
templates.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import INTERRUPTS, find_line, line_text, push_container
from mdchunk.dialects.shared.reading import add_patterns
from mdchunk.dialects.shared.shortcodes import closing_tag
from mdchunk.rules import HIDDEN, Reading, Rule

VERBATIM_TAG = re.compile(
    r"\{%-?[ \t]*(?P<liquid>highlight|comment)\b(?P<words>[^%]*?)-?%\}"
    r"|\{\{[<%][ \t]*(?P<hugo>highlight|comment)\b(?P<more>.*?)[>%]\}\}"
)
CLOSINGS = {
    "liquid": r"\{{%-?[ \t]*end{}[ \t]*-?%\}}",
    "hugo": r"\{{\{{[<%][ \t]*/{}[ \t]*[>%]\}}\}}",
}

_TAG = r"(?:\{\{[^{}\n]{1,200}\}\}|\{%(?:[^%\n]|%(?!\})){1,200}%\})"
SHOWN = {
    "templated_link": rf"!?\[(?P<text>[^\[\]]*)\]\([^\s(){{}}]*(?:{_TAG}[^\s(){{}}]*)+\)",
    "macro": r"\{\{[ \t]*[A-Za-z][\w-]*\([ \t]*"
    r"(?:\"[^\"{}\n]*\"[ \t]*,[ \t]*(?=\"[^\"{}\n]+\"))?"
    r"\"(?P<code>[^\"{}\n]+)\"[^{}\n]*\)[ \t]*\}\}",
    "template_tag": _TAG,
}
"""A template's tags in a line, of which a reader sees what they stand for, and links to them.

A call shows its second text, else its first: ``{{jsxref("Array.map", "map()")}}``, as in MDN."""


def extend(parser: MarkdownIt) -> None:
    """Add the block rules; a template knows no paragraphs, so they may interrupt one."""
    parser.block.ruler.before("blockquote", "liquid", _liquid, INTERRUPTS)
    parser.block.ruler.after("liquid", "shortcode", _shortcode, INTERRUPTS)
    add_patterns(parser, SHOWN)


def _liquid(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    opening = VERBATIM_TAG.fullmatch(line_text(state, start))
    if opening is None:
        return False
    name = opening["liquid"] or opening["hugo"]
    closing = CLOSINGS["liquid" if opening["liquid"] else "hugo"].format(name)
    last = find_line(state, start, end, re.compile(closing).fullmatch, mark=closing)
    if last >= 0 and not silent:
        token = state.push(f"liquid_{name}", "", 0)
        token.map = [start, last + 1]
        token.markup = opening[0]
        token.info = (opening["words"] or opening["more"] or "").strip()
        token.content = state.getLines(start + 1, last, state.sCount[start], True)
        state.line = last + 1
    return last >= 0


def _shortcode(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    last = closing_tag(state, start, end)
    if last >= 0 and not silent:
        push_container(state, "shortcode", (start, last + 1), (start + 1, last))
    return last >= 0


DIALECT = Dialect(
    "liquid",
    extend,
    rules={
        "liquid_highlight": Rule("code", "hard", inside="code", captioned=True),
        "liquid_comment": Rule("html", "hard", inside="html"),
        "shortcode_open": Rule("tag", "hard", row="tag_open", after="tag_close", section=True),
    },
    starts={"liquid": "{", "shortcode": "{"},
    readings={
        "liquid_highlight": Reading("code"),
        "liquid_comment": HIDDEN,
        "shortcode_open": HIDDEN,
    },
)
