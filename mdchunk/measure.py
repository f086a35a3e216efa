"""How big a range of the source is: planned cheaply, then counted exactly.

A ruler is laid along one source. ``floor`` and ``ceil`` give the planned size before an offset,
without and with the token that the offset falls into, so that ``ceil(end) - floor(start)`` is
the planned size of a slice. ``exact`` counts a slice as the tokenizer counts it alone.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from mdchunk.encodings import default_encoding, named_encoding
from mdchunk.errors import OptionsError, TokenizerError
from mdchunk.model import DATA_URI, elide

if TYPE_CHECKING:
    from tiktoken import Encoding

Unit = Any
"""``"tokens"``, ``"characters"``, an encoding's name, an Encoding, a Tokenizer or a callable."""

WINDOW = 256
"""Runs without a break are tokenised in slices of this many code points when planning: tiktoken
takes time by the square of a run's length, and panics on a million blanks."""
LINE_ADDITIVE = frozenset({"cl100k_base"})
"""Encodings whose counts add up at the starts of lines that are not blank. In cl100k's pattern
white space gives way at the last line end before such a line (``\\s*[\\r\\n]``), no other branch
goes on after a line end, and there is no look-behind; so each such start begins a new piece."""
CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
STRETCH = 1 << 16
"""The source is tokenised in stretches of about so many code points."""
LINE_START = re.compile(r"\n(?=[^\s/])")
"""The start of a line at which the common split patterns part (o200k's goes on over a slash)."""
VISIBLE = re.compile(r"\S")


class Ruler(Protocol):
    """A measure laid along one source; offsets are code points."""

    additive: bool

    def floor(self, offset: int) -> float:
        """Plan the size before an offset, without what the offset falls into."""

    def ceil(self, offset: int) -> float:
        """Plan the size before an offset, with what the offset falls into."""

    def reach(self, start: int, size: float) -> int:
        """Find the last offset up to which the planned size from ``start`` is at most ``size``."""

    def exact(self, start: int, end: int) -> int:
        """Count a slice exactly."""


Counter = Callable[[str], int]
NEAR_ADDITIVE = 2
NEAR = 1.25
"""How far over a limit a plan may be wrong: by tokens at a slice's ends, or by this factor."""


class Room:
    """A limit on the slices of one source: tells what fits, counting where the plan is near."""

    __slots__ = ("_near", "_ruler", "limit")

    def __init__(self, ruler: Ruler, limit: float) -> None:
        self._ruler = ruler
        self.limit = limit
        self._near = limit + NEAR_ADDITIVE if ruler.additive else NEAR * limit + 8

    def fits(self, start: int, end: int) -> bool:
        """Tell whether ``source[start:end]`` fits."""
        ruler = self._ruler
        size = ruler.ceil(end) - ruler.floor(start)
        if size <= self.limit:
            return True
        return size <= self._near and ruler.exact(start, end) <= self.limit

    def reach(self, start: int) -> int:
        """Plan the last offset up to which a slice fits, or one a little before it."""
        return self._ruler.reach(start, self.limit)


class Measure:
    """A unit made ready: counts texts and lays rulers; immutable, so that threads may share it."""

    __slots__ = ("_encoding", "_leads", "count", "name")

    def __init__(self, unit: Unit) -> None:
        self._encoding: Encoding | None = None
        self._leads = _Leads(None)
        self.name: str
        self.count: Counter
        if unit == "characters":
            self.name, self.count = "characters", len
        elif callable(unit) and not isinstance(unit, str):
            self.name, self.count = _name_of(unit), _checked(unit)
        elif _is_tokenizer(unit):
            self.name, self.count = "tokenizers", _checked(_tokenizer_count(unit))
        else:
            encoding = _encoding_of(unit)
            self._encoding, self._leads = encoding, _Leads(encoding)
            self.name, self.count = encoding.name, _token_count(encoding)

    def ruler(self, source: str, marks: Sequence[int], *, elided: bool = False) -> Ruler:
        """Lay a ruler along a source; ``marks`` are the offsets at which cuts are likely.

        With ``elided`` base64 data counts as what it is shortened to.
        """
        if elided and DATA_URI.search(source):
            return ElidedRuler(source, marks, self)
        if self.count is len:
            return CharacterRuler(source)
        if self._encoding is not None:
            return TokenRuler(source, self._encoding, self._leads, self.count)
        return CounterRuler(source, self.count, marks)


