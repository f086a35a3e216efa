"""What the adapters share, and what they say where the host is not installed; runs without any."""

import json
import subprocess
import sys

import pytest
import tiktoken
import tiktoken.registry
from pages import blocks

from mdchunk import Dialect, MdchunkError, Options, OptionsError, Weight, chunk
from mdchunk.integrations.hosts import (
    CHUNK_KEYS,
    chunk_metadata,
    options_from_json,
    options_to_json,
)

PAGE = "docs/frameworks.md"
HOSTS = {
    "mdchunk.integrations.langchain": ("langchain_text_splitters", "langchain"),
    "mdchunk.integrations.llama_index": ("llama_index.core", "llama-index"),
    "mdchunk.integrations.haystack": ("haystack", "haystack"),
}


@pytest.mark.parametrize("module", HOSTS)
def test_a_host_that_is_not_there_names_its_extra(module: str) -> None:
    package, extra = HOSTS[module]
    code = (
        f"import sys; sys.modules[{package!r}] = sys.modules[{package.split('.')[0]!r}] = None\n"
        f"from mdchunk import MdchunkError\n"
        f"try: import {module}\n"
        f"except MdchunkError as problem: print(isinstance(problem, ImportError), problem)"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert said.startswith("True ")
    assert f"pip install 'mdchunk-ast[{extra}]'" in said


def test_pyarrow_is_loaded_when_it_is_used_and_named_where_it_is_not_there() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import mdchunk, mdchunk.batch\n"
        "for use in (lambda: mdchunk.batch.CHUNK_SCHEMA, lambda: mdchunk.batch.chunk_batch(0)):\n"
        "    try: use()\n"
        "    except mdchunk.MdchunkError as problem: print(problem)"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert said.count("pip install 'mdchunk-ast[arrow]'") == 2


def test_no_host_is_loaded_with_mdchunk() -> None:
    code = (
        "import sys, mdchunk, mdchunk.batch; print([m for m in sys.modules if m.split('.')[0] in"
        " ('pyarrow', 'langchain_core', 'llama_index', 'haystack', 'ray', 'pyspark', 'dask')])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options.qmd(),
        Options.unrag(scores={"code": Weight(5, 1, 0), "table": 3}),
        Options(dialects=("gfm",), decay=0.5, window=9, chunk_overlap=0, unit="o200k_base"),
    ],
)
def test_options_come_back_from_json(options: Options) -> None:
    saved = json.loads(json.dumps(options_to_json(options)))
    assert Options(**options_from_json(saved)) == options


def test_an_encoding_is_saved_by_name_if_tiktoken_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"pat_str": ".", "mergeable_ranks": {b"a": 0}, "special_tokens": {}}
    known, other = (tiktoken.Encoding("gpt2", **made) for _ in range(2))
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "gpt2", known)
    assert options_to_json(Options(unit=known))["unit"] == "gpt2"
    saved = json.loads(json.dumps(options_to_json(Options(unit=other))))
    with pytest.raises(OptionsError, match=r"unit: tiktoken\.core\.gpt2 cannot be loaded; give it"):
        options_from_json(saved)


def test_objects_are_named_and_must_be_given_again() -> None:
    saved = json.loads(json.dumps(options_to_json(Options(unit=words))))
    assert saved["unit"]["callable"].endswith("test_hosts.words")
    with pytest.raises(OptionsError, match=r"unit: .*test_hosts\.words cannot be loaded; give it"):
        options_from_json(saved)
    dialect = Dialect("mine", lambda _parser: None)
    saved = json.loads(json.dumps(options_to_json(Options(dialects=("gfm", dialect)))))
    with pytest.raises(OptionsError, match="dialects: mine cannot be loaded; give them again"):
        options_from_json(saved)


def test_metadata_is_json_and_has_known_keys() -> None:
    source = "---\ndate: 2024-05-01\n---\n# A\n\nSome words here.\n\nAnd more of them.\n"
    chunks = chunk(source, unit="characters", chunk_size=30, chunk_overlap=0, context="full")
    for one in chunks:
        metadata = chunk_metadata(one)
        assert json.loads(json.dumps(metadata)) == metadata
        assert set(metadata) <= set(CHUNK_KEYS)
        assert metadata["front_matter"] == {"date": "2024-05-01"}
        assert metadata["headings"] == list(one.headings)
        assert metadata["chunk_id"] == one.id
    assert any("prefix" in chunk_metadata(one) for one in chunks)
    assert "front_matter" not in chunk_metadata(chunk("x")[0])


def test_the_error_is_ours() -> None:
    from mdchunk.integrations.hosts import MissingHostError, missing

    problem = missing("a", "b", ImportError("no module a"))
    assert isinstance(problem, MissingHostError)
    assert isinstance(problem, MdchunkError)
    assert str(problem) == (
        "a is not installed (no module a): pip install 'mdchunk-ast[b]', "
        "or in a checkout pip install '.[b]'"
    )


def test_every_block_of_the_page_is_run_by_the_test_of_one_host() -> None:
    found = [[module for module in HOSTS if module in block] for block in blocks(PAGE)]
    assert found
    assert all(len(modules) == 1 for modules in found)
