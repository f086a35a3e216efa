"""Results as JSON and as Markdown tables."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import chunkers
from benchmarks.errors import BenchmarkError

DOCS = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


class Column(NamedTuple):
    """A column of a table: its title, the row's key and how its value is written."""

    title: str
    key: str
    form: str = "d"


class Result(NamedTuple):
    """What one measure found: a row of figures for each chunker."""

    name: str  # "quality-tokens", "edits-tokens"
    setting: Mapping[str, Any]
    tables: Sequence[Sequence[Column]]
    rows: Mapping[str, Mapping[str, Any]]


def markdown(result: Result) -> str:
    """Writes a result as Markdown tables, a chunker a line."""
    return "\n".join(_table(columns, result.rows) for columns in result.tables)


def _table(columns: Sequence[Column], rows: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "| | " + " | ".join(column.title for column in columns) + " |",
        "| --- |" + " ---: |" * len(columns),
    ]
    for name, row in rows.items():
        cells = " | ".join(_cell(row.get(c.key), c.form) for c in columns)
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"


def _cell(value: Any, form: str) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else format(value, form)


def environment(names: Sequence[str]) -> dict[str, Any]:
    """Tells what the figures depend on: versions and the kind of machine, never its name."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "packages": chunkers.versions(names),
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text(encoding="utf-8"))
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def save(results: Sequence[Result], path: Path) -> None:
    """Writes results as JSON."""
    content = [
        {
            "name": result.name,
            "setting": dict(result.setting),
            "environment": environment(list(result.rows)),
            "rows": {name: dict(row) for name, row in result.rows.items()},
        }
        for result in results
    ]
    text = json.dumps(content, indent=1, ensure_ascii=False, default=_plain)
    path.write_text(text + "\n", encoding="utf-8")


def _plain(value: Any) -> Any:
    return value.item()  # a numpy number


def publish(results: Sequence[Result], path: Path = DOCS) -> None:
    """Writes each result between its two markers in the documentation page."""
    page = path.read_text(encoding="utf-8")
    for result in results:
        opening, closing = f"<!-- {result.name} -->", f"<!-- end {result.name} -->"
        before, found, rest = page.partition(opening)
        _, closed, after = rest.partition(closing)
        if not (found and closed):
            raise BenchmarkError(
                f"{path.name} has no place for {result.name}: {opening} … {closing}"
            )
        body = f"\n{_caption(result)}\n\n{markdown(result)}"
        page = before + opening + body + closing + after
    path.write_text(page, encoding="utf-8")


def _caption(result: Result) -> str:
    kind = environment(list(result.rows))
    packages = ", ".join(f"{name} {number}" for name, number in kind["packages"].items())
    setting = ", ".join(f"{key} {value}" for key, value in result.setting.items())
    return (
        f"{setting}. {packages}; Python {kind['python']} on {kind['system']},"
        f" {kind['cores']} cores ({kind['processor']})."
    )
