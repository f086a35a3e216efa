"""Chunk a Parquet data set (columns ``id`` and ``text``) with Dask.

    python examples/dask_bag.py PACKED CHUNKS

Each task reads one row group and writes one file, so that no text passes through the scheduler.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import dask.bag
from pyarrow import parquet

from mdchunk import Options
from mdchunk.batch import chunk_batch

OPTIONS = Options(chunk_size=512, context="headings")


class Task(NamedTuple):
    """A row group to read and the file to write."""

    packed: str
    group: int
    out: str


class Done(NamedTuple):
    """How many rows were written, and how many of them are errors."""

    rows: int
    errors: int


def tasks(packed: Path, out: Path) -> list[Task]:
    """List what is to be done."""
    out.mkdir(parents=True, exist_ok=True)
    return [
        Task(str(path), group, str(out / f"{path.stem}-{group:05}.parquet"))
        for path in sorted(packed.glob("*.parquet"))
        for group in range(parquet.ParquetFile(path).num_row_groups)
    ]


def work(task: Task, options: Options = OPTIONS) -> Done:
    """Chunk one row group."""
    documents = parquet.ParquetFile(task.packed).read_row_group(task.group, ["id", "text"])
    chunks = chunk_batch(documents, options)
    parquet.write_table(chunks, task.out, compression="zstd")
    errors = chunks["error"]
    return Done(len(chunks), len(errors) - errors.null_count)


def run(packed: Path, out: Path) -> Done:
    """Chunk every row group of a folder."""
    found = tasks(packed, out)
    if not found:
        sys.exit(f"{packed}: nothing to chunk (looked for *.parquet files that hold rows)")
    done = dask.bag.from_sequence(found, npartitions=len(found)).map(work).compute()
    return Done(sum(part.rows for part in done), sum(part.errors for part in done))


if __name__ == "__main__":
    result = run(Path(sys.argv[1]), Path(sys.argv[2]))
    print(result.rows, "rows,", result.errors, "of them errors")
