"""Context: what stands round a slice makes it readable alone, counts, and yields to the text."""

from __future__ import annotations

import pytest
from corpus import LINE_ENDS, own_documents
from growth import backstop
from markdown_it import MarkdownIt

from mdchunk import Chunk, Chunker, chunk, parse


def cut(source: str, size: int, context: str = "full", **options: object) -> list[Chunk]:
    fields = {"chunk_size": size, "unit": "characters", "chunk_overlap": 0, **options}
    return chunk(source, context=context, **fields)


# heading path

PATH = """# One

Alpha beta.

## Two

Gamma delta epsilon.

Zeta eta theta iota.

# Three

Kappa.
"""


def test_the_path_stands_before_the_text_that_lacks_it() -> None:
    found = cut(PATH, 40, "headings")
    assert [c.contextualized for c in found] == [
        "# One\n\nAlpha beta.",
        "# One\n\n## Two\n\nGamma delta epsilon.",
        "# One\n## Two\n\nZeta eta theta iota.",
        "# Three\n\nKappa.",
    ]


def test_no_context_is_the_slice() -> None:
    assert all(c.contextualized == c.text for c in cut(PATH, 40, "none"))
    assert [c.headings for c in cut(PATH, 40, "none")] == [
        ("One",), ("One", "Two"), ("One", "Two"), ("Three",),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# *Ma*`rk`**up** [link](u) ![pic](p)", "Markup link pic"),
        ("# Closed ###", "Closed"),
        ("# Closed ##    {#id}", "Closed"),
        ("# C# {#id}", "C#"),
        ('# With id {#the-id .class key="v"}', "With id"),
        ("# Without a number {-}", "Without a number"),
        ("# In MDX \\{#mdx\\}", "In MDX"),
        ("# Two<br/>lines<BR>or three", "Two lines or three"),
        ('# Sphinx[¶](#sphinx "Link to this heading")', "Sphinx"),
        ("# [#](https://a.b/c#d)MkDocs", "MkDocs"),
        ('# Docusaurus[\u200b](#docusaurus "Direct link")', "Docusaurus"),
        ("# Not [C#](c) nor [#1](#one)\u200b", "Not C# nor #1"),
        ("# With an MDX id {/*the-id*/}", "With an MDX id"),
        ("# Braces {stay}", "Braces {stay}"),
        ("# Braces {a-}", "Braces {a-}"),
        ("# A &amp; B &copy; &#33;", "A & B © !"),
        ("# Escaped \\*stars\\*", "Escaped *stars*"),
        ("Under\nlined\n===", "Under lined"),
        ("# ~~Old~~ new", "Old new"),
        ("# [[Note|Text]], [[Page]] and ![[pic]]", "Text, Page and pic"),
        ("# [[1]](u), [[2]][r] and `[[3]]`", "[1], [[2]][r] and [[3]]"),
        ("# Note[^1]", "Note"),
    ],
)
def test_titles_in_the_path_are_plain(heading: str, title: str) -> None:
    source = f"{heading}\n\n{'Text. ' * 12}\n\n{'More. ' * 12}\n"
    last = cut(source, 110, "headings")[-1]
    assert last.prefix == f"# {title}\n\n"


def test_a_heading_in_a_quote_or_list_is_no_part_of_the_path() -> None:
    source = f"# Real\n\n> # Quoted\n> {'text ' * 10}\n\n- # Listed\n\n{'Words here. ' * 8}\n"
    for found in cut(source, 110, "headings"):
        assert found.headings == ("Real",)
        assert "# Quoted" not in found.prefix
        assert "# Listed" not in found.prefix


def test_levels_that_are_skipped_stay_skipped() -> None:
    source = "# A\n\n### C\n\n" + "Text. " * 10 + "\n\n" + "More. " * 10 + "\n\n## B\n\nEnd.\n"
    found = cut(source, 80, "headings")
    assert found[-2].prefix == "# A\n### C\n\n"
    assert found[-1].headings == ("A", "B")


def test_the_overlap_does_not_hide_the_path() -> None:
    """The path is read at the first own character; a title in the overlap is not said twice."""
    for found in cut(PATH * 3, 60, "headings", chunk_overlap=20):
        for title in found.headings:
            assert found.contextualized.count(f"# {title}\n") == 1, found.contextualized


# tables

TABLE = "| Name | Age |\n|:-----|----:|\n" + "".join(f"| name{n} | {n} |\n" for n in range(12))


