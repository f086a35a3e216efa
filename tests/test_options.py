"""Options: every wrong value is named, and what could change the cuts changes the fingerprint."""

from __future__ import annotations

import functools
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from typing import Any, get_type_hints

import pytest
import tiktoken
from markdown_it import MarkdownIt

from mdchunk import (
    Chunker,
    Dialect,
    DialectError,
    MdchunkError,
    Options,
    OptionsError,
    Rule,
    Weight,
    chunk,
    parse,
)
from mdchunk.options import REVISION, Fields
from mdchunk.scores import AbsoluteWeight

NAN = float("nan")
WRONG: dict[str, list[Any]] = {
    "chunk_size": [0, -1, 1.5, "512", None, True, NAN],
    "chunk_overlap": [-1, 512, 10_000, 0.1, "1", True],
    "min_chunk_size": [-1, 513, 2.0, None, False],
    "window": [0, -5, 1.5, "all", True],
    "decay": [-0.1, 1.1, "0.7", NAN, True],
    "mixing": [-0.1, 1.1, None, NAN, False],
    "split_headings": [-1, 7, 1.0, None, True],
    "unit": [5, None, b"tokens", ["tokens"], True],
    "cutoff": ["no selector", None, 3, "Optimal"],
    "oversize": ["drop", None, True],
    "front_matter": ["drop", None, False],
    "exclude_sections": ["Drawing", None, 3, [3], ["Drawing", ""], [None], [" "]],
    "context": ["all", None, True],
    "data_uris": ["drop", None, True],
    "plain": ["yes", None, 1, 0],
    "count_context": ["yes", None, 1, 0],
    "dialects": ["gfm", None, 3, [3], [None]],
    "scores": [None, [("heading", 3)], "heading"],
}
ALLOWED = {
    "chunk_size": "1 or more",
    "chunk_overlap": "0",
    "min_chunk_size": "0",
    "window": "1 or more",
    "decay": "0 to 1",
    "mixing": "0 to 1",
    "split_headings": "0 to 6",
    "unit": "a callable from text to int",
    "cutoff": "'optimal', 'lookback'",
    "oversize": "'split', 'keep'",
    "front_matter": "'metadata', 'chunk', 'text'",
    "exclude_sections": "titles or globs of headings",
    "context": "'none', 'headings', 'full'",
    "data_uris": "'keep', 'elide'",
    "plain": "True or False",
    "count_context": "True or False",
    "dialects": "names and Dialects",
    "scores": "numbers or Weights",
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]], ids=repr
)
def test_a_wrong_value_is_named_with_what_is_allowed(name: str, value: Any) -> None:
    with pytest.raises(OptionsError) as caught:
        Options(**{name: value})
    message = str(caught.value)
    assert message.startswith(f"{name}: ")
    assert repr(value) in message
    assert ALLOWED[name] in message.partition("allowed is")[2]
    assert (caught.value.option, caught.value.value) == (name, value)
    assert message.endswith(f"; allowed is {caught.value.allowed}")
    assert isinstance(caught.value, (MdchunkError, ValueError))


def test_unhashable_values_are_wrong_too() -> None:
    for name in ("cutoff", "oversize", "front_matter", "context", "data_uris"):
        with pytest.raises(OptionsError, match=name):
            Options(**{name: []})


def test_every_option_is_tried() -> None:
    assert {*WRONG} == {field.name for field in fields(Options)}


def test_the_keywords_are_the_fields() -> None:
    assert Fields.__total__ is False
    assert list(get_type_hints(Fields).items()) == list(get_type_hints(Options).items())


def test_an_unknown_option_lists_the_known_ones() -> None:
    for make in (
        lambda: Chunker(size=3),
        lambda: chunk("x", size=3),
        lambda: Options.qmd(size=3),  # type: ignore[call-arg]
        lambda: Options.unrag(size=3),  # type: ignore[call-arg]
    ):
        with pytest.raises(OptionsError, match=r"size: .*chunk_size.*scores") as caught:
            make()
        assert caught.value.option == "size"
        assert caught.value.allowed.startswith("chunk_size, ")


def test_options_and_keywords_are_not_mixed() -> None:
    with pytest.raises(OptionsError, match="not both"):
        Chunker(Options(), chunk_size=3)


