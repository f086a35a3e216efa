"""Coordinates that count only the characters that are not blank.

A chunker that strips blanks from the ends of its chunks loses nothing a reader would miss. All
measures of structure use these coordinates, so that neither stripping nor keeping blanks pays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
_LAST_BLANK = 0x3000
_BLANK = np.array([chr(code).isspace() for code in range(_LAST_BLANK + 1)])


@dataclass(frozen=True, slots=True)
class Ink:
    """The non-blank characters of a source and the ways between both counts."""

    source: str
    text: str  # the source without its blanks
    before: Ints  # before[offset]: non-blank characters in source[:offset]
    offsets: Ints  # offsets[i]: where the i-th non-blank character stands in the source

    @property
    def total(self) -> int:
        """Counts the non-blank characters."""
        return len(self.text)


def ink(source: str) -> Ink:
    """Maps the non-blank characters of a source."""
    codes = np.frombuffer(source.encode("utf-32-le", "surrogatepass"), np.uint32)
    dark = np.ones(len(codes), bool)
    low = codes <= _LAST_BLANK
    dark[low] = ~_BLANK[codes[low]]
    before = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(dark, out=before[1:])
    return Ink(source, "".join(source.split()), before, np.flatnonzero(dark))
