"""The index in SQLite is in step with the documents, whole at any moment, and finds any words."""

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

from mdchunk import chunk
from mdchunk.cli import cli
from mdchunk.files import database, fulltext
from mdchunk.files.lookup import search, stored
from mdchunk.files.writers import COLUMNS

SMALL = ("--plain", "--unit", "characters", "--chunk-size", "60", "--split-headings", "6")
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs fork and kill")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "mdchunk.toml").write_text("", encoding="utf-8")
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args), prog_name="mdchunk")


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def section(name: str) -> str:
    return f"# {name}\n\nThe text of {name} is this.\n\n"


def index(*args: str) -> str:
    result = run(*(args or ("docs",)), "-o", "docs.db", *SMALL)
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    return result.stderr


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in run("docs", *SMALL).stdout.split("\n")[:-1]]


def found(*words: str) -> list[dict[str, object]]:
    result = run("search", "docs.db", *words, "--json")
    assert result.exit_code == 0, result.output
    hits: list[dict[str, object]] = json.loads(result.stdout)
    return hits


def texts(*words: str) -> list[object]:
    return [hit["record"]["text"] for hit in found(*words)]  # type: ignore[index]


def marks(hit: dict[str, object]) -> list[str]:
    line = str(hit["excerpt"])
    return [line[start:end] for start, end in hit["marks"]]  # type: ignore[attr-defined]


# in step


def test_an_index_holds_the_records_and_is_changed_where_they_change() -> None:
    parts = [section(f"Part {n}") for n in range(20)]
    write("docs/a.md", "".join(parts))
    write("docs/sub/b.md", "---\ntags: [x]\n---\n" + section("Other"))
    assert index() == "mdchunk: docs.db: +21 −0 =0\n"
    assert list(stored("docs.db")) == lines()
    assert index() == "mdchunk: docs.db: +0 −0 =21\n"
    write("docs/a.md", "".join([*parts[:3], section("New"), *parts[3:]]))
    assert index() == "mdchunk: docs.db: +1 −0 =21\n"
    write("docs/a.md", "".join([*parts[:3], section("Newer"), *parts[3:]]))
    assert index() == "mdchunk: docs.db: +1 −1 =21\n"
    assert list(stored("docs.db")) == lines()
    Path("docs/sub/b.md").unlink()
    assert index() == "mdchunk: docs.db: +0 −1 =21\n"
    assert list(stored("docs.db")) == lines()
    assert texts("Other") == []
    assert texts("Newer") == [section("Newer").strip()]


def test_of_a_hierarchy_the_biggest_chunks_are_found() -> None:
    write("docs/a.md", section("first") + section("second"))
    unit = ("--unit", "characters", "--chunk-sizes", "90,30")
    assert run("docs", "-o", "docs.db", *unit).exit_code == 0
    levels = [record["level"] for record in stored("docs.db")]
    assert levels == sorted(levels)
    assert set(levels) == {0, 1}
    hits = found("first")
    assert hits
    assert {hit["record"]["level"] for hit in hits} == {0}  # type: ignore[index]


def test_odd_characters_are_kept_and_found() -> None:
    write("docs/a.md", "# A\0b\n\nOne\0two \x02three\x03 \x1ffour \u200bfive\r\n")
    index()
    assert list(stored("docs.db")) == lines()
    for word in ("one", "two", "three", "four", "five"):
        assert word in {mark.casefold() for hit in found(word) for mark in marks(hit)}, word
    assert found('"one\0two"')


def test_what_does_not_change_is_not_written() -> None:
    write("docs/a.md", section("A") + section("B"))
    index()
    before = Path("docs.db").read_bytes()
    index()
    assert Path("docs.db").read_bytes() == before


