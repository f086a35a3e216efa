"""A plug-in of pytest for tools/mutants.py: does a changed line run, and what ends the run.

It is told of the mutant by the environment, imports its module first, and writes a report.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

TOLD: dict[str, Any] = json.loads(os.environ["MUTANT"])
SEEN: dict[str, Any] = {"ran": False, "failed": "", "asserted": False, "error": ""}
TESTS = (AssertionError, pytest.fail.Exception)


def statement(source: str, first: int, last: int) -> range:
    """Find the lines of the statements that hold some lines; of compound ones their heads."""
    lines = set(range(first, last + 1))
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.stmt, ast.excepthandler)):
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        own = range(node.lineno, max(node.lineno, end) + 1)
        if lines & set(own):
            found.update(own)
    return range(min(found, default=first), max(found, default=last) + 1)


def watch(path: str, lines: range) -> None:
    """Note when one of some lines of a module runs, in any thread, then watch no more."""

    def inside(frame: FrameType, event: str, _: object) -> Any:
        if event == "line" and frame.f_lineno in lines:
            SEEN["ran"] = True
            sys.settrace(None)
            return None
        return inside

    def calls(frame: FrameType, _: str, __: object) -> Any:
        if SEEN["ran"]:
            sys.settrace(None)
            return None
        return inside if frame.f_code.co_filename == path else None

    threading.settrace(calls)
    sys.settrace(calls)


def module_of(path: Path) -> str:
    """Name the module of a file of the package."""
    parts = path.with_suffix("").parts
    names = parts[len(parts) - parts[::-1].index("mdchunk") - 1 :]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def pytest_configure() -> None:
    """Watch the changed lines and import their module, before any test does."""
    if "path" not in TOLD:
        return
    path = Path(TOLD["path"])
    try:
        lines = statement(path.read_text(encoding="utf-8"), TOLD["first"], TOLD["last"])
        watch(str(path), lines)
        importlib.import_module(module_of(path))
    except Exception as error:
        SEEN["fault"] = f"it does not import: {error!r}"
        pytest.exit("no import", returncode=9)


def pytest_exception_interact(node: pytest.Item, call: pytest.CallInfo[object]) -> None:
    """Note the first failure: an assertion of a test, or what the package raised."""
    if SEEN["failed"] or call.excinfo is None:
        return
    error = call.excinfo.value
    last = str(call.excinfo.traceback[-1].path)
    package = f"{os.sep}mdchunk{os.sep}" in last and f"{os.sep}tests{os.sep}" not in last
    SEEN["failed"] = node.nodeid.removeprefix("tests/")
    SEEN["asserted"] = isinstance(error, TESTS) and not package
    SEEN["error"] = f"{type(error).__name__}: {error}"[:120]


def pytest_unconfigure() -> None:
    """Write the report."""
    Path(TOLD["report"]).write_text(json.dumps(SEEN), encoding="utf-8")
