"""The command ``mdchunk schema``: what a record or a configuration file holds, as a JSON Schema."""

from __future__ import annotations

import json

import click

from mdchunk.commands.config_schema import config_schema
from mdchunk.commands.run import misuse, say
from mdchunk.files.schema import json_schema


@click.command(short_help="Print the JSON Schema of a record, or of the options in a file.")
@click.option("--site", is_flag=True, help="Print the schema of a record that mdchunk site makes.")
@click.option(
    "--options",
    "for_options",
    is_flag=True,
    help="Print the schema of mdchunk.toml and [tool.mdchunk], for an editor.",
)
def schema(site: bool, for_options: bool) -> None:
    """Print the JSON Schema of the records that are written, with its version in ``$id``.

    \b
    Examples:
      mdchunk schema > record.schema.json
      mdchunk schema --site
      mdchunk schema --options > mdchunk.schema.json
    """
    if site and for_options:
        raise misuse("--site, --options: allowed is one of the two")
    found = config_schema() if for_options else json_schema(site=site)
    say(json.dumps(found, indent=2) + "\n")
