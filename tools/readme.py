"""Write the generated parts of pages: the comparison, the picture, options and score table of
README.md, and what other pages say and draw with figures of docs/benchmarks.md.

    python tools/readme.py

A part stands between ``<!-- name -->`` and ``<!-- end -->``.
"""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import charts
import summary
from measured import PEERS, figure

from mdchunk import Options, chunk, parse
from mdchunk.commands.flags import default_text, descriptions
from mdchunk.commands.scores import score_lines
from mdchunk.view import gutter

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "example.md"
ROWS = (
    ("mdchunk", "mdchunk"),
    ("mdchunk-hierarchy", "mdchunk, 128 in 512"),
    *((name, PEERS[name]) for name in PEERS if name not in ("langchain-recursive", "semchunk")),
)
"""The rows of the comparison: names in docs/benchmarks.md, and names that people know."""
COLUMNS = (
    ("quality-tokens", "code cut", "code blocks cut"),
    ("quality-tokens", "item cut", "list items cut"),
    ("quality-tokens", "heading orphaned", "headings left at a chunk's end"),
    ("quality-tokens", "over the limit", "chunks over the limit"),
    ("quality-tokens", "lost", "text lost"),
    ("retrieval-markdown-bm25-512", "recall 500", "recall, BM25"),
    ("retrieval-markdown-wordllama-512", "recall 500", "recall, embedding"),
    ("speed-tokens", "MB/s", "MB/s"),
)
"""Its columns: a table of docs/benchmarks.md, a column there, and what it is called here."""
NESTED = "-hierarchy"
"""The end of the names of tables with the rows for hierarchies."""
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def picture() -> str:
    source = EXAMPLE.read_text(encoding="utf-8")
    drawn = gutter(parse(source), chunk(source, chunk_size=60))
    return f"```\n$ mdchunk show docs/example.md --chunk-size 60\n{drawn}```\n"


def peers() -> str:
    head = "| | " + " | ".join(title for *_, title in COLUMNS) + " |\n"
    rule = "| --- |" + " ---: |" * len(COLUMNS) + "\n"
    rows = (
        f"| {title} | " + " | ".join(_cell(table, name, column) for table, column, _ in COLUMNS)
        for name, title in ROWS
    )
    return head + rule + "".join(f"{row} |\n" for row in rows)


def _cell(table: str, name: str, column: str) -> str:
    if name.endswith(NESTED):
        return figure(table + NESTED, name, column) if table.startswith("retrieval") else ""
    return figure(table, name, column)


def options() -> str:
    texts = descriptions()
    rows = ["| option | default | what it does |", "| --- | --- | --- |"]
    for field in fields(Options):
        text = texts[field.name].replace("|", "\\|")
        rows.append(f"| `{field.name}` | {default_text(field)} | {text} |")
    return "\n".join(rows) + "\n"


def scores() -> str:
    default = Options()
    return f"```\n{score_lines(default.dialects, default.scores)}```\n"


PARTS: dict[str, Callable[[], str]] = {
    "peers": peers,
    "picture": picture,
    "options": options,
    "scores": scores,
    "summary": summary.benchmarks,
    "embed": lambda: summary.settings(summary.EMBED),
    "cut": lambda: summary.settings(summary.CUT),
    "recall": summary.recall,
}
PAGES = {
    "README.md": ["peers", "picture", "options", "scores"],
    "docs/pages/index.md": ["peers"],
    "docs/pages/settings.md": ["embed", "cut"],
    "docs/pages/how-to/retrieval.md": ["recall"],
    "docs/benchmarks.md": ["summary"],
}
"""The pages with generated parts, and which."""


def filled(text: str) -> str:
    """Return the page with its parts made anew."""
    return PART.sub(lambda match: match[1] + PARTS[match[2]]() + match[3], text)


if __name__ == "__main__":
    for name in PAGES:
        page = ROOT / name
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    charts.write()
