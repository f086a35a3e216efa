"""Our blocks are those of other parsers, as fixtures/conformance keeps them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mdchunk import parse

ROOT = Path(__file__).parents[1]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance", ROOT / "tools" / "conformance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["conformance"] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


tool = load()


@pytest.mark.parametrize("judge", tool.JUDGES, ids=lambda judge: judge.name)
def test_every_difference_is_accepted_by_number_with_its_reason(judge: object) -> None:
    found = {each.name for each in tool.differences(judge)}
    accepted = tool.accepted().get(judge.name, {})  # type: ignore[attr-defined]
    assert found == {name for name in accepted if name.split(" ")[0] in tool.SUITES}
    assert all(accepted.values())


@pytest.mark.parametrize("judge", tool.JUDGES, ids=lambda judge: judge.name)
def test_the_answers_that_are_kept_are_of_all_examples(judge: object) -> None:
    _, answers = tool.kept(judge)
    assert set(answers) == set(tool.sources_of(judge))


def test_every_kind_and_first_line_is_right_to_one_judge_at_least() -> None:
    """But for one example, whose judges both keep the place of a definition that was taken out."""
    wrong = [
        {each.name for each in tool.differences(judge) if not each.is_end}
        for judge in tool.JUDGES[:2]
    ]
    assert set.intersection(*wrong) == {"commonmark 215"}


def test_the_page_is_fresh() -> None:
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(None)
    assert "not accepted" not in tool.page(None)


def test_a_definition_is_one_whatever_it_leads_to() -> None:
    """A page may not link there, and a parser made for pages takes it for text."""
    assert parse("[a]: javascript:b\n").structure.blocks[0].kind == "definition"
