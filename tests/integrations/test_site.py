"""``mdchunk site``: what it makes of a tree of Markdown, beside what the plugins make."""

import datetime
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sites import FIXTURES, copy_site, needs, read_records, run

from mdchunk import Options, parse
from mdchunk.cli import cli
from mdchunk.integrations.sites.generators import GENERATORS, URLS
from mdchunk.integrations.sites.matching import align
from mdchunk.integrations.sites.output import CHUNKS, META, Site, llms, read_site
from mdchunk.integrations.sites.page_headings import html_anchors
from mdchunk.integrations.sites.records import FIELDS
from mdchunk.parsing.front_matter import as_json

DOCS = FIXTURES / "handbook" / "docs"
URL = "https://gauges.example/handbook/"
SIZE = ("--chunk-size", "60", "--chunk-overlap", "12")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mdchunk.toml").write_text("", encoding="utf-8")
    return tmp_path


def site(*args: str, anchors: str = "python-markdown", url: str = URL) -> Result:
    where = ("--base-url", url, "--anchors", anchors)
    return CliRunner().invoke(cli, ["site", *args, *where], prog_name="mdchunk")


def test_records_without_a_host() -> None:
    result = site(str(DOCS), *SIZE)
    assert (result.exit_code, result.stderr) == (0, "")
    records = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    for record in records:
        assert tuple(record) == FIELDS
        source = (DOCS / record["source"]).read_text(encoding="utf-8")
        assert source[record["start"] : record["end"]] == record["text"]
    assert "hidden.md" not in {record["source"] for record in records}
    by_source = {record["source"]: record for record in reversed(records)}
    assert by_source["guide/reading.md"]["url"] == f"{URL}guide/reading/"
    assert by_source["index.md"]["location"] == "#the-gauge-handbook"
    assert by_source["guide/install.md"]["hierarchy"]["lvl0"] == "guide"
    assert by_source["index.md"]["hierarchy"]["lvl0"] == "gauges.example"


@needs("mkdocs")
def test_as_the_plugin_of_mkdocs(tmp_path: Path) -> None:
    copy = copy_site("handbook", tmp_path)
    run("mkdocs", "build", "-q", "-d", "out", cwd=copy)
    theirs = {record["key"]: record["url"] for record in read_records(copy / "out")}
    result = site(str(copy / "docs"), *SIZE, "--context", "headings", "-o", "ours")
    assert result.exit_code == 0
    ours = {record["key"]: record["url"] for record in read_records(Path("ours"))}
    assert theirs.items() <= ours.items()


def test_files_are_written(tmp_path: Path) -> None:
    forms = ("--form", "docsearch", "--form", "pagefind", "--form", "llms")
    result = site(str(DOCS), *forms, "-o", "out", "--site-name", "Gauges")
    assert result.stdout == ""
    assert "mdchunk: out: 7 chunks of 7 pages" in result.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("chunks.jsonl", "chunks.meta.json", "docsearch.json", "pagefind.jsonl"),
        *("llms.txt", "llms-full.txt"),
    }
    assert Path("out/llms.txt").read_text(encoding="utf-8").startswith("# Gauges\n")


def test_a_record_is_one_line_to_every_reader() -> None:
    Path("docs").mkdir()
    text = "# A\u2028B\n\nC\x85D\u2029E\x0bF\x1cG\n"
    Path("docs/a.md").write_text(text, encoding="utf-8", newline="")
    (line,) = site("docs").stdout.splitlines()
    assert json.loads(line)["text"] == text.rstrip("\n")


