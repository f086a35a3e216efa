"""The garbage collector, held off while many values are made that hold no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

LARGE = 50_000
"""Code points from which holding it off pays: a shorter source makes too few values to matter."""


@contextmanager
def collector_paused(size: int) -> Iterator[None]:
    """Hold off the cyclic collector, for the whole process, while a large source is read.

    It would walk all tokens again and again as their number grows, which takes as long as making
    them. Where it is off already it stays off.
    """
    if size < LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
