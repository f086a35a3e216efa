"""Where JavaScript ends inside MDX: expressions in braces, tags, statements, elements.

From a place outside strings and comments a reading goes on in one way, wherever it began. So what
was found from there is remembered, and a source in which nothing is closed takes linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from typing import NamedTuple

from markdown_it.rules_block import StateBlock

from mdchunk.dialects.shared.lines import line_text, lines_outside_fences, outdented
from mdchunk.dialects.shared.pairs import known_closing
from mdchunk.parsing.parse_state import parse_state

OPENING_TAG = re.compile(
    r"<(?!(?:pre|script|style|textarea)\b)([A-Za-z_$][\w$.:-]*|(?=>))(?=[\s/>]|\Z)"
)
CLOSING_TAG = re.compile(r"</([A-Za-z_$][\w$.:-]*|)>")
LITERAL_START = r"//[^\n]*|/\*|[\"'`]"
EXPRESSION = re.compile(rf"[{{}}]|{LITERAL_START}")
STATEMENT = re.compile(rf"[({{\[\])}}]|\n(?=[ \t]*\n)|{LITERAL_START}")
TAG_MARK = re.compile(r"[<{}]|/?>|\"[^\"]*\"|'[^']*'")
"""What decides where a tag ends, and marks by which readings from several places meet."""
LITERAL_ENDS = {
    '"': re.compile(r"\\.|[\"\n]", re.DOTALL),
    "'": re.compile(r"\\.|['\n]", re.DOTALL),
    "`": re.compile(r"\\.|`", re.DOTALL),
    "/*": re.compile(r"\*/"),
}
"""What ends a string or comment by what begins it; a line's end tells that it is none."""
REACH = 20_000
"""An expression, tag or statement of more characters is none: what closes it is another's."""


