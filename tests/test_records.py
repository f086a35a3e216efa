"""Records have one shape, a key that lasts, and a flat form that every store takes."""

import json
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from mdchunk import Chunk, chunk, parse
from mdchunk.cli import cli
from mdchunk.commands.records import records
from mdchunk.files import schema

PUBLISHED = Path(__file__).parents[1] / "docs" / "pages" / "reference" / "record.schema.json"

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
        assert flat["pages"] == ""
        rest = whole.keys() - {"headings", "kinds", "sections", "metadata", "pages"}
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


# the schema


def valid(record: object, *, site: bool = False) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    found = schema.json_schema(site=site)
    jsonschema.Draft202012Validator.check_schema(found)
    jsonschema.Draft202012Validator(found).validate(record)


def test_records_have_the_fields_of_the_schema_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text(TEXT, encoding="utf-8")
    Path("docs/b.md").write_text("Text.\n", encoding="utf-8")
    sizes = ("--unit", "characters", "--context", "headings", "--plain")
    for more in (("--chunk-size", "30"), ("--chunk-sizes", "60,30")):
        result = CliRunner().invoke(cli, ["docs", *sizes, *more])
        assert result.exit_code == 0, result.output
        for line in result.stdout.split("\n")[:-1]:
            record = json.loads(line)
            valid(record)
            assert tuple(record) == schema.NAMES
    where = ("--base-url", "https://a.example/", "--anchors", "github")
    result = CliRunner().invoke(cli, ["site", "docs", *where, *sizes, "--chunk-size", "30"])
    assert result.exit_code == 0, result.output
    found = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    for record in found:
        valid(record, site=True)
        assert tuple(record)[: len(schema.NAMES)] == schema.NAMES
    assert found[0].keys() - {*schema.NAMES} == {field.name for field in schema.SITE}


@pytest.mark.parametrize(
    ("name", "value"),
    [("start", -1), ("headings", None), ("title", 3), ("sections", [{}]), ("more", 1)],
)
def test_what_is_no_record_is_refused(name: str, value: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    (document, (each, *_)) = (parse(TEXT), chunks())
    (record,) = records("a.md", document, [[each]])
    valid(record)
    with pytest.raises(jsonschema.ValidationError):
        valid({**record, name: value})


def test_the_published_schema_is_that_of_the_code() -> None:
    result = CliRunner().invoke(cli, ["schema"])
    assert result.exit_code == 0
    text = PUBLISHED.read_text(encoding="utf-8")
    assert text == result.stdout, "run: mdchunk schema > docs/pages/reference/record.schema.json"
    found = json.loads(text)
    assert found["$id"] == f"urn:mdchunk:record:{schema.SCHEMA_VERSION}"
    site = json.loads(CliRunner().invoke(cli, ["schema", "--site"]).stdout)
    assert site["required"][: len(schema.NAMES)] == found["required"] == list(schema.NAMES)
