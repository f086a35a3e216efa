"""The command ``mdchunk diff``: which chunks two versions of documents share."""

from __future__ import annotations

import os
from typing import Any

import click

from mdchunk.chunker import Chunker
from mdchunk.commands.flags import option_flags
from mdchunk.commands.run import Run, config_flag, make_chunker, reading_flags, say
from mdchunk.config import Config
from mdchunk.files.sources import shown
from mdchunk.view.describe import unit_name
from mdchunk.view.diff import Version, as_json, as_text, compare


@click.command(short_help="Tell what an index has to embed again.")
@click.argument("old", type=click.Path(exists=True))
@click.argument("new", type=click.Path(exists=True))
@click.option("--list", "listed", is_flag=True, help="List each chunk that does not stay.")
@click.option("--json", "json_form", is_flag=True, help="Print it all as JSON.")
@reading_flags
@config_flag
@option_flags
def diff(
    old: str, new: str, listed: bool, json_form: bool, encoding_errors: str, **settings: Any
) -> None:
    """Compare two versions of a file or folder by their chunks: the bill of embedding again.

    Chunks are compared by id and by what is embedded. Files of two folders belong together by
    their path inside them.

    \b
    Examples:
      mdchunk diff old/page.md page.md
      mdchunk diff docs-1.0 docs-1.1 --context headings --list
      mdchunk diff docs-1.0 docs-1.1 --json
    """
    if os.path.isdir(old) != os.path.isdir(new):
        raise click.UsageError("OLD and NEW: allowed are two files or two folders")
    chunker, config = make_chunker(settings)
    run = Run(progress=True)
    versions = [
        read(path, new, run, chunker, config, encoding_errors, settings) for path in (old, new)
    ]
    changes = compare(*versions)
    unit = unit_name(chunker.options)
    say(as_json(changes, unit) if json_form else as_text(changes, unit, listed=listed))
    run.end()


def read(
    path: str,
    name: str,
    run: Run,
    chunker: Chunker,
    config: Config,
    errors: str,
    settings: dict[str, Any],
) -> Version:
    """Split the documents of one version, by their path inside it."""
    found = run.sources([path], config, settings)
    opened = run.documents(found, chunker, errors)
    if not os.path.isdir(path):
        # two files are one document, whatever each is called
        return {shown(name): chunks for _, _, chunks in opened}
    inner = {it.name: shown(os.path.relpath(it.path, path)) for it in found}
    return {inner[source]: chunks for source, _, chunks in opened}
