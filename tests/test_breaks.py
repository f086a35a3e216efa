"""Last resorts: the rungs cut where the marks in fixtures/breaks say, and in no construct."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from corpus import FIXTURES, read
from growth import backstop, calls
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk import Chunker
from mdchunk.cutting.fallback import clusters, constructs, cuts, divide, halve
from mdchunk.cutting.inline_spans import inline_spans
from mdchunk.cutting.intervals import Intervals
from mdchunk.cutting.rungs import (
    PROSE,
    Rung,
    cells,
    clauses,
    items,
    lines,
    members,
    phrases,
    sentences,
    words,
)
from mdchunk.sizing.prefix_sums import Budget, CharacterSizes

BREAKS = FIXTURES / "breaks"
ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(.))")
PLAIN = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
EVERYTHING = 10**9


def cases(name: str) -> list[str]:
    """Read the cases of one file, escapes decoded."""
    lines = read(BREAKS / f"{name}.txt").split("\n")
    return [ESCAPE.sub(decode, line) for line in lines if line and not line.startswith("##")]


def decode(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else PLAIN[match[3]]


def room(text: str, limit: int = EVERYTHING) -> Budget:
    return Budget(CharacterSizes(text), limit)


def marked(text: str, offsets: list[int]) -> str:
    return "¦".join(text[a:b] for a, b in pairwise([0, *offsets, len(text)]))


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case: str) -> None:
    check_rung(sentences, case)


@pytest.mark.parametrize("case", cases("words"))
def test_words(case: str) -> None:
    check_rung(words, case)


@pytest.mark.parametrize("case", cases("lines"))
def test_lines(case: str) -> None:
    check_rung(lines, case)


@pytest.mark.parametrize("case", cases("cells"))
def test_cells(case: str) -> None:
    check_rung(cells, case)


@pytest.mark.parametrize("case", cases("phrases"))
def test_phrases(case: str) -> None:
    check_rung(phrases, case)


@pytest.mark.parametrize("case", cases("members"))
def test_members(case: str) -> None:
    check_rung(members, case)


@pytest.mark.parametrize("case", cases("items"))
def test_items(case: str) -> None:
    check_rung(items, case)


@pytest.mark.parametrize("case", cases("clauses"))
def test_clauses(case: str) -> None:
    check_rung(clauses, case)


def check_rung(rung: Rung, case: str) -> None:
    text = case.replace("¦", "")
    shut = constructs(text, 0, len(text), room(text))
    assert marked(text, [offset for offset, _ in cuts(rung, text, 0, len(text), shut)]) == case


@pytest.mark.parametrize("case", cases("clusters"))
def test_clusters(case: str) -> None:
    text = case.replace("¦", "")
    assert marked(text, list(clusters(text, 0, len(text)))[:-1]) == case


@pytest.mark.parametrize("case", cases("clusters"))
def test_division_to_the_last_stops_at_clusters(case: str) -> None:
    text = case.replace("¦", "")
    allowed = {0, *clusters(text, 0, len(text))}
    found = [offset for offset, _ in divide(text, 0, len(text), room(text, 1))]
    # line ends need not be parted from what they follow; all else is cut at every cluster
    visible = {end for end in allowed if text[end : end + 1].strip()} - {0}
    assert visible <= set(found) <= allowed


@pytest.mark.parametrize("before", [253, 254, 255, 256, 511])
def test_a_cluster_is_whole_where_a_window_ends(before: int) -> None:
    """Clusters are looked for in windows of 256 code points, which may end inside one."""
    text = "a" * before + "e" + "\u0301" * 3 + "b"
    assert list(clusters(text, 0, len(text))) == [*range(1, before + 1), before + 4, before + 5]


@pytest.mark.parametrize(
    ("text", "place"),
    [("aa bb cc dd ee ff", 9), ("a [b c d e](f) g h i", 15), ("aaabbb", 3)],
)
def test_a_half_ends_at_the_place_nearest_to_the_middle(text: str, place: int) -> None:
    found = halve(text, 0, len(text), room(text, 15))
    assert found is not None
    assert found[0] == place


@pytest.mark.parametrize("case", cases("constructs"))
def test_constructs(case: str) -> None:
    text, spans = unmarked(case)
    shut = Intervals(inline_spans(text, 0, len(text)))
    assert list(zip(shut.starts, shut.ends, strict=True)) == spans


def unmarked(case: str) -> tuple[str, list[tuple[int, int]]]:
    """Take the brackets off a case and give what they enclosed."""
    text, spans, start = "", [], 0
    for piece in re.split("([⟦⟧])", case):
        if piece == "⟦":
            start = len(text)
        elif piece == "⟧":
            spans.append((start, len(text)))
        else:
            text += piece
    return text, spans


def test_the_label_behind_what_is_no_link_is_whole_by_itself() -> None:
    """Around a link there is no other (CommonMark 0.31.2, example 533)."""
    text = "[a [b](c) d][e f]"
    assert (12, 17) in inline_spans(text, 0, len(text))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_constructs_that_fit_are_not_cut(line_end: str) -> None:
    """In running text, whatever the limit, every construct that fits is in one chunk."""
    closed = (case.replace("<!-- not closed", "") for case in cases("constructs"))
    joined = "".join(f"{case} and then some words to go on with\n" for case in closed)
    text, spans = unmarked(joined.replace("\n", line_end))
    for size in (12, 20, 31, 48, 90):
        chunks = Chunker(chunk_size=size, chunk_overlap=size // 3, unit="characters").chunk(text)
        for edge in {c.start for c in chunks} | {c.end for c in chunks}:
            for start, end in spans:
                assert not start < edge < end or end - start > size, (size, text[start:end])


def test_a_construct_that_cannot_fit_is_cut() -> None:
    text = "[" + "word " * 30 + "](target)"
    chunks = Chunker(chunk_size=40, chunk_overlap=0, unit="characters").chunk(text)
    assert len(chunks) >= len(text) / 40
    assert max(chunk.size for chunk in chunks) <= 40


ALPHABET = [
    "a", "B", " ", ". ", "! ", ", ", "。", "，", "\n", "\r\n", "\u0301", "\ufe0f", "\u200d",
    "\u200c", "\u093f", "👨", "👩", "🏽", "🇯", "🇵", "\u1100",
    "\u1161", "\u11a8", "한", "\u0e33", "\uff9e", "\U000e0067", "\u0600",
    "`", "[", "](", ")", "<b ", ">", "$", "\\", "&amp;", "https://x.y/", '"', "'", "=",
]  # fmt: skip
texts = st.lists(st.sampled_from(ALPHABET), max_size=40).map("".join)


@settings(max_examples=300, deadline=None)
@given(texts, st.integers(1, 30))
def test_division_keeps_clusters_and_fits(text: str, limit: int) -> None:
    """Each piece fits or is one cluster; no cut parts a cluster or a construct that fits."""
    end = len(text.rstrip())
    whole = room(text, limit)
    shut = constructs(text, 0, end, whole)
    offsets = [offset for offset, _ in divide(text, 0, end, whole)]
    assert offsets == sorted(set(offsets))
    ends = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    for before, after in zip([0, *offsets], [*offsets, end], strict=True):
        assert after == end or after in ends, (before, after)
        assert after == end or shut.around(after) < 0
        piece = text[before:after].rstrip()
        held = whole.fits(before, before + len(piece))
        # what fits alone may not fit with what its first or last character joins to
        joined = min(place for place in (*ends, end) if place > before or place == end)
        kept = shut.around(before + 1) >= 0 or shut.around(joined) >= 0
        assert held or kept or len(regex.findall(r"\X", piece)) == 1


def test_the_first_rung_that_suffices_is_used() -> None:
    text = "One two three. Four five six. Seven, eight."

    def kinds(limit: int) -> set[str]:
        return {kind for _, kind in divide(text, 0, len(text), room(text, limit))}

    assert kinds(20) == {"sentence"}
    assert kinds(10) == {"sentence", "word"}
    assert kinds(3) == {"sentence", "word", "grapheme"}


def test_no_break_spaces_are_cut_at_where_there_are_no_others() -> None:
    text = "All 10\u00a0km and all\u00a0of\u00a0these\u00a0words\u00a0here."
    found = [text[offset:] for offset, _ in divide(text, 0, len(text), room(text, 12))]
    assert found[0] == text[4:]
    assert text[text.index("km") :] not in found
    assert text[text.index("these") :] in found


def test_only_the_pieces_that_do_not_fit_are_divided_further() -> None:
    text = "Short one. Long " + "long " * 10 + "end. Short two."
    found = divide(text, 0, len(text), room(text, 20))
    long, short = text.index("Long"), text.index("Short two")
    assert (found[0], found[-1]) == ((long, "sentence"), (short, "sentence"))
    assert {kind for offset, kind in found[1:-1]} == {"word"}


HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "closed brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "links in links": lambda n: "[" * (n // 2) + "](a)" * (n // 8),
    "images": lambda n: "![" * (n // 2),
    "targets": lambda n: "[a](" * (n // 4),
    "a target of blanks": lambda n: "[a](" + " " * n,
    "a target and blanks": lambda n: "[a](b" + " " * n + "c",
    "titles": lambda n: '[a](b "' * (n // 7),
    "parentheses": lambda n: "[a](" + "(" * n,
    "backticks of one length": lambda n: "`a" * (n // 2),
    "backticks of every length": lambda n: " ".join("`" * k for k in range(1, int((2 * n) ** 0.5))),
    "comments": lambda n: "<!--" * (n // 4),
    "instructions": lambda n: "<?" * (n // 2),
    "declarations": lambda n: "<!A" * (n // 3),
    "character data": lambda n: "<![CDATA[" * (n // 9),
    "tags": lambda n: "<a " * (n // 3),
    "tags with quotes": lambda n: "<a b=\"'" * (n // 7),
    "tags with equals signs": lambda n: "<a " + "= " * (n // 2),
    "dollars": lambda n: "$a " * (n // 3),
    "displays": lambda n: "$$a" * (n // 3),
    "ampersands": lambda n: "&a" * (n // 2),
    "math that nothing closes": lambda n: "\\( " * (n // 3),
    "tags of templates": lambda n: "{{ a " * (n // 5),
    "tags of templates in a row": lambda n: "[a](" + "{{b c}}" * (n // 7),
    "links to tags of templates": lambda n: "[a]({{b c}}" * (n // 11),
    "attributes of links": lambda n: "[a]{b " * (n // 6),
    "elements that are links": lambda n: '<a href="b">' * (n // 12),
    "escapes": lambda n: "\\" * n,
    "addresses": lambda n: "https://a(" * (n // 10),
    "address marks": lambda n: "https://" + "!" * n,
    "at signs": lambda n: "<a@" * (n // 3),
    "dots": lambda n: "." * n,
    "dots and blanks": lambda n: ". " * (n // 2),
    "blanks": lambda n: "a" + " " * n + "b",
    "line ends": lambda n: "a" + "\n" * n + "b",
    "marks": lambda n: "a" + "\u0301" * n,
    "letters": lambda n: "a" * n,
    "closing marks": lambda n: "." + ")" * n,
    "notes": lambda n: ".[1]" * (n // 4),
    "notes of several numbers": lambda n: ".[1, 2]" * (n // 7),
    "raised notes": lambda n: ".<sup>" * (n // 6),
    "raised numbers": lambda n: "." + "¹" * n,
    "notes behind one stop": lambda n: "." + "[1][^2]" * (n // 7),
    "wide stops and closing marks": lambda n: "。）" * (n // 2),
    "ordinals": lambda n: "1. " * (n // 3),
    "short words with dots": lambda n: "Kax. " * (n // 5),
    "abbreviations before numbers": lambda n: "Kax. 5 " * (n // 7),
    "words without blanks between": lambda n: "a\u200b" * (n // 2),
    "soft hyphens": lambda n: "a" + "\u00ad" * n,
    "quote marks": lambda n: ">" * n + "a",
    "list marks": lambda n: "- " * (n // 2) + "a",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_is_linear(name: str) -> None:
    """Four times the text takes four times the calls, and one call ends for a long text too."""

    def work(length: int) -> None:
        text = HOSTILE[name](length)
        divide(text, 0, len(text), room(text, 100), PROSE)

    # not by doublings: from a length of 5,000 on, runs of backticks are over the limit
    _, short, long = (calls(lambda n=n: work(n)) for n in (2_000, 2_000, 8_000))
    assert long <= 2.3**2 * short
    with backstop():
        work(200_000)


def test_every_case_is_read() -> None:
    assert {path.stem for path in Path(BREAKS).glob("*.txt")} == {
        "sentences", "lines", "cells", "members", "items", "phrases", "words", "clauses",
        "clusters", "constructs",
    }  # fmt: skip
    assert all(len(cases(path.stem)) > 5 for path in Path(BREAKS).glob("*.txt"))