def test_another_context_of_the_same_text_counts_as_new() -> None:
    write("docs/a.md", "# A\n\nIntro.\n\n## Sub\n\nText.\n")
    args = ("docs", "-o", "docs.db", *SMALL, "--context", "headings")
    assert run(*args).stderr == "mdchunk: docs.db: +2 −0 =0\n"
    write("docs/a.md", "# B\n\nIntro.\n\n## Sub\n\nText.\n")
    assert run(*args).stderr == "mdchunk: docs.db: +2 −2 =0\n"
    (record,) = (hit["record"] for hit in found("text"))
    assert record["contextualized"] == "# B\n\n## Sub\n\nText."  # type: ignore[index]


def test_what_cannot_be_read_stays_as_it_was() -> None:
    write("docs/a.md", section("A"))
    write("docs/b.md", section("B"))
    index()
    Path("docs/b.md").write_bytes(b"\xff")
    result = run("docs", "-o", "docs.db", *SMALL)
    assert result.exit_code == 1
    assert result.stderr.endswith("mdchunk: docs.db: +0 −0 =2\n")
    assert texts("B") == [section("B").strip()]
    shutil.rmtree("docs")
    Path("docs").mkdir()
    assert run("docs", "-o", "docs.db", *SMALL).exit_code == 1
    assert len(list(stored("docs.db"))) == 2


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0", b"x" * 4096])
def test_a_file_that_is_not_ours_is_left_alone(content: bytes) -> None:
    write("docs/a.md", section("A"))
    Path("docs.db").write_bytes(content)
    for args in (
        ("docs", "-o", "docs.db"),
        ("search", "docs.db", "a"),
        ("diff", "docs.db", "docs"),
    ):
        result = run(*args)
        assert result.exit_code == 2
        assert "docs.db: this file is not an index of mdchunk" in result.stderr
    assert Path("docs.db").read_bytes() == content


def test_a_database_of_another_program_or_schema_is_left_alone() -> None:
    write("docs/a.md", section("A"))
    with contextlib.closing(sqlite3.connect("docs.db")) as connection:
        connection.execute("CREATE TABLE chunks (id)")
    before = Path("docs.db").read_bytes()
    assert run("docs", "-o", "docs.db").exit_code == 2
    assert Path("docs.db").read_bytes() == before
    Path("docs.db").unlink()
    index()
    with contextlib.closing(sqlite3.connect("docs.db")) as connection:
        connection.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")
    result = run("docs", "-o", "docs.db")
    assert (result.exit_code, "an index of schema 2" in result.stderr) == (2, True)


def test_wrong_use_of_an_index() -> None:
    write("docs/a.md", section("A"))
    result = run("docs", "--format", "sqlite")
    assert (result.exit_code, "--format sqlite: needs --output" in result.stderr) == (2, True)
    result = run("search", "nowhere.db", "a")
    assert (result.exit_code, "-o nowhere.db makes one" in result.stderr) == (2, True)
    result = run("search", "docs/", "a")
    assert (result.exit_code, "mdchunk docs/ -o docs.db makes one" in result.stderr) == (2, True)
    Path("empty.db").touch()
    result = run("search", "empty.db", "a")
    assert (result.exit_code, "there is no index" in result.stderr) == (2, True)
    assert run("docs", "-o", "no/docs.db").exit_code == 1


