"""What generators make of a heading's Markdown before an id is made of its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mdchunk.cutting.inline_spans import inline_spans

DASHES = re.compile("---?")
WWW = re.compile(r"(?<!\w)www\.[^\s<]+")
ADDRESS = re.compile(r"<?https?://|<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@]+@)[^\s<>]*>")
EMOJI = re.compile(r"(?<![\w:]):(?:[+-]1|(?=[\d_+-]*[a-z])[a-z0-9_+-]+):(?![\w:])")
"""The code of an emoji or icon; Rust's paths and times of the day are none."""

BLANK = re.compile(" (?= )")
BREAK = re.compile(r"(?<! ) *\\?\n *")
WHITE = re.compile(r"[^\S ]")
"""White space that is no dash in an id, as a blank is."""
TAG = re.compile(r"<[/!A-Za-z]")
CONTROL = re.compile(r"[\t\v\f\n]")
NOTHING = "\u2063"
"""What no id has, and a title keeps at its ends; blanks beside it are not taken for one."""

Change = Callable[[str], str]


def github(content: str) -> str:
    """Keep blanks in a row, each of which is a dash in an id, and drop other white space."""

    def construct(part: str) -> str:
        return NOTHING if _is_tag(part) or part == "&nbsp;" else part

    return _spaced("".join(_changed(content, str, construct)))


def _is_tag(part: str) -> bool:
    return bool(TAG.match(part)) and not ADDRESS.match(part)


def _spaced(content: str) -> str:
    return BLANK.sub(f" {NOTHING}", WHITE.sub(NOTHING, BREAK.sub(NOTHING, content)))


def python_markdown(content: str) -> str:
    """Drop images, and codes of emoji and icons: who writes them has what draws them."""
    return "".join(_changed(content, _without_emoji, _without_image))


def docutils(content: str) -> str:
    """Drop images."""
    return "".join(_changed(content, str, _without_image))


def _without_emoji(part: str) -> str:
    return EMOJI.sub("", part)


def _without_image(part: str) -> str:
    return "" if part.startswith("![") else part


def myst(content: str) -> str:
    """Drop images, tags and notes, and keep the blanks round them."""

    def construct(part: str) -> str:
        dropped = part.startswith(("![", "[^")) or _is_tag(part)
        return NOTHING if dropped else part

    return _spaced("".join(_changed(content, str, construct)))


def hugo(content: str) -> str:
    """Set dashes as Hugo's typographer does, and drop addresses, of which it makes no id."""

    def text(part: str) -> str:
        return DASHES.sub("–", WWW.sub(NOTHING, part))

    def construct(part: str) -> str:
        dropped = ADDRESS.match(part) or TAG.match(part)
        return NOTHING if dropped or part == "&nbsp;" else part

    changed = "".join(_changed(content, text, construct))
    return _spaced(changed.strip(f" {NOTHING}"))


def vitepress(content: str) -> str:
    """Drop emoji codes and images, and keep entities and notes as they are written."""

    def construct(part: str) -> str:
        return f"\\{part}" if part.startswith(("&", "[^")) else _without_image(part)

    changed = "".join(_changed(content, _without_emoji, construct))
    return CONTROL.sub("", BREAK.sub("", changed))


def _changed(content: str, text: Change, construct: Change) -> Iterator[str]:
    """Change the text of a heading, also that of links, and each other construct as a whole."""

    def outermost(span: tuple[int, int]) -> tuple[int, int]:
        start, stop = span
        # an element is one construct too; here its tags are told from its text
        return start, stop if content[start] == "<" else -stop

    end = 0
    for start, stop in sorted(inline_spans(content, 0, len(content)), key=outermost):
        if start < end:
            continue  # within another
        yield text(content[end:start])
        end, part = stop, content[start:stop]
        label, mark, target = part.partition("](")
        if mark and part.startswith("["):
            yield from ("[", *_changed(label[1:], text, construct), mark, target)
        else:
            yield construct(part)
    yield text(content[end:])
