"""Plain text: what a reader sees of each chunk, and nothing where it is not asked for."""

from __future__ import annotations

import pickle
import re

import pytest
from corpus import CORPUS, corpus_files, own_documents, spec_examples
from growth import calls
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from plain import FOLDER, Case, cases, render
from shown import WORD, renderer, shown, words

import mdchunk
from mdchunk import Chunk, Dialect, DialectError, Options, Reading, Rule
from mdchunk.dialects import SHIPPED

SOURCE = """\
# A *title* {#id}

See [the **guide**](guide.md "Title") and ![a picture](a.png), or <https://a.example>.

- `code  here` &amp; more
- [x] done

| Name | Size |
| ---- | ---- |
| a\\|b | **2** |

```python
if x:

    y
```
"""


def cut(source: str, size: int, **options: object) -> list[Chunk]:
    settings = {"unit": "characters", "chunk_overlap": 0, "plain": True, **options}
    return mdchunk.chunk(source, chunk_size=size, **settings)  # type: ignore[arg-type]


def test_it_is_empty_where_it_is_not_asked_for() -> None:
    assert all(c.plain == "" for c in mdchunk.chunk(SOURCE))
    assert [c.text for c in cut(SOURCE, 60)] == [c.text for c in cut(SOURCE, 60, plain=False)]


def test_it_travels_with_the_chunk() -> None:
    for found in cut(SOURCE, 60):
        assert pickle.loads(pickle.dumps(found)) == found
        assert found.as_dict()["plain"] == found.plain
    assert Options(plain=True) == pickle.loads(pickle.dumps(Options(plain=True)))


def test_a_parsed_document_has_the_same() -> None:
    whole = cut(SOURCE, 60)
    chunker = mdchunk.Chunker(Options(chunk_size=60, unit="characters", plain=True))
    assert chunker.chunk(mdchunk.parse(SOURCE)) == whole
    assert chunker.chunk(chunker.parse(SOURCE)) == whole


def test_a_part_of_a_block_has_its_part_of_the_text() -> None:
    source = "> - one *two* three [four](five) six seven &amp; eight `nine ten`\n"
    words = " ".join(c.plain for c in cut(source, 20))
    assert words == "one two three four six seven & eight nine ten"
    code = "````\n" + "".join(f"line {n}\n" for n in range(9)) + "````\n"
    assert "\n".join(c.plain for c in cut(code, 24)) == code.strip("`\n")


def test_what_describes_an_image_is_of_the_image() -> None:
    assert [c.plain for c in cut("![a *b*](x) a b", 11)] == ["a b", "a b"]


def test_a_formula_of_several_lines_is_in_its_parts() -> None:
    found = cut("So $aaa + bbb\nccc + ddd$ is.\n", 12)
    assert [c.plain for c in found if "ddd" in c.text] == [
        c.plain for c in found if "ddd" in c.plain
    ]
    assert " ".join(c.plain for c in found) == "So aaa + bbb ccc + ddd is."


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file}: {case.title}")
def test_what_a_reader_sees(case: Case) -> None:
    assert render(case) == case.text, "python tests/plain.py writes this anew: look at each line"


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file}: {case.title}")
def test_what_a_reader_sees_is_the_same_in_small_chunks(case: Case) -> None:
    whole = "".join(chunk.plain for chunk in case.chunks(100_000))
    for size in (60, 25):
        parts = "".join(chunk.plain for chunk in case.chunks(size))
        assert "".join(parts.split()) == "".join(whole.split())


def test_every_dialect_has_its_fixture() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*SHIPPED}


# the same as a page that another renderer makes

COMMONMARK = renderer()
GFM = renderer("table", "strikethrough")
UNLIKE = (
    # browsers and html.parser end it at its first ``>``, CommonMark at ``?>``
    re.compile(r"<\?"),
    # older versions of html.parser do not know that this is a whole comment
    re.compile(r"<!--+>"),
    # a task's box is none of the text, which markdown-it does not know
    re.compile(r"^ *- \[[ x]\] ", re.MULTILINE),
    # to CommonMark a script in a line is text behind a tag
    re.compile(r"\S.*<script>"),
    # html.parser waits for the end of an element that HTML would not have there
    re.compile(r"<(?:title|style)> "),
)
"""Where the oracle is no judge; every rule with its reason."""


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_the_plain_text_is_that_of_the_rendered_page() -> None:
    """Every character of it in order, and nothing else: no word is lost, and no mark-up left."""
    for source in spec_examples():
        if any(pattern.search(source) for pattern in UNLIKE):
            continue
        for dialect, page in (("commonmark", COMMONMARK), ("gfm", GFM)):
            expected = shown(page, source)
            for size in (1000, 40, 12, 5):
                found = cut(source, size, dialects=(dialect,))
                assert squeezed("".join(c.plain for c in found)) == squeezed(expected), source
            whole = " ".join(c.plain for c in cut(source, 1000, dialects=(dialect,)))
            assert WORD.findall(whole) == WORD.findall(expected), source


def test_line_ends_and_marks_change_nothing() -> None:
    for source in [*spec_examples()[::7], *own_documents().values()]:
        if "\r" in source or source.startswith("\ufeff"):
            continue
        plain = [c.plain for c in cut(source, 60)]
        assert [c.plain for c in cut("\ufeff" + source.replace("\n", "\r\n"), 60)] == plain


def corpus_sources() -> list[tuple[str, str]]:
    return [
        (str(path), path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff"))
        for path in corpus_files()
    ]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="there is no corpus")
