"""The specs' examples are all there, so that laws run over every one of them."""

import json
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.mark.parametrize(
    ("path", "first", "count"),
    [
        ("commonmark/spec-0.31.2.json", 1, 652),
        ("gfm/spec-0.29.json", 198, 24),
        ("gfm/extensions.json", 1, 30),
    ],
)
def test_examples_are_complete(path: str, first: int, count: int) -> None:
    examples = json.loads((FIXTURES / path).read_text(encoding="utf-8"))
    assert len(examples) == count
    assert examples[0]["example"] == first
    assert all(set(one) == {"markdown", "html", "example", "section"} for one in examples)
    assert (FIXTURES / path).with_name("LICENSE").is_file()
