"""Front matter: what it says, where it ends, and that nothing in it can do harm."""

from __future__ import annotations

import json
import warnings

import pytest
from corpus import LINE_ENDS
from growth import backstop

from mdchunk import Chunker, MdchunkWarning, chunk, parse

BODY = "# Title\n\nText.\n"

FORMS = {
    "yaml": "---\ntitle: A\ntags: [x, y]\n---\n",
    "yaml with dots": "---\ntitle: A\ntags: [x, y]\n...\n",
    "yaml with blanks behind the marks": "--- \ntitle: A\ntags: [x, y]\n---\t \n",
    "toml": '+++\ntitle = "A"\ntags = ["x", "y"]\n+++\n',
    "json by name": '---json\n{"title": "A", "tags": ["x", "y"]}\n---\n',
    "toml by name": '---toml\ntitle = "A"\ntags = ["x", "y"]\n---\n',
    "yaml by name": "---yaml\ntitle: A\ntags: [x, y]\n---\n",
    "json in semicolons": ';;;\n{"title": "A", "tags": ["x", "y"]}\n;;;\n',
    "json in semicolons without braces": ';;;\n"title": "A",\n"tags": ["x", "y"]\n;;;\n',
    "json at once": '{\n  "title": "A",\n  "tags": ["x", "y"]\n}\n',
}


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["", "bom"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms(form: str, bom: str, line_end: str) -> None:
    source = bom + (form + BODY).replace("\n", line_end)
    document = parse(source)
    assert document.metadata == {"title": "A", "tags": ["x", "y"]}
    assert source[document.front_matter_end :] == BODY.replace("\n", line_end)
    assert document.title == "A"
    assert [h.text for h in document.structure.headings] == ["Title"]


VALUES = {
    "when: 2024-05-01": {"when": "2024-05-01"},
    "when: 2024-05-01 10:20:30": {"when": "2024-05-01T10:20:30"},
    "when: 2024-05-01T10:20:30Z": {"when": "2024-05-01T10:20:30+00:00"},
    "n: 3\nf: 1.5\nb: true\nz: null": {"n": 3, "f": 1.5, "b": True, "z": None},
    "f: .inf\ng: .nan": {"f": "inf", "g": "nan"},
    "2: two\ntrue: yes\nnull: three\n1.5: x": {
        "2": "two",
        "true": "yes",
        "null": "three",
        "1.5": "x",
    },
    "2024-05-01: a day": {"2024-05-01": "a day"},
    "data: !!binary aGVsbG8=": {"data": "aGVsbG8="},
    "s: !!set {b, a}": {"s": ["a", "b"]},
    "text: |\n  # no heading\n  more": {"text": "# no heading\nmore\n"},
    "a: &x [1, 2]\nb: *x": {"a": [1, 2], "b": [1, 2]},
    "deep: {a: {b: [{c: d}]}}": {"deep": {"a": {"b": [{"c": "d"}]}}},
    "日本: 語": {"日本": "語"},
    "# only a comment\nk: v": {"k": "v"},
    "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [*a, {z: 4}]}": {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": {"x": 1, "y": 2, "z": 4},
    },
    # the core schema of YAML 1.2
    "a: 0x10\nb: 0o17\nc: 007\nd: -3\ne: +4": {"a": 16, "b": 15, "c": 7, "d": -3, "e": 4},
    "a: 1.10\nb: .5\nc: 1e3\nd: -2.\ne: 1e999": {
        "a": 1.1,
        "b": 0.5,
        "c": 1000.0,
        "d": -2.0,
        "e": "inf",
    },
    "a: True\nb: FALSE\nc: ~\nd: NULL\ne:": {
        "a": True,
        "b": False,
        "c": None,
        "d": None,
        "e": None,
    },
    "m: 12:30\nn: 190:20:30\nno: NO\nyes: Yes\non: on\noff: off\ny: y\nbig: 1_000\nb: 0b11": {
        "m": "12:30",
        "n": "190:20:30",
        "no": "NO",
        "yes": "Yes",
        "on": "on",
        "off": "off",
        "y": "y",
        "big": "1_000",
        "b": "0b11",
    },
    "a: .1.2\nb: 1.2.3\nc: tRUE\nd: 0xZ\ne: 1e": {
        "a": ".1.2",
        "b": "1.2.3",
        "c": "tRUE",
        "d": "0xZ",
        "e": "1e",
    },
    # what cannot be made is the text that stands there
    "a: 2024-02-30\nb: =\nc: !!int x\nd: !!binary é\ne: !!float z": {
        "a": "2024-02-30",
        "b": "=",
        "c": "x",
        "d": "é",
        "e": "z",
    },
    "a: !r Sys.Date()\nb: !expr 1 + 1\nc: !secret x": {
        "a": "Sys.Date()",
        "b": "1 + 1",
        "c": "x",
    },
    "d: !include [a, 2]\ne: !sub {f: !g h}\ni: !j": {"d": ["a", 2], "e": {"f": "h"}, "i": ""},
    "a: !!python/object/apply:os.system ['true']": {"a": ["true"]},
    f"n: 0x{'f' * 5000}": {"n": f"0x{'f' * 5000}"},
    f"n: 1{':59' * 5000}": {"n": f"1{':59' * 5000}"},
}


@pytest.mark.parametrize("content", VALUES)
def test_values_are_json(content: str) -> None:
    metadata = parse(f"---\n{content}\n---\n{BODY}").metadata
    assert metadata == VALUES[content]
    assert json.loads(json.dumps(dict(metadata), allow_nan=False)) == VALUES[content]


def test_a_number_that_python_cannot_write_is_text() -> None:
    for source in (f"+++\ntitle = 0x{'f' * 5000}\n+++\n", f"---\ntitle: 0x{'f' * 5000}\n---\n"):
        document = parse(source)
        assert document.title == document.metadata["title"] == f"0x{'f' * 5000}"


def test_toml_dates_are_text_too() -> None:
    metadata = parse("+++\nd = 2024-05-01\nt = 10:20:30\nf = 1979-05-27T07:32:00Z\n+++\n").metadata
    assert metadata == {"d": "2024-05-01", "t": "10:20:30", "f": "1979-05-27T07:32:00+00:00"}


def test_a_lone_surrogate_in_json_becomes_text_that_can_be_written() -> None:
    metadata = parse('{"a": "x\\ud800y", "\\udc00": 1}\n\nText.\n').metadata
    assert json.dumps(metadata_text := str(metadata)).isascii()
    assert metadata_text.encode("utf-8")
    assert set(metadata) == {"a", "\ufffd"}


ORDINARY = {
    "unclosed": "---\ntitle: A\n\n# Title\n",
    "a blank line after the mark": "---\n\ntitle: A\n---\n",
    "a line of blanks after the mark": "---\n  \ntitle: A\n---\n",
    "four dashes": "----\ntitle: A\n----\n",
    "four pluses": "++++\na = 1\n++++\n",
    "closed by another mark": "---\ntitle: A\n+++\n",
    "closing mark indented": "---\ntitle: A\n ---\n",
    "closing mark with text": "---\ntitle: A\n--- no\n",
    "not at the start": "\n---\ntitle: A\n---\n",
    "a word after the mark": "---text\ntitle: A\n---\n",
    "javascript": "---js\nmodule.exports = {title: 'A'}\n---\n",
    "unclosed, with a rule in the text": "---\ntitle: A\n\n# B\n\nText of B.\n\n---\n\nMore.\n",
    "unclosed, with marks in code": "---\ntitle: A\n\n```yaml\n---\na: b\n---\n```\n",
    "a list": "---\n- a\n- b\n---\n",
    "a sentence": "---\nNot a mapping at all.\n---\n",
    "a number": "---\n42\n---\n",
    "a comment only": "---\n# remark\n---\n",
    "json that is no mapping": '["a"]\n\nText.\n',
    "empty json": "{}\n\nText.\n",
    "json followed by text": '{"a": 1} and more\n',
    "unclosed json": '{"a": 1\n\nText.\n',
    "a liquid tag": "{% include x %}\n",
    "one brace": "{",
    "one mark": "---",
    "mark and end": "---\n",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_what_is_no_front_matter_is_text(source: str) -> None:
    document = parse(source)
    assert (dict(document.metadata), document.front_matter_end) == ({}, 0)
    kept = "".join(c.text for c in chunk(source))
    assert "".join(kept.split()) == "".join(source.split())


PROBLEMS = {
    "toml": "+++\na = \n+++\n",
    "json": "---json\n{'a': 1}\n---\n",
    "semicolons": ';;;\n"a": \n;;;\n',
    "yaml that has no key": "---\n[a, b\n---\n",
    "depth": f"---\na: {'[' * 60}{']' * 60}\n---\n",
    "length": f"---\na: {'x' * 1_100_000}\n---\n",
    "too long to be read by lines": f"---\na: *x\nb: {'x' * 110_000}\n---\n",
    "too many lines to be read by lines": "---\na: *x\n" + "b: c\n" * 2100 + "---\n",
}


@pytest.mark.parametrize("source", PROBLEMS.values(), ids=PROBLEMS)
def test_a_problem_is_a_warning_and_the_block_stays(source: str) -> None:
    with pytest.warns(MdchunkWarning, match="front matter is kept as text"):
        document = parse(source + BODY)
    assert dict(document.metadata) == {}
    # protected: it is a block that no cut enters, and it is not lost
    assert document.structure.spans[0][1:] == (len(source) - 1, "front_matter")
    assert document.title == "Title"


@pytest.mark.parametrize("mode", ["metadata", "chunk", "text"])
def test_a_block_that_cannot_be_read_is_kept_in_the_chunks(mode: str) -> None:
    source = "+++\na=[\nb=1\n+++\n" + BODY
    with pytest.warns(MdchunkWarning):
        found = chunk(source, front_matter=mode, chunk_size=18, unit="characters")
    assert found[0].text == "+++\na=[\nb=1\n+++"
    assert found[1].text == "# Title\n\nText."


N = {"name": "n", "title": "A"}
BROKEN = {
    # what stands between the lines `name: n` and `title: A`, what is left, and what is told
    "a colon in a value": ("description: Use when: x", N, ["description (line 3)"]),
    "a star": ("globs: *.py", N, ["globs (line 3)"]),
    "a template": ("date: {{ date }}", N, ["date (line 3)"]),
    "a template and text": ("date: {{ date }} at noon", N, ["date (line 3)"]),
    "a tag of a template": ("{% if x %}", N, ["{% if x %} (line 3)"]),
    "a tab before a key": ("\tkey: b", N, ["key (line 3)"]),
    "a tab before a value": ("meta:\n\tkey: b", {**N, "meta": None}, ["key (line 4)"]),
    "a line that is no key": ("just a sentence", N, ["just a sentence (line 3)"]),
    "a percent sign": ("home: %home", N, ["home (line 3)"]),
    "an at sign": ("handle: @me", N, ["handle (line 3)"]),
    "a backtick": ("date: `r Sys.Date()`", N, ["date (line 3)"]),
    "an open list": ("tags: [a, b", N, ["tags (line 3)"]),
    "an open quotation": ('say: "a', N, ["say (line 3)"]),
    "text behind a quotation": ('say: "a" b', N, ["say (line 3)"]),
    "a control character": ("say: \x01", N, ["say (line 3)"]),
    "an alias of nothing": ("a: *x", N, ["a (line 3)"]),
    "an alias of itself": ("a: &a [*a]", N, ["a (line 3)"]),
    "a merge of no mapping": ("a: {<<: 3}", N, ["a (line 3)"]),
    "a key that is a list": ("[a]: b", N, ["{…} (line 3)"]),
    "great depth": (f"a: {'[' * 20_000}{']' * 20_000}", N, ["a (line 3)"]),
    "two of them": ("a: b: c\nd: e\nf: *.md", {**N, "d": "e"}, ["a (line 3)", "f (line 5)"]),
    "inside a mapping": (
        "meta:\n  a: 1\n  b: x: y\n  c: 2",
        {**N, "meta": {"a": 1, "c": 2}},
        ["b (line 5)"],
    ),
    "inside a list": (
        "steps:\n- use: a\n- use: b: c\n- use: d",
        {**N, "steps": [{"use": "a"}, {"use": "d"}]},
        ["use (line 5)"],
    ),
    "beside a block of text": (
        "a: |\n  x: y: z\n\n  # w\nb: c: d",
        {**N, "a": "x: y: z\n\n# w\n"},
        ["b (line 7)"],
    ),
    "beside a list over lines": (
        "tags: [\na, b\n]\nb: c: d",
        {**N, "tags": ["a", "b"]},
        ["b (line 6)"],
    ),
    "beside an anchor": ("a: &x 1\nb: *x\nc: d: e", {**N, "a": 1, "b": 1}, ["c (line 5)"]),
    "an anchor that is lost": ("a: &x y: z\nb: *x", N, ["a (line 3)", "b (line 4)"]),
    "a blank line at the end": ("home: %home\n", N, ["home (line 3)"]),
    "remarks": ("# a: b: c\nb: c: d # e", N, ["b (line 4)"]),
    "quoted keys": ("\"a b\": c: d\n'e': 1", {**N, "e": 1}, ["a b (line 3)"]),
    "another script": ("説明: 使う時: こう", N, ["説明 (line 3)"]),
}


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_line_that_is_broken_costs_its_key_alone(name: str, line_end: str) -> None:
    lines, left, told = BROKEN[name]
    block = f"---\nname: n\n{lines}\ntitle: A\n---\n".replace("\n", line_end)
    with pytest.warns(MdchunkWarning) as warned:
        document = parse(block + BODY)
    assert dict(document.metadata) == left
    (one,) = warned
    assert [part in str(one.message) for part in told] == [True] * len(told)
    assert str(one.message).count("(line ") == len(told)
    with pytest.warns(MdchunkWarning):
        assert [c.text for c in chunk(block + BODY)] == ["# Title\n\nText."]


def test_a_block_of_which_no_key_can_be_read_is_kept_as_text() -> None:
    source = "---\ndescription: Use when: x\n---\n\nText.\n"
    with pytest.warns(MdchunkWarning, match="kept as text"):
        found = chunk(source)
    assert "".join(each.text for each in found) == source.rstrip("\n")
    assert all(dict(each.metadata) == {} for each in found)


TITLES = [
    "1.10",
    "12:30",
    "007",
    "NO",
    "on",
    "Yes",
    "true",
    "0x1F",
    "1_000",
    "2024-02-30",
    "1e3",
    "=",
]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_what_is_written(title: str) -> None:
    document = parse(f"---\ntitle: {title}\nversion: 1.20\n---\n{BODY}")
    assert document.title == document.metadata["title"] == title
    assert document.metadata["version"] == 1.2


@pytest.mark.parametrize("title", ["", "~", "null", '""'])
def test_a_title_that_is_none_is_none(title: str) -> None:
    assert parse(f"---\ntitle: {title}\n---\n{BODY}").title == "Title"


BOMB = "".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]\n" for n in range(1, 12))


def test_aliases_that_double_are_bounded_in_time() -> None:
    with backstop(), pytest.warns(MdchunkWarning, match="more than 100000 values"):
        document = parse(f"---\nk0: &k0 [x]\n{BOMB}---\n{BODY}")
    assert dict(document.metadata) == {}


@pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")
def test_merges_that_double_are_bounded_in_time() -> None:
    """A newer PyYAML drops what is merged twice, an older one does not."""
    lines = [f"k{n}: &k{n} {{<<: [{', '.join([f'*k{n - 1}'] * 10)}]}}\n" for n in range(1, 12)]
    with backstop():
        metadata = parse(f"---\nk0: &k0 {{x: 1}}\n{''.join(lines)}---\n{BODY}").metadata
    assert all(value == {"x": 1} for value in metadata.values())


def test_merges_of_merges_are_bounded_in_time() -> None:
    wide = "".join(f"x{n}: 1\n  " for n in range(9000))
    bomb = f"a: &a\n  {wide}\nb: &b {{<<: *a}}\nc: {{<<: [{', '.join(['*b'] * 90_000)}]}}\n"
    with backstop(), pytest.warns(MdchunkWarning, match="more than 100000 values are merged"):
        assert dict(parse(f"---\n{bomb}---\n{BODY}").metadata) == {}


def test_a_merge_of_itself_ends() -> None:
    with pytest.warns(MdchunkWarning, match=r"a \(line 2\)"):
        assert dict(parse(f"---\na: &a {{<<: *a}}\n---\n{BODY}").metadata) == {}


def test_an_alias_of_itself_ends() -> None:
    with pytest.warns(MdchunkWarning):
        assert dict(parse(f"---\na: &a [*a]\n---\n{BODY}").metadata) == {}


def test_a_plain_document_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(FORMS["yaml"] + BODY)


# the option


SOURCE = FORMS["yaml"] + "\n" + BODY


def test_metadata_takes_it_out_of_the_text() -> None:
    (only,) = chunk(SOURCE)
    assert (only.text, only.start_line) == ("# Title\n\nText.", 6)
    assert only.metadata == {"title": "A", "tags": ["x", "y"]}


def test_chunk_makes_it_the_first_chunk() -> None:
    first, second = chunk(SOURCE, front_matter="chunk", chunk_overlap=50)
    assert (first.text, first.cut, first.kinds) == (
        FORMS["yaml"].strip(),
        "front_matter_end",
        ("front_matter",),
    )
    assert (second.text, second.overlap) == ("# Title\n\nText.", 0)
    assert second.metadata == first.metadata == {"title": "A", "tags": ["x", "y"]}


def test_text_leaves_it_where_it_is() -> None:
    (only,) = chunk(SOURCE, front_matter="text")
    assert only.text == SOURCE.strip()
    assert only.metadata == {"title": "A", "tags": ["x", "y"]}


@pytest.mark.parametrize("mode", ["metadata", "chunk", "text"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_front_matter_alone(mode: str, bom: str) -> None:
    texts = [c.text for c in chunk(bom + FORMS["yaml"], front_matter=mode)]
    assert texts == ([] if mode == "metadata" else [FORMS["yaml"].strip()])


def test_front_matter_that_cannot_fit_is_cut_between_its_lines() -> None:
    source = "---\n" + "".join(f"key{n}: value{n}\n" for n in range(20)) + "---\n" + BODY
    found = chunk(source, front_matter="chunk", chunk_size=60, unit="characters", chunk_overlap=0)
    front = [c for c in found if c.kinds == ("front_matter",)]
    assert len(front) > 3
    assert all(c.size <= 60 for c in found)
    assert {c.text.splitlines()[0][:3] for c in front[1:]} == {"key"}
    assert front[-1].text.splitlines()[-1] == "---" != front[-1].text


def test_without_the_dialect_it_is_a_rule_and_a_heading() -> None:
    document = Chunker(dialects=("gfm",)).parse(FORMS["yaml"] + BODY)
    assert dict(document.metadata) == {}
    assert [h.level for h in document.structure.headings] == [2, 1]


def test_a_rule_at_the_start_is_a_rule() -> None:
    source = "---\n\nText.\n\n---\n\nMore.\n"
    assert [b.kind for b in parse(source).structure.blocks] == [
        "thematic_break", "paragraph", "thematic_break", "paragraph",
    ]  # fmt: skip


@pytest.mark.parametrize("mark", ["---", "+++", ";;;"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_empty_block_is_front_matter_without_values(line_end: str, mark: str) -> None:
    source = f"{mark}\n{mark}\n\nText.\n".replace("\n", line_end)
    document = parse(source)
    assert (dict(document.metadata), source[document.front_matter_end :].strip()) == ({}, "Text.")
    assert [c.text for c in chunk(source)] == ["Text."]


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ("---\na: 1\nb: [\n---\n", "line 3"),
        ("---\n[a,\nb: [\n---\n", "at line 4, column 1"),
        ("---yaml\r\na: 1\r\nb: 'x\r\n---\r\n", "line 3"),
        ("+++\na = 1\nb =\n+++\n", "at line 3, column 4"),
        (';;;\n"a": 1,\n"b": ?\n;;;\n', "line 3 column 6"),
        ('---json\n{"a": 1,\n"b": ?}\n---\n', "line 3 column 6"),
    ],
)
def test_a_problem_names_the_line_of_the_document(block: str, place: str) -> None:
    with pytest.warns(MdchunkWarning, match=place):
        parse(block + BODY)


def test_a_key_of_many_parts_is_bounded_in_time() -> None:
    with backstop(), pytest.warns(MdchunkWarning, match="a key of more than 50 parts"):
        assert dict(parse(f"+++\n{'.'.join('a' * 100_000)} = 1\n+++\n{BODY}").metadata) == {}


# Pandoc's title block, and what is none


TITLE_BLOCKS = {
    "% A\n% B\n% C\n": {"title": "A", "author": ["B"], "date": "C"},
    "% A\n": {"title": "A"},
    "% A\n  on two lines\n% B; C\n  D\n%\n": {"title": "A on two lines", "author": ["B", "C", "D"]},
    "%\n% B\n": {"author": ["B"]},
    "%\n%\n% C\n": {"date": "C"},
    "%\tA\n": {"title": "A"},
}


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["", "bom"])
@pytest.mark.parametrize("block", TITLE_BLOCKS)
def test_a_title_block(block: str, bom: str, line_end: str) -> None:
    source = bom + f"{block}\n{BODY}".replace("\n", line_end)
    document = parse(source)
    assert document.metadata == TITLE_BLOCKS[block]
    assert document.title == TITLE_BLOCKS[block].get("title", "Title")
    assert [h.text for h in document.structure.headings] == ["Title"]
    assert [c.text for c in chunk(source)] == [BODY.strip().replace("\n", line_end)]


@pytest.mark.parametrize(
    "source",
    [
        "% of all\nlamps are lit\n",
        "% A\n% B\n% C\n% D\n\nText.\n",
        "%A\n\nText.\n",
        "%%\na note\n%%\n",
        "%\n\nText.\n",
        "\n% A\n\nText.\n",
        # MultiMarkdown's metadata has no marks, and is a paragraph anywhere else
        "Title: A\nAuthor: B\n\nText.\n",
        "title: A\n---\n\nText.\n",
    ],
)
def test_what_is_no_title_block_is_text(source: str) -> None:
    document = parse(source)
    assert (dict(document.metadata), document.front_matter_end) == ({}, 0)
    assert "".join("".join(c.text.split()) for c in chunk(source)) == "".join(source.split())


# front matter inside a file


DECK = """---
theme: plain
---

# Knots

A talk

---
layout: two-cols
class: left
---

# The bowline

It holds a load and comes loose again.

---
layout: center
---

It slips.
"""


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
@pytest.mark.parametrize("size", range(40, 120, 8))
def test_front_matter_of_a_slide_starts_its_chunk(size: int, line_end: str) -> None:
    source = DECK.replace("\n", line_end)
    found = chunk(source, chunk_size=size, chunk_overlap=0, unit="characters")
    assert {title for c in found for title in c.headings} <= {"Knots", "The bowline"}
    lines = source.split(line_end)
    for first, behind in ((8, 16), (17, 22)):
        slide = line_end.join(lines[first:behind]).strip()
        assert len(slide) > size or any(slide in c.text for c in found)


def test_without_the_dialect_front_matter_of_a_slide_is_a_heading() -> None:
    parsed = Chunker(dialects=("front_matter",)).parse(DECK)
    assert [h.text for h in parsed.structure.headings][1] == "layout: two-cols class: left"