TEXT = (
    "# Title\n\n| a | b |\n| - | - |\n| row0 some words | more words |\n"
    "| row1 some words | more |\n\n"
    "first sentence of a paragraph here. Second sentence  \nhard break line here.\n\n\n"
    "```python\ndef f():\n    return some_function(with_many, arguments, in_one_line)\n\n\n"
    "    y = 1\n```\n\n- item one\n    - nested item two\n\t- three\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_whole_text_has_between_chunks_what_the_file_has(end: str) -> None:
    Path("docs").mkdir()
    text = TEXT.replace("\n", end)
    Path("docs/a.md").write_text(f"---{end}tags: [x]{end}---{end}{text}", "utf-8", newline="")
    assert site("docs", "--chunk-size", "8", "--form", "llms", "-o", "out").exit_code == 0
    assert len(read_records(Path("out"))) > 9
    whole = Path("out/llms-full.txt").read_bytes().decode()
    title, _, rest = text.strip().partition(end)
    assert whole == f"# gauges.example\n\n{title}\n\nSource: {URL}a/\n\n{rest.strip()}\n"


def test_the_whole_text_without_its_source() -> None:
    """As it is for the pages that a build with --dirty takes from the records of another."""
    Path("docs").mkdir()
    Path("docs/a.md").write_text(TEXT, encoding="utf-8")
    size = ("--chunk-size", "8", "--chunk-overlap", "3")
    assert site("docs", *size, "--form", "llms", "-o", "out").exit_code == 0
    about = Site(name="gauges.example", base_url=URL, generator="")
    options = Options(chunk_size=8, chunk_overlap=3)
    pages = list(read_site(Path("out"), about, options).values())
    whole = llms(about, pages)["llms-full.txt"]
    theirs = Path("out/llms-full.txt").read_text(encoding="utf-8")
    assert whole.replace("  \n", "\n") == theirs.replace("  \n", "\n")


def test_drafts_and_files_that_cannot_be_read() -> None:
    Path("docs").mkdir()
    Path("docs/a.md").write_text("---\ndraft: true\n---\n# A\n", encoding="utf-8")
    Path("docs/b.md").write_bytes(b"# B \xff\n")
    Path("docs/c.md").write_text("# C\n", encoding="utf-8")
    result = site("docs", anchors="github")
    assert result.exit_code == 1
    assert "b.md: not UTF-8" in result.stderr
    assert [json.loads(line)["source"] for line in result.stdout.split("\n")[:-1]] == ["c.md"]


def test_pages_that_are_not_to_be_found() -> None:
    """Each as some generator says it."""
    Path("docs").mkdir()
    said = {
        "left": ["search: {exclude: true}", "search: false", "nosearch: true", "unlisted: true"],
        "kept": ["search: true", "search: {boost: 2}", "search:", "unlisted: false"],
    }
    said["left"] += ["draft: true", "status: draft", "status: hidden"]
    for name, lines in said.items():
        for number, line in enumerate(lines):
            Path(f"docs/{name}{number}.md").write_text(f"---\n{line}\n---\n# A\n", "utf-8")
    found = [json.loads(line)["source"] for line in site("docs").stdout.split("\n")[:-1]]
    assert found == [f"kept{number}.md" for number in range(4)]


def test_a_heading_without_words_is_no_place_and_no_title() -> None:
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# A\n\n##\n\nWords.\n", encoding="utf-8")
    result = site("docs", "--split-headings", "2", anchors="github")
    assert "mdchunk: a.md:3: the page has no anchor for the heading ''" in result.stderr
    found = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    assert [(r["anchor"], r["hierarchy"]["lvl2"]) for r in found] == [("a", None)]


def test_a_title_without_an_id_is_found_at_the_top_of_its_page() -> None:
    """Docusaurus gives ids to headings of level 1 and shows none of them."""
    Path("docs/02-b").mkdir(parents=True)
    Path("docs/01-a.md").write_text("# A\n\nOne.\n\n## A\n\n# B\n\nTwo.\n", encoding="utf-8")
    Path("docs/02-b/c.md").write_text("\ufeff---\nslug: /d\n---\n# C\n", encoding="utf-8")
    Path("docs/_e.md").write_text("# E\n", encoding="utf-8")
    Path("docs/f.md").write_text("---\nunlisted: true\n---\n# F\n", encoding="utf-8")
    result = site("docs", "--split-headings", "2", anchors="docusaurus")
    assert result.stderr == (
        "mdchunk: 01-a.md:7: the page has no anchor for the heading 'B'; its chunks link to the "
        "nearest earlier one\nmdchunk: _e.md: left out, since it makes no page of its own\n"
    )
    found = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    assert [(r["url"], r["anchor"]) for r in found] == [
        (f"{URL}a", ""),
        (f"{URL}a#a-1", "a-1"),
        (f"{URL}a#a-1", "a-1"),
        (f"{URL}d", ""),
    ]
    assert [r["hierarchy"]["lvl0"] for r in found] == [*["gauges.example"] * 3, "b"]


def test_an_output_that_cannot_be_written() -> None:
    Path("file").write_text("", encoding="utf-8")
    result = site(str(DOCS), "-o", "file/out")
    assert result.exit_code == 1
    assert result.stderr.startswith("mdchunk: file/out: ")
    assert result.stderr.count("\n") == 1


def test_records_of_an_earlier_run_are_read_back_unless_they_are_damaged(tmp_path: Path) -> None:
    assert site(str(DOCS), "-o", "out").exit_code == 0
    out, options, same = tmp_path / "out", Options(), Site(name="G", base_url=URL, generator="")
    found = read_site(out, same, options)
    assert [r for records in found.values() for r in records] == read_records(out)
    assert read_site(out, replace(same, base_url="https://elsewhere.example/"), options) == {}
    assert read_site(out, replace(same, exclude=["x"]), options) == {}
    assert read_site(out, same, Options(chunk_size=99)) == {}
    meta = json.loads((out / META).read_bytes())
    for damaged in ("", "[]", "{", json.dumps({**meta, "schema_version": 0})):
        (out / META).write_text(damaged, encoding="utf-8")
        assert read_site(out, same, options) == {}
    (out / META).write_text(json.dumps(meta), encoding="utf-8")
    (out / CHUNKS).write_bytes((out / CHUNKS).read_bytes()[:-9])
    assert read_site(out, same, options) == {}
    (out / CHUNKS).unlink()
    assert read_site(out, same, options) == {}


def test_metadata_of_a_host_is_json() -> None:
    day = datetime.date(2025, 3, 1)
    given = {"f": 1.5, "inf": math.inf, 3: (day, None), day: {"deep": [True]}, "path": Path("x")}
    assert as_json(given) == {
        "f": 1.5,
        "inf": "inf",
        "3": ["2025-03-01", None],
        "2025-03-01": {"deep": [True]},
        "path": "x",
    }


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--form", "llms"), "--form: needs --output"),
        (("--chunk-size", "0"), "chunk_size: 0 is not allowed"),
        (("--unit", "bananas"), "bananas"),
    ],
)
def test_wrong_use(args: tuple[str, ...], said: str) -> None:
    result = site(str(DOCS), *args)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gauges", "'gauges' is no URL; allowed is https://host/path/"),
        ("//gauges.example/", "'//gauges.example/' is no URL; allowed is https://host/path/"),
        ("https://[gauges/", "'https://[gauges/' is no URL; allowed is https://host/path/"),
        ("https://x.y/z?q=1", "'https://x.y/z?q=1' has a query or fragment; allowed is https://"),
        ("https://x.y/z/#", "'https://x.y/z/#' has a query or fragment; allowed is https://"),
    ],
)
def test_an_address_that_is_none(url: str, said: str) -> None:
    result = site(str(DOCS), url=url)
    assert result.exit_code == 2
    assert f"--base-url: {said}" in result.stderr


