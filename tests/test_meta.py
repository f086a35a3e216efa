"""Beside a file of records stands what made it; a file that is not ours is never touched."""

import hashlib
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import mdchunk
from mdchunk import Options
from mdchunk.cli import cli
from mdchunk.files.schema import SCHEMA_VERSION

SMALL = ("--unit", "characters", "--chunk-size", "40")
TEXT = "# A\n\nSome words of a text.\n\n## B\n\nSome more of them in here.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mdchunk.toml").write_text("", encoding="utf-8")
    Path("docs").mkdir()
    for name in ("docs/a.md", "docs/b.md"):
        Path(name).write_text(TEXT, encoding="utf-8")
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args), prog_name="mdchunk")


def done(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stderr


def said(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.json", "chunks.csv", "chunks"])
def test_it_says_what_made_the_records(name: str) -> None:
    assert done("docs", "-o", name, *SMALL) == ""
    about = said("chunks.meta.json")
    made = Options(unit="characters", chunk_size=40)
    records = [json.loads(line) for line in run("docs", *SMALL).stdout.split("\n")[:-1]]
    size = sum(record["size"] for record in records)
    assert about["schema_version"] == SCHEMA_VERSION
    assert (about["mdchunk"], about["root"], about["file"]) == (mdchunk.__version__, "docs", name)
    assert (about["unit"], about["chunk_size"]) == ("characters", 40)
    assert about["options_fingerprint"] == made.fingerprint()
    assert Options(**about["options"]) == made
    counts = {"documents": 2, "failed": 0, "chunks": len(records), "size": size}
    assert about["counts"] == counts
    assert about["sha256"] == hashlib.sha256(Path(name).read_bytes()).hexdigest()
    before = Path("chunks.meta.json").read_bytes()
    assert done("docs", "-o", name, *SMALL) == ""
    assert Path("chunks.meta.json").read_bytes() == before


def test_a_hierarchy_and_what_failed_are_told() -> None:
    Path("docs/c.md").write_bytes(b"\xff")
    args = ("--unit", "characters", "--chunk-sizes", "60,30")
    assert run("docs", "-o", "chunks.jsonl", *args).exit_code == 1
    about = said("chunks.meta.json")
    assert about["chunk_sizes"] == [60, 30]
    assert (about["counts"]["documents"], about["counts"]["failed"]) == (2, 1)


@pytest.mark.parametrize("content", ["[]", "{}", "no JSON", '{"mdchunk": "0.2"}', ""])
def test_a_file_that_is_not_ours_is_left_alone(content: str) -> None:
    Path("chunks.meta.json").write_text(content, encoding="utf-8")
    told = done("docs", "-o", "chunks.jsonl", *SMALL)
    assert told == "mdchunk: chunks.meta.json: left as it is, since mdchunk did not write it\n"
    assert Path("chunks.meta.json").read_text(encoding="utf-8") == content
    assert Path("chunks.jsonl").exists()


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_to_what_is_not_ours_is_left_alone() -> None:
    Path("chunks.meta.json").symlink_to("nowhere")
    assert "left as it is" in done("docs", "-o", "chunks.jsonl", *SMALL)
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    "args", ["-o x.jsonl --no-meta", "-o x.txt", "-o x.jsonl --format text", "-o x.db", "-o -", ""]
)
def test_it_is_written_beside_records_only_and_can_be_left_out(args: str) -> None:
    done("docs", *shlex.split(args), *SMALL)
    assert not list(Path().glob("*.meta.json"))


def test_a_run_that_writes_nothing_writes_no_meta() -> None:
    assert run("missing.md", "-o", "chunks.jsonl").exit_code == 1
    assert not Path("chunks.meta.json").exists()


def test_no_glob_stands_for_it_and_a_run_that_names_it_is_refused() -> None:
    records = []
    for _ in range(2):
        done("docs/*", "--exclude", "docs/x.jsonl", "-o", "docs/x.jsonl", *SMALL)
        records.append(Path("docs/x.jsonl").read_bytes())
    assert records[0] == records[1]
    assert Path("docs/x.meta.json").exists()
    result = run("docs/x.meta.json", "-o", "docs/x.jsonl")
    assert result.exit_code == 2
    assert "docs/x.meta.json is read by this run" in result.stderr


def test_diff_tells_of_records_that_other_options_made() -> None:
    told = "mdchunk: chunks.jsonl: made with other options, or by another mdchunk\n"
    done("docs", "-o", "chunks.jsonl", *SMALL)
    assert done("diff", "chunks.jsonl", "docs", *SMALL) == ""
    assert done("diff", "chunks.jsonl", "docs", *SMALL, "--mixing", "0.1") == told
    assert (
        done("diff", "chunks.jsonl", "docs", "--unit", "characters", "--chunk-sizes", "40,20")
        == told
    )
    other = Path("chunks.jsonl").read_text(encoding="utf-8").split("\n")[0] + "\n"
    Path("chunks.jsonl").write_text(other, encoding="utf-8")
    assert done("diff", "chunks.jsonl", "docs") == "", "it says nothing of what it was not made for"


@pytest.mark.parametrize("command", ["", "show", "stats", "view -o x.html", "diff docs"])
def test_a_quiet_run_tells_of_failures_only(command: str) -> None:
    Path("docs/a.md").write_text("---\ntitle: a: b: c\n\tx\n---\n" + TEXT, encoding="utf-8")
    Path("odd.html").write_text("# A\n", encoding="utf-8")
    first = command.split()[:1]
    args = (*first, "docs", "odd.html", *command.split()[1:])
    if first == ["diff"]:
        args = ("diff", "docs", "docs")
    assert done(*args) != ""
    assert done(*args, "-q") == ""
    Path("docs/b.md").write_bytes(b"\xff")
    result = run(*args, "--quiet")
    assert result.exit_code == 1
    assert "docs/b.md: not UTF-8" in result.stderr


def test_a_quiet_run_of_an_index_or_a_site_counts_nothing() -> None:
    site = ("site", "docs", "--base-url", "https://x.org/", "--anchors", "github", "-o", "out")
    for args in (("docs", "-o", "docs.db"), site):
        assert done(*args) != ""
        assert done(*args, "-q") == ""


def test_where_it_cannot_be_written_the_records_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: str) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("mdchunk.commands.meta.whole_file", full)
    result = run("docs", "-o", "chunks.jsonl", *SMALL)
    assert result.exit_code == 1
    assert f"chunks.meta.json: {os.strerror(28)}" in result.stderr
    assert Path("chunks.jsonl").exists()


def test_two_files_of_records_are_compared() -> None:
    for name, text in (("old.jsonl", "# A\n\nOne."), ("new.jsonl", "# A\n\nTwo.")):
        Path("docs/a.md").write_text(text, encoding="utf-8")
        done("docs", "-o", name, "--no-meta")
    found = CliRunner().invoke(cli, ["diff", "old.jsonl", "new.jsonl", "--json"]).stdout
    assert json.loads(found)["embed"]["chunks"] == 1


def test_records_that_cannot_be_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_path: str) -> None:
        raise OSError(5, os.strerror(5))

    Path("old.jsonl").touch()
    with monkeypatch.context() as patched:
        patched.setattr("mdchunk.commands.diff.read_records", lost)
        result = run("diff", "old.jsonl", "docs")
    assert result.exit_code == 1
    assert f"old.jsonl: {os.strerror(5)}" in result.stderr
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("old.parquet").write_bytes(b"PAR1")
    result = run("diff", "old.parquet", "docs")
    assert result.exit_code == 2
    assert "old.parquet: needs pyarrow: pip install pyarrow" in result.stderr
