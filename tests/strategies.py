"""Hypothesis strategies: documents built of block fragments, nested, and damaged."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = [
    "water",
    "boils",
    "at 3.14",
    "e.g. this",
    "one.",
    "Two!",
    "why?",
    "`code span`",
    "[link](http://a.b/c d)",
    "[ref][r]",
    '![img](x.png "t")',
    "<https://example.org/very/long/path>",
    "$a + b$",
    "[^n]",
    "[[wiki|page]]",
    "**bold:**",
    "note:",
    "漢字。",
    "かな、",
    "テスト：",
    "e\u0301",
    "👨‍👩‍👧",
    "\u200f\u05d0",
    "&amp;",
    "\\*",
    "<b>",
    "https://x.y/z?a=b",
    "supercalifragilistic" * 4,
    "\u00a0",
    "\u2028",
    "\x0c",
    "\x00",
    "\ud800",
    "<|endoftext|>",
    "{#id}",
    "|",
    ">",
    "#tag",
    "-",
    "`",
    "``",
    "$$",
    "[",
    "]",
    "(",
    "1.",
    "\t",
    "data:image/png;base64," + "QUJD" * 40,
]
LINES = [
    "# Title",
    "## Sub *title* {#x}",
    "### Deep",
    "###### Six",
    "Setext\n===",
    "Under\n---",
    "- item",
    "* other",
    "+ plus",
    "1. one",
    "2) two",
    "  - nested",
    "    - deeper",
    "> quote",
    "> - in quote",
    "> # in quote",
    "> ```",
    "```",
    "```py",
    "````",
    "~~~",
    "    indented code",
    "\tcode",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
    "| x |",
    "---",
    "***",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<example>",
    "</example>",
    "<tool_use>",
    "</tool_use>",
    "<details>",
    "<summary>x</summary>",
    "</details>",
    "[r]: http://example.org 'title'",
    "[^n]: A note.",
    '!!! note "Title"',
    "??? tip",
    '=== "Tab"',
    ":::note",
    "::::",
    ":::",
    "```{note} Title",
    "$$",
    "\\[",
    "\\]",
    "\\begin{align}",
    "\\end{align}",
    "> [!NOTE]",
    "> [!tip]- Fold",
    "Term",
    ": Definition",
    "+++",
    "(target)=",
    "{",
    "}",
    "import X from 'y'",
    "- [ ] task",
    "- [x] done",
    "",
    "",
    "",
    " ",
    "\t",
]
FRONT = [
    "---\ntitle: A\n---\n",
    "---\na: [\n---\n",
    "+++\nb = 1\n+++\n",
    '{"a": 1}\n',
    "---\n",
    "\ufeff",
    "\ufeff---\nx: y\n...\n",
]

words = st.lists(st.sampled_from(WORDS) | st.text(max_size=12), min_size=1, max_size=12).map(
    " ".join
)
lines = st.sampled_from(LINES) | words | st.tuples(st.sampled_from(LINES), words).map(" ".join)
indents = st.sampled_from(["", "", "", "", "  ", "    ", "> ", "\t", "- ", "   "])
blocks = st.tuples(indents, lines).map("".join)


@st.composite
def documents(draw: st.DrawFn, max_blocks: int = 30) -> str:
    """Draw a document: fragments joined by any line ends, perhaps cut short."""
    parts = draw(st.lists(blocks, max_size=max_blocks))
    ends = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"]))
    text = draw(st.sampled_from(["", "", "", *FRONT])) + ends.join(parts)
    if draw(st.booleans()):
        text = text[: draw(st.integers(0, max(len(text), 1)))]
    return text
