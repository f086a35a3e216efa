"""Front matter as all chunks of a document share it: read-only, and copied like any value."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict
from typing import Any

import pytest

from mdchunk import Chunk, chunk, parse

FRONT = {"title": "A", "tags": ["x", ["y"]], "by": {"name": "B", "ids": [1, 2]}, "done": None}
SOURCE = f"---json\n{json.dumps(FRONT)}\n---\n\n# A\n\none\n\n# B\n\ntwo\n"
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


def chunks() -> list[Chunk]:
    return chunk(SOURCE, split_headings=1)


def changes(value: Any) -> list[str]:
    """All methods that change a value in its place, found by what they do to a plain one."""
    tried: dict[str, tuple[Any, ...]] = {
        **dict.fromkeys(["clear", "popitem", "reverse", "sort"], ()),
        "append": (1,),
        "extend": ([1],),
        "insert": (0, 1),
        "remove": (value[0],),
        "__iadd__": ([1],),
        "__imul__": (2,),
        "pop": (0,),
        "__delitem__": (0,),
        "__setitem__": (0, 9),
        "update": ({"a": 1},),
        "setdefault": ("a", 1),
        "__ior__": ({"a": 1},),
    }
    return [name for name in dir(value) if name in tried and not _is_same(value, name, tried[name])]


def _is_same(value: Any, name: str, arguments: tuple[Any, ...]) -> bool:
    plain = copy.copy(value)
    getattr(plain, name)(*arguments)
    return bool(plain == value)


def test_all_chunks_share_the_metadata_of_the_document() -> None:
    document = parse(SOURCE)
    first, second = chunk(document, split_headings=1)
    assert first.metadata == document.metadata == FRONT
    assert first.metadata is second.metadata is document.metadata
    many = chunk(SOURCE + "# C\n\nthree\n\n" * 500, split_headings=1)
    each = (len(pickle.dumps(many)) - len(pickle.dumps(many[:250]))) / (len(many) - 250)
    assert each < len(pickle.dumps(many[:1])) - len(json.dumps(FRONT)), "pickled for each chunk"


def test_what_every_chunk_has_cannot_be_changed() -> None:
    plain_dict, plain_list = {0: 1, "b": 2}, [2, 1]
    assert len(changes(plain_dict)) == 8
    assert len(changes(plain_list)) == 12
    metadata: Any = chunks()[0].metadata
    for value, plain in ((metadata, plain_dict), (metadata["by"], plain_dict)):
        for name in changes(plain):
            with pytest.raises(TypeError, match="cannot be changed"):
                getattr(value, name)()
    for value in (metadata["tags"], metadata["tags"][1], metadata["by"]["ids"]):
        for name in changes(plain_list):
            with pytest.raises(TypeError, match="cannot be changed"):
                getattr(value, name)()
    assert metadata == FRONT


@pytest.mark.parametrize("how", COPIES)
def test_a_chunk_is_copied_like_any_value(how: str) -> None:
    for one in chunks():
        copied = COPIES[how](one)
        assert copied == one
        assert copied.metadata == FRONT
        assert COPIES[how](one.metadata) == FRONT
        with pytest.raises(TypeError):
            copied.metadata["by"]["ids"].append(3)


def test_a_chunk_becomes_a_dict_by_either_way() -> None:
    for one in chunks():
        found, given = asdict(one), one.as_dict()
        assert json.loads(json.dumps(found))["metadata"] == FRONT == given["metadata"]
        assert {name: found[name] for name in ("text", "start", "id")} == {
            name: given[name] for name in ("text", "start", "id")
        }


def test_what_as_dict_and_deepcopy_give_may_be_changed() -> None:
    first, second = chunks()
    for given in (first.as_dict()["metadata"], copy.deepcopy(first.metadata)):
        values: Any = given
        values["by"]["ids"].append(3)
        values["tags"].clear()
        values["more"] = 1
    assert first.metadata == second.metadata == FRONT


def test_a_chunk_that_a_user_made_of_any_mapping_is_copied_too() -> None:
    one = chunks()[0]
    mine = Chunk(
        **{name: getattr(one, name) for name in Chunk.__slots__ if name != "metadata"},
        metadata=dict(FRONT),
    )
    assert mine == one
    assert copy.deepcopy(mine) == pickle.loads(pickle.dumps(mine)) == one


def test_a_list_alone_is_copied_as_one_that_can_be_changed() -> None:
    tags = copy.deepcopy(chunks()[0].metadata["tags"])
    tags[1].append("z")
    assert tags == ["x", ["y", "z"]]
