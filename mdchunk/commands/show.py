"""The command ``mdchunk show``: the cuts drawn beside the text, or the table of places."""

from __future__ import annotations

import sys
from typing import Any

import click

from mdchunk.commands.flags import option_flags
from mdchunk.commands.run import (
    Run,
    config_flag,
    make_chunker,
    paths_argument,
    reading_flags,
    say,
)
from mdchunk.view.text import CONTROLS, boundaries, coloured, gutter, rows


@click.command(short_help="Draw the cuts beside the text.")
@paths_argument
@click.option("--boundaries", "table", is_flag=True, help="List the places where a cut could fall.")
@reading_flags
@config_flag
@option_flags
def show(paths: tuple[str, ...], table: bool, encoding_errors: str, **settings: Any) -> None:
    """Draw every line of a document behind a gutter of brackets.

    A bracket marks a chunk, two side by side mark an overlap, and "-- kind score" marks a cut.
    "|" begins a line, "¦" the rest of a line that was cut in the middle. A terminal shows colour,
    unless NO_COLOR is set; a pipe gets none.

    \b
    Examples:
      mdchunk show README.md --chunk-size 200
      mdchunk show README.md --boundaries
    """
    chunker, config = make_chunker(settings)
    run = Run(quiet=settings["quiet"])
    found = run.sources(paths, config, settings)
    for name, document, chunks in run.documents(found, chunker, encoding_errors):
        if len(found) > 1:
            say(f"==> {name.translate(CONTROLS)}\n")
        if table:
            say(boundaries(document, chunks, chunker.explain(document)))
        elif sys.stdout.isatty():
            _draw_in_colour(document, chunks)
        else:
            say(gutter(document, chunks))
    run.end()


def _draw_in_colour(document: Any, chunks: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in coloured(rows(document, chunks)):
        console.print(line)
