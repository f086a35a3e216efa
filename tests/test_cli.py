"""The command does what it says, file by file, and a run that ends badly leaves nothing behind."""

import csv
import inspect
import io
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from growth import backstop

from mdchunk import (
    Chunk,
    Chunker,
    Document,
    Options,
    TokenizerError,
    __version__,
    chunk,
    parse,
)
from mdchunk.cli import cli, main
from mdchunk.commands.flags import descriptions
from mdchunk.commands.records import Outcome, Recorder
from mdchunk.config import OPTION_KEYS, load_config
from mdchunk.files import writers
from mdchunk.files.sources import Source

TEXT = "# One\n\nText of one.\n\n## Two\n\n- first item\n- second item\n"
SMALL = ("--unit", "characters", "--chunk-size", "30", "--chunk-overlap", "0")
LEADS_OUT = "a link that leads out of the folder (name it to have it read)"
HERE = ("--root", ".")
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files and signals")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without colours and without a configuration above."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "mdchunk.toml").write_text("", encoding="utf-8")
    return tmp_path


def run(*args: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="mdchunk")


def process(*args: str, **kwargs: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "mdchunk", *args]
    return subprocess.Popen(command, stderr=subprocess.PIPE, **kwargs)  # type: ignore[call-overload]


def write(name: str, text: str = TEXT) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return name


def records(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


def sources(result: Result) -> list[str]:
    return list(dict.fromkeys(str(record["source"]) for record in records(result)))


def test_a_record_is_the_chunk_with_its_source_and_title() -> None:
    result = run(write("docs/a.md"), *SMALL)
    assert result.exit_code == 0, result.output
    chunks = chunk(TEXT, unit="characters", chunk_size=30, chunk_overlap=0)
    assert len(chunks) > 1
    ids = ["", *(each.id for each in chunks), ""]
    about = {"source": "docs/a.md", "title": "One", "level": 0}
    found = records(result)
    assert [Chunk.from_dict(record) for record in found] == chunks
    keys = [str(record.pop("key")) for record in found]
    assert found == [
        {**about, "index": n, **each.as_dict(), "previous": ids[n], "next": ids[n + 2]}
        for n, each in enumerate(chunks)
    ]
    assert len({uuid.UUID(key) for key in keys}) == len(chunks)


def test_the_explicit_command_and_a_file_named_like_a_command() -> None:
    write("show")
    assert run("chunk", write("a.md")).stdout == run("a.md").stdout
    assert sources(run("./show")) == ["show"]
    assert sources(run("chunk", "show")) == ["show"]


def test_standard_input_is_read_to_the_byte() -> None:
    text = "\ufeff# Überschrift\r\n\r\nText 日本\r\n"
    found = records(run("-", *SMALL, stdin=text.encode()))
    assert [r["source"] for r in found] == ["-"]
    assert found[0]["start"] == 1  # the mark is part of no chunk
    assert found[0]["text"] == text[1 : found[0]["end"]]  # type: ignore[misc]
    assert found[0]["title"] == "Überschrift"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_a_file_has_the_ids_of_its_text_however_that_is_read(mark: str, end: str) -> None:
    write("a.md", mark + TEXT.replace("\n", end))
    found = [(it["id"], it["contextualized"], it["size"]) for it in records(run("a.md", *SMALL))]
    text = Path("a.md").read_text(encoding="utf-8")
    chunks = chunk(text, unit="characters", chunk_size=30, chunk_overlap=0)
    assert len(chunks) > 1
    assert found == [(it.id, it.contextualized, it.size) for it in chunks]
    write("plain.md")
    assert run("diff", "plain.md", "a.md", *SMALL).stdout.count("To embed: 0 of") == 1


def test_the_formats_hold_the_same_records() -> None:
    write("a.md", '---\ntags: [x, "y,z"]\n---\n' + TEXT)
    write("b.md", 'A "quoted", text\r\nwith\ttabs;\rand returns\n')
    lines = records(run(".", *SMALL))
    assert json.loads(run(".", *SMALL, "--format", "json").stdout) == lines
    text = CliRunner().invoke(cli, [".", *SMALL, "--format", "csv"]).stdout_bytes.decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["text"] for row in rows] == [line["text"] for line in lines]
    assert [json.loads(row["metadata"]) for row in rows] == [r["metadata"] for r in lines]
    assert tuple(rows[0]) == tuple(lines[0]) == writers.COLUMNS
    plain = run("b.md", "--format", "text", "--unit", "characters").stdout
    assert plain.startswith('-- b.md:1-3 size 39\nA "quoted"')
    assert [json.loads(row["sections"]) for row in rows] == [r["sections"] for r in lines]
    write("c.md", "# One\n\ntext\n\n## *Two*&#7;\n\nmore\n")
    plain = run("c.md", "--format", "text", "--unit", "characters").stdout
    assert plain.startswith("-- c.md:1-7 size 31 sections One; Two\ufffd\n# One\n")
    assert run("--format", "json", write("empty.md", "")).stdout == "[]\n"
    assert run("empty.md", "b.md", *SMALL).stdout == run("b.md", *SMALL).stdout


