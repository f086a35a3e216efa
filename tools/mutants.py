"""Damage the chunker in a copy, one way at a time, and show that the test named for it notices.

    python tools/mutants.py                  # all rows of tools/mutants.txt, some minutes
    python tools/mutants.py --only overlap   # those whose names or files hold a word
    python tools/mutants.py --find           # the first test that notices each: in a row's file of
                                             # tests, or for the test ? in the fast suite

A row is a name, a file of the package, the test that should notice, and the text that becomes
another. A mutant counts as noticed only if its module imports, a changed line runs, and an
assertion of the test fails: a name that is gone or a wrong type, raised in the package, shows
nothing. A row whose text is not in its file just once, or whose test does not exist or fails
without any damage, is an error. The command ends with 1 if a mutant is not noticed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ROWS = ROOT / "tools" / "mutants.txt"
COPIED = ("mdchunk", "tests", "fixtures", "docs", "tools", "pyproject.toml", "README.md")
COPIED_TOO = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "NOTICE")
LEFT = ("node_modules", "__pycache__", "*.pyc")
FAST = (
    *("test_selector", "test_breaks", "test_document", "test_frontmatter", "test_measure"),
    *("test_options", "test_structure", "test_context", "test_golden", "test_chunks"),
    *("test_explain", "test_view", "test_stats", "test_plain", "test_outputs", "test_cli"),
    *("test_found", "test_positions", "test_page", "test_laws"),
)
"""Where ``--find`` looks, what fails soonest first."""
LIMIT = 400
"""Seconds that a run may take."""
NO_IMPORT = 9
"""How tools/mutant_probe.py ends a run whose mutant does not import."""


class Mutant(NamedTuple):
    """A row: a name, a file of the package, a test, and the text that becomes another."""

    name: str
    file: str
    test: str
    old: str
    new: str


class Outcome(NamedTuple):
    """What became of a mutant: the test that noticed, or why it does not count as noticed."""

    test: str = ""
    fault: str = ""


def read_rows(text: str) -> Iterator[Mutant]:
    """Read the rows of a table; see the head of tools/mutants.txt for how they are written."""
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        name, place, *lines = part.rstrip("\n").split("\n")
        file, _, test = place.partition("  ")
        old, new = ("\n".join(line[2:] for line in lines if line[:1] == mark) for mark in "-+")
        yield Mutant(name.strip(), file, test.strip(), old, new)


def rows() -> list[Mutant]:
    """Read the table of this project."""
    return list(read_rows(ROWS.read_text(encoding="utf-8")))


def stale(mutant: Mutant, root: Path = ROOT) -> str:
    """Return what a row names that is not there (any more); "" if nothing."""
    path = root / "mdchunk" / mutant.file
    if not path.is_file():
        return f"{mutant.name}: there is no file {mutant.file}"
    count = path.read_text(encoding="utf-8").count(mutant.old)
    if count != 1:
        return f"{mutant.name}: the text is in {mutant.file} {count} times: {mutant.old!r}"
    file, _, name = mutant.test.partition("::")
    test = root / "tests" / file
    defined = rf"^def {re.escape(name.partition('[')[0])}\("
    if not test.is_file() or not re.search(defined, test.read_text(encoding="utf-8"), re.MULTILINE):
        return f"{mutant.name}: there is no test {mutant.test}"
    return ""


def damaged(source: str, mutant: Mutant) -> str:
    """Change the source of a module."""
    return source.replace(mutant.old, mutant.new, 1)


def changed_lines(source: str, mutant: Mutant) -> range:
    """Find the lines, from 1, that a mutant's text takes in the changed source."""
    first = source[: source.index(mutant.old)].count("\n") + 1
    return range(first, first + mutant.new.count("\n") + 1)


def copy_to(place: Path) -> None:
    """Copy what the suite needs."""
    for name in (*COPIED, *COPIED_TOO):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns(*LEFT))
        else:
            shutil.copy(source, place / name)


