"""Every unit counts exactly, plans well, and gives an error by name when it is no unit."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import tiktoken
from corpus import own_documents
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import sizes_hold

from mdchunk import Chunker, MdchunkError, OptionsError, TokenizerError, chunk, parse
from mdchunk.model import elide
from mdchunk.sizing.encodings import default_encoding
from mdchunk.sizing.prefix_sums import Budget, SizeIndex
from mdchunk.sizing.units import Sizer

DATA = "![x](data:image/png;base64," + "iVBORw0KGgo" * 30 + ")"


def byte_encoding() -> tiktoken.Encoding:
    """Make an encoding whose tokens are the bytes, so that one character may be four."""
    ranks = {bytes([octet]): octet for octet in range(256)}
    return tiktoken.Encoding(
        "bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens={"<|stop|>": 256}
    )


def pair_encoding() -> tiktoken.Encoding:
    """Make an encoding with some longer tokens that reach over line ends."""
    ranks = {bytes([octet]): octet for octet in range(256)}
    for pair in (b"\n\n", b"ab", b"\n-", b"e ", b"th", b"\r\n", b"\xf0\x9f"):
        ranks[pair] = len(ranks)
    return tiktoken.Encoding("pairs", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})


def tokenizer() -> Any:
    """Make a Hugging Face tokenizer: words and marks, one token each."""
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.WordLevel({"[UNK]": 0, "[CLS]": 1}, unk_token="[UNK]")
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [CLS]", special_tokens=[("[CLS]", 1)]
    )
    return made


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def words_and_blank_lines(text: str) -> int:
    """Count what does not add up: words, and more for each blank line."""
    return len(text.split()) + 5 * text.count("\n\n")


def fewer_for_more(text: str) -> int:
    """Count what is not monotone: a text may be smaller than its own beginning."""
    return len(text) + (9 if len(text) % 7 == 3 else 0)


UNITS: dict[str, Any] = {
    "tokens": "tokens",
    "characters": "characters",
    "cl100k_base": "cl100k_base",
    "a model's name": "gpt-4",
    "bytes": byte_encoding(),
    "pairs": pair_encoding(),
    "utf16": utf16,
    "words": words_and_blank_lines,
    "not monotone": fewer_for_more,
    "a class": len,
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_limits_hold_and_sizes_are_exact(unit: Any) -> None:
    chunker = Chunker(unit=unit, chunk_size=90, chunk_overlap=15)
    for source in own_documents().values():
        sizes_hold(chunker.chunk(source), 90, chunker.count)


def test_a_hugging_face_tokenizer_counts_its_tokens_and_those_that_it_adds() -> None:
    chunker = Chunker(unit=tokenizer(), chunk_size=20, chunk_overlap=0)
    assert chunker.count("Water boils, then not.") == 6 + 2
    for source in own_documents().values():
        sizes_hold(chunker.chunk(source), 20, chunker.count)


def test_a_tokenizer_counts_lone_surrogates_as_tiktoken_does() -> None:
    chunker = Chunker(unit=tokenizer(), chunk_size=5)
    assert chunker.count("one \ud800 two") == chunker.count("one \ufffd two") == 3 + 2
    assert chunker.count("\ud83d\ude00") == chunker.count("\U0001f600") == 1 + 2
    text = "one \ud800 two \udfff three \ud800\n\nfour \udc00"
    found = chunker.chunk(text)
    assert [part for each in found for part in each.text.split()] == text.split()
    assert all(each.size <= 5 for each in found)


def test_truncation_and_padding_of_a_tokenizer_hide_no_tokens() -> None:
    cut = tokenizer()
    cut.enable_truncation(max_length=4)
    cut.enable_padding(length=8)
    text = own_documents()["prose.md"]
    assert chunk(text, unit=cut, chunk_size=30) == chunk(text, unit=tokenizer(), chunk_size=30)
    # the user's own object is as it was
    assert cut.truncation["max_length"] == 4
    assert cut.padding["length"] == 8


def test_counts_are_those_of_the_tokenizer() -> None:
    assert Chunker(unit="tokens").count("hello world") == 2
    assert Chunker(unit=byte_encoding()).count("é€😀") == 2 + 3 + 4
    assert Chunker(unit="characters").count("é€😀") == 3
    assert Chunker(unit=utf16).count("é€😀") == 4


@pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"])
def test_a_special_tokens_name_is_ordinary_text(special: str) -> None:
    found = chunk(f"# A\n\nSay {special} twice: {special}.\n", chunk_size=6, chunk_overlap=0)
    assert "".join(c.text for c in found).count("endof") + special.count("fim") * 2 == 2
    assert Chunker(unit=byte_encoding()).count("<|stop|>") == 8


# what is no unit


@pytest.mark.parametrize("unit", [None, 3, 2.5, [], object(), b"tokens"])
def test_what_is_no_unit_is_an_options_error(unit: Any) -> None:
    with pytest.raises(OptionsError, match=r"unit: .* is not allowed; allowed is .*characters"):
        Chunker(unit=unit)


def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(TokenizerError, match=r"'klingon_base'.*cl100k_base"):
        Chunker(unit="klingon_base")


def test_an_encoding_that_cannot_be_had_is_an_error_with_remedies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(name: str) -> None:
        raise ConnectionError(f"no network for {name}")

    monkeypatch.setattr(tiktoken, "get_encoding", unreachable)
    with pytest.raises(TokenizerError, match=r"o200k_base.*TIKTOKEN_CACHE_DIR"):
        Chunker(unit="o200k_base")


class Several:
    """As arrays do, it has an ``__index__`` that raises."""

    def __index__(self) -> int:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")


@pytest.mark.parametrize("answer", [2.0, -1, True, None, "3", float("nan"), Several()])
def test_an_answer_that_is_no_count_is_an_error(answer: Any) -> None:
    with pytest.raises(TokenizerError, match=r"a count is an int of 0 or more"):
        chunk("Some text.", unit=lambda _: answer)


def test_a_counter_that_raises_is_an_error_that_keeps_the_cause() -> None:
    def broken(_: str) -> int:
        raise RuntimeError("the model is not loaded")

    with pytest.raises(TokenizerError, match=r"RuntimeError .* the model is not loaded") as caught:
        chunk("Some text.", unit=broken)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert isinstance(caught.value, MdchunkError)


def test_an_int_of_another_kind_is_a_count() -> None:
    class Count:
        def __init__(self, value: int) -> None:
            self.value = value

        def __index__(self) -> int:
            return self.value

    found = chunk("Some text.", unit=lambda text: Count(len(text)))
    assert [(c.size, type(c.size)) for c in found] == [(10, int)]


# indexes of sizes


def size_index_of(unit: Any, source: str, *, elided: bool = False) -> SizeIndex:
    structure = parse(source).structure
    marks = [b.offset for b in (*structure.boundaries, *structure.interior)]
    return Sizer(unit).size_index(source, marks, elided=elided)


MIXED = "\n\n".join(
    [*own_documents().values(), DATA, "a" * 700, " " * 600 + "x", "\n" * 300, "👨‍👩‍👧" * 40]
)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_exact_is_the_count_of_the_slice(unit: Any, line_end: str) -> None:
    source = MIXED.replace("\n", line_end)
    count, size_index = Sizer(unit).count, size_index_of(unit, source)
    draw = random.Random(line_end)
    for _ in range(400):
        start = draw.randrange(len(source))
        end = min(len(source), start + draw.choice([1, 5, 40, 300, 2000]))
        assert size_index.exact(start, end) == count(source[start:end]), (start, end)


line_texts = st.lists(
    st.sampled_from(
        [" ", "\n", "\r\n", "\r", "\t", "a", "1", "'s", ".", "é", "漢", "- ", "\u2028", "\x0b"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(line_texts, st.data())
def test_exact_is_the_count_of_any_slice(source: str, data: st.DataObject) -> None:
    size_index = size_index_of("tokens", source)
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    assert size_index.exact(start, end) == len(
        default_encoding().encode_ordinary(source[start:end])
    )


def test_planned_sizes_are_exact_between_starts_of_lines() -> None:
    """cl100k's counts add up at the starts of lines that are not blank, so plans need no slack."""
    source = "\n\n".join(own_documents().values())
    size_index = size_index_of("tokens", source)
    starts = [n for n in range(1, len(source)) if source[n - 1] == "\n" and source[n].isprintable()]
    starts = [n for n in starts if source[n : source.find("\n", n) + 1].strip()]
    draw = random.Random(7)
    count = Sizer("tokens").count
    for _ in range(300):
        start, end = sorted(draw.sample(starts, 2))
        assert size_index.planned(start, end) == count(source[start:end])


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_plans_rise_and_reach_what_they_plan(unit: Any) -> None:
    source = MIXED
    size_index = size_index_of(unit, source)
    places = range(0, len(source), 37)
    assert [size_index.size_before(p) for p in places] == sorted(
        size_index.size_before(p) for p in places
    )
    for start in places[:200:5]:
        end = size_index.furthest(start, 50)
        assert start <= end <= len(source)
        assert size_index.size_before(end) - size_index.size_before(start) <= 50 + 1e-6


