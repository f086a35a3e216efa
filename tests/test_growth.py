"""Documents that make parsers slow: calls, memory and depth grow no faster than the text.

The first table is cmark's (test/pathological_tests.py), by its names; the second is this project's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from growth import backstop, calls, doublings, peak
from laws import all_laws
from markdown_it import MarkdownIt

from mdchunk import Chunk, Chunker, Dialect, Document, Span, chunk, parse
from mdchunk.parsing.parser import MAX_NESTING

pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")

CMARK: dict[str, Callable[[int], str]] = {
    "nested strong emph": lambda n: "*a **a " * n + "b" + " a** a*" * n,
    "many emph closers with no openers": lambda n: "a_ " * n,
    "many emph openers with no closers": lambda n: "_a " * n,
    "many link closers with no openers": lambda n: "a]" * n,
    "many link openers with no closers": lambda n: "[a" * n,
    "mismatched openers and closers": lambda n: "*a_ " * n,
    "openers and closers multiple of 3": lambda n: "a**b" + "c* " * n,
    "link openers and emph closers": lambda n: "[ a_" * n,
    "pattern [ (]( repeated": lambda n: "[ (](" * n,
    "pattern ![[]() repeated": lambda n: "![[]()" * n,
    "hard link/emph case": lambda n: "**x [a*b**c*](d)" * n,
    "nested brackets": lambda n: "[" * n + "a" + "]" * n,
    "nested block quotes": lambda n: "> " * n + "a",
    "deeply nested lists": lambda n: "".join("  " * x + "* a\n" for x in range(int(n**0.5))),
    "U+0000 in input": lambda n: "abc\u0000de\u0000" * n,
    "backticks": lambda n: "".join("e" + "`" * x for x in range(int(n**0.5))),
    "unclosed links A": lambda n: "[a](<b" * n,
    "unclosed links B": lambda n: "[a](b" * n,
    "unclosed <!--": lambda n: "</" + "<!--" * n,
    "unclosed <?": lambda n: "</" + "<?" * n,
    "unclosed <!A": lambda n: "</" + "<!A " * n,
    "unclosed <![CDATA[": lambda n: "</" + "<![CDATA[" * n,
    "reference collisions": lambda n: "".join(f"[{x}]: u\n" for x in range(n)) + "[0] " * n,
    "empty lines in deeply nested lists": lambda n: "- " * 30 + "x" + "\n" * n,
    "empty lines in lists in quotes": lambda n: "> " + "- " * 30 + "x\n" + ">\n" * n,
    "emph in deep blockquote": lambda n: ">" * n + "a*" * n,
    "many delimiter rows": lambda n: "|a|\n|-|\n" * n,
    "a table of many columns": lambda n: "|" + "x|" * n + "\n|" + "-|" * n + "\n" + "|a\n" * 9,
}
OURS: dict[str, Callable[[int], str]] = {
    "quote marks": lambda n: ">" * n,
    "quote and list by turns": lambda n: "> - " * n + "a",
    "nested lists by line": lambda n: "".join("  " * (x % 90) + "- a\n" for x in range(n)),
    "brackets": lambda n: "[" * n,
    "runs of backticks": lambda n: "".join("`" * (x % 97) + " " for x in range(n)),
    "one line": lambda n: "word " * n,
    "one line without blanks": lambda n: "a" * 10 * n,
    "headings": lambda n: "# a\n\n" * n,
    "headings ever deeper": lambda n: "".join("#" * (x % 6 + 1) + " a\n\nb\n\n" for x in range(n)),
    "tiny fences": lambda n: "```\na\n```\n" * n,
    "unclosed fences": lambda n: "".join("`" * (x % 90 + 3) + "a\n" for x in range(n)),
    "unclosed tags": lambda n: "<a_b>\n" * n,
    "unclosed tags in text": lambda n: "a <b " * n,
    "definitions": lambda n: "".join(f"[a{x}]: b\n" for x in range(n)),
    "definitions and their uses": lambda n: (
        "".join(f"[a{x}] and text.\n\n" for x in range(n))
        + "".join(f"[a{x}]: b\n" for x in range(n))
    ),
    "one table": lambda n: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * n,
    "rows that share cells": lambda n: (
        "<table>\n" + "".join(f"<tr><td rowspan={x % 9}>a\n" for x in range(n)) + "</table>\n"
    ),
    "rows that share ever more": lambda n: (
        "<table>\n" + "".join(f"<tr><td rowspan={x}>a\n" for x in range(n)) + "</table>\n"
    ),
    "tables in one piece of HTML": lambda n: "<b>\n<table><tr><th>a\n</table>\n" * n,
    "tables in tables": lambda n: "<div><table><tr><td>\n" * n,
    "blank lines": lambda n: "a" + "\n" * 10 * n + "b",
    "blanks": lambda n: "a" + " " * 10 * n + "b",
    "tabs": lambda n: "\t" * n + "a",
    "dots": lambda n: ". " * n,
    "colons": lambda n: ":::a\n" * n,
    "tags of templates": lambda n: "{{< a >}}\n{% b %}\n" * n,
    "tags of templates in items": lambda n: "- {{< a >}}\n  {% b %}\n" * n + "{% endb %}",
    "tags that close none": lambda n: "{% a %}\n{% endb %}\n" * n,
    "tags that close each other": lambda n: "{% a %}\n{% b %}\n{% enda %}\n" * n,
    "tags in tags": lambda n: "{% a %}\n" * n + "{% enda %}\n" * n,
    "a tag of a template that goes on": lambda n: "{% a " * n + "\n{{< a " + "> " * n,
    "slashes": lambda n: "///a\n" * n,
    "slashes behind items": lambda n: "- a\n///b\n" * n + "///\n" * n,
    "directives": lambda n: "```{a}\n" * n,
    "admonitions": lambda n: "!!! a\n\n" * n,
    "terms": lambda n: "a\n: b\n" * n,
    "footnotes": lambda n: "".join(f"[^{x}]: a\n\n" for x in range(n)),
    "rules": lambda n: "---\n" * n,
    "dollars": lambda n: "$$\n" * n,
    "items": lambda n: "- a\n" * n,
    "items in quotes": lambda n: "> - a\n" * n,
    "one element": lambda n: "<a_b>\n\n" + "text\n\n" * n + "</a_b>\n",
    "elements in elements": lambda n: (
        "".join(f"<a_{x:06}>\n" for x in range(n))
        + "".join(f"</a_{n - x - 1:06}>\n" for x in range(n))
    ),
    "quotes of headings": lambda n: "> # a\nb\n" * n,
    "quotes of fences": lambda n: "> ```\na\n" * n,
    "quotes in quotes of headings": lambda n: "> > # a\n> b\n" * n,
    "stairs of quotes": lambda n: "".join(">" * (x % 9) + " a\nb\n" for x in range(n)),
    "one lazy quote": lambda n: "> a\n" + "b\n" * n,
    "summaries that nothing closes": lambda n: "<details>\n<summary>a\n" * n + "</details>\n" * n,
    "marks that change": lambda n: "- a\n* b\n" * n,
    "combining marks": lambda n: "a" + "\u0301" * n,
    "line ends of all kinds": lambda n: "a\rb\nc\r\n" * n,
}
ALL = CMARK | OURS
OPTIONS: list[dict[str, Any]] = [
    {"unit": "characters", "chunk_size": 200, "chunk_overlap": 40, "context": "full"},
    {"chunk_size": 64, "cutoff": "lookback", "chunk_overlap": 8, "min_chunk_size": 16},
]
SIZE = 300
STEEPEST = 2.3


@pytest.mark.parametrize("options", OPTIONS, ids=["characters", "tokens"])
@pytest.mark.parametrize("name", ALL)
def test_calls_grow_with_the_text(name: str, options: dict[str, Any]) -> None:
    chunker = Chunker(**options)
    chunker.chunk(ALL[name](2 * SIZE))  # patterns are compiled when they are first used
    counts = [calls(lambda n=n: chunker.chunk(ALL[name](n))) for n in (SIZE, 2 * SIZE, 4 * SIZE)]
    assert max(doublings(counts)) <= STEEPEST, counts


class Counted(tuple[Span, ...]):
    """Blocks that count how often one is taken, since a loop need not call anything."""

    taken = 0

    def __getitem__(self, index: Any) -> Any:
        self.taken += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("name", ["items", "items in quotes", "one element"])
def test_blocks_that_one_holds_are_not_walked_again(name: str) -> None:
    chunker = Chunker(chunk_size=60, unit="characters")
    document = chunker.parse(OURS[name](900))
    blocks = Counted(document.structure.blocks)
    document = replace(document, structure=replace(document.structure, blocks=blocks))
    chunks = chunker.chunk(document)
    assert blocks.taken < 8 * (len(blocks) + len(chunks))


BIG: dict[str, tuple[Callable[[int], str], int]] = {
    "quote marks": (OURS["quote marks"], 100_000),
    "brackets": (OURS["brackets"], 1_000_000),
    "backticks": (OURS["runs of backticks"], 20_000),
    "a line": (OURS["one line"], 200_000),
    "a line without blanks": (OURS["one line without blanks"], 100_000),
    "blanks": (OURS["blanks"], 100_000),
    "blank lines": (OURS["blank lines"], 100_000),
    "comments": (CMARK["unclosed <!--"], 250_000),
    "attributes": (lambda n: "# a {" + ".a" * n + "} b", 50_000),
    "values of attributes": (lambda n: "# a {" + ' a="b"' * n + " ?}", 50_000),
    "blanks in braces": (lambda n: "# a {" + " " * n + "b", 100_000),
    "blanks and hashes": (lambda n: "# a" + " #" * n + " " * n + "{#b}", 100_000),
    "tags in values": (lambda n: "a <a" + ' ="<a"' * n, 50_000),
    "a blank info string": (lambda n: "```" + " " * n, 100_000),
    "a long info string": (lambda n: "```" + "a" * n + "=", 100_000),
    "a long name": (lambda n: "<div>\n<" + "a" * n + "\n</foo>\n", 100_000),
    "blanks in colons": (lambda n: "::: {" + " " * n + "}", 100_000),
    "flags": (lambda n: "\U0001f1e6" * n, 100_000),
    "images in a title": (lambda n: "# " + "![" * n, 100_000),
    "stairs of quotes": (lambda n: "".join(">" * (x % 99) + " a\n" for x in range(n)), 4_000),
    "labels": (lambda n: "(a)=\n" * n, 20_000),
}


@pytest.mark.parametrize("name", BIG)
def test_large_ones_end(name: str) -> None:
    """What is slow within one call, which no count shows, would meet the backstop here."""
    make, size = BIG[name]
    with backstop():
        chunks = chunk(make(size))
    assert chunks[-1].end >= len(make(size).rstrip())


@pytest.mark.parametrize("name", ["one line", "headings", "one table", "items", "nested brackets"])
def test_memory_grows_with_the_text(name: str) -> None:
    chunker = Chunker(unit="characters", chunk_size=200)
    chunker.chunk(ALL[name](SIZE))
    small, large = (peak(lambda n=n: chunker.chunk(ALL[name](n))) for n in (2 * SIZE, 4 * SIZE))
    assert large <= STEEPEST * small


ROOM = 100
"""Frames that anything needs; one of a document's levels takes several of the parser's."""
DEEP = {
    "quotes": lambda n: "> " * n + "deep",
    "lists": lambda n: "- " * n + "deep",
    "both": lambda n: "> - " * (n // 2) + "deep",
    "lists by line": lambda n: "".join("  " * x + f"- a{x}\n" for x in range(n)),
    "directives": lambda n: (
        "".join(":" * (n - x + 3) + "a\n" for x in range(n)) + "deep\n" + ":::\n" * n
    ),
    "tags of templates": lambda n: "{{< a >}}\n" * n + "deep\n" + "{{< /a >}}\n" * n,
    "admonitions": lambda n: (
        "".join("    " * x + "!!! a\n\n" for x in range(n)) + "    " * n + "deep"
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_nested_too_deep_stays_in_the_chunks(name: str) -> None:
    for depth in (MAX_NESTING - 1, MAX_NESTING, 2 * MAX_NESTING):
        source = DEEP[name](depth)
        for size in (40, 10**6):
            all_laws(Chunker(unit="characters", chunk_size=size), source, again=False)


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_stack_of_the_callers_is_no_matter(name: str) -> None:
    """A caller that has little stack left gets what any other gets."""
    source = DEEP[name](2 * MAX_NESTING)
    chunker = Chunker(unit="characters", chunk_size=200)
    expected = chunker.chunk(source)

    def down(levels: int) -> list[Chunk]:
        return down(levels - 1) if levels else chunker.chunk(source)

    assert down(sys.getrecursionlimit() - stack_depth() - ROOM) == expected


def test_what_a_dialect_raises_comes_through_a_deep_stack() -> None:
    def broken(*_: object) -> bool:
        raise ZeroDivisionError("as asked")

    def extend(parser: MarkdownIt) -> None:
        parser.block.ruler.before("paragraph", "broken", broken)

    def down(levels: int) -> Document:
        return down(levels - 1) if levels else parse(source, dialects=(Dialect("b", extend),))

    source = DEEP["both"](2 * MAX_NESTING) + "\n\nend\n"
    with pytest.raises(ZeroDivisionError, match="as asked"):
        down(sys.getrecursionlimit() - stack_depth() - ROOM)


def stack_depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    return depth
