"""YAML as people write it in front matter: YAML 1.2's scalars, and a broken line costs its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mdchunk.errors import MdchunkError

MAX_VALUES = 100_000
"""More values than this come from aliases that double, not from a person."""
MAX_DIGITS = 500
"""Longer numbers are text: Python writes none of more than some thousand digits."""
MOST_MENDED = 2000
"""Lines of a block that is read line by line; what is longer is broken as a whole."""
LONGEST_MENDED = 100_000
DEEPEST_MENDED = 6
KEY_DIGITS = 18
"""Longer numbers are text as keys: Python hashes modulo 2**61 - 1, so all may have one hash."""
MOST = 50
"""More directives, or merges into one mapping, take time by their square, and nobody has them."""
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
KEY_START = re.compile(
    r"(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\s\-\[\]{},#\"'][^\r\n]*?|-[^\s][^\r\n]*?):(?=\s|\Z)"
)
"""How a line begins that is an entry of a mapping."""
ITEM = re.compile(r"-(?=\s|\Z)")
EMPTY_LINE = re.compile(r"[ \t]*(?:#|[\r\n]|\Z)")
"""A blank line or a comment."""
WRITTEN = frozenset({"title"})
"""The keys whose value is its text: a page called 1.10 or 007 is not called 1.1 or 7."""
TAG_PREFIX = "tag:yaml.org,2002:"
CORE = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?(?:\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN",
        "-+.0123456789",
    ),
    ("merge", r"<<", "<"),
)
"""The plain scalars that are no text by the core schema (YAML 1.2.2, 10.3.2), which Hugo, Astro,
Obsidian and Docusaurus keep to; merges are YAML 1.1's. Dates are what PyYAML takes for them."""


class TooMuchError(MdchunkError):
    """The values are too many or nested too deep."""


class Lost(NamedTuple):
    """A key that could not be read, its line (the first is 1), and why."""

    key: str
    line: int
    reason: str


class Loaded(NamedTuple):
    """What a text says if it is a mapping, else None; and what had to be left out."""

    values: dict[Any, Any] | None
    lost: tuple[Lost, ...] = ()


def load(text: str) -> Loaded:
    """Return the mapping that a text is; a value that cannot be made costs its key alone.

    Raises yaml.YAMLError if the text cannot be parsed, TooMuchError if merges have no end.
    """
    if text.count("\n%") > MOST:  # each %TAG is compared with all before it
        raise TooMuchError(f"more than {MOST} directives")
    loader = _loader()(text)
    try:
        root = loader.get_single_node()
        if root is None or root.id != "mapping":
            return Loaded(None)
        loader.flatten_mapping(root)
        return _values(loader, root)
    finally:
        loader.dispose()


def _values(loader: Any, root: Any) -> Loaded:
    values: dict[Any, Any] = {}
    lost = []
    for key_node, node in root.value:
        try:
            key = loader.construct_object(key_node, deep=True)
            written = key in WRITTEN and node.id == "scalar" and node.tag != f"{TAG_PREFIX}null"
            values[key] = node.value if written else loader.construct_object(node, deep=True)
        except TooMuchError:
            raise
        except Exception as problem:  # what is made may be of any type and fail in any way
            lost.append(Lost(_name(key_node), key_node.start_mark.line + 1, reason(problem)))
    return Loaded(values, tuple(lost))


def _name(node: Any) -> str:
    return str(node.value) if node.id == "scalar" else "{…}"


def reason(problem: Exception) -> str:
    """Return what is wrong in a line, without the place, which is told beside it."""
    said = getattr(problem, "problem", None) or getattr(problem, "context", None)
    return said or str(problem) or type(problem).__name__


def mendable(text: str) -> bool:
    """Return whether a text that cannot be parsed looks like a mapping that a person wrote."""
    lines = LINE.findall(text[:LONGEST_MENDED])
    if len(text) > LONGEST_MENDED or len(lines) > MOST_MENDED:
        return False
    first = next((line for line in lines if not EMPTY_LINE.match(line)), "")
    return KEY_START.match(first) is not None


def mend(text: str) -> Loaded:
    """Return what the lines say that can be read, of a text that cannot be parsed as a whole.

    A line that is broken is left out with the lines that belong to it. Raises yaml.YAMLError if
    that does not help.
    """
    mending = _Mending(LINE.findall(text))
    mending.mend(0, len(mending.lines), 0)
    loaded = load("".join(mending.lines))
    return Loaded(loaded.values or {}, tuple(sorted([*mending.lost, *loaded.lost], key=_line)))


def _line(lost: Lost) -> int:
    return lost.line


