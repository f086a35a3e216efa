"""The command ``mdchunk stats``: what documents come to under a setting."""

from __future__ import annotations

import sys
from typing import Any

import click

from mdchunk.commands.flags import option_flags
from mdchunk.commands.outputs import PAGE_SUFFIXES, STDOUT, Output, check_output
from mdchunk.commands.run import (
    Run,
    config_flag,
    make_chunker,
    paths_argument,
    reading_flags,
    save,
    say,
)
from mdchunk.view.stats import Survey, as_html, as_json, as_text


@click.command(short_help="Count sizes, cuts and duplicates.")
@paths_argument
@click.option("--json", "json_form", is_flag=True, help="Print the numbers as JSON.")
@click.option("--html", metavar="FILE", help="Write the numbers to this file too, as a page.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Show at most this many entries of each list.",
)
@reading_flags
@config_flag
@option_flags
def stats(
    paths: tuple[str, ...],
    json_form: bool,
    html: str | None,
    top: int,
    encoding_errors: str,
    **settings: Any,
) -> None:
    """Report on the chunks of documents: sizes, fill, tiny chunks, cuts by kind, duplicates.

    Blocks that were divided are listed with the reason, blocks over the limit with file and line.

    \b
    Examples:
      mdchunk stats docs
      mdchunk stats docs --chunk-size 256 --html stats.html
      mdchunk stats docs --json | jq .fill
    """
    written = [STDOUT]
    if html is not None:
        written.append(check_output(Output("--html", html), PAGE_SUFFIXES))
    chunker, config = make_chunker(settings)
    run = Run(progress=True, quiet=settings["quiet"])
    survey = Survey(chunker)
    found = run.sources(paths, config, settings, written)
    for name, document, chunks in run.documents(found, chunker, encoding_errors):
        survey.add(name, document, chunks)
    report = survey.report()
    if html is not None:
        save(html, as_html(report), run)
    if json_form:
        say(as_json(report))
    elif sys.stdout.isatty():
        _in_colour(as_text(report, most=top))
    else:
        say(as_text(report, most=top))
    run.end()


def _in_colour(text: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    shown = Text(text.rstrip("\n"))
    shown.highlight_regex("█+", "cyan")
    shown.highlight_regex(r"(?m)^[A-Z].*$", "bold")
    console.print(shown)
