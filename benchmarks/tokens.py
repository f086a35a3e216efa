"""Token counts of the benchmarks: cl100k_base, by the fastest exact counter that is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.errors import BenchmarkError

if TYPE_CHECKING:
    import tiktoken

ENCODING = "cl100k_base"


@cache
def encoding() -> tiktoken.Encoding:
    """Returns the encoding that mdchunk ships, or tiktoken's own copy of it."""
    try:
        from mdchunk.sizing.encodings import default_encoding
    except ImportError:
        return _from_tiktoken()
    return default_encoding()


def _from_tiktoken() -> tiktoken.Encoding:
    import tiktoken

    try:
        return tiktoken.get_encoding(ENCODING)
    except OSError as error:
        raise BenchmarkError(f"tiktoken has no {ENCODING} at hand: {error}") from error


@cache
def counter() -> Callable[[str], int]:
    """Returns the counter handed to peers that take a callback: one tiktoken encoding per call."""
    encode = encoding().encode_ordinary
    return lambda text: len(encode(text))


@cache
def _batch() -> Callable[[Sequence[str]], list[int]]:
    try:
        from toktok import batch_count
    except ImportError:
        count = counter()
        return lambda texts: [count(text) for text in texts]
    return lambda texts: batch_count(texts, ENCODING, threads=1)


def sizes(texts: Sequence[str], unit: str) -> list[int]:
    """Measures texts in ``"tokens"`` or ``"characters"``."""
    if unit == "characters":
        return [len(text) for text in texts]
    return _batch()(texts)