@pytest.mark.parametrize("options", [400, {"chunk_size": 400}, "tokens"])
def test_what_is_no_options_is_named(options: Any) -> None:
    with pytest.raises(OptionsError, match=r"options: .* is not allowed; .*chunk_size=400"):
        Chunker(options)


def test_an_error_keeps_what_it_holds_on_its_way_from_another_process() -> None:
    with pytest.raises(OptionsError) as caught:
        Options(mixing=2)
    back = pickle.loads(pickle.dumps(caught.value))
    assert str(back) == "mixing: 2 is not allowed; allowed is a number from 0 to 1"
    assert (back.option, back.value, back.allowed) == ("mixing", 2, "a number from 0 to 1")


def test_an_error_of_no_option_names_none() -> None:
    error = OptionsError("a.toml: not TOML")
    assert (str(error), error.option, error.value, error.allowed) == (
        "a.toml: not TOML",
        "",
        None,
        "",
    )


@pytest.mark.parametrize("value", [-1, 101, NAN, "5", None, (1, 2, 3, 4), (1, "2"), True])
def test_a_wrong_score_is_named(value: Any) -> None:
    with pytest.raises(OptionsError, match=r"^scores: heading is .*0 to 100.*Weight") as caught:
        Options(scores={"heading": value})
    assert (caught.value.option, caught.value.value) == ("scores", {"heading": value})


def test_a_score_is_checked_whatever_its_kind() -> None:
    assert Options(scores={"of a dialect": 3}).scores == {"of a dialect": 3}
    with pytest.raises(OptionsError, match=r"^scores: of a dialect is .*101"):
        Options(scores={"of a dialect": 101})


def test_a_score_for_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(
        OptionsError, match=r"unknown kind 'headline'; known kinds: .*heading"
    ) as caught:
        Chunker(scores={"headline": 3})
    assert caught.value.option == "scores"


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(DialectError, match=r"'wiki'; known names: .*gfm"):
        Chunker(dialects=("wiki",))


def test_options_that_touch_each_other() -> None:
    assert Options(chunk_size=10, chunk_overlap=9).overlap == 9
    assert Options(chunk_size=10, min_chunk_size=10).min_chunk_size == 10
    filled = [Options(chunk_size=n, cutoff="lookback").overlap for n in (1, 9, 10, 512)]
    assert filled == [0, 0, 1, 51]
    assert Options().overlap == 0
    with pytest.raises(OptionsError, match=r"chunk_overlap: 10 .*0 to chunk_size - 1, which is 9"):
        Options(chunk_size=10, chunk_overlap=10)
    with pytest.raises(OptionsError, match=r"min_chunk_size: 11 .*0 to chunk_size, which is 10"):
        Options(chunk_size=10, min_chunk_size=11)


# fingerprints


def test_a_revision_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Options().fingerprint()
    monkeypatch.setattr("mdchunk.options.REVISION", REVISION + 1)
    assert Options().fingerprint() != before


CHANGES: dict[str, list[Any]] = {
    "chunk_size": [511, 513],
    "chunk_overlap": [1, 50, 51],
    "min_chunk_size": [1, 24],
    "unit": ["characters", "o200k_base", len, ascii],
    "cutoff": ["lookback"],
    "window": [1, 200],
    "decay": [0.0, 0.7],
    "mixing": [0.0, 0.6],
    "split_headings": [1, 6],
    "oversize": ["keep"],
    "front_matter": ["chunk", "text"],
    "exclude_sections": [("Drawing",), ("Drawing", "Notes"), ("drawing*",)],
    "context": ["headings", "full"],
    "data_uris": ["elide"],
    "plain": [True],
    "count_context": [False],
    "dialects": [(), ("gfm",), ("commonmark",)],
    "scores": [{"heading": 3}, {"heading": Weight(3, 1)}, {"code": 3}],
}


def test_whatever_could_change_the_cuts_changes_the_fingerprint() -> None:
    assert CHANGES.keys() == {field.name for field in fields(Options)}
    made = [Options().fingerprint()]
    made += [Options(**{name: v}).fingerprint() for name in CHANGES for v in CHANGES[name]]
    assert len(set(made)) == len(made)