def test_a_hierarchy_has_its_records_level_by_level() -> None:
    write("a.md", "# One\n\nSome text.\n\n# Two\n\nMore text here.\n")
    write("b.md", "# Three\n\nSome text.\n")
    sizes = ("--unit", "characters", "--chunk-sizes", "30,14")
    found = records(run("a.md", "b.md", *sizes, "--chunk-overlap", "2"))
    chunker = Chunker(unit="characters", chunk_size=30, chunk_overlap=2)
    levels = chunker.hierarchy(Path("a.md").read_text(encoding="utf-8"), (30, 14))
    of_a = [record for record in found if record["source"] == "a.md"]
    assert [(r["id"], r["parent"], r["level"]) for r in of_a] == [
        (c.id, c.parent, n) for n, level in enumerate(levels) for c in level
    ]
    for number in (0, 1):
        names = [r["id"] for r in of_a if r["level"] == number]
        assert [r["next"] for r in of_a if r["level"] == number] == [*names[1:], ""]
        assert [r["previous"] for r in of_a if r["level"] == number] == ["", *names[:-1]]
    again = run("a.md", "b.md", *sizes, "--chunk-overlap", "2", "--jobs", "2")
    assert records(again) == found
    write("mdchunk.toml", "chunk_size = 3\nchunk_overlap = 2\n")
    assert records(run("a.md", "b.md", *sizes)) == found


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--chunk-sizes", "128,512"), "'128,512' is not falling whole numbers, as in 512,128"),
        (("--chunk-sizes", "512;128"), "'512;128' is not falling whole numbers"),
        (("--chunk-sizes", "9,0"), "'9,0' is not falling whole numbers"),
        (("--chunk-sizes", "9,3", "--chunk-size", "9"), "--chunk-sizes: not allowed with"),
        (("--chunk-sizes", "9,3", "--chunk-overlap", "9"), "chunk_overlap: 9 is not allowed"),
    ],
)
def test_wrong_sizes_of_a_hierarchy_are_wrong_use(flags: tuple[str, ...], says: str) -> None:
    result = run(write("a.md"), *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_the_suffix_of_the_output_chooses_the_format() -> None:
    write("a.md")
    assert run("a.md", "-o", "out.json").exit_code == 0
    assert isinstance(json.loads(Path("out.json").read_text(encoding="utf-8")), list)


def test_parquet_says_what_it_needs_or_writes_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("a.md", "--format", "parquet")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "pip install 'mdchunk-ast[parquet]'" in result.stderr
    monkeypatch.undo()


def test_parquet_holds_the_same_records(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write("a.md")
    monkeypatch.setattr(writers.ParquetSink, "GROUP", 2)
    assert run("a.md", *SMALL, "-o", "out.parquet").exit_code == 0
    rows = parquet.read_table("out.parquet").to_pylist()
    lines = records(run("a.md", *SMALL))
    assert [{**row, "metadata": json.loads(row["metadata"])} for row in rows] == lines
    out = subprocess.check_output(
        [sys.executable, "-m", "mdchunk", "a.md", *SMALL, "--format", "parquet"]
    )
    assert parquet.read_table(io.BytesIO(out)).to_pylist() == rows


def test_a_folder_gives_its_markdown_in_order_without_what_is_hidden() -> None:
    for name in ("d/b.md", "d/a.MARKDOWN", "d/sub/c.md", "d/.hidden/x.md", "d/.x.md", "d/no.txt"):
        write(name)
    assert sources(run("d", *HERE)) == ["d/a.MARKDOWN", "d/b.md", "d/sub/c.md"]
    assert sources(run("d/b.md", "d", "d")) == ["d/b.md", "d/a.MARKDOWN", "d/sub/c.md"]
    assert sources(run("d/no.txt")) == ["d/no.txt"]


def test_a_folder_gives_the_rules_of_an_editor() -> None:
    write("rules/a.mdc")
    assert sources(run("rules", *HERE)) == ["rules/a.mdc"]


def test_a_source_is_the_path_from_a_root_however_it_was_typed() -> None:
    write("d/sub/a.md")
    whole = os.path.abspath("d")
    for typed in ("d", "./d", "d/", "d/../d", "d//", whole):
        assert sources(run(typed)) == ["sub/a.md"], typed
        assert sources(run(typed, "--root", ".")) == ["d/sub/a.md"], typed
        assert sources(run(f"{typed}/sub/a.md")) == ["d/sub/a.md"], typed
    assert sources(run("d", "d/sub/a.md")) == ["d/sub/a.md"]
    assert sources(run("d/sub", "--root", whole)) == ["sub/a.md"]
    result = run("d", "--root", "nowhere")
    assert (result.exit_code, "--root" in result.stderr) == (2, True)


def test_a_glob_that_the_shell_left_alone_is_resolved() -> None:
    for name in ("d/b.md", "d/a.md", "d/sub/c.md", "d/sub/no.txt", "d/[x].md"):
        write(name)
    assert sources(run("d/**/*.md")) == ["d/[x].md", "d/a.md", "d/b.md", "d/sub/c.md"]
    assert sources(run("d/[ab].md", "--exclude", "a.md")) == ["d/b.md"]
    assert sources(run("d/[x].md")) == ["d/[x].md"]
    result = run("d/*.markdown")
    assert (result.exit_code, result.stderr) == (1, "mdchunk: d/*.markdown: no file matches\n")


def test_gitignore_is_honoured_as_git_does() -> None:
    for name in ("a.md", "build/b.md", "d/c.md", "d/keep.md", "d/e/f.md"):
        write(f"repo/{name}")
    Path("repo/.git").mkdir()
    write("repo/.gitignore", "build/\n/d/*.md\n")
    write("repo/d/.gitignore", "!keep.md\n")
    write(".gitignore", "*.md\n")  # above the repository, so none of its business
    assert sources(run("repo", *HERE)) == ["repo/a.md", "repo/d/e/f.md", "repo/d/keep.md"]
    assert sources(run("repo/d", *HERE)) == ["repo/d/e/f.md", "repo/d/keep.md"]
    assert sources(run("repo/build", *HERE)) == ["repo/build/b.md"]
    assert sources(run("repo/build/b.md")) == ["repo/build/b.md"]
    assert len(sources(run("repo", "--no-gitignore"))) == 5


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("a.md", ["docs/old/b.md"]),
        ("old/", ["docs/a.md"]),
        ("docs/old", ["docs/a.md"]),
        ("/old/*.md", ["docs/a.md"]),
    ],
)
def test_exclude(glob: str, left: list[str]) -> None:
    write("docs/a.md")
    write("docs/old/b.md")
    assert sources(run("docs", "--exclude", glob, *HERE)) == left


