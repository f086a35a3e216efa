"""The command ``chunk``, which splits files and writes records or an index; the default."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import click

from mdchunk.commands.flags import option_flags
from mdchunk.commands.names import check_words
from mdchunk.commands.outputs import STDOUT, Output, check_output, meta_output
from mdchunk.commands.records import Outcome, Recorder
from mdchunk.commands.run import (
    FAILED,
    NothingReadError,
    Run,
    config_flag,
    destination,
    make_chunker,
    paths_argument,
    reading_flags,
    root_flag,
    sizes_flag,
    with_plain,
    with_sizes,
)
from mdchunk.files.sources import STDIN, Source, reason, root_of
from mdchunk.files.writers import BY_SUFFIX, FORMATS, Sink
from mdchunk.parallel import LostProcessError, Team

Make = Callable[[Sequence[Source]], Iterator[Outcome]]


@click.command(short_help="Split files into chunks (the default).")
@paths_argument
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to this file, which must not be an input. It is written as a whole or not at all.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="How chunks are written. Default: what the suffix of FILE says, or jsonl.",
)
@click.option(
    "--meta/--no-meta",
    "meta",
    default=True,
    show_default=True,
    help="Write the options and counts of the run beside FILE: chunks.meta.json for chunks.jsonl.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Share the work between N processes.",
)
@sizes_flag
@reading_flags
@root_flag
@config_flag
@option_flags
def chunk(
    paths: tuple[str, ...],
    output: str | None,
    format_name: str | None,
    meta: bool,
    jobs: int,
    chunk_sizes: tuple[int, ...] | None,
    encoding_errors: str,
    root: str | None,
    **settings: Any,
) -> None:
    """Split files, folders or - into chunks and write them as records.

    A FILE that ends in .db is an index for mdchunk search. A second run brings it up to date:
    only what changed is written, and all of it or nothing.

    \b
    Examples:
      mdchunk chunk docs notes -o chunks.jsonl --jobs 4
      mdchunk chunk docs --exclude 'drafts/' --format csv -o chunks.csv
      mdchunk chunk docs --chunk-sizes 512,128 -o chunks.jsonl
      mdchunk chunk docs -o docs.db
    """
    check_words(paths)
    chunker, config = make_chunker(with_sizes(settings, chunk_sizes))
    written, name = chosen_output(output, format_name)
    form = FORMATS[name]
    chunker = chunker if form.sink else with_plain(chunker)
    root = root_of(paths) if root is None else root
    run = Run(progress=bool(output) or not sys.stdout.isatty(), quiet=settings["quiet"])
    recorder = Recorder(chunker, form.encode, encoding_errors, root, chunk_sizes or ())
    beside = meta_output(written, name) if meta else []
    with _told(run, output), outcomes(recorder, paths, jobs) as made:
        found = run.sources(paths, config, settings, [written, *beside])
        if form.sink:
            _write(run, output, found, made(found), form.sink)
            _write_beside(run, beside, written, name, recorder)
        else:
            _update(run, output, recorder, found, made(found))
    sys.exit(FAILED if run.failed else 0)


@contextlib.contextmanager
def _told(run: Run, output: str | None) -> Iterator[None]:
    """Complain of what ends a run: a lost process, an output that cannot be written."""
    try:
        yield
    except LostProcessError as problem:
        run.complain("--jobs", str(problem))
    except NothingReadError:
        pass  # what a run wrote before is worth more than an empty file
    except OSError as problem:
        if not output or output == STDIN:
            raise
        run.complain(output, reason(problem))


def chosen_output(output: str | None, format_name: str | None) -> tuple[Output, str]:
    """Return where chunks are written, and the format, which a flag or the file's name tells."""
    if output is None:
        return STDOUT, format_name or "jsonl"
    suffix = Path(output).suffix.lower()
    suffixes = [suffix] if format_name else BY_SUFFIX
    written = Output("--output", output)
    check_output(written, suffixes, otherwise=", or any with --format")
    return written, format_name or BY_SUFFIX.get(suffix, "jsonl")


def _write(
    run: Run,
    output: str | None,
    found: Sequence[Source],
    results: Iterator[Outcome],
    open_sink: Callable[[BinaryIO], Sink],
) -> None:
    with destination(output) as file:
        sink = open_sink(file)
        run.write(found, results, sink)
        sink.close()
        if output and not run.done:
            raise NothingReadError


def _update(
    run: Run,
    output: str | None,
    recorder: Recorder,
    found: Sequence[Source],
    results: Iterator[Outcome],
) -> None:
    from mdchunk.commands.index import update  # most runs write no index

    update(run, output, recorder.root, recorder.chunker, found, results)


def _write_beside(
    run: Run, beside: Sequence[Output], written: Output, name: str, recorder: Recorder
) -> None:
    if beside:
        from mdchunk.commands.meta import Made, write_meta  # most runs write none

        options, sizes = recorder.chunker.options, recorder.chunk_sizes
        write_meta(run, Made(written.path, name, recorder.root, options, sizes))


@contextlib.contextmanager
def outcomes(recorder: Recorder, paths: Sequence[str], jobs: int) -> Iterator[Make]:
    """Get ready to make the records of sources, in order, while they are still being found."""
    if jobs == 1 or (len(paths) == 1 and not _may_be_many(paths[0])):
        yield lambda found: map(recorder, found)
        return
    with Team(recorder, jobs) as team:
        yield lambda found: team.map(found, weigh=_size, portable=_portable)


def _may_be_many(path: str) -> bool:
    return path != STDIN and not os.path.isfile(path)


def _size(source: Source) -> int:
    return source.size


def _portable(source: Source) -> bool:
    return source.path != STDIN
