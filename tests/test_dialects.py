"""Dialects: from outside as from inside, in linear time, and over any Markdown without an error."""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import corpus
import pytest
from growth import backstop, calls, doublings
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import mdchunk.dialects as registry
from mdchunk.dialect import Dialect
from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED, find_dialect, join_rules
from mdchunk.dialects.shared.tag_lines import Tag, _uncrossed
from mdchunk.document import Document, parse
from mdchunk.errors import DialectError
from mdchunk.parsing.parser import make_parser, parse_blocks
from mdchunk.rules import Rule
from mdchunk.scores import Weight

ALL = (*DEFAULT_DIALECTS, "mdx")
ANSWER = """\
from markdown_it.rules_block import StateBlock
from mdchunk.dialect import Dialect
from mdchunk.rules import Rule
from mdchunk.scores import Weight


def line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not state.src.startswith("@@", state.bMarks[start] + state.tShift[start]):
        return False
    if not silent:
        state.push("scene", "", 0).map = [start, start + 1]
        state.line = start + 1
    return True


def extend(parser):
    parser.block.ruler.before("fence", "scene", line, {"alt": ["paragraph"]})


SCENES = Dialect(
    "scenes",
    extend,
    rules={"scene": Rule("scene", "hard", inside="lines")},
    scores={"scene": Weight(65)},
    starts={"scene": "@"},
)
NOT_ONE = "scenes"
"""
PLAY = "# Act\n\ntext\n@@ A wood\ntext\n"


def scenes() -> Dialect:
    namespace: dict[str, object] = {}
    exec(ANSWER, namespace)
    dialect = namespace["SCENES"]
    assert isinstance(dialect, Dialect)
    return dialect


