"""Where structural tags stand alone on a line, and which of them make a pair."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from mdchunk.dialects.shared.html_elements import ELEMENTS

TAG_LINE = re.compile(
    r"^[ \t]*<(?P<slash>/?)(?P<name>[^\W\d][\w.:-]*)"
    r"(?P<attributes>(?:[ \t](?:[^<>\"'\n]|\"[^\"\n]*\"|'[^'\n]*')*)?)>"
    r"(?P<summary>[ \t]*<summary\b[^<>\n]*>[^\n]*</summary>)?[ \t]*$",
    re.MULTILINE,
)
LITERAL_BLOCK = re.compile(
    r"[ \t]*<(?:[!?]|(?:pre|script|style|textarea)(?=[\s>]|\Z))", re.IGNORECASE
)
"""The start of an HTML block whose content is no markup (CommonMark 4.6, kinds 1 to 5)."""
HIDING = re.compile(
    r"\\[\\`<]|`+|<!--|<\?|<!\[CDATA\[|<(?:pre|script|style|textarea)\b", re.IGNORECASE
)
ELEMENT_TAG = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][\w-]*)(?![\w-])[^<>]*>")
TRANSPARENT = frozenset({"details", "summary", "p", "br", "hr", "img", "input", "link", "meta"})
"""Elements that hold no structural tags: those that are one, are one line, or never close."""
TICKS = re.compile(r"`+")
HIDDEN_TO = {"<!--": "-->", "<?": "?>", "<![cdata[": "]]>"}


class Tag(NamedTuple):
    """A tag alone on a line: in which token, on which line, in which container."""

    token: int
    line: int
    name: str
    opens: bool
    container: int


Pair = tuple[Tag, Tag]


class _Hidden(NamedTuple):
    """What of a text is code, comment or HTML: stretches in order, and a comment left open."""

    spans: list[tuple[int, int]]
    unclosed: int = -1

    def holds(self, offset: int) -> bool:
        at = bisect_right(self.spans, (offset, sys.maxsize)) - 1
        return at >= 0 and offset < self.spans[at][1]


def find_tags(tokens: Sequence[Token]) -> list[Tag]:
    """Find all tags on lines of their own, in HTML blocks, paragraphs and rows of tables."""
    found: list[Tag] = []
    containers = [-1]
    comment = -1  # how many tags stood before a comment that its HTML block does not close
    for index, token in enumerate(tokens):
        if token.nesting == 1:
            containers.append(index)
        elif token.nesting == -1:
            containers.pop()
        elif token.content and ("<" in token.content or comment >= 0):
            line = _first_line(tokens, index)
            if line < 0:
                continue
            if comment >= 0 and "-->" in token.content:
                del found[comment:]
                comment = -1
            html = token.type == "html_block"
            hidden = _hidden(token.content, html=html)
            # a rule took the tag for a heading's text: in no container is another with it
            titled = not html and tokens[index - 1].type == "heading_open"
            container = containers[-1 if html else -2]
            for start, number, match in _tag_lines(token.content):
                if comment < 0 <= hidden.unclosed < start:
                    comment = len(found)
                name = _name(match)
                if name and not hidden.holds(start):
                    own = -2 - line - number if titled else container
                    found.append(Tag(index, line + number, name, not match["slash"], own))
            if hidden.unclosed >= 0 and comment < 0:
                comment = len(found)
    return found


def _first_line(tokens: Sequence[Token], index: int) -> int:
    """Find the line at which the text of a token begins; -1 if tags do not count there."""
    token, before = tokens[index], tokens[index - 1]
    if token.type == "html_block" and token.map:
        return -1 if LITERAL_BLOCK.match(token.content) else token.map[0]
    if token.type == "inline" and token.map:
        # a row of a table may be a tag that GFM takes into it
        row = before.type == "td_open" and tokens[index - 2].type == "tr_open"
        titled = before.type == "heading_open" and before.markup[:1] in ("=", "-")
        return token.map[0] if row or titled or before.type == "paragraph_open" else -1
    return -1


def _tag_lines(text: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Find the lines that are a tag: offset, number, match."""
    number = counted = 0
    for match in TAG_LINE.finditer(text):
        start = match.start("slash")
        number += text.count("\n", counted, start)
        counted = start
        yield start, number, match


def is_structural(name: str) -> bool:
    """Return whether a name is not one of HTML's; ``details`` counts, since it is a container."""
    lower = name.lower()
    return lower not in ELEMENTS or lower == "details"


