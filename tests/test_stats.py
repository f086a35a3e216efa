"""Statistics count what is there; two versions compared give the bill of embedding again."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdchunk import Chunker
from mdchunk.cli import cli
from mdchunk.view.diff import STATES, compare, summary
from mdchunk.view.stats import PREFERENCE, TOO_LONG, Report, Survey, as_html, as_text

CODE = "```python\n" + "".join(f"line_{number} = {number}\n" for number in range(12)) + "```\n"
TEXT = f"# One\n\nText of one.\n\n## Two\n\n{CODE}\n## Three\n\n- first item\n- second item\n"
LIST = "Some words to fill it up.\n\n" + "- an item of it\n" * 3 + "\nMore words to fill it up.\n"
SMALL = ("--unit", "characters", "--chunk-size", "40")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "mdchunk.toml").write_text("", encoding="utf-8")
    return tmp_path


def write(name: str, text: str = TEXT) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return name


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args), prog_name="mdchunk")


def survey(sources: dict[str, str], **options: object) -> Report:
    chunker = Chunker(unit="characters", **options)
    found = Survey(chunker)
    for name, source in sources.items():
        document = chunker.parse(source)
        found.add(name, document, chunker.chunk(document))
    return found.report()


def test_sizes_and_cuts_are_those_of_the_chunks() -> None:
    chunker = Chunker(unit="characters", chunk_size=40, chunk_overlap=10)
    chunks = chunker.chunk(TEXT)
    report = survey({"a.md": TEXT}, chunk_size=40, chunk_overlap=10)
    sizes = sorted(chunk.size for chunk in chunks)
    assert report["chunks"] == len(chunks) == sum(row["chunks"] for row in report["histogram"])
    assert (report["sizes"]["least"], report["sizes"]["most"]) == (sizes[0], sizes[-1])
    assert report["total"] == sum(sizes)
    assert report["fill"] == pytest.approx(sum(sizes) / len(sizes) / 40, abs=1e-4)
    assert report["overlap"] == pytest.approx(sum(c.overlap for c in chunks) / len(TEXT), abs=1e-4)
    assert sum(report["cuts"].values()) == len(chunks) - 1
    assert report["histogram"][0] == {"from": 1, "to": 4, "chunks": 0}


def test_a_divided_block_is_named_with_its_reason_and_place() -> None:
    report = survey({"a.md": TEXT}, chunk_size=40)
    assert report["divided"]["code:python"] == {TOO_LONG: 1}
    assert report["over_long"] == [
        {"source": "a.md", "line": 7, "kind": "code:python", "size": len(CODE.rstrip())}
    ]
    scores = {"list_item": 100, "paragraph": 0, "list_end": 0}
    report = survey({"a.md": LIST}, chunk_size=64, scores=scores)
    assert report["divided"] == {"list": {PREFERENCE: 1}}
    assert report["over_long"] == []


def test_chunks_over_the_limit_and_tiny_ones_are_counted() -> None:
    kept = survey({"a.md": TEXT}, chunk_size=40, oversize="keep")
    assert [(it["line"], it["kind"]) for it in kept["over_limit"]] == [(5, "heading+code:python")]
    assert kept["histogram"][-1]["to"] == kept["over_limit"][0]["size"]
    tiny = survey({"a.md": "# A\n\n" + "x" * 95 + "\n\n# B\n"}, chunk_size=100)
    assert tiny["tiny"] == {"under": 10.0, "chunks": 1, "share": 0.5}


def test_duplicates_are_found_across_documents() -> None:
    report = survey({"a.md": "# A\n", "b.md": "# B\n", "c.md": "# A\n"}, chunk_size=40)
    assert report["duplicates"] == [{"text": "# A", "places": ["a.md:1", "c.md:1"]}]


def test_nothing_to_count_is_no_error() -> None:
    report = survey({"a.md": "\n"}, chunk_size=40)
    assert (report["chunks"], report["fill"]) == (0, 0)
    assert "chunks 0" in as_text(report, most=3)
    assert "<main>" in as_html(report)


def test_the_page_of_numbers_escapes_what_it_shows() -> None:
    report = survey({"<b>.md": TEXT, "<i>.md": TEXT}, chunk_size=40)
    text = as_html(report)
    assert "<b>.md" not in text
    assert "&lt;b&gt;.md:7" in text
    assert "default-src 'none'" in text


def test_the_command_prints_a_histogram_json_or_a_page() -> None:
    write("d/a.md")
    write("d/b.md")
    text = run("stats", "d", *SMALL, "--html", "s.html", "--top", "1")
    assert text.exit_code == 0, text.output
    for part in ("█", "Cuts", "code:python  d/a.md:7", "the first 1", "fill"):
        assert part in text.stdout
    assert "<h2>Cuts</h2>" in Path("s.html").read_text(encoding="utf-8")
    report = json.loads(run("stats", "d", *SMALL, "--json").stdout)
    assert report["documents"] == 2
    result = run("stats", "d", "--html", "no/s.html")
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stderr[:19]) == (1, "mdchunk: no/s.html:")
    result = run("stats", "d", "missing.md")
    assert (result.exit_code, result.stderr[:20]) == (1, "mdchunk: missing.md:")


# two versions


def versions(old: dict[str, str], new: dict[str, str], **options: object) -> dict[str, int]:
    chunker = Chunker(unit="characters", chunk_size=40, **options)
    both = ({name: chunker.chunk(text) for name, text in it.items()} for it in (old, new))
    found = summary(compare(*both), "characters")
    return {state: each["chunks"] for state, each in found["states"].items() if each["chunks"]}


def test_each_state_of_a_chunk() -> None:
    a, b, c = "# A\n\nText of a, of some length.\n", "# B\n\nText of b, it is.\n", "# C\n\nText.\n"
    assert versions({"x": a + b}, {"x": a + b}) == {"stay": 2}
    assert versions({"x": a + b}, {"x": a + b + "More than before.\n"}) == {"stay": 1, "change": 1}
    assert versions({"x": a}, {"x": b + a}) == {"stay": 1, "appear": 1}
    assert versions({"x": a + b}, {"x": b}) == {"stay": 1, "go": 1}
    assert versions({"x": a + b}, {"x": a, "y": b}) == {"stay": 1, "move": 1}
    assert versions({"x": a}, {"y": a}) == {"move": 1}
    assert versions({"x": a + b}, {"x": b + a}) == {"stay": 2}
    assert versions({"x": a, "y": c}, {"x": a}) == {"stay": 1, "go": 1}


def test_another_context_of_the_same_text_is_to_be_embedded_again() -> None:
    text = "# {}\n\nSome text of it, of some length.\n\nMore text of it, and more.\n"
    found = versions({"x": text.format("A")}, {"x": text.format("B")}, context="headings")
    assert found == {"change": 1, "context": 1}


def test_the_command_gives_the_bill() -> None:
    write("old/a.md")
    write("old/gone.md", "# Gone\n")
    write("new/a.md", TEXT.replace("Text of one", "Words of one"))
    text = run("diff", "old", "new", *SMALL, "--list")
    assert text.exit_code == 0, text.output
    count = len(Chunker(unit="characters", chunk_size=40).chunk(TEXT))
    assert f"To embed: 1 of {count} chunks" in text.stdout
    assert "To delete: 2 ids." in text.stdout
    assert "change  " in text.stdout
    assert "a.md:1-3" in text.stdout
    found = json.loads(run("diff", "old", "new", *SMALL, "--json").stdout)
    assert set(found["states"]) == set(STATES)
    assert [(it["state"], it["source"]) for it in found["changes"]] == [
        ("change", "a.md"),
        ("go", "gone.md"),
    ]
    single = json.loads(run("diff", "old/a.md", "new/a.md", *SMALL, "--json").stdout)
    assert single["states"]["change"]["chunks"] == 1
    assert run("diff", "old", "new/a.md").exit_code == 2
    assert run("diff", "old", "nowhere").exit_code == 2
