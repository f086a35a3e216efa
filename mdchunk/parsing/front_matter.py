"""Front matter at the start of a document: where it ends, and what it says as JSON values."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from mdchunk.lines import pattern
from mdchunk.model import FrozenDict
from mdchunk.parsing import yaml_values
from mdchunk.parsing.yaml_values import MAX_DIGITS, MAX_VALUES, Loaded, Lost, TooMuchError

EMPTY: Mapping[str, object] = FrozenDict()
MAX_DEPTH = 50
MAX_LENGTH = 1_000_000
TOML_TEXT = pattern(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?|'
    r"'''.*?(?:'''|\Z)|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
"""A string or a comment; an unclosed one matches too, so that no character is looked at twice."""
TOML_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]+(?:[ \t]*\.[ \t]*[\w-]+){{{MAX_DEPTH}}}")
OPENING_MARK = re.compile(
    r"(---(?:json|toml|yaml)?|\+\+\+|;;;)[ \t]*(?:\n|\r\n?)(?![ \t]*(?:[\n\r]|\Z))"
)
"""A mark alone on the first line, and no blank line after it (a rule has one)."""
CLOSERS = {"---": r"(?:---|\.\.\.)", "+++": r"\+\+\+", ";;;": ";;;"}
"""A mark that names a language (gray-matter) is closed by three dashes."""
LINE_END = r"[ \t]*(?:\n|\r\n?|\Z)"
PROSE = re.compile(r"(?:\n|\r\n?)[ \t]*(?:\n|\r\n?)(?=\S)(?![#\-?\]}]|[^\s:]+[ \t]*:(?:\s|\Z))")
"""A blank line, and after it none that YAML could have: no key, item, comment or indented line."""
_FIELD = r"%((?:[ \t][^\r\n]*)?(?:(?:\n|\r\n?)[ \t]+[^\s][^\r\n]*)*)(?:\n|\r\n?|\Z)"
TITLE_BLOCK = pattern(rf"{_FIELD}(?:{_FIELD}(?:{_FIELD})?)?(?=[ \t]*(?:[\r\n]|\Z))")
"""Pandoc's ``pandoc_title_block``, and after it a blank line, lest a paragraph be one."""
YAML = frozenset({"---", "---yaml"})


class FrontMatter(NamedTuple):
    """``source[:end]`` is the block; ``problem`` says why it has no metadata, if so.

    ``lost`` says which keys could not be read, if some could: "" for none.
    """

    end: int
    metadata: Mapping[str, object]
    problem: str
    lost: str = ""


def find(source: str) -> FrontMatter | None:
    """Find front matter at the very start of a source, or None.

    A block holds a mapping or nothing at all, else it is ordinary text. In YAML a line that cannot
    be read costs its key alone; a block that cannot be read at all is front matter all the same and
    has a problem. Nothing is evaluated: YAML is loaded safely, ``---js`` is text.
    """
    if source.startswith("{"):
        return _leading_json(source)
    if source.startswith("%"):
        return _title_block(source)
    opening = OPENING_MARK.match(source)
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
        if mark in YAML and PROSE.search(content):
            return None  # nothing closed it, and the mark that was found is a rule of the text
        return _broken(mark, content, ending.end(), problem)
    if loaded.values is None:
        return None
    return FrontMatter(ending.end(), loaded.values, "", _told(loaded.lost))


def _broken(mark: str, content: str, end: int, problem: Exception) -> FrontMatter:
    """Take what can be read of a block that cannot be read as a whole, or tell its problem."""
    much = isinstance(problem, TooMuchError)
    if mark in YAML and not much and yaml_values.mendable(content):
        with suppress(Exception):
            values, lost = yaml_values.mend(f"\n{content}")
            if values:  # else it is kept as text: nothing of it stands anywhere else
                return FrontMatter(end, _Values().json(values), "", _told(lost))
    told = str(problem).replace('in "<unicode string>", line', "at line")
    return FrontMatter(end, {}, f"{type(problem).__name__}: {told}")


def _told(lost: Sequence[Lost]) -> str:
    """Name the keys that were left out, each with its line in the document, and why."""
    return "; ".join(f"{key} (line {line}): {reason}" for key, line, reason in lost)


def _load(mark: str, content: str) -> Loaded:
    if len(content) > MAX_LENGTH:
        raise TooMuchError(f"front matter of {len(content)} characters")
    # behind an empty line for the mark, what a parser says of lines holds for the document
    text = f"\n{content}"
    if mark in YAML:
        loaded = yaml_values.load(text)
    else:
        values = HANDLERS[mark]()(text)
        loaded = Loaded(values if isinstance(values, dict) else None)
    if loaded.values is None:
        # Jekyll asks for no more than the two marks
        return Loaded(None if content.strip() else {})
    return Loaded(_Values().json(loaded.values), loaded.lost)


def _leading_json(source: str) -> FrontMatter | None:
    import json  # here and below: most documents have none

    try:
        loaded, end = json.JSONDecoder().raw_decode(source[:MAX_LENGTH])
        line_end = re.compile(LINE_END).match(source, end)
        if not isinstance(loaded, dict) or not loaded or line_end is None:
            return None
        return FrontMatter(line_end.end(), _Values().json(loaded), "")
    except (ValueError, RecursionError, TooMuchError):
        return None


def _title_block(source: str) -> FrontMatter | None:
    """Read Pandoc's title block: title, authors and date behind percent signs, each may be empty.

    A line that begins with a blank goes on with the one before it.
    """
    found = TITLE_BLOCK.match(source)
    if found is None:
        return None
    title, authors, date = (field or "" for field in found.groups())
    values = {
        "title": " ".join(title.split()),
        "author": [name.strip() for name in re.split(r"[;\r\n]", authors) if name.strip()],
        "date": " ".join(date.split()),
    }
    filled = {key: value for key, value in values.items() if value}
    return FrontMatter(found.end(), filled, "") if filled else None


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
            raise TooMuchError(f"a key of more than {MAX_DEPTH} parts")
        return loads(content)

    return load


HANDLERS: dict[str, Callable[[], Callable[[str], Any]]] = {
    "---json": _json,
    "---toml": _toml,
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
            raise TooMuchError(f"more than {MAX_VALUES} values, or deeper than {MAX_DEPTH}")
        if isinstance(value, (str, bytes)):
            self.length += len(value)
        elif isinstance(value, int):
            self.length += value.bit_length() // 4
        if self.length > MAX_LENGTH:
            raise TooMuchError(f"values of more than {MAX_LENGTH} characters")

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
        return _plain(value)

    def key(self, value: Any) -> str:
        if isinstance(value, str):
            return str(self.json(value))
        plain = self.json(value, MAX_DEPTH - 1)
        if isinstance(plain, str):
            return plain
        import json

        return json.dumps(plain)


def _plain(value: Any) -> str:
    """Return as text what JSON has no value for."""
    import base64
    import datetime

    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return str(value)


def as_json(value: Any) -> Any:
    """Return values that another reader of front matter made, as JSON values.

    Raises MdchunkError for those that are too many or have no end.
    """
    return _Values().json(value)
