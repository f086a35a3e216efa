"""What is made of each construct: boundaries, spans and headings, from readable fixtures."""

from pathlib import Path
from typing import Any

import pytest
import structure
from structure import Case

import mdchunk
from mdchunk.dialects import SHIPPED
from mdchunk.rules import COMMONMARK_RULES, Rule
from mdchunk.scores import DEFAULT_SCORES, AbsoluteWeight

CASES = structure.all_cases()
INSIDE_A_LINE = {"sentence", "table_cell", "word", "grapheme"}
"""Rows of the score table for places that only a cut inside a paragraph makes."""


def test_fixtures_are_written_anew_only_if_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "== a rule\n          70 list_item |- one\n"
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode())
    assert structure.main([], tmp_path) == 1
    assert path.read_bytes() == text.encode()
    shown = capsys.readouterr().out
    assert "+spans: 1 list, 1 list_item" in shown
    assert structure.main(["--write"], tmp_path) == 1
    assert capsys.readouterr().out == shown
    assert structure.main(["--write"], tmp_path) == 0
    assert capsys.readouterr().out == ""


def kinds(cases: list[Case]) -> set[str]:
    found: set[str] = set()
    for case in cases:
        parsed = case.parse().structure
        found |= {place.kind for place in (*parsed.boundaries, *parsed.interior, *parsed.blocks)}
    return found | {kind.split(":")[0] for kind in found}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_structure_is_the_one_drawn(case: Case) -> None:
    assert structure.render(case) == case.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_spans_nest_and_boundaries_rise(case: Case) -> None:
    parsed = case.parse().structure
    opened: list[int] = []
    for span in parsed.spans:
        while opened and opened[-1] <= span.start:
            opened.pop()
        assert not opened or span.end <= opened[-1], span
        opened.append(span.end)
    for places in (parsed.boundaries, parsed.interior):
        offsets = [place.offset for place in places]
        assert offsets == sorted(set(offsets))


def test_every_row_of_the_score_table_has_a_case() -> None:
    assert set(DEFAULT_SCORES) - INSIDE_A_LINE <= kinds(CASES)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_dialect_and_kind_has_a_case(name: str) -> None:
    rules: dict[str, Rule] = dict(SHIPPED[name].rules)
    if name == "commonmark":
        rules = {key: rule for key, rule in COMMONMARK_RULES.items() if key != "table_open"}
    own = [case for case in CASES if case.file == name]
    assert own
    assert {rule.kind for rule in rules.values()} <= kinds(own)


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - {"commonmark"}))
def test_every_dialect_shows_what_it_leaves_alone_in_plain_markdown(name: str) -> None:
    titles = [case.title for case in CASES if case.file == name]
    assert any(title.startswith("plain Markdown") for title in titles)
    assert any(title.startswith("misread") for title in titles)


def test_a_last_line_without_an_end_is_code_where_no_fence_closes_it() -> None:
    lines = [place.offset for place in structure.parse("```\nfirst\nsecond").structure.interior]
    assert lines == [len("```\nfirst\n")]


LEVELS = (
    "{0} A\n\n- one\n\n{0}# B\n\n{0}## C\n\ntext\n\n{0}# D\n\n{0} E\n\n"
    "<div>\n\n{0}## F\n\n</div>\n\n{0}# G\n"
)


def heading_scores(source: str, **options: Any) -> list[float]:
    return [*mdchunk.parse(source, **options).structure.heading_scores]


def test_a_heading_counts_by_how_deep_its_section_lies() -> None:
    for marks in ("#", "##", "###", "####"):
        source = LEVELS.format(marks)
        # where none of several outermost sections is of level 1, the title stands elsewhere
        less = 0 if marks == "#" else 10
        assert heading_scores(source) == [at - less for at in [100, 90, 80, 90, 100, 90, 90]]
        places = {place.offset: place for place in mdchunk.parse(source).structure.boundaries}
        cuts = [place.score for place in places.values() if place.kind == "heading"]
        assert cuts == [at - less for at in [100, 90, 90, 100, 90]]
    assert heading_scores("###### A\n\n#### B\n\n###### C\n\n# D\n") == [90, 90, 80, 100]


def test_one_section_round_all_others_is_the_document() -> None:
    for marks in ("#", "##", "####"):
        source = f"{marks} A\n\n{marks}# B\n\n> # Quoted\n\n{marks}# C\n"
        assert heading_scores(source) == [100, 90, 90]
    assert heading_scores("## B\n\n## C\n") == [90, 90]
    assert heading_scores("#### A\n\n## B\n\n### C\n") == [90, 90, 80]


PARTS = "text\n\n- one\n\ntext\n\n> A quote.\n\n```\ncode\n```\n\n<b>\n\n***\n"


def test_nothing_in_a_section_is_worth_more_than_its_heading() -> None:
    for depth in range(1, 7):
        path = "".join(f"{'#' * level} A\n\ntext\n\n" for level in range(1, depth + 1))
        structure = mdchunk.parse(f"{path}{PARTS}").structure
        heading = structure.heading_scores[-1]
        inside = [at.score for at in structure.boundaries if at.offset >= len(path)]
        assert max(inside) == min(80, heading - 1)
        written = mdchunk.parse(f"{path}{PARTS}", scores={"heading": AbsoluteWeight(100, 10, 50)})
        assert max(at.score for at in written.structure.boundaries if at.offset >= len(path)) == 80


def test_a_heading_may_count_by_its_level_as_written() -> None:
    written = {"heading": AbsoluteWeight(100, 10, 50)}
    assert heading_scores("###### A\n\n# B\n\n### C\n", scores=written) == [50, 100, 80]


def test_headings_of_containers_count_by_their_own_level() -> None:
    inner = mdchunk.parse("# A\n\n> ### B\n>\n> text\n").structure
    assert heading_scores("# A\n\n> # B\n\n## C\n") == [100, 90]
    assert [place.score for place in inner.boundaries if place.kind == "heading"] == [100]
