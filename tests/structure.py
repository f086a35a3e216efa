"""Structure fixtures: a snippet behind a gutter of its boundaries, then its spans and headings.

A case reads::

    == title
    dialects: tags                  (only if they are not the default ones)
                 70 list_item |- one
                     (1 line) |  goes on
    spans: 1-2 list, 1-2 list_item

Left of the bar stand score and kind of the boundary before that line, in parentheses those that
are used only if the block cannot fit. Spans and headings go by line numbers from 1. Run as a
program, this shows what the code makes of the snippets where that is not what is drawn, and with
``--write`` writes it; either way it ends with 1 if anything differs.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from regenerate import difference, rewrite

from mdchunk.dialects import DEFAULT_DIALECTS
from mdchunk.document import Document, parse

FOLDER = Path(__file__).parents[1] / "fixtures" / "structure"
GUTTER = 24


class Case(NamedTuple):
    """A snippet with the dialects that read it and the text of its case."""

    file: str
    title: str
    dialects: tuple[str, ...]
    source: str
    text: str

    def parse(self) -> Document:
        return parse(self.source, dialects=self.dialects)


def read(path: Path) -> list[Case]:
    """Read the cases of a file."""
    parts = path.read_text(encoding="utf-8").split("\n== ")
    parts[0] = parts[0].removeprefix("== ")
    return [_case(path.stem, part.rstrip("\n")) for part in parts]


def _case(file: str, text: str) -> Case:
    title, *rows = text.split("\n")
    named = [row.removeprefix("dialects: ") for row in rows if row.startswith("dialects: ")]
    dialects = tuple(named[0].split()) if named else DEFAULT_DIALECTS
    lines = [row.split("|", 1)[1] for row in rows if row.startswith((" ", "|")) and "|" in row]
    return Case(file, title, dialects, "".join(f"{line}\n" for line in lines), text)


def render(case: Case) -> str:
    """Write a case with what the parse of its snippet gives."""
    document = case.parse()
    structure, lines = document.structure, document.lines
    marks = {b.offset: f"({b.score:g} {b.kind})" for b in structure.interior}
    marks |= {b.offset: f"{b.score:g} {b.kind}" for b in structure.boundaries}
    rows = [case.title]
    if case.dialects != DEFAULT_DIALECTS:
        rows.append(f"dialects: {' '.join(case.dialects)}")
    for start, line in zip(lines.starts, case.source.split("\n")[:-1], strict=False):
        rows.append(f"{marks.get(start, ''):>{GUTTER}} |{line}")

    def place(start: int, end: int) -> str:
        first, last = lines.of(start) + 1, lines.of(end - 1) + 1
        return f"{first}" if first == last else f"{first}-{last}"

    spans = [f"{place(s.start, s.end)} {s.kind}" for s in structure.spans]
    headings = [f"{lines.of(h.offset) + 1} {h.text}" for h in structure.headings]
    for name, found in (("spans", spans), ("headings", headings)):
        if found:
            text = f"{name}: " + ", ".join(found)
            rows += textwrap.wrap(text, 98, subsequent_indent=" " * (len(name) + 2))
    return "\n".join(rows)


def all_cases() -> list[Case]:
    """Read every structure fixture."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Compare the fixtures with what the code gives, and show what differs."""
    differs = False
    for path in sorted(folder.glob("*.txt")):
        text = "".join(f"== {render(case)}\n\n" for case in read(path)).rstrip("\n") + "\n"
        show = rewrite if arguments == ["--write"] else difference
        shown = show(path, text)
        print(shown, end="")
        differs = differs or bool(shown)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
