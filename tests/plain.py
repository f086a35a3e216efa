"""Plain fixtures: a document behind a bar, and under it, behind a colon, what a reader sees.

A case reads::

    == title
    |See [the page](a.md).
    :See the page.

A tab, which parts the cells of a table, is drawn as an arrow. A file is read with the dialect of
its name beside those that are on. Run as a program, this writes what is read anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import mdchunk
from mdchunk.dialects import DEFAULT_DIALECTS

FOLDER = Path(__file__).parents[1] / "fixtures" / "plain"
TAB = "⇥"


class Case(NamedTuple):
    """A document, how it is drawn, and the dialects that read it."""

    file: str
    title: str
    source: str
    text: str

    def chunks(self, size: int) -> list[mdchunk.Chunk]:
        dialects = DEFAULT_DIALECTS
        if self.file not in dialects:
            dialects = (*dialects, self.file)
        return mdchunk.chunk(
            self.source, chunk_size=size, unit="characters", plain=True, dialects=dialects
        )


def read(path: Path) -> list[Case]:
    """Read the cases of a file."""
    parts = path.read_text(encoding="utf-8").split("\n== ")
    parts[0] = parts[0].removeprefix("== ")
    return [_case(path.stem, part.rstrip("\n")) for part in parts]


def _case(file: str, text: str) -> Case:
    title, *rows = text.split("\n")
    source = "".join(f"{row[1:]}\n" for row in rows if row.startswith("|"))
    return Case(file, title, source, text)


def render(case: Case) -> str:
    """Write a case with what is read of its document."""
    plain = "\n\n".join(chunk.plain for chunk in case.chunks(100_000)).replace("\t", TAB)
    rows = [f"|{line}" for line in case.source.split("\n")[:-1]]
    return "\n".join([case.title, *rows, *(f":{line}" for line in plain.split("\n"))])


def cases() -> list[Case]:
    """List all cases."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]


def _update() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        text = "\n\n".join(f"== {render(case)}" for case in read(path))
        path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    _update()
