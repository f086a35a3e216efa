"""What a start costs: whole processes, by processor time, each beside a bare ``python -c pass``."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import Column, Result

ROUNDS = 7
COLUMNS = (
    Column("ms", "ms", ".0f"),
    Column("at most", "goal", "d"),
    Column("× bare Python", "ratio", ".1f"),
)
BARE = "python -c pass"
IMPORT = "import mdchunk"
CHUNK = f"{IMPORT}; mdchunk.chunk('# Title\\n\\nA paragraph.\\n'"
LENGTH = 34_000
"""Characters of the file that the command splits."""


def measure(rounds: int = ROUNDS) -> Result:
    """Times every start in interleaved rounds."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text(_page(), encoding="utf-8")
        starts = _starts(page)
        for command in starts.values():
            _milliseconds(command)  # compiled files are written, and the disk is warm
        times: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(rounds):
            for name, command in starts.items():
                times[name].append(_milliseconds(command))
    bare = median(times[BARE])
    rows = {
        name: {"ms": median(own), "goal": GOALS.get(name), "ratio": median(own) / bare}
        for name, own in times.items()
    }
    return Result("start", {"rounds": rounds, "kB": LENGTH // 1000}, (COLUMNS,), rows)


GOALS = {IMPORT: 100, "first chunk, tokens": 200, "mdchunk FILE": 220}
"""Milliseconds on the machine for which the goals were set, where bare Python takes 12."""


def _starts(page: Path) -> dict[str, Sequence[str]]:
    python = [sys.executable, "-c"]
    return {
        BARE: [*python, "pass"],
        IMPORT: [*python, IMPORT],
        "first chunk, characters": [*python, f"{CHUNK}, unit='characters')"],
        "first chunk, tokens": [*python, f"{CHUNK})"],
        "mdchunk FILE": [sys.executable, "-m", "mdchunk", str(page)],
    }


def _page() -> str:
    paragraph = "Some words of a paragraph, and a `name` in it.\n" * 5
    section = f"## Section\n\n{paragraph}\n- item\n\n"
    return (section * (LENGTH // len(section) + 1))[:LENGTH]


def _milliseconds(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user = after.ru_utime - before.ru_utime
    return (user + after.ru_stime - before.ru_stime) * 1000
