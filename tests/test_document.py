"""Documents: titles, and streams of tokens that somebody else made."""

from __future__ import annotations

import io
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from corpus import LINE_ENDS, own_documents
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from mdchunk import (
    Dialect,
    DialectError,
    Document,
    MdchunkWarning,
    OptionsError,
    chunk,
    parse,
)
from mdchunk.dialects import SHIPPED

TITLES = {
    "": None,
    "Text only.\n": None,
    "# One\n": "One",
    "## Two\n\n# One\n": "One",
    "### Three\n\n## Two\n": "Three",
    "Text\n===\n": "Text",
    "# One\n\n# Again\n": "One",
    "---\ntitle: Front\n---\n# One\n": "Front",
    "---\ntitle: ' '\n---\n# One\n": "One",
    "---\ntitle: 1984\n---\n# One\n": "1984",
    "---\ntitle: [a]\n---\n# One\n": "One",
    "---\nname: x\n# title: not\n---\ntext\n": None,
    '<h1 id="a">\n  <img src="a.png" alt="no"><br>\n  A &amp; B\n</h1>\n\n## Two\n': "A & B",
    "<!-- <h1>Comment</h1> -->\n\n## Two\n": "Two",
    "<p>\n<H1><img width=9 alt='Logo'/></H1>\n</p>\n\ntext\n": "Logo",
    "<h1>Html</h1>\n\n# One\n": "One",
    "<h1></h1>\n\n## Two\n": "Two",
    "<h1>open\n\n`<h1>code</h1>`\n\n<h2>two</h2>\n": "two",
    "```\n<h1>code</h1>\n```\n\n### Three\n": "Three",
    "```\n# code\n```\n\n## Real\n": "Real",
    "    # code\n\n## Real\n": "Real",
    "<!--\n# comment\n-->\n\n## Real\n": "Real",
    "> # quoted\n\n## Real\n": "Real",
    "- # in a list\n\n## Real\n": "Real",
    "#tag\n\n## Real\n": "Real",
    "#\n\n## Real\n": "Real",
    "# *It* is `so` & &amp; [linked](x) ![pic](y) {#id .c}\n": "It is so & & linked pic",
    "# Closed ##\n": "Closed",
    "# a \\* b\n": "a * b",
    "# <b>bold</b>\n": "bold",
    "two\nlines\n---\n": "two lines",
    "\ufeff# After a mark\n": "After a mark",
    "# https://a.b/c_d\n": "https://a.b/c_d",
    "# C# and F #\n": "C# and F",
}


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("source", TITLES)
def test_titles(source: str, line_end: str) -> None:
    assert parse(source.replace("\n", line_end)).title == TITLES[source]


@pytest.mark.parametrize("name", own_documents())
def test_a_document_gives_the_chunks_of_its_source(name: str) -> None:
    source = own_documents()[name]
    for options in ({"chunk_size": 64}, {"chunk_size": 200, "context": "full"}):
        assert chunk(parse(source), **options) == chunk(source, **options)


def test_a_document_is_parsed_with_its_own_dialects_and_scores() -> None:
    source = "Text.\n\n!!! note\n\n    Inside.\n"
    bare = parse(source, dialects=("commonmark",), scores={"paragraph": 3})
    assert [b.kind for b in bare.structure.blocks] == ["paragraph", "paragraph", "code"]
    assert [b.score for b in bare.structure.boundaries] == [3, 3, 1.5]  # it is no sentence here
    assert [b.kind for b in parse(source).structure.blocks][1] == "admonition"


def test_a_document_is_not_read_otherwise() -> None:
    document = parse("Text.\n", dialects=["commonmark"], scores={"paragraph": 3})
    assert len(chunk(document, dialects=("commonmark",), scores={"paragraph": 3})) == 1
    for fields in ({"dialects": ("gfm",)}, {"scores": {"paragraph": 4}}):
        with pytest.raises(OptionsError, match="the Document was parsed with"):
            chunk(document, **fields)


