"""Tokenizers of Hugging Face's libraries, counted as the model reads: with the tokens it adds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from mdchunk.errors import TokenizerError, installation

SUFFIX = ".json"
"""What the name of a file that holds a tokenizer ends in; no encoding is named so."""


class Counting(NamedTuple):
    """How a tokenizer counts: one text, many texts, and how many tokens it adds to each text.

    The counts are without these. ``limit`` is what the model reads of a text, tokens that are
    added included, None where that is not known.
    """

    count: Callable[[str], int]
    count_many: Callable[[Sequence[str]], list[int]]
    added: int
    limit: int | None


def is_file(unit: object) -> bool:
    """Return whether a unit is the path of a tokenizer's file."""
    return isinstance(unit, (str, os.PathLike)) and os.fspath(unit).lower().endswith(SUFFIX)


def is_tokenizer(unit: object) -> bool:
    """Return whether a unit is a tokenizer, a model that has one, or the path of one's file."""
    return is_file(unit) or _is_fast(tokenizer_of(unit)) or _is_slow(tokenizer_of(unit))


def _is_fast(unit: Any) -> bool:
    """Return whether a unit is a tokenizers.Tokenizer."""
    return hasattr(unit, "to_str") and hasattr(unit, "no_truncation") and hasattr(unit, "encode")


def _is_slow(unit: Any) -> bool:
    """Return whether a unit is a tokenizer of transformers."""
    return hasattr(unit, "num_special_tokens_to_add") and hasattr(unit, "convert_ids_to_tokens")


def _is_model(unit: Any) -> bool:
    """Return whether a unit is a model of sentence-transformers."""
    return hasattr(unit, "max_seq_length") and hasattr(unit, "tokenizer")


def tokenizer_of(unit: Any) -> Any:
    """Return the tokenizer of a model, or that of tokenizers behind one of transformers."""
    if _is_model(unit):
        unit = unit.tokenizer
    return getattr(unit, "backend_tokenizer", unit)


def held(unit: Any) -> str | None:
    """Return as text what a tokenizer holds, without truncation and padding; None of a slow one.

    Raises TokenizerError for a file that holds none.
    """
    tokenizer = tokenizer_of(_read(unit) if is_file(unit) else unit)
    if not _is_fast(tokenizer):
        return None
    import json

    # transformers changes these two in passing, and we count without them
    return json.dumps({**json.loads(tokenizer.to_str()), "truncation": None, "padding": None})


def counting(unit: Any) -> Counting:
    """Return how a unit counts, for which ``is_tokenizer`` is true. Raises TokenizerError."""
    limit = getattr(unit, "max_seq_length", None) if _is_model(unit) else None
    known = isinstance(limit, (int, float)) and isfinite(limit) and limit > 0
    tokenizer = tokenizer_of(_read(unit) if is_file(unit) else unit)
    if not _is_fast(tokenizer):
        found = _slow(tokenizer)
    elif is_file(unit):
        found = _fast(tokenizer)
    else:
        found = _fast(type(tokenizer).from_str(tokenizer.to_str()))
    return found._replace(limit=int(limit)) if known and limit else found


def _read(path: str | os.PathLike[str]) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as problem:
        raise TokenizerError(
            f"{os.fspath(path)!r} needs tokenizers: {installation('tokenizers')}"
        ) from problem
    try:
        return Tokenizer.from_file(os.fspath(path))
    except Exception as problem:  # tokenizers raises no narrower one
        raise TokenizerError(f"{os.fspath(path)!r} holds no tokenizer: {problem}") from problem


def _fast(tokenizer: Any) -> Counting:
    """Return how a tokenizer that is our own copy counts."""
    # these two would hide a text's size
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encode = tokenizer.encode
    # that of later releases makes no offsets
    encode_batch = getattr(tokenizer, "encode_batch_fast", tokenizer.encode_batch)

    def count(text: str) -> int:
        try:
            return len(encode(text, add_special_tokens=False).ids)
        except TypeError:  # of a lone surrogate
            return len(encode(_replaced(text), add_special_tokens=False).ids)

    def count_many(texts: Sequence[str]) -> list[int]:
        try:
            found = encode_batch(list(texts), add_special_tokens=False)
        except TypeError:
            found = encode_batch(list(map(_replaced, texts)), add_special_tokens=False)
        return [len(each.ids) for each in found]

    return Counting(count, count_many, tokenizer.num_special_tokens_to_add(False), None)


def _replaced(text: str) -> str:
    """Replace lone surrogates, as tiktoken does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _slow(tokenizer: Any) -> Counting:
    """Return how a tokenizer of transformers counts that is written in Python."""

    def count(text: str) -> int:
        # without the warning that a text is longer than the model reads
        return len(tokenizer.encode(_replaced(text), add_special_tokens=False, verbose=False))

    def count_many(texts: Sequence[str]) -> list[int]:
        return list(map(count, texts))

    return Counting(count, count_many, tokenizer.num_special_tokens_to_add(), None)
