"""The command ``mdchunk search``: the chunks of an index that hold some words."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from mdchunk.commands.run import FAILED, Run, drawn, misuse, say
from mdchunk.files.fulltext import marked
from mdchunk.files.lookup import Hit, about
from mdchunk.files.lookup import search as look_up
from mdchunk.files.sources import reason

INDENT = "    "
BETWEEN_TITLES = " > "


@click.command(short_help="Find words in an index that mdchunk wrote.")
@click.argument("index", metavar="INDEX", type=click.Path())
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--json", "json_form", is_flag=True, help="Print whole records as JSON.")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Show at most this many chunks.",
)
def search(index: str, words: tuple[str, ...], json_form: bool, limit: int) -> None:
    """Show the chunks of an index that match the words best, with file, lines, section and text.

    One of the words is enough; chunks with more of them, or with rare ones, rank higher. Words in
    double quotes must stand side by side. Any text is a valid query: there is no other syntax.

    \b
    Examples:
      mdchunk docs -o docs.db
      mdchunk search docs.db how to install
      mdchunk search docs.db '"hard limit" tokens' --json
    """
    if os.path.isdir(index):
        made = os.path.normpath(index) + ".db"
        raise misuse(f"{index} is a folder and no index; mdchunk {index} -o {made} makes one")
    run = Run()
    try:
        hits = look_up(index, " ".join(words), limit)
        root = about(index).get("root", "")
    except OSError as problem:
        run.complain(index, reason(problem))
        sys.exit(FAILED)
    if json_form:
        say(as_json(hits))
    elif not hits:
        run.tell(index, "nothing found")
    elif sys.stdout.isatty():
        _in_colour(hits, os.path.join(os.path.dirname(index), root))
    else:
        say(as_text(hits, os.path.join(os.path.dirname(index), root)))


def as_json(hits: Sequence[Hit]) -> str:
    """Return what was found as JSON: records, each with score, path, an excerpt and its marks."""
    found = [
        {
            "score": round(hit.score, 6),
            "path": hit.path,
            "excerpt": hit.excerpt.text,
            "marks": [list(mark) for mark in hit.excerpt.marks],
            "record": hit.record,
        }
        for hit in hits
    ]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def as_text(hits: Sequence[Hit], root: str) -> str:
    """Return what was found for a reader: two lines each, with ``**`` round the words."""
    return "\n".join(
        f"{_where(hit, root)}\n{INDENT}{drawn(marked(hit.excerpt, '**', '**'))}\n" for hit in hits
    )


def _where(hit: Hit, root: str) -> str:
    """Return where a chunk stands; its file's path from here, where there is such a file."""
    record: dict[str, Any] = hit.record
    path = os.path.normpath(os.path.join(root, record["source"]))
    path = path if os.path.exists(path) else record["source"]
    section = BETWEEN_TITLES.join(hit.path) or record["title"] or ""
    return drawn(f"{path}:{record['start_line']}-{record['end_line']}  {section}".rstrip())


def _in_colour(hits: Sequence[Hit], root: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for hit in hits:
        console.print(Text(_where(hit, root), style="bold"))
        line = Text(INDENT + drawn(hit.excerpt.text))
        for start, end in hit.excerpt.marks:
            line.stylize("bold yellow", start + len(INDENT), end + len(INDENT))
        console.print(line, "", sep="\n", end="")
        console.print()
