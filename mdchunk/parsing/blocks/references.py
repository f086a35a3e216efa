"""Link reference definitions, with the tokens of markdown-it's rule, read a line at a time.

markdown-it joins each further line to all before it, which copies them: a label or title that is
not closed takes time with the square of its length.
"""

from __future__ import annotations

import inspect
import re

from markdown_it import helpers
from markdown_it.common.utils import normalizeReference, unescapeAll
from markdown_it.rules_block import StateBlock

from mdchunk.parsing.parse_state import is_lean

LINE_BY_LINE = "prev_state" in inspect.signature(helpers.parseLinkTitle).parameters
"""Whether this markdown-it reads definitions line by line; before version 4 they mean otherwise."""
LABEL_STOP = re.compile(r"[\[\]\\]")
PLAIN_ADDRESS = re.compile(r"[!-~]+")
"""An address of which no white space hides what it starts with, as normalised ones are."""
TITLE_ENDS = {'"': '"', "'": "'", "(": ")"}
TITLE_STOPS = {'"': re.compile(r'["\\]'), "'": re.compile(r"['\\]"), ")": re.compile(r"[()\\]")}


class _Reader:
    """The lines that a definition may take: the text of one, and how far it is read."""

    __slots__ = ("at", "following", "state", "text")

    def __init__(self, state: StateBlock, line: int) -> None:
        self.state, self.following, self.at = state, line + 1, 0
        self.text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line] + 1]

    def advance(self) -> bool:
        """Go to the next line, if the paragraph has one."""
        state, line = self.state, self.following
        if line >= state.lineMax or state.isEmpty(line) or self._ends_before(line):
            return False
        begin = state.bMarks[line] + state.tShift[line]
        self.text, self.at = state.src[begin : state.eMarks[line] + 1], 0
        self.following += 1
        return True

    def _ends_before(self, line: int) -> bool:
        state = self.state
        if state.is_code_block(line) or state.sCount[line] < 0:
            return False
        parent, state.parentType = state.parentType, "reference"
        rules = state.md.block.ruler.getRules("reference")
        ends = any(rule(state, line, state.lineMax, True) for rule in rules)
        state.parentType = parent
        return ends

    def skip_space(self) -> bool:
        """Skip blanks and line ends; return whether there were any."""
        skipped = False
        while self.at < len(self.text) and self.text[self.at] in " \t\n":
            if self.text[self.at] != "\n" or not self.advance():
                self.at += 1
            skipped = True
        return skipped

    def at_line_end(self) -> bool:
        """Skip blanks; return whether nothing else is left of the line."""
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        return self.text[self.at : self.at + 1] in ("", "\n")


def _address(state: StateBlock, text: str) -> str:
    """Return a link's address as it is judged; nobody asks a lean parse for how it is written."""
    if is_lean(state.env) and PLAIN_ADDRESS.fullmatch(text):
        return text
    return state.md.normalizeLink(text)


def reference(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Take a definition; the line starts with a bracket."""
    reader = _Reader(state, start)
    label = _read_label(reader)
    if label is None or not reader.text.startswith(":", reader.at):
        return False
    reader.at += 1
    reader.skip_space()
    found = state.md.helpers.parseLinkDestination(reader.text, reader.at, len(reader.text))
    href = _address(state, found.str) if found.ok else ""
    if not found.ok or not state.md.validateLink(href):
        return False
    reader.at = found.pos
    title = _read_title(reader)
    if not reader.at_line_end() or not normalizeReference(label):
        return False
    if not silent:
        state.line = reader.following
        _define(state, start, label, href, title)
    return True


def _read_label(reader: _Reader) -> str | None:
    """Read the label up to its closing bracket, which is passed."""
    parts, begin = [], 1
    reader.at = 1
    while True:
        stop = LABEL_STOP.search(reader.text, reader.at)
        if stop is None:
            parts.append(reader.text[begin:])
            begin = 0
            if not reader.advance():
                return None
        elif stop[0] == "\\" and stop.end() < len(reader.text) - 1:
            reader.at = stop.end() + 1
        elif stop[0] == "\\":
            reader.at = len(reader.text)
        elif stop[0] == "[":
            return None
        else:
            reader.at = stop.end()
            return "".join((*parts, reader.text[begin : stop.start()]))


def _read_title(reader: _Reader) -> str:
    """Read a title that fills the rest of its line; else there is none, and nothing is read."""
    before = reader.following, reader.text, reader.at
    spaced = reader.skip_space()
    title, more_lines = _scan_title(reader)
    there = title is not None and (spaced or more_lines)
    # an empty title is never taken back, so that what follows it spoils the definition
    if there and (not title or reader.at_line_end()):
        return title or ""
    reader.following, reader.text, reader.at = before
    return ""


def _scan_title(reader: _Reader) -> tuple[str | None, bool]:
    """Return a title, None if there is none, and whether more than one line was read."""
    if reader.text[reader.at : reader.at + 1] not in TITLE_ENDS:
        return None, False
    mark = TITLE_ENDS[reader.text[reader.at]]
    parts, begin, lines = [], reader.at + 1, 1
    reader.at = begin
    while True:
        stop = TITLE_STOPS[mark].search(reader.text, reader.at)
        if stop is None:
            parts.append(reader.text[begin:])
            if not reader.advance():
                return None, lines > 1
            begin, lines = 0, lines + 1
        elif stop[0] == "\\":
            reader.at = min(stop.end() + 1, len(reader.text))
        elif stop[0] == mark:
            reader.at = stop.end()
            return unescapeAll("".join((*parts, reader.text[begin : stop.start()]))), lines > 1
        else:
            return None, lines > 1


def _define(state: StateBlock, start: int, label: str, href: str, title: str) -> None:
    """Add the definition to the environment, the first of a label only, and its token."""
    name, lines = normalizeReference(label), [start, state.line]
    if state.md.options.get("inline_definitions", False):
        token = state.push("definition", "", 0)
        token.meta = {"id": name, "title": title, "url": href, "label": label}
        token.map = lines.copy()
    known = state.env.setdefault("references", {})
    if name not in known:
        known[name] = {"title": title, "href": href, "map": lines}
    else:
        again = {"title": title, "href": href, "label": name, "map": lines}
        state.env.setdefault("duplicate_refs", []).append(again)
