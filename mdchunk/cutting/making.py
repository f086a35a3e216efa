"""Extents → chunks: what each chunk says of itself beside its text."""

from __future__ import annotations

import hashlib
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from math import inf
from typing import NamedTuple

from mdchunk.cutting.exclusion import is_excluded
from mdchunk.cutting.nesting import Nesting
from mdchunk.cutting.planner import Planned
from mdchunk.cutting.sections import Sections
from mdchunk.cutting.subject import Subject
from mdchunk.lines import Lines, ToSource
from mdchunk.model import Chunk, Recipe, Section, SectionEnd, Span, beside, freeze, has_data

ID_LENGTH = 16


class Original(NamedTuple):
    """A document as it was given, of which the normal text is cut.

    ``place`` finds a place of that text in ``source``; ``lines`` are its own, and ``metadata`` is
    what the front matter says.
    """

    source: str
    place: ToSource
    lines: Lines
    metadata: Mapping[str, object]


class ChunkMaker:
    """Makes the chunks of one document from their extents, of one level after the other.

    ``plain`` reads what a slice shows, if anyone asks for it.
    """

    def __init__(
        self,
        original: Original,
        subject: Subject,
        *,
        plain: Callable[[int, int], str] | None,
        elided: bool,
    ) -> None:
        self.original = original
        self.metadata = freeze(original.metadata)
        self.text = subject.source
        self.structure = subject.structure
        self.excluded = subject.excluded
        self.plain = plain
        self.elided = elided
        self.sections = Sections(self.structure)
        self.kinds = Kinds(self.structure.blocks)

    def chunks(
        self,
        planned: Sequence[Planned],
        subject: Subject,
        recipe: Recipe,
        level: int = 0,
        parents: Iterable[str] = repeat(""),
    ) -> Iterator[Chunk]:
        """Make each chunk in turn: planned in the normal text, taken from the source."""
        source, place, lines, _ = self.original
        seen: dict[str, int] = {}
        before = 0  # where the chunk before ends
        for ((start, own, end, cut), size), parent in zip(planned, parents, strict=False):
            added = subject.added(start, own, end)
            first, last = place(start), place(end)
            text = self.text[start:end]
            seen[text] = again = seen.get(text, -1) + 1
            chunk = Chunk(
                text=text if source is self.text else source[first:last],
                start=first,
                end=last,
                start_line=lines.of(start) + 1,
                end_line=lines.of(end - 1) + 1,
                overlap=place(own) - first,
                size=size,
                headings=self.sections.titles(self.sections.start(own, end)),
                kinds=self.kinds.within(start, end),
                cut=cut.kind,
                prefix=added.prefix,
                suffix=added.suffix,
                metadata=self.metadata,
                id=chunk_id(text, again, level),
                plain=self.plain(start, end) if self.plain else "",
                elided=self.elided and has_data(f"{added.prefix}{text}{added.suffix}"),
                sections=self._sections(before, own, end),
                parent=parent,
                pages=self._pages(own, end),
            )
            before = end
            yield beside(chunk, recipe, self._section_ends(own, end))

    def _pages(self, own: int, end: int) -> tuple[int, int] | None:
        """Return the first and the last page of a chunk's own text."""
        pages = self.structure.pages
        if not pages:
            return None
        first, last = (bisect_right(pages, (at, sys.maxsize)) - 1 for at in (own, end - 1))
        return pages[first][1], pages[last][1]

    def _sections(self, before: int, own: int, end: int) -> tuple[Section, ...]:
        """Return the headings that stand in a chunk's own text, behind the chunk before."""
        sections, excluded = self.sections, self.excluded
        low = bisect_left(sections.headings, (before,))
        high = bisect_left(sections.headings, (end,), low)
        if low == high:
            return ()
        _, place, lines, _ = self.original
        # where there is no room for a line's indentation it is in no chunk
        found = (
            (max(own, offset), level, text)
            for offset, level, text in sections.headings[low:high]
            if not is_excluded(excluded, offset)
        )
        return tuple(
            Section(text, level, place(start), lines.of(start) + 1, sections.titles(start))
            for start, level, text in found
        )

    def _section_ends(self, own: int, end: int) -> tuple[SectionEnd, ...]:
        """List where sections end with their containers inside a chunk, and what goes on there."""
        ends = self.structure.section_ends
        if not ends:
            return ()
        low, high = bisect_right(ends, (own, inf)), bisect_left(ends, (end,))
        titles, place = self.sections.titles, self.original.place
        return tuple((place(offset), titles(offset)) for offset, _ in ends[low:high])


class Kinds:
    """The kinds of the blocks that reach into a slice."""

    def __init__(self, blocks: Sequence[Span]) -> None:
        self.kinds = [kind for _, _, kind in blocks]
        self.nesting = Nesting((start, end) for start, end, _ in blocks)
        self.known: dict[int, tuple[str, ...]] = {-1: ()}

    def within(self, start: int, end: int) -> tuple[str, ...]:
        """Return them, each once: of blocks round the slice, then of those that start in it."""
        around = self._around(self.nesting.innermost(start))
        inside = self.nesting.between(start, end)
        return tuple(dict.fromkeys(chain(around, self.kinds[inside.start : inside.stop])))

    def _around(self, index: int) -> tuple[str, ...]:
        """Return the kinds of a block and of those round it, each worked out once."""
        known, waiting = self.known, []
        while index not in known:
            waiting.append(index)
            index = self.nesting.outer(index)
        found = known[index]
        for inner in reversed(waiting):
            kind = self.kinds[inner]
            found = known[inner] = found if kind in found else (*found, kind)
        return found


def chunk_id(text: str, again: int, level: int) -> str:
    """Name a chunk by its text and its number among equal texts: edits elsewhere keep it.

    A chunk that is all of its parent has another name than that.
    """
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    if again or level:
        # of the digest, since a number and this text may be the text of another chunk
        number = b"%d" % again if not level else b"%d of level %d" % (again, level)
        digest = hashlib.sha256(digest.digest() + number)
    return digest.hexdigest()[:ID_LENGTH]
