"""Nested chunks: laws for any sizes, and which of them are read."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Sequence
from typing import Any

import laws
import pytest
from corpus import LINE_ENDS, own_documents, spec_examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import documents

import mdchunk
from mdchunk import Chunk, Chunker, MdchunkError, Options, OptionsError, auto_merge, hierarchy

pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")
Levels = list[list[Chunk]]


def check(chunker: Chunker, source: str, sizes: Sequence[int]) -> Levels:
    """Make a hierarchy and check each level by itself, and how it lies in the one above."""
    document = chunker.parse(source)
    levels = chunker.hierarchy(source, sizes)
    assert levels == chunker.hierarchy(document, sizes)
    options = chunker.options.at_sizes(sizes)
    assert levels[0] == Chunker(options[0]).chunk(source)
    assert not any(chunk.parent for chunk in levels[0])
    for chunks, own in zip(levels, options, strict=True):
        check_level(document, chunks, own, chunker)
    for above, chunks, own in zip(levels, levels[1:], options[1:], strict=False):
        lies_within(above, chunks)
        forced = frozenset(c.start + c.overlap for c in above)
        forced = forced.union(*laws.left_out_sections(document, own.exclude_sections))
        if own.context == "none" and own.data_uris == "keep" and not own.split_headings:
            laws.spans_that_fit_are_whole(document, chunks, own.chunk_size, chunker.count, forced)
    assert len({c.id for level in levels for c in level}) == sum(map(len, levels))
    return levels


def check_level(
    document: mdchunk.Document, chunks: Sequence[Chunk], options: Options, chunker: Chunker
) -> None:
    source = document.source
    front = document.front_matter_end if options.front_matter == "metadata" else 0
    laws.slices_are_exact(source, chunks)
    laws.no_chunk_starts_with_a_blank_line(chunks)
    laws.order_is_kept(chunks)
    left_out = laws.left_out_sections(document, options.exclude_sections)
    laws.nothing_is_lost(source, chunks, front, left_out)
    laws.lines_match(source, chunks)
    laws.sections_are_the_headings(document, chunks, left_out)
    laws.embedding_texts_hold(chunks, options.chunk_size, chunker.count)
    if options.oversize == "split":
        counted = options.count_context
        laws.sizes_hold(chunks, options.chunk_size, chunker.count, counted=counted)


def lies_within(above: Sequence[Chunk], chunks: Sequence[Chunk]) -> None:
    """The chunks of each parent part its own text; the overlap of a parent is in none of them."""
    groups = [list(group) for _, group in itertools.groupby(chunks, lambda c: c.parent)]
    assert [group[0].parent for group in groups] == [parent.id for parent in above]
    for parent, group in zip(above, groups, strict=True):
        own = parent.start + parent.overlap
        assert group[0].start >= own
        assert not parent.text[parent.overlap :][: group[0].start - own].strip(laws.BLANKS)
        assert group[0].overlap == 0
        assert group[-1].end <= parent.end
        rest = parent.text[group[-1].end - parent.start :]
        assert not rest.strip(laws.BLANKS)
        assert rest or group[-1].cut == parent.cut
        # what stands before a heading may be of its section only together with it
        first = [section.path for section in parent.sections[:1]]
        assert group[0].headings == parent.headings or [parent.headings] == first


OPTIONS: list[dict[str, Any]] = [
    {},
    {"chunk_overlap": 60, "unit": "characters"},
    {"cutoff": "lookback", "context": "headings"},
    {"context": "full", "front_matter": "chunk"},
    {"min_chunk_size": 40, "split_headings": 2, "unit": "characters"},
    {"oversize": "keep", "front_matter": "text"},
    {"data_uris": "elide", "plain": True},
    {"exclude_sections": ("*s",), "chunk_overlap": 20},
]


@pytest.mark.parametrize("fields", OPTIONS, ids=range(len(OPTIONS)))
def test_own_documents(fields: dict[str, Any]) -> None:
    shapes = itertools.product(((300, 90), (120, 64, 30)), LINE_ENDS.values())
    chunker = Chunker(chunk_size=300, **fields)
    for source, (sizes, line_end) in zip(
        own_documents().values(), itertools.cycle(shapes), strict=False
    ):
        check(chunker, source.replace("\n", line_end), sizes)


@pytest.mark.parametrize("sizes", [(40, 7), (9, 5, 1), (10**6, 12), (30,)])
def test_spec_examples(sizes: tuple[int, ...]) -> None:
    chunkers = [
        Chunker(unit=unit, chunk_size=sizes[0], chunk_overlap=sizes[0] // 3)
        for unit in ("characters", "tokens")
    ]
    for chunker, example in zip(itertools.cycle(chunkers), spec_examples(), strict=False):
        check(chunker, example, sizes)


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    documents(),
    st.lists(st.integers(1, 400), min_size=1, max_size=4, unique=True),
    st.sampled_from(OPTIONS),
)
def test_drawn_documents(source: str, sizes: list[int], fields: dict[str, Any]) -> None:
    falling = sorted(sizes, reverse=True)
    scaled = {name: min(value, falling[0] - 1) if name == "chunk_overlap" else value
              for name, value in fields.items()}  # fmt: skip
    if scaled.get("min_chunk_size", 0) > falling[0]:
        scaled["min_chunk_size"] = falling[0]
    check(Chunker(chunk_size=falling[0], **scaled), source, falling)


PAGE = "# A\n\nOne two. Three four.\n\n## B\n\nFive six.\n\nSeven eight.\n\n# C\n\nNine.\n"


def small(source: str = PAGE, sizes: Sequence[int] = (50, 16), **fields: Any) -> Levels:
    return hierarchy(source, sizes, unit="characters", **fields)


def test_levels_lie_in_each_other() -> None:
    above, below = small()
    assert [c.text for c in above] == [
        "# A\n\nOne two. Three four.\n\n## B\n\nFive six.",
        "Seven eight.\n\n# C\n\nNine.",
    ] or len(above) > 1
    assert {c.parent for c in below} == {c.id for c in above}
    assert below[0].as_dict()["parent"] == above[0].id
    assert pickle.loads(pickle.dumps(below)) == below


def test_a_chunk_that_is_all_of_its_parent_has_a_name_of_its_own() -> None:
    above, below = small("# C\n\nNine.\n")
    assert [c.text for c in below] == [c.text for c in above]
    assert below[0].parent == above[0].id != below[0].id


def test_ids_stay_where_another_place_is_edited() -> None:
    before, after = small(), small("# New\n\nText that is new.\n\n" + PAGE)
    for old, new in zip(before, after, strict=True):
        assert {c.id for c in old[1:]} <= {c.id for c in new}


def test_blank_text_has_no_chunks_at_any_level() -> None:
    assert small(" \n") == [[], []]


def test_sizes_below_the_first_keep_their_share() -> None:
    options = Options(chunk_size=900, chunk_overlap=135, window=200, min_chunk_size=30)
    first, second, third = options.at_sizes((900, 300, 6))
    assert first == options
    assert (second.overlap, second.window, second.min_chunk_size) == (45, 66, 10)
    assert (third.overlap, third.window, third.min_chunk_size) == (0, 1, 0)
    assert Options(cutoff="lookback").at_sizes((500, 100))[1].overlap == 10


@pytest.mark.parametrize(
    "sizes", [(), (0,), (5, 5), (1, 2), (3, True), ("9", "3"), "512,128", 512, (5.0, 1), None]
)
def test_wrong_sizes_are_errors(sizes: Any) -> None:
    for wrong in (lambda: hierarchy("a", sizes), lambda: Chunker().hierarchy("a", sizes)):
        with pytest.raises(OptionsError, match=r"chunk_sizes: .* is not allowed; allowed is fall"):
            wrong()


def test_wrong_use_of_options_is_an_error() -> None:
    with pytest.raises(OptionsError, match="chunk_size: not allowed"):
        hierarchy("a", (5, 3), chunk_size=5)
    with pytest.raises(OptionsError, match="chunk_overlap: 9 is not allowed"):
        hierarchy("a", (5, 3), chunk_overlap=9)
    with pytest.raises(OptionsError, match="dialects: "):
        hierarchy(mdchunk.parse("a"), (5, 3), dialects=())


def test_work_at_a_second_level_is_no_second_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    parse = mdchunk.chunker.parse_with
    monkeypatch.setattr(
        mdchunk.chunker, "parse_with", lambda *a, **k: (read.append(1), parse(*a, **k))[1]
    )
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return len(text.split())

    source = PAGE * 50
    hierarchy(source, (60, 15), unit=count)
    assert read == [1]
    nested = sum(counted)
    counted.clear()
    mdchunk.chunk(source, chunk_size=60, unit=count)
    assert nested < 2.5 * sum(counted)


# Which to read: the children of two parents are a to d and e to f.


def made(*names: str) -> Levels:
    """Make a hierarchy of names such as ``p`` and ``p/a``; the ids are the last parts."""
    whole = mdchunk.chunk("text")[0]
    fields = {name: getattr(whole, name) for name in Chunk.__slots__}
    levels: dict[int, list[Chunk]] = {}
    for name in names:
        *above, own = name.split("/")
        chunk = Chunk(**{**fields, "id": own, "parent": above[-1] if above else ""})
        levels.setdefault(len(above), []).append(chunk)
    return [levels[depth] for depth in sorted(levels)]


TREE = made("p", "q", "p/a", "p/b", "p/c", "p/d", "q/e", "q/f")


@pytest.mark.parametrize(
    ("hits", "threshold", "read"),
    [
        ("", 0.5, ""),
        ("a", 0.5, "a"),
        ("ab", 0.5, "p"),
        ("eab", 0.5, "qp"),  # one of two is half
        ("eab", 0.6, "eab"),
        ("aeb", 0.5, "pq"),
        ("caeb", 0.75, "pe"),
        ("feabcd", 1, "qp"),
        ("feabc", 1, "qabc"),
        ("aaa", 0.5, "a"),
        ("a", 0, "p"),
        ("pa", 0.5, "p"),
        ("ap", 0.5, "p"),
    ],
)
def test_parents_are_read_at_the_place_of_their_best_child(
    hits: str, threshold: float, read: str
) -> None:
    assert "".join(c.id for c in auto_merge(hits, TREE, threshold)) == read


def test_merging_goes_on_upward() -> None:
    tree = made("r", "r/p", "r/q", "r/p/a", "r/p/b", "r/q/c", "r/q/d", "r/q/e")
    assert [c.id for c in auto_merge("ab", tree, 0.6)] == ["p"]
    assert [c.id for c in auto_merge("abcd", tree, 0.6)] == ["r"]
    assert [c.id for c in auto_merge("dabe", tree, 1)] == ["d", "p", "e"]


def test_a_share_is_reached_exactly() -> None:
    tree = made("p", *(f"p/{number}" for number in range(30)))
    assert [c.id for c in auto_merge(["0", "1", "2"], tree, 0.1)] == ["p"]


def test_wrong_use_of_merging_is_an_error() -> None:
    for threshold in (-1, 1.5, None, True, "0.5"):
        with pytest.raises(OptionsError, match=r"threshold: .* is not allowed; allowed is 0 to 1"):
            auto_merge("a", TREE, threshold)  # type: ignore[arg-type]
    with pytest.raises(MdchunkError, match="hits: 'x' is not allowed"):
        auto_merge("x", TREE)


def test_what_a_search_found_is_read() -> None:
    levels = small()
    parents = {c.id: c for c in levels[0]}
    found = [c.id for c in levels[1]]
    assert auto_merge(found, levels) == levels[0]
    (only,) = auto_merge(found[:1], levels, 1)
    assert parents[only.parent].text.startswith(only.text)
