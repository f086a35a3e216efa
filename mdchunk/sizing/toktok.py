"""Token counts by toktok-rs where it is installed: tiktoken's, several times as fast."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from operator import itemgetter

from mdchunk.sizing.stretches import Counter, TokenEnds

SWITCH = "MDCHUNK_FAST"
"""Set to ``0``, this environment variable leaves all counting to tiktoken."""
ENCODINGS = frozenset({"cl100k_base", "o200k_base"})
"""The encodings that toktok-rs has and that are compared with tiktoken's."""
KNOWN = (
    # each range has no code point that Unicode 14 leaves unassigned
    (0x0000, 0x0377),  # Latin, phonetic, combining marks
    (0x0391, 0x03A1),  # Greek
    (0x03A3, 0x052F),  # Greek, Cyrillic
    (0x05D0, 0x05EA),  # Hebrew
    (0x0600, 0x070D),  # Arabic
    (0x0904, 0x0977),  # Devanagari
    (0x0E01, 0x0E3A),  # Thai
    (0x0E3F, 0x0E5B),
    (0x10D0, 0x1248),  # Georgian, Hangul letters
    (0x1D00, 0x1F15),  # more Latin
    (0x2000, 0x2064),  # punctuation
    (0x20A0, 0x20C0),  # currencies
    (0x2100, 0x218B),  # letter-like, numbers
    (0x2190, 0x2426),  # arrows, operators, technical
    (0x2460, 0x2B73),  # boxes, shapes, dingbats, more arrows
    (0x3000, 0x303F),  # ideographic punctuation
    (0x3041, 0x3096),  # kana
    (0x3099, 0x30FF),
    (0x3131, 0x318E),  # Hangul letters
    (0x3220, 0xA48C),  # ideographs
    (0xAC00, 0xD7A3),  # Hangul
    (0xF900, 0xFA6D),  # more ideographs
    (0xFE00, 0xFE19),  # variation selectors
    (0xFE20, 0xFE52),  # more forms of punctuation
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFF01, 0xFFBE),  # full and half width forms
    (0xFFFC, 0xFFFD),  # what stands for another character
    (0x1D552, 0x1D6A5),  # mathematical letters
    (0x1D6A8, 0x1D7CB),
    (0x1F100, 0x1F1AD),  # letters in frames, flags
    (0x1F300, 0x1F6D7),  # emoji
    (0x1F900, 0x1FA53),
    (0x20000, 0x2A6DF),  # more ideographs
)
"""The code points of texts that both tokenizers part alike. A code point that one knows as a letter
and the other, with an older Unicode, does not, parts a text in other places: U+0CDC before ``'C``.
A lone surrogate toktok-rs refuses."""

ALL = 1 << 60
"""More tokens than any text has."""


@functools.cache
def unsure_code_point() -> re.Pattern[str]:
    """Compile what finds a code point that is not known, where there is something to count."""
    return re.compile("[^" + "".join(f"{chr(first)}-{chr(last)}" for first, last in KNOWN) + "]")


def fast_counter(encoding: str, exact: Counter) -> Counter | None:
    """Return a counter for an encoding, or None where there is none.

    What toktok-rs might count otherwise than tiktoken is left to ``exact``.
    """
    if not _is_compared(encoding):
        return None
    try:
        from toktok import truncate
    except ImportError:
        return None

    unsure = unsure_code_point().search

    def count(text: str) -> int:
        if text.isascii() or not unsure(text):
            # what counts one text in the least time: batch_count takes 30 µs to start
            size: int = truncate(text, ALL, encoding)[1]
            return size
        return exact(text)

    return count


def fast_ends(encoding: str, exact: TokenEnds) -> TokenEnds | None:
    """Return what says up to where each token of a text reaches, or None where there is none.

    So a block that has to be divided loads no second vocabulary. toktok-rs does not promise this
    function: without it tiktoken tells.
    """
    if not _is_compared(encoding):
        return None
    try:
        from toktok import _encoding
    except ImportError:
        return None

    unsure = unsure_code_point().search

    def token_ends(text: str) -> Sequence[int]:
        if text.isascii() or not unsure(text):
            offsets = _encoding(encoding).encode_with_offsets(text, unit="char")[1]
            return list(map(_END, offsets))
        return exact(text)

    return token_ends


_END = itemgetter(1)


def _is_compared(encoding: str) -> bool:
    return encoding in ENCODINGS and os.environ.get(SWITCH) != "0"
