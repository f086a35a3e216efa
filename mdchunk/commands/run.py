"""What the commands share: flags, the chunker that they ask for, files in, lines out."""

from __future__ import annotations

import contextlib
import functools
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import click

from mdchunk.chunker import Chunker
from mdchunk.commands.flags import Sizes, given
from mdchunk.commands.outputs import STDOUT, Output, check_inputs
from mdchunk.commands.records import Outcome
from mdchunk.config import OWN_FILE, Config, blame, join_options, load_config
from mdchunk.document import Document
from mdchunk.errors import MdchunkError
from mdchunk.files.patterns import is_pattern
from mdchunk.files.sources import STDIN, Finder, Source, read_source, reason
from mdchunk.files.writers import Sink, whole_file
from mdchunk.model import Chunk
from mdchunk.parallel import noted

FAILED = 1
MANY = 10
"""From this many files on a terminal shows a progress bar."""


class NothingReadError(Exception):
    """No document could be read, so that there is nothing to write."""


def config_flag(command: Any) -> Any:
    """Add to a command the flag that names a configuration file."""
    return click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Take options from this file instead of the nearest one.",
    )(command)


paths_argument = click.argument(
    "paths", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="PATHS..."
)


def _check_patterns(_context: object, _flag: object, given: Sequence[str]) -> Sequence[str]:
    for pattern in given:
        if not is_pattern(pattern):
            raise click.BadParameter(f"{pattern!r} is no pattern as in .gitignore")
    return given


READING = (
    click.option(
        "--exclude",
        multiple=True,
        callback=_check_patterns,
        metavar="GLOB",
        help="Leave out the files that match, written as in .gitignore. May be repeated.",
    ),
    click.option(
        "--gitignore/--no-gitignore",
        default=True,
        help="Leave out what Git ignores.",
        show_default=True,
    ),
    click.option(
        "--encoding-errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        help="Files that are not UTF-8: strict reports a failure, replace puts U+FFFD for what is "
        "not valid.",
    ),
    click.option(
        "-q",
        "--quiet",
        is_flag=True,
        help="Report failures only: no notes, no counts, no progress.",
    ),
)


def root_flag(command: Any) -> Any:
    """Add to a command the flag that says from where documents are named."""
    return click.option(
        "--root",
        type=click.Path(exists=True, file_okay=False),
        help="Name each document by its path from this folder.  [default: the folder, if PATHS is "
        "one; else the current folder]",
    )(command)


def sizes_flag(command: Any) -> Any:
    """Add to a command the flag that asks for a hierarchy."""
    return click.option(
        "--chunk-sizes",
        type=Sizes(),
        help="Make a hierarchy: chunks of the first size, inside each of them chunks of the next "
        "size, and so on. Not together with --chunk-size.",
    )(command)


def reading_flags(command: Any) -> Any:
    """Add to a command the flags that say which files are read, and how."""
    for flag in reversed(READING):
        command = flag(command)
    return command


def make_chunker(settings: dict[str, Any]) -> tuple[Chunker, Config]:
    """Build the chunker that the flags and the configuration ask for; wrong use ends the run."""
    flags = given(settings)
    config = Config(options={})
    try:
        config = load_config(settings["config"], Path.cwd())
        return Chunker(join_options(config, flags, settings["preset"])), config
    except MdchunkError as problem:
        raise misuse(blame(config, flags, problem)) from problem


def with_sizes(settings: dict[str, Any], chunk_sizes: Sequence[int] | None) -> dict[str, Any]:
    """Return settings in which the size is the first of a hierarchy, where one is asked for."""
    if not chunk_sizes:
        return settings
    if settings["chunk_size"] is not None:
        raise misuse("--chunk-sizes: not allowed with --chunk-size; allowed is either")
    return {**settings, "chunk_size": chunk_sizes[0]}


def with_plain(chunker: Chunker) -> Chunker:
    """Return a chunker that makes plain text too, which is what an index is searched in."""
    return Chunker(replace(chunker.options, plain=True))


def misuse(text: str) -> click.UsageError:
    """Make the error of wrong use; a name in it may hold what a terminal would obey."""
    return click.UsageError(drawn(text))


def drawn(text: str) -> str:
    """Return a line of text for a terminal."""
    from mdchunk.view.text import CONTROLS  # most runs have nothing to tell

    return text.translate(CONTROLS)


