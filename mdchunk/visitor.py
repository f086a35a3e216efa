"""Tokens to structure: scored boundaries and protected spans, found in one pass over the stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import NamedTuple

from markdown_it.token import Token

from mdchunk import wording
from mdchunk.insides import Insides
from mdchunk.lines import Lines
from mdchunk.meanings import ROOT, Meaning, Meanings
from mdchunk.model import Boundary, Heading, Span, Structure

NOTHING_BEHIND = ("", 0.0)
UNTITLED = frozenset({"heading", "thematic_break"})
"""What a bold line is no title of."""
LEADING = ("<", "{/*", "{%", "r[")
"""How a block begins that may be a label of what follows: as HTML, a comment, a template's tag or a
rule's name."""
NO_STEP = (-1, -1)
"""Which boundary stands behind an ordered list, and the number of that list's last item."""
_new_boundary = partial(tuple.__new__, Boundary)
_new_span = partial(tuple.__new__, Span)


class _Place(NamedTuple):
    """Where a block begins if what leads it is counted, and which boundary stands there."""

    start: int
    last: _Block | None
    behind: tuple[str, float]
    boundary: int


class _Block:
    """A block: an open container, or what came last in one."""

    __slots__ = (
        *("cap", "end", "first", "goes_on", "last", "leads", "level", "meaning", "number"),
        *("place", "span", "start", "step", "type", "under"),
    )

    def __init__(
        self, meaning: Meaning, token_type: str, first: int, start: int, end: int, cap: float
    ) -> None:
        self.meaning = meaning
        self.type = token_type
        self.first = first
        self.start = start
        self.end = end
        self.cap = cap  # the most that a boundary inside may be worth
        self.level = 1
        self.span = -1
        self.leads: wording.Leads = "all" if meaning.leads else ""
        self.last: _Block | None = None
        self.place: _Place | None = None
        self.under = 0  # the level of the heading that it comments on or defines labels for
        self.number = -1  # of an ordered list's last item
        self.goes_on = False  # whether that list goes on with the numbers of one before
        self.step = NO_STEP  # in a container, of what stands behind its last ordered list


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
        # boundaries and spans are plain tuples until all are there: half the time
        self.boundaries: list[tuple[int, float, str]] = []
        self.spans: list[tuple[int, int, str]] = []
        self.blocks: list[tuple[int, int, str]] = []
        self.insides = Insides(source, lines.starts, meanings.worths)
        self.headings: list[Heading] = []
        self.stack = [_Block(ROOT, "", 0, 0, len(source), inf)]
        self.depth = 0  # of lists
        self.foreign = 0  # containers whose headings are not the document's
        self.caption: _Block | None = None  # the last one that stands behind what it is of
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

    def _open(self, token: Token, meaning: Meaning, content: str) -> None:
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
        block = _Block(meaning, token.type, first, start, end, parent.cap)
        if meaning.is_list:
            self.depth += 1
        elif self.source.startswith(LEADING, start) and meaning.kind in ("paragraph", "html"):
            block.leads = wording.leads(self.source, start, end, block=meaning.kind == "html")
        if end > start:
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

    def _section_start(self, heading: _Block) -> int:
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

    def _tail(self, block: _Block) -> None:
        """Set the boundaries at a container's last lines that are no block's: a closing mark."""
        last = block.last
        if last is None:
            if block.meaning.protected and block.end > block.start:
                # empty, or deeper than the parser goes: only its lines are known
                self.insides.lines(block.first + 1, self.lines.of(block.end - 1))
        elif last.end < block.end:
            first = self.lines.of(last.end - 1) + 1
            self.insides.lines(first, self.lines.of(block.end - 1))

    def _leave(self, block: _Block, parent: _Block) -> None:
        """Note a block as its container's last, and what the place behind it is worth."""
        if block.end <= block.start:
            return
        parent.last = block
        meaning = block.meaning
        if meaning.after and not (meaning.is_list and self.depth):
            kind, worth = meaning.after
            self.behind = (kind, min(worth, parent.cap))

    def _extent(self, token: Token, parent: _Block) -> tuple[int, int, int]:
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

    def _take(self, token: Token, block: _Block, parent: _Block) -> None:
        """Set the boundary before a block, and note the block itself."""
        meaning, last = block.meaning, parent.last
        if meaning.by:
            block.level = int(token.tag[1:]) if meaning.by == "tag" else self.depth
        worth, cap = meaning.worths[block.level], parent.cap
        if worth > cap:
            worth = cap
        goes_on = meaning.is_list and self._continues(block, last)
        self._boundary(block, parent, worth, goes_on=goes_on)
        if last is not None:
            if meaning.defines or block.leads == "heading" or self._trails(block):
                under = 0 if meaning.defines else last.under
                block.under = last.level if last.meaning.kind == "heading" else under
            if last.number >= 0 or parent.step is not NO_STEP:
                self._step(token, block, parent)
        if meaning.is_item and token.info.isdecimal():
            parent.number = int(token.info)
        if not meaning.section:
            block.cap = worth
        kind = meaning.kind
        if token.info and meaning.inside == "code" and (language := wording.language(token.info)):
            kind = f"{kind}:{language}"
        self.blocks.append((block.start, block.end, kind))
        if last is not None and goes_on:
            # two lists to CommonMark, and one to keep together
            block.span, block.start = last.span, last.start
            self.spans[block.span] = (last.start, block.end, meaning.kind)
        elif meaning.protected:
            block.span = len(self.spans)
            self.spans.append((block.start, block.end, meaning.kind))

    def _step(self, token: Token, block: _Block, parent: _Block) -> None:
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
            if last.goes_on and self._shown(block):
                self._tie(-1, parent)
        elif meaning.kind != "heading":
            parent.step = (at, number)

    def _tie(self, at: int, parent: _Block) -> None:
        """Make a boundary one between what introduces and what is introduced."""
        worth = min(self.worths["lead_in"], parent.cap)
        self.boundaries[at] = (self.boundaries[at][0], worth, "lead_in")

    def _shown(self, block: _Block) -> bool:
        """Tell whether a block is what a sentence may introduce: code, a table, an image."""
        return block.meaning.led or wording.shows(self.source, block.start)

    def _never(self, block: _Block) -> wording.Caption:
        """Name the kind of caption that no such block has: that is one of what comes next."""
        if block.meaning.kind == "table" or self.source.startswith("<table", block.start):
            return "figure"
        return "" if block.meaning.pictured else "table"

    def _boundary(self, block: _Block, parent: _Block, worth: float, *, goes_on: bool) -> None:
        """Set the boundary before a block."""
        boundaries, last, start = self.boundaries, parent.last, block.start
        if last is not None and last.leads and last.place and self._belongs(last, block):
            # what stands there is the block with its label, so the label's place is the block's
            block.place = place = last.place
            if place.boundary >= 0:
                goes_on = self._continues(block, place.last)
                behind = NOTHING_BEHIND if goes_on else place.behind
                cut = self._cut(block, parent, place.last, behind, worth)
                boundaries[place.boundary] = (place.start, *cut)
            glue = min(self.worths["attached"], parent.cap)
            boundaries.append((start, glue, "attached"))
        else:
            spoken = bool(boundaries) and boundaries[-1][0] >= start
            if block.leads:
                at = -1 if spoken else len(boundaries)
                block.place = _Place(start, last, self.behind, at)
            if spoken:
                return  # its container, or a tag before it, has spoken for this place
            behind = NOTHING_BEHIND if goes_on else self.behind
            boundaries.append((start, *self._cut(block, parent, last, behind, worth)))
        self.behind = NOTHING_BEHIND

    def _belongs(self, label: _Block, block: _Block) -> bool:
        """Tell whether a label is that of the block behind it."""
        if label.leads == "all":
            return True
        shown, before = self._shown(block), label.place.last if label.place else None
        if self.lines.of(label.end - 1) + 1 == block.first:
            return shown or block.meaning.kind == "heading" or block.leads == "heading"
        if block.leads == "all" and not label.under:
            return True
        return shown and before is not None and self._introduces(before, block)

    def _cut(
        self,
        block: _Block,
        parent: _Block,
        last: _Block | None,
        behind: tuple[str, float],
        worth: float,
    ) -> tuple[float, str]:
        """Give what a cut before a block is worth, and for which reason."""
        kind = block.meaning.row
        if behind[1] > worth:
            kind, worth = behind
        reason = self._reason(block, parent, last)
        if reason:
            kind, worth = reason, min(self.worths[reason], parent.cap)
        return worth, kind

    def _reason(self, block: _Block, parent: _Block, last: _Block | None) -> str:
        """Name the reason not to cut before a block that follows another, if there is one."""
        if last is None:
            # the line that opens a container goes with the first thing in it
            alone = block.first > parent.first and len(self.stack) > 1
            return "attached" if alone else ""
        meaning, before = block.meaning, last.meaning.kind
        above = last.level if before == "heading" else last.under
        if above:
            if meaning.kind != "heading":
                return "heading_content"
            return "heading_heading" if block.level > above else ""
        if self._trails(block):
            return "attached"
        if meaning.kind == "html" and wording.closes(self.source, block.start, block.end):
            return "attached"
        if before == "paragraph":
            if meaning.is_list and parent.meaning.kind == "list_item":
                return "lead_in"
            titled = wording.entitles(self.source, last.start, last.end)
            if titled and last is not self.caption and meaning.kind not in UNTITLED:
                return "lead_in"
        if self._shown(block) and self._introduces(last, block):
            return "lead_in"
        return "lead_in" if self._captioned(last, block) else ""

    def _trails(self, block: _Block) -> bool:
        """Tell whether a block only names or styles the one before it."""
        brief = self.source[block.start] in "^{" and block.meaning.kind == "paragraph"
        return brief and wording.trails(self.source, block.start, block.end)

    def _captioned(self, last: _Block, block: _Block) -> bool:
        """Tell whether one of two blocks is the caption of the other, or says whose it is."""
        source = self.source
        if last.meaning.kind == "blockquote":
            return wording.attributes(source, block.start, block.end)
        image = wording.pictures(source, last.start)
        if image or last.meaning.pictured:
            found = wording.caption(source, block.start, block.end, image=image)
            if found and found != self._never(last):
                self.caption = block
                return True
        if last.meaning.kind != "paragraph" or last is self.caption:
            return False
        pictured = block.meaning.pictured or wording.pictures(source, block.start)
        return pictured and wording.caption(source, last.start, last.end) != ""

    def _introduces(self, last: _Block, block: _Block) -> bool:
        """Tell whether a block ends in a paragraph that ends in a colon.

        A step of a list may introduce what stands beside the list, without its indentation.
        """
        while (
            last.meaning.kind in ("list", "list_item") and last.last and not block.meaning.is_list
        ):
            last = last.last
        paragraph = last.meaning.kind == "paragraph"
        return paragraph and wording.introduces(self.source, last.start, last.end)

    def _continues(self, block: _Block, last: _Block | None) -> bool:
        """Tell whether a list goes on from the one before it with another marker."""
        if last is None or not block.meaning.is_list or last.type != block.type:
            return False
        texts = (self.lines.text(last.first), self.lines.text(block.first))
        before, here = (len(text) - len(text.lstrip()) for text in texts)
        return before == here

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
