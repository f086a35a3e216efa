"""Time and peak memory over one growing document, each run in a process of its own."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from benchmarks import apart
from benchmarks.corpus import Document
from benchmarks.report import Column, Result

SIZES = (1, 2, 4, 8, 16)  # MB
SEED = 6
LIMIT = 60.0  # seconds for one run


def joined(documents: Sequence[Document], megabytes: int) -> str:
    """Joins documents, over and over, to one source of about so many million bytes."""
    wanted = megabytes * 1_000_000
    mixed = list(documents)
    random.Random(SEED).shuffle(mixed)  # a folder's order would give each step its own kind of text
    parts: list[str] = []
    while wanted > 0:
        for document in mixed:
            parts.append(document.text)
            wanted -= len(document.text.encode("utf-8", "surrogatepass")) + 2
            if wanted <= 0:
                break
    return "\n\n".join(parts)


def measure(
    names: Sequence[str],
    documents: Sequence[Document],
    size: int,
    unit: str,
    steps: Sequence[int] = SIZES,
) -> Result:
    """Runs every chunker at every step until one exceeds the time limit."""
    rows = {name: _grow(name, documents, size, unit, steps) for name in names}
    seconds = [Column(f"{step} MB, s", f"seconds_{step}", ".2f") for step in steps]
    seconds.append(Column("steepest doubling", "doubling", ".2f"))
    memory = [Column(f"{step} MB, MiB", f"memory_{step}", ".0f") for step in steps]
    setting = {"unit": unit, "size": size, "limit of one run": f"{LIMIT:.0f} s"}
    return Result(f"growth-{unit}", setting, (seconds, memory), rows)


def _grow(
    name: str, documents: Sequence[Document], size: int, unit: str, steps: Sequence[int]
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    taken: list[float] = []
    for step in steps:
        answer = apart.run(name, size, unit, joined(documents, step), LIMIT)
        if isinstance(answer, str):
            row[f"seconds_{step}"] = answer
            break
        row[f"seconds_{step}"], row[f"memory_{step}"] = answer
        taken.append(answer.seconds)
        print(f"{name} {step} MB: {answer.seconds:.2f} s, {answer.memory:.0f} MiB", file=sys.stderr)
    if len(taken) > 1:
        row["doubling"] = max(b / a for a, b in pairwise(taken))
    return row