class Script:
    """Where things end in the JavaScript of a source; what was read is not read again."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.ends: dict[str, list[int]] = {}
        self.braces: dict[int, int] = {}
        self.brackets: dict[int, int] = {}
        self.tags: dict[int, int] = {}
        self.statements: dict[int, int] = {}

    def expression_end(self, start: int) -> int:
        """Find where the expression that a brace opens ends; -1 if it does not."""
        end = self._closed(start + 1, EXPRESSION, self.braces)
        return end if end - start <= REACH else -1

    def tag_end(self, start: int) -> int:
        """Find where an opening tag ends, attributes in braces or quotes skipped; -1 if nowhere."""
        path: list[int] = []
        position = start
        while (end := self.tags.get(position)) is None:
            path.append(position)
            match = TAG_MARK.search(self.source, position)
            position = match.end() if match else -1
            if match and match[0] == "{":
                position = self._closed(position, EXPRESSION, self.braces)
            if position < 0 or (match and match[0][-1] == ">"):
                end = position
                break
        self.tags.update(dict.fromkeys(path, end))
        return end if end - start <= REACH else -1

    def statement_end(self, start: int) -> int:
        """Find the blank line that ends statements: the first over which no bracket is open.

        It is the first of all if a bracket stays open.
        """
        path: list[int] = []
        position = start
        while (end := self.statements.get(position)) is None:
            path.append(position)
            match = STATEMENT.search(self.source, position)
            if not match or match[0] == "\n":
                end = match.start() if match else len(self.source)
                break
            position = self._after(match)
            if match[0] in "({[":
                position = self._closed(position, STATEMENT, self.brackets)
            if position < 0:
                end = -1
                break
        self.statements.update(dict.fromkeys(path, end))
        return end if 0 <= end <= start + REACH else self._first_blank(start)

    def _first_blank(self, position: int) -> int:
        while match := STATEMENT.search(self.source, position):
            if match[0] == "\n":
                return match.start()
            position = self._after(match)
        return len(self.source)

    def _closed(self, position: int, marks: re.Pattern[str], known: dict[int, int]) -> int:
        """Find the end of the bracket that closes what is open at a place; -1 if none does.

        ``known`` has this for all places to which the reading of these ``marks`` came.
        """
        levels: list[list[int]] = [[]]  # places that wait for a bracket, by how many are open
        while levels:
            end = known.get(position)
            if end is None:
                levels[-1].append(position)
                match = marks.search(self.source, position)
                end = match.end() if match else -1
                if match and match[0] not in "})]":
                    position = self._after(match)
                    if match[0] in "({[":
                        levels.append([])
                    continue
            for places in levels if end < 0 else [levels[-1]]:
                known.update(dict.fromkeys(places, end))
            if end < 0:
                return -1
            levels.pop()
            position = end
        return position

    def _after(self, match: re.Match[str]) -> int:
        """Find where to read on behind a mark: behind a string or comment that it begins."""
        mark, start = match[0], match.start()
        if mark not in LITERAL_ENDS:
            return match.end()
        if mark not in self.ends:
            found = LITERAL_ENDS[mark].finditer(self.source)
            self.ends[mark] = [end.end() for end in found if end[0][0] != "\\"]
        ends = self.ends[mark]
        index = bisect_left(ends, start + 2 * len(mark))
        closed = index < len(ends) and self.source[ends[index] - 1] != "\n"
        return ends[index] if closed else start + 1


def script(state: StateBlock) -> Script:
    """Return what is known of the JavaScript of the source that is being parsed.

    It is kept on the state, since the environment outlives the parse.
    """
    found: Script | None = getattr(state, "script", None)
    if found is None:
        found = Script(state.src)
        state.script = found  # type: ignore[attr-defined]
    return found


def closing_tag_line(state: StateBlock, start: int, end: int) -> int:
    """Find the line of the closing tag of the element that a line opens; -1 if there is none.

    One reading pairs all elements, whatever their names.
    """
    return known_closing(state, start, end, "jsx", _pairs)


def _pairs(state: StateBlock, start: int, end: int) -> dict[int, int]:
    pairs = {start: -1}
    opened: dict[str, list[int]] = defaultdict(list)
    for line, text in lines_outside_fences(state, start, end):
        if (closing := CLOSING_TAG.fullmatch(text)) and opened[closing[1]]:
            pairs[opened[closing[1]].pop()] = line
        elif opening := OPENING_TAG.match(text):
            pairs[line] = -1
            position = script(state).tag_end(state.bMarks[line] + state.tShift[line])
            within = text.endswith(f"</{opening[1]}>")
            if position > 0 and state.src[position - 2] != "/" and not within:
                opened[opening[1]].append(line)
    return pairs


class _Tails(NamedTuple):
    """The closing tags at the ends of a paragraph's lines: of which lines, and where by name."""

    since: int
    until: int
    lines: dict[str, list[int]]


def closing_text_line(state: StateBlock, name: str, start: int, end: int) -> int:
    """Find the next line of a paragraph that ends with the closing tag of a name; -1 if none."""
    remembered = parse_state(state)
    known: dict[tuple[int, ...], _Tails] = remembered.tails
    # in our own containers a line looks as it does outside of them
    place = state.level - remembered.own_levels, state.blkIndent, end
    tails = known.get(place)
    if tails is None or not tails.since <= start < tails.until:
        tails = known[place] = _tails(state, start, end)
    lines = tails.lines.get(name, [])
    index = bisect_right(lines, start)
    return lines[index] if index < len(lines) else -1


def _tails(state: StateBlock, start: int, end: int) -> _Tails:
    lines: dict[str, list[int]] = {}
    for line in range(start + 1, end):
        if state.isEmpty(line) or outdented(state, line):
            return _Tails(start, line, lines)
        text = line_text(state, line)
        closing = CLOSING_TAG.fullmatch(text, max(text.rfind("</"), 0))
        if closing:
            lines.setdefault(closing[1], []).append(line)
    return _Tails(start, end, lines)