def by_names(names: list[str], anchors: str, urls: str) -> dict[str, str]:
    """Ask for addresses that do not depend on front matter."""

    def read(name: str) -> dict[str, object]:
        raise AssertionError(f"{name} need not be read")

    return URLS[urls].locate(names, GENERATORS[anchors], read)


def test_addresses() -> None:
    names = ["index.md", "README.md", "a b.md", "guide/_index.md", "Guide/X.md", "api/readme.md"]
    assert by_names(names, "github", "bare") == {
        "index.md": "",
        "a b.md": "a%20b",
        "guide/_index.md": "guide/_index",
        "Guide/X.md": "Guide/X",
        "api/readme.md": "api/",
    }
    assert by_names(names, "vitepress", "html") == {
        "index.md": "index.html",
        "README.md": "README.html",
        "a b.md": "a%20b.html",
        "guide/_index.md": "guide/_index.html",
        "Guide/X.md": "Guide/X.html",
        "api/readme.md": "api/readme.html",
    }
    assert by_names(["README.md"], "python-markdown", "html") == {"README.md": "index.html"}
    assert {generator.urls for generator in GENERATORS.values()} <= {*URLS}


def test_an_address_that_front_matter_would_set() -> None:
    said = {"a.md": {"url": "/:slug/x"}, "b.md": {"url": "y", "slug": "z"}, "c.md": {"slug": [1]}}
    found = URLS["hugo"].locate(said, GENERATORS["hugo"], lambda name: said[name])
    assert found == {"a.md": "a/", "b.md": "y/", "c.md": "c/"}, "what :slug stands for is not known"


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ({"expiryDate": "2020-01-02"}, False),
        ({"expirydate": "2020-01-02T03:04:05Z"}, False),
        ({"ExpiryDate": "2999-01-02T03:04:05+02:00"}, True),
        ({"date": "2999-01-02"}, False),
        ({"publishDate": "2020-01-02", "date": "2999-01-02"}, True),
        ({"expiryDate": "soon"}, True),
        ({"expiryDate": 2020}, True),
    ],
)
def test_what_hugo_shows_for_a_time_only(said: dict[str, object], made: bool) -> None:
    found = URLS["hugo"].locate(["a.md"], GENERATORS["hugo"], lambda _: said)
    assert found == ({"a.md": "a/"} if made else {})


