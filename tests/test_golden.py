"""Golden files: options, then a document behind the gutter that shows where it is cut.

The document is read back from the rows themselves, chunked under the options, and drawn again; the
two drawings must agree. What context puts round a chunk stands below, behind its number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from corpus import FIXTURES, read
from laws import all_laws

from mdchunk import Chunk, Chunker
from mdchunk.scores import DEFAULT_SCORES
from mdchunk.view import gutter

GOLDEN = sorted((FIXTURES / "golden").glob("*.txt"))
ROW = re.compile(r"[┌│└\[ ]{3,}([|¦])(.*)")
CUT = re.compile(r"-- \w+ [\d.]+")
FRAME = "== "
REMARK = "## "


class Case(NamedTuple):
    """The head of a golden file as it stands, the options in it, and the document."""

    head: str
    options: dict[str, Any]
    source: str


def load(path: Path) -> Case:
    """Read a golden file; rows of the gutter give the document back."""
    head, options, lines = [], {}, []
    for line in read(path).split("\n"):
        row = ROW.fullmatch(line)
        if row and row[1] == "|":
            lines.append(row[2])
        elif row:
            lines[-1] += row[2]
        elif line.startswith(FRAME):
            break
        elif not lines and not CUT.fullmatch(line):
            head.append(line)
            if not line.startswith(REMARK):
                options.update(map(option, line.split()))
    return Case("\n".join(head), options, "".join(f"{line}\n" for line in lines))


def option(text: str) -> tuple[str, Any]:
    """Read ``name=value``; what is no Python literal is a word."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def draw(case: Case, chunks: Sequence[Chunk]) -> str:
    """Write a golden file."""
    parts = [f"{case.head}\n", gutter(case.source, chunks)]
    for number, piece in enumerate(chunks, 1):
        if piece.contextualized != piece.text:
            whole = piece.contextualized if piece.elided else around(piece)
            parts += [f"{FRAME}{number}\n", *(f"{line}\n" for line in whole.split("\n"))]
    return "".join(parts)


def around(piece: Chunk) -> str:
    return f"{piece.prefix}[…]{piece.suffix}"


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden(path: Path, pytestconfig: pytest.Config) -> None:
    case = load(path)
    found = draw(case, Chunker(**case.options).chunk(case.source))
    if pytestconfig.getoption("--update-golden"):
        path.write_bytes(found.encode("utf-8"))
    assert found == read(path)


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden_files_keep_the_laws(path: Path) -> None:
    case = load(path)
    all_laws(Chunker(**case.options), case.source)


def test_every_kind_of_block_and_of_cut_has_a_golden_file() -> None:
    kinds, cuts, known = set(), set(), set()
    for path in GOLDEN:
        case = load(path)
        chunker = Chunker(**case.options)
        document = chunker.parse(case.source)
        known |= {rule.kind for rule in document.syntax.rules.values()}
        kinds |= {block.kind.partition(":")[0] for block in document.structure.blocks}
        cuts |= {piece.cut for piece in chunker.chunk(case.source)}
    assert known - kinds == set()
    assert {"end", *DEFAULT_SCORES} - cuts == set()
