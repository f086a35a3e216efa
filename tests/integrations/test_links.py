"""Links in the text for answers: they lead from anywhere to where the page's own links lead."""

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from sites import ROOT, Record, needs, page_file, read_records, run

import mdchunk
from mdchunk.cli import cli
from mdchunk.integrations.sites.links import LinkedText, Where, whole_address

URL = "https://gauges.example/handbook/"
HERE = Where("guide/start.md", f"{URL}guide/start/", URL, lambda _: None)
SPEC = json.loads((ROOT / "fixtures/commonmark/spec-0.31.2.json").read_text(encoding="utf-8"))
DOCUMENTS = sorted((ROOT / "fixtures" / "documents").rglob("*.md"))


class Addresses(HTMLParser):
    """Reads the addresses of links and images in HTML, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = {"a": "href", "img": "src"}.get(tag)
        self.found += [value.strip() for key, value in attrs if key == name and value]


def rendered(source: str) -> list[str]:
    """Return the addresses of what a CommonMark renderer makes of a source."""
    return Addresses(MarkdownIt("commonmark").render(source)).found


def answer(source: str, where: Where = HERE) -> str:
    return LinkedText(mdchunk.parse(source), where).alone(0, len(source))


KNOWN = {"guide/install.md": "guide/install/", "index.md": "", "img/dial 1.png": "img/dial%201.png"}
SITE = HERE._replace(find=KNOWN.get)


@pytest.mark.parametrize(
    ("target", "leads_to"),
    [
        ("install.md", f"{URL}guide/install/"),
        ("./install.md#tools", f"{URL}guide/install/#tools"),
        ("../index.md", URL),
        ("/guide/install.md?v=2#a b", f"{URL}guide/install/?v=2#a%20b"),
        ("../img/dial%201.png", f"{URL}img/dial%201.png"),
        ("#here", f"{URL}guide/start/#here"),
        ("?page=2", f"{URL}guide/start/?page=2"),
        ("unknown.md", f"{URL}guide/start/unknown.md"),
        ("../other/", f"{URL}guide/other/"),
        ("/elsewhere", "https://gauges.example/elsewhere"),
        ("a (b).pdf", f"{URL}guide/start/a%20%28b%29.pdf"),
    ],
)
def test_a_relative_target_has_the_whole_address(target: str, leads_to: str) -> None:
    assert whole_address(target, SITE) == leads_to


@pytest.mark.parametrize(
    "target",
    [
        *("https://a.example/b.md", "//cdn.example/x.js", "mailto:a@b.example", "data:,x", ""),
        *("{{ site.url }}/a", "{filename}a.md", "//[", "http://["),
    ],
)
def test_what_is_whole_or_of_a_template_stays(target: str) -> None:
    assert whole_address(target, SITE) == target


def test_generators_leave_html_alone() -> None:
    assert whole_address("install.md", SITE, html=True) == f"{URL}guide/start/install.md"


def test_a_name_is_looked_for_before_a_path() -> None:
    where = SITE._replace(labels={"tools": "reference/tools/#tools"})
    for target in ("tools", "#tools"):
        assert whole_address(target, where) == f"{URL}reference/tools/#tools"
    assert whole_address("tools", where, html=True) == f"{URL}guide/start/tools"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[a](install.md)", f"[a]({URL}guide/install/)"),
        ('[a](  <install.md>  "t")', f'[a](  {URL}guide/install/  "t")'),
        ("> - ![a](../img/dial%201.png)", f"> - ![a]({URL}img/dial%201.png)"),
        ("[![a](i.png)](install.md)", f"[![a]({URL}guide/start/i.png)]({URL}guide/install/)"),
        ("# A [b](install.md)\n", f"# A [b]({URL}guide/install/)\n"),
        ("| a |\n| - |\n| [a](install.md) |", f"| a |\n| - |\n| [a]({URL}guide/install/) |"),
        ("[a]\n\n[a]: install.md 't'", f"[a]\n\n[a]: {URL}guide/install/ 't'"),
        ("x[^1]\n\n[^1]: [a](install.md)", f"x[^1]\n\n[^1]: [a]({URL}guide/install/)"),
        ('!!! note "[a](install.md)"\n    x', f'!!! note "[a]({URL}guide/install/)"\n    x'),
        ('<a href="b?c&amp;d">b</a>', f'<a href="{URL}guide/start/b?c&amp;d">b</a>'),
        ("a <img alt='x' src='b.png'> b", f"a <img alt='x' src='{URL}guide/start/b.png'> b"),
        ("a\r\n[a](install.md)\r\nb", f"a\r\n[a]({URL}guide/install/)\r\nb"),
        (
            "\ufeff---\nx: y\n---\n[a](install.md)",
            f"\ufeff---\nx: y\n---\n[a]({URL}guide/install/)",
        ),
    ],
)
def test_addresses_alone_are_changed(before: str, after: str) -> None:
    assert answer(before, SITE) == after


@pytest.mark.parametrize(
    "source",
    [
        "`[a](install.md)`",
        "```\n[a](install.md)\n```\n",
        "    [a](install.md)\n",
        "\\[a](install.md)",
        "[a] (install.md)",
        "<!-- [a](install.md) <a href='b'> -->",
        '<a data-href="install.md">',
        "[a](install.md",
    ],
)
def test_what_is_no_link_stays(source: str) -> None:
    assert answer(source, SITE) == source


def test_a_definition_goes_along() -> None:
    source = "One [a] and [b][B].\n\nTwo.\n\n[a]: install.md\n[b]: ../index.md\n[c]: c.md\n"
    text = LinkedText(mdchunk.parse(source), SITE)
    end = source.index("Two")
    assert text.alone(0, end - 2) == (
        f"One [a] and [b][B].\n\n[a]: {URL}guide/install/\n[b]: {URL}"
    )
    assert text.alone(end, end + 4) == "Two."
    assert text.alone(0, len(source)).count("[a]:") == 1


def whole(addresses: list[str]) -> list[str]:
    """Return what a browser makes of addresses on the page, without what is written in two ways."""
    return [unquote(urljoin(HERE.url, it)) for it in addresses]


def leads_as_before(source: str) -> None:
    text = LinkedText(mdchunk.parse(source, dialects=("commonmark",)), HERE)
    elsewhere = rendered(text.between(0, len(source)))
    assert [unquote(it) for it in elsewhere] == whole(rendered(source))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_page_that_is_rendered_anywhere_leads_where_it_did(path: Path) -> None:
    leads_as_before(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("section", ["Links", "Images", "Link reference definitions", "Raw HTML"])
@pytest.mark.parametrize("frame", ["{}", "- {}", "> {}", "{}\r\n"])
def test_an_example_of_the_specification_leads_where_it_did(section: str, frame: str) -> None:
    for example in SPEC:
        if example["section"] == section:
            lead, _, end = frame.partition("{}")
            lines = example["markdown"].rstrip("\n").split("\n")
            behind = lead.replace("-", " ")
            framed = [(behind if number else lead) + line for number, line in enumerate(lines)]
            leads_as_before((end or "\n").join(framed))


def records(*command: str) -> list[Record]:
    result = CliRunner().invoke(cli, ["site", *command, "--base-url", URL], prog_name="mdchunk")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


PAGES = {
    "index.md": "# Home\n\n[Set up](guide/setup.md#tools), ![dial](img/dial.png), [x][far]\n\n"
    "[far]: guide/Read%20Me.md\n",
    "guide/setup.md": "# Set up\n\n## Tools\n\n[Home](../index.md) [tools](#tools)"
    " ![dial](../img/dial.png) [reading](<Read Me.md>)\n",
    "guide/Read Me.md": "# Reading\n\n[set up](setup.md) and [out](https://a.example/b.md)\n",
}


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write some pages that link to each other, and an image."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs/img").mkdir(parents=True)
    (tmp_path / "docs/guide").mkdir()
    (tmp_path / "docs/img/dial.png").write_bytes(b"png")
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


def answers(found: list[Record]) -> dict[str, list[str]]:
    """Return what the links of the answers lead to, by source."""
    return {it["source"]: Addresses(MarkdownIt().render(it["answer_text"])).found for it in found}


def shown(folder: Path, found: list[Record]) -> dict[str, list[str]]:
    """Return what the links of built pages lead to, by source."""
    every = {}
    for record in found:
        page = page_file(folder, unquote(record["location"])).read_text(encoding="utf-8")
        base = urljoin(URL, record["location"])
        every[record["source"]] = [urljoin(base, it) for it in Addresses(page).found]
    return every


def assert_as_shown(folder: Path, found: list[Record], *, least: int) -> None:
    there, ours = shown(folder, found), answers(found)
    assert sum(map(len, ours.values())) >= least
    for source, leads in ours.items():
        assert set(map(unquote, leads)) <= set(map(unquote, there[source])), source


def test_by_rules(pages: Path) -> None:  # noqa: ARG001
    found = records("docs", "--anchors", "python-markdown")
    assert answers(found) == {
        "index.md": [f"{URL}guide/setup/#tools", f"{URL}img/dial.png", f"{URL}guide/Read%20Me/"],
        "guide/setup.md": [
            *(URL, f"{URL}guide/setup/#tools", f"{URL}img/dial.png", f"{URL}guide/Read%20Me/")
        ],
        "guide/Read Me.md": [f"{URL}guide/setup/", "https://a.example/b.md"],
    }
    for record in found:
        source = PAGES[record["source"]]
        assert record["text"] == source[record["start"] : record["end"]]


def test_llms_full_has_whole_addresses(pages: Path) -> None:
    arguments = ["site", "docs", "--base-url", URL, "--anchors", "python-markdown"]
    arguments += ["-o", "out", "--form", "llms"]
    assert CliRunner().invoke(cli, arguments, prog_name="mdchunk").exit_code == 0
    text = (pages / "out/llms-full.txt").read_text(encoding="utf-8")
    assert f"[Set up]({URL}guide/setup/#tools)" in text
    assert "](../" not in text


@needs("mkdocs")
def test_as_mkdocs_links(pages: Path) -> None:
    config = f"site_name: x\nsite_url: {URL}\nplugins: [mdchunk]\n"
    (pages / "mkdocs.yml").write_text(config, encoding="utf-8")
    run("mkdocs", "build", "-q", "--strict", cwd=pages)
    found = read_records(pages / "site")
    assert_as_shown(pages / "site", found, least=9)
    built = records("docs", "--built", "site")
    assert answers(built) == answers(found)


@needs("mkdocs", "mkdocs_static_i18n")
@pytest.mark.parametrize("structure", ["suffix", "folder"])
def test_links_stay_in_their_language(tmp_path: Path, structure: str) -> None:
    languages = "[{locale: en, default: true, name: E}, {locale: fr, name: F}]"
    config = f"site_name: x\nsite_url: {URL}\nplugins:\n  - mdchunk\n  - i18n:\n"
    config += f"      docs_structure: {structure}\n      languages: {languages}\n"
    for language in ("en", "fr"):
        for name in ("index", "other"):
            inner = f"{language}/{name}.md" if structure == "folder" else f"{name}.{language}.md"
            path = tmp_path / "docs" / inner
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {name}\n\n[a](other.md), [b](index.md)\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    run("mkdocs", "build", "-q", cwd=tmp_path)
    found = read_records(tmp_path / "site")
    assert len(found) == 4
    assert_as_shown(tmp_path / "site", found, least=8)


@needs("mkdocs")
def test_without_an_address_the_text_is_as_it_is(pages: Path) -> None:
    (pages / "mkdocs.yml").write_text("site_name: x\nplugins: [mdchunk]\n", encoding="utf-8")
    run("mkdocs", "build", "-q", cwd=pages)
    for record in read_records(pages / "site"):
        assert record["answer_text"] == record["text"]


@needs("sphinx", "myst_parser")
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_as_sphinx_links(pages: Path, builder: str) -> None:
    (pages / "docs/conf.py").write_text(
        'extensions = ["myst_parser", "mdchunk.integrations.sphinx"]\nproject = "x"\n'
        f"html_baseurl = {URL!r}\nmyst_heading_anchors = 2\n",
        encoding="utf-8",
    )
    (pages / "docs/data.csv").write_text("1,2\n", encoding="utf-8")
    named = "(here)=\n\n# More\n\n[a](#here), [b](here), [c](data.csv)\n"
    (pages / "docs/more.md").write_text(named, encoding="utf-8")
    (pages / "docs/index.md").write_text(
        f"{PAGES['index.md']}\n[d](#here)\n\n```{{toctree}}\n:glob:\n**\n```\n", encoding="utf-8"
    )
    run("sphinx", "-q", "-b", builder, "docs", "site", cwd=pages)
    assert_as_shown(pages / "site", read_records(pages / "site"), least=13)