def test_a_page_whose_address_cannot_be_read() -> None:
    Path("docs").mkdir()
    Path("docs/01-a.md").write_bytes(b"---\nslug: \xff\n---\n# A\n")
    Path("docs/02-b.md").write_text("# B\n", encoding="utf-8")
    result = site("docs", anchors="docusaurus")
    assert result.exit_code == 1
    assert (result.stderr.count("\n"), "01-a.md: not UTF-8" in result.stderr) == (1, True)
    assert json.loads(result.stdout)["url"] == f"{URL}b"


def test_a_page_that_the_site_does_not_have() -> None:
    Path("docs").mkdir()
    for name in ("index", "README"):
        Path(f"docs/{name}.md").write_text(f"# {name}\n", encoding="utf-8")
    result = site("docs")
    assert result.exit_code == 0
    assert result.stderr.startswith("mdchunk: README.md: left out, since it makes no page")
    assert [json.loads(line)["source"] for line in result.stdout.split("\n")[:-1]] == ["index.md"]


def test_front_matter_that_cannot_be_read_is_told_in_one_line() -> None:
    Path("docs").mkdir()
    Path("docs/a.md").write_text("---\na: [\n---\n# A\n", encoding="utf-8")
    result = site("docs")
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
    assert result.stderr.startswith("mdchunk: a.md: front matter")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_header_of_an_article(end: str) -> None:
    """Pelican's articles have one in place of front matter."""
    Path("docs").mkdir()
    texts = {
        "a.md": "Title: The tides\nTags: sea,\n    moon\n\n# A\n\nWords.\n",
        "bom.md": "\ufefftitle: Two\n   \n## B\n",
        "draft.md": "Title: Draft\nStatus: draft\n\n# D\n",
        "empty.md": "Title: A header and no text",
        "note.md": "Note: this is\na sentence.\n\n# N\n",
        "no-title.md": "Note: this\n\n# N\n",
        "text.md": "Title: as text\n# T\n",
        "x.md": "---\ntitle: Three\n---\n# C\n",
    }
    texts = {name: text.replace("\n", end) for name, text in texts.items()}
    for name, text in texts.items():
        Path("docs", name).write_text(text, encoding="utf-8", newline="")
    found = [json.loads(line) for line in site("docs").stdout.split("\n")[:-1]]
    by_source = {record["source"]: record for record in found}
    assert {name: record["title"] for name, record in by_source.items()} == {
        "a.md": "The tides",
        "bom.md": "Two",
        "no-title.md": "N",
        "note.md": "N",
        "text.md": "T",
        "x.md": "Three",
    }
    assert by_source["a.md"]["tags"] == ["sea", "moon"]
    assert by_source["a.md"]["metadata"] == {"title": "The tides", "tags": "sea,\nmoon"}
    for record in found:
        source = texts[record["source"]]
        assert source[record["start"] : record["end"]] == record["text"]
        first = source.split(end)[record["start_line"] - 1]
        assert first.endswith(record["text"].split(end)[0])
    assert [by_source[name]["start_line"] for name in ("a.md", "bom.md", "x.md")] == [5, 3, 4]
    other = site("docs", anchors="github").stdout
    assert json.loads(other.split("\n")[0])["text"].startswith("Title: The tides")


