"""The plugin in MkDocs and in ProperDocs: real builds, and a real server."""

import hashlib
import inspect
import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from sites import (
    FIXTURES,
    Record,
    assert_below,
    copy_site,
    environment,
    needs,
    page_file,
    read_records,
    run,
)

from mdchunk.files.schema import SCHEMA_VERSION
from mdchunk.integrations.sites.records import FIELDS

HOSTS = [
    pytest.param("mkdocs", marks=needs("mkdocs")),
    pytest.param("properdocs", marks=needs("properdocs", "properdocs_theme_mkdocs")),
]
PAGES = [
    "index.md",
    "guide/install.md",
    "guide/reading.md",
    "reference/format.md",
    "reference/errors.md",
    "loose.md",
]
"""In the order of the navigation; a draft and a page that the search leaves out are not there."""


class Built:
    def __init__(self, host: str, site: Path) -> None:
        self.host, self.site, self.out = host, site, site / "out"
        self.log = self.build()

    def build(self, *flags: str) -> str:
        command = ("build", "--strict", "-d", "out", "--verbose", *flags)
        return run(self.host, *command, cwd=self.site).stderr

    @property
    def records(self) -> list[Record]:
        return read_records(self.out)


@pytest.fixture(scope="module", params=HOSTS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp(request.param)
    return Built(request.param, copy_site("handbook", folder))


@pytest.fixture(params=HOSTS)
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Built:
    """A build that a test may change."""
    return Built(request.param, copy_site("handbook", tmp_path))


def configure(site: Path, old: str, new: str) -> None:
    path = site / "mkdocs.yml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def html_below(path: Path, anchor: str) -> str:
    """Give the text of a page from the element with an id on."""
    html = path.read_text(encoding="utf-8")
    if anchor:
        places = [match.start() for match in re.finditer(f' id="{re.escape(anchor)}"', html)]
        assert len(places) == 1, (path, anchor)
        html = html[html.rindex("<", 0, places[0]) :]
    return unescape(re.sub(r"<[^>]*>", "", html))


def test_a_record_has_its_fields_in_order(built: Built) -> None:
    for record in built.records:
        assert tuple(record) == FIELDS
        assert tuple(record["hierarchy"]) == tuple(f"lvl{level}" for level in range(7))


def test_pages_come_as_the_navigation_has_them(built: Built) -> None:
    assert list(dict.fromkeys(record["source"] for record in built.records)) == PAGES
    indexes = [record["index"] for record in built.records]
    assert indexes[:4] == [0, 1, 2, 3]
    assert indexes.count(0) == len(PAGES)


def test_ids_are_the_sites_own(built: Built) -> None:
    ids = [record["key"] for record in built.records]
    assert len(set(ids)) == len(ids)


def test_text_and_lines_are_the_files(built: Built) -> None:
    for record in built.records:
        source = (built.site / "docs" / record["source"]).read_text(encoding="utf-8")
        assert source[record["start"] : record["end"]] == record["text"]
        lines = source.split("\n")[record["start_line"] - 1 : record["end_line"]]
        assert lines[0].endswith(record["text"].split("\n")[0].rstrip())
        assert record["text"].rstrip().split("\n")[-1] in lines[-1]


def test_anchors_are_those_of_the_page(built: Built) -> None:
    shown = [
        (record, html_below(page_file(built.out, record["location"]), record["anchor"]))
        for record in built.records
    ]
    assert_below(shown)
    anchors = {record["anchor"] for record in built.records}
    # below toc_depth, an attribute list, two of one title, one of no Latin letter, one in a quote
    assert {"a-note-on-the-mean", "bucket-test", "test_1", "overview_1", "_1"} <= anchors
    assert "a-heading-in-a-quotation" not in anchors


def test_addresses_and_titles(built: Built) -> None:
    by_place = {record["location"]: record for record in reversed(built.records)}
    note = by_place["reference/format/#a-note-on-the-mean"]
    assert note["url"] == "https://gauges.example/handbook/" + note["location"]
    assert note["title"] == "The file format"
    assert note["section"] == "A note on the mean"
    assert list(note["hierarchy"].values()) == ["Reference", *note["headings"]]
    before = by_place["guide/reading/"]
    assert before["anchor"] == ""
    assert before["section"] == before["title"] == before["hierarchy"]["lvl1"] == "Reading"
    start = by_place["#the-gauge-handbook"]
    assert start["title"] == "Welcome"
    assert start["hierarchy"]["lvl0"] == "Gauge handbook"
    assert start["tags"] == ["start", "tides"]
    assert start["metadata"]["reviewed"] == "2025-03-01"
    assert before["tags"] == ["reading", "tables"]


def test_options_are_obeyed(built: Built) -> None:
    assert max(record["size"] for record in built.records) <= 60
    inner = next(record for record in built.records if record["start_line"] == 20)
    assert inner["contextualized"].startswith("# Set up a station\n## Mount the sensor\n\n2. Hang")


def test_the_description_is_of_these_records(built: Built) -> None:
    meta = json.loads((built.out / "chunks.meta.json").read_text(encoding="utf-8"))
    body = (built.out / "chunks.jsonl").read_bytes()
    sizes = [record["size"] for record in built.records]
    assert meta["sha256"] == hashlib.sha256(body).hexdigest()
    assert meta["counts"] == {"pages": len(PAGES), "chunks": len(sizes), "size": sum(sizes)}
    assert (meta["schema_version"], meta["unit"], meta["chunk_size"]) == (
        SCHEMA_VERSION,
        "tokens",
        60,
    )
    assert re.fullmatch(r"[0-9a-f]{16}", meta["options_fingerprint"])
    assert meta["generator"].startswith(f"{built.host} ")


def test_docsearch(built: Built) -> None:
    hits = json.loads((built.out / "docsearch.json").read_text(encoding="utf-8"))
    content = [hit for hit in hits if hit["type"] == "content"]
    assert [hit["content"] for hit in content] == [
        record["plain"] for record in built.records if record["plain"]
    ]
    assert len({hit["objectID"] for hit in hits}) == len(hits)
    for record in built.records:
        for section in record["sections"]:
            urls = [hit["url"] for hit in hits if hit["type"] != "content"]
            assert urls.count(section["url"]) == 1
    note = next(hit for hit in hits if hit["anchor"] == "a-note-on-the-mean")
    assert (note["type"], note["content"]) == ("lvl6", None)
    assert note["url"].partition("#")[0] == note["url_without_anchor"]


def test_pagefind(built: Built) -> None:
    lines = (built.out / "pagefind.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    entries = [json.loads(line) for line in lines]
    shown = [record for record in built.records if record["plain"]]
    assert [entry["url"] for entry in entries] == [record["url"] for record in shown]
    sections = [json.loads(entry["meta"].pop("sections")) for entry in entries]
    assert sections == [
        [{"title": s["title"], "url": s["url"]} for s in record["sections"]] for record in shown
    ]
    assert entries[0] == {
        "url": "https://gauges.example/handbook/#the-gauge-handbook",
        "content": built.records[0]["plain"],
        "language": "en",
        "meta": {"title": "The gauge handbook", "page": "Welcome"},
        "filters": {"section": ["Gauge handbook"], "tag": ["start", "tides"]},
    }


def test_llms(built: Built) -> None:
    index = (built.out / "llms.txt").read_text(encoding="utf-8")
    assert index.startswith("# Gauge handbook\n\n> How the tide gauges are read")
    assert (
        "\n## Docs\n\n- [Welcome](https://gauges.example/handbook/): What a gauge is for, and "
        "where to begin.\n" in index
    )
    whole = (built.out / "llms-full.txt").read_text(encoding="utf-8")
    source = (built.site / "docs" / "reference" / "format.md").read_text(encoding="utf-8")
    title, _, text = source.partition("\n")
    url = "https://gauges.example/handbook/reference/format/"
    assert f"\n{title}\n\nSource: {url}\n\n{text.strip()}\n" in whole


def test_a_heading_without_an_anchor_is_no_reason_to_fail(own: Built) -> None:
    page = own.site / "docs" / "loose.md"
    # one processor ends the HTML at the blank line, the other does not
    page.write_text("# Loose\n\n<div>\n\n## Lost\n\nText.\n\n</div>\n", encoding="utf-8")
    log = own.build()
    said = "loose.md:5: the page has no anchor for the heading 'Lost'"
    assert re.search(f"INFO +-  mdchunk: {re.escape(said)}", log)
    assert {r["anchor"] for r in own.records if r["source"] == "loose.md"} == {"loose"}


def test_pages_as_files(own: Built) -> None:
    configure(own.site, "use_directory_urls: true", "use_directory_urls: false")
    configure(own.site, "site_url: https://gauges.example/handbook/\n", "")
    own.build()
    urls = {record["source"]: record["url"] for record in reversed(own.records)}
    assert urls["index.md"] == "index.html#the-gauge-handbook"
    assert urls["guide/reading.md"] == "guide/reading.html"
    assert page_file(own.out, urls["guide/reading.md"]).is_file()


def test_a_start_page_without_a_site_address(own: Built) -> None:
    configure(own.site, "site_url: https://gauges.example/handbook/\n", "")
    own.build()
    first = own.records[0]
    assert (first["location"], first["url"]) == ("#the-gauge-handbook", "./#the-gauge-handbook")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("chunk_size: 60", "chunk_sise: 60", "chunk_sise: no such key, perhaps chunk_size"),
        ("chunk_size: 60", "chunk_size: none", "chunk_size: 'none' is not allowed"),
        ("chunk_size: 60", "dialects: [gmf]", "gmf"),
        ("[docsearch, ", "[docserch, ", "forms: 'docserch' is not allowed; allowed are docsearch"),
        ("[docsearch, ", "[{docsearch: {}}, ", "forms: {'docsearch': {}} is not allowed; allowed"),
        ("[docsearch, ", "[[llms], ", "forms: ['llms'] is not allowed; allowed are docsearch"),
    ],
)
@pytest.mark.parametrize("host", HOSTS)
def test_wrong_options(host: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    site = copy_site("handbook", tmp_path)
    configure(site, old, new)
    done = run(host, "build", "-d", "out", cwd=site, check=False)
    assert done.returncode == 1
    assert "mdchunk: " in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_switched_off(own: Built) -> None:
    (own.out / "chunks.jsonl").unlink()
    configure(own.site, "  - mdchunk:\n", "  - mdchunk:\n      enabled: false\n")
    own.build()
    assert not (own.out / "chunks.jsonl").exists()


def test_pages_that_the_options_leave_out(own: Built) -> None:
    configure(own.site, "chunk_size: 60", "chunk_size: 60\n        exclude: ['guide/', loose.md]")
    own.build()
    left = [page for page in PAGES if not page.startswith(("guide", "loose"))]
    assert list(dict.fromkeys(record["source"] for record in own.records)) == left


def test_a_dirty_build_after_the_pages_that_are_left_out_changed(own: Built) -> None:
    def dirty() -> str:
        return run(own.host, "build", "--dirty", "-d", "out", cwd=own.site).stderr

    configure(own.site, "chunk_size: 60", "chunk_size: 60\n        exclude: [loose.md]")
    assert "build once without --dirty" in dirty()
    assert own.records == []
    own.build()
    before = own.records
    assert "loose.md" not in {record["source"] for record in before}
    assert "build once without --dirty" not in dirty()
    assert own.records == before


def test_markdown_is_taken_as_other_plugins_leave_it(own: Built) -> None:
    hook = 'def on_page_markdown(text, **_):\n    return text.replace("harbour", "port")\n'
    (own.site / "hook.py").write_text(hook, encoding="utf-8")
    configure(own.site, "plugins:\n", "hooks: [hook.py]\nplugins:\n")
    own.build()
    assert any("port office" in record["text"] for record in own.records)
    assert not any("harbour" in record["text"] for record in own.records)


def test_a_dirty_build_keeps_what_it_does_not_render(own: Built) -> None:
    before = own.records
    page = own.site / "docs" / "loose.md"
    page.write_text("# Changed\n\nNew words.\n", encoding="utf-8")
    (own.site / "docs" / "reference" / "errors.md").unlink()
    configure(own.site, "      - reference/errors.md\n", "")
    run(own.host, "build", "--dirty", "-d", "out", cwd=own.site)
    gone = ("loose.md", "reference/errors.md")
    kept = [record for record in before if record["source"] not in gone]
    assert own.records[:-1] == kept
    assert own.records[-1]["text"] == "# Changed\n\nNew words."
    # other options make other chunks, so that nothing of the old ones may stay
    configure(own.site, "chunk_size: 60", "chunk_size: 50")
    done = run(own.host, "build", "--dirty", "-d", "out", cwd=own.site)
    assert "build once without --dirty" in done.stderr
    assert own.records == []


class Server:
    """The server of a host, with what it has built last."""

    def __init__(self, host: str, site: Path, *flags: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/handbook/"
        address = ("--dev-addr", f"127.0.0.1:{port}", "--livereload")
        command = [sys.executable, "-m", host, "serve", *address, *flags]
        self.log = (site / "serve.log").open("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            command, cwd=site, env=environment(), stdout=self.log, stderr=self.log
        )

    def records(self) -> list[Record]:
        with urllib.request.urlopen(self.url + "chunks.jsonl", timeout=5) as answer:
            return [json.loads(line) for line in answer.read().decode().split("\n")[:-1]]

    def wait(self, holds: Callable[[list[Record]], bool]) -> list[Record]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                found = self.records()
            except (OSError, ValueError):
                found = []
            if found and holds(found):
                return found
            assert self.process.poll() is None
            time.sleep(0.2)
        self.log.seek(0)
        raise AssertionError(self.log.read())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[(), ("--dirty",)], ids=["clean", "dirty"])
def server(
    request: pytest.FixtureRequest, host: str, tmp_path: Path
) -> Iterator[tuple[Server, Path]]:
    site = copy_site("handbook", tmp_path)
    running = Server(host, site, *request.param)
    yield running, site
    running.stop()


def test_serve_with_an_edited_an_added_and_a_removed_page(server: tuple[Server, Path]) -> None:
    running, site = server
    docs = site / "docs"

    def sources(records: list[Record]) -> set[str]:
        return {record["source"] for record in records}

    first = running.wait(lambda records: sources(records) == set(PAGES))
    assert all(record["url"].startswith(running.url) for record in first)
    (docs / "loose.md").write_text("# A loose page\n\nEdited words.\n", encoding="utf-8")
    edited = running.wait(lambda records: "Edited" in records[-1]["text"])
    assert edited[:-1] == first[:-1]
    (docs / "added.md").write_text("# Added\n\n## Deep\n\nMore.\n", encoding="utf-8")
    added = running.wait(lambda records: "added.md" in sources(records))
    assert [r for r in added if r["source"] != "added.md"] == edited
    (docs / "added.md").unlink()
    removed = running.wait(lambda records: "added.md" not in sources(records))
    assert removed == edited
    hidden = "---\nsearch:\n  exclude: true\n---\n# A loose page\n\nHidden words.\n"
    (docs / "loose.md").write_text(hidden, encoding="utf-8")
    assert running.wait(lambda records: "loose.md" not in sources(records)) == edited[:-1]


def test_serve_after_a_build_that_failed(host: str, tmp_path: Path) -> None:
    site = copy_site("handbook", tmp_path)
    hook = "def on_page_markdown(text, **_):\n    assert 'Unbuilt' not in text, 'as asked'\n"
    (site / "hook.py").write_text(hook, encoding="utf-8")
    configure(site, "plugins:\n", "hooks: [hook.py]\nplugins:\n")
    page = site / "docs" / "loose.md"
    running = Server(host, site)
    try:
        running.wait(bool)
        page.write_text("# Loose\n\nUnbuilt words.\n", encoding="utf-8")
        end = time.monotonic() + 60
        # the host answers nothing until it can build again
        while "as asked" not in (site / "serve.log").read_text(encoding="utf-8"):
            assert time.monotonic() < end
            time.sleep(0.2)
        page.write_text("# Loose\n\nMended words.\n", encoding="utf-8")
        running.wait(lambda records: "Mended" in records[-1]["text"])
    finally:
        running.stop()


@needs("mkdocs")
def test_hooks_take_their_context_by_name() -> None:
    from mdchunk.integrations.mkdocs import LATE, MdchunkPlugin

    for name, hook in vars(MdchunkPlugin).items():
        if name.startswith("on_"):
            parameters = list(inspect.signature(hook).parameters.values())
            assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:]), name
    late = MdchunkPlugin.on_page_markdown, MdchunkPlugin.on_page_content
    assert [hook.mkdocs_priority for hook in late] == [LATE, LATE] == [-100, -100]


