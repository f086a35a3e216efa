"""Headings in HTML: ``<h2 id="use">Use</h2>`` on lines of its own, also below a ``<div>``.

The source is HTML's heading elements; READMEs, API pages that a tool wrote and exported pages have
them. May misread: nothing, since HTML means a heading too; one in a table, a comment or a listing
is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdchunk.dialect import Dialect
from mdchunk.lines import pattern
from mdchunk.parsing.blocks.state import make_token
from mdchunk.rules import WHOLES, Reading, Rule

HEADING_TAG = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
NESTED_TAG = pattern(r"<(/?)(h[1-6]|table|svg)\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE)
CONTAINER_TAG = pattern(
    r"<(/?)(?!h[1-6]\b)([a-z][a-z0-9-]*)\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE
)
OTHER_TAG = pattern(r"<[^<>]*>")
LITERAL_STARTS = ("<!--", "<?", "<!", "<script", "<pre", "<style", "<textarea")
"""How HTML begins that holds no elements (CommonMark 4.6, kinds 1 to 5)."""


def extend(parser: MarkdownIt) -> None:
    """Add the step that finds the headings once the blocks are known."""
    parser.core.ruler.after("block", "html_headings", _headings)


def _headings(state: StateCore) -> None:
    if HEADING_TAG.search(state.src):
        state.tokens = [part for token in state.tokens for part in _parts(token)]


def _parts(token: Token) -> Iterator[Token]:
    """Return a token of HTML as what it holds: headings, and what stands between them."""
    content = token.content
    if token.type != "html_block" or not token.map or not HEADING_TAG.search(content):
        yield token
        return
    lines = content.split("\n")
    headings = _headings_alone(content, lines)
    wholes = _wholes(content, sorted(headings)) if headings else {}
    borders = {0, len(lines), *headings, *(past for _, past in headings.values())}
    borders.update(wholes, *wholes.values())
    for first, end in pairwise(sorted(borders)):
        level = headings[first][0] if first in headings else ""
        if level or any(line.strip() for line in lines[first:end]):
            kind = "html_heading" if level else "html_block"
            part = _part(token, kind, level, lines, (first, end)) if headings else token
            if first in wholes:
                part.meta = {WHOLES: [token.map[0] + past for past in wholes[first]]}
            yield part


def _headings_alone(content: str, lines: list[str]) -> dict[int, tuple[str, int]]:
    """Return tag and line behind of each heading on lines of its own, by its first line."""
    found: dict[int, tuple[str, int]] = {}
    done = 0
    for level, first, last in _elements(content):
        if first >= done and _stands_alone(lines[first : last + 1]):
            found[first] = level, last + 1
            done = last + 1
    return found


def _wholes(content: str, headings: Sequence[int]) -> dict[int, list[int]]:
    """Return the elements that hold more than a heading, opened and closed in one piece of HTML.

    By their first line, the lines behind them, the longest first.
    """
    wholes: dict[int, list[int]] = {}
    around: list[int] = []  # the ends of those that are open, which nothing may cross
    for first, past in sorted(_containers(content), key=lambda lines: (lines[0], -lines[1])):
        while around and around[-1] <= first:
            around.pop()
        at = bisect_left(headings, first)
        held = at < len(headings) and headings[at] < past
        if held and not (around and around[-1] < past):
            around.append(past)
            wholes.setdefault(first, []).append(past)
    return wholes


def _containers(content: str) -> Iterator[tuple[int, int]]:
    """Return first line and line behind of each element that is more than a line."""
    opened: dict[str, list[int]] = {}
    line = done = 0
    for tag in CONTAINER_TAG.finditer(content):
        line += content.count("\n", done, tag.start())
        done, starts = tag.start(), opened.setdefault(tag[2].lower(), [])
        if not tag[1]:
            starts.append(line)
        elif starts and (first := starts.pop()) < line:
            yield first, line + 1


def _elements(content: str) -> Iterator[tuple[str, int, int]]:
    """Return tag, first and last line of each heading element that stands in no table."""
    if content.lstrip().lower().startswith(LITERAL_STARTS):
        return
    opened, first, inside = "", 0, 0
    line = done = 0
    for tag in NESTED_TAG.finditer(content):
        line += content.count("\n", done, tag.start())
        done, name = tag.start(), tag[2].lower()
        if name[0] != "h":
            inside += -1 if tag[1] else 1
        elif not tag[1]:
            opened, first = name, line
        elif name == opened and inside <= 0:
            yield name, first, line
            opened = ""


def _stands_alone(lines: list[str]) -> bool:
    """Return whether lines hold a heading with text, and beside it tags only."""
    text = "\n".join(lines)
    start = HEADING_TAG.search(text)
    end = text.lower().rfind("</h")
    if start is None or end < start.start():
        return False
    around = text[: start.start()] + text[text.find(">", end) + 1 :]
    inner = OTHER_TAG.sub("", text[start.start() : end])
    return bool(inner.strip()) and not OTHER_TAG.sub("", around).strip()


def _part(token: Token, kind: str, tag: str, lines: list[str], extent: tuple[int, int]) -> Token:
    assert token.map is not None
    first, past = extent
    start = token.map[0]
    end = min(start + past, token.map[1])
    content = "\n".join(lines[first:past])
    return make_token(kind, tag, 0, token.level, [start + first, end], content, "")


DIALECT = Dialect(
    "html_headings",
    extend,
    rules={
        "html_heading": Rule(
            "heading", "hard", "tag", inside="lines", introduced=False, titled=False
        )
    },
    readings={"html_heading": Reading("html")},
)
