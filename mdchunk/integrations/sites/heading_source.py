"""What generators make of a heading's Markdown before an id is made of its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mdchunk.cutting.inline_spans import inline_spans

ADDRESS = re.compile(r"<?https?://|<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@]+@)[^\s<>]*>")
EMOJI = re.compile(r"(?<![\w:]):(?:[+-]1|(?=[\d_+-]*[a-z])[a-z0-9_+-]+):(?![\w:])")
"""The code of an emoji or icon; Rust's paths and times of the day are none."""
BLANK = re.compile(" (?= )")
BREAK = re.compile(r"(?<! ) *\\?\n *")
WHITE = re.compile(r"[^\S ]")
"""White space that is no dash in an id, as a blank is."""
TAG = re.compile(r"<[/!A-Za-z]")
NOTHING = "\u2063"
"""What no id has, and a title keeps at its ends; blanks beside it are not taken for one."""

Change = Callable[[str], str]


def is_tag(part: str) -> bool:
    """Return whether a construct is a tag of HTML, and no address in angle brackets."""
    return bool(TAG.match(part)) and not ADDRESS.match(part)


def spaced(content: str) -> str:
    """Keep blanks in a row, each of which is a dash in an id, and drop other white space."""
    return BLANK.sub(f" {NOTHING}", WHITE.sub(NOTHING, BREAK.sub(NOTHING, content)))


def github(content: str) -> str:
    """Keep blanks in a row, and drop other white space and tags."""

    def construct(part: str) -> str:
        return NOTHING if is_tag(part) or part == "&nbsp;" else part

    return spaced("".join(changed(content, str, construct)))


def without_emoji(part: str) -> str:
    """Drop the codes of emoji and icons."""
    return EMOJI.sub("", part)


def without_image(part: str) -> str:
    """Drop a construct that is an image."""
    return "" if part.startswith("![") else part


def changed(content: str, text: Change, construct: Change) -> Iterator[str]:
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
            yield from ("[", *changed(label[1:], text, construct), mark, target)
        else:
            yield construct(part)
    yield text(content[end:])