@needs("mkdocs", "material")
def test_material(tmp_path: Path) -> None:
    """Admonitions, tabs, snippets, attribute lists, emoji, HTML with Markdown in it."""
    site = copy_site("material", tmp_path)
    log = run("mkdocs", "build", "--strict", "-d", "out", cwd=site).stderr
    assert "no anchor" not in log
    records = read_records(site / "out")
    out = site / "out"
    assert_below([(r, html_below(page_file(out, r["location"]), r["anchor"])) for r in records])
    found = {record["section"]: record["anchor"] for record in records}
    assert found["Attributes"] == "own-id"
    assert found["Safety"] == "safety_1", "the one with this title that was included comes first"
    assert records[0]["tags"] == ["start"]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def addresses(records: list[Record]) -> dict[str, str]:
    """Give the address of each source's first chunk."""
    return {record["source"]: record["location"] for record in reversed(records)}


@needs("mkdocs", "material")
def test_posts_of_a_blog(tmp_path: Path) -> None:
    """The blog hides them until the navigation is made."""
    post = (
        "---\ndate: 2024-01-31\n---\n# First post\n\nWords.\n\n<!-- more -->\n\n## Rest\n\nMore.\n"
    )
    config = "site_name: B\ntheme: {name: material, font: false}\nplugins: [blog, mdchunk]\n"
    site = write(
        tmp_path,
        {
            "mkdocs.yml": config,
            "docs/index.md": "# Home\n\nWords.\n",
            "docs/blog/index.md": "# Blog\n",
            "docs/blog/posts/first.md": post,
            "docs/blog/posts/draft.md": post.replace("---\n#", "draft: true\n---\n#"),
        },
    )
    run("mkdocs", "build", "-q", "--strict", "-d", "out", cwd=site)
    found = addresses(read_records(site / "out"))
    assert found["blog/posts/first.md"] == "blog/2024/01/31/first-post/#first-post"
    assert "blog/posts/draft.md" not in found
    assert page_file(site / "out", found["blog/posts/first.md"]).is_file()


