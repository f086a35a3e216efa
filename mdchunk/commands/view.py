"""The command ``mdchunk view``: the cuts of documents as a page for the browser."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
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
from mdchunk.files.sources import STDIN, Source, inner_name
from mdchunk.view.line_markup import Sheet, Side
from mdchunk.view.page import make_side, page

MEGABYTE = 1_000_000
MOST = 4.0
"""Megabytes of Markdown of which a page opens in a few seconds; it is about four times as big."""

TIMES = 8
"""How many times as big as its Markdown a page may be."""


@click.command(short_help="Show the cuts as a page for the browser.")
@paths_argument
@click.option("-o", "--output", metavar="FILE", required=True, help="Write the page here.")
@click.option(
    "--compare",
    metavar="OPTION=VALUE,...",
    help="Show a second setting beside the first: the same with these options changed.",
)
@click.option(
    "--max-size",
    type=click.FloatRange(min=0, min_open=True),
    default=MOST,
    show_default=True,
    metavar="MB",
    help="Refuse more Markdown than this. A page is about four times as big as its Markdown, and "
    "never more than eight times this size.",
)
@reading_flags
@config_flag
@option_flags
def view(
    paths: tuple[str, ...],
    output: str,
    compare: str | None,
    max_size: float,
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
    run = Run(progress=True, quiet=settings["quiet"])
    found = run.sources(paths, config, settings, [written])
    _check_amount(found, max_size)
    sheets = []
    named = [source._replace(name=_name(source)) for source in found]
    for name, document, chunks in run.documents(named, first, encoding_errors):
        sides = [Side(document, chunks, first.explain(document))]
        sides += [make_side(chunker, document.source) for chunker in chunkers[1:]]
        sheets.append(Sheet(name, sides))
    if sheets:
        text = page(sheets, [chunker.options for chunker in chunkers])
        _check_page(text, max_size)
        save(output, text, run)
    run.end()


def _check_amount(found: Sequence[Source], most: float) -> None:
    """Refuse what makes a page that a browser takes long to open, before any of it is read."""
    size = sum(source.size for source in found)
    if size > most * MEGABYTE:
        raise misuse(
            f"{size / MEGABYTE:.1f} MB of Markdown (files: {len(found):,}) are more than a browser "
            f"opens well; allowed are {most:g} MB: name fewer files, or allow more with --max-size"
        )


def _check_page(text: str, most: float) -> None:
    """Refuse a page that grew more than usual, as of paragraphs of a thousand sentences."""
    if len(text) > TIMES * most * MEGABYTE:
        raise misuse(
            f"a page of {len(text) / MEGABYTE:.1f} MB is more than a browser opens well; allowed "
            f"are {TIMES * most:g} MB: name fewer files, or allow more with --max-size"
        )


def _name(source: Source) -> str:
    """Return what a document is called: its path from here, or as it was typed."""
    if source.path == STDIN:
        return "standard input"
    inner = inner_name(source, os.curdir)
    return source.name if inner.startswith("../") else inner


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
