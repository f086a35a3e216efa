"""An atheris target: any bytes become a document and options, and every law must hold.

    python tests/fuzz/target.py -max_total_time=3600 tests/fuzz/corpus

The first bytes choose the options, the rest is the document, so that an input that was found can be
read and mended by hand. ``replay`` is what the tests call with each file of the corpus.
"""

from __future__ import annotations

import sys
import warnings
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

CORPUS = Path(__file__).parent / "corpus"
HEAD = 8
"""How many bytes choose options."""
SIZES = (1, 2, 5, 17, 40, 100, 400)
SHARES = (0, 0, 10, 50, 99)
CHOICES = {
    "cutoff": ("optimal", "lookback"),
    "split_headings": (0, 0, 2, 6),
    "front_matter": ("metadata", "chunk", "text"),
    "context": ("none", "none", "headings", "full"),
    "oversize": ("split", "split", "split", "keep"),
    "data_uris": ("keep", "keep", "elide"),
    "exclude_sections": ((), (), (), ("*a*", "?")),
    "plain": (False, True),
    "count_context": (True, True, False),
    "decay": (None, None, 0, 1),
    "mixing": (0.8, 0.8, 0, 1),
}
_chunkers: dict[bytes, Any] = {}


def options_of(head: bytes) -> dict[str, Any]:
    """Choose options by eight bytes."""
    from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED

    size = SIZES[head[0] % len(SIZES)]
    chosen: dict[str, Any] = {
        "chunk_size": size,
        "chunk_overlap": SHARES[head[1] // 7 % len(SHARES)] * size // 100,
        "min_chunk_size": min(size, (0, 0, 8, 60)[head[2] % 4]),
        "unit": ("characters", "tokens")[head[1] % 2],
        "dialects": (DEFAULT_DIALECTS, tuple(SHIPPED), ("commonmark",))[head[2] // 4 % 3],
    }
    octets = islice(cycle(head[3:]), len(CHOICES))
    for (name, values), octet in zip(CHOICES.items(), octets, strict=True):
        chosen[name] = values[octet % len(values)]
    return chosen


def replay(data: bytes) -> None:
    """Chunk the document that some bytes stand for, and check every law."""
    from laws import all_laws

    from mdchunk import Chunker

    head = data[:HEAD].ljust(HEAD, b"\0")
    # bytes that are no UTF-8 become lone surrogates, or else the character that replaces them
    text = data[HEAD:].decode("utf-8", "replace" if data[:1] > b"\x7f" else "surrogateescape")
    if head not in _chunkers:
        if len(_chunkers) > 500:
            _chunkers.clear()
        _chunkers[head] = Chunker(**options_of(head))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        all_laws(_chunkers[head], text, again=False)


def main() -> None:
    import atheris

    with atheris.instrument_imports(include=["mdchunk", "markdown_it", "mdit_py_plugins"]):
        import mdchunk
        import mdchunk.dialects
        import mdchunk.sizing.encodings  # noqa: F401
    atheris.Setup(sys.argv, replay)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
