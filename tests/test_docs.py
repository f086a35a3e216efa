"""The pages of the site: every block of code runs, and the output shown is the output there is."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "pages"
NAMES = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))
RUN = {"python", "console"}
SHOWN = {"sh", "text", "markdown", "toml", "yaml", "json", "xml"}
"""What is shown and not run: how to install something, and files."""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_tool", ROOT / "tools" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_tool"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(os.name != "posix", reason="the commands shown are for a POSIX shell")
@pytest.mark.parametrize("name", NAMES)
def test_code_runs_and_its_output_is_as_shown(name: str, tool: ModuleType) -> None:
    text = (PAGES / name).read_text(encoding="utf-8")
    if missing := tool.needs(text):
        pytest.skip(f"the page needs {', '.join(missing)}")
    assert tool.filled(text) == text, "run: python tools/docs.py"


@pytest.mark.parametrize("name", NAMES)
def test_every_block_is_of_a_known_kind(name: str, tool: ModuleType) -> None:
    text = (PAGES / name).read_text(encoding="utf-8")
    others = [b for b in tool.blocks(text) if b.language not in RUN and not b.file]
    assert {block.language for block in others} <= SHOWN


def test_any_lines_are_allowed_where_the_page_says_so(tool: ModuleType) -> None:
    assert tool.matches("a\n…\nd", "a\nb\nc\nd")
    assert tool.matches("a\n…", "a\nb")
    assert not tool.matches("a\n…\nd", "a\nb")


def test_the_navigation_names_every_page() -> None:
    text = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", text))
    assert set(NAMES) <= named


def test_the_site_is_built_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the site needs Material for MkDocs")
    pytest.importorskip(
        "mkdocstrings_handlers.python", reason="the site needs mkdocstrings[python]"
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    config = ["--config-file", str(ROOT / "docs" / "mkdocs.yml")]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # the theme's word about its successor
    done = subprocess.run(
        [*command, str(tmp_path), *config], capture_output=True, text=True, check=False, env=quiet
    )
    assert (done.returncode, done.stderr) == (0, "")
    pages = list(tmp_path.rglob("*.html"))
    loaded = re.compile(
        r"""<(?:script|img|iframe)[^>]*\bsrc=["']?https?:|<link[^>]*\bhref=["']?https?:"""
    )
    assert [page for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []
    records = (tmp_path / "chunks.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    named = {json.loads(record)["source"] for record in records}
    assert set(NAMES) <= named
