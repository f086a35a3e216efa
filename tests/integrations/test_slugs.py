"""Slug rules, each against the output of the tool that it is taken from."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from sites import FIXTURES, copy_site, needs, read_records, run

from mdchunk import parse
from mdchunk.integrations.sites.generators import GENERATORS
from mdchunk.integrations.sites.headings import Title
from mdchunk.integrations.sites.page_headings import html_anchors
from mdchunk.integrations.sites.slugs import make_ids
from mdchunk.integrations.sites.source_headings import titles
from mdchunk.integrations.sites.tree import places_by_rule
from mdchunk.parsing.heading_text import MARKUP

NODE = Path(__file__).parent / "node"
MODULES = Path(os.environ.get("MDCHUNK_NODE_MODULES", NODE / "node_modules")).parent
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "node_modules").is_dir(),
    reason="node or the modules of tests/integrations/node/package.json are not installed "
    "(MDCHUNK_NODE_MODULES names their folder)",
)
TITLES: list[str] = json.loads((FIXTURES / "titles.json").read_text(encoding="utf-8"))
"""Titles without markup: marks, digits, scripts, letters that do not decompose, repetitions."""
MARKDOWN = (FIXTURES / "titles.md").read_text(encoding="utf-8")
"""Titles with markup, in every place where a heading can stand."""


def ids(rule: str, titles: list[str] = TITLES) -> list[str]:
    made = [Title(0, 0, 2, title, "", True) for title in titles]
    return make_ids(made, GENERATORS[rule])


def ids_of_markdown(rule: str, source: str = MARKDOWN) -> list[str]:
    return [place.id for place in places_by_rule(parse(source), GENERATORS[rule])]


def asked_of_node(tool: str, source: str) -> list[str]:
    command = ["node", str(NODE / "anchors.mjs"), tool, str(MODULES)]
    answer = subprocess.run(command, input=source.encode(), capture_output=True, check=False)
    assert answer.returncode == 0, answer.stderr.decode()
    found: list[str] = json.loads(answer.stdout)
    return found


def letters() -> list[str]:
    """One title for each character that is old enough for the tables of every tool."""
    known = unicodedata.ucd_3_2_0.category
    return [f"x{chr(c)}y" for c in range(33, 0x3100) if known(chr(c)) not in ("Cn", "Zl", "Zp")]


WHITE = ["a\tb", "c\xa0d", "e\u3000f", "g\u2028h", "i\x0bj", "`k\tl`", "m&nbsp;n", "`&nbsp;`"]
TAGS = [
    "a <b>c d</b> e",
    "x <br> y",
    "<i>z</i> z",
    "end <br/>",
    "u <!-- v --> w",
    "`a` <kbd>K</kbd>",
    "<code>m</code> n",
]
LINES = "o\np\n---\n\nText.\n\nq  \nr\n---\n\nText.\n\ns\\\nt\n---\n\nText.\n"
"""White space other than blanks, tags, and headings of two lines."""


def of_headings(texts: Iterable[str]) -> str:
    return "".join(f"## {text}\n\nText.\n\n" for text in texts)


def made() -> dict[str, list[str]]:
    return {rule: ids(rule) for rule in GENERATORS}


def test_rules_are_remembered() -> None:
    said = json.loads((FIXTURES / "slugs.json").read_text(encoding="utf-8"))
    assert made() == said, "run this file, and look at each change"


@needs("markdown")
def test_python_markdown() -> None:
    from markdown import Markdown
    from markdown.extensions import toc

    used: set[str] = set()
    theirs = [toc.unique(toc.slugify(title, "-"), used) for title in TITLES]
    assert ids("python-markdown") == theirs
    rule = GENERATORS["python-markdown"].slug
    assert [t for t in letters() if rule(t) != toc.slugify(t, "-")] == []
    html = Markdown(extensions=["toc", "attr_list", "fenced_code", "admonition"]).convert(MARKDOWN)
    theirs = [anchor.id for anchor in html_anchors(html)]
    # those in quotes, lists and admonitions count too, and are no sections
    ours = ids_of_markdown("python-markdown")
    assert [id_ for id_ in theirs if id_ in ours] == ours
    assert len(theirs) > len(ours)


@needs("markdown")
def test_python_markdown_numbers_what_is_numbered() -> None:
    from markdown.extensions import toc

    draw = random.Random(1)
    texts = ["a", "a_1", "a_2", "a_01", "a_1_1", "_1", "", "b", f"a_{'9' * 20}"]
    for _ in range(300):
        titles = draw.choices(texts, k=draw.randint(1, 40))
        used: set[str] = set()
        assert ids("python-markdown", titles) == [toc.unique(title, used) for title in titles]


@pytest.mark.parametrize("rule", GENERATORS)
def test_a_number_may_be_of_any_length(rule: str) -> None:
    for length in (599, 600, 601, 5_000):
        found = ids(rule, ["a_" + "9" * length] * 3)
        assert len({*found}) == 3


def explicit(heading: str) -> str:
    return titles(parse(f"# {heading}\n"))[0].explicit


def test_ids_that_an_author_gives() -> None:
    for text in ("{#b}", "{: #b .c }", "{.c #b}", "{#a #b}", "{#a#b #}", "{/* #b */}", "{ #b } ##"):
        assert explicit(f"A {text}") == "b"
    for text in (
        "<!-- #b -->",
        "<!--#b-->",
        "<!-- #b and more -->",
        "<!-- a --> <!-- #b -->",
        "{{#b}",
    ):
        assert explicit(f"A {text}") == "b"
    for text in ("{#}", "{# b}", "{#b} c", "<!-- #b --> c", "<!-- #b -->c -->", "{#b -->", "#b"):
        assert explicit(f"A {text}") == ""


@needs_node
def test_github_slugger() -> None:
    plain = [title for title in TITLES if "\n" not in title]
    assert ids("github", plain) == asked_of_node("github-slugger", "\n".join(plain))
    once = letters()
    theirs = asked_of_node("github-slugger", "\n".join(once))
    rule = GENERATORS["github"].slug
    wrong = [
        t for t, slug in zip(once, theirs, strict=True) if rule(t) != re.sub(r"-\d+$", "", slug)
    ]
    assert wrong == []


@needs_node
def test_docusaurus() -> None:
    # what it makes of a title may be an id that an author gave, so that the page has it twice
    source = MARKDOWN.replace("## My own\n", "## Others\n")
    theirs = asked_of_node("docusaurus", source)
    ours = ids_of_markdown("docusaurus", source)
    assert [id_ for id_ in theirs if id_ in ours] == ours
    assert theirs[0] == "the-title" not in ours, "its theme shows no id at a heading of level 1"
    odd = [*("two  blanks", "`a  b`", "a  [b  c](d) e", ":tada: x", "A -- B", *WHITE, *TAGS)]
    odd = of_headings([*odd, "{y}", "x {y}", "![a b](c) d"]) + LINES
    assert ids_of_markdown("docusaurus", odd) == asked_of_node("docusaurus", odd)


@needs_node
def test_vitepress() -> None:
    theirs = asked_of_node("vitepress", MARKDOWN)
    ours = ids_of_markdown("vitepress")
    assert [id_ for id_ in theirs if id_ in ours] == ours
    odd = of_headings(
        [
            *(":tada: New", "Good :+1:", "std::vec::new", "at 10:30:45", "`:tada:` code"),
            *("Q&amp;A", "x &lt;", "`&lt;`", "&copy; &#65;", "note[^1]", "<!-- c --> d", "a  b"),
            *("[l &amp; m](u)", "--flag", "`--flag`", "R&D", *WHITE, *TAGS),
            "![a b](c) d",
        ]
    )
    odd += LINES
    assert ids_of_markdown("vitepress", odd) == asked_of_node("vitepress", odd)


@needs("myst_parser.slugs")
def test_myst_parser_slugs() -> None:
    from myst_parser.slugs import github_slugify, unique_slug

    taken: set[str] = set()
    theirs = []
    for title in TITLES:
        slug = github_slugify(title)
        theirs.append(unique_slug(slug, taken) if slug else "")
        taken.add(theirs[-1])
    assert ids("myst") == theirs


@needs("myst_parser")
def test_myst_parser(tmp_path: Path) -> None:
    odd = ["![a b](c) d", "note[^1] x", "two  blanks", "a--b", *WHITE[:-2], *TAGS]
    source = MARKDOWN + of_headings(odd) + "[^1]: A note.\n"
    (tmp_path / "page.md").write_text(source, encoding="utf-8")
    command = "from myst_parser.cli import print_anchors; print_anchors()"
    said = subprocess.check_output(
        [sys.executable, "-c", command, "--level", "6", "page.md"], cwd=tmp_path, text=True
    )
    found = re.findall(r'<h\d id="([^"]*)"', said)
    ours = ids_of_markdown("myst", source)
    assert [id_ for id_ in found if id_ in ours] == ours


@needs("docutils")
def test_docutils() -> None:
    from docutils.nodes import make_id

    rule = GENERATORS["docutils"].slug
    assert [t for t in [*TITLES, *letters()] if rule(t) != make_id(t)] == []


@needs("sphinx", "myst_parser")
def test_sphinx(tmp_path: Path) -> None:
    site = copy_site("manual", tmp_path)
    odd = of_headings(["![a b](c) d", *TAGS, *WHITE])
    (site / "titles.md").write_text(MARKDOWN + odd, encoding="utf-8")
    run("sphinx", "-q", "-b", "html", ".", "out", cwd=site)
    theirs = [r for r in read_records(site / "out") if r["source"] != "guide/install.md"]
    base_url = "https://gauges.example/manual/"
    size = ("--chunk-size", "60", "--chunk-overlap", "12")
    where = ("--base-url", base_url, "--anchors", "docutils", "-o", "ours", "--exclude", "out")
    run("mdchunk", "site", ".", *where, *size, cwd=site)
    ours = {record["key"]: record["url"] for record in read_records(site / "ours")}
    # a target before a heading gives it another id, which no rule for headings knows of
    assert {r["key"]: r["url"] for r in theirs}.items() <= ours.items()


def generated_ids(html: str, among: list[str]) -> list[str]:
    return [anchor.id for anchor in html_anchors(html) if anchor.id in among]


@needs("zensical")
def test_zensical(tmp_path: Path) -> None:
    odd = [
        *(":smile: New", "New :material-star:", "`:smile:` code", "at 10:30:45", "std::vec::new"),
        *("[l :smile:](u)", "Q&amp;A", "A -- B", "two  blanks", "++ctrl+c++", "==m== ^^i^^ H~2~O"),
        *("![a b](c.png) d", "x {y}"),
    ]
    source = MARKDOWN + of_headings(odd)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(source, encoding="utf-8")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "Titles"\n', encoding="utf-8")
    run("zensical", "build", cwd=tmp_path)
    ours = ids_of_markdown("python-markdown", source)
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert generated_ids(html, ours) == ours


def built_by_hugo(folder: Path, markdown: str) -> list[str]:
    for name, text in {
        "hugo.toml": 'baseURL = "https://gauges.example/"\ntitle = "Titles"\n',
        "layouts/single.html": "{{ .Content }}",
        "content/page.md": f"---\ntitle: Titles\n---\n{markdown}",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    cache = str(folder / "cache")
    run("hugo", "--quiet", "--noBuildLock", "--cacheDir", cache, cwd=folder)
    html = (folder / "public" / "page" / "index.html").read_text(encoding="utf-8")
    return [anchor.id for anchor in html_anchors(html)]


IN_HUGO = [
    *("A -- B", "A --- B", "A ---- B", "a--b", "The `--flag` option", "``a -- b`` c"),
    *("<i>a--b</i>", "See https://x.example/a now", "<https://x.example> now", "at www.x.example"),
    *("Mail <a@b.example> x", "!!!", "Heading", "...", "\N{PARTY POPPER}", "two  blanks"),
    *("Q&amp;A", "a...b", "-- end --", "note[^1]", "![alt](x.png) y"),
    *("x <-- y --> z", "\\*esc\\*", "~~s~~ H~2~O"),
]


@needs("hugo")
def test_hugo(tmp_path: Path) -> None:
    ours = ids_of_markdown("hugo")
    assert [id_ for id_ in built_by_hugo(tmp_path, MARKDOWN) if id_ in ours] == ours
    odd = of_headings([*IN_HUGO, *WHITE[:-1], *TAGS, "{y}", "x {y}"]) + "[^1]: A note.\n"
    assert ids_of_markdown("hugo", odd) == built_by_hugo(tmp_path, odd)


@needs("hugo")
def test_letters_in_hugo(tmp_path: Path) -> None:
    """Each between two others, and none that Markdown or white space has a use for."""
    titles = [t for t in letters() if t[1].strip() and not MARKUP.search(t[1])]
    theirs = built_by_hugo(tmp_path, of_headings(titles))
    slug = GENERATORS["hugo"].slug
    assert len(theirs) == len(titles)
    wrong = [
        t for t, id_ in zip(titles, theirs, strict=True) if slug(t) != re.sub(r"-\d+$", "", id_)
    ]
    assert wrong == []


@needs("pelican")
def test_pelican(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    text = f"Title: Titles\nDate: 2025-03-01\nSlug: titles\n\n{MARKDOWN}"
    (tmp_path / "content" / "titles.md").write_text(text, encoding="utf-8")
    settings = (
        'SITEURL = "https://gauges.example"\nTIMEZONE = "UTC"\n'
        'MARKDOWN = {"extensions": ["extra", "admonition", "toc"]}\n'
    )
    (tmp_path / "conf.py").write_text(settings, encoding="utf-8")
    run("pelican", "content", "-s", "conf.py", "-o", "out", cwd=tmp_path)
    ours = ids_of_markdown("python-markdown")
    html = (tmp_path / "out" / "titles.html").read_text(encoding="utf-8")
    assert generated_ids(html, ours) == ours


if __name__ == "__main__":
    text = json.dumps(made(), indent=2, ensure_ascii=False)
    (FIXTURES / "slugs.json").write_text(f"{text}\n", encoding="utf-8")