def test_exclude_holds_for_files_and_comes_from_the_configuration_too() -> None:
    write("mdchunk.toml", 'exclude = ["b.md"]\n')
    found = run(write("a.md"), write("b.md"), write("c.md"), "--exclude", "c.*")
    assert sources(found) == ["a.md"]


def test_a_file_that_is_named_and_excluded_is_told() -> None:
    write("mdchunk.toml", 'exclude = ["b.md"]\n')
    for name in ("d/a.md", "d/b.md", "d/c.txt"):
        write(name)
    said = "excluded (by --exclude or a configuration file)\n"
    for args in (("d/b.md",), ("d/b.md", "-o", "out.jsonl"), ("show", "d/b.md")):
        result = run(*args)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == f"mdchunk: d/b.md: {said}"
    assert not Path("out.jsonl").exists()
    result = run("d/*.md")
    assert (sources(result), result.stderr) == (["d/a.md"], ""), "a pattern names no file"
    result = run("d/*.md", "--exclude", "a.md")
    assert (result.stdout, result.stderr) == ("", f"mdchunk: d/*.md: all that matches is {said}")
    assert run("d").stderr == ""


@POSIX
def test_links_cannot_lead_in_circles() -> None:
    write("d/sub/a.md")
    os.symlink("..", "d/sub/up")
    os.symlink("sub", "d/also")
    write("d/z/b.md")
    os.symlink("z", "d/link")
    assert sources(run("d", *HERE)) == ["d/sub/a.md", "d/z/b.md"]


@POSIX
def test_a_link_that_leads_out_of_a_folder_is_read_only_if_it_is_named() -> None:
    write("d/a.md")
    write("secret.md")
    write("elsewhere/b.md")
    os.symlink("../secret.md", "d/link.md")
    os.symlink("../elsewhere", "d/out")
    os.symlink("a.md", "d/same.md")
    result = run("d", *HERE)
    assert (result.exit_code, sources(result)) == (1, ["d/a.md", "d/same.md"])
    assert result.stderr == f"mdchunk: d/link.md: {LEADS_OUT}\nmdchunk: d/out: {LEADS_OUT}\n"
    assert sources(run("d/link.md", "d/out")) == ["d/link.md", "d/out/b.md"]


@POSIX
def test_what_cannot_be_read_is_one_line_each_and_the_others_are_done() -> None:
    os.symlink("self.md", "self.md")
    os.symlink("nothing", "gone.md")
    Path("dir.md").mkdir()
    os.mkfifo("pipe.md")
    Path("bad.md").write_bytes(b"# caf\xe9\n")
    Path("wide.md").write_bytes("# x\n".encode("utf-16"))
    write("good.md")
    result = run(".", "missing.md")
    assert result.exit_code == 1
    assert sources(result) == ["good.md"], result.stderr
    told = dict(
        line.removeprefix("mdchunk: ").split(": ", 1) for line in result.stderr.split("\n")[:-1]
    )
    assert set(told) == {
        "./self.md",
        "./gone.md",
        "./pipe.md",
        "./bad.md",
        "./wide.md",
        "missing.md",
    }
    assert told["./bad.md"].startswith("not UTF-8: byte 0xe9 at offset 5 ")
    assert "UTF-16" in told["./wide.md"]
    assert told["./pipe.md"] == "not a regular file"
    assert told["./gone.md"] == told["missing.md"] == os.strerror(2)


@POSIX
def test_a_glob_goes_through_no_links() -> None:
    write("d/sub/a.md")
    write("elsewhere/b.md")
    for name in ("one", "two", "sub/three"):  # each pass through these would double the ways
        os.symlink(os.path.abspath("d"), f"d/{name}")
    os.symlink("../elsewhere", "d/out")
    for pattern in ("d/**/*.md", "**/a.md", "d/**/sub/**/*.md", "d/**/a.md/"):
        found = run(pattern)
        assert sources(found) == ([] if pattern.endswith("/") else ["d/sub/a.md"]), pattern
    assert sources(run("d/**")) == ["d/sub/a.md"]
    result = run("d/*/b.md")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"mdchunk: d/out/b.md: {LEADS_OUT}\n"


