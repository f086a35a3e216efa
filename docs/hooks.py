"""What the site adds to docs/pages: pages beside it, those made of the code, a page of cuts."""

import re
import sys
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))

import readme  # noqa: E402

from mdchunk import Chunker, Options  # noqa: E402
from mdchunk.cli import cli  # noqa: E402
from mdchunk.files import schema  # noqa: E402
from mdchunk.view.line_markup import Sheet  # noqa: E402
from mdchunk.view.page import make_side, page  # noqa: E402

BESIDE = (
    "benchmarks.md",
    "conformance.md",
    "design.md",
    "frameworks.md",
    "picture.svg",
    "scale.md",
    "sites.md",
)
"""Pages that stand in docs/ itself, and the picture of the README."""
FROM_BESIDE = re.compile(r"(?<=\]\()pages/")
"""How those pages link to what is in docs/pages, which is the top of the site."""
SETTINGS = (Options(chunk_size=60), Options(chunk_size=60, cutoff="lookback", chunk_overlap=0))
RECORD = """# Record

Every format has these fields of a chunk, in this order: JSON lines, JSON, CSV, Parquet, the index
in SQLite, record batches, and the records of a site, which have more fields. `mdchunk schema`
prints this as a [JSON Schema](record.schema.json), version {version}. The version rises when a
field changes.

| field | type | |
| --- | --- | --- |
{fields}

An entry of `sections` has:

| field | type | |
| --- | --- | --- |
{section}

A record of a site has these fields after the others, and `url`, `location` and `anchor` in each of
its `sections`:

| field | type | |
| --- | --- | --- |
{site}

Some places hold texts only (CSV, and `metadata` in all formats except JSON). There, lists and
objects are written as JSON. With `--format flat`, and in `Chunk.as_dict(flat=True)`, every value is
a text or a number: `headings` are joined by ` > `, `kinds` by commas, other lists and objects are
JSON, and null is the empty text.

`Chunk.from_dict(record)` makes the chunk again from a record with lists and objects. It is equal to
the first chunk, with two differences: its `embedding_text` has no limit and no title of the
document, and `headings_at` does not know where a list or quote ends the sections in it.

## The file beside them

Beside `chunks.jsonl`, or the file that `-o` names, a run writes `chunks.meta.json`: the version of
the records and of mdchunk, all options and their fingerprint, the root, counts, and the SHA-256 of
the file of records. `mdchunk diff` reads it, and says so if the options are different now. A file
of that name that mdchunk did not write is left as it is, and standard error says so. `--no-meta`
writes no such file. An index in SQLite has the same in its table `about`.
"""
OPTIONS = """# Options

The options have the same names everywhere: as fields of `mdchunk.Options`, as keywords of
`mdchunk.chunk` and `mdchunk.Chunker`, as keys of `mdchunk.toml` (or `[tool.mdchunk]` in
pyproject.toml), and as flags of the command.

An editor can complete and check the keys of `mdchunk.toml`, if its plug-in for TOML reads JSON
Schemas (Even Better TOML in VS Code, and others that use taplo). Write the schema of your
version beside the file, and name it in the file's first line:

```sh
mdchunk schema --options > mdchunk.schema.json
```

```toml
#:schema ./mdchunk.schema.json
chunk_size = 300
context = "headings"
```

The schema is also [published here](options.schema.json). It uses draft 7 of JSON Schema, so that it
can become part of SchemaStore's schema of pyproject.toml. Until then, editors do not know
`[tool.mdchunk]`.

"""


def on_files(files: Any, *, config: Any) -> Any:
    """Add the pages."""
    for name in BESIDE:
        files.append(File.generated(config, name, abs_src_path=str(HERE / name)))
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let the links of pages beside docs/pages lead to where these are in the site."""
    return FROM_BESIDE.sub("", markdown) if page.file.src_uri in BESIDE else markdown


FIELDS = {"fields": schema.RECORD, "section": schema.SECTION, "site": schema.SITE}


def record() -> str:
    """Return the table of a record's fields."""
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
    """Return the table of options."""
    return OPTIONS + readme.options()


def command() -> str:
    """Return the help of each command as it is."""
    parts = ["# Command\n"]
    for name, it in ((None, cli), *cli.commands.items()):
        whole = f"mdchunk {name}" if name else "mdchunk"
        with click.Context(it, info_name=whole, terminal_width=90, max_content_width=90) as context:
            parts.append(f"## {whole}\n\n```text\n{it.get_help(context)}\n```\n")
    return "\n".join(parts)


def cuts() -> str:
    """Return what `mdchunk view --compare` makes of the README's document."""
    source = readme.EXAMPLE.read_text(encoding="utf-8")
    sides = [make_side(Chunker(options), source) for options in SETTINGS]
    return page([Sheet("tide-tables.md", sides)], SETTINGS)


PAGES = {
    "cuts.html": cuts,
    "reference/options.md": options,
    "reference/command.md": command,
    "reference/record.md": record,
}
"""What is made of the code."""
