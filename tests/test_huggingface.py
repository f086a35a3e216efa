"""Sizes are what a model reads: its own tokens and those that its tokenizer adds."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from corpus import own_documents

from mdchunk import Chunker, Options, OptionsError, TokenizerError, chunk, hierarchy
from mdchunk.cli import cli
from mdchunk.config import load_config
from mdchunk.sizing import stretches

tokenizers = pytest.importorskip("tokenizers")
DOCUMENTS = own_documents()
PROSE = DOCUMENTS["prose.md"]


def word_pieces(*, special: bool = True) -> Any:
    """Make a tokenizer as BERT's: word pieces, with two tokens round each text."""
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    letters = [f"{before}{chr(code)}" for code in range(33, 127) for before in ("", "##")]
    vocabulary = {piece: number for number, piece in enumerate([*marks, *letters, "th", "##er"])}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    if special:
        ends = [(mark, vocabulary[mark]) for mark in ("[SEP]", "[CLS]")]
        made.post_processor = tokenizers.processors.BertProcessing(*ends)
    return made


class Model:
    """What is asked of a model of sentence-transformers, whose packages are gigabytes."""

    def __init__(self, tokenizer: Any, max_seq_length: float | None) -> None:
        self.tokenizer = tokenizer
        self.max_seq_length = max_seq_length

    def __call__(self, _features: object) -> object:
        raise AssertionError("this is no counter")


def read(text: str) -> int:
    """Count what a model is given, by the tokenizer itself."""
    return len(word_pieces().encode(text).ids)


@pytest.mark.parametrize("context", ["none", "full"])
@pytest.mark.parametrize("size", [12, 60])
def test_no_chunk_is_longer_than_the_model_reads(size: int, context: Any) -> None:
    found = [
        each
        for text in DOCUMENTS.values()
        for each in chunk(text, unit=word_pieces(), chunk_size=size, context=context)
    ]
    sizes = [read(each.contextualized) for each in found]
    assert [each.size for each in found] == sizes
    assert size - 2 <= max(sizes) <= size


def test_the_tokens_that_are_added_only_take_room() -> None:
    with_them = chunk(PROSE, unit=word_pieces(), chunk_size=62, chunk_overlap=10, min_chunk_size=22)
    bare = word_pieces(special=False)
    without = chunk(PROSE, unit=bare, chunk_size=60, chunk_overlap=10, min_chunk_size=20)
    assert [(each.start, each.end, each.size - 2) for each in with_them] == [
        (each.start, each.end, each.size) for each in without
    ]


def test_a_size_without_room_for_text_is_told() -> None:
    assert chunk("a", unit=word_pieces(), chunk_size=3)[0].size == 3
    with pytest.raises(
        OptionsError, match=r"chunk_size: 2 .* 3 or more, since the tokenizer adds 2"
    ):
        Chunker(unit=word_pieces(), chunk_size=2)
    assert chunk("a b", unit=word_pieces(), chunk_size=3, chunk_overlap=2)[-1].size == 3


def test_a_model_brings_its_tokenizer_and_what_it_reads() -> None:
    model = Model(word_pieces(), 40)
    found = chunk(PROSE, unit=model, chunk_size=model.max_seq_length)  # type: ignore[arg-type]
    assert found == chunk(PROSE, unit=word_pieces(), chunk_size=40)
    with pytest.raises(OptionsError, match=r"chunk_size: 41 .* 3 to 40, which is what the model"):
        Chunker(unit=model, chunk_size=41)
    for unknown in (None, float("inf")):
        assert chunk(PROSE, unit=Model(word_pieces(), unknown), chunk_size=40) == found


def test_a_file_is_as_good_as_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "Tokenizer.JSON"
    cut = word_pieces()
    cut.enable_truncation(8)
    cut.save(str(path))
    for unit in (str(path), path):
        assert chunk(PROSE, unit=unit, chunk_size=40) == chunk(
            PROSE, unit=word_pieces(), chunk_size=40
        )
    before = Options(unit=str(path)).fingerprint()
    word_pieces().save(str(path))
    assert Options(unit=str(path)).fingerprint() == before, "truncation does not count"
    word_pieces(special=False).save(str(path))
    assert Options(unit=str(path)).fingerprint() != before