class CharacterRuler:
    """Code points: a slice is as big as it is long."""

    additive = True

    def __init__(self, source: str) -> None:
        self._length = len(source)

    def floor(self, offset: int) -> float:
        return offset

    def ceil(self, offset: int) -> float:
        return offset

    def reach(self, start: int, size: float) -> int:
        return min(self._length, start + int(size))

    def exact(self, start: int, end: int) -> int:
        return end - start


class TokenRuler:
    """Tokens of one encoding: a source is tokenised once, and slices are sums over that."""

    def __init__(self, source: str, encoding: Encoding, leads: _Leads, count: Counter) -> None:
        self._source = source
        self._count = count
        self._rough: list[int] = []
        lead = leads.__getitem__
        # entry n is the offset up to which tokens 0 to n reach; a code point belongs to the
        # token with its first byte
        self._ends = ends = array("L")
        for piece in _pieces(source, self._rough):
            ids = encoding.encode_ordinary(piece)
            reached = accumulate(map(lead, ids), initial=ends[-1] if ends else 0)
            next(reached)
            ends.extend(reached)
        # surrogates in pairs are one code point to the encoding and two in the source
        whole = not self._ends or self._ends[-1] == len(source)
        self.additive = whole and encoding.name in LINE_ADDITIVE

    def floor(self, offset: int) -> float:
        return bisect_right(self._ends, offset)

    def ceil(self, offset: int) -> float:
        before = bisect_right(self._ends, offset)
        inside = offset > 0 and (before == 0 or self._ends[before - 1] != offset)
        return before + inside

    def reach(self, start: int, size: float) -> int:
        ends = self._ends
        token = min(max(bisect_right(ends, start) + int(size) - 1, 0), len(ends) - 1)
        if token + 1 < len(ends) and ends[token + 1] == ends[token]:
            # the token is the first of several in one code point
            token = bisect_left(ends, ends[token]) - 1
        return max(start, ends[token]) if token >= 0 else start

    def exact(self, start: int, end: int) -> int:
        if self.additive and not self._is_rough(start, end):
            source = self._source
            first = self._line_start(start, end)
            last = max(source.rfind("\n", first, end), source.rfind("\r", first, end)) + 1
            if first < last < end and VISIBLE.search(source, last, end):
                tokens = self._at(last) - self._at(first)
                if first > start:
                    tokens += self._count(source[start:first])
                return tokens + self._count(source[last:end])
        return self._count(self._source[start:end])

    def _at(self, offset: int) -> int:
        return bisect_right(self._ends, offset)

    def _line_start(self, start: int, end: int) -> int:
        """Find the first line that starts at or after ``start`` and is not blank."""
        source = self._source
        first = start
        if start and source[start - 1] not in "\r\n":
            first = source.find("\n", start, end) + 1
        visible = VISIBLE.search(source, first, end) if first or not start else None
        if visible is None:
            return end
        found = visible.start()
        return (
            max(source.rfind("\n", first, found), source.rfind("\r", first, found), first - 1) + 1
        )

    def _is_rough(self, start: int, end: int) -> bool:
        # a slice's neighbours belong to the same run
        nearest = bisect_right(self._rough, start - 2 * WINDOW)
        return nearest < len(self._rough) and self._rough[nearest] < end + WINDOW


class CounterRuler:
    """Any counter: each stretch between marks is counted once, and between them it is linear."""

    additive = False

    def __init__(self, source: str, count: Counter, marks: Sequence[int]) -> None:
        self._source = source
        self._count = count
        self._marks = sorted({0, *marks, len(source)})
        pairs = zip(self._marks, self._marks[1:], strict=False)
        self._sums = [0, *accumulate(count(source[start:end]) for start, end in pairs)]

    def floor(self, offset: int) -> float:
        mark = bisect_right(self._marks, offset) - 1
        if self._marks[mark] == offset or mark + 1 == len(self._marks):
            return self._sums[mark]
        start, end = self._marks[mark : mark + 2]
        share = (offset - start) / (end - start)
        return self._sums[mark] + share * (self._sums[mark + 1] - self._sums[mark])

    def ceil(self, offset: int) -> float:
        mark = bisect_left(self._marks, offset)
        if self._marks[mark] != offset and not self._source[offset : self._marks[mark]].strip():
            return self._sums[mark]
        return self.floor(offset)

    def reach(self, start: int, size: float) -> int:
        goal = self.floor(start) + size
        mark = bisect_right(self._sums, goal) - 1
        if mark + 1 >= len(self._marks):
            return len(self._source)
        step = self._sums[mark + 1] - self._sums[mark]
        stretch = self._marks[mark + 1] - self._marks[mark]
        return self._marks[mark] + int((goal - self._sums[mark]) / step * stretch)

    def exact(self, start: int, end: int) -> int:
        return self._count(self._source[start:end])


