"""One option for all tests: golden files may be written anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the code gives into fixtures/golden, and fail with what changed",
    )
