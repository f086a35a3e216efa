"""What a hierarchy takes over one level: interleaved rounds in one process, processor time.

One level is what ``chunk`` gives at a size. A hierarchy has the chunks of all sizes, so that the
fair measure is the level that takes the most.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time

from benchmarks.corpus import Document, megabytes
from benchmarks.report import Column, Result

COLUMNS = (
    Column("MB/s", "speed", ".2f"),
    Column("hierarchy's time over it", "over", ".2f"),
    Column("chunks", "chunks"),
)


def measure(documents: Sequence[Document], sizes: Sequence[int], rounds: int) -> Result:
    """Times each level alone and all of them as a hierarchy, over the documents."""
    import mdchunk

    chunkers = {size: mdchunk.Chunker(chunk_size=size) for size in sizes}
    works: dict[str, Callable[[str], int]] = {
        f"one level of {size}": lambda source, size=size: len(chunkers[size].chunk(source))
        for size in sizes
    }
    name = f"hierarchy of {', '.join(map(str, sizes))}"
    most = chunkers[sizes[0]]
    works[name] = lambda source: sum(map(len, most.hierarchy(source, sizes)))
    times: dict[str, list[float]] = {each: [] for each in works}
    counts: dict[str, int] = {}
    for number in range(rounds + 1):
        for each, work in works.items():
            seconds, counts[each] = _timed(work, documents)
            times[each] += [seconds] if number else []  # the first warms up
        print(f"hierarchy: round {number} of {rounds}", file=sys.stderr)
    weight = megabytes(documents)
    rows = {
        each: {
            "speed": weight / median(times[each]),
            "over": median(h / one for h, one in zip(times[name], times[each], strict=True)),
            "chunks": counts[each],
        }
        for each in works
    }
    setting = {"documents": len(documents), "MB": round(weight, 1), "rounds": rounds}
    return Result("hierarchy", setting, (COLUMNS,), rows)


def _timed(work: Callable[[str], int], documents: Sequence[Document]) -> tuple[float, int]:
    gc.collect()
    began = process_time()
    count = sum(work(document.text) for document in documents)
    return process_time() - began, count
