"""The quick block parser makes the very tokens of markdown-it's own, for every dialect."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from growth import backstop
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED
from mdchunk.parsing.blocks.state import State
from mdchunk.parsing.collector import LARGE, collector_paused
from mdchunk.parsing.dispatch import DispatchParser, dispatch
from mdchunk.parsing.parse_state import ENV_KEY, ParseState
from mdchunk.parsing.parser import INLINE_RULES, MAX_NESTING, make_parser

FIXTURES = Path(__file__).parents[1] / "fixtures"
CORPUS = Path(os.environ.get("MDCHUNK_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
SETS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in SHIPPED},
    "default": DEFAULT_DIALECTS,
    "all": tuple(SHIPPED),
}


@lru_cache
def plain_parser(names: Sequence[str]) -> MarkdownIt:
    """Build what make_parser builds, with markdown-it's own block parser."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    for name in names:
        SHIPPED[name].extend(parser)
    parser.core.ruler.disable(INLINE_RULES, ignoreInvalid=True)
    parser.validateLink = lambda _: True  # as make_parser does
    assert type(parser.block) is ParserBlock
    return parser


@lru_cache
def quick_parser(names: Sequence[str]) -> MarkdownIt:
    """Build the parser under test."""
    parser = make_parser([SHIPPED[name] for name in names])
    assert isinstance(parser.block, DispatchParser)
    return parser


def assert_same(names: tuple[str, ...], source: str) -> None:
    """Compare all fields of all tokens, and the link definitions."""
    plain: dict[str, object] = {}
    quick: dict[str, object] = {}
    found = quick_parser(names).parse(source, quick)
    try:
        expected = plain_parser(names).parse(source, plain)
    except IndexError:  # some versions fail at a container's blank last line
        return
    for env in (plain, quick):
        env.setdefault(ENV_KEY, ParseState())  # made by the first rule that asks for it
    assert found == expected
    assert quick == plain


def examples() -> Iterator[str]:
    """Give every example of the specs with each kind of line end."""
    for path in ("commonmark/spec-0.31.2.json", "gfm/spec-0.29.json", "gfm/extensions.json"):
        for example in json.loads((FIXTURES / path).read_text(encoding="utf-8")):
            for end in ("\n", "\r\n", "\r"):
                yield example["markdown"].replace("\n", end)


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
def test_spec_examples(names: tuple[str, ...]) -> None:
    for source in examples():
        assert_same(names, source)


@pytest.mark.parametrize("names", [DEFAULT_DIALECTS, tuple(SHIPPED)], ids=["default", "all"])
def test_spec_examples_in_containers(names: tuple[str, ...]) -> None:
    for source in examples():
        for prefix in ("> ", "- ", "1. > ", "   ", "\t", "text\n"):
            assert_same(names, prefix + source.replace("\n", "\n" + " " * len(prefix)))
            assert_same(names, prefix + source.replace("\n", "\n" + prefix))


@pytest.mark.parametrize(
    "text", ["a", "- a", "12. a", "> a", "# a", "a\n>\t>\tb", "- a\n>\t>\t==="]
)
def test_tabs_behind_the_marks_of_quotes(text: str) -> None:
    for marks in (">\t", ">\t>\t", "> >\t", ">\t> "):
        assert_same(("commonmark",), marks + text)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
@pytest.mark.parametrize("names", [DEFAULT_DIALECTS, tuple(SHIPPED)], ids=["default", "all"])
def test_corpus(names: tuple[str, ...]) -> None:
    for path in CORPUS.rglob("*.md*"):
        assert_same(names, path.read_bytes().decode("utf-8", "replace"))


