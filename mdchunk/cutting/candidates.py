"""The candidates of a range, and the rules that cuts have to keep to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mdchunk.cutting.intervals import Intervals
from mdchunk.model import Boundary
from mdchunk.scores import Weight


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRules:
    """What a plan must keep to: the limit, and what each kind of boundary and span means.

    ``soft`` spans only lower the scores inside; ``divided`` says how a line of each kind of leaf is
    divided; ``keep`` leaves what cannot fit whole. Links and the like that fit into ``whole`` are
    not cut, though the limit is lower.
    """

    limit: float
    scores: Mapping[str, Weight]
    soft: frozenset[str]
    divided: Mapping[str, str]
    keep: bool = False
    whole: float | None = None

    def within(self, limit: float) -> CutRules:
        """Return the same rules under a lower limit."""
        return replace(self, limit=limit, whole=self.whole or self.limit)

    def boundary(self, offset: int, kind: str) -> Boundary:
        """Return a boundary with the score of its kind."""
        return Boundary(offset, self.scores[kind].base, kind)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Where a range may be cut, as flat arrays; the first is its start, the last its end.

    ``heads`` and ``tails`` are planned sizes: ``tails[j] - heads[i] + extras[i]`` is that of a
    chunk from candidate i to candidate j. ``headings`` are the offsets and scores of section
    headings, ``closed`` the spans that fit, which no cut may enter.
    """

    offsets: list[int]
    scores: list[float]
    kinds: list[str]
    heads: list[float]
    tails: list[float]
    extras: list[float]
    headings: list[tuple[int, float]]
    closed: Intervals

    def size(self, start: int, end: int) -> float:
        """Plan the size of a chunk from one candidate to another."""
        return self.tails[end] - self.heads[start] + self.extras[start]

    def boundary(self, index: int) -> Boundary:
        """Return a candidate as a boundary."""
        return Boundary(self.offsets[index], self.scores[index], self.kinds[index])