def test_records_of_an_earlier_run_are_kept_where_nothing_is_read() -> None:
    Path("docs").mkdir()
    page = Path("docs/a.md")
    page.write_text("# A\n", encoding="utf-8")
    assert site("docs", "-o", "out").exit_code == 0
    before = [path.read_bytes() for path in sorted(Path("out").iterdir())]
    page.write_bytes(b"\xff")
    assert site("docs", "-o", "out").exit_code == 1
    page.unlink()
    assert site("docs", "-o", "out").exit_code == 1
    assert [path.read_bytes() for path in sorted(Path("out").iterdir())] == before


def test_a_heading_with_a_number_of_any_length_stops_no_run() -> None:
    Path("docs").mkdir()
    Path("docs/a.md").write_text(f"# a_{'9' * 5_000}\n\nText.\n\n" * 2, encoding="utf-8")
    result = site("docs", "--split-headings", "1")
    assert result.exit_code == 0, result.output
    anchors = {json.loads(line)["anchor"] for line in result.stdout.splitlines()}
    assert {anchor[5_000:] for anchor in anchors} == {"99", "99_1"}


def ids(markdown: str, html: str) -> list[str]:
    return [place.id for place in align(parse(markdown), html_anchors(html))]


def test_headings_are_aligned() -> None:
    page = (
        '<h1 id="top">The <em>top</em> &amp; &quot;more&quot;<a class="headerlink">¶</a></h1>'
        '<h2 id="new">New</h2><p>Only here.</p>'
        '<h2 id="s">Same</h2><p>Included.</p><h2 id="s1">Same</h2><p>Written by us.</p>'
        '<h2 id="pic">A <img alt="tide"> <svg><svg></svg><title>x</title></svg></h2>'
        '<h2><a id="inner"></a>Inner</h2><h2 id="n">Note<sup id="fnref:1">1</sup></h2>'
    )
    source = (
        "# The *top* & “more”\n\n## Lost\n\n## Same\n\nWritten by us.\n\n"
        "## A ![tide](x.png) :smile:\n\n## Inner\n\n## Note\n"
    )
    assert ids(source, page) == ["top", "", "s1", "pic", "inner", "n"]


@pytest.mark.parametrize("anchors", GENERATORS)
def test_a_heading_in_html_has_the_id_that_is_written_there(anchors: str) -> None:
    """It takes no part in the numbers of ids, and none of the place of the heading behind it."""
    Path("docs").mkdir()
    text = '# T\n\n## B\n\nOne.\n\n<h2 id="own">B</h2>\n\nTwo.\n\n## C\n\nThree.\n'
    Path("docs/a.md").write_text(text, encoding="utf-8")
    result = site("docs", "--chunk-size", "6", anchors=anchors)
    assert result.exit_code == 0
    records = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    below = {
        word: it["anchor"]
        for it in records
        for word in ("One", "Two", "Three")
        if word in it["text"]
    }
    assert below == {"One": "b", "Two": "own", "Three": "c"}


BELOW = "The same below each."