PIECES = (  # the long s is an s without regard to case
    *"-*+_=#>`~<[]():|!?\\\"'\t \n\r\x00\x0b\u00a0\u2028a1é\u017f漢$^",
    *("text", "text\n", "\ttext", "    code\n", "\n\n", "\r\n", "\n  ", "\n    ", "\n> ", "    "),
    *("- ", "* ", "1. ", "2) ", "10. ", "1000000000. ", "  - ", "-\t", "- \n", "> ", ">\t"),
    *("# ", "###### ", "```", "~~~", "---", "===", "***", "- - -", "| a | b |\n", "|---|:-:|\n"),
    *("[a]: b", "[a]:\n", "[^1]: ", "[^1]", '"t"\n', "> [!note]\n", "[!NOTE]\n", ": d\n"),
    *("<div>", "</div>", "<!--", "-->", "<?", "<!A", "<x-y a=b>", "<script>", "</\u017fcript>"),
    *(
        "<tag>\n",
        "</tag>\n",
        "$$",
        "$$\n",
        "\\begin{align}\n",
        "\\end{align}\n",
        "---\na: 1\n---\n",
    ),
    *("{% a %}\n", "{% enda %}\n", "{{< a >}}\n", "{{< /a >}}\n", "{/*", "*/}\n"),
    *(":::", "::: note\n", "```{note}\n", "!!! note\n", "??? a\n", "=== ", "{a}\n", "import a\n"),
)
SOURCES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
@settings(max_examples=300, deadline=None)
@given(source=SOURCES)
def test_any_document(names: tuple[str, ...], source: str) -> None:
    assert_same(names, source)


@settings(deadline=None)
@given(source=st.text(st.sampled_from("\t \na>-"), max_size=60), begin=st.integers(0, 5))
def test_lines_are_those_of_markdown_it(source: str, begin: int) -> None:
    parser = plain_parser(("commonmark",))
    own, theirs = State(source, parser, {}, []), StateBlock(source, parser, {}, [])
    for name in ("bMarks", "eMarks", "tShift", "sCount", "bsCount", "lineMax"):
        assert getattr(own, name) == getattr(theirs, name)
    for indent in range(-1, 9):
        for end in range(own.lineMax + 1):
            for last in (False, True):
                lines = theirs.getLines(begin, end, indent, last)
                assert own.getLines(begin, end, indent, last) == lines
    for line in range(own.lineMax + 2):
        assert own.skipEmptyLines(line) == theirs.skipEmptyLines(line)