PLUGINS = ["i18n", "mdchunk"]
LANGUAGES = {
    "suffix": {"index.md": "", "only.md": "only/", "index.de.md": "de/"},
    "folder": {"en/index.md": "", "en/only.md": "only/", "de/index.md": "de/"},
}


@needs("mkdocs", "material", "mkdocs_static_i18n")
@pytest.mark.parametrize("plugins", [PLUGINS, PLUGINS[::-1]], ids=" ".join)
@pytest.mark.parametrize("structure", LANGUAGES)
def test_a_build_for_each_language(structure: str, plugins: list[str], tmp_path: Path) -> None:
    """Each further language is built within the end of the first; pages shown twice count once."""
    settings = {
        "i18n": f"docs_structure: {structure}, languages: [{{locale: en, default: true, name: E}}, "
        "{locale: de, name: D}]",
        "mdchunk": "forms: [docsearch]",
    }
    listed = "".join(f"  - {name}: {{{settings[name]}}}\n" for name in plugins)
    config = f"site_name: B\ntheme: {{name: material, font: false}}\nplugins:\n{listed}"
    where = LANGUAGES[structure]
    docs = {f"docs/{name}": f"# Title of {name}\n\nWords.\n" for name in where}
    site = write(tmp_path, {"mkdocs.yml": config, **docs})
    for flags in ((), ("--dirty",)):
        run("mkdocs", "build", "-q", "-d", "out", *flags, cwd=site)
        records = read_records(site / "out")
        assert {r["source"]: r["location"].partition("#")[0] for r in records} == where
        assert all(
            r["anchor"] and page_file(site / "out", r["location"]).is_file() for r in records
        )
        assert len({r["key"] for r in records}) == len(records) == len(where)
    run("mkdocs", "build", "-q", "-d", "out", cwd=site)
    hits = json.loads((site / "out" / "docsearch.json").read_text(encoding="utf-8"))
    assert {hit["url"].lstrip("./").startswith("de/"): hit["lang"] for hit in hits} == {
        False: "en",
        True: "de",
    }


