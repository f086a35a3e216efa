"""The rows of tools/mutants.txt are of the code as it is, and only what was noticed counts."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "tools" / "mutants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module  # annotations are looked up there
    spec.loader.exec_module(module)
    return module


tool = load()


def test_every_row_damages_what_is_there_and_names_a_test_that_is() -> None:
    rows = tool.rows()
    assert [fault for row in rows if (fault := tool.stale(row))] == []
    assert [name for name, count in Counter(row.name for row in rows).items() if count > 1] == []
    assert len(rows) >= 80


def test_every_mutant_is_another_program() -> None:
    for row in tool.rows():
        source = (ROOT / "mdchunk" / row.file).read_text(encoding="utf-8")
        sound, damaged = ast.parse(source), ast.parse(tool.damaged(source, row))
        assert ast.dump(sound) != ast.dump(damaged), row.name


CODE = """\
FACTOR = 2


def double(number):
    return number * FACTOR


def unused(number):
    return number
"""
TEST = """\
from mdchunk.code import double


def test_double():
    assert double(2) == 4


def test_nothing():
    double(2)
"""
ROW = "== a row\ncode.py  test_code.py::{test}\n- {old}\n+ {new}\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Make a package of the same name, with a test, where the tool's probe is."""
    for name, text in (
        ("mdchunk/__init__.py", ""),
        ("mdchunk/code.py", CODE),
        ("tests/test_code.py", TEST),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "mutant_probe.py", tmp_path / "tools")
    return tmp_path


@pytest.mark.parametrize(
    ("test", "old", "new", "fault"),
    [
        ("test_double", "FACTOR = 2", "FACTOR = 3", ""),
        ("test_double", "number * FACTOR", "number * GONE", "no assertion: NameError"),
        ("test_double", "    return number\n", "    return 0\n", "no changed line ran"),
        ("test_double", "FACTOR = 2", "FACTOR = ]", "it does not import: SyntaxError"),
        ("test_nothing", "number * FACTOR", "number + FACTOR + 1", "**survived**"),
    ],
)
def test_only_an_assertion_behind_a_line_that_ran_counts(
    package: Path, test: str, old: str, new: str, fault: str
) -> None:
    old, new = (text.replace("\n", "\n+ " if text is new else "\n- ") for text in (old, new))
    (row,) = tool.read_rows(ROW.format(test=test, old=old, new=new))
    outcome = tool.judge(package, row, [f"tests/{row.test}"])
    assert outcome.fault.startswith(fault)
    assert bool(outcome.test) == (not fault)
    assert (package / "mdchunk" / "code.py").read_text(encoding="utf-8") == CODE


def test_a_row_of_what_is_gone_is_told(package: Path) -> None:
    for old, test, fault in (
        ("number", "test_double", "the text is in code.py 4 times"),
        ("gone", "test_double", "the text is in code.py 0 times"),
        ("FACTOR = 2", "test_gone", "there is no test test_code.py::test_gone"),
    ):
        (row,) = tool.read_rows(ROW.format(test=test, old=old, new="x"))
        assert fault in tool.stale(row, package)
