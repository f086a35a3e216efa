"""``mdchunk site --built``: addresses and anchors from the HTML of any generator.

The pages are written by hand in the shape that each generator gives them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import growth
import pytest
from click.testing import CliRunner, Result

from mdchunk.cli import cli
from mdchunk.integrations.sites.page_headings import html_anchors

URL = "https://gauges.example/"
Files = Mapping[str, str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mdchunk.toml").write_text("chunk_size = 12\n", encoding="utf-8")


def lay(folder: str, files: Files) -> None:
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def invoke(*args: str) -> Result:
    where = ("--base-url", URL, "--built", "out")
    return CliRunner().invoke(cli, ["site", "docs", *where, *args], prog_name="mdchunk")


def site(docs: Files, out: Files, *args: str) -> Result:
    lay("docs", docs)
    lay("out", out)
    return invoke(*args)


def urls(result: Result) -> dict[str, list[str]]:
    """List, for each source, where its chunks lead, without the site's address."""
    assert result.exit_code == 0, result.stderr
    found: dict[str, list[str]] = {}
    for line in result.stdout.split("\n")[:-1]:
        record = json.loads(line)
        assert record["url"] == URL + record["location"]
        places = found.setdefault(record["source"], [])
        if record["location"] not in places:
            places.append(record["location"])
    return found


def told(result: Result, name: str) -> bool:
    return f"{name}: left out, since no page was built of it" in result.stderr