@needs("mkdocs", "material")
def test_lists_of_tags(tmp_path: Path) -> None:
    """Material writes a heading of its own for a list until it has read all pages."""
    page = "# Tags\n\nWords.\n\n## All\n\nWords.\n\n<!-- material/tags -->\n\n## After\n\nWords.\n"
    config = (
        "site_name: T\ntheme: {name: material, font: false}\n"
        "plugins:\n  - tags\n  - mdchunk: {options: {split_headings: 6}}\n"
    )
    docs = {"docs/index.md": "---\ntags: [a, b]\n---\n# Home\n", "docs/tags.md": page}
    site = write(tmp_path, {"mkdocs.yml": config, **docs})
    log = run("mkdocs", "build", "--strict", "-d", "out", cwd=site).stderr
    assert "no anchor" not in log
    records = [r for r in read_records(site / "out") if r["source"] == "tags.md"]
    assert [record["anchor"] for record in records] == ["tags", "all", "after"]
    assert all(page[record["start"] : record["end"]] == record["text"] for record in records)


@needs("mkdocs")
def test_what_front_matter_may_hold(tmp_path: Path) -> None:
    """The host reads it as Python values, which JSON may not have or which have no end."""
    said = {
        "a.md": "set: !!set {b, a, c}\nbytes: !!binary aGVsbG8=\nkey: {1: .inf}",
        "b.md": "title: ''",
        "c.md": "loop: &x [*x]",
        "d.md": "digits: 0x" + "f" * 5_000,
    }
    docs = {f"docs/{name}": f"---\n{text}\n---\n# Page\n" for name, text in said.items()}
    config = "site_name: F\nplugins:\n  - mdchunk: {forms: [llms]}\n"
    site = write(tmp_path, {"mkdocs.yml": config, **docs})
    log = run("mkdocs", "build", "--strict", "-d", "out", cwd=site).stderr
    assert "mdchunk: c.md: front matter is left out: more than 100000 values, or deeper" in log
    found = {record["source"]: record for record in read_records(site / "out")}
    assert [record["start_line"] for record in found.values()] == [6, 4, 4, 4]
    assert found["a.md"]["metadata"] == {
        "set": ["a", "b", "c"],
        "bytes": "aGVsbG8=",
        "key": {"1": "inf"},
    }
    assert found["b.md"]["title"] == "Page"
    assert found["c.md"]["metadata"] == {}
    assert found["d.md"]["metadata"]["digits"] == "0x" + "f" * 5_000
    assert "- [Page](b/)" in (site / "out" / "llms.txt").read_text(encoding="utf-8")


