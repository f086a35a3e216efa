"""The measures on documents small enough to check by eye; none needs Node or a peer."""

import importlib.util
import json
import math
import os
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import mdchunk
from benchmarks import (
    ablation,
    apart,
    chunkers,
    edits,
    levels,
    minilm,
    pathology,
    report,
    retrieval,
    stats,
)
from benchmarks.chunkers import Piece
from benchmarks.corpus import Document
from benchmarks.errors import UnavailableError
from benchmarks.ink import ink
from benchmarks.oracle import Block
from benchmarks.placing import covered, place
from benchmarks.quality import prepare, run, summary
from benchmarks.sections import lead_ins, sections_mixed

SOURCE = "# A\n\nSee this:\n\n- one\n- two\n\n# B\n\nThe end. It is here.\n"


def at(text: str, kind: str, level: int = 0, parent: int = -1) -> Block:
    start = SOURCE.index(text)
    return Block(kind, start, start + len(text), level, parent)


BLOCKS = [
    at("# A", "heading", 1),
    at("See this:", "paragraph"),
    at("- one\n- two", "list"),
    at("- one", "item", parent=2),
    at("- two", "item", parent=2),
    at("# B", "heading", 1),
    at("The end. It is here.", "paragraph"),
]


def judged(*ends: str) -> dict[str, float]:
    cuts = [0, *(SOURCE.index(end) for end in ends), len(SOURCE)]
    pieces = [Piece(SOURCE[a:b], a, b) for a, b in pairwise(cuts)]
    samples = prepare([Document("a.md", SOURCE)], [BLOCKS], 40, "characters")
    return summary(run(lambda _: pieces, samples))


def test_good_cuts_break_nothing() -> None:
    row = judged("# B")
    broken = ("list_cut", "item_cut", "orphaned", "lead_ins_parted", "mixed", "joined", "lost")
    assert {key: row[key] for key in broken} == dict.fromkeys(broken, 0)
    assert (row["chunks"], row["lead_ins"], row["headings"]) == (2, 1, 2)


@pytest.mark.parametrize(
    ("end", "key"),
    [
        ("- two", "list_cut"),
        ("wo\n\n# B", "item_cut"),
        ("See", "orphaned"),
        ("- one", "lead_ins_parted"),
        ("end. It", "mid_sentence"),
        ("nd. It", "mid_word"),
        ("- one", "mixed"),
    ],
)
def test_each_bad_cut_is_counted(end: str, key: str) -> None:
    assert judged(end)[key] == 1


def test_a_sentence_end_is_no_cut_inside_a_sentence() -> None:
    assert judged("It is")["mid_sentence"] == 0


def test_lost_text_and_false_offsets_are_told() -> None:
    samples = prepare([Document("a.md", SOURCE)], [BLOCKS], 40, "characters")
    row = run(lambda _: [Piece("# A", 0, 3), Piece("# B", 5, 8)], samples)
    assert row["altered"] == 1
    assert row["lost"] == ink(SOURCE).total - len("#A") - len("See")


def test_an_error_of_a_chunker_is_counted() -> None:
    def fail(source: str) -> list[Piece]:
        raise ValueError(source)

    assert run(fail, prepare([Document("a.md", SOURCE)], [BLOCKS], 40, "tokens"))["errors"] == 1


@pytest.mark.parametrize("ending", ["so:", "so：", "**so:**", "[so:](x)", "_see_:"])
def test_lead_ins_end_in_a_colon(ending: str) -> None:
    source = f"{ending}\n\n```\nx\n```\n"
    blocks = [
        Block("paragraph", 0, len(ending), 0, -1),
        Block("code", len(ending) + 2, len(source) - 1, 0, -1),
    ]
    assert lead_ins(source, blocks) == [(len(ending), len(ending) + 2)]


def test_a_paragraph_in_another_container_leads_nothing_in() -> None:
    blocks = [Block("paragraph", 2, 5, 0, 7), Block("list", 7, 9, 0, -1)]
    assert lead_ins("> so:\n\n- x", blocks) == []


