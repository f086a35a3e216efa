"""What patterns of files mean: globs, and those of ``.gitignore``."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GITIGNORE = ".gitignore"
SEPARATORS = re.escape("".join(filter(None, (os.sep, os.altsep))))
ANYWHERE = re.compile(rf"(?:^|(?<=[{SEPARATORS}]))(?P<mark>\*\*)(?:[{SEPARATORS}]+|$)")


class Ignore(NamedTuple):
    """The patterns of one ``.gitignore`` and the folder that they are relative to."""

    folder: str
    spec: GitIgnoreSpec


def expand(pattern: str) -> Iterator[str]:
    """Find what a glob stands for; ``**`` is any folders, but none that is hidden or a link.

    The standard library's goes through links, out of the folder and in circles.
    """
    anywhere = ANYWHERE.search(pattern)
    if anywhere is None:
        yield from glob.iglob(pattern)
        return
    before, after = pattern[: anywhere.start("mark")], pattern[anywhere.end() :]
    for top in glob.iglob(before) if before else ("",):
        if not after:
            yield top or os.curdir
            continue
        for folder in _folders(top):
            yield from expand(os.path.join(glob.escape(folder), after))


def folders_of(head: str) -> Iterator[str]:
    """Find the folders in which the last part of a glob is looked for, by what stands before it."""
    found = expand(head) if head else iter(("",))
    if os.path.basename(head) != "**":
        return found
    return (inner for folder in found for inner in _folders(folder))


def fixed_part(pattern: str) -> str:
    """Return the folder that a glob begins with: what stands before its first part with a mark."""
    folder = os.path.dirname(pattern)
    while glob.has_magic(folder):
        folder = os.path.dirname(folder)
    return folder or os.curdir


def _folders(top: str) -> Iterator[str]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            with os.scandir(folder or os.curdir) as entries:
                inner = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
        except OSError:
            continue  # what cannot be listed matches nothing
        waiting += [os.path.join(folder, name) for name in inner if not name.startswith(".")]


def ignored(path: str, ignores: Sequence[Ignore], *, is_folder: bool) -> bool:
    """Return whether Git ignores an absolute path; the innermost file with a say decides."""
    tail = "/" if is_folder else ""
    for folder, spec in reversed(ignores):
        said = spec.check_file(os.path.relpath(path, folder) + tail).include
        if said is not None:
            return said
    return False


def read_ignore(folder: str) -> Iterator[Ignore]:
    """Read a folder's ``.gitignore``, if it has one that can be read; a line that is no pattern
    matches nothing, as in Git."""
    path = Path(folder, GITIGNORE)
    try:
        if not path.is_file():  # a pipe would be waited for
            return
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    yield Ignore(os.path.abspath(folder), patterns(filter(is_pattern, text.split("\n"))))


def patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Read patterns as those of a ``.gitignore``."""
    from pathspec import GitIgnoreSpec  # most runs have none to read

    return GitIgnoreSpec.from_lines(lines)


def is_pattern(text: str) -> bool:
    """Return whether a text is a pattern as in ``.gitignore``."""
    try:
        patterns([text])
    except ValueError:
        return False
    return True


def above(folder: str) -> tuple[Ignore, ...]:
    """Read the ``.gitignore`` files of a folder's repository above it, outermost first."""
    found: list[Ignore] = []
    inner = Path(os.path.abspath(folder))
    for outer in (inner, *inner.parents):
        if outer != inner:
            found[:0] = read_ignore(str(outer))
        if os.path.exists(outer / ".git"):
            # a folder that was named although Git ignores it is wanted
            return () if ignored(str(inner), found, is_folder=True) else tuple(found)
    return ()  # no repository: what lies above is none of its business
