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
    "- a:\n\n  ```\n  b\n  ```",
    "[^n]: A note\n\n    with a second paragraph",
    "!!! note\n\n    - in it",
    "> | a | b |\n> |---|---|\n> | 1 | 2 |",
    "| a |\n|:-:|",
    "* * *",
    "# ",
    "-",
    "1)",
    "::: {.note #x}",
    ":::{tab-item} A",
    "% comment",
    '+++ {"a": 1}',
    "{note}",
    "<Tabs>",
    "</Tabs>",
    '<Tab label="a > b">',
    "</Tab>",
    "{/* mdx",
    "*/}",
    "export const a = () => {",
    "<![CDATA[",
    "]]>",
    "<?php",
    "?>",
    "<script>",
    "</script>",
    "<pre>",
    "</pre>",
    "---js",
    '<h2 align="center">In <b>HTML</b></h2>',
    "<h1>\n  Big\n</h1>",
    "<table><tr><td>",
    "</td></tr></table>",
    "{{< note >}}",
    "{% endnote %}",
    "# [B](#tab/b)",
    "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+",
    "  a     b\n----- -----\n  1     2",
    "<!-- Page 3 -->",
    "{3}" + "-" * 48,
    "---\ntitle: x\nlayout: y\n---",
    "a" * 70 + "\n" + "b " * 70,
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

LEADS = [
    "  ",
    "    ",
    "> ",
    "\t",
    "- ",
    "   ",
    ">",
    "1. ",
    "* ",
    "10) ",
    "-\t",
    ">\t",
    ": ",
    "    - ",
]
PAIRS = [
    ("```py", "```"),
    ("~~~~", "~~~~"),
    ("```{note}", "```"),
    ("::: tip", ":::"),
    ("::::{a}", "::::"),
    ("<example>", "</example>"),
    ("<details>", "</details>"),
    ("<Tab>", "</Tab>"),
    ("$$", "$$"),
    ("\\[", "\\]"),
    ("\\begin{align}", "\\end{align}"),
    ("<!--", "-->"),
    ("---", "---"),
    ("+++", "+++"),
    ("| a | b |", "|---|---|"),
    ("| a |\n|---|", "| b |"),
    ("<div>", "</div>"),
    ("<h2>", "</h2>"),
    ("{% note %}", "{% endnote %}"),
    ("{{< tabs >}}", "{{< /tabs >}}"),
    ("# [A](#tab/a)", "---"),
    ("+---+---+", "+---+---+"),
    ("> [!NOTE]", ">"),
    ("!!! note", "    end"),
]
"""What opens and closes a construct."""
ODD = [
    *("\ufeff", "\x00", "\ud800", "\udfff", "\u2028", "\u2029", "\x85", "\x0b", "\x0c"),
    *("\x1c", "\x1e", "\u0301", "\u200d", "\u200f", "\u202e", "\u2066", "\ufe0f", "\u0e33"),
    *("\t", "\r", "\n", "\r\n", "\n\n", "\u00a0", "\u3000", "\u200b", "\U0001f3fd", "\U0001f1e6"),
    *("`", "```", "|", ">", "#", "-", "<", "[", "\\", "$$", ":::", "    ", "---\n", "*", "&#0;"),
]
"""What is put anywhere: what breaks lines elsewhere, joins characters, turns their direction."""
LINE_ENDS = ["\n", "\r\n", "\r", "\n\n", "\r\r\n", "\n\r"]

words = st.lists(st.sampled_from(WORDS) | st.text(max_size=12), min_size=1, max_size=12).map(
    " ".join
)
lines = st.sampled_from(LINES) | words | st.tuples(st.sampled_from(LINES), words).map(" ".join)
indents = st.sampled_from(["", "", "", "", *LEADS])
blocks = st.tuples(indents, lines).map("".join)


@st.composite
def nested(draw: st.DrawFn) -> list[str]:
    """Draw lines that stand in the same containers, the first with their marks."""
    marks = draw(st.lists(st.sampled_from(LEADS), min_size=1, max_size=5))
    lead = "".join(mark if mark.strip() == ">" else " " * len(mark) for mark in marks)
    inside = draw(st.lists(lines, min_size=1, max_size=5))
    return ["".join(marks) + inside[0], *(lead + line for line in inside[1:])]


@st.composite
def fenced(draw: st.DrawFn) -> list[str]:
    """Draw lines between two marks of one construct, perhaps without the second."""
    opener, closer = draw(st.sampled_from(PAIRS))
    inside = draw(st.lists(blocks, max_size=4))
    indent = draw(st.sampled_from(["", "", "    ", "> "]))
    closers = [closer] if draw(st.integers(0, 3)) else []
    return [indent + line for line in (opener, *inside, *closers)]


fragments = blocks.map(lambda block: [block]) | nested() | fenced()


@st.composite
def documents(draw: st.DrawFn, max_blocks: int = 20) -> str:
    """Draw a document: fragments joined by line ends of one kind or of all, perhaps damaged."""
    rows = [row for part in draw(st.lists(fragments, max_size=max_blocks)) for row in part]
    ends = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n", ""]))
    if not ends:
        mixed = draw(st.lists(st.sampled_from(LINE_ENDS), min_size=1, max_size=7))
        rows = [row + mixed[index % len(mixed)] for index, row in enumerate(rows)]
    text = draw(st.sampled_from(["", "", "", *FRONT])) + ends.join(rows)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2, 4]))):
        text = draw(damaged(text))
    return text


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """Damage a text at one place."""
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.sampled_from([0, 1, 3, 10, 60])))
    kind = draw(st.sampled_from(["insert", "insert", "insert", "end", "drop", "twice", "turn"]))
    if kind == "insert":
        odd = draw(st.sampled_from(ODD)) * draw(st.sampled_from([1, 1, 1, 2, 9]))
        return text[:start] + odd + text[start:]
    if kind == "end":
        return text[:start]
    middle = {"drop": "", "twice": text[start:end] * 2, "turn": text[start:end][::-1]}[kind]
    return text[:start] + middle + text[end:]


AROUND: list[tuple[str, str, str, str]] = [
    *[("", "", "", "")] * 8,
    ("", "> ", "> ", ""),
    ("", "- ", "  ", ""),
    ("", "1. ", "   ", ""),
    ("<details>\n\n", "", "", "\n\n</details>"),
    ("<example>\n", "", "", "\n</example>"),
    ("!!! note\n\n", "    ", "    ", ""),
    ("::: tip\n\n", "", "", "\n:::"),
    ("````md\n", "", "", "\n````"),
]
"""What is put before a slice of a document, before its first and its further lines, and after."""


@st.composite
def spliced(draw: st.DrawFn, texts: list[list[str]]) -> str:
    """Draw up to three slices of real documents, given as lines, perhaps in a container each."""
    parts = []
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        lines = texts[draw(st.integers(0, len(texts) - 1))]
        start = draw(st.integers(0, len(lines) - 1))
        some = lines[start : start + draw(st.sampled_from([3, 3, 8, 8, 20, 60]))]
        before, first, further, after = draw(st.sampled_from(AROUND))
        parts.append(before + first + f"\n{further}".join(some) + after)
    end = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
    return "\n".join(parts).replace("\n", end)