def check_play(document: Document) -> None:
    scored = [(b.kind, b.score) for b in document.structure.boundaries]
    expected = ["heading", "heading_content", "scene", "paragraph"]
    assert scored == list(zip(expected, (100, 1, 65, 20), strict=True))
    assert ("scene", PLAY.index("@@")) in {(s.kind, s.start) for s in document.structure.spans}


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with an entry point, as pip would."""
    (tmp_path / "stage_dialects.py").write_text(ANSWER, encoding="utf-8")
    info = tmp_path / "stage_dialects-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stage-dialects\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[mdchunk.dialects]\nscenes = stage_dialects:SCENES\nbroken = stage_dialects:NOT_ONE\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "stage_dialects", raising=False)


def test_a_dialect_is_passed_as_an_object() -> None:
    check_play(parse(PLAY, dialects=(*DEFAULT_DIALECTS, scenes())))


@pytest.mark.usefixtures("distribution")
def test_a_dialect_is_found_by_its_entry_point() -> None:
    check_play(parse(PLAY, dialects=(*DEFAULT_DIALECTS, "scenes")))


@pytest.mark.usefixtures("distribution")
def test_an_entry_point_must_give_a_dialect() -> None:
    with pytest.raises(DialectError, match="broken"):
        find_dialect("broken")


@pytest.mark.usefixtures("distribution")
def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(DialectError) as caught:
        parse("", dialects=("gmf",))
    for name in ("'gmf'", *SHIPPED, "scenes"):
        assert name in str(caught.value)


@pytest.mark.parametrize(
    "clash",
    [
        Dialect("mine", lambda _: None, rules={"math_block": Rule("formula")}),
        Dialect("mine", lambda _: None, rules={"fence": Rule("listing", "hard")}),
        Dialect("mine", lambda _: None, scores={"heading": Weight(10)}),
    ],
)
def test_a_clash_is_an_error_that_names_the_dialect(clash: Dialect) -> None:
    with pytest.raises(DialectError, match="mine"):
        parse("text", dialects=(*DEFAULT_DIALECTS, clash))


def test_the_same_meaning_twice_is_no_clash() -> None:
    gfm, callout = SHIPPED["gfm"], SHIPPED["callout"]
    assert join_rules([gfm, callout])["callout_open"].kind == "callout"
    twice = Dialect("mine", lambda _: None, rules=SHIPPED["math"].rules)
    parse("text", dialects=(*DEFAULT_DIALECTS, twice))


def bare() -> MarkdownIt:
    return MarkdownIt("commonmark", {"inline_definitions": True, "maxNesting": 100})


def drawn(tokens: list[Token]) -> list[tuple[object, ...]]:
    return [(t.type, t.map, t.content, t.level) for t in tokens if t.type != "definition"]


@pytest.mark.parametrize("source", corpus.spec_examples())
def test_commonmark_alone_is_the_bare_spec(source: str) -> None:
    tokens, _ = parse_blocks(make_parser([SHIPPED["commonmark"]]), source)
    assert drawn(tokens) == drawn(bare().parse(source))


def test_no_shipped_dialect_needs_another() -> None:
    for dialect in SHIPPED.values():
        make_parser([dialect])


def test_each_file_holds_the_dialect_of_its_name() -> None:
    files = {path.stem for path in Path(registry.__path__[0]).glob("*.py")} - {"__init__"}
    assert {*SHIPPED} == {*files, "commonmark"}
    assert {*DEFAULT_DIALECTS} <= {*SHIPPED}


@pytest.mark.parametrize("order", [DEFAULT_DIALECTS, DEFAULT_DIALECTS[::-1]])
def test_the_order_of_dialects_does_not_matter(order: tuple[str, ...]) -> None:
    source = (
        "> [!tip] a\n> b\n\n<x_1>\n\n- c\n</x_1>\n\n!!! note\n    $$\n    d\n    $$\n:::e\nf\n:::\n"
    )
    kinds = [block.kind for block in parse(source, dialects=order).structure.blocks]
    expected = "callout paragraph tag list list_item paragraph admonition math directive paragraph"
    assert kinds == expected.split()


UNCLOSED: dict[str, Callable[[int], str]] = {
    "dollars": lambda n: "$$\n" * n,
    "dollars and text": lambda n: "$$ a\n" * n,
    "dollars and blank lines": lambda n: "$$ a\n\n" * n,
    "dollars in an item": lambda n: "- a\n\n" + "  $$\n  \\[\n\n" * n + "\nend $$",
    "brackets": lambda n: "\\[\n\n" * n,
    "environments": lambda n: "\\begin{align}\n" * n,
    "environments of any name": lambda n: "\\begin{a}\n\n" * n,
    "environments in environments": lambda n: "\\begin{a}\n" * n + "\\end{a}\n" * n,
    "environments that cross": lambda n: (
        "".join(f"\\begin{{a{i}}}\n" for i in range(n))
        + "".join(f"\\end{{a{i}}}\n" for i in range(n))
    ),
    "environments in items": lambda n: "- \\begin{a}\n\n  b\n" * n + "\\end{a}",
    "containers": lambda n: ":::a\n" * n,
    "containers with one end": lambda n: "::::a\n" + ":::b\n" * n + "::::\n",
    "fences": lambda n: "```{note}\n" * n,
    "admonitions": lambda n: "!!! note\n\n" * n,
    "tags": lambda n: "<a_1>\n" * n,
    "tags and blank lines": lambda n: "<a>\n\n" * n,
    "closing tags": lambda n: "</a_1>\n" * n,
    "crossed tags": lambda n: (
        "".join(f"<a{i}>\n" for i in range(n)) + "".join(f"</a{i}>\n" for i in range(n))
    ),
    "nested tags": lambda n: "<a_1>\n\n" * n + "</a_1>\n\n" * n,
    "tags in lists": lambda n: "<a_1>\n\n- b\n</a_1>\n" * n,
    "runs of backticks": lambda n: (
        "a\n" + "".join("`" * (i % 90) + "\n" for i in range(n)) + "<a>\n</a>"
    ),
    "comments": lambda n: "<a>\n" + "<!--\n" * n + "</a>",
    "blanks in a tag": lambda n: "<a" + " " * n + "\n</a>",
    "callouts": lambda n: "> [!a]\n\n" * n,
    "terms": lambda n: "a\n\n: b\n\n" * n,
    "footnotes": lambda n: "[^1]: a\n" * n,
    "targets": lambda n: "(a)=\n" * n,
    "grids": lambda n: "+--+\n" * n,
    "grids without a border below": lambda n: "+--+\n| a |\n\n" * n,
    "rules with gaps": lambda n: "-- --\n" * n,
    "rules with gaps over rows": lambda n: "-- --\na  b\n\n" * n,
    "heads of tables": lambda n: "---\na  b\n-- --\n\n" * n,
    "heads of tables without rows": lambda n: "a  b\n-- --\n\n" * n,
    "rules above long heads": lambda n: "---\n" + "a\n" * n + "-- --\n",
    "page marks": lambda n: "{1}---\n<!-- Page 2 -->\n" * n,
    "tabs": lambda n: "# [a](#tab/a)\n" * n,
    "tabs in quotes": lambda n: "# [a](#tab/a)\n> # [a](#tab/a)\n" * n + "---\n",
}


def work(source: str) -> None:
    parse_blocks(make_parser([find_dialect(name) for name in DEFAULT_DIALECTS]), source)


@pytest.mark.parametrize("name", UNCLOSED)
def test_what_is_not_closed_takes_linear_work(name: str) -> None:
    sources = map(UNCLOSED[name], (500, 500, 1_000, 2_000))
    counts = [calls(lambda source=source: work(source)) for source in sources]
    assert max(doublings(counts[1:])) <= 2.3, counts


def test_a_hundred_thousand_openers() -> None:
    with backstop():
        for mark in ("$$\n", "$$ a\n", "\\begin{align}\n", "<a_b>\n", "<a_b>\n</a_b>\n"):
            work(mark * 100_000)


MARKS = st.sampled_from(
    r"""
