"""The command ``mdchunk schema``: what a record holds, as a JSON Schema."""

from __future__ import annotations

import json

import click

from mdchunk.commands.run import say
from mdchunk.files.schema import json_schema


@click.command(short_help="Print the JSON Schema of a record.")
@click.option("--site", is_flag=True, help="That of a record that mdchunk site makes.")
def schema(site: bool) -> None:
    """Print the JSON Schema of the records that are written, with its version in ``$id``.

    \b
    Examples:
      mdchunk schema > record.schema.json
      mdchunk schema --site
    """
    say(json.dumps(json_schema(site=site), indent=2) + "\n")