@pytest.mark.parametrize("lead", ["", "> ", "  "], ids=["bare", "quote", "indented"])
def test_a_piece_of_a_table_is_a_table(lead: str) -> None:
    source = "".join(f"{lead}{line}\n" for line in TABLE.splitlines())
    found = cut(source, 90)
    assert len(found) > 2
    parser = MarkdownIt("commonmark").enable("table")
    for piece in found:
        rows = [t for t in parser.parse(piece.contextualized) if t.type == "tr_open"]
        own = [line for line in piece.text.splitlines() if "name" in line]
        assert len(rows) == len(own) + 1, piece.contextualized
        assert "Name" in piece.contextualized
    assert all(c.prefix.splitlines() == source.splitlines()[:2] for c in found[1:])


def test_a_table_in_a_list_item_stays_in_it() -> None:
    body = "".join(f"  {line}\n" for line in TABLE.splitlines())
    found = cut(f"- item\n\n{body}", 100)
    assert len(found) > 2
    for piece in found[1:]:
        assert piece.prefix == "  | Name | Age |\n  |:-----|----:|\n"


def test_a_header_on_the_items_own_line_keeps_the_table_in_an_item() -> None:
    lines = TABLE.splitlines()
    source = f"10. {lines[0]}\n" + "".join(f"    {line}\n" for line in lines[1:])
    found = cut(source, 110)
    assert len(found) > 2
    for piece in found:
        tokens = [t.type for t in MarkdownIt("js-default").parse(piece.contextualized)]
        assert tokens[:3] == ["ordered_list_open", "list_item_open", "table_open"]
        assert tokens.count("tr_open") == piece.text.count("name") + 1


# code


@pytest.mark.parametrize(
    ("opening", "lead", "closing"),
    [
        ('```python title="x.py"', "", "```"),
        ("~~~~", "", "~~~~"),
        ("`````", "", "`````"),
        ("  ```py", "  ", "  ```"),
        ("> ```py", "> ", "> ```"),
        ("- ```py", "  ", "  ```"),
        ("10. ```py", "    ", "    ```"),
        ("> - ```py", ">   ", ">   ```"),
    ],
)
def test_a_piece_of_a_fenced_block_is_a_fenced_block(opening: str, lead: str, closing: str) -> None:
    lines = [f"{lead}line{n} = {n}" for n in range(12)]
    source = "\n".join([opening, *lines, f"{lead}{closing.strip(' >')}", ""])
    found = cut(source, 110)
    assert len(found) > 1
    for piece in found[:-1]:
        assert piece.suffix == f"\n{closing}"
    marks = opening.strip("> -10.")
    for piece in found[1:]:
        assert piece.prefix.strip("> -10.") == f"{marks}\n"
    for piece in found:
        fences = [
            t for t in MarkdownIt("commonmark").parse(piece.contextualized) if t.type == "fence"
        ]
        assert len(fences) == 1, piece.contextualized
        shown = fences[0].content.split("\n")[:-1]
        assert shown == [line[len(lead) :] for line in lines if line in piece.text.split("\n")]


def test_an_unclosed_fence_is_closed_where_it_is_cut_and_where_it_ends() -> None:
    source = "```py\n" + "line = 1\n" * 20
    found = cut(source, 80)
    assert [c.suffix for c in found] == ["\n```"] * len(found)


HTML_ROWS = "".join(f"<tr><td>thing {n}</td><td>{n}</td></tr>\n" for n in range(9))
HEADS = {
    "a head": "<thead>\n<tr><th>Thing</th><th>Count</th></tr>\n</thead>\n",
    "a row of headings": "<tr><th>Thing</th><th>Count</th></tr>\n",
    "two rows of headings": (
        '<tr><th colspan="2">Stock</th></tr>\n<tr><th>Thing</th><th>Count</th></tr>\n'
    ),
}


@pytest.mark.parametrize("before", ["", "<caption>What there is</caption>\n"])
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_piece_of_a_table_in_html_gets_its_header(head: str, before: str) -> None:
    source = f'<div>\n<table class="x">\n{before}{head}{HTML_ROWS}</table>\n</div>\n\ntext\n'
    found = cut(source, 240)
    assert len(found) > 2
    assert found[0].prefix == ""
    inside = [piece for piece in found[1:] if "<td>" in piece.text]
    assert {piece.prefix for piece in inside} == {f'<table class="x">\n{head}'}