@pytest.mark.parametrize(
    ("chunk", "kinds"),
    [
        ((0, 10), set()),  # a section with its sub-section
        ((5, 25), {"joined", "climbed"}),  # a whole sub-section and the next section
        ((7, 25), {"mixed", "joined", "climbed"}),  # the tail of it instead
        ((22, 35), {"mixed", "joined"}),
        ((20, 35), {"joined"}),
    ],
)
def test_sections(chunk: tuple[int, int], kinds: set[str]) -> None:
    headings = [(0, 1), (5, 2), (20, 1), (30, 1)]
    counts = sections_mixed(headings, [chunk])
    assert {key for key, value in counts.items() if value} == kinds


def test_text_without_offsets_is_found_by_its_ink() -> None:
    drawn = ink(SOURCE)
    placed = place([Piece("# A\nSee this:"), Piece("- one - two"), Piece("  ")], drawn)
    assert [(p.start, p.end) for p in placed.found] == [(0, 10), (10, 18)]
    assert (placed.altered, placed.blank) == (2, 1)


def test_rewritten_text_is_found_by_anchors() -> None:
    source = "the first part of the text, then a second part that was dropped, and the last of it"
    rewritten = "the first part of the text, INSERTED and the last of it"
    kept = place([Piece(rewritten)], ink(source)).found[0].kept
    assert covered(kept) == len("thefirstpartofthetext,andthelastofit")


def test_an_edit_that_moves_nothing_changes_nothing() -> None:

    def split(source: str) -> list[Piece]:
        return [Piece(part) for part in source.split("\n\n")]

    chance = random.Random(1)
    for kind in (edits._sentence_in, edits._paragraph_out, edits._item_in):
        edit = kind(SOURCE, BLOCKS, chance)
        assert edit is not None
        assert edit.before == SOURCE != edit.after
        assert edits.changed(split, edit) == 0


def test_an_edit_that_moves_every_cut_changes_all_that_follows() -> None:
    def split(source: str) -> list[Piece]:
        return [Piece(source[i : i + 4]) for i in range(0, len(source), 4)]

    edit = edits.Edit("sentence in", "a b c d e f", "x a b c d e f", 0, 1)
    assert edits.changed(split, edit) == 1


def test_recall_reads_up_to_the_budget() -> None:
    question = retrieval.Question("L", "g", "q", {"d": ((10, 30),)})
    ranked = [retrieval.Entry("d", 0, 20, 500, ""), retrieval.Entry("d", 20, 40, 1000, "")]
    answer = retrieval._answer(question, ranked)
    assert answer.recall == (0.5, 1.0, 1.0, 1.0)
    assert answer.precision == (0.5, 20 / 30, 0.5, 0.5)
    assert (answer.rank, answer.top) == (1.0, 1.0)


NESTED = (
    "# Bread\n\nBy weight.\n\n## Starter\n\nFeed it *twice* a day. Keep it cool.\n\n"
    "It has doubled when it is ready.\n\n## Baking\n\nRye takes longer than wheat does.\n"
)


@pytest.mark.parametrize("hits", [(0, 1), (3, 1), (2, 0, 3), (4, 3, 2, 1, 0)])
def test_a_hierarchy_is_read_as_auto_merge_reads_it(hits: tuple[int, ...]) -> None:
    asked = retrieval.Questions({"d": ink(NESTED)}, {"g": ["d"]}, [])
    (entries,) = retrieval.entries_of(
        chunkers.make("mdchunk-hierarchy", 32, "tokens"), asked
    ).values()
    levels = mdchunk.hierarchy(NESTED, (32, 8), front_matter="chunk", plain=True)
    assert [entry.text for entry in entries] == [chunk.embedding_text for chunk in levels[1]]
    children = Counter(entry.parent for entry in entries if entry.parent)
    ours = retrieval.merged([entries[i] for i in hits], children)
    theirs = mdchunk.auto_merge([levels[1][i].id for i in hits], levels)
    before = ink(NESTED).before
    assert [(e.start, e.end) for e in ours] == [(before[c.start], before[c.end]) for c in theirs]


@pytest.mark.parametrize("name", chunkers.NESTED)
def test_a_peers_small_pieces_lie_in_its_big_ones(name: str) -> None:
    if not chunkers.available([name], 32, "tokens"):
        pytest.skip(f"{name} is not installed")
    asked = retrieval.Questions({"d": ink(NESTED)}, {"g": ["d"]}, [])
    (entries,) = retrieval.entries_of(chunkers.make(name, 32, "tokens"), asked).values()
    parents = {entry.parent for entry in entries if entry.parent}
    assert 1 < len(parents) < len(entries)
    for entry in entries:
        assert entry.parent is not None
        assert entry.parent.start <= entry.start < entry.end <= entry.parent.end


