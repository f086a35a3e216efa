"""The figures of the tables in docs/benchmarks.md, for whatever shows or says them elsewhere."""

import re
from functools import cache
from pathlib import Path

MEASURED = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PEERS = {
    "semantic-text-splitter": "semantic-text-splitter",
    "chonkie-recursive-md": "chonkie, Markdown recipe",
    "langchain-md": "LangChain, Markdown",
    "langchain-recursive": "LangChain, recursive",
    "llama-index": "LlamaIndex, Markdown",
    "semchunk": "semchunk",
    "docling": "Docling, hybrid",
}
"""The splitters of others: their names in the tables, and names that people know."""


def part(table: str) -> str:
    """Return what stands between the marks of a table."""
    text = MEASURED.read_text(encoding="utf-8")
    _, found, rest = text.partition(f"<!-- {table} -->")
    if not found:
        raise LookupError(f"docs/benchmarks.md has no table {table}")
    return rest.partition(f"<!-- end {table} -->")[0]


@cache
def figures(table: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table by chunker, each by column."""
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for line in part(table).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| |"):
            names = cells[1:]
        elif line.startswith("|") and "---" not in line:
            found.setdefault(cells[0], {}).update(zip(names, cells[1:], strict=True))
    return found


def figure(table: str, row: str, column: str) -> str:
    """Return one figure as it is written; raise a LookupError that says which is not there."""
    try:
        return figures(table)[row][column]
    except KeyError as problem:
        raise LookupError(f"docs/benchmarks.md, {table}: no {row}, {column}") from problem


def value(table: str, row: str, column: str) -> float:
    """Return one figure as a number, without its unit and error."""
    return float(figure(table, row, column).split(" ")[0].replace(",", "").rstrip("%"))


def setting(table: str, name: str) -> str:
    """Return what the line above a table says of a name, as ``size`` or ``code that fit``."""
    found = re.search(rf"\b{name} ([\d.]+)", part(table))
    if found is None:
        raise LookupError(f"docs/benchmarks.md, {table}: no {name} above it")
    return found[1]