def test_a_file_that_holds_no_tokenizer_is_told(tmp_path: Path) -> None:
    missing, wrong = tmp_path / "no.json", tmp_path / "wrong.json"
    wrong.write_text("{}", encoding="utf-8")
    for path in (missing, wrong):
        assert Options(unit=str(path)).fingerprint()
        with pytest.raises(TokenizerError, match=f"{path.name}' holds no tokenizer"):
            Chunker(unit=str(path))


def test_the_command_and_its_configuration_take_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    word_pieces().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "a.md").write_text(PROSE, encoding="utf-8")
    sizes = [each.size for each in chunk(PROSE, unit=word_pieces(), chunk_size=40)]
    flags = ("--unit", "../tokenizer.json", "--chunk-size", "40")
    (tmp_path / "mdchunk.toml").write_text('unit = "tokenizer.json"\n', encoding="utf-8")
    for args in (flags, flags[2:], (*flags, "--jobs", "2")):
        result = CliRunner().invoke(cli, ["../a.md", *args])
        assert result.exit_code == 0, result.output
        assert [json.loads(line)["size"] for line in result.stdout.split("\n")[:-1]] == sizes
    assert load_config(None, Path.cwd()).options["unit"] == str(tmp_path / "tokenizer.json")
    result = CliRunner().invoke(cli, ["../a.md", "--unit", "no.json"])
    assert (result.exit_code, "'no.json' holds no tokenizer" in result.stderr) == (2, True)


def calls(monkeypatch: pytest.MonkeyPatch, blocks: int) -> tuple[int, int]:
    """Return how often a tokenizer is asked for a document, and how many chunks that has."""
    asked = [0]
    chunker = Chunker(unit=word_pieces(), chunk_size=500)
    sizer = chunker._sizer

    def counted(count: Any) -> Any:
        def done(text: Any) -> Any:
            asked[0] += 1
            return count(text)

        return done

    monkeypatch.setattr(sizer, "count", counted(sizer.count))
    monkeypatch.setattr(sizer, "_count_many", counted(sizer._count_many))
    found = chunker.chunk("A word or two.\n\n" * blocks)
    return asked[0], len(found)


def test_a_tokenizer_is_not_asked_for_each_block(monkeypatch: pytest.MonkeyPatch) -> None:
    for blocks in (500, 4000):
        asked, found = calls(monkeypatch, blocks)
        assert asked <= 4 * found + 2
        assert found < blocks / 10
    monkeypatch.setattr(stretches, "BATCH", 1000)
    asked, found = calls(monkeypatch, 500)
    assert asked <= 4 * found + 2 + 500 * 16 / 1000


# the real thing


def test_a_tokenizer_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=word_pieces(), model_max_length=40, unk_token="[UNK]"
    )
    found = chunk(PROSE, unit=fast, chunk_size=40)
    assert found == chunk(PROSE, unit=word_pieces(), chunk_size=40)
    assert all(len(fast(each.contextualized)["input_ids"]) == each.size for each in found)
    assert Options(unit=fast).fingerprint() == Options(unit=fast).fingerprint()


def test_a_tokenizer_of_transformers_that_is_written_in_python(
    caplog: pytest.LogCaptureFixture,
) -> None:
    transformers = pytest.importorskip("transformers")
    slow = transformers.CanineTokenizer(model_max_length=60)  # a token a character, and two
    found = chunk(PROSE, unit=slow, chunk_size=60)
    assert all(len(slow(each.text)["input_ids"]) == each.size <= 60 for each in found)
    assert found[0].size == len(found[0].text) + 2
    assert "longer" not in caplog.text


def test_the_levels_of_a_hierarchy_hold_too() -> None:
    levels = hierarchy(PROSE, unit=word_pieces(), chunk_sizes=(60, 20))
    for size, level in zip((60, 20), levels, strict=True):
        assert [each.size for each in level] == [read(each.contextualized) for each in level]
        assert max(each.size for each in level) <= size
