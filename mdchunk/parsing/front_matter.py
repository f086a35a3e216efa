"""Front matter at the start of a document: where it ends, and what it says as JSON values."""

from __future__ import annotations

import base64
import datetime
import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mdchunk.errors import MdchunkError
from mdchunk.model import FrozenDict

EMPTY: Mapping[str, object] = FrozenDict()
MAX_VALUES = 100_000
"""More values than this come from aliases that double, not from a person."""
MAX_DEPTH = 50
MAX_LENGTH = 1_000_000
MAX_DIGITS = 500
"""Longer numbers are text: Python writes none of more than some thousand digits."""
KEY_DIGITS = 18
"""Longer numbers are text as keys: Python hashes modulo 2**61 - 1, so all may have one hash."""
TOML_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?|'
    r"'''.*?(?:'''|\Z)|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
"""A string or a comment; an unclosed one matches too, so that no character is looked at twice."""
TOML_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]+(?:[ \t]*\.[ \t]*[\w-]+){{{MAX_DEPTH}}}")
FENCE = re.compile(r"(---(?:json|toml|yaml)?|\+\+\+|;;;)[ \t]*(?:\n|\r\n?)(?![ \t]*(?:[\n\r]|\Z))")
"""A mark alone on the first line, and no blank line after it (a rule has one)."""
CLOSERS = {"---": r"(?:---|\.\.\.)", "+++": r"\+\+\+", ";;;": ";;;"}
"""A mark that names a language (gray-matter) is closed by three dashes."""
LINE_END = r"[ \t]*(?:\n|\r\n?|\Z)"
PROSE = re.compile(r"(?:\n|\r\n?)[ \t]*(?:\n|\r\n?)(?![\s#\-?\]}]|[^\s:]+[ \t]*:(?:\s|\Z))")
"""A blank line, and after it none that YAML could have: no key, item, comment or indented line."""


class FrontMatter(NamedTuple):
    """``source[:end]`` is the block; ``problem`` says why it has no metadata, if so."""

    end: int
    metadata: Mapping[str, object]
    problem: str


class _TooMuchError(MdchunkError):
    """The values are too many or nested too deep."""


def find(source: str) -> FrontMatter | None:
    """Find front matter at the very start of a source, or None.

    A block holds a mapping or nothing at all, else it is ordinary text; one that cannot be parsed
    is front matter all the same and has a problem. Nothing is evaluated: YAML is loaded safely,
    ``---js`` is text.
    """
    if source.startswith("{"):
        return _leading_json(source)
    opening = FENCE.match(source)
    if opening is None:
        return None
    mark = opening[1]
    # ^ would know LF only
    closing = re.compile(rf"(?<=[\n\r]){CLOSERS.get(mark, '---')}{LINE_END}")
    ending = closing.search(source, opening.end())
    if ending is None:
        return None
    content = source[opening.end() : ending.start()]
    try:
        loaded = _load(mark, content)
    except Exception as problem:  # each format's parser has errors of its own
        if mark in ("---", "---yaml") and PROSE.search(content):
            return None  # nothing closed it, and the mark that was found is a rule of the text
        told = str(problem).replace('in "<unicode string>", line', "at line")
        return FrontMatter(ending.end(), {}, f"{type(problem).__name__}: {told}")
    return FrontMatter(ending.end(), loaded, "") if isinstance(loaded, dict) else None


def _load(mark: str, content: str) -> Any:
    if len(content) > MAX_LENGTH:
        raise _TooMuchError(f"front matter of {len(content)} characters")
    # behind an empty line for the mark, what a parser says of lines holds for the document
    loaded = HANDLERS[mark]()(f"\n{content}")
    if loaded is None and not content.strip():
        return {}  # Jekyll asks for no more than the two marks
    return _Values().json(loaded) if isinstance(loaded, dict) else loaded


def _leading_json(source: str) -> FrontMatter | None:
    try:
        loaded, end = json.JSONDecoder().raw_decode(source[:MAX_LENGTH])
        line_end = re.compile(LINE_END).match(source, end)
        if not isinstance(loaded, dict) or not loaded or line_end is None:
            return None
        return FrontMatter(line_end.end(), _Values().json(loaded), "")
    except (ValueError, RecursionError, _TooMuchError):
        return None