@POSIX
@pytest.mark.parametrize(
    ("pattern", "found", "outside"),
    [
        ("d", ["d/a.md", "d/same.md", "d/sub/b.md"], ["d/evil.md", "d/out", "d/sub/far.md"]),
        ("d/*.md", ["d/a.md", "d/same.md"], ["d/evil.md"]),
        ("d/**/*.md", ["d/a.md", "d/same.md", "d/sub/b.md"], ["d/evil.md", "d/sub/far.md"]),
        ("d/*/*.md", ["d/sub/b.md", "d/sub/up.md"], ["d/out/secret.md", "d/sub/far.md"]),
        ("d/[o]ut/secret.md", [], ["d/out/secret.md"]),
        ("d/*", ["d/a.md", "d/same.md", "d/sub/b.md"], ["d/evil.md", "d/out", "d/sub/far.md"]),
        ("d/sub/*.md", ["d/sub/b.md"], ["d/sub/far.md", "d/sub/up.md"]),
        ("[d]/*.md", ["d/a.md", "d/same.md", "d/evil.md"], []),
        ("d/out/*.md", ["d/out/secret.md"], []),
        ("*/../d/*.md", ["d/../d/a.md", "d/../d/same.md", "d/../d/evil.md"], []),
    ],
)
def test_links_that_lead_out_are_refused_by_one_rule(
    pattern: str, found: list[str], outside: list[str]
) -> None:
    """Out of the folder that is named, or out of the one that stands before a glob's marks."""
    for name in ("d/a.md", "d/sub/b.md", "elsewhere/secret.md"):
        write(name)
    links = {"d/evil.md": "elsewhere/secret.md", "d/out": "elsewhere", "d/same.md": "d/a.md"}
    links |= {"d/sub/far.md": "elsewhere/secret.md", "d/sub/up.md": "d/a.md"}
    for link, target in links.items():
        os.symlink(os.path.abspath(target), link)
    result = run(pattern, *HERE)
    told = [f"mdchunk: {name}: {LEADS_OUT}" for name in outside]
    assert sorted(result.stderr.split("\n")[:-1]) == told
    assert {os.path.normpath(name) for name in found} <= set(sources(result))
    assert not any("secret" in os.path.realpath(each) for each in sources(result)) or not outside
    assert result.exit_code == bool(outside)


@POSIX
def test_a_glob_waits_for_no_pipe() -> None:
    os.mkfifo("pipe.md")
    with backstop(60):
        result = run(write("a.md"), "*.md")
    assert (result.exit_code, sources(result)) == (1, ["a.md"])
    assert result.stderr == "mdchunk: pipe.md: not a regular file\n"


@POSIX
def test_a_gitignore_that_is_odd_hides_what_git_would_hide() -> None:
    for name in ("pipe", "folder", "bytes"):
        write(f"{name}/a.md")
        write(f"{name}/b.md")
    os.mkfifo("pipe/.gitignore")
    Path("folder/.gitignore").mkdir()
    Path("bytes/.gitignore").write_bytes(b"\xff\xfe\n!\n[\na.*\\\nb.md\n")
    with backstop(60):
        assert sources(run("pipe", "folder")) == [
            *("pipe/a.md", "pipe/b.md", "folder/a.md", "folder/b.md"),
        ]
        assert sources(run("bytes", *HERE)) == ["bytes/a.md"]


@pytest.mark.skipif(
    os.name != "posix" or os.pathconf(".", "PC_PATH_MAX") < 4096, reason="needs long paths"
)
def test_folders_may_be_nested_deeper_than_a_stack_goes() -> None:
    depth = sys.getrecursionlimit() + 50
    os.mkdir("top")
    os.chdir("top")
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    write("a.md")
    for _ in range(depth + 1):
        os.chdir("..")
    try:
        for path in ("top", "top/**/*.md"):
            result = run(path, *HERE)
            assert (result.exit_code, sources(result)) == (0, [f"top{'/d' * depth}/a.md"])
    finally:
        remove("top")


def remove(top: str) -> None:
    """Remove folders, one in the other, that are too many for what removes trees."""
    path = top
    while os.path.isdir(os.path.join(path, "d")):
        path = os.path.join(path, "d")
    os.remove(os.path.join(path, "a.md"))
    while path:
        os.rmdir(path)
        path = os.path.dirname(path)


