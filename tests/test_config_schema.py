"""The schema of a configuration file allows what the command takes, and is published as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mdchunk.cli import cli
from mdchunk.config import OPTION_KEYS, OTHER_KEYS, join_options, make_config
from mdchunk.errors import OptionsError

jsonschema = pytest.importorskip("jsonschema")
PUBLISHED = Path(__file__).parents[1] / "docs" / "pages" / "reference" / "options.schema.json"
FILE = Path("mdchunk.toml")
VALUES: tuple[Any, ...] = (
    *(-1, 0, 1, 6, 7, 511, 0.0, 0.5, 1.5, 100.5, True, False, "", "none", "tokens", "characters"),
    *("optimal", "lookback", "split", "keep", "metadata", "chunk", "text", "headings", "full"),
    *("elide", "qmd", "unrag", "gfm", [], ["gfm"], ["drafts/"], [1], [[]], {}, {"code": 30}),
    *({"code": [30]}, {"code": [30, 1, 2]}, {"code": []}, {"code": [1, 2, 3, 4]}, {"code": 101}),
    *({"code": -1}, {"code": True}, {"code": "30"}, {"code": [30, "x"]}, {"code": [30, 200]}),
)
"""Right and wrong values of every kind that TOML has; each is tried for each key."""


def printed() -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["schema", "--options"])
    assert (result.exit_code, result.stderr) == (0, "")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def taken(table: dict[str, Any]) -> bool:
    try:
        join_options(make_config(FILE, table), {})
    except OptionsError:
        return False
    return True


def test_the_published_schema_is_that_of_the_code() -> None:
    text = PUBLISHED.read_text(encoding="utf-8")
    assert json.loads(text) == printed(), f"run: mdchunk schema --options > {PUBLISHED}"


def test_it_has_every_key_with_words_and_nothing_else() -> None:
    found = printed()
    jsonschema.Draft7Validator.check_schema(found)
    assert tuple(found["properties"]) == (*OPTION_KEYS, *OTHER_KEYS)
    assert all(each["description"] for each in found["properties"].values())
    valid = jsonschema.Draft7Validator(found).is_valid
    assert not valid({"chunk_sise": 3})
    for name in (*OPTION_KEYS, *OTHER_KEYS):
        default = found["properties"][name].get("default")
        assert default is None or (valid({name: default}) and taken({name: default})), name


@pytest.mark.parametrize("name", [*OPTION_KEYS, *OTHER_KEYS])
def test_a_value_is_right_to_an_editor_if_the_command_takes_it(name: str) -> None:
    valid = jsonschema.Draft7Validator(printed()).is_valid
    wrong = []
    for value in VALUES:
        for key in {name, name.replace("_", "-")}:
            # an empty text is no title and no set-up, of a whole number nothing is after the point
            if value != 0.0 or isinstance(value, (int, bool)):
                wrong += [value] if valid({key: value}) != taken({key: value}) else []
    assert wrong == []


def test_one_schema_at_a_time() -> None:
    result = CliRunner().invoke(cli, ["schema", "--site", "--options"])
    assert result.exit_code == 2
    assert "--site, --options: allowed is one of the two" in result.stderr
