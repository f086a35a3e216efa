"""What a command may write to: a file of a form that it makes, and none that it reads."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mdchunk.errors import not_allowed
from mdchunk.files.sources import META_SUFFIX, STDIN, Finder, Source

PAGE_SUFFIXES = (".html", ".htm")
NO_RECORDS = ("text", "sqlite")
"""Formats beside which nothing is written: an index says itself what made it."""


class Output(NamedTuple):
    """A file that a run writes, ``-`` for standard output, and the flag that names it."""

    flag: str
    path: str


STDOUT = Output("standard output", STDIN)


def check_output(output: Output, suffixes: Iterable[str], *, otherwise: str = "") -> Output:
    """Return an output that is a file with one of the suffixes, or with none.

    What exists and is no regular file (a device, a pipe) may have any name. Raises OptionsError.
    """
    flag, path = output
    if os.path.isdir(path) or os.path.basename(path) in ("", os.curdir, os.pardir):
        raise not_allowed(flag, path, "a file", what=f"{path or repr(path)} is a folder")
    suffix = Path(path).suffix
    special = os.path.exists(path) and not os.path.isfile(path)
    if suffix and suffix.lower() not in suffixes and not special:
        what = f"{path} has a suffix that is not allowed"
        raise not_allowed(flag, path, ", ".join(suffixes) + otherwise, what=what, verb="are")
    return output


def meta_path(records: str) -> str:
    """Return where it is said what made a file of records."""
    return str(Path(records).with_suffix(META_SUFFIX))


def meta_output(output: Output, form: str) -> list[Output]:
    """Return the file beside an output of some format, or none."""
    if output.path == STDIN or form in NO_RECORDS:
        return []
    return [Output(output.flag, meta_path(output.path))]


def check_inputs(
    outputs: Iterable[Output], found: Sequence[Source], finder: Finder, config: Path | None
) -> None:
    """Raise OptionsError if an output is one of the inputs, by whatever path, or would become one.

    Inputs are the documents, the configuration file, and what the search would find if it were run
    again with the output there.
    """
    for output in outputs:
        own = _identity(output.path, 1)
        inputs = (*(source.path for source in found), *([str(config)] if config else []))
        if own and any(_identity(path, 0) == own for path in inputs):
            what = f"{_name(output)} is read by this run and would be overwritten"
            raise not_allowed(output.flag, output.path, "a file that is not read", what=what)
        if output.path != STDIN and finder.would_read(os.path.realpath(output.path)):
            what = f"{output.path} would be read by the next run of this kind"
            allowed = "a file that is not read (--exclude leaves one out)"
            raise not_allowed(output.flag, output.path, allowed, what=what)


def _name(output: Output) -> str:
    return "the file behind it" if output.path == STDIN else output.path


def _identity(path: str, standard: int) -> tuple[int, int] | str | None:
    """Return what tells a regular file from all others; None if there is none."""
    try:
        status = os.stat(standard if path == STDIN else path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    # some file systems number nothing
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)