def test_a_folder_that_cannot_be_listed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    write("d/a.md")
    write("d/shut/b.md")
    listed = os.scandir

    def scandir(path: str) -> object:
        if os.path.basename(path) == "shut":  # not by its mode, since root may list any folder
            raise PermissionError(13, os.strerror(13))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = run("d", *HERE)
    assert (result.exit_code, sources(result)) == (1, ["d/a.md"])
    assert result.stderr == f"mdchunk: d/shut: {os.strerror(13)}\n"
    assert sources(run("d/**/*.md")) == ["d/a.md"]


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (TokenizerError("no count"), "no count"),
        (KeyError("x"), "KeyError: 'x' (a fault of mdchunk: please report it)"),
    ],
)
def test_a_document_that_fails_is_one_line_and_the_others_are_done(
    raised: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = Chunker.parse

    def fails(self: Chunker, text: str) -> Document:
        if text == "bad":
            raise raised
        return parsed(self, text)

    monkeypatch.setattr(Chunker, "parse", fails)
    result = run(write("a.md"), write("b.md", "bad"), write("c.md"))
    assert (result.exit_code, sources(result)) == (1, ["a.md", "c.md"])
    assert result.stderr == f"mdchunk: b.md: {told}\n"


class Ending(Recorder):
    """Ends the process that it is sent to."""

    def __call__(self, _source: Source) -> Outcome:
        os._exit(9)


def test_a_process_that_is_lost_is_told_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdchunk.commands.chunk.Recorder", Ending)
    write("old.jsonl", "old")
    result = run(write("a.md"), write("b.md"), "--jobs", "2", "-o", "old.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith("mdchunk: --jobs: a process ended before its work was done")
    assert Path("old.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir()) == ["a.md", "b.md", "mdchunk.toml", "old.jsonl"]


def test_bad_bytes_can_be_replaced() -> None:
    Path("bad.md").write_bytes(b"# caf\xe9\n")
    result = run("bad.md", "--encoding-errors", "replace")
    assert (result.exit_code, records(result)[0]["text"]) == (0, "# caf\ufffd")


def test_a_folder_without_markdown_says_what_was_looked_for() -> None:
    Path("d").mkdir()
    result = run("d")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("mdchunk: d: no Markdown in this folder (looked for .md, ")


def test_a_warning_is_one_line_with_the_name_of_its_file() -> None:
    result = run(write("a.md", "---\na: [\n---\nText\n"))
    assert result.exit_code == 0
    assert result.stderr.startswith("mdchunk: a.md: front matter is kept as text")
    assert result.stderr.count("\n") == 1


def test_jobs_give_the_same_bytes_and_the_same_lines() -> None:
    for number in range(40):
        write(f"d/{number:02}.md", TEXT * (number + 1))
    write("d/05.md", "---\na: [\n---\nText\n")
    Path("d/07.md").write_bytes(b"\xff")
    args = ("d", "-", *SMALL)
    one, two = run(*args, stdin=TEXT), run(*args, "--jobs", "2", stdin=TEXT)
    assert (one.stdout, one.stderr, one.exit_code) == (two.stdout, two.stderr, two.exit_code)
    assert one.exit_code == 1
    assert one.stderr.count("\n") == 2


def test_an_output_file_is_replaced_whole_and_keeps_its_mode() -> None:
    write("a.md")
    write("out.jsonl", "old")
    os.chmod("out.jsonl", 0o640)
    result = run("a.md", "-o", "out.jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("out.jsonl").read_text(encoding="utf-8") == run("a.md").stdout
    if os.name == "posix":
        assert Path("out.jsonl").stat().st_mode & 0o777 == 0o640


def test_an_output_that_nothing_was_read_for_stays() -> None:
    write("out.jsonl", "old")
    assert run("missing.md", "-o", "out.jsonl").exit_code == 1
    assert Path("out.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir()) == ["mdchunk.toml", "out.jsonl"]


@POSIX
def test_an_output_that_is_a_link_or_a_device() -> None:
    write("a.md")
    os.symlink("real.jsonl", "out.jsonl")
    assert run("a.md", "-o", "out.jsonl").exit_code == 0
    assert os.path.islink("out.jsonl")
    assert Path("real.jsonl").stat().st_size > 0
    assert run("a.md", "-o", os.devnull).exit_code == 0
    assert Path(os.devnull).is_char_device()


class FullDisk(io.BytesIO):
    """A file on a disk that is full after some bytes."""

    def write(self, _data: object, /) -> int:
        raise OSError(28, os.strerror(28))


def test_a_full_disk_is_told_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md")
    opened = Path.open

    def full(self: Path, mode: str = "r", **rest: object) -> object:
        if mode != "xb":
            return opened(self, mode, **rest)  # type: ignore[call-overload]
        opened(self, mode).close()
        return FullDisk()

    monkeypatch.setattr(Path, "open", full)
    result = run("a.md", "-o", "out.jsonl")
    assert result.exit_code == 1
    assert result.stderr == f"mdchunk: out.jsonl: {os.strerror(28)}\n"
    assert sorted(os.listdir()) == ["a.md", "mdchunk.toml"]


def test_an_output_that_cannot_be_written() -> None:
    write("a.md")
    result = run("a.md", "-o", "missing/out.jsonl")
    assert result.exit_code == 1
    assert result.stderr == f"mdchunk: missing/out.jsonl: {os.strerror(2)}\n"
    Path("d").mkdir()
    assert run("a.md", "-o", "d").exit_code == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize(
    "args",
    [("a.md",), ("show", "a.md"), ("scores",), ("view", "a.md", "-o", "-"), ("stats", "a.md")],
)
def test_standard_output_on_a_full_disk(args: tuple[str, ...]) -> None:
    write("a.md")
    with open("/dev/full", "wb") as full:
        ended = process(*args, stdout=full)
        _, told = ended.communicate(timeout=60)
    assert ended.returncode == 1
    assert told.decode() == f"mdchunk: standard output: {os.strerror(28)}\n"


@POSIX
@pytest.mark.parametrize("command", [(), ("show",)])
def test_a_closed_pipe_ends_the_run_silently(command: tuple[str, ...]) -> None:
    write("a.md", TEXT * 3000)
    running = process(*command, "a.md", "a.md", *SMALL, stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.readline()
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(timeout=60) == 141


def listen() -> None:
    """Take interrupts as in the foreground, also where these tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@POSIX
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_at_once_and_leaves_nothing(
    folder: Path, jobs: str, number: signal.Signals, status: int
) -> None:
    for index in range(100):
        write(f"d/{index}.md", TEXT * 2000)
    running = process("d", "-o", "out.jsonl", "--jobs", jobs, *SMALL, preexec_fn=listen)
    deadline = time.monotonic() + 60
    while not any(folder.glob(".out.jsonl.*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(number)
    assert running.stderr is not None
    told = running.stderr.read().decode()
    running.stderr.close()
    assert running.wait(timeout=60) == status
    assert told.strip() == ""
    assert sorted(os.listdir()) == ["d", "mdchunk.toml"]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("a.md", "--chunk-sise", "3"), "--chunk-size"),
        (("a.md", "--chunk-size", "0"), "chunk_size: 0 is not allowed; allowed is a whole number"),
        (("a.md", "--exclude", "x\\"), "'x\\\\' is no pattern as in .gitignore"),
        (("a.md", "--chunk-size", "x"), "'x' is not a whole number"),
        (("a.md", "--cutoff", "best"), "'optimal', 'lookback'"),
        (("a.md", "--score", "code"), "'code' is not KIND=VALUE"),
        (("a.md", "--score", "kode=3"), "scores: unknown kind 'kode'; known kinds: "),
        (("a.md", "--dialect", "latex"), "dialects: unknown name 'latex'; known names: "),
        (("a.md", "--unit", "words"), "unit: unknown encoding 'words'"),
        (("a.md", "--jobs", "0"), "--jobs"),
        (("a.md", "--config", "missing.toml"), "missing.toml"),
        (("show",), "PATHS"),
    ],
)
def test_wrong_use_names_what_is_wrong_and_what_is_allowed(
    args: tuple[str, ...], told: str
) -> None:
    write("a.md")
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("sho", "a.md"), "mdchunk show a.md"),
        (("a.md", "show"), "mdchunk show a.md"),
        (("Stat", "a.md", "b c.md"), "mdchunk stats a.md 'b c.md'"),
        (("chunk", "veiw", "a.md"), "mdchunk view a.md"),
        (("version",), "mdchunk --version"),
        (("help", "a.md"), "mdchunk --help"),
    ],
)
def test_a_word_that_looks_like_a_command_is_told(args: tuple[str, ...], meant: str) -> None:
    write("a.md")
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no such file or command; perhaps: {meant}\n" in result.stderr


def test_a_word_that_is_a_file_or_like_no_command_is_a_path() -> None:
    assert sources(run("a.md", "showw", write("showw"), write("a.md"))) == ["a.md", "showw"]
    result = run("a.md", "shows.md", "notes")
    assert (result.exit_code, sources(result)) == (1, ["a.md"])
    assert result.stderr.count(os.strerror(2)) == 2


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version(flag: str) -> None:
    assert run(flag).stdout == f"mdchunk, version {__version__}\n"


@pytest.mark.parametrize("command", [(), ("show",), ("stats",)])
def test_a_file_of_another_suffix_is_read_and_told_once(command: tuple[str, ...]) -> None:
    for name in ("d/a.html", "d/b.HTML", "d/c.csv", "d/d.txt", "d/e", "d/f.md"):
        write(name)
    told = "read as Markdown, though it ends in {} (told of the first such file only)"
    lines = [("d/a.html", ".html"), ("d/c.csv", ".csv")]
    notes = "".join(f"mdchunk: {name}: {told.format(suffix)}\n" for name, suffix in lines)
    for paths in (sorted(str(path) for path in Path("d").iterdir()), ["d/*"]):
        result = run(*command, *paths)
        assert (result.exit_code, result.stderr) == (0, notes)
    assert run(*command, "d").stderr == ""


def test_wrong_use_ends_the_real_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with pytest.raises(SystemExit) as ended:
            main(["a.md", "--jobs", "0"])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert ended.value.code == 2
    assert "--jobs" in capsys.readouterr().err


# configuration


def sizes(*args: str) -> Options:
    """Options as the command would have them, seen by the size of the chunks."""
    from mdchunk.commands.run import make_chunker

    seen: list[Options] = []
    command = cli.commands["scores"]
    with command.make_context("scores", list(args)) as context:
        seen.append(make_chunker(context.params)[0].options)
    return seen[0]


def test_flags_win_over_the_file_and_the_file_over_the_defaults() -> None:
    write("mdchunk.toml", 'chunk-size = 99\nunit = "characters"\n[scores]\ncode = 5\nword = 1\n')
    options = sizes("--chunk-size", "77", "--score", "code=6")
    assert (options.chunk_size, options.unit) == (77, "characters")
    assert dict(options.scores) == {
        "code": (6, 0, 0),
        "word": 1,
    }
    assert sizes().chunk_size == 99


def test_none_takes_back_what_a_file_or_preset_sets() -> None:
    write("mdchunk.toml", "window = 50\n")
    assert sizes().window == 50
    assert sizes("--window", "none").window is None


def test_sections_are_left_out_by_flags_or_by_the_file() -> None:
    write("a.md", "# A\n\nb\n\n## Drawing\n\nc\n\n## See also\n\nd\n")
    (found,) = records(run("a.md", "--exclude-section", "DRAWING", "--exclude-section", "see *"))
    assert (found["text"], found["sections"][-1]["title"]) == ("# A\n\nb", "A")  # type: ignore[index]
    write("mdchunk.toml", 'exclude-sections = ["drawing"]\n')
    assert sizes().exclude_sections == ("drawing",)
    assert [it["text"] for it in records(run("a.md"))] == ["# A\n\nb", "## See also\n\nd"]
    assert sizes("--exclude-section", "see *").exclude_sections == ("see *",)
    result = run("a.md", "--exclude-section", "")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "exclude_sections: ('',) is not allowed; allowed is a sequence of " in result.stderr


def test_presets() -> None:
    assert sizes("--preset", "qmd") == Options.qmd()
    assert sizes("--preset", "qmd", "--window", "none") == Options.qmd(window=None)
    small = sizes("--preset", "qmd", "--chunk-size", "100")
    assert (small.chunk_size, small.overlap, small.window) == (100, 15, 22)
    write("mdchunk.toml", 'preset = "unrag"\nchunk_size = 300\n')
    assert sizes() == Options.unrag(chunk_size=300)
    assert sizes("--preset", "qmd") == Options.qmd()


def test_the_nearest_file_with_our_table_counts(folder: Path) -> None:
    write("pyproject.toml", "[tool.mdchunk]\nchunk_size = 10\n")
    write("mdchunk.toml", "chunk_size = 20\n")
    write("sub/pyproject.toml", "[project]\nname = 'x'\n")
    write("sub/sub/pyproject.toml", "[tool.mdchunk]\nchunk_size = 30\n")
    places = {".": 20, "sub": 20, "sub/sub": 30, "sub/sub/deeper": 30}
    for place, size in places.items():
        assert load_config(None, (folder / place)).options == {"chunk_size": size}
    assert load_config(Path("pyproject.toml"), folder).options == {"chunk_size": 10}


def test_options_of_a_folder_that_is_not_the_current_one_are_told_of() -> None:
    write("vault/a.md", "Text.\n")
    write("vault/mdchunk.toml", "chunk_size = 20\n")
    own = str(Path("vault", "mdchunk.toml"))
    told = f"mdchunk: {own}: not read; run in that folder, or with --config {own}\n"
    for args in (["vault"], ["stats", "vault"], ["show", "vault"]):
        assert run(*args).stderr == told, args
    assert run("vault", "--quiet").stderr == ""
    assert run("vault", "--config", own).stderr == ""
    os.chdir("vault")
    assert run(".").stderr == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "chunk_sise = 3",
            "mdchunk.toml: chunk_sise: no such key, perhaps chunk_size; allowed are ",
        ),
        (
            "chunk_size = -1",
            "mdchunk.toml: chunk_size: -1 is not allowed; allowed is a whole number",
        ),
        ("chunk_size = '9'", "mdchunk.toml: chunk_size: '9' is not allowed"),
        ("dialects = ['latex']", "mdchunk.toml: dialects: unknown name 'latex'"),
        ("exclude-sections = 'Draw'", "mdchunk.toml: exclude_sections: 'Draw' is not allowed; "),
        ("scores = {kode = 1}", "mdchunk.toml: scores: unknown kind 'kode'"),
        ("scores = {code = [1, 2, 3, 4]}", "mdchunk.toml: scores: code is [1, 2, 3, 4]"),
        ("preset = 'x'", "mdchunk.toml: preset: 'x' is not allowed; allowed is qmd, unrag"),
        ("preset = ['qmd']", "mdchunk.toml: preset: ['qmd'] is not allowed; allowed is qmd, unrag"),
        ("scores = 3", "mdchunk.toml: scores: 3 is not allowed; allowed is a table from kinds to "),
        ("scores = ['code']", "mdchunk.toml: scores: ['code'] is not allowed; allowed is a table"),
        ("exclude = 'x'", "mdchunk.toml: exclude: 'x' is not allowed; allowed is a list of globs"),
        ('exclude = ["x/", "y\\\\"]', "allowed is a list of globs"),
        ("x = = 1", "mdchunk.toml: not TOML: "),
        pytest.param("x = " + "[" * 5000, "mdchunk.toml: not TOML: ", id="deep"),
        ("unit = 'len'", "mdchunk.toml: unit: unknown encoding 'len': known are "),
        ("unit = ''", "mdchunk.toml: unit: unknown encoding ''"),
        ("unit = 3", "mdchunk.toml: unit: 3 is not allowed; allowed is "),
    ],
)
def test_a_mistake_in_a_file_names_file_key_and_choices(text: str, told: str) -> None:
    write("mdchunk.toml", text)
    result = run(write("a.md"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_named_file_must_have_our_table() -> None:
    write("pyproject.toml", "[tool.other]\n")
    assert "no table [tool.mdchunk]" in run(write("a.md"), "--config", "pyproject.toml").stderr
    write("pyproject.toml", "tool = 3\n")
    told = "pyproject.toml: tool: 3 is not allowed; allowed is a table"
    assert told in run("a.md", "--config", "pyproject.toml").stderr
    write("pyproject.toml", "[tool]\nmdchunk = 3\n")
    told = "pyproject.toml: tool.mdchunk: 3 is not allowed; allowed is a table"
    assert told in run("a.md", "--config", "pyproject.toml").stderr
    assert os.strerror(2) in run("a.md", "--config", "missing.toml").stderr


def test_every_option_has_a_description_and_a_flag() -> None:
    assert [name for name, text in descriptions().items() if text] == list(OPTION_KEYS)
    text = run("--help").stdout
    for name in OPTION_KEYS:
        repeated = ("exclude_sections", "dialects", "scores")
        single = name.removesuffix("s") if name in repeated else name
        assert f"--{single.replace('_', '-')} " in text


def test_descriptions_are_whole_where_python_strips_docstrings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = descriptions()
    assert whole["decay"].endswith("lookback 0.7).")
    monkeypatch.setattr(Options, "__doc__", inspect.cleandoc(Options.__doc__ or ""))
    assert descriptions() == whole


def test_help_without_docstrings_has_every_flag() -> None:
    command = [sys.executable, "-OO", "-m", "mdchunk"]
    text = subprocess.check_output([*command, "--help"], text=True)
    assert "--dialect" in text
    assert "May be repeated; three numbers" in text
    source = write("a.md")
    assert subprocess.check_output([*command, source], text=True) == run(source).stdout


# what shows


def test_show_draws_each_document_without_colour_in_a_pipe() -> None:
    write("a.md")
    result = run("show", "a.md", *SMALL)
    assert result.exit_code == 0
    assert result.stdout.startswith("┌  |# One\n")
    assert "-- heading 90\n" in result.stdout
    assert "\x1b" not in result.stdout
    both = run("show", "a.md", write("b.md"), *SMALL).stdout
    assert both == f"==> a.md\n{result.stdout}==> b.md\n{result.stdout}"


def test_show_boundaries_lists_what_was_chosen_and_what_was_not() -> None:
    result = run("show", write("a.md"), *SMALL, "--boundaries")
    rows = [line.split() for line in result.stdout.split("\n")[:-1]]
    assert rows[0] == ["line", "offset", "score", "worth", "kind", "cut", "next", "best", "text"]
    (heading,) = (row for row in rows if row[0] == "5")
    assert heading[:3] == ["5", "21", "90"]
    assert heading[4:6] == ["heading", "*"]
    assert len(rows) - 1 >= len(parse(TEXT).structure.boundaries)


@pytest.mark.parametrize("command", ["show", "stats", "view"])
def test_what_shows_goes_on_after_a_file_that_cannot_be_read(command: str) -> None:
    Path("latin.md").write_bytes(b"# caf\xe9\n")
    broken = write("broken.md", "---\na: [\n---\nText\n")
    output = ("-o", "-") if command == "view" else ()
    result = run(command, "missing.md", "latin.md", broken, write("a.md"), *output)
    assert result.exit_code == 1
    for shown in ("# One", "Text") if command != "stats" else ("documents 2",):
        assert shown in result.stdout
    missing, latin, kept = result.stderr.split("\n")[:-1]
    assert missing == f"mdchunk: missing.md: {os.strerror(2)}"
    assert latin.startswith("mdchunk: latin.md: not UTF-8: byte 0xe9 at offset 5 ")
    assert kept.startswith("mdchunk: broken.md: front matter is kept as text")


@POSIX
def test_a_name_that_a_terminal_would_obey_is_drawn() -> None:
    for folder in ("one", "two"):
        for name, text in (("a", TEXT + folder), ("b", "---\na: [\n---\n"), ("c", "\ud8ff")):
            path = Path(folder, f"{name}\x1b]0;owned\x07\n.md")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for args in (("show", "one"), ("stats", "one"), ("diff", "one", "two", "--list")):
        result = run(*args)
        assert result.exit_code == 1
        assert not {"\x1b", "\x07"} & {*result.stdout, *result.stderr}, args
        assert all(line.startswith("mdchunk: ") for line in result.stderr.split("\n")[:-1])
    result = run("one", "--format", "text", "--encoding-errors", "replace")
    heads = [line for line in result.stdout.split("\n") if line.startswith("-- ")]
    assert [head.split(":")[0] for head in heads] == [
        f"-- {name}\ufffd]0;owned\ufffd\ufffd.md" for name in "abc"
    ]
    assert not {"\x1b", "\x07"} & {*result.stdout}


@POSIX
def test_wrong_use_of_a_name_that_a_terminal_would_obey_is_drawn() -> None:
    write("a.md")
    name = "d\x1b]0;owned\x07\n"
    Path(name).mkdir()
    write(f"{name}/x.toml", "chunk_size = 0")
    for args, told in (
        (("-o", name), "--output: d␛]0;owned␇␊ is a folder; allowed is a file"),
        (("--config", f"{name}/x.toml"), "d␛]0;owned␇␊/x.toml: chunk_size: 0 is not allowed"),
        (("--config", f"{name}/y.toml"), f"d␛]0;owned␇␊/y.toml: {os.strerror(2)}"),
    ):
        result = run("a.md", *args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert told in result.stderr


@pytest.mark.parametrize(("command", "flag"), [("view", "--output"), ("stats", "--html")])
def test_a_folder_where_a_page_is_to_be_is_told_by_its_flag(command: str, flag: str) -> None:
    Path("d").mkdir()
    result = run(command, write("a.md"), flag, "d")
    assert result.exit_code == 2
    assert f"{flag}: d is a folder; allowed is a file" in result.stderr


def test_scores_prints_the_rows_in_force() -> None:
    lines = run("scores", "--score", "code=33").stdout.split("\n")
    assert lines[0].split() == ["kind", "score", "less", "per", "level", "least", "dialect"]
    assert ["heading", "100", "10", "50"] in [line.split() for line in lines]
    assert any(line.split() == ["code", "33"] for line in lines)


def test_help_has_examples_and_the_version_is_ours() -> None:
    text = run("--help").stdout
    for part in ("Examples:", "Exit status:", "Completion", "--chunk-size", *cli.commands):
        assert part in text
    for command in cli.commands:
        assert "Examples:" in run(command, "--help").stdout
    assert run("--version").stdout.strip().endswith(__version__)


def test_completion_offers_commands_flags_and_files() -> None:
    from click.shell_completion import ShellComplete

    complete = ShellComplete(cli, {}, "mdchunk", "_MDCHUNK_COMPLETE")
    assert [item.value for item in complete.get_completions([], "sh")] == ["show", "sh"]
    flags = [item.value for item in complete.get_completions(["a.md"], "--chunk-")]
    assert flags == ["--chunk-sizes", "--chunk-size", "--chunk-overlap"]
    assert [item.value for item in complete.get_completions([], "--chunk-")] == flags
    assert [item.value for item in complete.get_completions([], "--fo")] == ["--format"]
    every = [item.value for item in complete.get_completions([], "-")]
    assert {"-o", "--jobs", "-h", "--help", "--version"} < set(every)
    assert len(set(every)) == len(every)
    assert [item.type for item in complete.get_completions([], "doc")] == ["file"]


def test_a_run_imports_no_command_but_its_own() -> None:
    code = "import sys, mdchunk.cli; print(*(m for m in sys.modules if 'mdchunk.commands.' in m))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert "mdchunk.commands.run" in loaded
    assert not loaded & {f"mdchunk.commands.{name}" for name in cli.commands}