def page(title: str, body: str, head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body>"


TIDE = "# Tide gauge\n\nIt stands in the harbour, all year.\n\n## Read it\n\nLook at the scale.\n"
RAIN = "# Rain gauge\n\nIt stands in the open, far off.\n\n## Read it\n\nEmpty the glass first.\n"

HUGO = {
    "docs": {
        "_index.md": "---\ntitle: Gauges\n---\nAll of them are here.\n",
        "Water/Tide Gauge.md": "---\ntitle: Tide gauge\n---\nIt stands in the harbour, all year."
        "\n\n## Read it\n\nLook at the scale.\n",
        "Water/old.md": "---\ntitle: Old\nexpiryDate: 2001-01-01\n---\nIt stood.\n",
        "_common/note.md": "## A note\n\nIt is in other pages.\n",
        "posts/flood.md": "---\ntitle: The flood\nslug: high\n---\nIt came in the night, at two."
        "\n\n## After\n\nMud in all of the rooms.\n",
    },
    "out": {
        "index.html": page("Gauges", "<h1>Gauges</h1><p>All of them are here.</p>"),
        "water/index.html": page("Waters", "<h1>Waters</h1><ul><li>Tide gauge</ul>"),
        "water/tide-gauge/index.html": page(
            "Tide gauge",
            '<h1>Tide gauge</h1><p>It stands in the harbour.</p><h2 id="read-it">Read it'
            '<a class="anchor" href="#read-it">#</a></h2><p>Look at the scale.</p>',
        ),
        "2024/05/high/index.html": page(
            "The flood",
            "<h1>The flood</h1><p>It came in the night.</p>"
            '<h2 id="after">After</h2><p>Mud in all of the rooms.</p>',
        ),
        "posts/index.html": page(
            "Posts", "<h1>Posts</h1><h2>The flood</h2><p>It came in the night.</p>"
        ),
        "posts/flood/index.html": page(
            "https://gauges.example/",
            "",
            '<meta http-equiv="Refresh" content="0; url=/2024/05/high/">',
        ),
    },
}


def test_hugo() -> None:
    """A permalink by date, an alias, what has expired, and what a cascade keeps from pages."""
    result = site(**HUGO)
    assert urls(result) == {
        "_index.md": [""],
        "Water/Tide Gauge.md": ["water/tide-gauge/", "water/tide-gauge/#read-it"],
        "posts/flood.md": ["2024/05/high/", "2024/05/high/#after"],
    }
    assert told(result, "Water/old.md")
    assert told(result, "_common/note.md")


HASH = '<a href="#read-it" class="hash-link" title="Direct link">\u200b</a>'


@pytest.mark.parametrize("slash", [True, False], ids=["slash", "none"])
def test_docusaurus(slash: bool) -> None:
    """Numbers in names, a slug, and the address that the page says is its own."""
    own = "guide/tide" + "/" * slash
    canonical = f'<link data-rh="true" rel="canonical" href="{URL}{own}">'
    body = (
        "<header><h1>Tide gauge</h1></header><p>It stands in the harbour, all year.</p>"
        f'<h2 class="anchor anchorTarget" id="read-it">Read it{HASH}</h2><p>Look at the scale.</p>'
    )
    rain = body.replace("Tide", "Rain").replace("Look at", "Empty").replace("harbour", "open")
    other = f'<link rel="canonical" href="{URL}Rain/">'
    result = site(
        {
            "01-guide/02-tide.md": TIDE,
            "01-guide/03-rain.md": RAIN.replace("# Rain", "---\nslug: /wet\n---\n# Rain", 1),
            "_part.mdx": "Only a part.\n",
        },
        {
            "guide/tide/index.html" if slash else "guide/tide.html": page("Tide", body, canonical),
            "wet/index.html": page("Rain gauge | Gauges", rain, other),
        },
    )
    assert urls(result) == {
        "01-guide/02-tide.md": [own, f"{own}#read-it"],
        "01-guide/03-rain.md": ["wet/", "wet/#read-it"],
    }


@pytest.mark.parametrize("end", [".html", ""], ids=["html", "bare"])
def test_vitepress(end: str) -> None:
    """Titles have ids too; templates make no page of their own."""
    link = '<a class="header-anchor" href="#x" aria-label="Permalink">\u200b</a>'
    body = (
        f'<h1 id="tide-gauge" tabindex="-1">Tide gauge {link}</h1><p>It stands in the harbour.</p>'
        f'<h2 id="read-it" tabindex="-1">Read it {link}</h2><p>Look at the scale.</p>'
    )
    result = site(
        {
            "guide/tide.md": TIDE,
            "guide/[name].md": "# {{ $params.name }}\n",
            "index.md": "Hello.\n",
        },
        {
            "guide/tide.html": page("Tide gauge | Gauges", body),
            "index.html": page("Gauges", "<p>Hello.</p>"),
            "404.html": page("404", "<h1>404</h1>"),
        },
        *(() if end else ("--urls", "bare")),
    )
    where = f"guide/tide{end}"
    assert urls(result) == {
        "guide/tide.md": [f"{where}#tide-gauge", f"{where}#read-it"],
        "index.md": [""],
    }
    assert told(result, "guide/[name].md")


def test_mkdocs() -> None:
    """A slug function of its own; README is the folder's page unless an index is."""

    def body(text: str, slug: str) -> str:
        return f'<h1 id="{slug}">{text}<a class="headerlink" href="#{slug}">&para;</a></h1>'

    result = site(
        {
            "water/index.md": "# Wasser\n\nHier.\n",
            "water/README.md": "# For writers\n\nNot here.\n",
            "rain/README.md": "# Größe & Maß\n\nDort.\n",
            "draft.md": "# Not yet\n\nSoon.\n",
        },
        {
            "water/index.html": page("Wasser - Gauges", body("Wasser", "W_1")),
            "rain/index.html": page("Maß", body("Größe &amp; Maß", "größe-maß")),
        },
    )
    assert urls(result) == {
        "water/index.md": ["water/#W_1"],
        "rain/README.md": ["rain/#gr%C3%B6%C3%9Fe-ma%C3%9F"],
    }
    assert told(result, "water/README.md")
    assert told(result, "draft.md")


@pytest.mark.parametrize("tag", ["section", 'div class="section"'], ids=["html5", "html4"])
def test_sphinx(tag: str) -> None:
    """The ids are those of sections, with a label's before the heading."""
    end = tag.split()[0]
    body = (
        f'<{tag} id="tide-gauge">\n<h1>Tide gauge<a class="headerlink" href="#tide-gauge">¶</a>'
        f'</h1>\n<p>It stands in the harbour, all year.</p>\n<{tag} id="read-it">\n'
        f'<span id="scale"></span><h2>Read it</h2>\n<p>Look at the scale.</p></{end}></{end}>'
    )
    result = site(
        {"guide/tide.md": TIDE},
        {"guide/tide.html": page("Tide gauge", body), "genindex.html": page("Index", "")},
    )
    assert urls(result) == {
        "guide/tide.md": ["guide/tide.html#tide-gauge", "guide/tide.html#read-it"]
    }


def html(markdown: str) -> str:
    """Set a text of headings and paragraphs; ids are counted."""
    made = []
    for number, block in enumerate(markdown.strip().split("\n\n")):
        marks, _, text = block.partition(" ")
        level = len(marks) if set(marks) == {"#"} else 0
        made.append(f'<h{level} id="n{number}">{text}</h{level}>' if level else f"<p>{block}</p>")
    return "".join(made)


def test_a_page_has_one_source_and_a_source_one_page() -> None:
    """Of a file and a folder with one name, each has the page with its headings."""
    result = site(
        {"tide.md": TIDE, "tide/index.md": RAIN, "Tide_.md": "# Another\n\nNot built.\n"},
        {"tide/index.html": page("", html(RAIN)), "tide.html": page("", html(TIDE))},
    )
    assert urls(result) == {
        "tide.md": ["tide.html#n0", "tide.html#n2"],
        "tide/index.md": ["tide/#n0", "tide/#n2"],
    }
    assert told(result, "Tide_.md")


def test_the_page_of_a_draft_is_not_that_of_a_folder_with_its_name() -> None:
    result = site(
        {"tide.md": TIDE, "rain.md": RAIN},
        {
            "tide/index.html": page("Tides", "<h1>Tides</h1><h2>All tides</h2>"),
            "rain/index.html": page("", html(RAIN)),
        },
    )
    assert set(urls(result)) == {"rain.md"}
    assert told(result, "tide.md")


def test_headings_find_a_page_and_a_list_of_many_is_not_it() -> None:
    result = site(
        {"tide.md": TIDE, "rain.md": RAIN},
        {
            "z/b1/index.html": page("", html(TIDE)),
            "z/b2/index.html": page("", html(RAIN)),
            "all/index.html": page("", html(RAIN + "\n\n" + TIDE)),
        },
    )
    found = urls(result)
    assert found == {"tide.md": ["z/b1/#n0", "z/b1/#n2"], "rain.md": ["z/b2/#n0", "z/b2/#n2"]}


def test_of_two_equal_pages_there_is_no_telling() -> None:
    text = page("", html(TIDE))
    result = site({"tide.md": TIDE}, {"v1/a.html": text, "v2/a.html": text})
    assert urls(result) == {}
    assert told(result, "tide.md")


def test_names_that_fold_alike_are_told_apart_by_their_headings() -> None:
    result = site(
        {"C#.md": TIDE, "C++.md": RAIN},
        {"c-1/index.html": "", "c/index.html": page("", html(RAIN)), "c_/index.html": html(TIDE)},
    )
    assert urls(result) == {"C#.md": ["c_/#n0", "c_/#n2"], "C++.md": ["c/#n0", "c/#n2"]}


def test_an_index_comes_before_a_readme() -> None:
    result = site({"README.md": "One.\n", "index.md": "Two.\n"}, {"index.html": "<p>Two."})
    assert urls(result) == {"index.md": [""]}


def test_a_common_title_alone_finds_no_page() -> None:
    """A list of a tag's pages has it as well."""
    result = site(
        {"overview.md": "# Overview\n\nAll at once.\n"},
        {"tags/x/index.html": page("Overview", "<h1>Overview</h1><ul><li>Tide</ul>")},
    )
    assert urls(result) == {}
    assert told(result, "overview.md")


def test_headings_at_another_level_are_found() -> None:
    """A theme that shows the page's title itself sets those of the text lower."""
    result = site({"tide.md": TIDE}, {"tide.html": page("", html(TIDE.replace("# ", "## ")))})
    assert urls(result) == {"tide.md": ["tide.html#n0", "tide.html#n2"]}


@pytest.mark.parametrize(
    ("canonical", "where"),
    [
        (f"{URL}tide%20gauge", "tide%20gauge"),
        (f"{URL}tide gauge/", "tide%20gauge/"),
        (f"{URL}stable/tide gauge.html", "tide%20gauge.html"),
        ("https://elsewhere.example/tide gauge", "tide%20gauge.html"),
        ("", "tide%20gauge.html"),
    ],
)
def test_a_canonical_address_counts_where_the_file_is_found_at_it(
    canonical: str, where: str
) -> None:
    head = f'<link rel="canonical" href="{canonical}">'
    result = site({"tide gauge.md": "Text.\n"}, {"tide gauge.html": page("", "<p>Text.</p>", head)})
    assert urls(result) == {"tide gauge.md": [where]}


def test_a_heading_without_anchor_is_told_of() -> None:
    body = html(TIDE).replace(' id="n2"', "")
    result = site({"tide.md": TIDE}, {"tide.html": page("", body)})
    assert urls(result) == {"tide.md": ["tide.html#n0"]}
    assert "tide.md:5: the page has no anchor for the heading 'Read it'" in result.stderr


def test_headings_in_html() -> None:
    source = (
        '# A\n\nOne, two, three.\n\n<h2 id="own">B</h2>\n\nFour, five.\n\n## C\n\nSix, seven.\n'
    )
    body = "<h1 id=a>A</h1>One, two, three.<h2 id=own>B</h2>Four, five.<h2 id=c>C</h2>Six, seven."
    result = site({"a.md": source}, {"a.html": page("A", body)}, "--chunk-size", "9")
    assert urls(result) == {"a.md": ["a.html#a", "a.html#own", "a.html#c"]}


def test_the_description_names_no_rule() -> None:
    result = site({"tide.md": TIDE}, {"tide.html": page("", html(TIDE))}, "-o", "out")
    assert result.exit_code == 0
    about = json.loads(Path("out/chunks.meta.json").read_text(encoding="utf-8"))
    assert about["generator"].startswith("built pages; mdchunk ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--anchors", "hugo"), "--anchors, --built: allowed is one of the two"),
        (("--urls", "hugo"), "--urls: hugo is not allowed with --built; allowed are html, bare"),
        ((), "--built: out has no .html file; allowed is a built site"),
    ],
)
def test_wrong_use(args: tuple[str, ...], message: str) -> None:
    lay("docs", {"a.md": "# A\n"})
    Path("out").mkdir()
    result = invoke(*args)
    assert result.exit_code == 2
    assert message in result.stderr