def test_unknown_dialects_and_scores_are_errors() -> None:
    with pytest.raises(DialectError, match=r"'nope'; known names: .*gfm"):
        parse("x", dialects=("nope",))
    with pytest.raises(OptionsError, match=r"unknown kind 'nope'; known kinds: .*heading"):
        parse("x", scores={"nope": 1})


def test_wrong_dialects_and_scores_are_named() -> None:
    mine = Dialect("mine", print)
    wrong: list[dict[str, Any]] = [
        *({"dialects": value} for value in ("gfm", 5, mine, None)),
        *({"scores": value} for value in (["a"], 0, {"heading": 101})),
    ]
    for fields in wrong:
        for make in (parse, lambda source, **f: Document.from_tokens(source, [], **f)):
            with pytest.raises(OptionsError, match=f"^{next(iter(fields))}: "):
                make("x", **fields)


# line ends


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("name", own_documents())
def test_a_structure_is_that_of_the_source(name: str, line_end: str, mark: str) -> None:
    """Every offset is found at the same line and column, whatever ends the lines."""
    text = own_documents()[name].removeprefix("\ufeff")
    source = mark + text.replace("\n", line_end)
    plain, document = parse(text), parse(source)
    widths = (len(line_end) if character == "\n" else 1 for character in text)
    place = list(accumulate(widths, initial=len(mark)))
    assert document.structure.length == len(source)
    for found in ("boundaries", "spans", "interior", "headings", "blocks"):
        ours, given = getattr(plain.structure, found), getattr(document.structure, found)
        assert len(ours) == len(given)
        for one, other in zip(ours, given, strict=True):
            moved = {
                f: place[getattr(one, f)] for f in ("offset", "start", "end") if f in one._fields
            }
            assert one._replace(**moved) == other
    assert document.metadata == plain.metadata
    assert document.front_matter_end == (place[plain.front_matter_end] if plain.metadata else 0)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_a_stream_of_a_source_with_other_line_ends(line_end: str) -> None:
    text = own_documents()["readme.md"]
    source = "\ufeff" + text.replace("\n", line_end)
    document = Document.from_tokens(source, MarkdownIt("commonmark").parse(source[1:]))
    plain = Document.from_tokens(text, MarkdownIt("commonmark").parse(text))
    found, expected = (chunk(it, chunk_size=60) for it in (document, plain))
    assert [c.id for c in found] == [c.id for c in expected]
    assert all(c.text == source[c.start : c.end] for c in found)


# streams from outside


@pytest.mark.parametrize("preset", ["commonmark", "js-default"])
@pytest.mark.parametrize("name", own_documents())
def test_a_stream_of_a_preset(name: str, preset: str) -> None:
    """A user's own parser, with inline tokens and without definitions, loses no text."""
    source = own_documents()[name]
    document = Document.from_tokens(source, MarkdownIt(preset).parse(source))
    found = chunk(document, chunk_size=60, chunk_overlap=0)
    assert "".join("".join(c.text.split()) for c in found).strip("\ufeff") == "".join(
        source.split()
    ).strip("\ufeff")
    assert all(c.size <= 60 for c in found)


def test_a_stream_without_front_matter_tokens_has_no_metadata() -> None:
    source = "---\ntitle: A\n---\n\n# B\n"
    document = Document.from_tokens(source, MarkdownIt().parse(source))
    assert (dict(document.metadata), document.title) == ({}, "B")


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_a_stream_with_another_front_matter_plugin(line_end: str) -> None:
    source = "---\ntitle: A\n---\n\n# B\n\nText.\n".replace("\n", line_end)
    tokens = MarkdownIt().use(front_matter_plugin).parse(source)
    document = Document.from_tokens(source, tokens)
    assert (document.metadata, document.title) == ({"title": "A"}, "A")
    assert [c.text for c in chunk(document)] == ["# B\n\nText.".replace("\n", line_end)]


def test_another_plugins_front_matter_that_is_broken_is_a_warning() -> None:
    source = "---\n[a,\n---\n\n# B\n"
    tokens = MarkdownIt().use(front_matter_plugin).parse(source)
    with pytest.warns(MdchunkWarning, match="front matter"):
        document = Document.from_tokens(source, tokens)
    assert document.title == "B"
    assert [c.text for c in chunk(document)] == [source.strip()]


