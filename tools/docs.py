"""Run the code on the pages of docs/pages and write the output of its commands anew.

    python tools/docs.py [PAGE ...]

The blocks of a page run in order in a folder of its own. One behind a paragraph that is but a name
in code and a colon is written to that file. ``python`` blocks share their names; in a ``console``
block each line after ``$ `` is a command and what follows is its output, where a line of ``…``
stands for any lines. A page with ``<!-- needs: MODULE -->`` needs that module.
"""

import contextlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mdchunk import parse

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "pages"
NEEDS = re.compile(r"<!-- needs: (\w+) -->")
FILE = re.compile(r"`([^`]+)`:\Z")
PROMPT = "$ "
ANY = "…"


class Block(NamedTuple):
    """A fenced block: its first and last line of content, language, file to write, and text."""

    first: int
    last: int
    language: str
    file: str
    text: str


def pages() -> list[Path]:
    return sorted(PAGES.rglob("*.md"))


def needs(text: str) -> list[str]:
    """Return the modules that a page needs and that are not there."""
    return [name for name in NEEDS.findall(text) if importlib.util.find_spec(name) is None]


def blocks(text: str) -> Iterator[Block]:
    file = ""
    for token in parse(text).tokens:
        if token.type == "inline":
            found = FILE.match(token.content)
            file = found[1] if found else ""
        elif token.type == "fence" and token.map:
            language = (token.info.split() or [""])[0]
            yield Block(token.map[0] + 1, token.map[1] - 1, language, file, token.content)
            file = ""


def filled(text: str) -> str:
    """Run a page and give it with the output of its commands as it is now."""
    lines = text.split("\n")
    done: list[tuple[Block, str]] = []
    names: dict[str, Any] = {"__name__": "page"}
    with tempfile.TemporaryDirectory() as folder, inside(folder):
        for block in blocks(text):
            if block.file:
                path = Path(block.file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                exec(compile(block.text, "page", "exec"), names)
            elif block.language == "console":
                done.append((block, session(block.text)))
    for block, new in reversed(done):
        lines[block.first : block.last] = new.rstrip("\n").split("\n")
    return "\n".join(lines)


@contextlib.contextmanager
def inside(folder: str) -> Iterator[None]:
    """Work in a folder, with the programs of this Python; contextlib.chdir came with 3.11."""
    before, programs = Path.cwd(), os.environ["PATH"]
    os.chdir(folder)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), programs])
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = programs


def session(text: str) -> str:
    """Run the commands of a block; output that its pattern allows stays as it is written."""
    parts: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith(PROMPT):
            parts.append([line])
        elif parts:
            parts[-1].append(line)
    out = []
    for command, *shown in parts:
        old = "\n".join(shown).strip("\n")
        new = run(command.removeprefix(PROMPT)).strip("\n")
        kept = old if ANY in old.split("\n") and matches(old, new) else new
        out.append(f"{command}\n{kept}" if kept else command)
    return "\n".join(out) + "\n"


def matches(pattern: str, output: str) -> bool:
    parts = [re.escape(line) if line != ANY else r"(?:.*\n?)*?" for line in pattern.split("\n")]
    return re.fullmatch("\n".join(parts), output) is not None


def run(command: str) -> str:
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "80"}
    environment["NO_MKDOCS_2_WARNING"] = "1"  # of Material, if it is there
    done = subprocess.run(
        command, shell=True, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


if __name__ == "__main__":
    for name in sys.argv[1:] or pages():
        page = Path(name).resolve()
        before = page.read_text(encoding="utf-8")
        if missing := needs(before):
            print(f"{page.name}: left as it is, since it needs {', '.join(missing)}")
            continue
        page.write_text(filled(before), encoding="utf-8")