def test_a_table_behind_a_style_gets_its_header() -> None:
    """A notebook's output has its style first, which blank lines part from the table."""
    head = HEADS["a head"]
    table = f'<table border="1">\n{head}{HTML_ROWS}</table>'
    found = cut(f"<div>\n<style>\n    a {{\n    }}\n\n</style>\n{table}\n</div>\n", 240)
    inside = [piece for piece in found if "<td>" in piece.text and "<th>" not in piece.text]
    assert inside
    assert {piece.prefix for piece in inside} == {f'<table border="1">\n{head}'}


def test_each_table_of_a_piece_of_html_has_its_header_with_the_marks_of_its_quote() -> None:
    rows = HTML_ROWS.replace("\n<tr", "\n> <tr")
    heads = [f"<tr><th>{name}</th></tr>" for name in ("One", "Two")]
    tables = "".join(f"> <table>\n> {head}\n> {rows}> </table>\n" for head in heads)
    found = [piece.prefix for piece in cut(tables, 200) if piece.prefix]
    assert set(found) == {f"> <table>\n> {head}\n" for head in heads}


def test_a_table_in_html_without_a_header_gets_none() -> None:
    for first in ("", "<tr><th>Thing</th><td>Count</td></tr>\n"):
        found = cut(f"<table>\n{first}{HTML_ROWS}</table>\n", 200)
        assert len(found) > 1
        assert {piece.prefix for piece in found} == {""}


def test_indented_code_has_no_fence() -> None:
    source = "    line = 1\n" * 20
    assert all((c.prefix, c.suffix) == ("", "") for c in cut(source, 80))


def test_directive_fences_are_reopened_from_the_outside_in() -> None:
    body = "".join(f"Sentence number {n}.\n\n" for n in range(12))
    source = f"````{{note}} Title\n{body}```py\n" + "code = 1\n" * 60 + "```\n````\n"
    found = cut(source, 140)
    assert {c.prefix for c in found[1:]} == {
        "````{note} Title\n",
        "````{note} Title\n```py\n",
    }
    assert {c.suffix for c in found[:-1]} == {"\n````", "\n```\n````"}
    assert found[-1].suffix == ""


CLOSED = sorted(own_documents().keys() - {"damage.md"})


def test_what_no_fence_closes_in_the_source_is_closed_in_context() -> None:
    lines = "".join(f"line {number}\n" for number in range(24))
    for opening, mark in (("", "```"), ("> ", "> ```"), ("- ", "  ```")):
        source = f"{opening}```py\n" + lines.replace("line", f"{mark[:-3]}line")
        found = cut(source, 60)
        assert len(found) > 2
        assert {piece.suffix for piece in found} == {f"\n{mark}"}
    assert [piece.suffix for piece in cut("```\ncode\n````", 60)] == [""]
    assert [piece.suffix for piece in cut("```\ncode\n``", 60)] == ["\n```"]
    assert [piece.suffix for piece in cut("> ```\n> code\n\ntext", 60)] == [""]


def test_only_the_fences_round_a_place_are_reopened_there() -> None:
    """After inner blocks have ended the outer one goes on; after the outer one nothing does."""
    prose = "".join(f"Sentence number {n}.\n\n" for n in range(12))
    code = "```py\ncode = 1\n```\n\n"
    more = "more = 2\n" * 30
    source = f"````{{note}}\n{code}{code}{prose}````\n\n~~~\n{more}~~~\n\n{prose}"
    found = cut(source, 90)
    for piece in found:
        if piece.text.startswith("Sentence"):
            inside = piece.start < source.index("~~~")
            assert piece.prefix == ("````{note}\n" if inside else "")
        if piece.text.startswith("more"):
            assert piece.prefix == "~~~\n"
    assert {"````{note}\n", "~~~\n", ""} == {c.prefix for c in found}


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_full_context_leaves_no_fence_open(name: str, line_end: str) -> None:
    """Each fence in a contextualized chunk has its end; damage.md has lines that look like some."""
    source = own_documents()[name].replace("\n", line_end)
    for piece in chunk(source, chunk_size=70, context="full", chunk_overlap=10):
        open_fence = ""
        for line in piece.contextualized.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            mark = line.strip(" >-0123456789.")
            if mark.startswith(("```", "~~~")):
                run = mark[: len(mark) - len(mark.lstrip(mark[0]))]
                if not open_fence:
                    open_fence = run
                elif mark == run and run.startswith(open_fence):
                    open_fence = ""
                elif "{" in mark:
                    break  # directives nest; their own test looks at them
        else:
            assert not open_fence, piece.contextualized


