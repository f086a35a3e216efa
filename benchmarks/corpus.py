"""Folders of Markdown as documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.errors import BenchmarkError

SUFFIXES = frozenset({".markdown", ".md", ".mdown", ".mdx", ".mkd", ".qmd", ".rmd", ".txt"})
DEFAULT = Path(__file__).resolve().parent.parent / "fixtures" / "documents"
QUICK = 8  # a quick run takes every eighth document


class Document(NamedTuple):
    """One Markdown file, by its path below the corpus folder."""

    name: str
    text: str


def load(folder: Path) -> list[Document]:
    """Reads all Markdown files below a folder in the order of their paths, line ends untouched."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    if not paths:
        raise BenchmarkError(f"no Markdown files below {folder}: name a folder with --corpus")
    return [Document(p.relative_to(folder).as_posix(), read(p)) for p in paths]


def read(path: Path) -> str:
    """Reads one UTF-8 file as it stands."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def thin(documents: Sequence[Document]) -> list[Document]:
    """Takes the documents of a quick run."""
    return list(documents[::QUICK])


def megabytes(documents: Sequence[Document]) -> float:
    """Weighs documents as UTF-8, in millions of bytes."""
    return sum(len(d.text.encode("utf-8", "surrogatepass")) for d in documents) / 1e6
