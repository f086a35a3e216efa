"""The unit of size made ready: tokens of any kind, characters, or a user's own counter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mdchunk.errors import TokenizerError, not_allowed
from mdchunk.model import INLINE_DATA
from mdchunk.sizing.encodings import DEFAULT_ENCODING, default_encoding, named_encoding
from mdchunk.sizing.huggingface import counting, is_tokenizer
from mdchunk.sizing.prefix_sums import CharacterSizes, ElidedSums, PrefixSums, SizeIndex
from mdchunk.sizing.stretches import Counter, CountMany, TokenEnds, windows
from mdchunk.sizing.toktok import fast_counter, fast_ends

if TYPE_CHECKING:
    from tiktoken import Encoding

Unit = Any
"""``"tokens"``, ``"characters"``, an encoding's name, an Encoding, a tokenizer or a callable."""
Load = Callable[[], "Encoding"]

LINE_ADDITIVE: Mapping[str, str] = MappingProxyType({"cl100k_base": "", "o200k_base": "/"})
"""Encodings whose counts add up at the starts of lines that hold something to see, but for lines
that start with one of the characters given. Their patterns look behind nowhere and ahead only in
``\\s+(?!\\S)`` and ``\\s++$``; what takes in a line end stops after the last one of a run of blanks
(o200k's ``[\\r\\n/]*`` goes on over slashes), so that a new piece begins at each such line."""
PANIC = 900_000
BLANKS = re.compile(rf"\s{{{PANIC}}}")
"""tiktoken panics, which no Python code should catch, on a million blanks before a visible
character; a text with nearly so many is counted in parts."""
CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


def check_unit(unit: object) -> None:
    """Raise OptionsError for what is no unit; a name is looked up when a Sizer is made."""
    named = isinstance(unit, str)
    if not (named or callable(unit) or is_tokenizer(unit) or _is_encoding(unit)):
        raise not_allowed(
            "unit",
            unit,
            '"tokens", "characters", the name of an encoding, the path of a tokenizer.json, '
            "a tiktoken.Encoding, a tokenizers.Tokenizer, a tokenizer of transformers, "
            "a model of sentence-transformers, or a callable from text to int",
        )


class Sizer:
    """A unit made ready: counts texts and indexes sources; threads may share it.

    ``count`` is without the ``added`` tokens that a model's tokenizer adds to each text; ``limit``
    is what the model reads of one, with them, where that is known.
    """

    __slots__ = ("_count_many", "_token_ends", "added", "count", "limit", "name")

    def __init__(self, unit: Unit) -> None:
        check_unit(unit)
        self._token_ends: TokenEnds | None = None
        self.name: str
        self.count: Counter
        self.added: int = 0
        self.limit: int | None = None
        self._count_many: CountMany | None = None
        if unit == "characters":
            self.name, self.count = "characters", len
        elif is_tokenizer(unit):
            self.name, found = "tokenizers", counting(unit)
            self.count, self._count_many = _checked(found.count), _guarded(found.count_many)
            self.added, self.limit = found.added, found.limit
        elif callable(unit) and not isinstance(unit, str):
            self.name, self.count = _name_of(unit), _checked(unit)
        else:
            self.name, load = _encoding_of(unit)
            self._token_ends, self.count = _token_ends(load), _token_count(load)
            # an Encoding that a user made may be another one of the same name
            if isinstance(unit, str):
                self.count = fast_counter(self.name, self.count) or self.count
                self._token_ends = fast_ends(self.name, self._token_ends) or self._token_ends

    def size_index(self, source: str, marks: Sequence[int], *, elided: bool = False) -> SizeIndex:
        """Return the sizes of a source; ``marks`` are the starts of lines at which cuts are likely.

        With ``elided`` base64 data counts as what it is shortened to.
        """
        if elided and INLINE_DATA.search(source):
            return ElidedSums(source, marks, self.count, self.size_index)
        if self.count is len:
            return CharacterSizes(source)
        return PrefixSums(
            source,
            self.count,
            self._additive_marks(source, marks),
            additive=self.name in LINE_ADDITIVE,
            token_ends=self._token_ends,
            count_many=self._count_many,
        )

    def _additive_marks(self, source: str, marks: Sequence[int]) -> Sequence[int]:
        unsafe = LINE_ADDITIVE.get(self.name)
        return [mark for mark in marks if source[mark] not in unsafe] if unsafe else marks


class _Leads(dict[int, int]):
    """How many code points begin in a token, found for each token when it is first met."""

    def __init__(self, encoding: Load) -> None:
        self._encoding = encoding

    def __missing__(self, token: int) -> int:
        octets = self._encoding().decode_single_token_bytes(token)
        self[token] = leads = len(octets.translate(None, CONTINUATION_BYTES))
        return leads


def _token_ends(load: Load) -> TokenEnds:
    """Return what says of each token up to where it reaches: that whose first byte it holds."""
    leads = _Leads(load)

    def token_ends(text: str) -> Sequence[int]:
        return list(accumulate(map(leads.__getitem__, load().encode_ordinary(text))))

    return token_ends


def _token_count(load: Load) -> Counter:
    def count(text: str) -> int:
        encode = load().encode_ordinary
        if len(text) >= PANIC and BLANKS.search(text):
            return sum(len(encode(part)) for part in windows(text))
        return len(encode(text))

    return count


def _encoding_of(unit: Unit) -> tuple[str, Load]:
    """Return an encoding's name and what gives the encoding; the default is loaded when used."""
    if unit in ("tokens", DEFAULT_ENCODING):
        return DEFAULT_ENCODING, default_encoding
    encoding: Encoding = named_encoding(unit) if isinstance(unit, str) else unit
    return encoding.name, lambda: encoding


def _is_encoding(unit: Unit) -> bool:
    return hasattr(unit, "encode_ordinary") and hasattr(unit, "decode_single_token_bytes")


def _name_of(unit: Callable[..., Any]) -> str:
    kind = type(unit)
    module = getattr(unit, "__module__", kind.__module__)
    return f"{module}.{getattr(unit, '__qualname__', kind.__qualname__)}"


def _checked(counter: Callable[[str], Any]) -> Counter:
    """Wrap a user's counter so that what is no count raises a TokenizerError."""

    def count(text: str) -> int:
        try:
            size = counter(text)
        except Exception as problem:
            raise _failed(problem, len(text)) from problem
        try:
            number = index(size)
        except TypeError:
            number = -1
        if isinstance(size, bool) or number < 0:
            raise TokenizerError(f"the tokenizer gave {size!r}; a count is an int of 0 or more")
        return number

    return count


def _guarded(count_many: CountMany) -> CountMany:
    """Wrap what counts many texts so that its failure is a TokenizerError."""

    def count(texts: Sequence[str]) -> Sequence[int]:
        try:
            return count_many(texts)
        except Exception as problem:
            raise _failed(problem, sum(map(len, texts))) from problem

    return count


def _failed(problem: Exception, length: int) -> TokenizerError:
    kind = type(problem).__name__
    return TokenizerError(
        f"the tokenizer raised {kind} on a text of {length} characters: {problem}"
    )
