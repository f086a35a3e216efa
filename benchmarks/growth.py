"""Time and peak memory over one growing document, each run in a process of its own."""

from __future__ import annotations

import gc
import multiprocessing
import random
import re
import resource
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import chunkers
from benchmarks.corpus import Document
from benchmarks.report import Column, Result

SIZES = (1, 2, 4, 8, 16)  # MB
SEED = 6
LIMIT = 60.0  # seconds for one run
_STATUS = Path("/proc/self/status")


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
        answer = _apart(name, size, unit, joined(documents, step))
        if isinstance(answer, str):
            row[f"seconds_{step}"] = answer
            break
        row[f"seconds_{step}"], row[f"memory_{step}"] = answer
        taken.append(answer[0])
        print(f"{name} {step} MB: {answer[0]:.2f} s, {answer[1]:.0f} MiB", file=sys.stderr)
    if len(taken) > 1:
        row["doubling"] = max(b / a for a, b in pairwise(taken))
    return row


def _apart(name: str, size: int, unit: str, source: str) -> tuple[float, float] | str:
    """Runs once in a fresh process; returns seconds and MiB of peak memory, or what went wrong."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_once, args=(there, name, size, unit, source))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(LIMIT + 10) else f"> {LIMIT:.0f}"
    except EOFError:
        return "died"
    finally:
        process.terminate()
        process.join()


def _once(pipe: Any, name: str, size: int, unit: str, source: str) -> None:
    split = chunkers.make(name, size, unit)
    split("# Title\n\nA paragraph.\n")
    gc.collect()
    before = _forget_peak()
    began = process_time()
    try:
        split(source)
    except Exception as error:
        pipe.send(type(error).__name__)
        return
    pipe.send((process_time() - began, _peak() - before))


def _forget_peak() -> float:
    """Sets the peak back to what is in use now where the system can, and gives it in MiB."""
    if _STATUS.exists():
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak()


def _peak() -> float:
    if _STATUS.exists():  # getrusage would tell the peak of the parent process too
        found = re.search(r"VmHWM:\s*(\d+) kB", _STATUS.read_text(encoding="utf-8"))
        if found:
            return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
