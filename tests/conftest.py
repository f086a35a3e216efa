"""Golden files may be written anew by an option, and whole files of tests are slow."""

from __future__ import annotations

import pytest

LONG = frozenset(
    {
        *("test_growth", "test_growth_mdx", "test_growth_nested", "test_growth_front_matter"),
        *("test_dispatch", "test_parallel", "test_outputs"),
    }
)
"""Files whose tests take minutes in all; they are run by ``.ci/run``, not by a bare ``pytest``."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the code gives into fixtures/golden, and fail with what changed",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.stem in LONG:
            item.add_marker(pytest.mark.slow)