class _Mending:
    """The lines of a block, in which those that cannot be read are made blank."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.lost: list[Lost] = []
        self.anchors: set[str] = set()

    def mend(self, first: int, last: int, depth: int) -> None:
        """Make the entries blank that cannot be read, or what makes them so."""
        for start, end in self.entries(first, last):
            problem = self.problem(start, end, depth)
            if problem and end > start + 1 and depth < DEEPEST_MENDED:
                before = len(self.lost)
                self.mend(start + 1, end, depth + 1)
                if not self.problem(start, end, depth):
                    continue
                del self.lost[before:]
            if problem:
                self.drop(start, end, problem)

    def entries(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Find the entries of a mapping or list: its first line says where and how each begins."""
        starts = [line for line in range(first, last) if not EMPTY_LINE.match(self.lines[line])]
        if not starts:
            return
        indent, form = self.indent(starts[0]), self.form(starts[0])
        begins = [
            line
            for line in starts
            if line == starts[0] or (self.indent(line) <= indent and self.form(line) == form)
        ]
        yield from zip(begins, [*begins[1:], last], strict=True)

    def indent(self, line: int) -> int:
        return len(self.lines[line]) - len(self.lines[line].lstrip(" \t"))

    def form(self, line: int) -> str:
        """Return whether a line begins as an "item", as a "key", or as neither: ""."""
        text = self.lines[line].lstrip(" \t")
        return "item" if ITEM.match(text) else "key" if KEY_START.match(text) else ""

    def problem(self, start: int, end: int, depth: int) -> str:
        """Return why some lines are no mapping (inside of one, a list will do); "" if they are."""
        from yaml import AliasEvent, MappingStartEvent, SequenceStartEvent, YAMLError

        found: set[str] = set()
        allowed = (MappingStartEvent, SequenceStartEvent) if depth else (MappingStartEvent,)
        try:
            for place, event in enumerate(_events("".join(self.lines[start:end]))):
                anchor = getattr(event, "anchor", None)
                if isinstance(event, AliasEvent):
                    if anchor not in self.anchors | found:
                        return f"found undefined alias {anchor!r}"
                elif place == 2 and not isinstance(event, allowed):
                    return "no key and value"
                elif anchor:
                    found.add(anchor)
        except (YAMLError, RecursionError) as problem:
            return reason(problem)
        self.anchors |= found
        return ""

    def drop(self, start: int, end: int, problem: str) -> None:
        """Make lines blank; the numbers of those behind them stay what they are."""
        key = KEY_START.match(self.lines[start].lstrip(" \t-"))
        name = key[0].rstrip(":").strip("\"'") if key else self.lines[start].strip()[:40]
        self.lost.append(Lost(name, start + 1, problem))
        for line in range(start, end):
            text = self.lines[line]
            self.lines[line] = text[len(text.rstrip("\r\n")) :]


def _events(text: str) -> Iterator[Any]:
    loader = _loader()(text)
    try:
        yield from iter(loader.get_event, None)
    finally:
        loader.dispose()


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Make a safe loader of YAML 1.2's core schema whose work is bounded: merges are counted."""
    from frontmatter.default_handlers import SafeLoader

    class Loader(SafeLoader):  # type: ignore[misc, valid-type, unused-ignore]
        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            """Count what ``<<`` takes from other mappings before it is copied."""
            merges = 0
            for key, value in node.value:
                if key.tag == f"{TAG_PREFIX}int" and len(key.value) > KEY_DIGITS:
                    key.tag = f"{TAG_PREFIX}str"
                if key.tag == f"{TAG_PREFIX}merge":
                    merges += 1
                    if merges > MOST:  # each is taken out of the list of all pairs
                        raise TooMuchError(f"more than {MOST} merges into one mapping")
                    given = value.value if value.id == "sequence" else [value]
                    parts = [part for part in given if part.id == "mapping"]
                    for part in {id(part): part for part in parts}.values():
                        self.flatten_mapping(part)
                    self.merged += sum(len(part.value) for part in parts)
                    if self.merged > MAX_VALUES:
                        raise TooMuchError(f"more than {MAX_VALUES} values are merged")
            super().flatten_mapping(node)

    _resolve_core(Loader, SafeLoader.yaml_implicit_resolvers["0"])
    return Loader


def _resolve_core(loader: Any, resolvers: Sequence[tuple[str, Any]]) -> None:
    """Let a loader read plain scalars as YAML 1.2's core schema does, and dates."""
    dates = [(tag, pattern) for tag, pattern in resolvers if tag == f"{TAG_PREFIX}timestamp"]
    loader.yaml_implicit_resolvers = {digit: [*dates] for digit in "0123456789"}
    for name, pattern, starts in CORE:
        whole = re.compile(rf"(?:{pattern})\Z")
        loader.add_implicit_resolver(f"{TAG_PREFIX}{name}", whole, list(starts))
    own = {"int": _integer, "float": _float}
    for name in ("null", "bool", "int", "float", "binary", "timestamp"):
        made = own.get(name) or getattr(loader, f"construct_yaml_{name}")
        loader.add_constructor(f"{TAG_PREFIX}{name}", _or_text(made))
    loader.add_constructor(None, _untagged)


def _or_text(construct: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make a constructor that takes the text for what is none of its values: 2024-02-30."""

    def made(loader: Any, node: Any) -> Any:
        try:
            return construct(loader, node)
        except Exception:  # ValueError, KeyError, PyYAML's own, and what its patterns miss
            if node.id != "scalar":
                raise
            return node.value

    return made


def _integer(_loader: Any, node: Any) -> Any:
    text = node.value
    if len(text) > MAX_DIGITS:
        return text
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    return int(text, base)


def _float(loader: Any, node: Any) -> Any:
    return node.value if len(node.value) > MAX_DIGITS else loader.construct_yaml_float(node)


def _untagged(loader: Any, node: Any) -> Any:
    """Take a value of a tag that nobody here knows (``!expr``, ``!secret``) for what it holds."""
    if node.id == "scalar":
        return node.value
    if node.id == "sequence":
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)
