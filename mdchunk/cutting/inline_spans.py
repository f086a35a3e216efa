"""The inline constructs of a paragraph that no cut may enter, found in one linear scan.

The scan knows where code spans, autolinks, HTML tags, links, images, footnote references, wiki
links, inline math, bare URLs, template tags, entities and escapes begin and end (CommonMark 6, GFM,
Pandoc, Obsidian, LaTeX, Liquid, Hugo); it builds no tree, so that a paragraph of a million brackets
costs no more than one of letters.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from mdchunk.lines import pattern

TOKEN = pattern(r"\\.|`+|<|[!^]?\[|\]|\$|\{[{%]|&#?\w{1,31};|https?://", re.DOTALL)
OPENERS = ("[", "![", "^[")
TICKS = re.compile(r"`+")
ANGLE = pattern(
    r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*|[^\s<>@]+@[^\s<>@]+"
    r"|/?[A-Za-z](?:[^<>=]|=(?!\s*[\"'])|=\s*(?:\"[^\"]*\"|'[^']*'))*)>"
)
"""Autolinks and tags; the value of an attribute may hold angle brackets if it is quoted."""
ELEMENT = re.compile(r"<(?P<slash>/?)(?P<name>a|code|kbd|samp|svg)(?=[\s>])", re.IGNORECASE)
"""A tag of an element that is a link, code or a drawing."""
SPECIAL_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
"""What closes HTML that is no tag: comments, processing instructions, CDATA, declarations."""
SPECIAL = re.compile(r"<!--|<\?|<!\[CDATA\[|<!(?=[A-Za-z])")
TEMPLATE = r"\{\{[^{}\r\n]{1,200}\}\}|\{%(?:[^%\r\n]|%(?!\})){1,200}%\}"
"""A template's tag in a line: ``{{ page.title }}``, ``{{< ref "a.md" >}}``, ``{% link b.md %}``."""
TEMPLATE_TAG = pattern(TEMPLATE)
TEMPLATED = rf"[^\s(){{}}]*(?:(?:{TEMPLATE})[^\s(){{}}]*)+"
ATTRIBUTES = re.compile(r"\{(?!\{)[^{}\r\n]{1,200}\}")
"""What Pandoc and Python-Markdown take behind an image or link: ``{ width=300 }``, ``{.class}``."""
PLAIN = r"(?:\\.|[^\s()\\])*"
NESTED = rf"{PLAIN}(?:\({PLAIN}(?:\({PLAIN}\){PLAIN})*\){PLAIN})*"
"""A destination with balanced parentheses, two deep."""
TITLE = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)"
TARGET = pattern(
    # nothing before the destination may be empty twice over, else blanks take time by their square
    rf"\(\s*(?:(?:<[^<>\r\n]*>|{TEMPLATED}|(?=[^\s)]){NESTED})(?:\s+(?:{TITLE}))?\s*)?\)",
    re.DOTALL,
)
BARE_URL = pattern(r"https?://(?:[!#-'*-;=?-Z\\^_a-z{}~]|\([^()\s<>]*\))+(?<![?!.,:*_~'\";])")
"""A bare URL, without the marks at its end that are the sentence's (GFM 6.9)."""
REFERENCE_LABEL = re.compile(r"\[[^\[\]]{0,999}\]")
MATH = pattern(r"\$\$[^$]+\$\$|\$(?![\s$])[^$]*[^\s$\\]\$(?!\d)")
LATEX = {"\\(": "\\)", "\\[": "\\]"}
"""LaTeX's marks for math, which models write. What they enclose may be escaped brackets as well."""
FAILURES = 16
"""How often a text may be read for tags that are none before only short ones are looked for."""
SHORT_TAG = 256
SHORTCUT = 200
"""A bracketed text that is longer is no shortcut reference, just a remark in brackets."""


