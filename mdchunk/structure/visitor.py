"""Tokens to structure: scored boundaries and protected spans, found in one pass over the stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from markdown_it.token import Token

from mdchunk.lines import Lines
from mdchunk.model import Boundary, Heading, Span, Structure
from mdchunk.structure import cues
from mdchunk.structure.compiled_rules import ROOT, CompiledRule, Meanings
from mdchunk.structure.interior import Insides
from mdchunk.structure.keep_together import NO_STEP, TEXTUAL, Block, Place, Ties

NOTHING_BEHIND = ("", 0.0)
_new_boundary = partial(tuple.__new__, Boundary)
_new_span = partial(tuple.__new__, Span)


class Visitor:
    """The state of one walk over one document's tokens."""

    def __init__(
        self, source: str, lines: Lines, meanings: Meanings, title: Callable[[str], str]
    ) -> None:
        self.source = source
        self.lines = lines
        self.starts = lines.starts
        self.meanings = meanings
        self.worths = meanings.worths
        self.title = title
        self.ties = Ties(source, lines)
        # boundaries and spans are plain tuples until all are there: half the time
        self.boundaries: list[tuple[int, float, str]] = []
        self.spans: list[tuple[int, int, str]] = []
        self.blocks: list[tuple[int, int, str]] = []
        self.insides = Insides(source, lines.starts, meanings.worths)
        self.headings: list[Heading] = []
        self.stack = [Block(ROOT, "", 0, 0, len(source), inf)]
        self.depth = 0  # of lists
        self.foreign = 0  # containers whose headings are not the document's
        self.behind = NOTHING_BEHIND  # what the last container's end is worth as a cut
        self.next_line = 0

    def walk(self, tokens: Sequence[Token]) -> Structure:
        """Visit every block token once and give what was found."""
        openers, closers = self.meanings.openers, self.meanings.closers
        leaf = -1
        for index, token in enumerate(tokens):
            if leaf >= 0:
                # what stands inside a leaf (a table's cells, a paragraph's text) is no block
                if token.nesting == -1 and token.level == leaf:
                    leaf = -1
            elif token.nesting == -1:
                if token.type in closers:
                    self._close()
            elif meaning := openers.get(token.type):
                content = ""
                if meaning.kind == "heading":  # a lean one holds its text itself
                    content = tokens[index + 1].content if token.nesting else token.content
                self._open(token, meaning, content)
                if meaning.inside and token.nesting == 1:
                    leaf = token.level
        self._bare_text(len(self.lines))
        return Structure(
            len(self.source),
            tuple(map(_new_boundary, self.boundaries)),
            tuple(map(_new_span, self.spans)),
            tuple(map(_new_boundary, self.insides.places)),
            tuple(self.headings),
            tuple(map(_new_span, self.blocks)),
        )

    def _open(self, token: Token, meaning: CompiledRule, content: str) -> None:
        parent = self.stack[-1]
        first, last, end = self._extent(token, parent)
        if token.map and len(self.stack) == 1:
            if first > self.next_line:
                self._bare_text(first)
            if last >= self.next_line:
                self.next_line = last + 1
        start = self.starts[first]
        if end > parent.end:
            end = parent.end
        block = Block(meaning, token.type, first, start, end, parent.cap)
        if meaning.is_list:
            self.depth += 1
        if end > start:
            if meaning.kind in TEXTUAL:
                self.ties.read(block, parent)
            self._take(token, block, parent)
            if meaning.kind == "heading" and not self.foreign:
                offset = self._section_start(block)
                self.headings.append(Heading(offset, block.level, self.title(content)))
        if not meaning.inside:
            self.stack.append(block)
            self.foreign += not meaning.section
            return
        if meaning.protected and (last > first or meaning.inside == "html"):
            self.insides.leaf(token, meaning.inside, first, last)
        self._leave(block, parent)

    def _section_start(self, heading: Block) -> int:
        """Find where a heading's section begins: at its label, or at the tag that it comes after.

        A chunk that starts there is of the section; all containers round it are such tags.
        """
        first = heading
        for container in reversed(self.stack[1:]):
            if container.last is not None:
                break
            first = container
        return first.place.start if first.place else first.start

    def _close(self) -> None:
        if len(self.stack) == 1:
            return
        block = self.stack.pop()
        meaning = block.meaning
        self.foreign -= not meaning.section
        self._tail(block)
        if meaning.is_list:
            self.depth -= 1
        self._leave(block, self.stack[-1])

    def _tail(self, block: Block) -> None:
        """Set the boundaries at a container's last lines that are no block's: a closing mark."""
        last = block.last
        if last is None:
            if block.meaning.protected and block.end > block.start:
                # empty, or deeper than the parser goes: only its lines are known
                self.insides.lines(block.first + 1, self.lines.of(block.end - 1))
        elif last.end < block.end:
            first = self.lines.of(last.end - 1) + 1
            self.insides.lines(first, self.lines.of(block.end - 1))

    def _leave(self, block: Block, parent: Block) -> None:
        """Note a block as its container's last, and what the place behind it is worth."""
        if block.end <= block.start:
            return
        parent.last = block
        meaning = block.meaning
        if meaning.after and not (meaning.is_list and self.depth):
            kind, worth = meaning.after
            self.behind = (kind, min(worth, parent.cap))

    def _extent(self, token: Token, parent: Block) -> tuple[int, int, int]:
        """Find a block's first and last line that are not blank, and where the last one ends."""
        starts, source = self.starts, self.source
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
        meaning, last = block.meaning, parent.last
        if meaning.by:
            block.level = int(token.tag[1:]) if meaning.by == "tag" else self.depth
        worth, cap = meaning.worths[block.level], parent.cap
        if worth > cap:
            worth = cap
        goes_on = meaning.is_list and self.ties.continues(last, block)
        self._boundary(block, parent, worth, goes_on=goes_on)
        if last is not None:
            if meaning.defines or block.trails or block.leads == "heading":
                under = 0 if meaning.defines else last.under
                block.under = last.level if last.meaning.kind == "heading" else under
            if last.number >= 0 or parent.step is not NO_STEP:
                self._step(token, block, parent)
        if meaning.is_item and token.info.isdecimal():
            parent.number = int(token.info)
        if not meaning.section:
            block.cap = worth
        kind = meaning.kind
        if token.info and meaning.inside == "code" and (language := cues.language(token.info)):
            kind = f"{kind}:{language}"
        self.blocks.append((block.start, block.end, kind))
        if last is not None and goes_on:
            # two lists to CommonMark, and one to keep together
            block.span, block.start = last.span, last.start
            self.spans[block.span] = (last.start, block.end, meaning.kind)
        elif meaning.protected:
            block.span = len(self.spans)
            self.spans.append((block.start, block.end, meaning.kind))

    def _step(self, token: Token, block: Block, parent: Block) -> None:
        """Tie what stands between two ordered lists to the first, if the second goes on with it.

        It is of the step before it, without the indentation that CommonMark asks for. Whoever
        numbers every step 1 means that too.
        """
        boundaries, last, meaning = self.boundaries, parent.last, block.meaning
        (at, number), parent.step = parent.step, NO_STEP
        if meaning.is_list:
            start = token.attrs.get("start", 1) if block.type == "ordered_list_open" else -1
            block.goes_on = at >= 0 and (start == number + 1 or start == number == 1)
            if block.goes_on:
                self._tie(at, parent)
        elif last is not None and last.number >= 0 and boundaries[-1][0] == block.start:
            if meaning.kind != "heading":
                parent.step = (len(boundaries) - 1, last.number)
            if last.goes_on and block.shown:
                self._tie(-1, parent)
        elif meaning.kind != "heading":
            parent.step = (at, number)

    def _tie(self, at: int, parent: Block) -> None:
        """Make a boundary one between what introduces and what is introduced."""
        worth = min(self.worths["lead_in"], parent.cap)
        self.boundaries[at] = (self.boundaries[at][0], worth, "lead_in")

    def _boundary(self, block: Block, parent: Block, worth: float, *, goes_on: bool) -> None:
        """Set the boundary before a block."""
        boundaries, last, start = self.boundaries, parent.last, block.start
        if last is not None and last.leads and last.place and self.ties.belongs(last, block):
            # what stands there is the block with its label, so the label's place is the block's
            block.place = place = last.place
            if place.boundary >= 0:
                goes_on = self.ties.continues(place.last, block)
                behind = NOTHING_BEHIND if goes_on else place.behind
                cut = self._cut(block, parent, place.last, behind, worth)
                boundaries[place.boundary] = (place.start, *cut)
            glue = min(self.worths["attached"], parent.cap)
            boundaries.append((start, glue, "attached"))
        else:
            spoken = bool(boundaries) and boundaries[-1][0] >= start
            if block.leads:
                at = -1 if spoken else len(boundaries)
                block.place = Place(start, last, self.behind, at)
            if spoken:
                return  # its container, or a tag before it, has spoken for this place
            behind = NOTHING_BEHIND if goes_on else self.behind
            boundaries.append((start, *self._cut(block, parent, last, behind, worth)))
        self.behind = NOTHING_BEHIND

    def _cut(
        self,
        block: Block,
        parent: Block,
        last: Block | None,
        behind: tuple[str, float],
        worth: float,
    ) -> tuple[float, str]:
        """Give what a cut before a block is worth, and for which reason."""
        kind = block.meaning.row
        if behind[1] > worth:
            kind, worth = behind
        if last is not None:
            reason = self.ties.reason(last, block, in_item=parent.meaning.is_item)
        else:
            # the line that opens a container goes with the first thing in it
            alone = block.first > parent.first and len(self.stack) > 1
            reason = "attached" if alone else ""
        if reason:
            kind, worth = reason, min(self.worths[reason], parent.cap)
        return worth, kind

    def _bare_text(self, before: int) -> None:
        """Set a boundary at top-level text that made no token, such as a link definition."""
        starts = self.starts
        if self.source[starts[self.next_line] : starts[before]].isspace():
            return
        for line in range(self.next_line, before):
            if not self.lines.blank(line):
                self.boundaries.append((self.starts[line], self.worths["paragraph"], "paragraph"))
                self.behind = NOTHING_BEHIND
                return
