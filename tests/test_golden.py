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
from regenerate import Record, digest, read_record, rewrite

from mdchunk import Chunk, Chunker
from mdchunk.options import REVISION
from mdchunk.scores import DEFAULT_SCORES
from mdchunk.view import gutter

GOLDEN = sorted((FIXTURES / "golden").glob("*.txt"))
RECORD = FIXTURES / "golden" / "REVISION"
"""What the golden files were when their revision was recorded."""
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


def drawn(case: Case) -> str:
    """Draw a golden file as the code has it."""
    return draw(case, Chunker(**case.options).chunk(case.source))


def around(piece: Chunk) -> str:
    return f"{piece.prefix}[…]{piece.suffix}"


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden(path: Path, pytestconfig: pytest.Config) -> None:
    found = drawn(load(path))
    if pytestconfig.getoption("--update-golden") and (changed := rewrite(path, found)):
        pytest.fail(f"written anew, to be read cut by cut:\n{changed}", pytrace=False)
    assert found == read(path)


def test_no_golden_file_moves_without_a_new_revision(pytestconfig: pytest.Config) -> None:
    """What moves here moves in everybody's index, whose owner looks at the fingerprint."""
    now = Record(REVISION, {path.name: digest(drawn(load(path)), REMARK) for path in GOLDEN})
    known = read_record(RECORD)
    assert known.revision <= REVISION
    assert known.moved(now) == [], "raise REVISION in options.py, with a line in CHANGELOG.md"
    if pytestconfig.getoption("--update-golden") and (changed := rewrite(RECORD, now.text())):
        pytest.fail(f"recorded anew:\n{changed}", pytrace=False)
    assert now == known, "run with --update-golden"


def test_what_moves_is_told_from_what_is_new() -> None:
    known = Record(3, {"a.txt": digest("a", "## "), "b.txt": digest("b", "## ")})
    same, other = known.digests["a.txt"], digest("c", "## ")
    assert known.moved(Record(3, {"a.txt": same, "c.txt": other})) == []
    assert known.moved(Record(3, {"a.txt": other, "b.txt": known.digests["b.txt"]})) == ["a.txt"]
    assert known.moved(Record(2, {"a.txt": other})) == ["a.txt"]
    assert known.moved(Record(4, {"a.txt": other})) == []
    assert digest("## a remark\na", "## ") == same


def test_what_is_written_anew_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert "+one" in rewrite(path, "one\n")
    shown = rewrite(path, "two\n")
    assert [line for line in shown.split("\n") if line[1:] in ("one", "two")] == ["-one", "+two"]
    assert rewrite(path, "two\n") == ""
    assert read_record(RECORD).text() == read(RECORD)


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
