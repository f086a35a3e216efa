"""Texts on which tokenizers are slow or panic: one long piece, runs of blanks, joined emoji.

A tokenizer may be quadratic in a piece that its pattern does not part, and a pattern may go back
over a long run of blanks. Each text goes through each chunker in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from benchmarks import apart
from benchmarks.report import Column, Result

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
