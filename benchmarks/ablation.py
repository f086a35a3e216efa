"""What each default is worth: one is changed at a time and asked the same questions.

A row's values are lowered and raised; "as a paragraph" takes a kind's own row out. A difference
whose interval holds 0 is noise.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import chunkers, retrieval, stats
from benchmarks.report import Column, Result
from mdchunk.scores import AbsoluteWeight, Weight

BUDGETS = retrieval.BUDGETS[:3]

ROWS: dict[str, tuple[Any, ...]] = {
    "heading": ((100, 5, 75), (100, 15, 25), (100, 0, 100), AbsoluteWeight(100, 10, 50)),
    "code": (20, 40, 100),
    "list_end": (20, 100),
    "list_item": ((15, 7, 4), (40, 15, 15), (90, 25, 40)),
    "thematic_break": (20, 90),
    "tag_close": (20, 100),
    "tag_open": (20, 60),
    "paragraph": (10, 40),
    "table": (10, 60),
    "html": (10, 60),
    "blockquote": (10, 60),
    "math": (10, 60),
    "callout": (10, 60),
    "admonition": (10, 60),
    "directive": (10, 60),
    "footnote_definition": (10, 60),
    "definition": (10, 60),
    "lead_in": (4, 20),
    "mid_sentence": (1, 20),
    "open_end": (4, 20),
    "described": (2, 18, 100),
    "short_text": (8, 100),
    "open_start": (4, 20),
    "code_gap": (1, 4, 10),
    "table_row": (1, 10),
    "sentence": (1, 10),
}
"""Other values for rows of the score table: base, step and floor, or a base alone."""

OPTIONS: dict[str, dict[str, Any]] = {
    "mixing 0.6": {"mixing": 0.6},
    "mixing 0.7": {"mixing": 0.7},
    "mixing 0.9": {"mixing": 0.9},
    "decay 0.7": {"decay": 0.7},
    "decay 1.0": {"decay": 1.0},
    "overlap 6 %": {"overlap": 6},
    "overlap 12 %": {"overlap": 12},
    "overlap 25 %": {"overlap": 25},
    "headings in front": {"context": "headings"},
    "headings in front, mixing 0.6": {"context": "headings", "mixing": 0.6},
    "full context": {"context": "full"},
    "sections": {"split_headings": 6, "min_chunk_size": 24},
    "lookback": {"cutoff": "lookback"},
}
"""Other values for options; ``overlap`` is in per cent of the size."""

DIALECTS = ("html_headings",)
"""Dialects of the default set that are left out."""


def variants(size: int) -> dict[str, dict[str, Any]]:
    """Lists the settings to compare, by name."""
    from mdchunk.dialects import DEFAULT_DIALECTS

    found: dict[str, dict[str, Any]] = {}
    for row, values in ROWS.items():
        for value in values:
            # a weight is a tuple itself
            weight = Weight(*value) if type(value) is tuple else value
            written = "/".join(map(str, value)) if isinstance(value, tuple) else value
            absolute = " as written" if isinstance(value, AbsoluteWeight) else ""
            found[f"{row} {written}{absolute}"] = {"scores": {row: weight}}
    for name, options in OPTIONS.items():
        share = options.get("overlap")
        rest = {key: value for key, value in options.items() if key != "overlap"}
        found[name] = rest | ({"chunk_overlap": size * share // 100} if share else {})
    for name in DIALECTS:
        found[f"no {name}"] = {"dialects": tuple(d for d in DEFAULT_DIALECTS if d != name)}
    return found


def measure(path: Path, size: int, index: str, *, quick: bool) -> Result:
    """Asks the question set under every variant and under the defaults."""
    asked = retrieval.load(path)
    if quick:
        asked = asked._replace(questions=asked.questions[:: retrieval.QUICK])
    default, rows = _ask(asked, size, index, {}), {}
    rows["defaults"] = _row(*default, default[0])
    for name, options in variants(size).items():
        rows[name] = _row(*_ask(asked, size, index, options), default[0])
        print(f"{name}: {rows[name][f'less_{BUDGETS[0]}']}", file=sys.stderr)
    setting = {"set": path.stem, "index": index, "size": size, "questions": len(asked.questions)}
    columns = [Column("chunks", "chunks")]
    columns += [Column(f"recall {b} less the default's", f"less_{b}") for b in BUDGETS]
    return Result(f"ablation-{path.stem}-{index}-{size}", setting, [columns], rows)


def _ask(
    asked: retrieval.Questions, size: int, index: str, options: Mapping[str, Any]
) -> tuple[list[retrieval.Answer], int]:
    split = chunkers.own(size, "tokens", **options)
    chunks = sum(len(split(document.source)) for document in asked.documents.values())
    return retrieval.ask(split, asked, index), chunks


def _row(
    answers: list[retrieval.Answer], chunks: int, default: list[retrieval.Answer]
) -> dict[str, Any]:
    row: dict[str, Any] = {"chunks": chunks}
    for i, budget in enumerate(BUDGETS):
        pair = [a.recall[i] for a in answers], [a.recall[i] for a in default]
        row[f"less_{budget}"] = "–" if answers is default else str(stats.paired(*pair))
    return row
