"""A faster tokenizer changes the time that chunks take, never a size."""

from __future__ import annotations

import unicodedata

import pytest
import tiktoken
from corpus import corpus_files, own_documents, read, spec_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import documents

from mdchunk import Chunker
from mdchunk.sizing.encodings import default_encoding
from mdchunk.sizing.toktok import (
    ENCODINGS,
    KNOWN,
    SWITCH,
    fast_counter,
    fast_ends,
    unsure_code_point,
)
from mdchunk.sizing.units import Sizer

pytest.importorskip("toktok", reason="the extra is not installed")

KNOWN_TEXT = st.text(
    st.sampled_from(KNOWN).flatmap(lambda ends: st.integers(*ends)).map(chr), max_size=20
)
ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from(" \n\r\t'aC1."), max_size=20)


def tokens(text: str) -> int:
    return len(default_encoding().encode_ordinary(text))


@pytest.fixture(scope="module")
def fast() -> Sizer:
    assert fast_counter("cl100k_base", tokens) is not None
    return Sizer("tokens")


def test_sizes_of_real_documents(fast: Sizer) -> None:
    for text in [*spec_examples(), *own_documents().values()]:
        assert fast.count(text) == tokens(text)


@pytest.mark.slow
def test_sizes_of_the_corpus(fast: Sizer) -> None:
    for path in corpus_files():
        text = read(path)
        assert fast.count(text) == tokens(text)
        for line in text.split("\n"):
            assert fast.count(line) == tokens(line)


@settings(max_examples=1500, deadline=None)
@given(KNOWN_TEXT | ANY_TEXT | documents())
def test_sizes_of_any_text(fast: Sizer, text: str) -> None:
    assert fast.count(text) == tokens(text)


def ends(text: str) -> list[int]:
    """Up to where each token of tiktoken reaches: to the last code point that begins in it."""
    begun, found = 0, []
    for octets in default_encoding().decode_tokens_bytes(default_encoding().encode_ordinary(text)):
        begun += sum(octet & 0xC0 != 0x80 for octet in octets)
        found.append(begun)
    return found


def no_ends(text: str) -> list[int]:
    raise AssertionError(f"left to tiktoken: {text!r}")


@settings(max_examples=1500, deadline=None)
@given(KNOWN_TEXT | documents())
def test_ends_of_tokens(text: str) -> None:
    known = fast_ends("cl100k_base", ends)
    assert known is not None
    assert list(known(text)) == ends(text)


def test_ends_of_tokens_of_real_documents() -> None:
    known = fast_ends("cl100k_base", ends)
    assert known is not None
    for text in [*spec_examples(), *own_documents().values()]:
        assert list(known(text)) == ends(text)
    for text in ["words and words", "von Ähren, 世界, 🙂"]:
        only = fast_ends("cl100k_base", no_ends)
        assert only is not None
        assert list(only(text)) == ends(text)
    assert list(known("a\ud800b")) == ends("a\ud800b")  # which toktok-rs refuses


def test_a_block_that_fits_nowhere_loads_no_second_vocabulary() -> None:
    default_encoding.cache_clear()
    chunks = Chunker(chunk_size=50, chunk_overlap=10).chunk("Some words of a paragraph. " * 100)
    assert len(chunks) > 5
    assert default_encoding.cache_info().currsize == 0


@pytest.mark.parametrize(
    "text", ["\u0cdc'C", "\U00032adb,o", "a \U000330c5.c", "\U00059f25\U000333a0퐠", "a\ud800b"]
)
def test_what_the_two_part_differently_is_left_to_tiktoken(fast: Sizer, text: str) -> None:
    assert fast.count(text) == tokens(text)
    assert unsure_code_point().search(text)


def test_known_code_points_were_assigned_long_ago() -> None:
    for first, last in KNOWN:
        for code in range(first, last + 1):
            assert unicodedata.category(chr(code)) not in {"Cn", "Cs"}, hex(code)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["{}'C", "a{}.bc", "1{}2", "{0}{0}'re", "  {}\n\n {}x"])
def test_every_known_code_point_is_of_one_class_to_both(fast: Sizer, shape: str) -> None:
    for first, last in KNOWN:
        for code in range(first, last + 1):
            text = shape.format(chr(code), chr(code))
            assert fast.count(text) == tokens(text), hex(code)


def test_other_encodings_as_far_as_they_are_here() -> None:
    for name in sorted(ENCODINGS - {"cl100k_base"}):
        try:
            encode = tiktoken.get_encoding(name).encode_ordinary
        except Exception:
            pytest.skip(f"{name} is not in the cache")
        for text in [*spec_examples(), *own_documents().values()]:
            assert Sizer(name).count(text) == len(encode(text))


def test_chunks_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Chunker(chunk_size=64, chunk_overlap=12)
    monkeypatch.setenv(SWITCH, "0")
    plain = Chunker(chunk_size=64, chunk_overlap=12)
    for text in own_documents().values():
        assert quick.chunk(text) == plain.chunk(text)


def test_the_switch_leaves_all_to_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "0")
    assert fast_counter("cl100k_base", len) is None


def test_a_users_encoding_is_counted_by_itself() -> None:
    ranks = {bytes([octet]): octet for octet in range(256)}
    own = tiktoken.Encoding(
        "cl100k_base", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens={}
    )
    assert Sizer(own).count("water") == 5


@pytest.mark.parametrize("text", ["a" * 1_000_000, "\n" * 20_000, " " * 1_000_000 + "x"])
def test_a_long_run_is_no_trouble(fast: Sizer, text: str) -> None:
    assert fast.count(text) > 0