class ElidedRuler:
    """A ruler along the source as it reads with its base64 data shortened."""

    additive = False

    def __init__(self, source: str, marks: Sequence[int], measure: Measure) -> None:
        self._source = source
        self._count = measure.count
        # where the data stands in the source, and where the ellipsis stands in its place
        found = list(DATA_URI.finditer(source))
        self._starts = [match.end(1) for match in found]
        self._ends = [match.end() for match in found]
        self._gone = [0]
        for start, end in zip(self._starts, self._ends, strict=True):
            self._gone.append(self._gone[-1] + end - start - 1)
        shadow = elide(source)
        self._inner = measure.ruler(shadow, [self._to(mark) for mark in marks])

    def _to(self, offset: int) -> int:
        passed = bisect_right(self._starts, offset)
        if passed and offset < self._ends[passed - 1]:
            return self._starts[passed - 1] - self._gone[passed - 1]
        return offset - self._gone[passed]

    def floor(self, offset: int) -> float:
        return self._inner.floor(self._to(offset))

    def ceil(self, offset: int) -> float:
        return self._inner.ceil(self._to(offset))

    def reach(self, start: int, size: float) -> int:
        goal = self._inner.reach(self._to(start), size)
        low, high = start, len(self._source)
        while low < high:
            middle = (low + high + 1) // 2
            if self._to(middle) <= goal:
                low = middle
            else:
                high = middle - 1
        return low

    def exact(self, start: int, end: int) -> int:
        return self._count(elide(self._source[start:end]))


class _Leads(dict[int, int]):
    """How many code points begin in a token, found for each token when it is first met."""

    def __init__(self, encoding: Encoding | None) -> None:
        self._encoding = encoding

    def __missing__(self, token: int) -> int:
        assert self._encoding is not None
        octets = self._encoding.decode_single_token_bytes(token)
        self[token] = leads = len(octets.translate(None, CONTINUATION_BYTES))
        return leads


def _pieces(source: str, rough: list[int]) -> Iterator[str]:
    """Part a source for the tokenizer: at lines, so that little is held at a time, and in runs.

    A run without a break is cut into windows; where that was done is noted in ``rough``.
    """
    start = 0
    for window in range(0, len(source) - WINDOW, WINDOW):
        text = source[window : window + WINDOW]
        if text.isspace() or len(text.split(None, 1)[0]) == WINDOW:
            rough.append(window)
            yield source[start:window]
            yield text
            start = window + WINDOW
        elif window - start >= STRETCH and (line := LINE_START.search(text)):
            yield source[start : window + line.end()]
            start = window + line.end()
    yield source[start:]


def _token_count(encoding: Encoding) -> Counter:
    encode = encoding.encode_ordinary

    def count(text: str) -> int:
        return len(encode(text))

    return count


def _encoding_of(unit: Unit) -> Encoding:
    if unit == "tokens":
        return default_encoding()
    if isinstance(unit, str):
        return named_encoding(unit)
    if hasattr(unit, "encode_ordinary") and hasattr(unit, "decode_single_token_bytes"):
        encoding: Encoding = unit
        return encoding
    raise OptionsError(
        f'unit: {unit!r} is not allowed; allowed are "tokens", "characters", the name of an '
        "encoding, a tiktoken.Encoding, a tokenizers.Tokenizer, or a callable from text to int"
    )


def _is_tokenizer(unit: Unit) -> bool:
    return hasattr(unit, "to_str") and hasattr(unit, "no_truncation") and hasattr(unit, "encode")


def _tokenizer_count(unit: Unit) -> Callable[[str], object]:
    # a copy, since truncation and padding, which would hide a text's size, are its state
    tokenizer = type(unit).from_str(unit.to_str())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _name_of(unit: Callable[..., Any]) -> str:
    kind = type(unit)
    module = getattr(unit, "__module__", kind.__module__)
    return f"{module}.{getattr(unit, '__qualname__', kind.__qualname__)}"


def _checked(counter: Callable[[str], object]) -> Counter:
    """Wrap a user's counter so that what is no count raises a TokenizerError."""

    def count(text: str) -> int:
        try:
            size = counter(text)
        except Exception as problem:
            raise TokenizerError(
                f"the tokenizer raised {type(problem).__name__} on a text of {len(text)} "
                f"characters: {problem}"
            ) from problem
        if isinstance(size, bool) or not hasattr(size, "__index__") or size.__index__() < 0:
            raise TokenizerError(f"the tokenizer gave {size!r}; a count is an int of 0 or more")
        return int(size.__index__())

    return count
