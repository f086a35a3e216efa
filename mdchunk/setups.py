"""What other chunkers are set to, as options of this one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mdchunk.scores import AbsoluteWeight

QMD: Mapping[str, Any] = MappingProxyType(
    {
        "chunk_size": 900,
        "chunk_overlap": 135,
        "window": 200,
        "decay": 0.7,
        "cutoff": "lookback",
        "front_matter": "chunk",
        "scores": {
            "heading": AbsoluteWeight(100, 10, 50),
            "described": 100.0,
            "short_text": 100.0,
        },
    }
)
UNRAG: Mapping[str, Any] = MappingProxyType(
    {
        "chunk_size": 512,
        "chunk_overlap": 50,
        "min_chunk_size": 24,
        "split_headings": 6,
        "context": "headings",
    }
)
LEAST: Mapping[str, int] = MappingProxyType({"chunk_overlap": 0, "min_chunk_size": 0, "window": 1})
"""The sizes of a set-up that go with its chunk size, and the least that each may be."""
