"""What a chunk may repeat to be read alone: fence lines, headers of tables, definitions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdchunk.cutting.exclusion import Stretch, is_excluded
from mdchunk.cutting.nesting import Nesting
from mdchunk.lines import Lines
from mdchunk.model import Definition, Structure, Table

QUOTE = re.compile(r"[ \t]*>[ \t>]*")
MARKER = re.compile(r"[^ \t>]")
REFERENCE = re.compile(r"\\.|\[((?:[^\[\]\\]|\\.){1,999})\](?!\()", re.DOTALL)
"""An escape, which opens nothing, or what may be a use of a definition: its label is group 1."""


class FenceLines(NamedTuple):
    """A fenced block: its opening line, that line without its info string, and a closing line."""

    start: int
    end: int
    opening: str
    bare: str
    closing: str


@dataclass(frozen=True, slots=True)
class Repeatable:
    """All that chunks of one document may repeat."""

    source: str
    lines: Lines
    fences: Sequence[FenceLines]
    nesting: Nesting
    tables: Sequence[Table]
    definitions: Mapping[str, Definition]

    def fences_around(self, offset: int) -> list[FenceLines]:
        """Return the fences that an offset is strictly inside of, outermost first."""
        return [self.fences[index] for index in self.nesting.around(offset)]

    def table_header(self, offset: int) -> str:
        """Return the header of the table that an offset is inside of, else ""."""
        index = bisect_right(self.tables, (offset,)) - 1
        inside = index >= 0 and self.tables[index].start < offset < self.tables[index].end
        return self.tables[index].header if inside else ""

    def quote_mark(self, offset: int) -> str:
        """Return the marks of the quoted line that an offset is within: a slice lacks them."""
        line = self.lines.starts[self.lines.of(offset)]
        lead = QUOTE.match(self.source, line, offset) if line < offset else None
        return lead[0] if lead else ""

    def uses(self, text: str) -> Iterator[tuple[int, Definition]]:
        """Return where a text may use definitions, and which."""
        for offset, label in _labels(text):
            if definition := self.definitions.get(label):
                yield offset, definition

    def text(self, definition: Definition) -> str:
        """Return the text of a definition."""
        return self.source[definition.start : definition.end]


def repeatable(
    source: str,
    lines: Lines,
    structure: Structure,
    *,
    full: bool,
    excluded: Sequence[Stretch] = (),
) -> Repeatable:
    """Return what chunks may repeat: nothing but headings if it is not to be ``full``.

    No definition is repeated that stands in what is ``excluded``.
    """
    fences = list(_fence_lines(lines, structure)) if full else []
    nesting = Nesting(fence[:2] for fence in fences)
    definitions: dict[str, Definition] = {}
    for definition in structure.definitions if full else ():
        definitions.setdefault(_normal(definition.label), definition)
    if excluded:
        # only now, since the first definition of a label counts wherever it stands
        definitions = {
            label: found
            for label, found in definitions.items()
            if not is_excluded(excluded, found.start)
        }
    return Repeatable(source, lines, fences, nesting, structure.tables if full else (), definitions)


def _fence_lines(lines: Lines, structure: Structure) -> Iterator[FenceLines]:
    for start, end, marks, closed in structure.fences:
        line = lines.text(lines.of(start))
        lead = line[: line.index(marks)]
        # a slice that ends with a fence that nothing closes is still inside of it
        past = end + (not closed)
        closing = f"\n{MARKER.sub(' ', lead)}{marks}"
        yield FenceLines(start, past, f"{line.rstrip()}\n", f"{lead}{marks}\n", closing)


def _labels(text: str) -> Iterator[tuple[int, str]]:
    """Find what may be uses of definitions: where each begins, and its label."""
    for match in REFERENCE.finditer(text):
        if match[1] is not None:
            yield match.start(), _normal(match[1])


def _normal(label: str) -> str:
    """Fold a label as CommonMark matches it (section 4.7): case and white space do not count."""
    return " ".join(label.split()).casefold()