def tag_name(line: str) -> str:
    """Return the name of the structural tag that a line is; "" if it is none."""
    match = TAG_LINE.match(line)
    return _name(match) if match else ""


def _name(match: re.Match[str]) -> str:
    """Return the name of a structural tag; "" if it is HTML's or closes itself."""
    name, attributes = match["name"], match["attributes"].strip()
    if attributes.endswith("/") or (match["slash"] and attributes) or not is_structural(name):
        return ""
    if name.lower() == "details":
        return "details"
    return "" if match["summary"] else name


def _hidden(text: str, *, html: bool) -> _Hidden:
    """Find the code spans (not in HTML), comments and literal elements (in HTML) of a text."""
    spans: list[tuple[int, int]] = []
    missing: set[str] = set()
    ticks: dict[str, list[int]] = {}
    position, unclosed = 0, -1
    while match := HIDING.search(text, position):
        mark, start, position = match[0].lower(), match.start(), match.end()
        if mark[0] in "\\`" and html:
            position = start + 1
            continue
        if mark[0] == "\\" or mark in missing or (mark[1:2].isalpha() and not html):
            continue
        code = mark[0] == "`"
        end = _code_end(text, mark, position, ticks) if code else _after(text, mark, position)
        if end < 0:
            missing.add(mark)
            unclosed = start if html and mark == "<!--" else unclosed
            continue
        spans.append((start, end))
        position = end
    return _Hidden(_outermost([*spans, *_elements(text)]) if html else spans, unclosed)


def _elements(text: str) -> Iterator[tuple[int, int]]:
    """Find the HTML elements that open and close in a text; what is inside them is theirs."""
    opened: dict[str, list[int]] = defaultdict(list)
    for match in ELEMENT_TAG.finditer(text):
        name = match["name"].lower()
        if name not in ELEMENTS or name in TRANSPARENT:
            continue
        if not match["slash"]:
            opened[name].append(match.start())
        elif opened[name]:
            yield opened[name].pop(), match.end()


def _outermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join stretches that overlap, in order."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _code_end(text: str, mark: str, position: int, ticks: dict[str, list[int]]) -> int:
    """Find the end of the next run of exactly as many backticks (CommonMark 6.1)."""
    if not ticks:
        for run in TICKS.finditer(text):
            ticks.setdefault(run[0], []).append(run.start())
    starts = ticks.get(mark, [])
    at = bisect_left(starts, position)
    return starts[at] + len(mark) if at < len(starts) else -1


def _after(text: str, mark: str, position: int) -> int:
    """Find the end of what closes a comment or literal element."""
    if mark in HIDDEN_TO:
        at = text.find(HIDDEN_TO[mark], position)
        return at + len(HIDDEN_TO[mark]) if at >= 0 else -1
    closing = re.compile(f"</{mark[1:]}", re.IGNORECASE).search(text, position)
    return closing.end() if closing else -1


def pairs_by_name(tags: Sequence[Tag]) -> list[Pair]:
    """Pair by name alone, wherever the tags stand."""
    return _paired(tags, lambda tag: tag.name)


def nested_pairs(tags: Sequence[Tag]) -> list[Pair]:
    """Pair tags of one name in one container, and leave out pairs that cross."""
    paired = _paired(tags, lambda tag: (tag.name, tag.container))
    return _uncrossed(sorted(paired))


def _paired(tags: Sequence[Tag], key: Callable[[Tag], object]) -> list[Pair]:
    opened: dict[object, list[Tag]] = defaultdict(list)
    pairs: list[Pair] = []
    for tag in tags:
        if tag.opens:
            opened[key(tag)].append(tag)
        elif opened[key(tag)]:
            pairs.append((opened[key(tag)].pop(), tag))
    return pairs


def _uncrossed(pairs: Sequence[Pair]) -> list[Pair]:
    """Leave out every pair that opens in another and closes outside of it, and that other."""
    numbered = enumerate(pairs)
    ends = sorted((tag.line, number, tag.opens) for number, pair in numbered for tag in pair)
    crossed: set[int] = set()
    # open pairs in groups: those of a group cross, so that the group closes when all of them have
    groups: list[list[int]] = []  # number of the first pair, how many are open
    for _, number, opens in ends:
        if opens:
            groups.append([number, 1])
            continue
        while groups[-1][0] > number:
            first, count = groups.pop()
            groups[-1][1] += count
            crossed |= {first, groups[-1][0]}
            crossed.add(number)
        groups[-1][1] -= 1
        if not groups[-1][1]:
            groups.pop()
    return [pair for number, pair in enumerate(pairs) if number not in crossed]