$$|\[|\]|\begin{align}|\end{align}|!!! note|=== "a"|:::a|:::|::::|::: {.b}|```{note}|```|+++|(a)=
> [!tip]|> |: b|[^1]: c|<a_1>|</a_1>|<b>|<details>|</details>|<summary>a</summary>|<!--|-->|<T>|</T>
\begin{a}|\end{a}|# [a](#tab/a)
+--+|-- --|-----|a  b|{a|}|import a|- |1. |# h|---|===|text:|text|||`|    code
""".strip()
    .replace("\n", "|")
    .split("|")
)
INDENTS = st.sampled_from(["", "", "", " ", "    ", "  ", "\t", "> ", "- ", "| ", "|---|"])
LINES = st.lists(st.tuples(INDENTS, INDENTS, MARKS).map("".join), max_size=14)


@settings(max_examples=300, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from([DEFAULT_DIALECTS, ALL]))
def test_any_mix_of_marks_gives_a_sound_structure(
    lines: list[str], line_end: str, dialects: tuple[str, ...]
) -> None:
    source = line_end.join(lines)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = parse(source, dialects=dialects)
    structure = document.structure
    for places in (structure.boundaries, structure.interior):
        offsets = [place.offset for place in places]
        assert offsets == sorted(set(offsets))
        assert set(offsets) <= set(document.lines.starts)
    opened: list[int] = []
    for span in structure.spans:
        assert 0 <= span.start < span.end <= len(source)
        while opened and opened[-1] <= span.start:
            opened.pop()
        assert not opened or span.end <= opened[-1]
        opened.append(span.end)
    opens = [token.nesting for token in document.tokens]
    assert sum(opens) == 0


@given(st.lists(st.integers(0, 40), unique=True, max_size=24))
def test_pairs_that_cross_are_those_that_cross(lines: list[int]) -> None:
    lines = lines[: len(lines) // 2 * 2]
    pairs = [tuple(sorted(lines[i : i + 2])) for i in range(0, len(lines), 2)]
    tagged = sorted((Tag(a, a, "x", True, -1), Tag(b, b, "x", False, -1)) for a, b in pairs)
    kept = {(a.line, b.line) for a, b in _uncrossed(tagged)}

    def cross(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]

    assert kept == {p for p in pairs if not any(cross(p, other) for other in pairs)}


@pytest.mark.parametrize(
    ("info", "kind"),
    [
        ("py", "code:py"),
        ("py{1,3}", "code:py"),
        ("{.py #id}", "code:py"),
        ("{ .yaml .annotate }", "code:yaml"),
        ("{code-block} python", "code:python"),
        ("{code-cell}", "code:code-cell"),
        ('title="a"', "code"),
        ("c++ a=b", "code:c++"),
        ("", "code"),
    ],
)
def test_languages_are_read_from_any_info_string(info: str, kind: str) -> None:
    assert [block.kind for block in parse(f"```{info}\na\n```").structure.blocks] == [kind]


def test_the_corpus_raises_nothing() -> None:
    if not corpus.CORPUS.is_dir():
        pytest.skip("no corpus here")
    parser = make_parser([find_dialect(name) for name in ALL])
    for path in sorted(corpus.CORPUS.rglob("*.md")):
        tokens, _ = parse_blocks(parser, corpus.read(path))
        assert sum(token.nesting for token in tokens) == 0, path


def test_plug_ins_are_loaded_when_they_are_used() -> None:
    assert not any(name.startswith("mdit_py_plugins") for name in vars(registry))


def test_a_stream_with_a_plug_ins_own_maps_is_sound() -> None:
    from mdit_py_plugins.deflist import deflist_plugin

    source = "One\n: a\n\nTwo\n\n: b\n"
    parser = MarkdownIt("commonmark")
    deflist_plugin(parser)
    document = Document.from_tokens(source, parser.parse(source))
    starts = [span.start for span in document.structure.spans]
    assert starts == sorted(starts)
    assert [b.kind for b in document.structure.boundaries] == (
        ["paragraph", "attached", "paragraph", "attached"]
    )


@pytest.mark.parametrize(
    "source",
    [
        "--- ---\na   b\n\n\nc   d\n--- ---\n",  # two blank lines part it
        "--- ---\na   b\n\n",  # no rule ends it
        "--- ---\na   b\nc   d\n",
        "A   B\n--- ---\n-----\n",  # no row
        "-----\nA   B\n--- ---\n-----\n",
    ],
)
def test_what_looks_like_a_table_of_pandoc_and_is_none(source: str) -> None:
    kinds = {block.kind for block in parse(source).structure.blocks}
    assert "table" not in kinds


def test_marks_above_letters_take_no_column_of_a_table() -> None:
    source = "cafe\u0301 x\n---- ---\nthe\u0301  one\n"
    kinds = {block.kind for block in parse(source).structure.blocks}
    assert "table" in kinds


def test_elements_beside_each_other_hold_a_heading_each_and_stay_whole() -> None:
    part = "<div>\n<h2>{0}</h2>\n{0} is said here.\n</div>\n"
    source = part.format("One") + part.format("Two") + "<h2>open\n"
    spans = {source[s.start : s.end] for s in parse(source).structure.spans}
    assert {part.format("One").strip(), part.format("Two").strip()} <= spans
    assert [heading.text for heading in parse(source).structure.headings] == ["One", "Two"]
