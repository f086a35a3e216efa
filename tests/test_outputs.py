"""What a command writes never takes the place of what it reads, by whatever name."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdchunk.cli import cli
from mdchunk.files import sources
from mdchunk.files.writers import BY_SUFFIX, FORMATS
from mdchunk.integrations.sites.output import FORMS, Site

TEXT = "# One\n\nText.\n"
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")
SITE = ("--base-url", "https://a.example/", "--anchors", "github")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with documents, a configuration and, beside them, links of both sorts."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.md", "docs/b.md", "docs/sub/c.md", "docs/.hidden/d.md", "docs/build/e.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs/.gitignore").write_text("build/\n", encoding="utf-8")
    (tmp_path / "mdchunk.toml").write_text("chunk_size = 90\n", encoding="utf-8")
    return tmp_path


def run(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="mdchunk")


def refused(result: Result, flag: str, before: dict[str, bytes]) -> None:
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert f"Error: {flag}: " in result.stderr
    assert "allowed is a file" in result.stderr
    assert contents() == before, "nothing is written, not even beside"


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


READ = "is read by this run and would be overwritten"
LATER = "would be read by the next run"
COMMANDS = {
    "chunk": (("--format", "jsonl", "-o"), "--output"),
    "view": (("-o",), "--output"),
    "stats": (("--html",), "--html"),
}
"""The flag with which each command takes a file to write, and what a complaint calls it."""


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A command that takes any suffix, so that inputs and not names are what is refused."""
    for room in ("view", "stats"):
        monkeypatch.setattr(f"mdchunk.commands.{room}.PAGE_SUFFIXES", ("", ".html", ".md", ".toml"))
    return str(request.param)


def writes(command: str, paths: Sequence[str], output: str) -> tuple[Result, str]:
    flags, told = COMMANDS[command]
    return run(command, *paths, *flags, output), told


@pytest.mark.parametrize(
    ("paths", "output", "why"),
    [
        (["a.md"], "a.md", READ),
        (["a.md"], "./docs/../a.md", READ),
        (["docs", "a.md"], "a.md", READ),
        (["."], "a.md", READ),
        (["docs"], "docs/sub/c.md", READ),
        (["*.md"], "a.md", READ),
        (["docs/**/*.md"], "docs/sub/c.md", READ),
        (["docs/.hidden/d.md"], "docs/.hidden/d.md", READ),
        (["a.md"], "mdchunk.toml", READ),
        (["."], "new.md", LATER),
        (["docs"], "docs/sub/new.MD", LATER),
        (["docs"], "docs/../docs/new.md", LATER),
        (["*.md"], "new.md", LATER),
        (["docs/*"], "docs/new.html", LATER),
        (["docs/*"], "docs/sub/new.md", LATER),
        (["docs/**/*.md"], "docs/sub/new.md", LATER),
        (["docs/**"], "docs/sub/new.md", LATER),
        (["./d*s/*/n*"], "docs/sub/new.html", LATER),
        (["a.md", "missing.md"], "missing.md", LATER),
        (["docs"], "docs/.gitignore", LATER),
    ],
)
def test_an_output_is_none_of_the_inputs(
    command: str, paths: list[str], output: str, why: str
) -> None:
    before = contents()
    for name in (output, os.path.abspath(output)):
        result, flag = writes(command, paths, name)
        refused(result, flag, before)
        assert why in result.stderr


@POSIX
@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("paths", [["a.md"], ["."], ["*.md"], ["./docs/../a.md"]])
def test_an_output_is_no_link_to_an_input(command: str, paths: list[str], link: object) -> None:
    link(os.path.abspath("a.md"), "out.html")  # type: ignore[operator]
    before = contents()
    result, flag = writes(command, paths, "out.html")
    refused(result, flag, before)
    assert READ in result.stderr


@POSIX
def test_an_input_is_no_link_to_an_output(command: str) -> None:
    os.rename("a.md", "out.html")
    os.symlink("out.html", "a.md")
    os.symlink("docs", "also")
    before = contents()
    for paths, output, why in (
        (["a.md"], "out.html", READ),
        (["."], "out.html", READ),
        (["docs"], "also/new.md", LATER),
        (["also/*.md"], "docs/new.md", LATER),
    ):
        result, flag = writes(command, paths, output)
        refused(result, flag, before)
        assert why in result.stderr


@pytest.mark.parametrize(
    ("paths", "output"),
    [
        (["docs"], "out.html"),
        (["docs"], "docs/out.html"),
        (["docs/*.md"], "docs/out.html"),
        (["docs/*.md"], "docs/sub/new.md"),
        (["a.md"], "new.md"),
        (["docs"], "new.md"),
        (["docs"], "docs/.hidden/new.md"),
        (["docs"], "docs/.new.md"),
        (["docs"], "docs/build/new.md"),
        (["docs", "--exclude", "new.md"], "docs/new.md"),
        (["docs/*", "--exclude", "docs/new.md"], "docs/new.md"),
        (["docs/n.md", "docs", "--exclude", "n.md"], "docs/n.md"),
    ],
)
def test_what_is_not_read_may_be_written(command: str, paths: list[str], output: str) -> None:
    for _ in range(2):  # what the first run wrote is no input of the second
        result, _ = writes(command, paths, output)
        assert result.exit_code == 0, result.output
        assert Path(output).stat().st_size > len(TEXT)


