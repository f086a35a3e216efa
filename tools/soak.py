"""Run the law of drawn documents for as long as is asked, and say how many were drawn.

    python tools/soak.py --minutes 30 --seed 1 --failures soak.jsonl --documents FOLDER

Minutes are of this process's processor time, so that a busy machine searches no less.

Documents are drawn of fragments and, in every fourth batch, spliced of the Markdown files of the
folders given: people write what no list of fragments holds.

Every batch has a seed of its own, counted up from the one given, so that a run can be had again. A
batch that breaks a law writes its smallest document and options to the file, and the next begins.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from mdchunk import Chunker

TESTS = Path(__file__).resolve().parents[1] / "tests"
BATCH = 500
SHORT, LONG = 4, 20
"""Fragments in a document: seven batches of eight are short, since most faults need little text."""
NESTED = 3
"""Which batch of eight makes hierarchies."""
MODULES = ("laws", "strategies", "test_laws", "test_hierarchy")

LONGEST_LINE = 20_000


@dataclass(kw_only=True)
class Tally:
    """What a run has done: valid examples, batches that broke a law, and the last example tried."""

    examples: int = 0
    failures: int = 0
    last: dict[str, Any] = field(default_factory=dict)


def batch_of(tally: Tally, number: int, texts: list[list[str]]) -> Callable[[], None]:
    """Make one batch: a hypothesis test under a seed, each of whose examples is counted."""
    sys.path[:0] = [str(TESTS)] if str(TESTS) not in sys.path else []
    from hypothesis import HealthCheck, Phase, given, seed, settings

    laws, strategies, tests, nested = map(import_module, MODULES)

    def law(text: str, drawn: dict[str, Any]) -> None:
        tally.last = {"text": text, "options": drawn}
        chunker = Chunker(**drawn)
        if number % 8 == NESTED:
            nested.check(chunker, text, sizes_below(drawn["chunk_size"]))
        else:
            laws.all_laws(chunker, text, again=tally.examples % 4 == 0)
        tally.examples += 1

    allowed = settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    drawn = strategies.documents(max_blocks=SHORT if number % 8 else LONG)
    if texts and number % 4 == 1:
        drawn = strategies.spliced(texts)
    run: Callable[[], None] = seed(number)(allowed(given(drawn, tests.options())(law)))
    return run


def sizes_below(size: int) -> list[int]:
    """Return the sizes of a hierarchy of up to three levels."""
    return sorted({size, -(-size // 3), -(-size // 17)}, reverse=True)


def read(folders: list[Path]) -> list[list[str]]:
    """Read the Markdown files of some folders as lines, but for those with a very long line."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.md")):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        if max(map(len, lines)) < LONGEST_LINE:
            found.append(lines)
    return found


def soak(seconds: float, first: int, failures: Path, texts: list[list[str]]) -> Tally:
    """Run batches until as many seconds of processor time are used."""
    tally, number, end = Tally(), first, time.process_time() + seconds
    while time.process_time() < end:
        try:
            batch_of(tally, number, texts)()
        except Exception as problem:
            tally.failures += 1
            note(failures, number, tally.last, problem)
        number += 1
        print(
            f"seed {number - 1}: {tally.examples:,} examples, {tally.failures} broken", flush=True
        )
    return tally


def note(failures: Path, number: int, last: dict[str, Any], problem: Exception) -> None:
    """Write down what broke a law, as one line of JSON."""
    trace = traceback.format_exc(limit=-3)
    row = {"seed": number, "problem": repr(problem)[:500], "trace": trace[-1500:], **last}
    with failures.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, default=name_of) + "\n")


def name_of(value: object) -> str:
    """Name a unit that is a function."""
    return getattr(value, "__name__", repr(value))


def main() -> int:
    """Read the command line, run, and fail if any law broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failures", type=Path, default=Path("soak.jsonl"))
    parser.add_argument("--documents", type=Path, nargs="*", default=[], metavar="FOLDER")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    tally = soak(given.minutes * 60, given.seed, given.failures, read(given.documents))
    print(f"{tally.examples:,} examples, {tally.failures} batches broke a law")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