def test_a_dialects_tables_change_the_fingerprint() -> None:
    def nothing(parser: MarkdownIt) -> None:
        del parser

    def of(**tables: Any) -> str:
        return Options(dialects=(Dialect("mine", nothing, **tables),)).fingerprint()

    made = {
        of(),
        of(rules={"x": Rule("x")}),
        of(scores={"x": Weight(1)}),
        of(scores={"x": Weight(2)}),
    }
    assert len(made) == 4


def test_the_same_values_give_the_same_fingerprint() -> None:
    assert Options(chunk_overlap=0).fingerprint() == Options().fingerprint()
    assert Options(decay=0.9).fingerprint() == Options().fingerprint()
    for name in ("decay", "mixing"):
        assert Options(**{name: 1}).fingerprint() == Options(**{name: 1.0}).fingerprint()
    rows: list[Any] = [30, 30.0, Weight(30), Weight(30.0, 0, 0.0)]
    assert len({Options(scores={"code": row}).fingerprint() for row in rows}) == 1
    listed = Options(dialects=["gfm"], scores={"code": 3, "heading": 4})
    turned = Options(dialects=("gfm",), scores={"heading": 4, "code": 3})
    assert listed.fingerprint() == turned.fingerprint()


def test_a_fingerprint_is_the_same_in_another_process() -> None:
    code = (
        "from mdchunk import Dialect, Options, Rule, Weight; d = Dialect('mine', print, "
        "{'b': Rule('b'), 'a': Rule('a')}, {'b': Weight(1)}); "
        "print(Options(scores={'code': 3}, dialects=('gfm', d), unit=len).fingerprint())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout != ""


def tokenizer(*words: str) -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: number for number, word in enumerate(["?", *words])}
    return tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="?"))


class Fast:
    """A tokenizer as transformers has it."""

    def __init__(self, backend: Any) -> None:
        self.backend_tokenizer = backend


def encoding(*tokens: bytes, name: str = "mine", **special: int) -> tiktoken.Encoding:
    ranks = {token: rank for rank, token in enumerate(tokens)}
    return tiktoken.Encoding(name, pat_str=".", mergeable_ranks=ranks, special_tokens=special)


def weigh(text: str, *weights: object, **more: object) -> int:
    return len(text) + len(weights) + len(more)


def test_units_of_one_class_have_fingerprints_of_their_own() -> None:
    bytewise = tokenizer("a", "b")
    units = [
        *(tokenizer(), tokenizer("a"), tokenizer("b"), bytewise),
        *(encoding(b"a", b"b"), encoding(b"b", b"a"), encoding(b"a", b"b", x=2)),
        encoding(b"a", b"b", name="other"),
        *(weigh, functools.partial(weigh), functools.partial(weigh, "1"), functools.partial(len)),
        *(
            functools.partial(weigh, 1),
            functools.partial(weigh, k=1),
            functools.partial(weigh, k=2),
        ),
        *(functools.partial(weigh, k={1: 2, "a": 3}), functools.partial(weigh, k=[b"\xff"])),
        *(functools.partial(weigh, bytewise), functools.partial(weigh, tokenizer("a"))),
        *(functools.partial(weigh, Fast(t)) for t in (bytewise, tokenizer("a"))),
    ]
    made = [Options(unit=unit).fingerprint() for unit in units]
    assert len(set(made)) == len(made)
    again = [Options(unit=pickle.loads(pickle.dumps(unit))).fingerprint() for unit in units]
    assert again == made


def test_what_does_not_change_sizes_does_not_change_the_fingerprint() -> None:
    padded = tokenizer("a")
    padded.enable_padding()
    padded.enable_truncation(9)
    assert Options(unit=padded).fingerprint() == Options(unit=tokenizer("a")).fingerprint()


# options as values


def test_options_are_immutable_and_keep_nothing_of_the_callers() -> None:
    scores, dialects = {"heading": 3}, ["gfm"]
    options = Options(scores=scores, dialects=dialects)
    assert options.dialects == ("gfm",)
    before = options.fingerprint()
    scores["heading"], dialects[0] = 4, "math"
    assert options.fingerprint() == before
    with pytest.raises(FrozenInstanceError):
        options.chunk_size = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        options.scores["heading"] = 5  # type: ignore[index]