def headings(texts: str) -> str:
    """A page of headings of one letter each with one text below; their ids are their places."""
    return "".join(f'<h2 id="{at}">{text}</h2><p>{BELOW}</p>' for at, text in enumerate(texts))


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("aaa", "aaa", "0 1 2"),
        ("aaab", "aaaab", "1 2 3 4"),  # what stands before a sure one is next to it
        ("baaa", "baaaa", "0 1 2 3"),
        ("abaca", "abxaca", "0 1 3 4 5"),
        ("aprbprcpr", "aprxprbpcpr", "0 1 2 6 7 - 8 9 10"),
        ("ab", "ba", "- 0"),
        ("aa", "x" * 99 + "aa", "99 100"),
        ("aab", "b" + "x" * 99 + "aa", "- - 0"),  # the only one of its text is sure
    ],
)
def test_headings_that_one_side_has_more_of(ours: str, theirs: str, expected: str) -> None:
    source = "".join(f"## {text}\n\n{BELOW}\n\n" for text in ours)
    assert " ".join(id_ or "-" for id_ in ids(source, headings(theirs))) == expected


def test_equal_headings_with_little_below_them_are_told_apart() -> None:
    """What then follows is set differently on both sides."""
    page = (
        '<h2 id="s">Same</h2><p>Included.</p><h2 id="s1">Same</h2><p>Ours.</p>'
        '<div class="admonition"><p>Title</p><p>More.</p></div>'
    )
    assert ids('## Same\n\nOurs.\n\n!!! note "Title"\n\n    More.\n', page) == ["s1"]


def test_a_heading_that_the_host_has_changed_is_told_by_what_follows_it() -> None:
    """As a plugin for symbols, keys or links does; the level must be the same."""
    source = (
        "# A\n\nOne.\n\n## Copy (c) 1/2\n\nTwo things that stand below.\n\n"
        "## Lost\n\nThree things below it.\n\n## B\n\nFour.\n"
    )
    page = (
        '<h1 id="a">A</h1><p>One.</p><h2 id="copy">Copy © ½</h2><p>Two things that stand below.</p>'
        '<h2 id="new">New</h2><p>Included.</p><h3 id="deep">Deep</h3><p>Three things below it.</p>'
        '<h2 id="b">B</h2><p>Four.</p>'
    )
    assert ids(source, page) == ["a", "copy", "", "b"]
    bare = '<h2 id="x">X</h2><h2 id="y">Y</h2>'
    assert ids("## One\n\n## Two\n", bare) == ["", ""], "what nothing follows is told by nothing"


def test_headings_in_containers_take_the_place_of_no_other() -> None:
    page = '<blockquote><h2 id="q">Same</h2></blockquote><h2 id="own">Same</h2>'
    assert ids("> ## Same\n\n## Same\n", page) == ["own"]
    assert ids("- ## Same\n\n## Same\n", page) == ["own"]


def test_broken_html_is_read_all_the_same() -> None:
    assert ids("# A\n\n# B\n", '<h1 id="a">A<h1 id="b">B</h1></h2><script>"<h1>"</script>') == [
        "",
        "b",
    ]
    assert ids("# A\n", "") == [""]


def test_search_forms_hold_what_a_reader_sees() -> None:
    Path("docs").mkdir()
    text = "# A\n\nSee **[this](b.md)**.\n\n# B\n\n<!-- a remark -->\n"
    Path("docs/index.md").write_text(text, encoding="utf-8")
    args = ("--chunk-size", "12", "--chunk-overlap", "0", "--unit", "characters", "-o", "out")
    result = site("docs", *args, "--form", "docsearch", "--form", "pagefind", "--form", "llms")
    assert result.exit_code == 0, result.stderr
    records = read_records(Path("out"))
    assert "remark" in "".join(record["text"] for record in records)
    hits = json.loads(Path("out/docsearch.json").read_text(encoding="utf-8"))
    shown = [hit["content"] for hit in hits if hit["type"] == "content"]
    lines = Path("out/pagefind.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert [json.loads(line)["content"] for line in lines] == shown
    assert shown == [record["plain"] for record in records if record["plain"]]
    said = " ".join(shown)
    assert "this" in said
    assert not {"[", "*", "b.md", "remark"} & {*said.split(), *said}
    assert site("docs", *args, "--form", "llms").exit_code == 0
    assert {record["plain"] for record in read_records(Path("out"))} == {""}, "nobody asked for it"
