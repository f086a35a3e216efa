"""Golden files may be written anew by an option, and whole files of tests are slow."""

from __future__ import annotations

import pytest

LONG = {
    "test_dispatch": "",
    "test_growth": "",
    "test_growth_front_matter": "",
    "test_growth_mdx": "",
    "test_growth_nested": "",
    "test_outputs": "",
    "test_parallel": "",
    "test_breaks": "test_work_is_linear",
    "test_dialects": "test_a_hundred_thousand test_what_is_not_closed test_the_corpus",
    "test_laws": "test_line_ends_change_nothing test_spec_examples[CR",
    "test_lean": "test_",
    "test_measure": "test_long_runs",
    "test_mutants": "test_every_mutant_is",
    "test_plain": "test_what_is_never_closed test_no_word_of_the_corpus",
    "test_positions": "test_what_fits",
}
"""Files whose tests take minutes in all, or how the names of such tests in them begin: ``.ci/run``
runs them, a bare ``pytest`` does not."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the code gives into fixtures/golden, and fail with what changed",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = LONG.get(item.path.stem)
        if names is not None and item.name.startswith(tuple(names.split()) or ""):
            item.add_marker(pytest.mark.slow)