# definitions

LINKED = """See [the guide][g] and [Other].

{filler}

Here is [another *link*][G ] and ![image][pic] and [inline](x).

{filler}

[g]: https://example.org/guide "The Guide"
[other]: /other
[pic]:
  <a b.png>
[unused]: /unused
"""


def linked() -> list[Chunk]:
    return cut(LINKED.format(filler="Filler words stand here. " * 4), 230, chunk_overlap=0)


def test_definitions_that_a_text_uses_come_with_it() -> None:
    first, second = (c for c in linked() if "See [" in c.text or "Here is" in c.text)
    assert first.suffix == '\n\n[g]: https://example.org/guide "The Guide"\n[other]: /other'
    assert second.suffix == ('\n\n[g]: https://example.org/guide "The Guide"\n[pic]:\n  <a b.png>')


@pytest.mark.parametrize("size", [200, 300, 400])
def test_a_definition_that_a_chunk_uses_often_takes_its_room_once(size: int) -> None:
    definition = "\n\n[d]: https://example.org/a/long/address\n"
    uses = [f"Use of [it][d] number {n} in some words here." for n in range(12)]
    found = cut("\n\n".join(uses) + definition, size, chunk_overlap=0)
    assert found[0].suffix.strip() == definition.strip()
    in_one = (size - len(found[0].suffix) + 2) // len(f"\n\n{uses[0]}")
    assert len(found) == -(-len(uses) // in_one)


def test_definitions_that_a_text_has_are_not_repeated() -> None:
    (only,) = cut("See [g].\n\n[g]: /x\n", 100)
    assert only.suffix == ""


def test_labels_match_as_commonmark_matches_them() -> None:
    filler = "Filler words stand here. " * 3
    source = f"See [x][ẞ] and [y][a \n  B].\n\n{filler}\n\n[SS]: /one\n[A b]: /two\n"
    first = cut(source, 105)[0]
    assert first.suffix == "\n\n[SS]: /one\n[A b]: /two"


def test_the_first_definition_of_a_label_counts() -> None:
    filler = "Filler words stand here. " * 3
    first = cut(f"See [g].\n\n{filler}\n\n[g]: /one\n[g]: /two\n", 90)[0]
    assert first.suffix == "\n\n[g]: /one"


def test_a_definition_comes_once_however_its_label_is_written() -> None:
    filler = "Filler words stand here. " * 6
    source = (
        f"See [guide][], [GUIDE] and [other\nguide][ Guide ].\n\n{filler}\n\n[guide]: /x\n[g]: /y\n"
    )
    assert cut(source, 160)[0].suffix == "\n\n[guide]: /x"


def test_footnotes_come_with_their_reference() -> None:
    filler = "Filler words stand here. " * 4
    first = cut(f"A claim.[^n]\n\n{filler}\n\n[^n]: The proof.\n", 110)[0]
    assert first.suffix == "\n\n[^n]: The proof."


def test_definitions_stay_out_where_there_is_no_room() -> None:
    source = "See [g] here and there.\n\n" + "Filler. " * 5 + f"\n\n[g]: /{'long' * 20}\n"
    for piece in cut(source, 100):
        assert piece.size <= 100
        assert "long" not in piece.suffix


@pytest.mark.parametrize(
    ("words", "target", "comes"),
    [(60, 20, True), (60, 40, False), (10, 43, True), (10, 44, False)],
    ids=["room", "over the limit", "half", "over half"],
)
def test_definitions_take_what_is_left_and_at_most_half(
    words: int, target: int, *, comes: bool
) -> None:
    """Line ends and label add seven to the target; the text leaves 36 or 86 of a hundred."""
    source = f"[g] {'w' * words}\n\n{'v' * 99}\n\n[g]: {'/' * target}\n"
    assert bool(cut(source, 100)[0].suffix) == comes


# sizes


@pytest.mark.parametrize("context", ["headings", "full"])
@pytest.mark.parametrize("unit", ["tokens", "characters"])
@pytest.mark.parametrize("name", own_documents())
def test_context_counts_and_takes_at_most_half(name: str, unit: str, context: str) -> None:
    limit = 48 if unit == "tokens" else 160
    chunker = Chunker(chunk_size=limit, unit=unit, context=context)
    for piece in chunker.chunk(own_documents()[name]):
        assert piece.size == chunker.count(piece.contextualized)
        assert piece.size <= limit
        assert chunker.count(piece.prefix) <= limit / 2
        assert chunker.count(piece.suffix) <= limit / 2


def test_a_path_longer_than_half_of_the_limit_is_left_out() -> None:
    source = f"# {'Long title ' * 5}\n\n{'Text here. ' * 9}\n\n{'More here. ' * 9}\n"
    found = cut(source, 100, "headings")
    assert len(found) > 2
    assert {c.prefix for c in found} == {""}
    assert found[-1].headings == (("Long title " * 5).strip(),)


def test_a_path_of_just_half_of_the_limit_is_kept() -> None:
    source = f"# {'T' * 46}\n\n{'v' * 60}\n\n{'w' * 50}\n"
    assert [len(c.prefix) for c in cut(source, 110, "headings")] == [0, 50]
    assert [len(c.prefix) for c in cut(source, 100, "headings")] == [0, 50, 50]
    assert {len(c.prefix) for c in cut(source, 98, "headings")} == {0}


# data URIs


DATA = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUg" * 40


def test_data_is_shortened_in_what_is_embedded_only() -> None:
    source = f'# Pictures\n\nBefore.\n\n![chart]({DATA} "A chart")\n\nAfter.\n'
    (only,) = cut(source, 120, "none", data_uris="elide")
    assert only.text == source.strip()
    assert only.contextualized == source.strip().replace(DATA, "data:image/png;base64,…")
    assert only.size == len(only.contextualized)
    assert only.as_dict()["contextualized"] == only.contextualized


def test_an_image_with_data_is_kept_whole() -> None:
    source = f"{'Words before it. ' * 5}![chart]({DATA}) {'Words after it. ' * 5}\n"
    found = cut(source, 90, "none", data_uris="elide")
    assert sum(f"![chart]({DATA})" in c.text for c in found) == 1
    assert max(c.size for c in found) <= 90


def test_data_that_is_kept_is_cut_like_any_text() -> None:
    found = cut(f"![chart]({DATA})\n", 90, "none")
    assert len(found) > 9
    assert max(c.size for c in found) <= 90


@pytest.mark.parametrize("text", ["data:image/png;base64,abcd", "data:text/plain,hello", "base64"])
def test_short_or_plain_data_stays(text: str) -> None:
    (only,) = cut(f"![x]({text})\n", 90, "none", data_uris="elide")
    assert only.contextualized == only.text


@pytest.mark.parametrize(("length", "shown"), [(60, "A" * 60), (63, "A" * 63), (64, "…")])
def test_data_is_shortened_from_48_bytes_on(length: int, shown: str) -> None:
    """That is from 64 characters on; what is shorter costs less than what replaces it."""
    (only,) = cut(f"![x](data:image/png;base64,{'A' * length})\n", 120, "none", data_uris="elide")
    assert only.contextualized == f"![x](data:image/png;base64,{shown})"


@pytest.mark.parametrize("data", ["DATA:image/PNG;BASE64,", "data:image/png;base64,%2b%2F"])
def test_data_is_shortened_however_it_is_written(data: str) -> None:
    (only,) = cut(f"![x]({data}{'abcd' * 40})\n", 90, "none", data_uris="elide")
    assert only.contextualized == f"![x]({data[:22]}…)"


ICON = "M12 2a10 10 0 1 0 20,-4.5l-2.5e-3 7z " * 6


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (f'<svg viewBox="0 0 9 9"><path d="{ICON}"/></svg>', '<svg viewBox="0 0 9 9">…</svg>'),
        (f"<svg>\n<path d='{ICON}'/>\n</svg>", "<svg>\n<path d='…'/>\n</svg>"),
        (
            f'<svg>\n<polyline points="{"1,2 " * 40}"/>\n</svg>',
            '<svg>\n<polyline points="…"/>\n</svg>',
        ),
        (f"```compressed-json\n{DATA[22:]}\n\n{DATA[22:]}\n```", "```compressed-json\n…\n```"),
        (
            '%%\n# Drawing\n```json\n{"elements": [' + '{"x": 1},' * 9 + "\n]}\n```\n%%",
            "%%\n# Drawing\n```json\n…\n```\n%%",
        ),
        ('<svg><path d="M1 2"/></svg>', '<svg><path d="M1 2"/></svg>'),
        (f"<svg> {'is a tag ' * 8}", f"<svg> {'is a tag ' * 8}".rstrip()),
    ],
    ids=["icon", "path", "points", "excalidraw", "excalidraw-json", "short", "unclosed"],
)
def test_drawings_are_shortened_in_what_is_embedded(drawn: str, shown: str) -> None:
    for newline in ("\n", "\r\n"):
        source = f"# Icons\n\n{drawn}\n".replace("\n", newline)
        (only,) = cut(source, 120, "none", data_uris="elide")
        assert only.contextualized == f"# Icons\n\n{shown}"
        assert only.text == source.strip()
        assert only.size == len(only.contextualized)