def test_neither_rules_nor_pages() -> None:
    lay("docs", {"a.md": "# A\n"})
    result = CliRunner().invoke(cli, ["site", "docs", "--base-url", URL])
    assert result.exit_code == 2
    assert "one is needed" in result.stderr


def test_a_source_that_cannot_be_read_is_complained_of() -> None:
    lay("out", {"a.html": page("", "<p>Text.</p>")})
    Path("docs").mkdir()
    Path("docs/a.md").write_bytes(b"# \xff\n")
    result = invoke()
    assert result.exit_code == 1
    assert "a.md: not UTF-8" in result.stderr


HOSTILE = ("<a ", "<!--", "<!--x>", "</a ", '<a b="', "<![x", "<![x[>", "<?", "<script>", "<h1><a ")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_pages_are_read_in_linear_time(text: str) -> None:
    with growth.backstop():  # to try each anew would take half an hour
        found = html_anchors('<h1 id="a">A</h1>' + text * 100_000)
    assert [(it.text, it.id) for it in found] == [("A", "a")]


def test_what_comes_after_something_long_is_read() -> None:
    """An image in its page, and a script."""
    long = "A" * 3_000_000
    text = f'<img src="data:{long}"><script>"<h2>No</h2>{long}"</script><h2 id="b">B</h2>'
    assert [(it.text, it.id) for it in html_anchors(text)] == [("B", "b")]
