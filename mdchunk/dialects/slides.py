"""Front matter inside a file: of a slide (Slidev), or of a page that was joined to others.

A line ``---`` behind a blank one or the comment that a file begins with, lines of YAML without a
blank one among them, and ``---`` again. To CommonMark that is a rule and an underlined heading, so
it is front matter only where it shows: by several keys, by one in small letters with a list, or by
one in small letters in a document that begins with front matter or has more such blocks. May
misread: an underlined heading of several lines that are all ``word: text``, right below a rule.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.parsing.parse_state import parse_state
from mdchunk.rules import HIDDEN, Rule

MARK = re.compile(r"---[ \t]*\Z")
KEY_LINE = re.compile(r"(?:[\w$@][\w.$@/-]*|\"[^\"]*\"|'[^']*'):(?:[ \t]|\Z)")
GOES_ON = re.compile(r"[ \t#]|-[ \t]|[\]}]")
"""What else a line may begin with: an indented value, a remark, an item, the end of a list."""
SMALL = re.compile(r"[a-z][\w-]*:")
BLOCKS = re.compile(r"\n[ \t]*\n---[ \t]*\n[a-z][\w-]*:(?:[ \t][^\n]*)?\n---[ \t]*(?=\n|\Z)")


def extend(parser: MarkdownIt) -> None:
    """Add the block rule, which comes before rules and underlined headings."""
    parser.block.ruler.before("hr", "inner_front_matter", _block)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.level or not _is_mark(state, start) or not _stands_free(state, start):
        return False
    close, keys = start + 1, []
    while close < end and not _is_mark(state, close):
        line = state.src[state.bMarks[close] : state.eMarks[close]]
        if KEY_LINE.match(line):
            keys.append(line.rstrip())
        elif not (line.strip() and (keys or line[0] == "#") and GOES_ON.match(line)):
            return False
        close += 1
    if close >= end or not keys or not (len(keys) > 1 or _shown(state, keys[0], close - start > 2)):
        return False
    if not silent:
        token = state.push("inner_front_matter", "", 0)
        token.map = [start, close + 1]
        token.hidden = True
        state.line = close + 1
    return True


def _stands_free(state: StateBlock, line: int) -> bool:
    """Return whether a line comes after a blank one, or right after a comment that begins the file.

    Generators write such a comment before the front matter of their pages.
    """
    if not line or state.isEmpty(line - 1):
        return line > 0
    comments = [token.content.lstrip().startswith("<!--") for token in state.tokens[:2]]
    return comments == [True]


def _is_mark(state: StateBlock, line: int) -> bool:
    return MARK.match(state.src, state.bMarks[line], state.eMarks[line]) is not None


def _shown(state: StateBlock, key: str, goes_on: bool) -> bool:
    """Return whether a block of one key is front matter: by a list, or by the document."""
    if not SMALL.match(key):
        return False
    if goes_on and key.endswith(":"):
        return True
    facts = parse_state(state).facts
    if "slides" not in facts:
        begins = bool(state.tokens) and state.tokens[0].type == "front_matter"
        facts["slides"] = begins or len(BLOCKS.findall(state.src)) > 1
    return facts["slides"]


DIALECT = Dialect(
    "slides",
    extend,
    rules={
        "inner_front_matter": Rule(
            "front_matter", "hard", inside="lines", row="thematic_break", leads=True
        )
    },
    starts={"inner_front_matter": "-"},
    readings={"inner_front_matter": HIDDEN},
)
