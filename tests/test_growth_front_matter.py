"""Front matter that was made to be slow: calls and memory grow no faster than it."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from growth import backstop, calls, doublings, peak
from hostile import FRONT_MATTER

from mdchunk import Chunker, MdchunkWarning, parse

pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")

SIZE = 2_000
LARGE = 100_000
STEEPEST = 2.3
FROM = {"yaml: merges that grow": 16_000}
"""The size from which the limit of 100,000 values holds, for what grows faster up to there."""
LEAST = 200_000
"""Bytes that parsing a document takes in any case."""


@pytest.mark.parametrize("name", FRONT_MATTER)
def test_calls_grow_with_front_matter(name: str) -> None:
    size = FROM.get(name, SIZE)
    parse(FRONT_MATTER[name](SIZE))
    sources = [FRONT_MATTER[name](n) for n in (size, 2 * size, 4 * size)]
    counts = [calls(lambda source=source: parse(source)) for source in sources]
    assert max(doublings(counts)) <= STEEPEST, counts


@pytest.mark.parametrize("name", FRONT_MATTER)
def test_memory_grows_with_front_matter(name: str) -> None:
    parse(FRONT_MATTER[name](SIZE))
    small, large = (peak(lambda n=n: parse(FRONT_MATTER[name](n))) for n in (8 * SIZE, 16 * SIZE))
    assert large - LEAST <= STEEPEST * max(small, LEAST)


@pytest.mark.parametrize("name", FRONT_MATTER)
def test_large_front_matter_ends(name: str) -> None:
    """What one call of a library does, which no count shows, would meet the backstop here."""
    with backstop(30):
        parse(FRONT_MATTER[name](LARGE))


KEY = "a key of more than 50 parts"
REFUSED = {
    "toml: dots": KEY,
    "toml: dots in a table": KEY,
    "toml: dots in tables": KEY,
    "toml: dots among blanks": KEY,
    "toml: dots among quotes": KEY,
    "toml: dots behind quotes": KEY,
    "toml: dots in a header": KEY,
    "yaml: merges of nothing": "more than 50 merges into one mapping",
    "yaml: merges by line": "more than 50 merges into one mapping",
    "yaml: directives": "more than 50 directives",
    "yaml: aliases of a long text": "values of more than 1000000 characters",
    "yaml: aliases of a long key": "values of more than 1000000 characters",
    "yaml: aliases of a long number": "values of more than 1000000 characters",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_take_the_square_of_its_length_is_text(name: str) -> None:
    with pytest.warns(MdchunkWarning, match=REFUSED[name]):
        document = parse(FRONT_MATTER[name](30 * SIZE))
    assert (dict(document.metadata), document.front_matter_end) == ({}, 0)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a = " + str([1.5] * 99), [1.5] * 99),
        ("a = '" + "b." * 99 + "'", "b." * 99),
        ('a = """' + "b.\n" * 99 + '"""', "b.\n" * 99),
        ("a = ['''" + "b." * 99 + "''', '#']", ["b." * 99, "#"]),
        ("# " + "b." * 99 + "\na = 1", 1),
        ("a = '\"' # " + "b." * 99, '"'),
        ("\"a\" = '\\' # " + "b." * 99, "\\"),
    ],
)
def test_dots_that_part_no_key_are_read(content: str, expected: object) -> None:
    assert parse(f"+++\n{content}\n+++\n").metadata == {"a": expected}


def test_a_key_of_fifty_parts_is_read() -> None:
    key = ".".join("a" * 50)
    assert dict(parse(f"+++\nx = {{{key} = 1}}\n{key} = 2\n+++\n").metadata) == {}  # too deep
    assert parse(f"+++\n{key[:59]} = 2\n+++\n").metadata["a"]


def test_a_long_number_is_text_as_a_key_only() -> None:
    number = 2**61 - 1
    assert parse(f"---\n{number}: {number}\nb: {{? {number}\n: c}}\n---\n").metadata == {
        str(number): number,
        "b": {str(number): "c"},
    }


def test_fifty_merges_into_one_mapping_are_read() -> None:
    lines = [f"a{n}: &a{n} {{b{n}: {n}}}\n" for n in range(50)]
    merges = "".join(f"  <<: *a{n}\n" for n in range(50))
    metadata = parse(f"---\n{''.join(lines)}c:\n{merges}---\n").metadata
    assert metadata["c"] == {f"b{n}": n for n in range(50)}


def document(values: int, chunks: int) -> str:
    """Make front matter of so many values, flat and nested, over so many chunks."""
    flat = "".join(f"a{n}: {n}\n" for n in range(values // 2))
    nested = "".join(f"  - [{n}]\n" for n in range(values // 4))
    return f"---\n{flat}b:\n{nested}---\n" + "Twelve signs\n\n" * chunks


def test_chunks_do_not_copy_front_matter() -> None:
    """What a chunk takes is the same with ten values and with ten thousand."""
    chunker = Chunker(chunk_size=12, unit="characters")
    chunker.chunk(document(10, 10))

    def of_chunks(work: Callable[[Callable[[], object]], int], values: int) -> int:
        few, many = (document(values, chunks) for chunks in (20, 220))
        return work(lambda: chunker.chunk(many)) - work(lambda: chunker.chunk(few))

    assert of_chunks(calls, 10_000) <= 1.05 * of_chunks(calls, 10)
    assert of_chunks(peak, 10_000) <= 1.5 * of_chunks(peak, 10)


def test_pickled_chunks_hold_front_matter_once() -> None:
    chunker = Chunker(chunk_size=12, unit="characters")

    def size(values: int, chunks: int) -> int:
        return len(pickle.dumps(chunker.chunk(document(values, chunks))))

    assert size(10_000, 200) - size(10_000, 10) <= 1.25 * (size(10, 200) - size(10, 10))
