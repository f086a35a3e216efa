"""Which files a path means: itself, or the Markdown in a folder that nothing excludes."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mdchunk.files.patterns import (
    GITIGNORE,
    Ignore,
    above,
    expand,
    fixed_part,
    folders_of,
    ignored,
    patterns,
    read_ignore,
)

SUFFIXES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdx", ".mdc", ".qmd", ".rmd")
"""What Markdown files are called, in any case of letters."""
TEXT_SUFFIXES = (*SUFFIXES, ".txt", ".text", "")
"""Of files that are named, those about which there is nothing to tell."""
META_SUFFIX = ".meta.json"
"""Of files that mdchunk writes beside records: no glob stands for them."""
STDIN = "-"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NAME_ERRORS = "replace"
EXCLUDED = "excluded (by --exclude or a configuration file)"
OTHER = "read as Markdown, though it ends in {} (told of the first such file only)"
OUTSIDE = "a link that leads out of the folder (name it to have it read)"

Report = Callable[[str, str], None]
"""Told the name of what is not read and the reason."""


class Source(NamedTuple):
    """A document to read: its name as given, with slashes, and how many bytes it has."""

    name: str
    path: str
    size: int


Listed = tuple[Iterator["os.DirEntry[str]"], str, tuple[Ignore, ...]]
"""What is left of a folder, its real name, and the patterns that hold in it."""


class Finder:
    """Finds the documents that paths stand for, each once, in order of the paths and of names.

    ``-`` is standard input; what is no file may be a glob, in which ``**`` is any folders. A file
    is taken whatever its name is, unless ``exclude`` (patterns as in ``.gitignore``) matches.
    ``note`` is told of that, since it is as it was asked for and no fault, and of a suffix that no
    text has. Of a folder the Markdown files are taken; hidden files and folders and, with
    ``gitignore``, what Git ignores are not. A link that leads out of the folder that was named, or
    that a glob begins with, is reported and not taken.
    """

    def __init__(
        self,
        report: Report,
        note: Report,
        *,
        exclude: Sequence[str] = (),
        gitignore: bool = True,
    ) -> None:
        self.report = report
        self.note = note
        self.exclude = patterns(exclude) if exclude else None
        self.gitignore = gitignore
        self.paths: list[str] = []
        self.told = set(TEXT_SUFFIXES)
        # by their real names, so that links cannot lead in circles: as what each was come to,
        # of which folder that was named, and the patterns that hold in it
        self.seen: dict[str, tuple[str, str, tuple[Ignore, ...]]] = {}

    def find(self, paths: Iterable[str]) -> Iterator[Source]:
        """Find what paths stand for."""
        given: set[str] = set()
        for path in paths:
            self.paths.append(path)
            for source in self.path(path):
                place = STDIN if path == STDIN else os.path.abspath(source.path)
                if place not in given:
                    given.add(place)
                    yield source

    def would_read(self, path: str) -> bool:
        """Return whether the same search would read a file if it were there, or does so already.

        True of a ``.gitignore`` in a folder that was searched too.
        """
        folder, name = os.path.split(path)
        place = self._place(folder)
        if place in self.seen:
            shown_as, top, ignores = self.seen[place]
            if name == GITIGNORE:
                return self.gitignore
            inner = os.path.join(shown_as, name)
            if _is_document(name) and not self._skipped(inner, top, ignores, is_folder=False):
                return True
        return any(self._means(given, path) for given in self.paths if given != STDIN)

    def _means(self, given: str, path: str) -> bool:
        """Return whether a path that was given, perhaps a glob, is or matches a file itself."""
        if not glob.has_magic(given) or os.path.exists(given):
            return self._place(given) == self._place(path) and not self._excluded(given)
        head, tail = os.path.split(given)
        folder, name = os.path.split(path)
        hidden = name.startswith(".") and not tail.startswith(".")
        if hidden or name.endswith(META_SUFFIX) or not fnmatch.fnmatch(name, tail):
            return False
        place = self._place(folder)
        return any(
            self._place(each or os.curdir) == place and not self._excluded(os.path.join(each, name))
            for each in folders_of(head)
        )

    def path(self, path: str) -> Iterator[Source]:
        """Find what one path stands for."""
        if path == STDIN:
            yield Source(STDIN, STDIN, 0)
        elif os.path.isdir(path):
            yield from self.folder(path)
        elif self._excluded(path):
            self.note(shown(path), EXCLUDED)
        else:
            try:
                size = os.stat(path).st_size
            except OSError as problem:
                yield from self.pattern(path, reason(problem))
            else:
                self._tell_suffix(path)
                yield Source(shown(path), path, size)

    def pattern(self, path: str, problem: str) -> Iterator[Source]:
        """Take what is no file as a glob, since a shell may leave that to the command."""
        if not glob.has_magic(path):
            self.report(shown(path), problem)
            return
        found = sorted({each for each in expand(path) if not each.endswith(META_SUFFIX)})
        left = [each for each in found if os.path.isdir(each) or not self._excluded(each)]
        top = fixed_part(path)
        for each in left:
            if self._is_outside(each, top):
                self.report(shown(each), OUTSIDE)
            elif os.path.isdir(each):
                yield from self.folder(each, top)
            else:
                self._tell_suffix(each)
                yield from self._file(each)
        if not found:
            self.report(shown(path), "no file matches")
        elif not left:
            self.note(shown(path), f"all that matches is {EXCLUDED}")

    def _tell_suffix(self, path: str) -> None:
        """Note that a file is read whose name says that it holds something else."""
        suffix = os.path.splitext(path)[1]
        if suffix.lower() not in self.told:
            self.told.add(suffix.lower())
            self.note(shown(path), OTHER.format(shown(suffix)))

    def folder(self, top: str, limit: str | None = None) -> Iterator[Source]:
        """Walk a folder; folders behind links come last, so that each has its real name first.

        Links may lead as far as to ``limit``, by default the folder itself.
        """
        found = self._place(top) in self.seen
        queue = deque([(top, above(top) if self.gitignore else ())])
        while queue:
            start, ignores = queue.popleft()
            for source in self._walk(start, (top, limit or top), ignores, queue):
                found = True
                yield source
        if not found:
            looked = ", ".join(SUFFIXES)
            self.report(
                shown(top),
                f"no Markdown in this folder (looked for {looked}; hidden, excluded and ignored "
                "files do not count)",
            )

    def _walk(
        self,
        folder: str,
        bounds: tuple[str, str],
        ignores: tuple[Ignore, ...],
        links: deque[tuple[str, tuple[Ignore, ...]]],
    ) -> Iterator[Source]:
        top, limit = bounds
        waiting = [self._listed(folder, self._place(folder), top, ignores)]
        while waiting:
            entries, place, ignores = waiting[-1]
            entry = next(entries, None)
            if entry is None:
                waiting.pop()
                continue
            is_folder = os.path.isdir(entry.path)  # a link to itself is none
            if not is_folder and not _is_document(entry.name):
                continue
            if self._skipped(entry.path, top, ignores, is_folder=is_folder):
                continue
            if entry.is_symlink() and self._is_outside(entry.path, limit):
                self.report(shown(entry.path), OUTSIDE)
            elif not is_folder:
                yield from self._file(entry.path)
            elif entry.is_symlink():
                links.append((entry.path, ignores))
            else:
                inner = os.path.join(place, os.path.normcase(entry.name))
                waiting.append(self._listed(entry.path, inner, top, ignores))

    def _is_outside(self, path: str, top: str) -> bool:
        """Return whether a path leads out of a folder; one that leads to nothing does not."""
        inside = os.path.join(self._place(top), "")
        return os.path.exists(path) and not os.path.join(self._place(path), "").startswith(inside)

    def _place(self, folder: str) -> str:
        return os.path.normcase(os.path.realpath(folder))

    def _listed(self, folder: str, place: str, top: str, ignores: tuple[Ignore, ...]) -> Listed:
        """List what is in a folder; nothing if it was seen before."""
        if place in self.seen:
            return iter(()), place, ignores
        if self.gitignore:
            ignores = (*ignores, *read_ignore(folder))
        self.seen[place] = folder, top, ignores
        return iter(self._entries(folder)), place, ignores

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        """List what is in a folder, hidden names apart."""
        try:
            with os.scandir(folder) as entries:
                visible = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as problem:
            self.report(shown(folder), reason(problem))
            return []
        return sorted(visible, key=lambda entry: entry.name)

    def _skipped(
        self, path: str, top: str, ignores: tuple[Ignore, ...], *, is_folder: bool
    ) -> bool:
        tail = "/" if is_folder else ""
        if self.exclude and any(
            self._excluded(name + tail) for name in (os.path.relpath(path, top), path)
        ):
            return True
        return ignored(os.path.abspath(path), ignores, is_folder=is_folder)

    def _excluded(self, name: str) -> bool:
        return self.exclude is not None and self.exclude.match_file(name)

    def _file(self, path: str) -> Iterator[Source]:
        """Take a file that was found, and that nobody named."""
        try:
            status = os.stat(path)
        except OSError as problem:
            self.report(shown(path), reason(problem))
            return
        if stat.S_ISREG(status.st_mode):
            yield Source(shown(path), path, status.st_size)
        else:
            # reading a pipe that nobody writes to would never end
            self.report(shown(path), "not a regular file")


def _is_document(name: str) -> bool:
    """Return whether a file that is found in a folder is taken, by its name."""
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def root_of(paths: Sequence[str]) -> str:
    """Return the folder from which documents are named: the only path if it is one, else here."""
    return paths[0] if len(paths) == 1 and os.path.isdir(paths[0]) else os.curdir


def inner_name(source: Source, root: str) -> str:
    """Return a document's path from a root, which does not depend on how its path was typed.

    Standard input keeps its name, and so does what is on another drive.
    """
    if source.path == STDIN:
        return STDIN
    try:
        return shown(os.path.relpath(source.path, root or os.curdir))
    except ValueError:
        return source.name


def read_source(source: Source, *, errors: str = "strict") -> str:
    """Read a document as UTF-8, line ends and byte order mark untouched.

    Raises OSError, or UnicodeDecodeError unless ``errors`` is ``"replace"``.
    """
    if source.path == STDIN:
        import sys

        return sys.stdin.buffer.read().decode("utf-8", errors)
    return Path(source.path).read_bytes().decode("utf-8", errors)


def reason(problem: OSError | UnicodeDecodeError) -> str:
    """Say in a few words why something cannot be read or written."""
    if isinstance(problem, OSError):
        return problem.strerror or str(problem) or type(problem).__name__
    if problem.object.startswith(UTF_16):
        return "not UTF-8 but, by its first bytes, UTF-16 (save it as UTF-8)"
    octet = problem.object[problem.start]
    return (
        f"not UTF-8: byte 0x{octet:02x} at offset {problem.start} "
        "(--encoding-errors replace reads it all the same)"
    )


def shown(path: str) -> str:
    """Return a path as it is written out: with slashes, and no bytes that are not UTF-8."""
    name = os.fsencode(path).decode("utf-8", NAME_ERRORS)
    return name.replace("\\", "/") if os.sep == "\\" else name
