"""Records have one shape, a key that lasts, and a flat form that every store takes."""

import json
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from mdchunk import Chunk, chunk
from mdchunk.cli import cli

FRONT = '---\ntags: [a, "b > c"]\nnested: {deep: [1, null]}\nday: 2026-01-01\n---\n'
TEXT = FRONT + "Before any heading.\n\n# A\n\n## B\n\nText.\n\n- item\n"


def chunks(text: str = TEXT) -> list[Chunk]:
    return chunk(text, unit="characters", chunk_size=30, context="headings")


def test_a_flat_record_has_the_same_keys_with_texts_and_numbers_only() -> None:
    found = chunks()
    assert any(not each.headings for each in found)
    for each in (*found, *chunks("Text.\n")):
        whole, flat = each.as_dict(), each.as_dict(flat=True)
        assert list(flat) == list(whole)
        assert {type(value) for value in flat.values()} <= {str, int}
        assert flat["headings"] == " > ".join(each.headings)
        assert flat["kinds"] == ", ".join(each.kinds)
        for name in ("sections", "metadata"):
            assert json.loads(str(flat[name])) == whole[name]
        rest = whole.keys() - {"headings", "kinds", "sections", "metadata"}
        assert {name: flat[name] for name in rest} == {name: whole[name] for name in rest}


def test_a_key_lasts_and_is_of_one_document() -> None:
    found = chunks()
    keys = [each.key("a.md") for each in found]
    assert len({uuid.UUID(key) for key in (*keys, *(c.key("b.md") for c in found))}) == 2 * len(
        keys
    )
    assert set(keys) < {
        each.key("a.md") for each in chunks(TEXT + "\n# C\n\nMore text than before.\n")
    }
    assert uuid.UUID(found[0].key("\udcff"))


def test_the_flat_format_is_that_of_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("Text.\n\n# A\n\n## B\n\nMore.\n", encoding="utf-8")

    def lines(form: str) -> list[dict[str, object]]:
        args = ["a.md", "--unit", "characters", "--chunk-size", "12", "--format", form]
        result = CliRunner().invoke(cli, args)
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.split("\n")[:-1]]

    flat, whole = lines("flat"), lines("jsonl")
    assert [list(it) for it in flat] == [list(it) for it in whole]
    assert {type(value) for it in flat for value in it.values()} == {str, int}
    assert [it["title"] for it in flat] == [it["title"] or "" for it in whole]