def test_the_same_blocks_come_from_inline_tokens() -> None:
    """Blocks with their inline children give the structure of our own parse."""
    source = own_documents()["readme.md"].split("## Questions")[0]
    tokens = MarkdownIt("commonmark", {"inline_definitions": True}).enable("table").parse(source)
    theirs = Document.from_tokens(source, tokens).structure
    ours = parse(source, dialects=("gfm",)).structure
    assert theirs.boundaries == ours.boundaries
    assert theirs.spans == ours.spans
    assert theirs.headings == ours.headings


def spoiler(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a line of ``||`` up to the next such line as a block of a type that nobody knows."""
    if state.getLines(start, start + 1, 0, False).strip() != "||":
        return False
    last = start + 1
    while last < end and state.getLines(last, last + 1, 0, False).strip() != "||":
        last += 1
    if not silent:
        opening = state.push("spoiler_open", "div", 1)
        opening.map = [start, last + 1]
        state.md.block.tokenize(state, start + 1, last)
        state.push("spoiler_close", "div", -1)
        state.line = last + 1
    return True


def test_a_type_without_a_meaning_is_part_of_what_is_round_it() -> None:
    parser = MarkdownIt()
    parser.block.ruler.before("paragraph", "spoiler", spoiler)
    source = "# A\n\n||\nHidden.\n\n```py\ncode\n```\n||\n\n- item\n"
    document = Document.from_tokens(source, parser.parse(source))
    assert [b.kind for b in document.structure.blocks] == [
        "heading", "paragraph", "code:py", "list", "list_item", "paragraph",
    ]  # fmt: skip
    found = chunk(document, chunk_size=12, unit="characters", chunk_overlap=0)
    assert "".join("".join(c.text.split()) for c in found) == "".join(source.split())


def test_definitions_without_tokens_stay_in_the_text() -> None:
    source = "See [a] here.\n\n[a]: /url\n[b]: /other\n\nEnd.\n"
    tokens = MarkdownIt().parse(source)
    assert not [token for token in tokens if token.type == "definition"]
    found = chunk(
        Document.from_tokens(source, tokens), chunk_size=24, unit="characters", chunk_overlap=0
    )
    assert [c.text for c in found] == ["See [a] here.", "[a]: /url\n[b]: /other", "End."]


def test_notes_that_a_plugin_moves_to_the_end_are_cut_where_they_stand() -> None:
    source = "# A\n\nText[^1] and^[inline].\n\n[^1]: The note.\n\n    More of it.\n\n## B\n\nEnd.\n"
    tokens = MarkdownIt().use(footnote_plugin).parse(source)
    assert tokens[-1].type == "footnote_block_close"
    found = chunk(Document.from_tokens(source, tokens), chunk_size=30, unit="characters")
    assert [c.text for c in found] == [
        "# A\n\nText[^1] and^[inline].",
        "[^1]: The note.",
        "    More of it.",
        "## B\n\nEnd.",
    ]
    assert found[-1].headings == ("A", "B")


def test_a_stream_of_another_source_is_refused() -> None:
    tokens = MarkdownIt().parse("# A\n\nText.\n\n- item\n")
    with pytest.raises(OptionsError, match="tokens: paragraph_open at line 3 is not"):
        Document.from_tokens("# A\n", tokens)


def test_an_empty_stream() -> None:
    assert chunk(Document.from_tokens("", [])) == []
    assert [c.text for c in chunk(Document.from_tokens("text\n", []))] == ["text"]


def test_documents_are_immutable() -> None:
    document = parse("---\na: b\n---\n# A\n")
    with pytest.raises(AttributeError):
        document.source = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        document.metadata["a"] = "c"  # type: ignore[index]


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        (Path("README.md"), r'path\.read_text\(encoding="utf-8"\)'),
        (b"# A", "decode bytes first"),
        (bytearray(b"# A"), "decode bytes first"),
        (io.StringIO("# A"), "read files first"),
        (["# A", "# B"], "one document at a time"),
        (None, "one document at a time"),
        (3, "one document at a time"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_text_is_told_how_to_become_one(source: Any, advice: str) -> None:
    named = f"^source: {type(source).__name__} is not allowed; allowed is str or Document .*"
    for use in (chunk, parse, lambda it: Document.from_tokens(it, [])):
        with pytest.raises(OptionsError, match=named + advice):
            use(source)


@pytest.mark.parametrize("name", ["README.md", "../docs/über/a.mdx", "C:\\a.markdown"])
def test_the_name_of_a_file_is_split_with_a_warning(name: str) -> None:
    with pytest.warns(MdchunkWarning, match="give its text"):
        assert [it.text for it in chunk(name)] == [name]


@pytest.mark.parametrize(
    "text", ["See a.md", "a.md\n", "# a.md", "[a.md]", ".md", "md", "x" * 2000 + ".md"]
)
def test_a_text_that_only_ends_like_a_name_is_just_split(text: str) -> None:
    assert len(chunk(text, chunk_size=10**6)) == 1


SEEN = {
    # what pandoc makes of Word
    "[]{#_Toc1 .anchor}Introduction": "Introduction",
    "Scope []{#scope .anchor}": "Scope",
    "[U]{.underline} and [v [w](x)]{.mark .a} {#id}": "U and v w",
    "int[] and a[0] {#x}": "int[] and a[0]",
    # Obsidian
    "Note ^block-1": "Note",
    "%%draft%% Plan %%b%%": "Plan",
    "==Key== point, a == b": "Key point, a == b",
    "Time ^2": "Time ^2",
    # notes and citations
    "Use[^1] more[^note] ^[inline] x [@a; @b]": "Use more x",
    "Size m<sup>2</sup> and note<sup>[1](#a)</sup>": "Size m2 and note",
    "\\[^1] x": "[^1] x",
    # icons
    "A :rocket: b :material-home-16: c": "A b c",
    ":rocket:": ":rocket:",
    "std::vector: a ::b:: at 10:30:": "std::vector: a ::b:: at 10:30:",
    # Wikipedia
    "History[edit]": "History",
    # badges beside words, and logos without any
    "Tide [![Build](b.svg)](b) [![Go](g.svg)](g)": "Tide",
    "![a](https://x.example/badge.svg) Tide": "Tide",
    "[![Tide](logo.png)](h) [![Build](https://img.shields.io/x)](ci)": "Tide",
    "![Tide](logo.png)": "Tide",
    "The ![gear](g.png) key": "The gear key",
    # code is code
    "`:x:` and `[a]{.b}` and `%%c%%`": ":x: and [a]{.b} and %%c%%",
}


@pytest.mark.parametrize("form", ["# {}", "{}\n===", "## {} ##"])
@pytest.mark.parametrize("heading", SEEN)
def test_a_heading_is_what_a_reader_sees(heading: str, form: str) -> None:
    (found,) = parse(form.format(heading) + "\n").structure.headings
    assert found.text == SEEN[heading]


SYNTAX = (
    "::: note\ntext\n:::\n\n[a]: b\n[^1]: c\n",
    "/// note\ntext\n///\n\n{% a %}\ntext\n{% enda %}\n",
    "<Tab>\ntext\n</Tab>\n\n<a.b>\n\ntext\n\n</a.b>\n- <x>\n\n</x>\n",
    "\\begin{x}\ntext\n\\end{x}\n\n$$\nopen\n\n---\nlayout: x\n---\n\n  a   b\n--- ---\n  1   2\n",
)
"""Something that each dialect keeps in mind while it reads on."""


def test_the_environment_holds_what_markdown_it_and_its_plug_ins_know() -> None:
    """What our own rules remember of a parse is nobody's business once it has ended."""
    public = {"references", "duplicate_refs", "footnotes"}
    found: set[str] = set()
    for source in (*own_documents().values(), *SYNTAX):
        found |= parse(source, dialects=tuple(SHIPPED)).env.keys()
    assert {"references", "footnotes"} <= found <= public
