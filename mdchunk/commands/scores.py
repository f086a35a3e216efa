"""The command ``mdchunk scores``: how good a place to cut each kind is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mdchunk.commands.flags import option_flags
from mdchunk.commands.run import config_flag, make_chunker, say
from mdchunk.dialects import find_dialect
from mdchunk.scores import DEFAULT_SCORES, Weight
from mdchunk.view.text import align


@click.command(short_help="Print the score table.")
@config_flag
@option_flags
def scores(**settings: Any) -> None:
    """Print how good a place to cut each kind is, under the options given.

    \b
    Examples:
      mdchunk scores
      mdchunk scores --dialect gfm --score code=30
    """
    options = make_chunker(settings)[0].options
    say(score_lines(options.dialects, options.scores))


def score_lines(dialects: Sequence[Any], changed: Any) -> str:
    """Return the score table: first the default rows, then the dialects', as they are in force."""
    from mdchunk.document import make_syntax

    found = [find_dialect(name) for name in dialects]
    owner = {kind: dialect.name for dialect in found for kind in dialect.scores}
    table = [("kind", "score", "less per level", "least", "dialect")]
    for kind, weight in make_syntax(dialects, changed).scores.items():
        table.append((kind, *_cells(weight), "" if kind in DEFAULT_SCORES else owner[kind]))
    return align(table, right=0)


def _cells(weight: Weight) -> tuple[str, str, str]:
    steps = weight.step != 0
    return (
        f"{weight.base:g}",
        f"{weight.step:g}" if steps else "",
        f"{weight.floor:g}" if steps else "",
    )