@needs("mkdocs")
def test_what_front_matter_keeps_out(tmp_path: Path) -> None:
    """Material's search goes by whether ``exclude`` is true of anything, so that a text counts."""
    said = {
        "kept": ["draft: false", "search: {boost: 2}", "search: {exclude: false}", "search:"],
        "left": ["draft: true", "search: {exclude: true}", "search: {exclude: 'true'}"],
    }
    docs = {
        f"docs/{name}{number}.md": f"---\n{line}\n---\n# Page\n"
        for name, lines in said.items()
        for number, line in enumerate(lines)
    }
    site = write(tmp_path, {"mkdocs.yml": "site_name: F\nplugins: [mdchunk]\n", **docs})
    run("mkdocs", "build", "-q", "-d", "out", cwd=site)
    kept = [f"kept{number}.md" for number in range(4)]
    assert sorted(addresses(read_records(site / "out"))) == kept


@needs("mkdocs")
@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_line_ends_and_a_byte_order_mark(end: str, tmp_path: Path) -> None:
    """The host takes both off a file; offsets are the file's all the same."""
    head = "---\ntags: [a]\n---\n"
    body = "# A\n\nSome words.\n\n## B\n\n- more\n- words\n"
    docs = {
        "docs/index.md": f"\ufeff{body}".replace("\n", end),
        "docs/b.md": f"\ufeff{head}\n{body}".replace("\n", end),
        "docs/c.md": f"{head}{body}".replace("\n", end),
    }
    config = "site_name: E\nplugins:\n  - mdchunk: {options: {split_headings: 2}}\n"
    site = write(tmp_path, {"mkdocs.yml": config, **docs})
    run("mkdocs", "build", "-q", "--strict", "-d", "out", cwd=site)
    records = read_records(site / "out")
    assert [record["anchor"] for record in records] == ["a", "b"] * 3
    for record in records:
        source = docs[f"docs/{record['source']}"]
        assert source[record["start"] : record["end"]] == record["text"]
        first = source.split(end)[record["start_line"] - 1]
        assert first.endswith(record["text"].split(end)[0])


def test_the_plugin_is_found() -> None:
    from importlib.metadata import entry_points

    found = entry_points(group="mkdocs.plugins", name="mdchunk")
    assert [point.value for point in found] == ["mdchunk.integrations.mkdocs:MdchunkPlugin"]
    assert (FIXTURES / "handbook" / "mkdocs.yml").is_file()
