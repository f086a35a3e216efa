"""Work by counted calls: the same on any machine, and however busy it is."""

from __future__ import annotations

import cProfile
import faulthandler
import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

BACKSTOP = 120
"""Seconds after which the run is stopped; calls do not tell of what a single one does."""

FIXED = 1_500
"""Calls that a document takes at least as soon as it does not fit into one chunk."""


@contextmanager
def backstop(seconds: int = BACKSTOP) -> Iterator[None]:
    """End the process, with a traceback, if a block takes far longer than it ever should."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def calls(work: Callable[[], object]) -> int:
    """Count the calls, of Python's own functions too, that some work takes."""
    profile = cProfile.Profile()
    # what other tests left to the collector must not end here
    gc.collect()
    gc.disable()
    try:
        with backstop():
            profile.enable()
            work()
    finally:
        profile.disable()
        gc.enable()
    return sum(entry.callcount for entry in profile.getstats())


def peak(work: Callable[[], object]) -> int:
    """Sizer the most memory, in bytes, that some work holds at once."""
    gc.collect()
    tracemalloc.start()
    try:
        with backstop():
            work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def doublings(counts: Sequence[int]) -> list[float]:
    """Give by what each count grows over the one before, but for what any plan takes."""
    return [(after - FIXED) / max(before, FIXED) for before, after in pairwise(counts)]
