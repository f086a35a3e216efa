"""Structural tags, as prompts have them: ``<example>`` … ``</example>``, each alone on its line.

The source is the convention of prompt files; ``<details>`` is treated alike. A tag counts by where
it stands: what is HTML's, unclosed, crossed, mid-line, in code or in a comment gives nothing. May
misread: an element of HTML that is not yet known by its name, which is kept whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import INTERRUPTS, line_text
from mdchunk.dialects.shared.tag_lines import (
    Pair,
    Tag,
    find_tags,
    is_structural,
    nested_pairs,
    pairs_by_name,
    tag_name,
)
from mdchunk.parsing.parse_state import ENV_KEY, ParseState, TagLines, is_lean, parse_state
from mdchunk.rules import Reading, Rule

TAG_START = re.compile(r"<([^\W\d][\w.:-]*)")
TAG_END = re.compile(r"</([^\W\d][\w.:-]*)>[ \t]*$", re.MULTILINE)
SUMMARY = re.compile(r"[ \t]*<summary\b", re.IGNORECASE)
LONGEST_SUMMARY = 20
"""Lines, so that openers without a closing tag take time by their number."""
SUMMARY_END = "</summary>"


def extend(parser: MarkdownIt) -> None:
    """Pair the tags once the blocks are known."""
    parser.block.ruler.before("html_block", "tag_line", _tag_line, INTERRUPTS)
    parser.core.ruler.after("block", "tags", _tags)


def _tag_line(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Make a tag a block of its own, so that what it holds is Markdown with no blank line between.

    In a paragraph it ends that before a tag that is known to make a pair.
    """
    known = parse_state(state).tags
    if silent:
        return line in known.interrupting
    if not _is_alone(state, line, end):
        return False
    known.alone.add(line)
    token = state.push("html_block", "", 0)
    token.map = [line, line + 1]
    token.content = state.getLines(line, line + 1, state.blkIndent, True)
    state.line = line + 1
    return True


def _is_alone(state: StateBlock, line: int, end: int) -> bool:
    """Return whether a line is a tag that may make a pair, with no indented line after it."""
    name = "" if state.is_code_block(line) else tag_name(line_text(state, line))
    code = line + 1 < end and not state.isEmpty(line + 1) and state.is_code_block(line + 1)
    if not name or name == "details" or code:
        return False
    known = parse_state(state).tags
    if known.paired is not None:
        return line in known.paired
    if known.names is None:
        known.names = set(TAG_START.findall(state.src)) & set(TAG_END.findall(state.src))
    return name in known.names


def _tags(state: StateCore) -> None:
    if not any(is_structural(match[1]) for match in TAG_END.finditer(state.src)):
        return
    tags = find_tags(state.tokens)
    pairs, misplaced = nested_pairs(tags), _misplaced(tags)
    if misplaced or not parse_state(state).tags.alone <= _lines(pairs):
        pairs = _parse_again(state, misplaced, _lines(pairs) | misplaced)
        kept = misplaced & _lines(pairs)
        if kept != misplaced or not parse_state(state).tags.alone <= _lines(pairs):
            # what makes no pair after all must not part what it stands in
            pairs = _parse_again(state, kept, _lines(pairs))
    if pairs:
        state.tokens = _Rebuilt(state.tokens, pairs).tokens


def _lines(pairs: Iterable[Pair]) -> set[int]:
    return {tag.line for pair in pairs for tag in pair}


def _parse_again(state: StateCore, interrupting: set[int], paired: set[int]) -> list[Pair]:
    """Read the blocks once more, with some tags out of the list, quote or table they follow."""
    state.tokens = []
    tags = TagLines(interrupting=interrupting, paired=paired)
    again = ParseState(lean=is_lean(state.env), tags=tags)
    state.env.clear()
    state.env[ENV_KEY] = again
    state.md.block.parse(state.src, state.md, state.env, state.tokens)
    return nested_pairs(find_tags(state.tokens))


def _misplaced(tags: Sequence[Tag]) -> set[int]:
    """Find the lines of tags that make a pair but for the containers in which they stand."""
    apart = (pair for pair in pairs_by_name(tags) if pair[0].container != pair[1].container)
    return _lines(apart)


class _Rebuilt:
    """A token stream with the paired tags as containers, and the blocks round them in pieces."""

    def __init__(self, tokens: Sequence[Token], pairs: Sequence[Pair]) -> None:
        self.tokens: list[Token] = []
        self.depth = 0
        self.ends = {opening.line: closing.line for opening, closing in pairs}
        tags: dict[int, list[Tag]] = {}
        for tag in sorted((tag for pair in pairs for tag in pair), key=lambda tag: tag.line):
            tags.setdefault(tag.token, []).append(tag)
        for index, token in enumerate(tokens):
            if index in tags:
                self._divide(token, tags[index])
            elif index + 1 in tags and tokens[index + 1].type == "inline":
                continue  # the opening of a paragraph that is made anew
            elif index - 1 in tags and tokens[index - 1].type == "inline":
                continue  # and its closing
            else:
                token.level += self.depth
                self.tokens.append(token)

    def _divide(self, token: Token, tags: Sequence[Tag]) -> None:
        """Put the tags of a block, and what of it stands between them, into the stream."""
        assert token.map
        lines, first = token.content.split("\n"), token.map[0]
        level = token.level - (token.type == "inline")
        done = 0
        for tag in tags:
            at = tag.line - first
            self._piece(token.type, lines[done:at], first + done, level)
            self._tag(tag, level)
            done = at + 1 + (_summary(lines, at + 1) if tag.opens and tag.name == "details" else 0)
        self._piece(token.type, lines[done:], first + done, level)

    def _piece(self, kind: str, lines: Sequence[str], first: int, level: int) -> None:
        text = "\n".join(lines).rstrip("\n")
        if not text.strip():
            return
        last = first + text.count("\n") + 1
        # by itself a piece is HTML only if it begins as HTML does
        if kind == "html_block" and text.lstrip().startswith("<"):
            self._push(Token(kind, "", 0, content=f"{text}\n", map=[first, last]), level)
            return
        self._push(Token("paragraph_open", "p", 1, map=[first, last]), level)
        inline = Token("inline", "", 0, content=text.strip(), map=[first, last], children=[])
        self._push(inline, level + 1)
        self._push(Token("paragraph_close", "p", -1), level)

    def _tag(self, tag: Tag, level: int) -> None:
        if tag.opens:
            lines = [tag.line, self.ends[tag.line] + 1]
            self._push(Token("tag_open", tag.name, 1, map=lines, info=tag.name), level)
            self.depth += 1
        else:
            self.depth -= 1
            self._push(Token("tag_close", tag.name, -1, info=tag.name), level)

    def _push(self, token: Token, level: int) -> None:
        token.level = level + self.depth
        token.block = True
        self.tokens.append(token)


def _summary(lines: Sequence[str], first: int) -> int:
    """Count the lines of a summary that opens an element, since it is its title."""
    if first >= len(lines) or not SUMMARY.match(lines[first]):
        return 0
    for number, line in enumerate(lines[first : first + LONGEST_SUMMARY]):
        if SUMMARY_END in line.lower():
            return number + 1 if line.rstrip().lower().endswith(SUMMARY_END) else 0
    return 0


DIALECT = Dialect(
    "tags",
    extend,
    rules={"tag_open": Rule("tag", "hard", row="tag_open", after="tag_close", section=True)},
    starts={"tag_line": "<"},
    readings={"tag_open": Reading("html")},
)
