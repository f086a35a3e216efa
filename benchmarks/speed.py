"""Speed side by side: interleaved rounds in one process, medians, cold caches, processor time.

The yardsticks run in every round too, so that a ratio compares what was timed within seconds of
each other: one tiktoken encoding of each document, and markdown-it-py's block parse.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any

from benchmarks import chunkers, tokens
from benchmarks.corpus import Document, megabytes
from benchmarks.report import Column, Result

COLUMNS = {
    "tokens": (
        Column("MB/s", "speed", ".2f"),
        Column("× tiktoken pass", "pass", ".2f"),
        Column("× (parse + pass)", "both", ".2f"),
        Column("× block parse", "parse", ".2f"),
        Column("ms until warm", "cold", ".0f"),
        Column("errors", "errors"),
    ),
    "characters": (
        Column("MB/s", "speed", ".2f"),
        Column("× block parse", "parse", ".2f"),
        Column("× tiktoken pass", "pass", ".2f"),
        Column("errors", "errors"),
    ),
}
_WARM_UP = f"# Title\n\n{'A paragraph that fits nowhere. ' * 400}\n\n- an item \U0001fae8\n"
"""A text for which every tokenizer is loaded that a chunker might use: it has a block that has to
be divided, and a code point that toktok-rs leaves to tiktoken."""
_PARTIES = frozenset(
    {
        "chonkie",
        "docling",
        "docling_core",
        "haystack",
        "langchain_text_splitters",
        "llama_index",
        "markdown_it",
        "mdchunk",
        "mdit_py_plugins",
        "semantic_text_splitter",
        "semchunk",
    }
)
Work = Callable[[str], object]


def measure(
    names: Sequence[str], documents: Sequence[Document], size: int, unit: str, rounds: int
) -> Result:
    """Times every chunker over the documents in interleaved rounds."""
    sources = [d.text for d in documents]
    makers: dict[str, Callable[[], Work]] = {
        "tiktoken pass": lambda: tokens.encoding().encode_ordinary,
        "block parse": _block_parse,
    }
    makers |= {name: functools.partial(chunkers.make, name, size, unit) for name in names}
    times: dict[str, list[float]] = {name: [] for name in makers}
    cold: dict[str, list[float]] = {name: [] for name in makers}
    errors: dict[str, int] = {}
    for number in range(rounds):
        for name, maker in makers.items():
            first, seconds, errors[name] = _timed(maker, sources)
            cold[name].append(first)
            times[name].append(seconds)
        print(f"{unit}: round {number + 1} of {rounds}", file=sys.stderr)
    weight = megabytes(documents)
    setting = {"unit": unit, "size": size, "documents": len(sources), "MB": round(weight, 1)}
    rows = {
        name: _row(name, times, weight, errors[name]) | {"cold": 1000 * median(cold[name])}
        for name in makers
    }
    return Result(f"speed-{unit}", setting | {"rounds": rounds}, (COLUMNS[unit],), rows)


def _block_parse() -> Work:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"]).parse


def _timed(maker: Callable[[], Work], sources: Sequence[str]) -> tuple[float, float, int]:
    """Builds anew, warms up on one small text, and times both, and one pass over the sources."""
    forget()
    began = process_time()
    work = maker()
    work(_WARM_UP)
    cold = process_time() - began
    gc.collect()
    errors = 0
    began = process_time()
    for source in sources:
        try:
            work(source)
        except Exception:
            errors += 1
    return cold, process_time() - began, errors


def forget() -> None:
    """Empties the memoising caches of all parties."""
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            module = getattr(found, "__module__", None) or ""
            if module.split(".")[0] in _PARTIES:
                found.cache_clear()


def _row(
    name: str, times: Mapping[str, Sequence[float]], weight: float, errors: int
) -> dict[str, Any]:
    own = times[name]
    one, parse = times["tiktoken pass"], times["block parse"]
    both = [a + b for a, b in zip(one, parse, strict=True)]
    return {
        "speed": weight / median(own),
        "pass": _ratio(one, own),
        "parse": _ratio(parse, own),
        "both": _ratio(both, own),
        "seconds": list(own),
        "errors": errors,
    }


def _ratio(yardstick: Sequence[float], own: Sequence[float]) -> float:
    return median(a / b for a, b in zip(yardstick, own, strict=True))
