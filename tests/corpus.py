"""Where the tests take Markdown from: the spec, this project's documents, a corpus if any."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
CORPUS = Path(os.environ.get("MDCHUNK_CORPUS", ROOT.parent / "shared" / "corpus"))
LINE_ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


def read(path: Path) -> str:
    """Read a file as it is, line ends included."""
    return path.read_bytes().decode("utf-8")


def spec_examples() -> list[str]:
    """List the Markdown of all CommonMark and GFM examples, each once."""
    found: dict[str, None] = {}
    for path in sorted([*FIXTURES.glob("commonmark/*.json"), *FIXTURES.glob("gfm/*.json")]):
        found.update(dict.fromkeys(example["markdown"] for example in json.loads(read(path))))
    return list(found)


def spec_examples_of(path: str) -> dict[str, str]:
    """Return the Markdown of a file of examples by the file's name and their numbers."""
    name = Path(path).stem
    return {
        f"{name} {example['example']}": example["markdown"]
        for example in json.loads(read(FIXTURES / path))
    }


def own_documents() -> dict[str, str]:
    """Give the documents that were written for this project, by name."""
    return {path.name: read(path) for path in sorted((FIXTURES / "documents").glob("*.md"))}


def corpus_files() -> Iterator[Path]:
    """Find the files of the corpus, if there is one."""
    for folder, _, names in os.walk(CORPUS):
        yield from (Path(folder) / name for name in sorted(names) if not name.endswith(".tsv"))
