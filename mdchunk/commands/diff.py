"""The command ``mdchunk diff``: which chunks two versions of documents share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from mdchunk.chunker import Chunker
from mdchunk.commands.flags import option_flags
from mdchunk.commands.meta import made_by
from mdchunk.commands.records import Recorder
from mdchunk.commands.run import (
    Run,
    config_flag,
    make_chunker,
    reading_flags,
    root_flag,
    say,
    sizes_flag,
    with_plain,
    with_sizes,
)
from mdchunk.config import Config
from mdchunk.files.lookup import about
from mdchunk.files.readers import is_records, read_records
from mdchunk.files.sources import reason, root_of
from mdchunk.files.writers import BY_SUFFIX, Record, unchanged
from mdchunk.view.describe import unit_name
from mdchunk.view.diff import Entry, as_json, as_lines, as_text, compare, version_of

Version = dict[str, list[Entry]]


class Gathered:
    """A sink that keeps the records of all documents."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def write(self, encoded: list[Record]) -> None:
        """Keep the records of one document."""
        self.records += encoded

    def close(self) -> None:
        """Keep nothing more."""


class Reader(NamedTuple):
    """What documents are read and split with."""

    run: Run
    chunker: Chunker
    config: Config
    chunk_sizes: Sequence[int]
    settings: dict[str, Any]

    def version(self, paths: Sequence[str], root: str) -> Version:
        """Read and split documents, and name them by their path from a root."""
        found = self.run.sources(paths, self.config, self.settings)
        errors, gathered = self.settings["encoding_errors"], Gathered()
        recorder = Recorder(self.chunker, unchanged, errors, root, self.chunk_sizes)
        self.run.write(found, map(recorder, found), gathered)
        return version_of(gathered.records)


@click.command(short_help="List the chunks to embed again.")
@click.argument("old", type=click.Path(exists=True))
@click.argument("new", nargs=-1, required=True, type=click.Path(exists=True), metavar="NEW...")
@click.option("--list", "listed", is_flag=True, help="List each chunk that does not stay as it is.")
@click.option("--json", "form", flag_value="json", help="Print everything as JSON.")
@click.option(
    "--jsonl",
    "form",
    flag_value="jsonl",
    help="Print what an index has to do, one JSON line each: ids to delete, records to insert.",
)
@sizes_flag
@reading_flags
@root_flag
@config_flag
@option_flags
def diff(
    old: str,
    new: tuple[str, ...],
    listed: bool,
    form: str | None,
    chunk_sizes: tuple[int, ...] | None,
    root: str | None,
    **settings: Any,
) -> None:
    """Compare the chunks of documents with those of an older version: what to embed again.

    OLD is a file, a folder, or what an earlier run wrote: .jsonl, .json, .csv, .parquet or .db.
    Chunks are compared by id and by the text that is embedded. Documents are matched by their path
    from --root. Give the same options that OLD was made with. No chunk of a document that cannot
    be read is deleted.

    \b
    Examples:
      mdchunk diff docs.jsonl docs
      mdchunk diff docs.db docs --jsonl
      mdchunk diff docs-1.0 docs-1.1 --context headings --list
    """
    chunker, config = make_chunker(with_sizes(settings, chunk_sizes))
    chunker = with_plain(chunker) if _is_index(old) else chunker
    run = Run(progress=True, quiet=settings["quiet"])
    reader = Reader(run, chunker, config, chunk_sizes or (), settings)
    before, after = _versions(reader, old, new, root)
    if run.failed:
        before = {name: chunks for name, chunks in before.items() if name in after}
    changes, unit = compare(before, after), unit_name(chunker.options)
    if form == "jsonl":
        say(as_lines(changes))
    else:
        say(as_json(changes, unit) if form else as_text(changes, unit, listed=listed))
    run.end()


def _versions(
    reader: Reader, old: str, new: Sequence[str], root: str | None
) -> tuple[Version, Version]:
    """Read both versions; two single files are one document, whatever each is called."""
    one = len(new) == 1
    if one and is_records(new[0]):
        after = _read(reader.run, new[0])
    else:
        after = reader.version(new, root_of(new) if root is None else root)
    if is_records(old):
        before = _read(reader.run, old)
        _tell_options(reader, old)
        return before, after
    if not one or os.path.isdir(old) != os.path.isdir(new[0]):
        raise click.UsageError(
            "OLD and NEW: allowed are two files, two folders, or records as OLD (.jsonl, .json, "
            ".csv, .parquet, .db)"
        )
    before = reader.version([old], root_of([old]))
    return (before if os.path.isdir(old) else _renamed(before, after)), after


def _renamed(before: Version, after: Version) -> Version:
    name = next(iter(after), "")
    found = [{**it.record, "source": name} for entries in before.values() for it in entries]
    return version_of(found)


def _read(run: Run, path: str) -> Version:
    try:
        return version_of(read_records(path))
    except OSError as problem:
        run.complain(path, reason(problem))
        run.end()


def _is_index(path: str) -> bool:
    return is_records(path) and BY_SUFFIX.get(os.path.splitext(path)[1].lower()) == "sqlite"


def _tell_options(reader: Reader, path: str) -> None:
    """Report records that were made with other options, since then all may differ."""
    options = reader.chunker.options
    if _is_index(path):
        same = about(path).get("fingerprint") == options.fingerprint()
    else:
        same = made_by(path, options, reader.chunk_sizes)
    if not same:
        reader.run.tell(path, "made with other options, or by another mdchunk")
