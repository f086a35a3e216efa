"""What is planned over: a source with its structure, and how slices of it are sized."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mdchunk.cutting.context import NO_CONTEXT, AddedContext, Context
from mdchunk.cutting.exclusion import Stretch
from mdchunk.cutting.fallback import is_cluster
from mdchunk.model import Boundary, Structure
from mdchunk.scores import KEEP_WITH_NEXT
from mdchunk.sizing.prefix_sums import SizeIndex
from mdchunk.sizing.stretches import Counter


@dataclass(frozen=True, slots=True)
class Subject:
    """A source with its structure and sizes, and the context that its slices get.

    ``chain_starts`` says of each boundary where the chain of headings begins that it goes with;
    ``counted`` whether context counts towards the limit; ``excluded`` is in no chunk.
    """

    source: str
    structure: Structure
    size_index: SizeIndex
    count: Counter
    context: Context | None
    front_matter_end: int
    chain_starts: Sequence[int]
    counted: bool = True
    excluded: Sequence[Stretch] = ()

    @property
    def counted_context(self) -> Context | None:
        """The context, if it counts towards the limit."""
        return self.context if self.counted else None

    def left(self, limit: float, offset: int) -> float:
        """Return what context leaves of a limit to the text of a chunk that starts at an offset."""
        context = self.counted_context
        return limit - context.extra(offset) if context else limit

    def added(self, start: int, own: int, end: int) -> AddedContext:
        """Return the context of a slice whose own text starts at ``own``.

        What cannot be divided has none if it would be over the limit with it.
        """
        if not self.context:
            return NO_CONTEXT
        added = self.context.added(start, own, end)
        if (added.prefix or added.suffix) and is_cluster(self.source, start, end):
            size = self.count(added.prefix + self.source[start:end] + added.suffix)
            return added if size <= self.context.most else NO_CONTEXT
        return added

    def size(self, start: int, own: int, end: int) -> int:
        """Count exactly what of a slice the limit is for: all of it, or the text alone."""
        return self.whole(start, own, end) if self.counted else self.size_index.exact(start, end)

    def whole(self, start: int, own: int, end: int) -> int:
        """Count a slice exactly, with its context."""
        if not self.context:
            return self.size_index.exact(start, end)
        added = self.added(start, own, end)
        line_before = added.prefix.endswith("\n") and not added.suffix
        if line_before and self.size_index.additive:
            # the prefix ends a line, and the slice starts with something to see
            return self.context.size(added.prefix) + self.size_index.exact(start, end)
        if not (added.prefix or added.suffix):
            return self.size_index.exact(start, end)
        return self.count(added.prefix + self.source[start:end] + added.suffix)


def chain_starts(boundaries: Sequence[Boundary]) -> list[int]:
    """Return for each boundary the first one of those that are kept with the next up to it."""
    first = 0
    found = []
    for index, boundary in enumerate(boundaries):
        if boundary.kind not in KEEP_WITH_NEXT:
            first = index
        found.append(first)
    return found