def test_a_drawing_in_a_line_is_kept_whole() -> None:
    icon = f'<svg width="9"><path d="{ICON}"/></svg>'
    found = cut(f"{'Words before. ' * 9}{icon} {'Words behind. ' * 9}\n", 90, data_uris="elide")
    assert sum(icon in piece.text for piece in found) == 1
    assert max(piece.size for piece in found) <= 90
    assert not any("M12" in piece.contextualized for piece in found)


def test_data_in_a_definition_is_shortened_in_the_suffix_too() -> None:
    filler = "Filler words stand here. " * 4
    source = f"See ![pic].\n\n{filler}\n\n[pic]: {DATA}\n"
    first = cut(source, 120, data_uris="elide")[0]
    assert first.contextualized.endswith("[pic]: data:image/png;base64,…")
    assert first.size == len(first.contextualized) <= 120


def test_titles_do_not_carry_front_matter() -> None:
    document = parse("---\ntitle: Front\n---\n# Real\n\n" + "Text. " * 30)
    for piece in chunk(document, chunk_size=60, unit="characters", context="full"):
        assert piece.headings == ("Real",)
        assert "Front" not in piece.contextualized


def test_a_piece_of_a_quoted_line_gets_its_quote_mark_again() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    pieces = chunk(
        f"> ```html\n> {words}\n> ```\n", chunk_size=120, unit="characters", context="full"
    )
    assert len(pieces) > 3
    for piece in pieces:
        tokens = MarkdownIt("commonmark").parse(piece.contextualized)
        assert [token.type for token in tokens] == ["blockquote_open", "fence", "blockquote_close"]