def test_it_is_refused_before_anything_is_read(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    for room in ("records", "run"):
        monkeypatch.setattr(
            f"mdchunk.commands.{room}.read_source", lambda *a, **_: read.append(a) or TEXT
        )
    assert writes(command, ["docs", "a.md"], "a.md")[0].exit_code == 2
    assert read == []
    assert writes(command, ["docs", "a.md"], "out.html")[0].exit_code == 0
    assert len(read) == 3


@POSIX
@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.meta.json", "llms.txt", "llms-full.txt"])
def test_no_file_of_a_site_is_an_input(name: str, link: object) -> None:
    Path("out").mkdir()
    link(os.path.abspath("docs/b.md"), f"out/{name}")  # type: ignore[operator]
    before = contents()
    refused(run("site", "docs", *SITE, "--form", "llms", "-o", "out"), "--output", before)
    os.remove(f"out/{name}")
    assert run("site", "docs", *SITE, "--form", "llms", "-o", "out").exit_code == 0


def test_the_files_of_a_form_are_those_it_names() -> None:
    site = Site(name="A", generator="")
    assert {n: tuple(form.make(site, [])) for n, form in FORMS.items()} == {
        name: form.files for name, form in FORMS.items()
    }


@POSIX
@pytest.mark.parametrize(
    "args",
    [
        ("a.md",),
        ("show", "docs", "a.md"),
        ("stats", "."),
        ("diff", "a.md", "docs/b.md"),
        ("site", ".", *SITE),
        ("view", "a.md", "-o", "-"),
    ],
)
def test_standard_output_is_none_of_the_inputs(args: tuple[str, ...]) -> None:
    before = contents()
    with open("a.md", "ab") as out:
        ended = subprocess.run(
            [sys.executable, "-m", "mdchunk", *args],
            stdout=out,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert (ended.returncode, contents()) == (2, before)
    assert READ.encode() in ended.stderr


@POSIX
def test_standard_input_is_an_input() -> None:
    before = contents()
    with open("a.md", "rb") as source:
        ended = subprocess.run(
            [sys.executable, "-m", "mdchunk", "-", "-o", "a.md", "--format", "text"],
            stdin=source,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert (ended.returncode, contents()) == (2, before)
    assert READ.encode() in ended.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("a.md", "-o", "new/"), "--output: new/ is a folder; allowed is a file"),
        (("a.md", "-o", "docs"), "--output: docs is a folder; allowed is a file"),
        (("a.md", "-o", "new/."), "--output: new/. is a folder; allowed is a file"),
        (("a.md", "-o", ""), "--output: '' is a folder; allowed is a file"),
        (("view", "a.md", "-o", "new/"), "--output: new/ is a folder; allowed is a file"),
        (("stats", "a.md", "--html", "docs"), "--html: docs is a folder; allowed is a file"),
        (("stats", "a.md", "--html", ""), "--html: '' is a folder; allowed is a file"),
        (
            ("a.md", "-o", "x.xml"),
            "--output: x.xml has a suffix that is not allowed; allowed are "
            f"{', '.join(BY_SUFFIX)}, or any with --format",
        ),
        (("a.md", "-o", "x.md"), "--output: x.md has a suffix that is not allowed"),
        (("view", "a.md", "-o", "x.json"), "x.json has a suffix that is not allowed; allowed are"),
        (("stats", "a.md", "--html", "x.csv"), "is not allowed; allowed are .html, .htm"),
    ],
)
def test_an_output_has_a_name_that_says_what_it_is(args: tuple[str, ...], told: str) -> None:
    before = contents()
    result = run(*args)
    assert (result.exit_code, result.stdout, contents()) == (2, "", before)
    assert told in result.stderr


@pytest.mark.parametrize("name", ["out", "out.JSONL", "out.ndjson", "sub.d/.out"])
def test_names_of_json_lines(name: str) -> None:
    Path("sub.d").mkdir()
    assert run("a.md", "-o", name).exit_code == 0
    assert Path(name).read_text(encoding="utf-8") == run("a.md").stdout


def test_a_format_that_is_named_may_have_any_suffix() -> None:
    assert run("a.md", "-o", "x.xml", "--format", "text").exit_code == 0
    assert Path("x.xml").read_text(encoding="utf-8").startswith("-- a.md:1-3 ")
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(suffixes) == len({*suffixes}), "a suffix asks for one format"


@POSIX
def test_a_device_may_have_any_name_and_be_read_too() -> None:
    os.mkfifo("pipe.xml")
    for flags in (("-o", "pipe.xml"), ("view", "-o", "pipe.xml"), ("stats", "--html", "pipe.xml")):
        reader = subprocess.Popen([sys.executable, "-c", "print(len(open('pipe.xml').read()))"])
        assert run(*flags, "a.md").exit_code == 0
        assert reader.wait(timeout=60) == 0
    assert sources.STDIN == "-"
    assert run("-", "-o", "-", stdin=TEXT).exit_code == 0
