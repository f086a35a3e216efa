"""What the site adds to docs/pages: the pages beside it, and those made of the code."""

import sys
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))

import readme  # noqa: E402

from mdchunk.cli import cli  # noqa: E402
from mdchunk.files import schema  # noqa: E402

BESIDE = ("design.md", "frameworks.md", "benchmarks.md", "conformance.md")
"""Pages that are written or generated in docs/ itself."""
NOT_YET = "# {}\n\nThis page is generated from the data of a run, and this checkout has none.\n"
RECORD = """# Record

What every format has of a chunk: JSON lines, JSON, CSV, Parquet, the index in SQLite, record
batches and, with what is said of a site, the records of a site. Fields stand in this order.
`mdchunk schema` prints this as a [JSON Schema](record.schema.json), version {version}; the version
rises when a field changes.

| field | type | |
| --- | --- | --- |
{fields}

An entry of `sections` has:

| field | type | |
| --- | --- | --- |
{section}

A record of a site has these behind, and `url`, `location` and `anchor` in each of its `sections`:

| field | type | |
| --- | --- | --- |
{site}

Where there is room for texts only (CSV, and `metadata` everywhere but in JSON), lists and objects
are JSON. With `--format flat`, and in `Chunk.as_dict(flat=True)`, every value is a text or a
number: `headings` are joined by ` > `, `kinds` by commas, other lists and objects are JSON, and
null is the empty text.
"""
OPTIONS = """# Options

Fields of `mdchunk.Options`, keywords of `mdchunk.chunk` and `mdchunk.Chunker`, keys of
`mdchunk.toml` (or `[tool.mdchunk]` in pyproject.toml), and flags of the command.

"""


def on_files(files: Any, *, config: Any) -> Any:
    """Add the pages."""
    for name in BESIDE:
        path = HERE / name
        if path.exists():
            files.append(File.generated(config, name, abs_src_path=str(path)))
        else:
            title = path.stem.capitalize()
            files.append(File.generated(config, name, content=NOT_YET.format(title)))
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files


FIELDS = {"fields": schema.RECORD, "section": schema.SECTION, "site": schema.SITE}


def record() -> str:
    """Give the table of a record's fields."""
    tables = {
        name: "\n".join(f"| `{it.name}` | {it.kind} | {it.says} |" for it in fields)
        for name, fields in (
            ("fields", schema.RECORD),
            ("section", schema.SECTION),
            ("site", schema.SITE),
        )
    }
    return RECORD.format(version=schema.SCHEMA_VERSION, **tables)


def options() -> str:
    """Give the table of options."""
    return OPTIONS + readme.options()


def command() -> str:
    """Give the help of each command as it is."""
    parts = ["# Command\n"]
    for name, it in ((None, cli), *cli.commands.items()):
        whole = f"mdchunk {name}" if name else "mdchunk"
        with click.Context(it, info_name=whole, terminal_width=90, max_content_width=90) as context:
            parts.append(f"## {whole}\n\n```text\n{it.get_help(context)}\n```\n")
    return "\n".join(parts)


PAGES = {
    "reference/options.md": options,
    "reference/command.md": command,
    "reference/record.md": record,
}
"""The pages that are made of the code."""
