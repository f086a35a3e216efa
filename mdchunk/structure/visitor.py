"""Tokens to structure: scored boundaries and protected spans, found in one pass over the stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from markdown_it.token import Token

from mdchunk.lines import Lines
from mdchunk.model import Heading, Span, Structure
from mdchunk.rules import WHOLES
from mdchunk.structure import cues, html_tables, repeated
from mdchunk.structure.blocks import (
    NOT_NUMBERED,
    TEXTUAL,
    Block,
    Place,
    bare_container,
    read_words,
    same_list,
    section_start,
)
from mdchunk.structure.compiled_rules import (
    DEEPEST,
    DEFINING,
    ROOT,
    CompiledRule,
    CompiledRules,
)
from mdchunk.structure.found import Found
from mdchunk.structure.interior import LeafCutter
from mdchunk.structure.keep_together import DESCRIBING, WORDLESS, belongs, reason
from mdchunk.structure.numbering import number
from mdchunk.structure.section_ends import SectionEnds

NOTHING_BEHIND = ("", 0.0)
TAILS = frozenset({"html", "thematic_break"})
"""The kinds that may end what came before them."""


class Visitor:
    """One walk over one document's tokens: what is open, and what was found."""

    __slots__ = ("behind", "found", "leaves", "lines", "next_line", "rules", "source", "stack")

    def __init__(self, source: str, lines: Lines, rules: CompiledRules, outermost: int) -> None:
        self.source = source
        self.lines = lines
        self.rules = rules
        self.leaves = LeafCutter(source, lines.starts, rules.worths, rules.gaps)
        self.found = Found([], [], [], [], [], [], [], [], [], SectionEnds(outermost), [])
        self.stack = [Block(ROOT, "", (0, 0, len(source)), None)]
        self.behind = NOTHING_BEHIND  # what the last container's end is worth as a cut
        self.next_line = 0

    def walk(self, tokens: Sequence[Token], title: Callable[[str], str]) -> Structure:
        """Visit every block token once; ``title`` makes plain text of what a heading says."""
        openers, closers = self.rules.openers, self.rules.closers
        leaf = -1
        for index, token in enumerate(tokens):
            if leaf >= 0:
                # what stands inside a leaf (a table's cells, a paragraph's text) is no block
                if token.nesting == -1 and token.level == leaf:
                    leaf = -1
            elif token.nesting == -1:
                if token.type in closers:
                    self._close()
            elif rule := openers.get(token.type):
                if rule.kind == "heading":
                    # a lean one holds its text itself
                    text = tokens[index + 1].content if token.nesting else token.content
                    self._head(token, rule, partial(title, text))
                else:
                    self._open(token, rule)
                if rule.inside and token.nesting == 1:
                    leaf = token.level
        self._bare_text(len(self.lines))
        return self.found.structure(len(self.source))

    def _open(self, token: Token, rule: CompiledRule) -> Block | None:
        """Take a block that a token opens; return it if it holds anything."""
        parent = self.stack[-1]
        first, last, end = self._extent(token, parent)
        if token.map and len(self.stack) == 1:
            if first > self.next_line:
                self._bare_text(first)
            if last >= self.next_line:
                self.next_line = last + 1
        extent = first, self.lines.starts[first], min(end, parent.end)
        block = Block(rule, token.type, extent, parent)
        filled = block.end > block.start
        if filled:
            if rule.kind in TEXTUAL:
                read_words(self.source, block, parent)
            self._take(token, block, parent)
        if not rule.inside:
            self.stack.append(block)
            if rule.section:
                self.found.ends.enter()
        else:
            if rule.protected and (last > first or rule.inside == "html"):
                self.found.interior.extend(self.leaves.leaf(token, rule.inside, first, last))
            self._leave(block, parent)
        return block if filled else None

    def _head(self, token: Token, rule: CompiledRule, title: Callable[[], str]) -> None:
        """Take a heading, and note it if it is the document's and no container's."""
        outermost, parent = bare_container(self.stack), self.stack[-1]
        block = self._open(token, rule)
        if block and not parent.foreign:
            if not outermost and block.place and block.place.last is None and len(self.stack) > 1:
                # its label is all that the container holds
                outermost = bare_container(self.stack[:-1]) or parent
            offset = section_start(outermost or block)
            self.found.headings.append(Heading(offset, block.level, title()))
            self.found.heading_scores.append(self._worth(block, parent))
            self.found.ends.head(block.level)

    def _close(self) -> None:
        if len(self.stack) > 1:
            block = self.stack.pop()
            self._tail(block)
            self._leave(block, self.stack[-1])
            if block.rule.section:
                self.found.ends.leave(self._closing(block))

    def _tail(self, block: Block) -> None:
        """Set the boundaries at a container's last lines that are no block's: a closing mark."""
        last, lines = block.last, self.lines
        if last is None:
            if block.rule.protected and block.end > block.start:
                # empty, or deeper than the parser goes: only its lines are known
                first = block.first + 1
                self.found.interior.extend(self.leaves.lines(first, lines.of(block.end - 1)))
        elif last.end < block.end:
            first = lines.of(last.end - 1) + 1
            self.found.interior.extend(self.leaves.lines(first, lines.of(block.end - 1)))

    def _closing(self, block: Block) -> int:
        """Return where the line starts that closes a container, else where the container ends."""
        last = block.last
        if last is None or last.end >= block.end:
            return block.end
        return self.lines.starts[self.lines.of(block.end - 1)]

    def _leave(self, block: Block, parent: Block) -> None:
        """Note a block as its container's last, and what the place behind it is worth."""
        if block.end <= block.start:
            return
        parent.last = block
        rule = block.rule
        if rule.after and not (rule.is_list and parent.depth):
            kind, worth = rule.after
            self.behind = (kind, min(worth, parent.cap))

    def _extent(self, token: Token, parent: Block) -> tuple[int, int, int]:
        """Find a block's first and last line that are not blank, and where the last one ends."""
        starts, source = self.lines.starts, self.source
        if token.map:
            first, last = token.map
            last -= 1
            if last < first:
                last = first
            if last > len(starts) - 2:
                last = len(starts) - 2
            before = parent.last
            if before is not None and starts[first] < before.end and first < last:
                # some plug-ins count the line of the block before (the second term of a deflist)
                first = self.lines.of(before.end - 1) + 1
                while first < last and self.lines.blank(first):
                    first += 1
        else:
            first = last = parent.first  # an opener may have no map
        while first < last and source[starts[first] : starts[first + 1]].isspace():
            first += 1
        while True:
            text = source[starts[last] : starts[last + 1]].rstrip()
            if text or last <= first:
                return first, last, starts[last] + len(text)
            last -= 1

    def _take(self, token: Token, block: Block, parent: Block) -> None:
        """Set the boundary before a block, and note the block itself."""
        rule, last = block.rule, parent.last
        if rule.level_from:
            block.level = int(token.tag[1:]) if rule.level_from == "tag" else block.depth
            worth = self._worth(block, parent)
        else:
            worth = rule.worths[1]
        if worth > parent.cap:
            worth = parent.cap
        goes_on = rule.is_list and same_list(last, block, self.lines)
        self._boundary(block, parent, worth, goes_on=goes_on)
        if last is not None:
            defines = rule.kind == "definition"
            if defines or block.cues.trails or block.cues.leads == "heading":
                block.under = 0 if defines else last.under
                if last.rule.kind == "heading":
                    block.under = last.level
            if last.rule.is_list or parent.numbering is not NOT_NUMBERED:
                tie = (min(self.rules.worths["lead_in"], parent.cap), "lead_in")
                number(token, block, parent, self.found.boundaries, tie)
        if rule.kind == "list_item" and token.info.isdecimal():
            parent.number = int(token.info)
        if not rule.section:
            block.cap = worth
        self._note(token, block, last if goes_on else None)

    def _worth(self, block: Block, parent: Block) -> float:
        """Return the score of a block's kind; a heading's goes by how deep its section lies."""
        rule, level = block.rule, block.level
        if rule.level_from == "tag" and not rule.absolute and not parent.foreign:
            level = self.found.ends.depth(level)
        return rule.worth(level)

    def _note(self, token: Token, block: Block, before: Block | None) -> None:
        """Note a block with its span; ``before`` is the list that it goes on from."""
        rule, found, start, end = block.rule, self.found, block.start, block.end
        kind = rule.kind
        if token.info and rule.inside == "code" and (language := cues.language(token.info)):
            kind = f"{kind}:{language}"
        found.blocks.append((start, end, kind))
        if before is not None:
            # two lists to CommonMark, and one to keep together
            block.span, block.start = before.span, before.start
            found.spans[block.span] = (before.start, end, rule.kind)
        elif rule.protected:
            if token.meta:
                found.spans.extend(self._wholes(token, block))
            block.span = len(found.spans)
            found.spans.append((start, end, rule.kind))
        if rule.repeated:
            self._repeat(token, block)
        if (kind in TAILS or block.cues.leads == "mark") and not self.stack[-1].foreign:
            self._end(block)

    def _wholes(self, token: Token, block: Block) -> Iterator[tuple[int, int, str]]:
        """Return the stretches of several blocks that begin with a block and stay whole."""
        for past in token.meta.get(WHOLES, ()):
            yield block.start, max(self.lines.end(past - 1), block.end), "html"

    def _end(self, block: Block) -> None:
        """Note what a piece of HTML or a rule ends, and that a chunk may begin with it."""
        source, found, html = self.source, self.found, block.rule.kind == "html"
        if html:
            found.ends.tags(source, block.start, block.end)
        wordless = not html or block.cues.leads in WORDLESS
        if wordless or cues.closes(source, block.begin, block.end):
            found.tails.append(Span(block.start, block.end, block.rule.kind))

    def _repeat(self, token: Token, block: Block) -> None:
        """Note what a chunk may have to repeat of a block."""
        rule, found = block.rule, self.found
        made: Any = None
        if rule.fenced and token.markup and (made := repeated.fence(self.lines, token, block)):
            found.fences.append(made)
        elif rule.inside == "rows":
            found.tables.append(repeated.table(self.lines, token, block))
        elif token.type == "html_block":
            self._html_tables(block)
        elif rule.kind in DEFINING and (made := repeated.definition(self.source, block)):
            found.definitions.append(made)

    def _html_tables(self, block: Block) -> None:
        """Note the headers of tables, and which of their rows share a cell."""
        for table in html_tables.tables(self.source, block.start, block.end):
            spans = ((start, end, block.rule.kind) for start, end in table.groups)
            self.found.spans.extend(spans)
            if made := repeated.html_table(self.source, table):
                self.found.tables.append(made)

    def _boundary(self, block: Block, parent: Block, worth: float, *, goes_on: bool) -> None:
        """Set the boundary before a block."""
        boundaries, last, start = self.found.boundaries, parent.last, block.start
        if last and last.place and belongs(self.source, self.lines, last, block):
            # what stands there is the block with its label, so the label's place is the block's
            block.place = last.place
            self._replace(block, parent, worth)
            boundaries.append((start, min(self.rules.worths["attached"], parent.cap), "attached"))
            self.behind = NOTHING_BEHIND
            return
        # otherwise its container, or a tag before it, has added a boundary at this offset
        free = not boundaries or boundaries[-1][0] < start
        if block.cues.leads:
            block.place = Place(start, last, self.behind, len(boundaries) if free else -1)
        if free:
            behind = NOTHING_BEHIND if goes_on else self.behind
            boundaries.append((start, *self._cut(block, parent, last, behind, worth)))
            self.behind = NOTHING_BEHIND

    def _replace(self, block: Block, parent: Block, worth: float) -> None:
        """Judge the place before a block's label as the place before the block."""
        place = block.place
        if place and place.boundary >= 0:
            goes_on = block.rule.is_list and same_list(place.last, block, self.lines)
            behind = NOTHING_BEHIND if goes_on else place.behind
            cut = self._cut(block, parent, place.last, behind, worth)
            self.found.boundaries[place.boundary] = (place.start, *cut)

    def _cut(
        self,
        block: Block,
        parent: Block,
        last: Block | None,
        behind: tuple[str, float],
        worth: float,
    ) -> tuple[float, str]:
        """Return what a cut before a block is worth, and for which reason."""
        if last is not None:
            against = reason(self.source, last, block, parent)
        else:
            # the line that opens a container goes with the first thing in it
            alone = block.first > parent.first and len(self.stack) > 1
            against = "attached" if alone else ""
        describes = against in DESCRIBING
        if against and not describes:
            return min(self.rules.worths[against], parent.cap), against
        kind, after = behind
        if after <= worth:
            after, kind = worth, block.rule.row
        if kind != "heading":
            # no place in a section is as good as the one before its heading
            after = min(after, self.rules.caps[min(self.found.ends.here, DEEPEST)])
        if describes and (most := self.rules.worths[against]) < after:
            return most, against
        # whatever ends there, a reader sees a heading
        return after, block.rule.row if block.rule.kind == "heading" else kind

    def _bare_text(self, before: int) -> None:
        """Set a boundary at top-level text that made no token, such as a link definition."""
        starts = self.lines.starts
        if self.source[starts[self.next_line] : starts[before]].isspace():
            return
        for line in range(self.next_line, before):
            if not self.lines.blank(line):
                worth = self.rules.worths["paragraph"]
                self.found.boundaries.append((starts[line], worth, "paragraph"))
                self.behind = NOTHING_BEHIND
                return
