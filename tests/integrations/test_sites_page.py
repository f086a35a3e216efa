"""docs/sites.md says what is so: its blocks are run in the hosts that they are for."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from sites import ROOT, copy_site, needs, read_records, run
from test_slugs import MODULES

import mdchunk
from mdchunk.cli import cli
from mdchunk.integrations.sites.generators import GENERATORS, URLS
from mdchunk.integrations.sites.output import CHUNKS, META, SCHEMA_VERSION
from mdchunk.integrations.sites.records import FIELDS

PAGE = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")
FORMS = {"docsearch.json", "pagefind.jsonl", "llms.txt", "llms-full.txt"}
needs_pagefind = pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "node_modules" / "pagefind").is_dir(),
    reason="node or the modules of tests/integrations/node/package.json are not installed",
)


def blocks(language: str) -> list[str]:
    return [t.content for t in mdchunk.parse(PAGE).tokens if t.info.strip() == language]


def handbook(folder: Path) -> Path:
    """Build the handbook with the page's configuration, in the folder that it names."""
    site = copy_site("handbook", folder)
    config = site / "mkdocs.yml"
    before, _, _ = config.read_text(encoding="utf-8").partition("plugins:\n")
    (plugins,) = blocks("yaml")
    config.write_text(before + plugins, encoding="utf-8")
    run("mkdocs", "build", "-q", "--strict", cwd=site)
    return site


@needs("mkdocs")
def test_mkdocs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = handbook(tmp_path)
    assert {path.name for path in (site / "site").iterdir()} >= {CHUNKS, META, *FORMS}
    monkeypatch.chdir(site)
    (reading,) = (block for block in blocks("python") if "import json" in block)
    exec(compile(reading, "docs/sites.md", "exec"), {})


@needs("sphinx", "myst_parser")
def test_sphinx(tmp_path: Path) -> None:
    site = copy_site("manual", tmp_path)
    (configuration,) = (block for block in blocks("python") if "extensions" in block)
    ours = 'project = "Gauge manual"\nexclude_patterns = ["shared"]\nhtml_theme = "alabaster"\n'
    (site / "conf.py").write_text(ours + configuration, encoding="utf-8")
    run("sphinx", "-q", "-b", "html", ".", "out", cwd=site)
    assert {path.name for path in (site / "out").iterdir()} >= {CHUNKS, META, *FORMS}


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copy_site("handbook", tmp_path))
    lines = [line for block in blocks("sh") for line in block.split("\n") if "site" in line]
    commands = [line for line in lines if "--built" not in line]  # those are test_built.py's
    assert (len(commands), len(lines)) == (3, 5)
    for command in commands:
        result = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="mdchunk")
        assert (result.exit_code, result.stdout == "") == (0, "-o" in command), result.output
    assert len(read_records(Path("public"))) >= 7


@needs("mkdocs")
@needs_pagefind
def test_pagefind(tmp_path: Path) -> None:
    site = handbook(tmp_path)
    (script,) = blocks("js")
    (site / "index.mjs").write_text(script, encoding="utf-8")
    (site / "node_modules").symlink_to(MODULES / "node_modules")
    done = subprocess.run(["node", "index.mjs"], cwd=site, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    entry = json.loads((site / "site/pagefind/pagefind-entry.json").read_text(encoding="utf-8"))
    assert entry["languages"]["en"]["page_count"] == len(read_records(site / "site"))


def test_extras() -> None:
    installed = re.findall(r"pip install 'mdchunk-ast\[(.*)\]'", PAGE)
    assert installed == ["mkdocs", "sphinx"]


def test_tables() -> None:
    """Each key, file and rule has its row."""
    rows = re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w.-]+)`", row)}
    assert named >= {CHUNKS, META, *FORMS, *FIELDS}
    for rule in GENERATORS:
        assert re.search(rf"\| `{rule}` \| `({'|'.join(URLS)})`", PAGE)
    assert SCHEMA_VERSION == 4


@pytest.mark.parametrize(
    ("module", "host", "extra"),
    [
        ("mdchunk.integrations.mkdocs", "mkdocs", "mkdocs"),
        ("mdchunk.integrations.sphinx", "sphinx", "sphinx"),
    ],
)
def test_a_host_that_is_not_there_names_its_extra(module: str, host: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{host!r}] = None\n"
        f"from mdchunk import MdchunkError\n"
        f"try: import {module}\n"
        f"except MdchunkError as problem: sys.exit(str(problem))"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=False)
    assert done.returncode == 1
    assert f"pip install 'mdchunk-ast[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
