"""Write the generated parts of README.md: the comparison, the picture, options and score table.

    python tools/readme.py

A part stands between ``<!-- name -->`` and ``<!-- end -->``.
"""

import re
from dataclasses import fields
from pathlib import Path

from mdchunk import Options, chunk, parse
from mdchunk.commands.flags import default_text, descriptions
from mdchunk.commands.scores import score_lines
from mdchunk.view import gutter

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "example.md"
MEASURED = ROOT / "docs" / "benchmarks.md"
PEERS = (
    ("mdchunk", "mdchunk"),
    ("semantic-text-splitter", "semantic-text-splitter"),
    ("chonkie-recursive-md", "chonkie, Markdown recipe"),
    ("langchain-md", "LangChain, Markdown"),
    ("llama-index", "LlamaIndex, Markdown"),
    ("docling", "Docling, hybrid"),
)
"""The rows of the comparison: names in docs/benchmarks.md, and names that people know."""
COLUMNS = (
    ("quality-tokens", "code cut", "code blocks cut"),
    ("quality-tokens", "item cut", "list items cut"),
    ("quality-tokens", "heading orphaned", "headings left at a chunk's end"),
    ("quality-tokens", "lead-ins parted", "lead-ins parted"),
    ("quality-tokens", "lost", "text lost"),
    ("retrieval-markdown-bm25-512", "recall 500", "recall in 500 tokens, BM25"),
    ("speed-tokens", "MB/s", "MB/s"),
)
"""Its columns: a table of docs/benchmarks.md, a column there, and what it is called here."""
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def picture() -> str:
    source = EXAMPLE.read_text(encoding="utf-8")
    drawn = gutter(parse(source), chunk(source, chunk_size=60))
    return f"```\n$ mdchunk show docs/example.md --chunk-size 60\n{drawn}```\n"


def figures(table: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table of docs/benchmarks.md by chunker, each by column."""
    text = MEASURED.read_text(encoding="utf-8")
    part = text.partition(f"<!-- {table} -->")[2].partition(f"<!-- end {table} -->")[0]
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for line in part.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| |"):
            names = cells[1:]
        elif line.startswith("|") and "---" not in line:
            found.setdefault(cells[0], {}).update(zip(names, cells[1:], strict=True))
    return found


def peers() -> str:
    head = "| | " + " | ".join(title for *_, title in COLUMNS) + " |\n"
    rule = "| --- |" + " ---: |" * len(COLUMNS) + "\n"
    tables = {table: figures(table) for table, *_ in COLUMNS}
    rows = (
        f"| {title} | " + " | ".join(tables[table][name][column] for table, column, _ in COLUMNS)
        for name, title in PEERS
    )
    return head + rule + "".join(f"{row} |\n" for row in rows)


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


PARTS = {"peers": peers, "picture": picture, "options": options, "scores": scores}


def filled(text: str) -> str:
    """Give the page with its parts made anew."""
    return PART.sub(lambda match: match[1] + PARTS[match[2]]() + match[3], text)


if __name__ == "__main__":
    page = ROOT / "README.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