@pytest.mark.parametrize("unit", ["tokens", "characters", utf16, byte_encoding()])
def test_a_room_never_takes_what_an_exact_count_refuses_by_much(unit: Any) -> None:
    """What fits by plan is within a token or two; what does not fit by count is refused."""
    size_index, count = size_index_of(unit, MIXED), Sizer(unit).count
    room = Budget(size_index, 60)
    draw = random.Random(3)
    for _ in range(300):
        start = draw.randrange(len(MIXED) - 200)
        end = start + draw.randrange(1, 200)
        size = count(MIXED[start:end])
        if room.fits(start, end):
            assert size <= 62
        elif size_index.additive:
            assert size > 60


@pytest.mark.parametrize("unit", ["tokens", "characters", words_and_blank_lines, byte_encoding()])
def test_data_counts_as_what_it_is_shortened_to(unit: Any) -> None:
    source = f"Before.\n\n{DATA}\n\nBetween {DATA} and {DATA}.\n\nAfter.\n"
    size_index, count = size_index_of(unit, source, elided=True), Sizer(unit).count
    assert size_index.exact(0, len(source)) == count(elide(source))
    end = source.index("Between")
    planned = size_index.planned(0, end)
    assert abs(planned - count(elide(source[:end]))) <= 2
    places = [size_index.size_before(n) for n in range(len(source))]
    assert places == sorted(places)


