"""Line numbers and offsets: a line ends at CRLF, LF or CR and at nothing else (CommonMark 2.1).

And what all rooms find in lines: regular expressions, compiled when they are first used.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, count
from operator import add
from typing import Any, cast

LINE_END = re.compile(r"\r\n|\n|\r")
BOM = "\ufeff"
"""The byte order mark: what some programs write before a text, and no part of it."""


def normal(source: str) -> str:
    """Return a source as it is read: LF ends each line, and no byte order mark stands before it."""
    return line_feeds(source.removeprefix(BOM))


def line_feeds(text: str) -> str:
    """Return a text with LF at each line end; one that has no other is returned itself."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class Lines:
    """The lines of one source; numbers are 0-based, and the first begins behind the mark if any."""

    __slots__ = ("_source", "starts")

    def __init__(self, source: str) -> None:
        self._source = source
        if "\r" in source:
            self.starts = [0, *(m.end() for m in LINE_END.finditer(source))]
        else:
            lengths = accumulate(map(len, source.split("\n")))
            self.starts = [0, *map(add, lengths, count(1))]
            self.starts.pop()
        # one past the last line, so that line n always ends where line n + 1 starts
        self.starts.append(len(source))
        self.starts[0] = int(source.startswith(BOM))

    def __len__(self) -> int:
        """Count the lines; an empty source has one."""
        return len(self.starts) - 1

    def of(self, offset: int) -> int:
        """Find the line that holds an offset."""
        return bisect_right(self.starts, offset, 1, len(self.starts) - 1) - 1

    def text(self, line: int) -> str:
        """Return a line with its line end."""
        return self._source[self.starts[line] : self.starts[line + 1]]

    def blank(self, line: int) -> bool:
        """Return whether a line holds nothing that can be searched."""
        return not self.text(line).strip()

    def end(self, line: int) -> int:
        """Find where the visible text of a line ends."""
        return self.starts[line] + len(self.text(line).rstrip())


ToSource = Callable[[int], int]
"""Returns where in a source an offset of its normal text is."""


class Places:
    """Where the places of a text that has been made normal stand in its source."""

    __slots__ = ("_lines", "_normal")

    def __init__(self, lines: Lines, normal: Lines) -> None:
        self._lines = lines
        self._normal = normal

    def __call__(self, offset: int) -> int:
        """Return the offset in the source; the place before an LF is that before its line end."""
        line = self._normal.of(offset)
        # a mark behind the first mark is text, and the first line of a normal text begins with it
        begin = self._normal.starts[line] if line else 0
        return self._lines.starts[line] + offset - begin


PATTERN_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what has the methods of ``re.compile(source, flags)``, compiled when one is asked for.

    It is for names of a module; what asks for ``name.match`` when the module is loaded gains
    nothing, and functions of ``re`` do not take it.
    """
    return cast("re.Pattern[str]", _Pattern(source, flags))


class _Pattern:
    def __init__(self, source: str, flags: int) -> None:
        self._of = (source, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(*self._of)
        # from now on they are found without a call of this method, as those of a compiled one are
        vars(self).update({method: getattr(compiled, method) for method in PATTERN_METHODS})
        return getattr(compiled, name)
