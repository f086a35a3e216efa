"""The command ``mdchunk view``: the cuts of documents as a page for the browser."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from mdchunk.chunker import Chunker
from mdchunk.commands.flags import given, option_flags, read_setting
from mdchunk.commands.outputs import PAGE_SUFFIXES, Output, check_output
from mdchunk.commands.run import (
    Run,
    config_flag,
    make_chunker,
    misuse,
    paths_argument,
    reading_flags,
    save,
)
from mdchunk.config import Config, join_options
from mdchunk.errors import MdchunkError
from mdchunk.view.line_markup import Sheet, Side
from mdchunk.view.page import make_side, page


@click.command(short_help="Show the cuts as a page for the browser.")
@paths_argument
@click.option("-o", "--output", metavar="FILE", required=True, help="Write the page here.")
@click.option(
    "--compare",
    metavar="OPTION=VALUE,...",
    help="Show a second setting too: the first one with these options changed.",
)
@reading_flags
@config_flag
@option_flags
def view(
    paths: tuple[str, ...],
    output: str,
    compare: str | None,
    encoding_errors: str,
    **settings: Any,
) -> None:
    """Write a page that shows where the cuts of documents fall, and why.

    The page is one file and needs no network. It shows each document as it is written, with the
    chunks as bands and the places for cuts in the margin, and each chunk as it is embedded.

    \b
    Examples:
      mdchunk view README.md -o page.html
      mdchunk view docs -o page.html --chunk-size 256 --context headings
      mdchunk view README.md -o page.html --compare chunk_size=256,cutoff=lookback
      mdchunk view README.md -o page.html --compare score.code=30
    """
    written = check_output(Output("--output", output), PAGE_SUFFIXES)
    first, config = make_chunker(settings)
    chunkers = [first]
    if compare is not None:
        chunkers.append(second_chunker(compare, config, settings))
    run = Run(progress=True)
    found = run.sources(paths, config, settings, [written])
    sheets = []
    for name, document, chunks in run.documents(found, first, encoding_errors):
        sides = [Side(document, chunks, first.explain(document))]
        sides += [make_side(chunker, document.source) for chunker in chunkers[1:]]
        sheets.append(Sheet(name, sides))
    if sheets:
        save(output, page(sheets, [chunker.options for chunker in chunkers]), run)
    run.end()


def second_chunker(compare: str, config: Config, settings: dict[str, Any]) -> Chunker:
    """Build the chunker to compare with."""
    try:
        first = join_options(config, given(settings), settings["preset"])
        changes: dict[str, Any] = {}
        scores = dict(first.scores)
        for item in filter(None, map(str.strip, compare.split(","))):
            name, value = read_setting(item)
            if name == "scores":
                scores |= value
            else:
                changes[name] = value
        return Chunker(dataclasses.replace(first, **changes, scores=scores))
    except MdchunkError as problem:
        raise misuse(f"--compare: {problem}") from problem