def test_a_fence_whose_info_string_is_too_long_is_reopened_without_it() -> None:
    info = "text " + "x" * 80
    lines = "\n".join(f"line {number}" for number in range(30))
    pieces = chunk(f"```{info}\n{lines}\n```\n", chunk_size=120, unit="characters", context="full")
    for piece in pieces[1:]:
        assert piece.prefix == "```\n"
        (fence,) = MarkdownIt("commonmark").parse(piece.contextualized)
        assert fence.content.count("\n") == piece.text.replace("\n```", "").count("\n") + 1


def test_a_long_title_is_written_once() -> None:
    source = f"# {'long title ' * 2000}\n\n" + "word and word\n\n" * 200
    with backstop():
        assert {c.prefix for c in cut(source, 30, "headings")} == {""}


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("see [a] here", True),
        (r"see \[a] here", False),
        (r"see \\[a] here", True),
        (r"see \\\[a] here", False),
        (r"see [b\[a] here", False),
    ],
)
def test_an_escaped_bracket_uses_no_definition(text: str, used: bool) -> None:
    source = f"{text}\n\n{'word ' * 30}\n\n[a]: /address\n"
    first = chunk(source, chunk_size=100, unit="characters", context="full", chunk_overlap=0)[0]
    assert first.text.startswith(text)
    assert ("[a]: /address" in first.suffix) is used


@pytest.mark.parametrize("context", ["headings", "full"])
def test_context_that_does_not_count_changes_no_cut(context: str) -> None:
    for source in own_documents().values():
        bare = Chunker(chunk_size=60)
        beside = Chunker(chunk_size=60, context=context, count_context=False)  # type: ignore[arg-type]
        found, added = bare.chunk(source), beside.chunk(source)
        assert [(c.start, c.end, c.overlap) for c in added] == [
            (c.start, c.end, c.overlap) for c in found
        ]
        for piece in added:
            assert piece.size == beside.count(piece.contextualized)
            assert beside.count(piece.text) <= 60
            assert beside.count(piece.prefix) + beside.count(piece.suffix) <= 60
    source = "# A\n\n## B\n\n" + "Some words. " * 20
    deep = cut(source, 40, "headings", count_context=False)
    assert deep[-1].prefix == "# A\n## B\n\n"
    assert max(piece.size for piece in deep) > 40