def _shout(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Take a line in capitals as a block: a rule that no table knows."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.isupper():
        return False
    if not silent:
        state.line = start + 1
        state.push("shout", "", 0).content = line
    return True


def _both(*plugins: tuple[str, list[str]], starts: Mapping[str, str]) -> Iterator[MarkdownIt]:
    for quick in (False, True):
        parser = MarkdownIt().disable(INLINE_RULES[:2])
        if quick:
            dispatch(parser, starts)
        for before, alt in plugins:
            parser.block.ruler.before(before, f"shout_{before}", _shout, {"alt": alt})
        yield parser


@pytest.mark.parametrize("before", ["table", "fence", "reference", "lheading", "paragraph"])
@given(
    source=st.lists(st.sampled_from(("A\n", "a\n", "    A\n", "- A\n", "> A\n", "\n", "1. a\n")))
)
def test_unknown_rules_are_always_tried(before: str, source: list[str]) -> None:
    alt = ["paragraph", "reference", "blockquote", "list"]
    plain, quick = _both((before, alt), starts={})
    assert quick.parse("".join(source)) == plain.parse("".join(source))


def test_a_rule_is_tried_where_it_starts() -> None:
    _, quick = _both(("fence", ["paragraph"]), starts={"shout_fence": "A"})
    kinds = [token.type for token in quick.parse("ABC\n\nBCD\n")]
    assert kinds == ["shout", "paragraph_open", "inline", "paragraph_close"]


def _aside(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Parse what stands behind a percent sign by itself, as some plug-ins do."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("%", begin):
        return False
    if not silent:
        inner = StateBlock(state.src[begin + 1 : state.eMarks[start]], state.md, state.env, [])
        state.md.block.tokenize(inner, 0, inner.lineMax)
        state.push("aside", "", 0).children = inner.tokens
        state.line = start + 1
    return True


def test_a_plug_in_may_parse_a_text_of_its_own() -> None:
    plain, quick = _both(starts={})
    for parser in (plain, quick):
        parser.block.ruler.before("fence", "aside", _aside, {"alt": ["paragraph"]})
    found = quick.parse("text\n%- item\n- > %# Title\n")
    assert [t.type for token in found for t in token.children or ()][:2] == (
        ["bullet_list_open", "list_item_open"]
    )
    assert found == plain.parse("text\n%- item\n- > %# Title\n")


def test_a_rule_that_stays_where_it_is_is_an_error_and_no_endless_loop() -> None:
    for parser in _both(starts={}):
        parser.block.ruler.before("fence", "stuck", lambda *_: True)
        with backstop(60), pytest.raises(Exception, match="didn't increment"):
            parser.parse("text\n")


def test_a_parser_without_a_rule_for_a_line_is_an_error() -> None:
    for parser in _both(starts={}):
        parser.disable("paragraph")
        with backstop(60), pytest.raises(Exception, match="none of the block rules matched"):
            parser.parse("text\n")


def test_a_replaced_rule_is_no_longer_known() -> None:
    plain, quick = _both(starts={})
    for parser in (plain, quick):
        parser.block.ruler.at("fence", _shout, {"alt": ["paragraph"]})
        parser.block.ruler.at("paragraph", parser.block.ruler.getRules("")[-1])
    assert quick.parse("a\nBC\n\n```\n") == plain.parse("a\nBC\n\n```\n")


@pytest.mark.parametrize("rule", ["code", "fence", "lheading", "list", "reference", "heading"])
def test_rules_can_be_switched_off_and_on(rule: str) -> None:
    plain, quick = plain_parser(DEFAULT_DIALECTS), quick_parser(DEFAULT_DIALECTS)
    for switch in ("disable", "enable"):
        for parser in (plain, quick):
            getattr(parser, switch)(rule)
        for source in examples():
            assert quick.parse(source) == plain.parse(source)


@pytest.mark.parametrize("before", ["", "[a]: x\n[a]: y\n\n"])
@pytest.mark.parametrize("lines", [10, 15, 16, 17, 40, 100])
def test_a_quote_with_many_lines_without_a_mark_is_read_once(lines: int, before: str) -> None:
    """What is read in vain leaves no definition behind, nor a second one."""
    source = f"{before}> [a]: b\n> [a]: c\n> [d]: e\n>\n> text\n" + "lazy\n" * lines + "# h\n"
    env: dict[str, Any] = {}
    ours: dict[str, Any] = {}
    plain, quick = plain_parser(DEFAULT_DIALECTS), quick_parser(DEFAULT_DIALECTS)
    assert quick.parse(source, ours) == plain.parse(source, env)
    assert ours == env


def test_options_of_newer_versions() -> None:
    source = "- [ ] a\n- [x] b\n\n> [!NOTE]\n> c\n"
    plain, quick = _both(starts={})
    for parser in (plain, quick):
        parser.options["tasklists"] = parser.options["alerts"] = True
    assert quick.parse(source) == plain.parse(source)


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("size", [0, LARGE])
def test_the_collector_is_left_as_it_was(size: int, on: bool) -> None:
    before = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        with suppress(ZeroDivisionError), collector_paused(size):
            assert gc.isenabled() == (on and size < LARGE)
            raise ZeroDivisionError
        assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()


def test_tokens_are_whole() -> None:
    token = State("a", plain_parser(("commonmark",)), {}, []).push("a", "b", 0)
    assert token == Token("a", "b", 0, block=True)
    assert token.as_dict() == Token("a", "b", 0, block=True).as_dict()


DEFINITIONS = st.lists(
    st.sampled_from(
        ("[a]", ":", " ", "\n", "/u", "<u v>", "'", '"', "(", ")", "\\", "&amp;", "[", "b")
    )
    | st.sampled_from(
        ("\n> ", "\n- ", "\n    ", "]", "[a]: /u", "[b]:\n/u\n'", "\\]", "\t", "\n\n")
    ),
    max_size=20,
)


@settings(max_examples=500, deadline=None)
@given(source=DEFINITIONS.map("".join))
def test_definitions(source: str) -> None:
    assert_same(("commonmark",), source)
    assert_same(("commonmark",), "[a]: " + source)
    assert_same(("commonmark",), "[a]: /u '" + source)
