"""The extension in Sphinx: real builds of a MyST project."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from sites import Record, assert_below, copy_site, needs, page_file, read_records, run

from mdchunk.integrations.sites.records import FIELDS

pytestmark = needs("sphinx", "myst_parser")
PAGES = ["index.md", "guide/index.md", "guide/install.md", "reference/format.md"]
"""In the order of the toctrees; another language and a page without search are not there."""
BUILDERS = ["html", "dirhtml"]


def build(site: Path, builder: str = "html", *flags: str, out: str = "out") -> str:
    return run("sphinx", "-W", "-b", builder, *flags, ".", out, cwd=site).stdout


@pytest.fixture(scope="module", params=BUILDERS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = copy_site("manual", tmp_path_factory.mktemp("sphinx"))
    build(site, request.param)
    return site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return copy_site("manual", tmp_path)


def html_below(path: Path, anchor: str) -> str:
    html = path.read_text(encoding="utf-8")
    places = [match.start() for match in re.finditer(f' id="{re.escape(anchor)}"', html)]
    assert len(places) == 1, (path, anchor)
    html = html[html.rindex("<", 0, places[0]) :]
    return unescape(re.sub(r"<[^>]*>", "", html))


def by_source(records: list[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["source"], []).append(record)
    return found


def test_records_of_the_markdown_documents(built: Path) -> None:
    records = read_records(built / "out")
    assert list(by_source(records)) == PAGES
    for record in records:
        assert tuple(record) == FIELDS
        source = (built / record["source"]).read_text(encoding="utf-8")
        assert source[record["start"] : record["end"]] == record["text"]
        assert record["url"] == "https://gauges.example/manual/" + record["location"]


def test_anchors_are_those_of_the_page(built: Path) -> None:
    records = read_records(built / "out")
    shown = [
        (record, html_below(page_file(built / "out", record["location"]), record["anchor"]))
        for record in records
    ]
    assert_below(shown)
    anchors = [record["anchor"] for record in by_source(records)["guide/install.md"]]
    # a target, two of one title, one of no Latin letter, one after what was included
    assert anchors[0] == "set-up-a-station"
    assert anchors[1] == anchors[2]
    assert anchors[1] in ("before", "before-you-go"), "the page has both, which first is MyST's"
    assert anchors[3] == "test"
    assert anchors[4].startswith("id")
    assert anchors[5] == "after-the-test"


def test_titles_and_tags(built: Path) -> None:
    pages = by_source(read_records(built / "out"))
    install = pages["guide/install.md"][1]
    assert (install["title"], install["section"]) == ("Set up a station", "Before you go")
    assert list(install["hierarchy"].values())[:3] == [
        "Guide",
        "Set up a station",
        "Before you go",
    ]
    guide = pages["guide/index.md"][0]
    assert guide["hierarchy"]["lvl0"] == "Gauge manual"
    assert (guide["tags"], guide["metadata"]["season"]) == (["guide", "start"], "2025-03-01")


def test_forms(built: Path) -> None:
    names = {path.name for path in (built / "out").iterdir()}
    assert {"docsearch.json", "pagefind.jsonl", "llms.txt", "llms-full.txt"} <= names
    meta = json.loads((built / "out" / "chunks.meta.json").read_text(encoding="utf-8"))
    assert meta["generator"].startswith("sphinx ")
    assert meta["counts"]["pages"] == len(PAGES)


def test_documents_may_be_read_by_several_processes(site: Path) -> None:
    for number in range(8):  # Sphinx reads few documents in one process whatever it is told
        page = site / "reference" / f"page{number}.md"
        page.write_text(f"# Page {number}\n\n## Part\n\nWords.\n", encoding="utf-8")
    tree = site / "reference" / "format.md"
    listed = "\n".join(f"page{number}" for number in range(8))
    text = tree.read_text(encoding="utf-8") + f"\n```{{toctree}}\n{listed}\n```\n"
    tree.write_text(text, encoding="utf-8")
    build(site, out="one")
    build(site, "html", "-j", "2", out="two")
    assert len(by_source(read_records(site / "one"))) == len(PAGES) + 8
    assert (site / "one" / "chunks.jsonl").read_bytes() == (
        site / "two" / "chunks.jsonl"
    ).read_bytes()


def test_documents_that_are_not_read_again_are_kept(site: Path) -> None:
    build(site)
    before = by_source(read_records(site / "out"))
    page = site / "reference" / "format.md"
    page.write_text("# The file format\n\n## Added\n\nNew words.\n", encoding="utf-8")
    said = build(site)
    assert "1 changed" in said
    after = by_source(read_records(site / "out"))
    assert [r["anchor"] for r in after["reference/format.md"]] == ["the-file-format"]
    assert {**after, "reference/format.md": []} == {**before, "reference/format.md": []}
    page.unlink()
    index = site / "index.md"
    text = index.read_text(encoding="utf-8").replace("reference/format\n", "")
    index.write_text(text, encoding="utf-8")
    build(site)
    assert list(by_source(read_records(site / "out"))) == PAGES[:-1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mdchunk_options = {'chunk_sise': 1}", "conf.py: chunk_sise: no such key"),
        ("mdchunk_options = {'chunk_size': 0}", "chunk_size: 0 is not allowed"),
        ("mdchunk_options = ['x']", "options: ['x'] is not allowed; allowed is a mapping"),
        ("mdchunk_forms = ['pagefound']", "forms: 'pagefound' is not allowed"),
        ("mdchunk_forms = [['llms']]", "forms: ['llms'] is not allowed; allowed are docsearch"),
        ("mdchunk_forms = 'llms'", "forms: 'llms' is not allowed; allowed is a list of "),
    ],
)
def test_wrong_options(site: Path, line: str, said: str) -> None:
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = run("sphinx", "-b", "html", ".", "out", cwd=site, check=False)
    assert done.returncode == 2
    assert f"mdchunk: {said}" in done.stderr
    assert not (site / "out" / "chunks.jsonl").exists()


def test_a_page_that_its_front_matter_keeps_out_of_the_search(site: Path) -> None:
    page = site / "reference" / "format.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(f"---\nsearch:\n  exclude: true\n---\n{text}", encoding="utf-8")
    build(site)
    assert list(by_source(read_records(site / "out"))) == PAGES[:-1]


def test_a_build_that_fails_writes_nothing(site: Path) -> None:
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write("\ndef setup(app):\n    app.connect('html-page-context', lambda *_: 1 / 0)\n")
    assert run("sphinx", "-b", "html", ".", "out", cwd=site, check=False).returncode == 2
    assert not (site / "out" / "chunks.jsonl").exists()


def test_other_builders_have_no_pages(site: Path) -> None:
    assert "has no page for each document" in build(site, "text", "-v")
    assert not (site / "out" / "chunks.jsonl").exists()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project of one page, for a test that writes others."""
    for name, text in {
        "conf.py": "project = 'S'\nextensions = ['myst_parser', 'mdchunk.integrations.sphinx']\n",
        "index.md": "# Start\n\nWords.\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("builder", BUILDERS)
def test_addresses_are_quoted_once(small: Path, builder: str) -> None:
    for name in ("über 100%.md", "a b/index.md"):
        (small / name).parent.mkdir(exist_ok=True)
        (small / name).write_text("---\norphan: true\n---\n# Part\n\nWords.\n", encoding="utf-8")
    build(small, builder)
    found = {r["source"]: r["location"] for r in read_records(small / "out")}
    assert (
        found
        == {
            "html": {
                "index.md": "index.html#start",
                "a b/index.md": "a%20b/index.html#part",
                "über 100%.md": "%C3%BCber%20100%25.html#part",
            },
            "dirhtml": {
                "index.md": "#start",
                "a b/index.md": "a%20b/#part",
                "über 100%.md": "%C3%BCber%20100%25/#part",
            },
        }[builder]
    )
    assert all(page_file(small / "out", unquote(place)).is_file() for place in found.values())


def test_attributes_and_comments_right_above_an_underlined_heading(small: Path) -> None:
    with (small / "conf.py").open("a", encoding="utf-8") as file:
        file.write("myst_enable_extensions = ['attrs_block']\n")
        file.write("mdchunk_options = {'split_headings': 2}\n")
    text = (
        "# A\n\nWords.\n\n{#own}\nB\n-\n\nWords.\n\n"
        "% remark\nC\n-\n\nWords.\n\n{#d}\n## D\n\nWords.\n"
    )
    (small / "index.md").write_text(text, encoding="utf-8")
    build(small)
    assert [r["anchor"] for r in read_records(small / "out")] == ["a", "own", "c", "d"]


def test_documents_without_a_heading(small: Path) -> None:
    listed = "# Start\n\n```{toctree}\nnamed\npart/plain\n```\n"
    (small / "index.md").write_text(listed, encoding="utf-8")
    (small / "part").mkdir()
    (small / "named.md").write_text("---\ntitle: A name\n---\nWords.\n", encoding="utf-8")
    below = "Words.\n\n```{toctree}\nbelow\n```\n"
    (small / "part" / "plain.md").write_text(below, encoding="utf-8")
    (small / "part" / "below.md").write_text("# Below\n", encoding="utf-8")
    run("sphinx", "-q", "-b", "html", ".", "out", cwd=small)  # it warns of such documents
    found = {r["source"]: r for r in read_records(small / "out")}
    assert {source: record["title"] for source, record in found.items()} == {
        "index.md": "Start",
        "named.md": "A name",
        "part/plain.md": "part/plain",
        "part/below.md": "Below",
    }
    assert found["part/below.md"]["hierarchy"]["lvl0"] == "part/plain"


def test_sources_are_what_the_project_says(small: Path) -> None:
    with (small / "conf.py").open("a", encoding="utf-8") as file:
        file.write("source_suffix = {'.txt': 'markdown', '.mkd': 'restructuredtext'}\n")
    (small / "index.md").rename(small / "index.txt")
    (small / "old.mkd").write_text(":orphan:\n\nOld\n===\n", encoding="utf-8")
    build(small)
    assert [r["source"] for r in read_records(small / "out")] == ["index.txt"]
