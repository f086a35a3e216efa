"""The addresses of ``mdchunk site``, each rule against the pages that its tool makes."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from sites import ROOT, needs, run

from mdchunk.integrations.site import locations

NAMES = [
    *("index.md", "a b.md", "v1.2.md", "Guide/index.md", "Guide/README.md", "Guide/Setup_Über.md"),
    *("sub/README.md", "low/readme.md", "up/INDEX.md", "p/_index.md", "p/x's & (y).md"),
    *("p/- a  -b-.md", "p/50%.md", "p/C++ #1 @x~y.md"),
]
IN_HUGO = [
    *("_index.md", "Q R/_index.md", "Leaf/index.md", "Leaf/beside.md", "Leaf/below/x.md"),
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
    found = locations(IN_HUGO, "github", "hugo")
    assert [name for name in IN_HUGO if name not in found] == ["Leaf/beside.md", "Leaf/below/x.md"]
    assert_pages(tmp_path / "public", IN_HUGO, found)


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
