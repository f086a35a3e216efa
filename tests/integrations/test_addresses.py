"""The addresses of ``mdchunk site``, each rule against the pages that its tool makes."""

import json
import re
import subprocess
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from sites import ROOT, needs, page_file, read_records, run
from test_slugs import MODULES, NODE, needs_node

from mdchunk import parse
from mdchunk.integrations.sites.generators import GENERATORS, URLS

NAMES = [
    *("index.md", "a b.md", "v1.2.md", "Guide/index.md", "Guide/README.md", "Guide/Setup_Über.md"),
    *("sub/README.md", "low/readme.md", "up/INDEX.md", "p/_index.md", "p/x's & (y).md"),
    *("p/- a  -b-.md", "p/50%.md", "p/C++ #1 @x~y.md"),
]
IN_HUGO = [
    *("_index.md", "Q R/_index.md", "Leaf/index.md", "Leaf/beside.md", "Leaf/below/x.md"),
    *("Leaf/below/index.md", "Leaf/part/_index.md", "both/_index.md", "both/index.md"),
    *(
        "Guide/README.md",
        "Guide/Setup_Über.md",
        "a b.md",
        "v1.2.md",
        "x.index.md",
        "low/Index.md",
        "up/_INDEX.md",
    ),
    *("p/x's & (y).md", "p/- a  -b-.md", "p/50%.md", "p/C++ #1 @x~y.md", "p/x%2.md", "p/A–B…c.md"),
    *("p/日本 語.md", "p/e\u0301 x.md", "p/x,y;z=1.md", "p/a_ _b.md", "ß İ/ſ K.md", "q/ΑΣ.md"),
    *("q/c\u3000d.md", "q/\ufb01①.md", "q/e\u200df\u0903.md"),
]
SAID_IN_HUGO = {
    "_index.md": "slug: no-page-but-the-start",
    "r/a.md": "slug: My Slug_Ü.x",
    "r/b.md": "SLUG: 1.5",
    "r/c.md": "slug: ../Up/and/down/",
    "r/d.md": "slug: ''",
    "r/e.md": "url: /Other/Place X/",
    "r/f.md": "url: rel/y.html",
    "r/g.md": "Url: rel//z",
    "r/h.md": "slug: not-this\nurl: v1.2/",
    "r/i.md": "build: {render: never}",
    "r/j.md": "build: {render: link}",
    "r/k.md": "build: {render: false}",
    "r/l.md": "build: {list: never}",
    "r/m.md": "headless: true",
    "x/a.md": "expiryDate: 2020-01-02",
    "x/b.md": 'expirydate: "2020-01-02T03:04:05Z"',
    "x/c.md": "unpublishdate: 2020-01-02 03:04:05",
    "x/d.md": "expiryDate: 2999-01-02",
    "x/e.md": "date: 2999-01-02",
    "x/f.md": "publishDate: 2020-01-02\ndate: 2999-01-02",
    "x/g.md": "publishDate: 2999-01-02T03:04:05+02:00\ndate: 2020-01-02",
    "x/h.md": "date: 2020-01-02T03:04:05+02:00",
    "x/i.md": "date: ''\nexpiryDate:",
    "s/_index.md": "slug: P Q",
    "s/a.md": "",
    "s/t/_INDEX.md": "slug: y/z",
    "s/t/u/b.md": "slug: bb",
    "s/Leaf/index.md": "slug: Blatt",
    "t/_index.md": "url: /tea/",
    "t/a.md": "",
}
"""What Hugo's front matter may say of an address, by file; a slug of a section holds below it."""
IN_DOCUSAURUS = {
    "01-intro.md": "",
    "02-Guide/02-Guide.md": "",
    "02-Guide/guide.md": "",
    "03 - a b/1. C - d.mdx": "",
    "03 - a b/04--__.z.md": "",
    "03 - a b/v1.2.md": "",
    "03 - a b/über 日本.md": "",
    "1.2-x/2021-11-foo.md": "",
    "5/6_.md": "",
    "d/README.md": "id: other",
    "e/INDEX.md": "slug: named",
    "f/03-a.md": "parse_number_prefixes: false",
    "f/04-b.md": "id: 05-x",
    "f/c.md": "id: index",
    "f/01-F/f.md": "",
    "g/a.md": "slug: ../x",
    "g/b.md": "slug: /",
    "g/c.md": "slug: a/./../b c",
    "g/d.md": "slug: caf%C3%A9/",
    "g/e.md": "slug: ../../../up",
    "g/f.md": "slug: /sp ace/",
    "g/g.md": "slug: 2024",
    "g/h.md": "slug: .",
    "g/i.md": "draft: true",
    "g/j.md": "unlisted: true",
    "_a.md": "",
    "_b/c.md": "",
    "h/_d/e.md": "",
    "h/f.markdown": "",
    "k/index.md": "",
    "k/README.md": "",
    "k/k.md": "",
    "m/a.md": "slug: /l/z",
    "l/z.md": "",
    "l/index.md": "draft: true",
    "l/readme.md": "",
}
NOT_IN_DOCUSAURUS = [
    *("_a.md", "_b/c.md", "h/_d/e.md", "h/f.markdown", "k/README.md", "k/k.md", "m/a.md"),
]
"""Partials, other suffixes, and what has the address of another."""