class _Scan:
    """The state of one scan: open brackets, and where runs of backticks stand."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self.source = source
        self.end = end
        self.spans: list[tuple[int, int]] = []
        self.brackets: list[int] = []
        # where the math or element began that a mark or name would close
        self.latex: dict[str, int] = {}
        self.elements: dict[str, int] = {}
        self.ticks: dict[int, list[int]] | None = None
        self.start = start
        self.unclosed: set[str] = set()
        # how far a tag may reach, and how much was read for tags that were none
        self.reach = end - start
        self.failed = 0

    def run(self) -> list[tuple[int, int]]:
        """Scan to the end and give every construct, inner ones too."""
        position = self.start
        while match := TOKEN.search(self.source, position, self.end):
            position = self.construct(match)
        return self.spans

    def construct(self, match: re.Match[str]) -> int:
        """Take the construct that begins at a token, and say where to go on."""
        start, mark = match.start(), match[0]
        end = match.end()
        if mark[0] == "`":
            end = self.code(start, end)
        elif mark == "<":
            end = self.angle(start)
            if element := ELEMENT.match(self.source, start, end):
                self.element(element, end)
        elif mark == "$":
            found = MATH.match(self.source, start, self.end)
            end = found.end() if found else end
        elif mark[0] == "h":
            found = BARE_URL.match(self.source, start, self.end)
            end = found.end() if found else end
        elif mark[0] == "{":
            found = TEMPLATE_TAG.match(self.source, start, self.end)
            end = found.end() if found else start + 1
        elif mark in OPENERS:
            self.brackets.append(start)
            return end
        elif mark == "]":
            return self.close(end)
        elif mark in LATEX:
            self.latex[LATEX[mark]] = start
        elif mark in self.latex:
            self.spans.append((self.latex.pop(mark), end))
        if end > start + 1:
            self.spans.append((start, end))
        return end

    def code(self, start: int, end: int) -> int:
        if self.ticks is None:
            self.ticks = {}
            for run in TICKS.finditer(self.source, self.start, self.end):
                self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self.ticks.get(end - start, [])
        nearest = bisect_left(runs, end)
        return runs[nearest] + end - start if nearest < len(runs) else end

    def angle(self, start: int) -> int:
        if special := SPECIAL.match(self.source, start, self.end):
            return self.special(special)
        near = min(self.end, start + self.reach)
        found = ANGLE.match(self.source, start, near)
        if found:
            return found.end()
        if self.source[start + 1 : start + 2].isalpha():
            self.failed += near - start
            if self.failed > FAILURES * (self.end - self.start):
                self.reach = SHORT_TAG
        return start + 1

    def special(self, opening: re.Match[str]) -> int:
        mark = opening[0]
        closing = SPECIAL_ENDS[mark]
        if mark not in self.unclosed:
            end = self.source.find(closing, opening.end(), self.end)
            if end >= 0:
                return end + len(closing)
            # none behind it, so that none is looked for again
            self.unclosed.add(mark)
        return opening.start() + 1

    def element(self, tag: re.Match[str], end: int) -> None:
        name = tag["name"].lower()
        if not tag["slash"]:
            self.elements[name] = tag.start()
        elif name in self.elements:
            self.spans.append((self.elements.pop(name), end))

    def close(self, end: int) -> int:
        if not self.brackets:
            return end
        start = self.brackets.pop()
        target = TARGET.match(self.source, end, self.end)
        if label := None if target else REFERENCE_LABEL.match(self.source, end, self.end):
            # around a link there may be no other, and then the label is a link by itself
            self.spans.append(label.span())
        if target := target or label:
            end = target.end()
        if attributes := ATTRIBUTES.match(self.source, end, self.end):
            end = attributes.end()
        if target or end - start <= SHORTCUT:
            self.spans.append((start, end))
        return end


def inline_spans(source: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the inline constructs of ``source[start:end]``, outer and inner ones, by their ends."""
    return _Scan(source, start, end).run()
