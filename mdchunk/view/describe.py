"""Options as a reader would name them."""

from __future__ import annotations

from collections.abc import Mapping

from mdchunk.options import Options
from mdchunk.scores import Weight

ALWAYS = ("chunk_size", "chunk_overlap", "unit", "cutoff", "context")
"""The options that are named even where they are the default."""


def described(options: Options) -> str:
    """Name the options of a setting that matter to a reader."""
    default = Options()
    found = []
    for name in Options.__slots__:
        value = getattr(options, name)
        if name not in ALWAYS and value == getattr(default, name):
            continue
        if name == "chunk_overlap":
            value = options.overlap
        if isinstance(value, Mapping):
            value = " ".join(f"{kind}={_row_text(weight)}" for kind, weight in value.items())
        found.append(f"{name} {value}")
    return ", ".join(found)


def _row_text(row: float | Weight) -> str:
    numbers = row if isinstance(row, Weight) else (row,)
    kept = numbers if any(numbers[1:]) else numbers[:1]
    return ",".join(f"{number:g}" for number in kept)


def unit_name(options: Options) -> str:
    """Return the unit that sizes count, as a reader would call it."""
    unit = options.unit
    return unit if isinstance(unit, str) else getattr(unit, "name", type(unit).__name__)
