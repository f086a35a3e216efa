"""What the tests of sites share: copies of the fixture sites, and their records."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mdchunk.integrations.sites.headings import comparable

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "sites"
Record = dict[str, Any]

WORD = re.compile(r"\w+")
INVISIBLE = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^```\{toctree\}[^`]*```$",
        r"^[ \t]*(?:```|~~~|:::)[^\n]*$",  # fences and their info strings
        r"^\([^()\n]+\)=$",  # a MyST target
        r"^[ \t]*(?:!!!|\?\?\?\+?)[ \t]*\w+|^[ \t]*===",  # an admonition's type, a tab's mark
        r"\{[^{}\n]*\}",  # attribute lists and roles
        r"\[\^[^\]]*\]:?",
        r"(?<=\])\([^)]*\)",
        r"</?\w[^>]*>",
        r"^[ \t]*[|:-][|: \t-]*$",  # a table's delimiter row
        r"^[ \t]*\d+\.(?=[ \t])",
        r"^[ \t]*[-*][ \t]+\[[ x]\]",
        r":[\w+-]+:(?=\s)",  # an emoji
    )
]


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip what needs a host that is not installed."""
    missing = [name for name in modules if not is_there(name)]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that would hold it
        return False


def copy_site(name: str, folder: Path) -> Path:
    """Copy a fixture site, so that a test may change it."""
    return Path(shutil.copytree(FIXTURES / name, folder / name))


def run(*command: str, cwd: Path, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run a host's command as a person would."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd,
        env=environment(),
        text=True,
        encoding="utf-8",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done


def environment() -> dict[str, str]:
    quiet = {"DISABLE_MKDOCS_2_WARNING": "true", "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    return {**os.environ, **quiet, "PYTHONIOENCODING": "utf-8"}


def read_records(folder: Path) -> list[Record]:
    """Read the records of a built site."""
    lines = (folder / "chunks.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


def page_file(folder: Path, location: str) -> Path:
    """Find the file that a location within a built site is answered with."""
    path = folder / location.partition("#")[0].removeprefix("./")
    return path / "index.html" if path.is_dir() else path


def first_words(text: str, count: int = 3) -> str:
    """Give the first words of a chunk that a page shows, folded."""
    for pattern in INVISIBLE:
        text = pattern.sub("", text)
    return comparable(" ".join(WORD.findall(text)[:count]))


def assert_below(shown: Sequence[tuple[Record, str]]) -> None:
    """Assert that what stands below each record's anchor has the first words of its chunk."""
    wrong = [
        (record["url"], first_words(record["text"]), below[:200])
        for record, below in shown
        if first_words(record["text"]) not in comparable(below)
    ]
    assert not wrong, wrong