def test_no_word_of_the_corpus_is_lost_or_added_by_gfm() -> None:
    """All words, and no others, but for the ``x`` in the boxes of tasks."""
    wrong = {}
    for name, source in corpus_sources():
        found = cut(source, 100_000, dialects=("gfm",), front_matter="text")
        # the type of a callout without a title is a title, with a capital
        got = words("\n".join(c.plain for c in found).casefold())
        want = words(shown(GFM, source).casefold())
        boxes = words(" ".join(TASK.findall(source)).casefold())
        if got - want or want - got - boxes:
            wrong[name] = (want - got, got - want)
    assert not wrong


TASK = re.compile(r"(?<!\S)\[[xX]\](?=\s)")
MARKUP = {
    "front matter": r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*$",
    "the line that opens a container": r"^[ \t>*+-]*(?:!!!|\?\?\?|===|/{3,}|:{3,}).*$",
    "the line that opens a MyST fence": r"^[ \t>*+-]*(?:`{3,}|~{3,}).*$",
    "its options": r"^[ \t>]*(?::[\w-]+:.*|---[ \t]*\n(?:.*\n)*?[ \t>]*---[ \t]*)$",
    "the mark of a callout, task or footnote": r"\[!?\^?[^\]\n]*\]",
    "attributes": r"\{:?[ \t]*[#.\w-][^{}]*\}",
    "comments": r"\{/\*(?:.|\n)*?\*/\}|(?<!`)%%[^%`]+%%|<!--(?:.|\n)*?-->",
    "template tags, which show what they stand for": r"\{\{[^{}]*\}\}|\{%.*?%\}",
    "targets and breaks": r"^[ \t]*\([^()\n]*\)=|^\+\+\+.*$",
    "icons and roles": r":[a-z0-9-]+:|\{[\w:.+-]+\}`[^`]*`",
    "ids of blocks": r"\^[\w-]+[ \t]*$",
    "links and tags in content that the oracle takes for code": (
        r"\]\([^)\n]*\)|<[^<>\n]*>|\]\[[^\]\n]*\]|^[ \t>]*\[[^\]\n]*\]:.*$"
    ),
    "numbers of items in such content": r"^[ \t>]*\d+[.)][ \t]",
}
"""What a dialect means by mark-up; markdown-it, which knows none of them, renders it as text."""


@pytest.mark.skipif(not CORPUS.is_dir(), reason="there is no corpus")
def test_no_word_of_the_corpus_is_lost_by_the_dialects() -> None:
    """A word that is lost stands in what a dialect means by mark-up, as often as it is lost."""
    lost = {}
    for name, text in corpus_sources():
        source = text.replace("\r\n", "\n")
        plain = "\n".join(c.plain for c in cut(source, 100_000, front_matter="text"))
        missing = words(shown(GFM, source)) - words(plain)
        if missing:
            for pattern in MARKUP.values():
                for match in re.finditer(pattern, source, re.MULTILINE):
                    missing -= words(match[0])
        # without blanks between words, marks off make one word of two
        missing = [w for w in missing if w.isascii() or w not in squeezed(plain)]
        if missing:
            lost[name] = missing
    assert not lost


LEFT = re.compile(
    r"^(?:!!!|\?\?\?\+?|:::+ ?\{?\w|=== \"|/// |\+\+\+|%%$)|\[\[|\]\(|\[!\w+\]|\{[%#]|\[\^\w", re.M
)
"""Mark-up of the dialects that are on."""
CODE = re.compile(
    r"^[ \t>*-]*(`{3,}|~{3,})(?![ \t]*\{).*\n(?:.*\n)*?[ \t>]*\1.*$|(?<![`}])`[^`\n]+`",
    re.MULTILINE,
)


def test_no_markup_of_the_own_documents_is_left() -> None:
    for name, source in own_documents().items():
        without = CODE.sub("", source)
        plain = "\n".join(c.plain for c in cut(without, 100_000))
        assert not LEFT.search(plain), (name, LEFT.search(plain))


def test_a_users_dialect_says_how_its_block_reads() -> None:
    def extend(parser: MarkdownIt) -> None:
        def box(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
            line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
            if not line.startswith("@@"):
                return False
            if not silent:
                state.push("box", "", 0).map = [start, start + 1]
                state.line = start + 1
            return True

        parser.block.ruler.before("fence", "box", box, {"alt": ["paragraph"]})

    def read(reading: Reading | None) -> str:
        readings = {} if reading is None else {"box": reading}
        dialect = Dialect("box", extend, rules={"box": Rule("box")}, readings=readings)
        (found,) = cut("> a\n> @@ *title* end\n> b\n", 100, dialects=("gfm", dialect))
        return found.plain

    assert read(None) == "a\n\n@@ *title* end\n\nb"
    assert read(Reading("hidden")) == "a\n\nb"
    assert read(Reading(shows=r"@@ (?P<text>.*) end", gap="\n")) == "a\ntitle\n\nb"


def test_two_dialects_may_not_read_one_token_in_two_ways() -> None:
    def nothing(parser: MarkdownIt) -> None:
        del parser

    one, two = (
        Dialect(name, nothing, readings={"box": Reading(reads)})
        for name, reads in (("one", "html"), ("two", "hidden"))
    )
    with pytest.raises(DialectError, match="'two' gives the token type 'box' another reading"):
        mdchunk.Chunker(dialects=(one, two))


@pytest.mark.parametrize("unit", ["[", "![", "^[", "[[", "<!-- ", "==a ", r"\(a ", "$a ", "{.a "])
def test_what_is_never_closed_takes_time_by_its_length(unit: str) -> None:
    """Brackets take markdown-it's rules time by their square, so a text is read in parts."""

    def work(count: int) -> int:
        return calls(lambda: cut(unit * count + "\n", 1_000_000))

    assert work(4_000) < 3 * work(2_000)