def test_what_is_indexed_need_not_be_what_is_read() -> None:
    split = chunkers.make("mdchunk-plain", 64, "tokens")
    (piece,) = split("Read *this*.\n")
    assert (piece.text.strip(), piece.clue) == ("Read *this*.", "Read this.")


def test_lists_are_fused_by_scores_or_by_ranks() -> None:
    words, meaning = np.array([9.0, 1.0, 0.0]), np.array([0.1, 0.3, 0.2])
    weight = retrieval.WEIGHT
    assert retrieval.by_scores(words, meaning) == pytest.approx(
        [1 - weight, (1 - weight) / 9 + weight, weight / 2]
    )
    ranks = retrieval.by_ranks(words, meaning)
    assert ranks == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])


def test_a_bootstrap_of_equal_answers_is_certain() -> None:
    assert stats.paired([0.5, 1.0], [0.5, 1.0]) == (0.0, 0.0, 0.0)
    low = stats.paired([1.0] * 50, [0.0] * 49 + [1.0]).low
    assert low > 0.9


def test_tables_go_between_their_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- x -->\nold\n<!-- end x -->\nafter\n")
    result = report.Result("x", {"size": 1}, [[report.Column("n", "n")]], {"mdchunk": {"n": 3}})
    report.publish([result], page)
    text = page.read_text()
    assert "| mdchunk | 3 |" in text
    assert "old" not in text
    assert text.startswith("before\n<!-- x -->\n")
    assert text.endswith("<!-- end x -->\nafter\n")


def test_a_run_apart_tells_what_it_took_or_what_went_wrong() -> None:
    cost = apart.run("mdchunk", 40, "characters", "a" * 100, 30)
    assert isinstance(cost, apart.Cost)
    assert cost.seconds < 30
    assert apart.run("no such", 40, "characters", "", 30) == "died"
    assert apart.run("mdchunk", 40, "characters", SOURCE * 100, 0) == "> 0"


def test_hostile_texts_are_as_named() -> None:
    texts = pathology.TEXTS
    assert len(texts["40,000 × a"]) == 40_000
    assert texts["20,000 newlines"].count("\n") == 20_000
    assert texts["5,000 joined emoji"].count("\u200d") == 4_999
    assert len(texts["1,000,000 blanks"].strip()) == 1_000_002


def test_our_chunker_without_the_fast_counter_leaves_the_switch_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: object() if name == "toktok" else find(name)
    )
    for value in ("1", None):
        if value is None:
            monkeypatch.delenv("MDCHUNK_FAST", raising=False)
        else:
            monkeypatch.setenv("MDCHUNK_FAST", value)
        assert chunkers.make("mdchunk-tiktoken", 40, "tokens")(SOURCE)
        assert os.environ.get("MDCHUNK_FAST") == value
    with pytest.raises(UnavailableError, match="anyhow"):
        chunkers.make("mdchunk-tiktoken", 40, "characters")


def test_numbers_are_read_from_safetensors() -> None:
    numbers = minilm.np.arange(6, dtype=minilm.np.float32)
    entry = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    header = json.dumps({"__metadata__": {}, "a": entry}).encode()
    packed = len(header).to_bytes(8, "little") + header + numbers.tobytes()
    assert minilm._weights(packed)["a"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_gelu_is_exact_enough() -> None:
    values = minilm.np.linspace(-6, 6, 101).astype(minilm.np.float32)
    exact = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in map(float, values)]
    assert max(abs(minilm._gelu(values) - exact)) < 1e-6


def test_a_hierarchy_is_timed_beside_each_of_its_levels() -> None:
    source = "# Title\n\n" + "Some words on it. " * 400
    found = levels.measure([Document("a.md", source)], (200, 50), 1)
    most, least, both = found.rows.values()
    assert list(found.rows)[-1] == "hierarchy of 200, 50"
    assert most["chunks"] < least["chunks"] < both["chunks"]
    assert both["over"] == 1


def test_every_variant_of_the_ablation_is_one_that_a_chunker_takes() -> None:
    for options in ablation.variants(40).values():
        assert chunkers.own(40, "tokens", **options)(SOURCE)
