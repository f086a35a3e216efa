"""How sure a figure is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000
SEED = 6


class Difference(NamedTuple):
    """The mean of paired differences and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """Writes it in points of a hundred."""
        return f"{100 * self.mean:+.1f} ({100 * self.low:+.1f} to {100 * self.high:+.1f})"


def standard_error(values: Sequence[float]) -> float:
    """Gives the standard error of the mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Bootstraps the mean difference over the pairs, by a fixed seed."""
    differences = np.subtract(ours, theirs)
    chance = np.random.default_rng(SEED)
    means = np.empty(RESAMPLES)
    for i in range(RESAMPLES):
        means[i] = differences[chance.integers(0, len(differences), len(differences))].mean()
    low, high = np.quantile(means, [0.025, 0.975])
    return Difference(float(differences.mean()), float(low), float(high))
