"""Texts on which tokenizers and parsers are slow or panic.

A tokenizer may be quadratic in a piece that its pattern does not part, and a pattern may go back
over a long run of blanks. Each such text goes through each chunker in a process of its own.

What the tests hold to growth by counted calls (``tests/hostile.py``) is timed here too, for mdchunk
alone, since calls show neither loops nor patterns nor C code: containers in containers, front
matter, context of escaped brackets, and the explanation of many places.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from math import log2
from time import process_time
from types import MappingProxyType
from typing import Any

from benchmarks import apart
from benchmarks.report import Column, Result
from mdchunk import Chunker
from tests.hostile import (
    BRACKETS,
    CONTAINERS,
    DEPTHS,
    FRONT_MATTER,
    INSIDES,
    Shape,
    nested,
    opened,
    repeated,
)

LIMIT = 10.0  # seconds for one run
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "40,000 × a": "a" * 40_000,
        "20,000 newlines": "a" + "\n" * 20_000 + "b",
        "5,000 joined emoji": "\u200d".join("\N{WOMAN}" * 5_000),
        "1,000,000 × a": "a" * 1_000_000,
        "1,000,000 blanks": "a" + " " * 1_000_000 + "b",
    }
)
QUICK = 3  # a quick run takes the first texts


def measure(names: Sequence[str], size: int, unit: str, *, quick: bool) -> Result:
    """Times every chunker on every text."""
    texts = dict(list(TEXTS.items())[:QUICK]) if quick else TEXTS
    rows = {name: _row(name, texts, size, unit) for name in names}
    columns = [Column(f"{text}, s", text, ".2f") for text in texts]
    setting = {"unit": unit, "size": size, "limit of one run": f"{LIMIT:.0f} s"}
    return Result(f"pathology-{unit}", setting, [columns], rows)


def _row(name: str, texts: Mapping[str, str], size: int, unit: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for title, text in texts.items():
        answer = apart.run(name, size, unit, text, LIMIT)
        row[title] = answer if isinstance(answer, str) else answer.seconds
        print(f"{name}, {title}: {row[title]}", file=sys.stderr)
    return row


GROWN = 5_000  # code points of the smaller of two documents
TIMES = 4  # the other is so many times as long: a busy machine blurs what one doubling takes
LEAST = 0.005  # seconds: what takes less tells nothing of growth
RUNS = 2  # the fastest counts
AGAIN = 4  # so often what seems steep is run again, since a busy machine blurs one of the two times
STEEP = 2.3  # what the tests hold the same shapes to, by counted calls
Work = Callable[[str], object]


def grow(*, quick: bool) -> Result:
    """Times hostile shapes at two sizes, and gives each row's steepest growth by a doubling."""
    size = GROWN // 2 if quick else GROWN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # front matter that is refused
        rows = {title: _grown(title, shapes, work, size) for title, shapes, work in _growing()}
    columns = [
        Column("slowest, s", "seconds", ".2f"),
        Column("steepest doubling", "doubling", ".2f"),
    ]
    columns.append(Column("by", "by"))
    setting = {"from": f"{size:,} to {TIMES * size:,} code points", "unit": "characters"}
    return Result("pathology-growth", setting, [columns], rows)


def _growing() -> list[tuple[str, dict[str, Shape], Work]]:
    """Lists the rows: their titles, shapes, and what is done with a document."""
    chunker = Chunker(unit="characters", chunk_size=200)
    full = Chunker(unit="characters", chunk_size=2000, context="full")
    rows = [
        (f"{name}, depth {depth}", _shapes(name, depth), chunker.chunk)
        for name in CONTAINERS
        for depth in DEPTHS
    ]
    rows.append(("front matter", {k: _tenfold(v) for k, v in FRONT_MATTER.items()}, chunker.chunk))
    rows.append(("full context", {k: _tenfold(v) for k, v in BRACKETS.items()}, full.chunk))
    for cutoff in ("optimal", "lookback"):
        rows.append(
            (f"explain, {cutoff}", {"headings": lambda n: "# a\n\n" * (n // 5)}, _explain(cutoff))
        )
    return rows


def _shapes(name: str, depth: int) -> dict[str, Shape]:
    shapes = {inside: nested(name, inside, depth) for inside in INSIDES}
    return {**shapes, "repeated": repeated(name, depth), "opened": opened(name, depth)}


def _tenfold(shape: Shape) -> Shape:
    """Make a shape ten times as long: one that takes hardly any time at the size of the others."""
    return lambda n: shape(10 * n)


def _explain(cutoff: Any) -> Work:
    """Explains a document of two chunks."""

    def work(source: str) -> object:
        size = len(source) // 2 + 10
        return Chunker(unit="characters", chunk_size=size, chunk_overlap=0, cutoff=cutoff).explain(
            source
        )

    return work


def _grown(title: str, shapes: Mapping[str, Shape], work: Work, size: int) -> dict[str, Any]:
    found = []
    for name, shape in shapes.items():
        sources = [shape(n) for n in (size, TIMES * size)]
        short, long = (_seconds(work, source) for source in sources)
        for _ in range(AGAIN):
            if _doubling(short, long) <= STEEP:
                break
            again = [_seconds(work, source) for source in sources]
            short, long = min(short, again[0]), min(long, again[1])
        found.append((_doubling(short, long), long, name))
    steepest, _, name = max(found)
    print(f"{title}: {steepest:.2f} by {name}", file=sys.stderr)
    return {"seconds": max(seconds for _, seconds, _ in found), "doubling": steepest, "by": name}


def _doubling(short: float, long: float) -> float:
    """How many times as long a text of twice the length takes."""
    return float((long / max(short, LEAST)) ** (1 / log2(TIMES)))


def _seconds(work: Work, source: str) -> float:
    taken = []
    for _ in range(RUNS):
        began = process_time()
        work(source)
        taken.append(process_time() - began)
    return min(taken)
