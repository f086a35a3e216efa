"""tiktoken encodings: the default from ranks in this package, others by tiktoken itself."""

from __future__ import annotations

import functools
import io
from typing import TYPE_CHECKING

from mdchunk.errors import TokenizerError

if TYPE_CHECKING:
    import tiktoken

DEFAULT_ENCODING = "cl100k_base"
# Pattern and special tokens are cl100k_base's in tiktoken_ext/openai_public.py (tiktoken 0.14),
# which offers them only together with a download of the ranks.
PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"""
    r"""| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)
SPECIAL_TOKENS = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}
RANKS = 100256


def unpack_ranks(packed: bytes) -> dict[bytes, int]:
    """Return each token's rank from the lengths of all tokens in rank order, then their bytes.

    Raises TokenizerError when they are not those of cl100k_base.
    """
    lengths, octets = packed[:RANKS], packed[RANKS:]
    # A full checksum belongs to the tests: it would double the time to start.
    if len(lengths) != RANKS or sum(lengths) != len(octets):
        raise TokenizerError(
            f"the packed ranks of {DEFAULT_ENCODING} are damaged: {len(lengths)} tokens and "
            f"{len(octets)} bytes instead of {RANKS} and {sum(lengths)}; install mdchunk-ast again"
        )
    return dict(zip(map(io.BytesIO(octets).read, lengths), range(RANKS), strict=True))


def packed_ranks() -> bytes:
    """Return the ranks that ship with this package, decompressed.

    Raises TokenizerError when they cannot be read.
    """
    import pkgutil
    import zlib

    try:
        data = pkgutil.get_data(__package__, f"data/{DEFAULT_ENCODING}.zlib")
        return zlib.decompress(data or b"")
    except (OSError, zlib.error) as error:
        raise TokenizerError(
            f"the packed ranks of {DEFAULT_ENCODING} cannot be read: {error}"
        ) from error


@functools.lru_cache(maxsize=1)
def default_encoding() -> tiktoken.Encoding:
    """Return cl100k_base, built from the packed ranks without network or cache folder.

    Raises TokenizerError when the packed ranks are damaged.
    """
    import tiktoken

    return tiktoken.Encoding(
        DEFAULT_ENCODING,
        pat_str=PATTERN,
        mergeable_ranks=unpack_ranks(packed_ranks()),
        special_tokens=SPECIAL_TOKENS,
    )


def named_encoding(name: str) -> tiktoken.Encoding:
    """Return an encoding by its name or by the name of an OpenAI model that uses it.

    cl100k_base comes from this package, all others from tiktoken's cache folder or its download.
    Raises TokenizerError when the name is unknown or neither source works.
    """
    import tiktoken

    encoding = _encoding_name(name)
    if encoding == DEFAULT_ENCODING:
        return default_encoding()
    try:
        return tiktoken.get_encoding(encoding)
    # requests raises subclasses of OSError; a download that fails its checksum is a ValueError.
    except (OSError, ValueError) as error:
        raise TokenizerError(_unavailable(encoding, error)) from error


def _encoding_name(name: str) -> str:
    """Return the encoding that a name or a model's name stands for."""
    import tiktoken

    known = tiktoken.list_encoding_names()
    if name in known:
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        raise TokenizerError(
            f"unknown encoding {name!r}: known are tokens, characters, {', '.join(sorted(known))}, "
            "and the names of OpenAI models such as gpt-4o; for any other model give the path of "
            "its tokenizer.json, or in Python its tokenizer, such as that of transformers' "
            f"AutoTokenizer.from_pretrained({name!r})"
        ) from None


def _unavailable(encoding: str, error: Exception) -> str:
    """Return the message for an encoding that is neither cached nor downloadable."""
    folder = _cache_folder()
    cache = f"tiktoken's cache folder {folder}" if folder else "tiktoken's cache (switched off)"
    return (
        f"encoding {encoding!r} is not available: "
        f"neither {cache} nor a download gave it ({type(error).__name__}). "
        "Remedies: run once with a network; or set TIKTOKEN_CACHE_DIR to a folder that another "
        f'machine filled by tiktoken.get_encoding("{encoding}"); '
        f"or use {DEFAULT_ENCODING}, the default, which needs neither"
    )


def _cache_folder() -> str:
    """Return the folder where tiktoken caches rank files, "" when its cache is off."""
    import os
    import tempfile

    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return os.environ[variable]
    return os.path.join(tempfile.gettempdir(), "data-gym-cache")