def test_reach_passes_over_data_that_is_shortened() -> None:
    source = f"Before. {DATA} after.\n"
    size_index = size_index_of("characters", source, elided=True)
    assert size_index.furthest(0, len(elide(source))) == len(source)
    assert source[: size_index.furthest(0, 8)] == "Before. "


# runs that break tokenizers


HOSTILE: dict[str, Callable[[], str]] = {
    "a million blanks": lambda: "word" + " " * 1_000_000 + "word",
    "a million letters": lambda: "a" * 1_000_000,
    "20,000 line ends": lambda: "word" + "\n" * 20_000 + "word",
    "20,000 CRLF": lambda: "word" + "\r\n" * 20_000 + "word",
    "5,000 emoji in one cluster": lambda: "\u200d".join("👩" * 5000),
    "5,000 joined emoji": lambda: "👨\u200d👩\u200d👧" * 5000,
    "marks": lambda: "e" + "\u0301" * 5_000,
    "blanks in code": lambda: "```\n" + "x" + " " * 300_000 + "y\n```",
    "quotes": lambda: ">" * 3_000 + "a",
    "punctuation": lambda: "!" * 100_000,
}


@pytest.mark.parametrize("unit", ["tokens", "characters", utf16])
@pytest.mark.parametrize("name", HOSTILE)
def test_long_runs_finish_and_obey_the_limit(name: str, unit: Any) -> None:
    source = HOSTILE[name]()
    chunker = Chunker(unit=unit, chunk_size=400, chunk_overlap=0)
    found = chunker.chunk(source)
    sizes_hold(found, 400, chunker.count)
    visible = len("".join(source.split()))
    assert sum(len("".join(c.text.split())) for c in found) == visible


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.integers(1, 12))
def test_bytes_hold_any_text_to_its_limit(source: str, size: int) -> None:
    chunker = Chunker(unit=UNITS["bytes"], chunk_size=size, chunk_overlap=0)
    sizes_hold(chunker.chunk(source), size, chunker.count)