def run(place: Path, tests: Sequence[str], told: dict[str, object]) -> dict[str, object]:
    """Run tests in a copy until one fails, and return what tools/mutant_probe.py saw."""
    report = place / "report.json"
    report.unlink(missing_ok=True)
    paths = os.pathsep.join([str(place), str(place / "tools")])
    environment = {
        **os.environ,
        "PYTHONPATH": paths,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "MUTANT": json.dumps({**told, "report": str(report)}),
    }
    # in one process, whatever the project asks for, since a probe watches its own alone
    options = ("-x", "-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-o", "addopts=")
    command = [sys.executable, "-m", "pytest", *options, "-p", "mutant_probe", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=place,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"fault": f"no end within {LIMIT} seconds"}
    if not report.exists() or done.returncode not in (0, 1, NO_IMPORT):
        return {
            "fault": f"the run ended with {done.returncode}: {(done.stdout + done.stderr)[-300:]}"
        }
    seen: dict[str, object] = json.loads(report.read_text(encoding="utf-8"))
    return seen


def judge(place: Path, mutant: Mutant, tests: Sequence[str]) -> Outcome:
    """Damage a copy, have it tested, and mend it."""
    path = place / "mdchunk" / mutant.file
    sound = path.read_text(encoding="utf-8")
    lines = changed_lines(sound, mutant)
    told = {"path": str(path), "first": lines.start, "last": lines.stop - 1}
    path.write_text(damaged(sound, mutant), encoding="utf-8", newline="\n")
    try:
        seen = run(place, tests, told)
    finally:
        path.write_text(sound, encoding="utf-8", newline="\n")
    return verdict(seen)


def verdict(seen: dict[str, object]) -> Outcome:
    """Judge what was seen of a run."""
    if seen.get("fault"):
        return Outcome(fault=str(seen["fault"]))
    if not seen["ran"]:
        return Outcome(fault="no changed line ran")
    if not seen["failed"]:
        return Outcome(fault="**survived**")
    if not seen["asserted"]:
        return Outcome(fault=f"no assertion: {seen['error']} in {seen['failed']}")
    return Outcome(str(seen["failed"]))


def judge_all(mutants: Sequence[Mutant], jobs: int, *, find: bool) -> int:
    """Judge mutants in as many copies as jobs, print a row for each, and count the unnoticed."""
    fast = [f"tests/{name}.py" for name in FAST]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        free: Queue[Path] = Queue()
        for number in range(jobs):
            copy_to(Path(folder) / str(number))
            free.put(Path(folder) / str(number))

        def work(mutant: Mutant) -> Outcome:
            place = free.get()
            tests = fast if mutant.test == "?" else [f"tests/{mutant.test.partition('::')[0]}"]
            try:
                return judge(place, mutant, tests if find else [f"tests/{mutant.test}"])
            finally:
                free.put(place)

        if not find:
            sound = run(Path(folder) / "0", sorted({f"tests/{m.test}" for m in mutants}), {})
            if sound.get("fault") or sound["failed"]:
                sys.exit(f"without any damage: {sound.get('fault') or sound['failed']}")
        unnoticed = 0
        for mutant, outcome in zip(mutants, pool.map(work, mutants), strict=True):
            unnoticed += not outcome.test
            print(
                f"| {mutant.name} | {mutant.file} | {outcome.test or outcome.fault} |", flush=True
            )
    return unnoticed


def main() -> int:
    """Read the command line and go through the rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", metavar="WORD", help="in the row's name or file")
    parser.add_argument("--find", action="store_true", help="show the first test that notices")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at once")
    given = parser.parse_args()
    mutants = [m for m in rows() if given.only in m.name or given.only in m.file]
    faults = [] if given.find else [fault for m in mutants if (fault := stale(m))]
    if faults or not mutants:
        sys.exit("\n".join(faults) or f"no row holds {given.only!r}")
    unnoticed = judge_all(mutants, given.jobs, find=given.find)
    print(f"{len(mutants) - unnoticed} of {len(mutants)} mutants are noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
