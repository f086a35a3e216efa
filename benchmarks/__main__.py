"""The command ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    ablation,
    chunkers,
    corpus,
    edits,
    growth,
    levels,
    oracle,
    pathology,
    quality,
    report,
    retrieval,
    speed,
    start,
)
from benchmarks.errors import BenchmarkError
from benchmarks.report import Result

SIZES = {"tokens": 512, "characters": 2000}
OURS = "mdchunk,mdchunk-lookback,mdchunk-sections,mdchunk-qmd"
CONTEXTS = "mdchunk-headings,mdchunk-full"
CLUES = "mdchunk-plain,mdchunk-embedding,mdchunk-sections-embedding,mdchunk-hierarchy"
MORE = {  # of ours, by the measures that they are told apart by
    "retrieval": f"{CONTEXTS},{CLUES}",
    "speed": "mdchunk-tiktoken",
    "pathology": "mdchunk-tiktoken",
}
LEVELS = (512, 128)
ROUNDS = {False: 5, True: 3}  # by --quick
STEPS = {False: growth.SIZES, True: growth.SIZES[:2]}
EDITS = {False: edits.COUNT, True: 60}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one measure and prints its tables; 1 with a message where it cannot."""
    args = _parser().parse_args(arguments)
    try:
        results = MEASURES[args.measure](args)
        for result in results:
            print(f"\n{result.name}: {dict(result.setting)}\n\n{report.markdown(result)}")
        if args.json:
            report.save(results, args.json)
        if args.publish:
            report.publish(results)
    except BenchmarkError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("measure", choices=MEASURES)
    add("--ours", metavar="A,B", help=f"our chunkers (default {OURS}; and {MORE})")
    peers = ", ".join([*chunkers.PEERS, *chunkers.NESTED])
    add("--peers", default="all", metavar="A,B", help=f"all, none, or some of: {peers}")
    add("--corpus", type=Path, default=corpus.DEFAULT, metavar="DIR", help="folder of Markdown")
    add("--questions", type=Path, metavar="FILE", help="question set of retrieval")
    add("--index", choices=retrieval.INDEXES, default="bm25", help="of retrieval")
    add("--against", metavar="NAME", help="retrieval: bootstrap every chunker against this one")
    add("--part", metavar="NAME", help="retrieval: the tables have a name of their own")
    add("--unit", choices=SIZES, help="one unit only")
    add("--size", type=int, metavar="N", help=f"chunk size (default {SIZES})")
    add("--quick", action="store_true", help="a sample, in less than two minutes")
    add("--json", type=Path, metavar="FILE", help="write the results to a file")
    add("--publish", action="store_true", help="write the tables into docs/benchmarks.md")
    return parser


def _units(args: argparse.Namespace, *default: str) -> list[tuple[str, int]]:
    units = [args.unit] if args.unit else default
    return [(unit, args.size or SIZES[unit]) for unit in units]


def _names(args: argparse.Namespace, size: int, unit: str) -> list[str]:
    nested = chunkers.NESTED if args.measure == "retrieval" else {}
    given = {"all": [*chunkers.PEERS, *nested], "none": [], "": []}
    peers = given.get(args.peers, args.peers.split(","))
    more = MORE.get(args.measure, "") if unit == "tokens" else ""
    ours = args.ours or ",".join(filter(None, (OURS, more)))
    ours = [name for name in ours.split(",") if name != "none"]
    names = chunkers.available([*ours, *peers], size, unit)
    if not names:
        raise BenchmarkError("none of the chunkers asked for is installed")
    return names


def _documents(args: argparse.Namespace) -> list[corpus.Document]:
    documents = corpus.load(args.corpus)
    return corpus.thin(documents) if args.quick else documents


def _quality(args: argparse.Namespace) -> list[Result]:
    documents = _documents(args)
    blocks = oracle.blocks([d.text for d in documents])
    return [
        quality.measure(_names(args, size, unit), quality.prepare(documents, blocks, size, unit))
        for unit, size in _units(args, "tokens", "characters")
    ]


def _speed(args: argparse.Namespace) -> list[Result]:
    documents, rounds = _documents(args), ROUNDS[args.quick]
    return [
        speed.measure(_names(args, size, unit), documents, size, unit, rounds)
        for unit, size in _units(args, "tokens", "characters")
    ]


def _growth(args: argparse.Namespace) -> list[Result]:
    documents = corpus.load(args.corpus)
    return [
        growth.measure(_names(args, size, unit), documents, size, unit, STEPS[args.quick])
        for unit, size in _units(args, "tokens")
    ]


def _pathology(args: argparse.Namespace) -> list[Result]:
    results = [
        pathology.measure(_names(args, size, unit), size, unit, quick=args.quick)
        for unit, size in _units(args, "tokens")
    ]
    return [*results, pathology.grow(quick=args.quick)]


def _edits(args: argparse.Namespace) -> list[Result]:
    documents = corpus.load(args.corpus)
    blocks = oracle.blocks([d.text for d in documents])
    return [
        edits.measure(
            _names(args, size, unit),
            edits.draw(documents, blocks, size, unit, EDITS[args.quick]),
            size,
            unit,
        )
        for unit, size in _units(args, "tokens")
    ]


def _retrieval(args: argparse.Namespace) -> list[Result]:
    if args.questions is None:
        raise BenchmarkError("retrieval needs a question set: --questions FILE")
    size = args.size or SIZES["tokens"]
    names = _names(args, size, "tokens")
    result = retrieval.measure(
        names, args.questions, size, args.index, against=args.against, quick=args.quick
    )
    return [result._replace(name=f"{result.name}-{args.part}") if args.part else result]


def _ablation(args: argparse.Namespace) -> list[Result]:
    if args.questions is None:
        raise BenchmarkError("ablation needs a question set: --questions FILE")
    size = args.size or SIZES["tokens"]
    return [ablation.measure(args.questions, size, args.index, quick=args.quick)]


def _hierarchy(args: argparse.Namespace) -> list[Result]:
    return [levels.measure(_documents(args), LEVELS, ROUNDS[args.quick])]


def _start(args: argparse.Namespace) -> list[Result]:
    return [start.measure(ROUNDS[True] if args.quick else start.ROUNDS)]


MEASURES: dict[str, Callable[[argparse.Namespace], list[Result]]] = {
    "quality": _quality,
    "speed": _speed,
    "hierarchy": _hierarchy,
    "growth": _growth,
    "pathology": _pathology,
    "edits": _edits,
    "retrieval": _retrieval,
    "ablation": _ablation,
    "start": _start,
}

if __name__ == "__main__":
    sys.exit(main())