def _yaml() -> Callable[[str], Any]:
    from frontmatter.default_handlers import YAMLHandler

    def load(content: str) -> Any:
        if content.count("\n%") > MAX_DEPTH:  # each %TAG is compared with all before it
            raise _TooMuchError(f"more than {MAX_DEPTH} directives")
        return YAMLHandler().load(content, Loader=_loader())

    return load


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Make a safe loader whose work is bounded too: merges are counted, endless numbers text."""
    from frontmatter.default_handlers import SafeLoader

    class Loader(SafeLoader):  # type: ignore[misc, valid-type, unused-ignore]
        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            """Count what ``<<`` takes from other mappings before it is copied."""
            merges = 0
            for key, value in node.value:
                if key.tag == "tag:yaml.org,2002:int" and len(key.value) > KEY_DIGITS:
                    key.tag = "tag:yaml.org,2002:str"
                if key.tag == "tag:yaml.org,2002:merge":
                    merges += 1
                    if merges > MAX_DEPTH:  # each is taken out of the list of all pairs
                        raise _TooMuchError(f"more than {MAX_DEPTH} merges into one mapping")
                    given = value.value if value.id == "sequence" else [value]
                    parts = [part for part in given if part.id == "mapping"]
                    for part in {id(part): part for part in parts}.values():
                        self.flatten_mapping(part)
                    self.merged += sum(len(part.value) for part in parts)
                    if self.merged > MAX_VALUES:
                        raise _TooMuchError(f"more than {MAX_VALUES} values are merged")
            super().flatten_mapping(node)

    def number(loader: Any, node: Any) -> Any:
        # 1:1:1… is a number to the base of 60, and takes the square of its length
        endless = isinstance(node.value, str) and len(node.value) > MAX_DIGITS
        return node.value if endless else loader.construct_yaml_int(node)

    Loader.add_constructor("tag:yaml.org,2002:int", number)
    return Loader


def _json() -> Callable[[str], Any]:
    from frontmatter.default_handlers import JSONHandler

    def load(content: str) -> Any:
        # between ;;; marks the braces may be left out
        whole = content.lstrip().startswith("{")
        return JSONHandler().load(content if whole else f"{{{content}}}")

    return load


def _toml() -> Callable[[str], Any]:
    # python-frontmatter's own handler needs a package that is no longer kept
    if sys.version_info >= (3, 11):
        from tomllib import loads
    else:
        from tomli import loads

    def load(content: str) -> Any:
        content = content.replace("\r\n", "\n").replace("\r", "\n")
        if TOML_LONG_KEY.search(TOML_TEXT.sub("_", content)):  # takes time by its square
            raise _TooMuchError(f"a key of more than {MAX_DEPTH} parts")
        return loads(content)

    return load


HANDLERS: dict[str, Callable[[], Callable[[str], Any]]] = {
    "---": _yaml,
    "---json": _json,
    "---toml": _toml,
    "---yaml": _yaml,
    ";;;": _json,
    "+++": _toml,
}


class _Values:
    """Values as JSON has them, counted, so that aliases cannot blow up."""

    def __init__(self) -> None:
        self.seen = 0
        self.length = 0

    def _count(self, value: Any, depth: int) -> None:
        """Count a value and the characters that it takes, each time that an alias names it."""
        self.seen += 1
        if self.seen > MAX_VALUES or depth > MAX_DEPTH:
            raise _TooMuchError(f"more than {MAX_VALUES} values, or deeper than {MAX_DEPTH}")
        if isinstance(value, (str, bytes)):
            self.length += len(value)
        elif isinstance(value, int):
            self.length += value.bit_length() // 4
        if self.length > MAX_LENGTH:
            raise _TooMuchError(f"values of more than {MAX_LENGTH} characters")

    def json(self, value: Any, depth: int = 0) -> Any:
        self._count(value, depth)
        if isinstance(value, int) and value.bit_length() > 4 * MAX_DIGITS:
            return hex(value)
        if value is None or isinstance(value, (bool, int)):
            return value
        if isinstance(value, str):
            # a lone surrogate (a JSON escape) has no UTF-8 form
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, dict):
            return {self.key(key): self.json(item, depth + 1) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.json(item, depth + 1) for item in value]
        if isinstance(value, (set, frozenset)):
            return sorted(self.key(item) for item in value)
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, bytes):
            return base64.b64encode(value).decode("ascii")
        return str(value)

    def key(self, value: Any) -> str:
        if isinstance(value, str):
            return str(self.json(value))
        plain = self.json(value, MAX_DEPTH - 1)
        return plain if isinstance(plain, str) else json.dumps(plain)


def as_json(value: Any) -> Any:
    """Give values that another reader of front matter made as JSON has them.

    Raises MdchunkError for those that are too many or have no end.
    """
    return _Values().json(value)
