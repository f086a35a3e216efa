"""One run of a chunker in a process of its own, where it may hang, panic or fill the memory."""

from __future__ import annotations

import gc
import multiprocessing
import re
import resource
import sys
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from benchmarks import chunkers

START = 10.0
"""Seconds that a process may take to import and build a chunker."""
_STATUS = Path("/proc/self/status")


class Cost(NamedTuple):
    """What one run took."""

    seconds: float  # of the processor
    memory: float  # MiB, the peak over what was in use before


def run(name: str, size: int, unit: str, source: str, limit: float) -> Cost | str:
    """Splits a source once in a fresh process; returns the cost, or what went wrong in a word."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_once, args=(there, name, size, unit, source))
    process.start()
    there.close()
    try:
        answer: Cost | str = here.recv() if here.poll(limit + START) else f"> {limit:.0f}"
    except EOFError:
        return "died"
    finally:
        process.terminate()
        process.join()
    late = isinstance(answer, Cost) and answer.seconds > limit
    return f"> {limit:.0f}" if late else answer


def _once(pipe: Any, name: str, size: int, unit: str, source: str) -> None:
    split = chunkers.make(name, size, unit)
    split("# Title\n\nA paragraph.\n")
    gc.collect()
    before = _forget_peak()
    began = process_time()
    try:
        split(source)
    except BaseException as error:  # a panic of Rust is no Exception
        pipe.send(type(error).__name__)
        return
    pipe.send(Cost(process_time() - began, _peak() - before))


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