@contextlib.contextmanager
def destination(output: str | None) -> Iterator[BinaryIO]:
    """Open what is written to: a file that is whole or not there, or standard output."""
    if output is not None and output != STDIN:
        with whole_file(output) as file:
            yield file
        return
    out: Any = sys.stdout.buffer
    # an unbuffered stream (python -u) may take a part of what it is given and say no word
    file = io.BufferedWriter(out) if isinstance(out, io.RawIOBase) else out
    try:
        yield file
        file.flush()
    finally:
        if file is not out:
            with contextlib.suppress(OSError):  # what went wrong is raised already
                file.detach()


def save(output: str, text: str, run: Run) -> None:
    """Write a whole file; what goes wrong is a complaint, not an end."""
    try:
        with destination(output) as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as problem:
        if output == STDIN:
            raise
        run.complain(output, reason(problem))


def say(text: str) -> None:
    """Write text to standard output, in UTF-8 whatever the locale, since brackets are no ASCII."""
    with destination(None) as file:
        file.write(text.encode())


class Opened(NamedTuple):
    """A document that was read and split."""

    name: str
    document: Document
    chunks: list[Chunk]


class Run:
    """What one run has to tell: lines on standard error, progress, and how it ends."""

    def __init__(self, *, progress: bool = False, quiet: bool = False) -> None:
        self.progress = progress and sys.stderr.isatty() and not quiet
        self.quiet = quiet
        self.failed = self.done = self.chunks = self.size = 0

    def tell(self, name: str, text: str) -> None:
        """Write one line about a file to standard error, unless the run is to be quiet."""
        if not self.quiet:
            _tell(name, text)

    def complain(self, name: str, text: str) -> None:
        """Report that a file failed."""
        self.failed += 1
        _tell(name, text)

    def sources(
        self,
        paths: Sequence[str],
        config: Config,
        settings: dict[str, Any],
        outputs: Sequence[Output] = (STDOUT,),
    ) -> list[Source]:
        """Find the documents, and complain of the paths that stand for none.

        An output that is one of them, or would be found as one, is wrong use.
        """
        exclude = (*config.exclude, *settings["exclude"])
        ignore = settings["gitignore"]
        finder = Finder(self.complain, self.tell, exclude=exclude, gitignore=ignore)
        found = list(finder.find(paths))
        check_inputs(outputs, found, finder, config.path)
        if settings["config"] is None:
            self._tell_of_unread(paths, config.path)
        return found

    def _tell_of_unread(self, paths: Sequence[str], read: Path | None) -> None:
        """Tell of a folder's own options, which only count for a run from inside that folder."""
        for own in (Path(path, OWN_FILE) for path in paths):
            if own.is_file() and not (read and own.samefile(read)):
                self.tell(str(own), f"not read; run in that folder, or with --config {own}")

    def write(self, found: Sequence[Source], results: Iterator[Outcome], sink: Sink) -> None:
        """Write the records of every document that could be read."""
        with self._bar(found) as step:
            for source, outcome in zip(found, results, strict=True):
                for note in outcome.notes:
                    self.tell(outcome.name, note)
                if outcome.problem:
                    self.complain(outcome.name, outcome.problem)
                else:
                    self.done += 1
                    self.chunks += len(outcome.sizes)
                    self.size += sum(outcome.sizes)
                    sink.write(outcome.encoded)
                step(source.size)

    def documents(self, found: Sequence[Source], chunker: Chunker, errors: str) -> Iterator[Opened]:
        """Read and split each document; complain of what cannot be read."""
        with self._bar(found) as step:
            for source in found:
                try:
                    text = read_source(source, errors=errors)
                    document, notes = noted(functools.partial(chunker.parse, text))
                    chunks = chunker.chunk(document)
                except (OSError, UnicodeDecodeError) as problem:
                    self.complain(source.name, reason(problem))
                    continue
                for note in notes:
                    self.tell(source.name, note)
                self.done += 1
                yield Opened(source.name, document, chunks)
                step(source.size)

    def end(self) -> NoReturn:
        """End the run with the exit status that it earned."""
        sys.exit(FAILED if self.failed else 0)

    @contextlib.contextmanager
    def _bar(self, found: Sequence[Source]) -> Iterator[Any]:
        if not self.progress or len(found) < MANY:
            yield lambda _size: None
            return
        from rich import progress
        from rich.console import Console

        columns = (
            progress.BarColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=sum(source.size for source in found))
            yield lambda size: bar.advance(task, size)


def _tell(name: str, text: str) -> None:
    line = f"{name}: {' '.join(text.split())}"
    click.echo(f"mdchunk: {drawn(line)}", err=True)
