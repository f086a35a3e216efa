"""Pack a folder of Markdown files into a few Parquet files of the columns ``id`` and ``text``.

    python examples/pack_files.py DOCS PACKED

An engine that opens a million small files spends its time on opening them; this reads each once.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])
GROUP = 8_000_000
"""Code points to a row group: what one task reads."""
FILE = 128_000_000
"""Code points to a file."""


def documents(folder: Path) -> Iterator[dict[str, str]]:
    """Read the Markdown files of a folder, in order of their names."""
    for path in sorted(folder.rglob("*.md")):
        text = path.read_bytes().decode("utf-8", errors="replace")
        yield {"id": path.relative_to(folder).as_posix(), "text": text}


def groups(rows: Iterator[dict[str, str]], most: int) -> Iterator[list[dict[str, str]]]:
    """Gather rows until they have so many code points."""
    group: list[dict[str, str]] = []
    weight = 0
    for row in rows:
        group.append(row)
        weight += len(row["text"])
        if weight >= most:
            yield group
            group, weight = [], 0
    if group:
        yield group


def pack(folder: Path, out: Path, *, group: int = GROUP, file: int = FILE) -> int:
    """Write the files and give the count of documents."""
    out.mkdir(parents=True, exist_ok=True)
    writer = None
    count = number = written = 0
    for rows in groups(documents(folder), group):
        if writer is None:
            path = out / f"part-{number:05}.parquet"
            writer = parquet.ParquetWriter(path, SCHEMA, compression="zstd")
            number += 1
        writer.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))
        count += len(rows)
        written += sum(len(row["text"]) for row in rows)
        if written >= file:
            writer.close()
            writer, written = None, 0
    if writer is not None:
        writer.close()
    return count


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]), Path(sys.argv[2])), "documents")