def test_an_index_that_another_process_writes_is_waited_for_and_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("docs/a.md", section("A"))
    index()
    monkeypatch.setattr(database, "WAIT", 0.01)
    with contextlib.closing(sqlite3.connect("docs.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        result = run("docs", "-o", "docs.db")
        assert (result.exit_code, result.stderr) == (1, "mdchunk: docs.db: database is locked\n")
        assert texts("A") == [section("A").strip()], "it can be read meanwhile"


# killed


def contents(path: str) -> dict[str, list[tuple[object, ...]]] | None:
    """Return all that an index holds, None where there is none, and check that it is sound."""
    if not database.check(path):
        return None
    with database.connected(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        tables = ("documents", "chunks", "search", "about")
        return {
            name: [tuple(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1")]
            for name in tables
        }


def synced(texts: dict[str, str], path: str) -> None:
    """Bring an index up to date with documents, as a run does."""
    with database.updating(path, {"mdchunk": "test"}) as it:
        for name, text in texts.items():
            found = chunk(text, unit="characters", chunk_size=60, split_headings=6, plain=True)
            place = {"level": 0, "previous": "", "next": ""}
            about = {"source": name, "title": "T", "key": "", **place}
            it.write([{**about, "index": n, **c.as_dict()} for n, c in enumerate(found)])
        it.close(partial=False)


def killed_after(seconds: float, texts: dict[str, str], path: str) -> None:
    child = os.fork()
    if child == 0:
        try:
            synced(texts, path)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("fresh", [False, True])
def test_killed_at_any_moment_it_is_as_before_or_as_after(fresh: bool) -> None:
    old = {f"{d}.md": "".join(section(f"{d} {n}") for n in range(60)) for d in range(4)}
    new = {name: text.replace("is this", "is that") for name, text in list(old.items())[1:]}
    if not fresh:
        synced(old, "before.db")
    before = contents("before.db")
    shutil.copy("before.db", "after.db") if not fresh else None
    started = time.perf_counter()
    synced(new, "after.db")
    usual = time.perf_counter() - started
    after = contents("after.db")
    assert before != after
    seen = []
    for number in range(100):
        Path("docs.db").unlink(missing_ok=True)
        Path("docs.db-journal").unlink(missing_ok=True)
        if not fresh:
            shutil.copy("before.db", "docs.db")
        killed_after(1.3 * usual * number / 100, new, "docs.db")
        now = contents("docs.db")
        assert now in (before, after), number
        seen.append(now == after)
    assert not all(seen)
    synced(new, "docs.db")
    assert contents("docs.db") == after


def dying(do: Callable[..., object], steps: int) -> Callable[..., object]:
    left = iter(range(steps))

    def done(*args: object) -> object:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return do(*args)

    return done


@POSIX
def test_killed_at_each_step_of_writing_it_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    write("docs/a.md", "".join(section(f"A{n}") for n in range(5)))
    index()
    before = contents("docs.db")
    write("docs/a.md", "".join(section(f"B{n}") for n in range(5)))
    texts = {"a.md": Path("docs/a.md").read_text(encoding="utf-8")}
    for step in range(1, 12):
        child = os.fork()
        if child == 0:
            monkeypatch.setattr(database.Index, "_do", dying(database.Index._do, step))
            try:
                synced(texts, "docs.db")
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
        assert contents("docs.db") == before, step


# search


def test_search_shows_file_lines_section_and_the_words() -> None:
    write("docs/a.md", section("First") + "# Second\n\n## Sub part\n\nGrinders grind beans.\n")
    index()
    result = run("search", "docs.db", "grinding", "BEAN")
    assert result.stdout == (
        "docs/a.md:5-9  Second > Sub part\n    Second Sub part Grinders **grind** **beans**.\n"
    )
    (hit,) = found("grinding", "BEAN")
    assert marks(hit)[-1] == "beans"
    assert hit["record"] in lines()
    assert tuple(hit["record"]) == COLUMNS  # type: ignore[arg-type]
    result = run("search", "docs.db", "nothing-of-this")
    assert result.stdout.count("docs/a.md") == len(texts("nothing-of-this"))
    result = run("search", "docs.db", "zebra")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "mdchunk: docs.db: nothing found\n"


def test_the_section_of_a_chunk_that_answers_is_named() -> None:
    parts = "## One\n\nApples.\n\n## Two\n\nPears, plums.\n\n## Three\n\nPlums.\n"
    write("docs/a.md", "# FAQ\n\n" + parts)
    assert run("docs", "-o", "docs.db").exit_code == 0
    for words, title in (("apples", "One"), ("pears plums", "Two"), ("three plums", "Three")):
        (hit,) = found(*words.split())
        assert hit["path"] == ["FAQ", title]


def test_a_word_of_a_heading_above_or_of_the_title_finds_a_chunk() -> None:
    write(
        "docs/a.md",
        "---\ntitle: Kettles\n---\n# Up\n\nIt.\n\n## Down\n\nText.\n\n### Low\n\nMore.\n",
    )
    index()
    assert len(texts("kettles")) == 3
    assert "### Low\n\nMore." in texts("up")


def test_what_stands_under_a_word_ranks_above_what_names_it_in_passing() -> None:
    write("docs/a.md", "# Shop\n\nIt sells a kettle and more.\n")
    write("docs/b.md", "# Kettles\n\nThey boil.\n\n## Care\n\nKeep it dry and clean it.\n")
    index("docs", "--split-headings", "2")
    assert texts("kettle") == [
        "# Kettles\n\nThey boil.",
        "## Care\n\nKeep it dry and clean it.",
        "# Shop\n\nIt sells a kettle and more.",
    ]


def test_a_note_is_found_by_its_file_name_its_tags_and_its_aliases() -> None:
    front = "---\ntags: [savanna]\naliases: [striped horse]\nof: {by: {name: Ada}}\n---\n"
    write("docs/Zebra crossing.md", front + "# Food\n\nGrass.\n\n# Home\n\nAfrica.\n")
    write("docs/other.md", section("Other"))
    index()
    food, home = "# Food\n\nGrass.", "# Home\n\nAfrica."
    assert set(texts("zebra")) == {food, home}
    assert [texts(word) for word in ("savanna", "striped", "ada", "aliases")] == [[food]] * 3 + [[]]
    write("docs/Zebra crossing.md", front.replace("savanna", "plain") + "# Food\n\nGrass.\n")
    index()
    assert (texts("savanna"), texts("plain")) == ([], [food])


def test_more_and_rarer_words_rank_higher() -> None:
    write("docs/a.md", "# A\n\nBread and salt.\n\n# B\n\nBread and oven.\n\n# C\n\nBread.\n")
    index()
    assert texts("oven bread")[0] == "# B\n\nBread and oven."
    assert texts('"and salt"') == ["# A\n\nBread and salt."]
    assert len(json.loads(run("search", "docs.db", "bread", "-n", "2", "--json").stdout)) == 2


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("東京", ["東京"]),
        ("京", ["京"]),
        ("形態素解析", ["形態素解析"]),
        ("東京の検索エンジンとは", ["検索エンジン", "東京"]),
        ("한국어", ["한국어"]),
        ("국어", ["국어"]),
        ("ภาษา", ["ภาษา"]),
        ("Python入門", ["Python入門"]),
        ("が", ["が"]),
        ("cafe", ["café"]),
    ],
)
def test_text_without_blanks_between_words_is_found(words: str, marked: list[str]) -> None:
    write("docs/a.md", "# 文書\n\n検索エンジンが東京で。形態素解析は\n\n" + section("Other"))
    write("docs/b.md", "# 두\n\n한국어를 씁니다.\n\nภาษาไทย\n\nPython入門 café\n")
    index()
    hits = found(words)
    assert set(marked) <= {mark for hit in hits for mark in marks(hit)}
    excerpt = str(hits[0]["excerpt"])
    assert fulltext.SEPARATOR not in excerpt
    assert all(mark in excerpt for mark in marks(hits[0]))


@pytest.fixture(scope="module")
def shared_index(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("index") / "docs.db")
    synced({"a.md": section("NEAR AND OR NOT 東京") + section('"quoted" *')}, path)
    return path


@example(words='"\x000"')
@given(words=st.text() | st.text(alphabet='"*^():-+{}東京ก๓ AND OR NEAR NOT\x00\x02\x1f'))
def test_any_words_are_safe(words: str, shared_index: str) -> None:
    for hit in search(shared_index, words, 3):
        assert all(0 <= a < b <= len(hit.excerpt.text) for a, b in hit.excerpt.marks)


def test_words_without_number_are_safe(shared_index: str) -> None:
    rng = random.Random(1)
    words = " ".join("".join(rng.choices("abc東京한", k=6)) for _ in range(3000))
    assert search(shared_index, f"{words} text", 3) is not None
    assert search(shared_index, "京" * 5000, 3) == []


# feeds


def test_a_feed_brings_any_store_in_step() -> None:
    write("docs/a.md", section("A") + section("B") + section("C"))
    write("docs/gone.md", section("Gone"))
    write("docs/b.md", section("Moved"))
    index()
    assert run("docs", "-o", "docs.jsonl", *SMALL).exit_code == 0
    assert run("docs", "-o", "docs.json", *SMALL).exit_code == 0
    assert run("docs", "-o", "docs.csv", *SMALL).exit_code == 0
    store = {record["key"]: record for record in lines()}
    write("docs/a.md", section("A") + section("New") + section("B") + section("C, changed"))
    Path("docs/gone.md").unlink()
    Path("docs/b.md").rename("docs/c.md")
    feeds = {}
    for old in ("docs.db", "docs.jsonl", "docs.json", "docs.csv"):
        result = run("diff", old, "./docs/", "--jsonl", *SMALL)
        assert (result.exit_code, result.stderr) == (0, ""), old
        feeds[old] = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    feed = feeds["docs.db"]
    assert all(it == feed for it in feeds.values())
    made = [it["record"]["headings"] for it in feed if it.get("embed")]
    assert sorted(made) == [["C, changed"], ["New"]]
    for it in feed:
        if it["op"] == "delete":
            del store[it["key"]]
        else:
            store[it["record"]["key"]] = it["record"]
    now = {record["key"]: record for record in lines()}
    assert store == now
    whole = json.loads(run("diff", "docs.db", "docs", "--json", *SMALL).stdout)
    assert whole["feed"] == feed
    index()
    assert run("diff", "docs.db", "docs", "--jsonl", *SMALL).stdout == ""
    assert "other options" in run("diff", "docs.db", "docs").stderr


def test_an_index_of_a_hierarchy_is_kept_in_step_too() -> None:
    write("docs/a.md", "".join(section(f"Part {n}") for n in range(6)))
    sizes = ("--unit", "characters", "--chunk-sizes", "120,40")
    assert run("docs", "-o", "docs.db", *sizes).exit_code == 0
    records = list(stored("docs.db"))
    assert len({record["key"] for record in records}) == len(records)
    assert {record["level"] for record in records} == {0, 1}
    assert run("docs", "-o", "docs.db", *sizes).stderr.endswith(f"+0 −0 ={len(records)}\n")
    assert run("diff", "docs.db", "docs", "--jsonl", *sizes).stdout == ""
    assert {hit["record"]["level"] for hit in found("part")} == {0}  # type: ignore[index]


def test_nothing_is_deleted_of_what_cannot_be_read() -> None:
    write("docs/a.md", section("A"))
    write("docs/b.md", section("B"))
    index()
    Path("docs/b.md").write_bytes(b"\xff")
    result = run("diff", "docs.db", "docs", "--jsonl", *SMALL)
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize(
    ("name", "text"),
    [("x.jsonl", "{}\n"), ("x.jsonl", "no\n"), ("x.json", "[1]"), ("x.csv", "source\na\n")],
)
def test_what_holds_no_records_is_told(name: str, text: str) -> None:
    write(name, text)
    write("docs/a.md", section("A"))
    result = run("diff", name, "docs")
    assert (result.exit_code, name in result.stderr) == (2, True), result.output


def test_a_document_without_text_has_no_rows() -> None:
    write("docs/blank.md", " \n")
    write("docs/a.md", section("A"))
    index()
    assert {hit["record"]["source"] for hit in found("text")} == {"a.md"}  # type: ignore[index]


def test_a_python_without_full_text_search_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(*_args: object, **_named: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    write("docs/a.md", section("A"))
    monkeypatch.setattr("sqlite3.connect", without)
    result = run("docs", "-o", "docs.db", *SMALL)
    assert result.exit_code == 2
    assert "an index needs FTS5, which this Python's SQLite lacks" in result.stderr