def test_equal_options_have_one_hash() -> None:
    made = {Options(), Options(scores={}), Options(scores={"code": 3}), Options(dialects=["gfm"])}
    assert len(made) == 3
    assert Options(dialects=["gfm"]) in made
    assert hash(Options(scores={"code": 3})) == hash(Options(scores={"code": 3}))


def test_options_can_be_pickled() -> None:
    options = Options(chunk_size=40, unit=len, scores={"heading": 3})
    again = pickle.loads(pickle.dumps(options))
    assert again == options
    assert again.fingerprint() == options.fingerprint()


# set-ups of others


def test_qmds_set_up() -> None:
    options = Options.qmd()
    found = {
        name: getattr(options, name)
        for name in ("chunk_size", "chunk_overlap", "window", "decay", "cutoff", "front_matter")
    }
    assert found == {
        "chunk_size": 900,
        "chunk_overlap": 135,
        "window": 200,
        "decay": 0.7,
        "cutoff": "lookback",
        "front_matter": "chunk",
    }
    scores = {"heading": AbsoluteWeight(100, 10, 50), "described": 100, "short_text": 100}
    assert options.scores == scores
    assert Options.qmd(scores={"code": 30}).scores == {**options.scores, "code": 30}
    assert Options.qmd(scores={"heading": 30}).scores == {**options.scores, "heading": 30}
    with pytest.raises(OptionsError, match=r"^scores: 5 is not allowed"):
        Options.qmd(scores=5)  # type: ignore[arg-type]


def test_qmd_parts_a_text_from_code_as_its_table_says() -> None:
    source = "A text.\n\n```\ncode\n```\n\nA text.\n\n- item\n"
    found = parse(source, scores=Options.qmd().scores).structure.boundaries
    assert [(at.kind, at.score) for at in found][1::2] == [("code", 80), ("list_item", 70)]


def test_unrags_set_up() -> None:
    options = Options.unrag()
    assert (options.chunk_size, options.chunk_overlap, options.min_chunk_size) == (512, 50, 24)
    assert options.split_headings == 6
    assert options.context == "headings"
    assert Options.unrag(context="none").context == "none"


def test_a_set_up_is_scaled_with_its_size() -> None:
    def sizes(options: Options) -> tuple[int, int, int, int | None]:
        return options.chunk_size, options.overlap, options.min_chunk_size, options.window

    assert sizes(Options.qmd(chunk_size=100)) == (100, 15, 0, 22)
    assert sizes(Options.qmd(chunk_size=1800)) == (1800, 270, 0, 400)
    assert sizes(Options.qmd(chunk_size=1)) == (1, 0, 0, 1)
    assert sizes(Options.unrag(chunk_size=256)) == (256, 25, 12, None)
    assert sizes(Options.unrag(chunk_size=1)) == (1, 0, 0, None)
    assert Options.qmd(chunk_size=900) == Options.qmd()
    assert Options.unrag(chunk_size=512) == Options.unrag()


def test_what_is_given_beside_a_set_up_is_not_scaled() -> None:
    options = Options.qmd(chunk_size=100, chunk_overlap=10, window=None)
    assert (options.overlap, options.window) == (10, None)
    assert Options.qmd(chunk_overlap=10).window == 200
    assert Options.unrag(chunk_size=100, min_chunk_size=24).min_chunk_size == 24


@pytest.mark.parametrize("value", WRONG["chunk_size"], ids=repr)
def test_a_wrong_size_of_a_set_up_is_named(value: Any) -> None:
    for make in (Options.qmd, Options.unrag):
        with pytest.raises(OptionsError, match=r"^chunk_size: .*1 or more"):
            make(chunk_size=value)


def test_a_set_up_is_checked_as_a_whole() -> None:
    with pytest.raises(OptionsError, match="chunk_overlap: 135"):
        Options.qmd(chunk_size=100, chunk_overlap=135)
    with pytest.raises(OptionsError, match="min_chunk_size: 513"):
        Options.unrag(min_chunk_size=513)
