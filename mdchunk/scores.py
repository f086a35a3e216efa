"""How good a place to cut each kind is; a cut falls before the thing named (after it for *_end)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mdchunk.errors import OptionsError, not_allowed


class Weight(NamedTuple):
    """A row of the table: ``base``, less ``step`` for each level below 1, at least ``floor``.

    A heading's level is how deep its section lies in the document's: one of level 6 counts as 2
    where only a title is above it.
    """

    base: float
    step: float = 0
    floor: float = 0

    def at(self, level: int) -> float:
        """Return the score at a level, 1 being the outermost."""
        if level == 1 or not self.step:
            return self.base
        return max(self.floor, self.base - self.step * (level - 1))


class AbsoluteWeight(Weight):
    """A row by the levels of headings as they are written, as QMD counts them."""

    __slots__ = ()


DEFAULT_SCORES: Mapping[str, Weight] = MappingProxyType(
    {
        # QMD's table, with its list and tag extension
        "heading": Weight(100, 10, 50),
        "code": Weight(80),
        "list_end": Weight(75),
        "tag_close": Weight(75),
        "list_item": Weight(70, 25, 25),
        "thematic_break": Weight(60),
        "front_matter_end": Weight(40),
        "tag_open": Weight(30),
        "paragraph": Weight(20),
        # QMD has no rows for these: 10 to 60 was tried for each, and made no difference that could
        # be told from chance (docs/benchmarks.md), so they are what a paragraph is
        "table": Weight(20),
        "html": Weight(20),
        "blockquote": Weight(20),
        "math": Weight(20),
        "callout": Weight(20),
        "admonition": Weight(20),
        "directive": Weight(20),
        "footnote_definition": Weight(20),
        "definition": Weight(20),
        "line": Weight(1),
        # reasons not to cut; they win over whatever else stands at that offset
        "heading_heading": Weight(4),
        "lead_in": Weight(1),
        "mid_sentence": Weight(0.1),  # between two blocks of one sentence, as before a formula
        "open_end": Weight(1.5),  # behind a text that does not end as a sentence ends
        # the next two are the most that such a place may be worth: before a list no more than one
        # between paragraphs, nor so little that a list that fits is cut for it
        "described": Weight(8),  # behind a text, before code
        "short_text": Weight(20),  # behind a short text, before a list
        "open_start": Weight(1),  # before a text that begins as the rest of another does
        "heading_content": Weight(1),
        "attached": Weight(1),  # between a label or a defined term and what it belongs to
        # inside what cannot fit
        "code_gap": Weight(4, 2, 1.5),
        "table_row": Weight(2),
        "table_cell": Weight(1),
        "sentence": Weight(2),
        "word": Weight(0.5),
        "grapheme": Weight(0.25),
    }
)
"""The score of each kind. A block without a row of its own counts as a paragraph."""

KEEP_WITH_NEXT = frozenset({"heading_heading", "heading_content", "attached"})
"""Kinds at which a cut falls only if the two sides do not fit into one chunk."""
SOFT_FACTOR = 0.2
"""What a boundary keeps of its score inside a soft span (a list) that fits."""


def score_table(
    overrides: Mapping[str, float | Weight], extra: Mapping[str, Weight]
) -> Mapping[str, Weight]:
    """Join the default table, the dialects' rows and the user's values.

    Raises OptionsError for a kind that is in neither table or a score outside 0 to 100.
    """
    table = {**DEFAULT_SCORES, **extra}
    for kind, value in overrides.items():
        if kind not in table:
            known = ", ".join(sorted(table))
            message = f"scores: unknown kind {kind!r}; known kinds: {known}"
            raise OptionsError(message, option="scores", value=overrides, allowed=known)
        row = _row(kind, value)
        table[kind] = row
    return MappingProxyType(table)


def _row(kind: str, value: object) -> Weight:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    given: Any = (value,) if number else value
    try:
        row = given if isinstance(given, Weight) else Weight(*given)
        inside = all(0 <= part <= 100 for part in row)
    except TypeError:
        inside = False
    if not inside:
        allowed = "a number from 0 to 100, or a Weight(base, step, floor) of such numbers"
        raise not_allowed("scores", {kind: value}, allowed, what=f"{kind} is {value!r}")
    return row
