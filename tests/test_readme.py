"""The pages say what is so: generated parts are fresh, code runs, links lead somewhere."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import pytest

import mdchunk

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/design.md")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    path = ROOT / "tools" / "readme.py"
    spec = importlib.util.spec_from_file_location("readme", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def fences(page: str, language: str) -> list[str]:
    return [t.content for t in mdchunk.parse(read(page)).tokens if t.info.strip() == language]


def test_the_generated_parts_are_fresh(tool: ModuleType) -> None:
    assert {part for parts in tool.PAGES.values() for part in parts} == {*tool.PARTS}
    for page, parts in tool.PAGES.items():
        text = read(page)
        assert [match[2] for match in tool.PART.finditer(text)] == parts
        assert tool.filled(text) == text, "run: python tools/readme.py"


def test_the_charts_are_fresh() -> None:
    import charts

    for name, draw in charts.DRAWN.items():
        drawn = (charts.CHARTS / name).read_text(encoding="utf-8")
        assert drawn == draw(), "run: python tools/charts.py"


def test_a_figure_that_is_not_published_is_an_error_that_names_it() -> None:
    import measured

    with pytest.raises(LookupError, match="no-table"):
        measured.figure("no-table", "mdchunk", "chunks")
    with pytest.raises(LookupError, match="quality-tokens: no mdchunk, no-column"):
        measured.figure("quality-tokens", "mdchunk", "no-column")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_code_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = fences(page, "python")
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})


def test_the_checks_end_as_the_second_command_does() -> None:
    commands = [block for block in fences("README.md", "sh") if "pytest" in block]
    assert len(commands) == 1
    assert commands[0].rstrip().endswith("python -m pytest")
    assert '"$python" -m pytest' in read(".ci/run")


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    named = re.findall(
        r"(?<![\w/.-])((?:docs|tests|tools|mdchunk|fixtures)/[\w/.-]*\w)", read(page)
    )
    named = [name for name in named if "NAME" not in name]  # which the reader chooses
    missing = [name for name in named if not (ROOT / name).exists()]
    assert missing == []


def test_the_reference_names_all_that_is_public() -> None:
    named = re.findall(r"^::: mdchunk\.(\w+)$", read("docs/pages/reference/library.md"), re.M)
    assert {*named} == {*mdchunk.__all__} - {"DEFAULT_SCORES"}, "a table; what it holds is shown"
    shown = get_type_hints(mdchunk.Chunker.explain)["return"]
    assert shown == list[mdchunk.Candidate]


def test_the_version_is_said_once() -> None:
    assert f"## [{mdchunk.__version__}]" in read("CHANGELOG.md")
    assert f"version: {mdchunk.__version__}\n" in read("CITATION.cff")


def test_the_picture_is_fresh() -> None:
    import picture

    assert picture.PICTURE.read_text(encoding="utf-8") == picture.picture(), (
        "run: python tools/picture.py"
    )