def locations(
    names: list[str], anchors: str, urls: str, said: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Ask for addresses where front matter says what is given for each file."""

    def read(name: str) -> Mapping[str, object]:
        return parse(with_front_matter("", (said or {}).get(name, ""))).metadata

    return URLS[urls].locate(names, GENERATORS[anchors], read)


def with_front_matter(text: str, said: str) -> str:
    return f"---\ntitle: A\n{said}\n---\n{text}"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def marked(names: list[str], place: str = "", head: str = "") -> dict[str, str]:
    """Give pages that can be told by a word."""
    return {f"{place}{name}": f"{head}# Title\n\nword{i}word\n" for i, name in enumerate(names)}


def assert_pages(out: Path, names: list[str], found: dict[str, str]) -> None:
    """Assert that each file's page is where it is said to be, and what has none has no page."""
    for i, name in enumerate(names):
        if name in found:
            place = out / unquote(found[name])
            page = place / "index.html" if place.is_dir() else place
            assert f"word{i}word" in page.read_text(encoding="utf-8"), (name, found[name])
        else:
            pages = [path.read_text(encoding="utf-8") for path in out.rglob("*.html")]
            assert not any(f"word{i}word" in page for page in pages), name


@needs("mkdocs")
@pytest.mark.parametrize("urls", ["directory", "html"])
def test_mkdocs(urls: str, tmp_path: Path) -> None:
    config = f"site_name: A\nuse_directory_urls: {str(urls == 'directory').lower()}\n"
    write(tmp_path, {"mkdocs.yml": config, **marked(NAMES, "docs/")})
    run("mkdocs", "build", "-q", "-d", "out", cwd=tmp_path)
    found = locations(NAMES, "python-markdown", urls)
    assert [name for name in NAMES if name not in found] == ["Guide/README.md"]
    assert_pages(tmp_path / "out", NAMES, found)


@needs("zensical")
def test_zensical(tmp_path: Path) -> None:
    config = '[project]\nsite_name = "A"\n'
    write(tmp_path, {"zensical.toml": config, **marked(NAMES, "docs/")})
    run("zensical", "build", cwd=tmp_path)
    assert_pages(tmp_path / "site", NAMES, locations(NAMES, "python-markdown", "directory"))


@needs("hugo")
def test_hugo(tmp_path: Path) -> None:
    layouts = {f"layouts/{name}.html": "{{ .Content }}" for name in ("home", "list", "single")}
    config = 'baseURL = "https://gauges.example/"\ntitle = "A"\n'
    pages = marked(IN_HUGO, "content/", "---\ntitle: A\n---\n")
    write(tmp_path, {"hugo.toml": config, **layouts, **pages})
    cache = str(tmp_path / "cache")
    run("hugo", "--quiet", "--noBuildLock", "--cacheDir", cache, cwd=tmp_path)
    found = locations(IN_HUGO, "hugo", "hugo")
    bundled = ("beside.md", "below/x.md", "below/index.md", "part/_index.md")
    none = [*(f"Leaf/{name}" for name in bundled), "both/_index.md"]
    assert [name for name in IN_HUGO if name not in found] == none
    assert_pages(tmp_path / "public", IN_HUGO, found)


@needs("hugo")
def test_front_matter_in_hugo(tmp_path: Path) -> None:
    names = [*SAID_IN_HUGO]
    layouts = {f"layouts/{name}.html": "{{ .Content }}" for name in ("home", "list", "single")}
    config = 'baseURL = "https://gauges.example/"\ntitle = "A"\n'
    pages = {
        f"content/{name}": with_front_matter(text, SAID_IN_HUGO[name])
        for name, text in marked(names).items()
    }
    write(tmp_path, {"hugo.toml": config, **layouts, **pages})
    cache = str(tmp_path / "cache")
    run("hugo", "--quiet", "--noBuildLock", "--cacheDir", cache, cwd=tmp_path)
    found = locations(names, "hugo", "hugo", SAID_IN_HUGO)
    none = [*(f"r/{name}.md" for name in "ijkm"), *(f"x/{name}.md" for name in "abceg")]
    assert [name for name in names if name not in found] == none
    assert_pages(tmp_path / "public", names, found)


@needs_node
def test_docusaurus(tmp_path: Path) -> None:
    """Asked of its docs plugin; the site is not built, which takes half a minute."""
    names = [*IN_DOCUSAURUS]
    config = "module.exports = {title: 'A', url: 'https://gauges.example', baseUrl: '/'}\n"
    pages = {
        f"docs/{name}": with_front_matter("# Title\n", said) for name, said in IN_DOCUSAURUS.items()
    }
    write(tmp_path, {"docusaurus.config.js": config, **pages})
    command = ["node", str(NODE / "addresses.mjs"), str(MODULES), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, check=False)
    assert answer.returncode == 0, answer.stderr.decode()
    theirs: dict[str, str] = json.loads(answer.stdout)
    # of several with one address the first has it, as a build of the site shows
    shown = {unquote(place[1:]): name for name, place in reversed(theirs.items())}
    found = locations(names, "docusaurus", "docusaurus", IN_DOCUSAURUS)
    drafts = [name for name, said in IN_DOCUSAURUS.items() if said == "draft: true"]
    assert [name for name in names if name not in found] == NOT_IN_DOCUSAURUS
    ours = {unquote(place): name for name, place in found.items() if name not in drafts}
    assert ours == shown
    assert found["g/d.md"] == "g/caf%C3%A9/", "what is quoted is not quoted again"


@needs_node
@pytest.mark.parametrize("urls", ["html", "bare"])
def test_vitepress(urls: str, tmp_path: Path) -> None:
    """Where its sitemap says that the pages are, and where its files are."""
    made = [name for name in (*NAMES, "ü/日本 語.md", "e\u0301.md") if not re.search("[#%]", name)]
    names = [*made, "p/[name].md", "[name]/x.md"]
    config = (
        f"export default {{ cleanUrls: {str(urls == 'bare').lower()}, "
        "sitemap: { hostname: 'https://gauges.example/' } }\n"
    )
    write(tmp_path, {".vitepress/config.mjs": config, **marked(names)})
    (tmp_path / "node_modules").symlink_to(MODULES / "node_modules")
    command = ["node", "node_modules/vitepress/bin/vitepress.js", "build"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    out = tmp_path / ".vitepress" / "dist"
    found = locations(names, "vitepress", urls)
    assert sorted(found) == sorted(made)
    listed = re.findall(r"<loc>(.*?)</loc>", (out / "sitemap.xml").read_text(encoding="utf-8"))
    shown = {unquote(unescape(place)) for place in listed}
    ours = (re.sub(r"(?:^|(?<=/))index\.html$", "", unquote(place)) for place in found.values())
    assert {f"https://gauges.example/{place}" for place in ours} == shown
    end = "" if urls == "html" else ".html"  # which its server adds
    files = {n: place + end * (place[-1:] not in ("", "/")) for n, place in found.items()}
    assert_pages(out, names, files)


@needs("sphinx", "myst_parser")
@pytest.mark.parametrize(("builder", "urls"), [("html", "html"), ("dirhtml", "directory")])
def test_sphinx(builder: str, urls: str, tmp_path: Path) -> None:
    write(tmp_path, {"conf.py": "extensions = ['myst_parser']\n", **marked(NAMES)})
    run("sphinx", "-q", "-b", builder, ".", "out", cwd=tmp_path)
    for anchors in ("myst", "docutils"):
        assert_pages(tmp_path / "out", NAMES, locations(NAMES, anchors, urls))


@needs("pelican")
def test_pelican(tmp_path: Path) -> None:
    """With the settings that docs/sites.md names, since it calls pages after their titles."""
    names = ["a b.md", "Guide/Setup_Über.md", "pages/about us.md", "sub/x.y.md"]
    page = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"```text\n(PATH_METADATA.*?)```", page, re.DOTALL)
    settings = f"{said}SITEURL = 'https://gauges.example'\nTIMEZONE = 'UTC'\n"
    head = "Title: A {}\nDate: 2025-03-01\nSlug: s{}\n\n"
    pages = {
        name: head.format(i, i) + text
        for i, (name, text) in enumerate(marked(names, "content/").items())
    }
    write(tmp_path, {"conf.py": settings, **pages})
    run("pelican", "content", "-s", "conf.py", "-o", "out", cwd=tmp_path)
    assert_pages(tmp_path / "out", names, locations(names, "python-markdown", "html"))
    where = ("--base-url", "https://gauges.example/", "--anchors", "python-markdown")
    run("mdchunk", "site", "content", *where, "--urls", "html", "-o", "ours", cwd=tmp_path)
    for record in read_records(tmp_path / "ours"):
        page = page_file(tmp_path / "out", unquote(record["location"]))
        assert record["title"] in page.read_text(encoding="utf-8")
        assert record["text"].startswith("# Title"), "the header is no text"
