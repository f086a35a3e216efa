"""Tokens to structure: scored boundaries and protected spans, found in one pass over the stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from mdchunk.lines import Lines
from mdchunk.model import Boundary, Heading, Span, Structure
from mdchunk.rules import Rule
from mdchunk.scores import Weight

LEAD_IN = re.compile(r"[:：][*_~`\"'”’»)\]]*(?:\([^()\s]*\)|\[[^\[\]]*\])?[*_~`]*\Z")
"""The end of a paragraph that introduces what follows: a colon, perhaps before closing marks."""
LEAD_IN_REACH = 200
LED = frozenset(
    {"list", "code", "table", "blockquote", "math", "definition_list", "tab_group", "tab", "tag"}
    | {"callout", "admonition", "directive", "jsx"}
)
"""The kinds that such a paragraph introduces."""
LANGUAGE = re.compile(
    r"\s*\{?\s*\.?(?:(?:code|code-block|code-cell|sourcecode)\}?\s+)?([^\s{},:;=]+)(?![^\s{]*=)"
)
"""The language in an info string: ``py``, ``py{1,3}``, ``{.py #id}``, ``{code-block} py``."""


class _Place(NamedTuple):
    """Where a block begins if what leads it is counted, and which boundary stands there."""

    start: int
    last: _Frame | None
    behind: tuple[str, float]
    boundary: int


class _Frame:
    """An open container, and what came last in it."""

    __slots__ = ("cap", "end", "first", "last", "level", "place", "rule", "span", "start", "type")

    def __init__(self, rule: Rule, token_type: str, first: int, start: int, end: int) -> None:
        self.rule = rule
        self.type = token_type
        self.first = first
        self.start = start
        self.end = end
        self.cap = float("inf")
        self.level = 1
        self.span = -1
        self.last: _Frame | None = None
        self.place: _Place | None = None


class Visitor:
    """The state of one walk over one document's tokens."""

    def __init__(
        self,
        source: str,
        lines: Lines,
        rules: Mapping[str, Rule],
        scores: Mapping[str, Weight],
        title: Callable[[str], str],
    ) -> None:
        self.source = source
        self.lines = lines
        self.rules = rules
        self.scores = scores
        self.title = title
        self.closers = {
            name[:-4] + "close"
            for name, rule in rules.items()
            if name.endswith("open") and not rule.inside
        }
        self.boundaries: list[Boundary] = []
        self.spans: list[Span] = []
        self.blocks: list[Span] = []
        self.interior: list[Boundary] = []
        self.headings: list[Heading] = []
        self.stack = [_Frame(Rule("root", section=True), "", 0, 0, len(source))]
        self.depth = 0  # of lists
        self.foreign = 0  # containers whose headings are not the document's
        self.behind = ("", 0.0)  # what the last container's end is worth as a cut
        self.next_line = 0

    def walk(self, tokens: Sequence[Token]) -> Structure:
        """Visit every block token once and give what was found."""
        rules, closers = self.rules, self.closers
        leaf = -1
        for index, token in enumerate(tokens):
            if leaf >= 0:
                # what stands inside a leaf (a table's cells, a paragraph's text) is no block
                if token.nesting == -1 and token.level == leaf:
                    leaf = -1
            elif token.nesting == -1:
                if token.type in closers:
                    self._close()
            elif rule := rules.get(token.type):
                content = tokens[index + 1].content if rule.kind == "heading" else ""
                self._open(token, rule, content)
                if rule.inside and token.nesting == 1:
                    leaf = token.level
        self._bare_text(len(self.lines))
        return Structure(
            len(self.source),
            tuple(self.boundaries),
            tuple(self.spans),
            tuple(self.interior),
            tuple(self.headings),
            tuple(self.blocks),
        )

    def _open(self, token: Token, rule: Rule, content: str) -> None:
        parent = self.stack[-1]
        first, last = self._lines_of(token)
        if len(self.stack) == 1 and token.map:
            self._bare_text(first)
            self.next_line = max(self.next_line, last + 1)
        start, end = self.lines.starts[first], min(self.lines.end(last), parent.end)
        block = _Frame(rule, token.type, first, start, end)
        if rule.kind == "list":
            self.depth += 1
        if end > start:
            block.level = self._level(token, rule)
            block.cap = self._boundary(block, parent)
            self._record(token, block, parent)
            if rule.kind == "heading" and not self.foreign:
                offset = block.place.start if block.place else start
                self.headings.append(Heading(offset, block.level, self.title(content)))
        if rule.section or end <= start:
            block.cap = parent.cap
        if rule.inside:
            if rule.protected and last > first:
                self._inside(token, rule, first, last)
            self._leave(block, parent)
        else:
            self.stack.append(block)
            self.foreign += not rule.section

    def _close(self) -> None:
        if len(self.stack) == 1:
            return
        block = self.stack.pop()
        self.foreign -= not block.rule.section
        self._tail(block)
        if block.rule.kind == "list":
            self.depth -= 1
        self._leave(block, self.stack[-1])

    def _tail(self, block: _Frame) -> None:
        """Set the boundaries at a container's last lines that are no block's: a closing mark."""
        if block.last is None and block.rule.protected and block.end > block.start:
            # empty, or deeper than the parser goes: only its lines are known
            self._lines_inside(block.first + 1, self.lines.of(block.end - 1))
        elif block.last is not None and block.last.end < block.end:
            first = self.lines.of(block.last.end - 1) + 1
            self._lines_inside(first, self.lines.of(block.end - 1))

    def _leave(self, block: _Frame, parent: _Frame) -> None:
        """Note a block as its container's last, and what the place behind it is worth."""
        if block.end <= block.start:
            return
        parent.last = block
        after = block.rule.after
        if after and not (block.rule.kind == "list" and self.depth):
            self.behind = (after, min(self.scores[after].at(1), parent.cap))

    def _lines_of(self, token: Token) -> tuple[int, int]:
        """Find the first and last line of a block that are not blank; an opener may have no map."""
        if not token.map:
            return self.stack[-1].first, self.stack[-1].first
        first, last = token.map[0], min(max(token.map[1], token.map[0] + 1), len(self.lines)) - 1
        before = self.stack[-1].last
        if before is not None and self.lines.starts[first] < before.end and first < last:
            # some plug-ins count the line of the block before (the second term of a deflist)
            first = self.lines.of(before.end - 1) + 1
            while first < last and self.lines.blank(first):
                first += 1
        while last > first and self.lines.blank(last):
            last -= 1
        return first, last

    def _level(self, token: Token, rule: Rule) -> int:
        if rule.level == "tag":
            return int(token.tag[1:])
        return self.depth if rule.level == "lists" else 1

    def _boundary(self, block: _Frame, parent: _Frame) -> float:
        """Set the boundary before a block and give the most that anything inside it may score."""
        row = block.rule.row or block.rule.kind
        if row not in self.scores:
            row = "paragraph"
        score = min(self.scores[row].at(block.level), parent.cap)
        last = parent.last
        if last is not None and last.rule.leads and last.place:
            # what stands there is the block with its label, so the label's place is the block's
            block.place = last.place
            if last.place.boundary >= 0:
                self.boundaries[last.place.boundary] = self._place(block, parent, last.place, score)
            glue = min(self.scores["attached"].at(1), parent.cap)
            self.boundaries.append(Boundary(block.start, glue, "attached"))
        else:
            spoken = bool(self.boundaries) and self.boundaries[-1].offset >= block.start
            index = -1 if spoken else len(self.boundaries)
            place = _Place(block.start, last, self.behind, index)
            if block.rule.leads:
                block.place = place
            if spoken:
                return score  # its container, or a tag before it, has spoken for this place
            self.boundaries.append(self._place(block, parent, place, score))
        self.behind = ("", 0.0)
        return score

    def _place(self, block: _Frame, parent: _Frame, place: _Place, score: float) -> Boundary:
        """Make the boundary of a block whose own score is known."""
        kind, value = block.rule.row or block.rule.kind, score
        if kind not in self.scores:
            kind = "paragraph"
        if not self._continues(block, place.last) and place.behind[1] > value:
            kind, value = place.behind
        reason = self._reason(block, parent, place.last)
        if reason:
            kind, value = reason, min(self.scores[reason].at(1), parent.cap)
        return Boundary(place.start, value, kind)

    def _reason(self, block: _Frame, parent: _Frame, last: _Frame | None) -> str:
        """Name the reason not to cut before a block that follows another, if there is one."""
        kind = block.rule.kind
        if last is None:
            # the line that opens a container goes with the first thing in it
            alone = block.first > parent.first and len(self.stack) > 1
            return "lead_in" if alone else ""
        if last.rule.kind == "heading":
            if kind != "heading":
                return "heading_content"
            return "heading_heading" if block.level > last.level else ""
        if last.rule.kind == "paragraph" and kind in LED:
            if kind == "list" and parent.rule.kind == "list_item":
                return "lead_in"
            reach = max(last.start, last.end - LEAD_IN_REACH)
            return "lead_in" if LEAD_IN.search(self.source, reach, last.end) else ""
        return ""

    def _continues(self, block: _Frame, last: _Frame | None) -> bool:
        """Tell whether a list goes on from the one before it with another marker."""
        if last is None or block.rule.kind != "list" or last.type != block.type:
            return False
        indents = [
            len(text) - len(text.lstrip())
            for text in (self.lines.text(last.first), self.lines.text(block.first))
        ]
        return indents[0] == indents[1]

    def _record(self, token: Token, block: _Frame, parent: _Frame) -> None:
        rule, last = block.rule, parent.last
        kind = rule.kind
        if rule.inside == "code" and (language := LANGUAGE.match(token.info)):
            kind = f"{kind}:{language[1]}"
        self.blocks.append(Span(block.start, block.end, kind))
        if last is not None and self._continues(block, last):
            # two lists to CommonMark, and one to keep together
            block.span, block.start = last.span, last.start
            self.spans[block.span] = Span(last.start, block.end, rule.kind)
        elif rule.protected:
            block.span = len(self.spans)
            self.spans.append(Span(block.start, block.end, rule.kind))

    def _inside(self, token: Token, rule: Rule, first: int, last: int) -> None:
        """Set the boundaries of a leaf that may not fit."""
        if rule.inside == "code":
            fenced = bool(token.markup)
            closed = fenced and token.content.count("\n") + 2 == last - first + 1
            # neither fence may stand alone, so the first line of code stays with the opening one
            self._lines_inside(first + 1 + fenced, last - closed, "code_gap")
        elif rule.inside == "rows":
            if last > first + 1:
                # header and delimiter row may go without a row only if they have to
                self._interior(first + 2, "line")
            for line in range(first + 3, last + 1):
                self._interior(line, "table_row")
        else:
            self._lines_inside(first + 1, last)

    def _lines_inside(self, first: int, last: int, gap: str = "line") -> None:
        blank = False
        for line in range(first, last + 1):
            if not self.lines.text(line).strip(" \t\r\n>"):
                blank = True
                continue
            self._interior(line, gap if blank else "line")
            blank = False

    def _interior(self, line: int, kind: str) -> None:
        self.interior.append(Boundary(self.lines.starts[line], self.scores[kind].at(1), kind))

    def _bare_text(self, before: int) -> None:
        """Set a boundary at top-level text that made no token, such as a link definition."""
        for line in range(self.next_line, before):
            if not self.lines.blank(line):
                self.boundaries.append(
                    Boundary(self.lines.starts[line], self.scores["paragraph"].at(1), "paragraph")
                )
                self.behind = ("", 0.0)
                return
