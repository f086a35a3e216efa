"""MDX, and headings by the thousand, take time that grows no faster than they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import backstop, calls, doublings
from test_growth import STEEPEST

from mdchunk import Chunker, parse
from mdchunk.dialects import DEFAULT_DIALECTS
from mdchunk.integrations.sites.generators import GENERATORS
from mdchunk.integrations.sites.headings import Title
from mdchunk.integrations.sites.matching import align
from mdchunk.integrations.sites.page_headings import html_anchors
from mdchunk.integrations.sites.slugs import make_ids
from mdchunk.integrations.sites.source_headings import EXPLICIT_ID

MDX = (*DEFAULT_DIALECTS, "mdx")
SIZE = 300
DOCUMENTS: dict[str, Callable[[int], str]] = {
    "braces": lambda n: "{\n" * n,
    "braces with text behind the last": lambda n: "{\n" * n + "}" * n + " text",
    "braces in strings": lambda n: "{`\n" * n,
    "braces in comments": lambda n: "{\n" + "/*\n{ */\n" * n,
    "two braces in comments": lambda n: "{\n" + "/*\n{{ */\n" * n + "}" + " a" * n + "}",
    "comments": lambda n: "{/*\n" * n,
    "comments of which one is closed": lambda n: "{/*\n" * n + "*/\n",
    "comments after blank lines": lambda n: "{/*\n\n" * n,
    "marks of all kinds": lambda n: "{`/*'\"//\n" * n,
    "escaped quotes": lambda n: "{" + '\\"' * n + "\n{`" * n,
    "braces in attributes": lambda n: "<A x={\n" * n,
    "quotes in attributes": lambda n: "<A x=\"'\n" * n,
    "tags without an end": lambda n: "<A\n" * n,
    "tags with one end": lambda n: "<A\n" * n + ">" + "a" * n,
    "braces in tags, and none": lambda n: "<A {\n" * n + "}\n" * n + " a" * n,
    "elements": lambda n: "<A>\n" * n,
    "elements that cross": lambda n: (
        "".join(f"<A{x}>\n" for x in range(n)) + "".join(f"</A{x}>\n" for x in range(n))
    ),
    "elements round fences that stay open": lambda n: "<x>\n```a\n\n<A>\n\n" * n,
    "elements with text behind the tag": lambda n: "".join(f"<A{x}>a\n" for x in range(n)),
    "closing tags in attributes": lambda n: '<A x="</A>\n">\n\n' * n,
    "statements": lambda n: "import (\n\n" * n,
    "statements in brackets": lambda n: "import (\n\nimport (\n)\n)\n" * n + "(",
    "statements with comments": lambda n: "export /*\n\n" * n,
    "statements with strings": lambda n: "import '`\n\n" * n,
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_calls_grow_with_the_text(name: str) -> None:
    chunker = Chunker(unit="characters", chunk_size=200, dialects=MDX)
    chunker.chunk(DOCUMENTS[name](SIZE))
    sizes = (SIZE, 2 * SIZE, 4 * SIZE)
    counts = [calls(lambda n=n: chunker.chunk(DOCUMENTS[name](n))) for n in sizes]
    assert max(doublings(counts)) <= STEEPEST, counts


@pytest.mark.parametrize("name", DOCUMENTS)
def test_large_ones_end(name: str) -> None:
    """What is slow within one call, which no count shows, would meet the backstop here."""
    with backstop():
        parse(DOCUMENTS[name](20_000), dialects=MDX)


def spans(source: str, kind: str) -> list[str]:
    found = parse(source, dialects=MDX).structure.spans
    return [source[span.start : span.end] for span in found if span.kind == kind]


def test_a_long_statement_does_not_take_what_follows_it() -> None:
    long = "export const a = [\n" + "  1,\n" * 5_000 + "]"
    assert spans(f"{long}\n\ntext\n", "esm") == [long]


def test_a_bracket_too_many_closes_none_after_it() -> None:
    assert spans("export ) (\n\n)\n\ntext\n", "esm") == ["export ) (\n\n)"]


def test_a_closing_tag_opens_no_fragment() -> None:
    inner = "<A>\n\n# a\n\n</A>"
    assert spans(f"<>\n{inner}\n</>\n", "jsx") == [f"<>\n{inner}\n</>", inner]


def page(count: int, text: str = "a") -> str:
    return "".join(f'<h1 id="a{x}">{text}</h1>\n' for x in range(count))


def aligned(source: str, html: str) -> list[str]:
    return [place.id for place in align(parse(source), html_anchors(html))]


ALIGNED: dict[str, Callable[[int], object]] = {
    "equal ones": lambda n: aligned("# a\n\n" * n, page(n)),
    "equal ones, one more": lambda n: aligned("# a\n\n" * n, page(n // 2) + page(n // 2 + 1)),
    "two by turns, one more": lambda n: aligned(
        "# a\n\n# b\n\n" * n, page(n) + page(1, "b") + (page(1) + page(1, "b")) * n
    ),
    "another behind each": lambda n: aligned(
        "".join(f"# a{x}\n\n" for x in range(n)),
        "".join(page(1, f"a{x}") + page(1, "b") for x in range(n)),
    ),
    "without a letter": lambda n: aligned("# —\n\n" * n, page(n, "—")),
}


@pytest.mark.parametrize("name", ALIGNED)
def test_headings_are_aligned_in_linear_time(name: str) -> None:
    ALIGNED[name](SIZE)
    counts = [calls(lambda n=n: ALIGNED[name](n)) for n in (SIZE, 2 * SIZE, 4 * SIZE)]
    assert max(doublings(counts)) <= STEEPEST, counts
    with backstop():
        ALIGNED[name](20_000)


@pytest.mark.parametrize("rule", GENERATORS)
@pytest.mark.parametrize("texts", [("a",), ("", "_1"), tuple(f"a_{x}" for x in range(100))])
def test_ids_are_made_in_linear_time(rule: str, texts: tuple[str, ...]) -> None:
    def made(count: int) -> None:
        titles = [Title(0, 0, 2, text, "", True) for text in texts * (count // len(texts))]
        make_ids(titles, GENERATORS[rule])

    counts = [calls(lambda n=n: made(n)) for n in (1_000, 2_000, 4_000)]
    assert max(doublings(counts)) <= STEEPEST, counts
    with backstop():
        made(50_000)


@pytest.mark.parametrize("text", ["{" + "#a" * 10**6 + " b", "{#" + "a" * 10**6, "<!--#a" * 10**5])
def test_an_id_is_looked_for_in_linear_time(text: str) -> None:
    with backstop():
        assert not EXPLICIT_ID.search(text)
