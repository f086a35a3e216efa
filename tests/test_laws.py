"""The laws of laws.py over the spec, this project's documents, drawn documents and a corpus."""

from __future__ import annotations

import itertools
import warnings
from itertools import islice
from typing import Any

import pytest
from corpus import LINE_ENDS, corpus_files, own_documents, read, spec_examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laws import all_laws, line_ends_change_no_worth, line_ends_change_nothing
from strategies import documents

from mdchunk import Chunker
from mdchunk.dialects import DEFAULT_DIALECTS, SHIPPED
from mdchunk.scores import AbsoluteWeight

ALL = tuple(SHIPPED)
pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")


@pytest.mark.parametrize("size", [1, 7, 40, 200, 10**6])
@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_spec_examples(size: int, line_end: str) -> None:
    for overlap, unit in ((0, "characters"), (size // 5, "tokens")):
        chunker = Chunker(chunk_size=size, chunk_overlap=overlap, unit=unit)
        for number, example in enumerate(spec_examples()):
            text = example.replace("\n", LINE_ENDS[line_end])
            all_laws(chunker, text, again=number % 8 == 0)


def utf8_size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def words_and_breaks(text: str) -> int:
    return len(text.split()) + 3 * text.count("\n\n")


OPTION_SETS: list[dict[str, Any]] = [
    {"chunk_size": 32},
    {"chunk_size": 128, "chunk_overlap": 20, "context": "full", "plain": True},
    {"chunk_size": 300, "unit": "characters", "cutoff": "lookback", "chunk_overlap": 60},
    {"chunk_size": 400, "unit": "characters", "split_headings": 2, "min_chunk_size": 80},
    {"chunk_size": 100, "front_matter": "chunk", "context": "headings", "data_uris": "elide"},
    {"chunk_size": 60, "unit": words_and_breaks},
    {"chunk_size": 64, "oversize": "keep"},
    {"chunk_size": 200, "dialects": ("commonmark",), "front_matter": "text", "window": 40},
    {"chunk_size": 60, "exclude_sections": ("*s",), "chunk_overlap": 12, "context": "full"},
    {"chunk_size": 40, "exclude_sections": ("*a*", "?"), "chunk_overlap": 9},
]


@pytest.mark.parametrize("options", OPTION_SETS, ids=range(len(OPTION_SETS)))
def test_own_documents(options: dict[str, Any]) -> None:
    chunker = Chunker(**options)
    for (_, text), line_end in itertools.product(own_documents().items(), LINE_ENDS.values()):
        all_laws(chunker, text.replace("\n", line_end))


@pytest.mark.parametrize("size", [1, 7, 40, 200, 10**6])
@pytest.mark.parametrize("unit", ["characters", "tokens", utf8_size])
def test_line_ends_change_nothing_in_spec_examples(size: int, unit: Any) -> None:
    more: dict[str, Any] = {"min_chunk_size": size // 2, "context": "full"}
    chunkers = [
        Chunker(chunk_size=size, unit=unit, chunk_overlap=0),
        Chunker(chunk_size=size, unit=unit, chunk_overlap=size // 3, **more),
    ]
    for chunker, example in zip(itertools.cycle(chunkers), spec_examples(), strict=False):
        line_ends_change_nothing(chunker, example)


@pytest.mark.parametrize("options", OPTION_SETS, ids=range(len(OPTION_SETS)))
def test_line_ends_change_nothing_in_own_documents(options: dict[str, Any]) -> None:
    chunker = Chunker(**options)
    for text in own_documents().values():
        line_ends_change_nothing(chunker, text)
        line_ends_change_no_worth(chunker, text)


SCORES: list[dict[str, Any]] = [
    {},
    {},
    {"heading": 0, "paragraph": 100, "word": 30, "sentence": 0},
    {"heading": AbsoluteWeight(100, 10, 50), "line": 100, "list_item": 0, "code_gap": 0},
]
"""Rows of the table as nobody would choose them: what is kept together does not depend on them."""


def options() -> st.SearchStrategy[dict[str, Any]]:
    """Draw options of every kind that keep to the laws."""

    def with_overlap(drawn: dict[str, Any]) -> dict[str, Any]:
        size = drawn["chunk_size"]
        drawn["chunk_overlap"] = min(drawn.pop("share"), 99) * size // 100
        drawn["min_chunk_size"] = min(drawn["min_chunk_size"], size)
        return drawn

    return st.fixed_dictionaries(
        {
            "chunk_size": st.sampled_from([1, 2, 5, 17, 40, 100, 400]),
            "share": st.sampled_from([0, 0, 10, 50, 99]),
            "min_chunk_size": st.sampled_from([0, 0, 8, 60]),
            "unit": st.sampled_from(["characters", "tokens", utf8_size, words_and_breaks]),
            "cutoff": st.sampled_from(["optimal", "lookback"]),
            "window": st.sampled_from([None, 1, 30]),
            "decay": st.sampled_from([None, None, 0, 1]),
            "mixing": st.sampled_from([0.8, 0.8, 0, 1]),
            "scores": st.sampled_from(SCORES),
            "split_headings": st.sampled_from([0, 0, 2, 6]),
            "front_matter": st.sampled_from(["metadata", "chunk", "text"]),
            "exclude_sections": st.sampled_from([(), (), (), ("*a*", "?")]),
            "context": st.sampled_from(["none", "none", "headings", "full"]),
            "count_context": st.sampled_from([True, True, False]),
            "plain": st.booleans(),
            "data_uris": st.sampled_from(["keep", "keep", "elide"]),
            "oversize": st.sampled_from(["split", "split", "split", "keep"]),
            "dialects": st.sampled_from([DEFAULT_DIALECTS, DEFAULT_DIALECTS, ALL, ("commonmark",)]),
        }
    ).map(with_overlap)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), options())
def test_drawn_documents(text: str, drawn: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        all_laws(Chunker(**drawn), text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), options())
def test_any_string_is_markdown(text: str, drawn: dict[str, Any]) -> None:
    all_laws(Chunker(**drawn), text)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), options())
def test_line_ends_change_nothing_in_drawn_documents(text: str, drawn: dict[str, Any]) -> None:
    line_ends_change_nothing(Chunker(**drawn), text)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["tokens", "characters", words_and_breaks])
@pytest.mark.skipif(not any(corpus_files()), reason="no corpus here")
def test_line_ends_change_nothing_in_the_corpus(unit: Any) -> None:
    few = Chunker(chunk_size=100, unit=unit, chunk_overlap=30, data_uris="elide", context="full")
    many = Chunker(chunk_size=900, unit=unit, min_chunk_size=200)
    for path in islice(corpus_files(), 0, None, 8):  # each in seven forms
        line_ends_change_nothing(few, read(path))
        line_ends_change_nothing(many, read(path))


@pytest.mark.slow
@pytest.mark.parametrize("size", [64, 512, 2000])
@pytest.mark.parametrize("unit", ["tokens", "characters"])
@pytest.mark.parametrize("share", [0, 15])
@pytest.mark.skipif(not any(corpus_files()), reason="no corpus here")
def test_corpus(size: int, unit: str, share: int) -> None:
    chunker = Chunker(chunk_size=size, unit=unit, chunk_overlap=size * share // 100)
    for path in corpus_files():
        all_laws(chunker, read(path))
