"""What tells one value of an option from others, so that a fingerprint can be made of it."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Mapping
from typing import Any

from mdchunk.errors import TokenizerError
from mdchunk.sizing.huggingface import held, is_file, is_tokenizer


def identity(value: Any) -> Any:
    """Return what tells a value from others, as JSON values."""
    if isinstance(value, (tuple, list)):
        return [identity(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): identity(item) for key, item in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, functools.partial):
        return ["partial", *map(identity, (value.func, value.args, value.keywords))]
    name = getattr(value, "name", None) or getattr(value, "__qualname__", type(value).__qualname__)
    known = f"{getattr(value, '__module__', type(value).__module__)}.{name}"
    content = _held(value)
    return known if content is None else [known, hashlib.sha256(content.encode()).hexdigest()]


def unit_identity(unit: Any) -> Any:
    """Return what tells a unit from others; of a tokenizer's file that is what it holds."""
    if not is_file(unit):
        return identity(unit)
    with contextlib.suppress(TokenizerError):  # which is raised when a chunker is made
        return hashlib.sha256((held(unit) or "").encode()).hexdigest()
    return str(unit)


def _held(value: Any) -> str | None:
    """Write out what a tokenizer or an encoding holds; None of what a name is enough for."""
    if is_tokenizer(value):
        return held(value)
    state = value.__getstate__() if hasattr(value, "encode_ordinary") else None
    if isinstance(state, Mapping):  # a tiktoken.Encoding; one of tiktoken's own gives its name
        tables = [sorted(state[key].items()) for key in ("mergeable_ranks", "special_tokens")]
        return repr([state["pat_str"], tables])
    return None
