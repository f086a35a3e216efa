"""Record batches: every column type, failures as rows, and three engines against the plain loop."""

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install '.[arrow]'")

import pyarrow as pa
from pages import blocks, run
from pyarrow import parquet

import mdchunk
from mdchunk import Chunk, MdchunkWarning, Options, OptionsError
from mdchunk.batch import CHUNK_SCHEMA, chunk_batch
from mdchunk.files import schema

PAGE = "docs/scale.md"
ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "fixtures" / "documents"
SOURCES = {path.name: path.read_bytes().decode() for path in sorted(DOCUMENTS.glob("*.md"))}
SMALL = Options(chunk_size=40, unit="characters", context="headings", chunk_overlap=0)

Row = dict[str, Any]


def rows(texts: list[str], options: Options = SMALL, **settings: Any) -> list[Row]:
    return list(chunk_batch(pa.table({"text": texts}), options, **settings).to_pylist())


def expected(
    source: str | None, row: int, title: str | None, chunks: list[Chunk], level: int = 0
) -> list[Row]:
    return [
        {
            "source": source,
            "row": row,
            "index": index,
            "level": level,
            "title": title,
            "id": chunk.id,
            "parent": chunk.parent,
            "previous": chunks[index - 1].id if index else "",
            "next": chunks[index + 1].id if index + 1 < len(chunks) else "",
            "text": chunk.text,
            "contextualized": chunk.contextualized,
            "plain": chunk.plain,
            "prefix": chunk.prefix,
            "suffix": chunk.suffix,
            "key": None if source is None else chunk.key(source),
            "start": chunk.start,
            "end": chunk.end,
            "start_line": chunk.start_line,
            "end_line": chunk.end_line,
            "overlap": chunk.overlap,
            "size": chunk.size,
            "headings": list(chunk.headings),
            "sections": [{**s._asdict(), "path": [*s.path]} for s in chunk.sections],
            "pages": chunk.pages and list(chunk.pages),
            "kinds": list(chunk.kinds),
            "cut": chunk.cut,
            "metadata": dict(chunk.metadata),
            "error": None,
        }
        for index, chunk in enumerate(chunks)
    ]


def loaded(found: list[Row]) -> list[Row]:
    """Read the JSON of the metadata."""
    return [{**row, "metadata": row["metadata"] and json.loads(row["metadata"])} for row in found]


def test_rows_of_a_hierarchy_come_level_by_level() -> None:
    source = max(SOURCES.values(), key=len)
    levels = mdchunk.Chunker(SMALL).hierarchy(source, (300, 90))
    title = mdchunk.parse(source).title
    found = loaded(rows([source], chunk_sizes=(300, 90)))
    assert found == [
        row for n, level in enumerate(levels) for row in expected(None, 0, title, level, n)
    ]
    assert {row["parent"] for row in found if row["level"]} == {c.id for c in levels[0]}
    with pytest.raises(OptionsError, match="chunk_sizes: "):
        rows([source], chunk_sizes=(3, 4))


def test_rows_are_the_chunks() -> None:
    table = pa.table({"id": list(SOURCES), "text": list(SOURCES.values())})
    for batch in (table, table.to_batches()[0]):
        found = chunk_batch(batch, SMALL)
        assert type(found) is type(batch)
        assert found.schema == CHUNK_SCHEMA
        found.validate(full=True)
        assert loaded(found.to_pylist()) == [
            row
            for place, (name, source) in enumerate(SOURCES.items())
            for row in expected(
                name, place, mdchunk.parse(source).title, mdchunk.Chunker(SMALL).chunk(source)
            )
        ]


def test_the_schema_is_that_of_records_and_two_columns_more() -> None:
    assert CHUNK_SCHEMA.names == [*schema.NAMES, "row", "error"]
    assert pa.types.is_list(CHUNK_SCHEMA.field("headings").type)
    assert pa.types.is_list(CHUNK_SCHEMA.field("kinds").type)
    assert pa.types.is_struct(CHUNK_SCHEMA.field("sections").type.value_type)
    with pytest.raises(AttributeError, match="SCHEMA"):
        mdchunk.batch.SCHEMA  # noqa: B018


TEXTS = ["# A\n\nü text", None, " \n", "# A\n\nü text", "b"]
TYPES = ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("dictionary", [False, True])
def test_texts_of_every_type(name: str, dictionary: bool) -> None:
    if not hasattr(pa, name):
        pytest.skip(f"this pyarrow has no {name}")
    column = pa.array(TEXTS, getattr(pa, name)())
    if dictionary:
        try:
            column = column.dictionary_encode()
        except pa.ArrowNotImplementedError:
            pytest.skip(f"pyarrow makes no dictionary of {name}")
    plain = chunk_batch(pa.table({"text": TEXTS}), SMALL)
    assert [row["row"] for row in plain.to_pylist()] == [0, 3, 4]
    assert chunk_batch(pa.table({"text": column}), SMALL) == plain
    parts = pa.chunked_array([column.slice(0, 2), column.slice(2)])
    assert chunk_batch(pa.table({"text": parts}), SMALL) == plain
    assert (
        chunk_batch(pa.RecordBatch.from_pydict({"text": column}), SMALL).to_pylist()
        == plain.to_pylist()
    )


def test_no_rows_and_nulls_only() -> None:
    for texts in (pa.array([], pa.string()), pa.array([None, None]), pa.nulls(2, pa.string())):
        for made in (pa.Table.from_pydict, pa.RecordBatch.from_pydict):
            found = chunk_batch(made({"text": texts}))
            assert (found.num_rows, found.schema) == (0, CHUNK_SCHEMA)


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (["a", None], ["a", None]),
        ([7, 8], ["7", "8"]),
        ([b"a", b"b"], ["a", "b"]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
    ],
)
def test_ids_of_every_type(ids: Any, names: list[str | None]) -> None:
    table = pa.table({"name": ids, "text": ["x", "y"]})
    assert chunk_batch(table, id_column="name")["source"].to_pylist() == names
    assert chunk_batch(table)["source"].to_pylist() == [None, None]
    named = table.rename_columns(["id", "text"])
    assert chunk_batch(named)["source"].to_pylist() == names


def test_another_text_column() -> None:
    table = pa.table({"body": ["x"], "text": [1]})
    assert chunk_batch(table, text_column="body")["text"].to_pylist() == ["x"]


def test_options_come_as_options_as_a_mapping_or_not_at_all() -> None:
    table = pa.table({"text": [SOURCES["prose.md"]]})
    fields = {"chunk_size": 40, "unit": "characters", "context": "headings", "chunk_overlap": 0}
    assert chunk_batch(table, fields) == chunk_batch(table, SMALL)
    assert chunk_batch(table) == chunk_batch(table, Options())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"text_column": "body"}, "text_column: 'body' is not allowed; allowed is one of id, text"),
        ({"id_column": "key"}, "id_column: 'key' is not allowed"),
        ({"text_column": "id"}, "text_column: 'id' of type int64 is not allowed"),
        ({"options": {"chunk_size": 0}}, "chunk_size: 0 is not allowed"),
        ({"options": {"size": 3}}, "size: no such option"),
        ({"options": 400}, "options: 400 is not allowed; allowed are Options, or .* a mapping"),
        ({"options": "x"}, "options: 'x' is not allowed"),
        ({"options": mdchunk.Chunker()}, "options: <mdchunk.chunker.Chunker object"),
    ],
)
def test_wrong_use_is_told_for_the_batch(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        chunk_batch(pa.table({"id": [1], "text": ["x"]}), **settings)


@pytest.mark.parametrize(("option", "name"), [("text_column", "text"), ("id_column", "id")])
def test_a_name_that_two_columns_have_is_told(option: str, name: str) -> None:
    table = pa.table([["x"], ["y"], ["z"]], names=["id", "text", name])
    message = f"{option}: {name!r} is not allowed, since 2 columns are named so"
    for settings in ({}, {option: name}):
        with pytest.raises(OptionsError, match=message):
            chunk_batch(table, **settings)
    with pytest.raises(OptionsError, match=r"'body' is not allowed; allowed is one of (id, text)$"):
        chunk_batch(table, text_column="body")


def test_what_is_no_batch_is_told() -> None:
    with pytest.raises(
        OptionsError, match="dict is not allowed; allowed are RecordBatch and Table"
    ):
        chunk_batch({"text": ["x"]})


def strict_words(text: str) -> int:
    if "stop here" in text:
        raise ValueError("as asked: \ud800")
    return len(text.split())


def test_a_document_that_fails_is_one_row_and_the_others_go_on() -> None:
    options = Options(chunk_size=3, unit=strict_words)
    found = rows(["one", "# A\n\nstop here", "two"], options)
    assert [row["text"] for row in found] == ["one", None, "two"]
    failed = found[1]
    assert failed["error"].startswith("TokenizerError: the tokenizer raised ValueError")
    assert failed["error"].endswith("as asked: ?")
    filled = {name for name, value in failed.items() if value is not None}
    assert filled == {"row", "error"}


def test_bytes_that_are_no_text_fail_alone() -> None:
    raw = pa.array([b"good", b"\xff\xfe", b"fine"])
    for texts in (raw, raw.view(pa.string())):
        table = pa.table({"id": ["a", "b", "c"], "text": texts})
        found = chunk_batch(table).to_pylist()
        assert [row["source"] for row in found] == ["a", "b", "c"]
        assert [row["error"] is None for row in found] == [True, False, True]
        assert "can't decode byte 0xff" in found[1]["error"]


def test_surrogates_of_front_matter_do_no_harm() -> None:
    (found,) = rows(['{"title": "\\ud800 ü", "a": "\\udfff"}\nText\n'])
    assert found["title"].endswith(" ü")
    assert json.loads(found["metadata"])["title"] == found["title"]


def test_warnings_of_documents_are_warnings() -> None:
    with pytest.warns(MdchunkWarning, match="front matter"):
        (found,) = rows(["---\na: [\n---\nText\n"], Options())
    assert found["error"] is None


def test_heavy_rows_are_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list(SOURCES.values())
    whole = rows(texts)
    monkeypatch.setattr(mdchunk.batch, "GROUP_WEIGHT", 1000)
    assert rows(texts) == whole
    batch = pa.RecordBatch.from_pydict({"text": texts})
    assert chunk_batch(batch, SMALL).to_pylist() == whole


def test_threads_may_share_it() -> None:
    table = pa.table({"text": list(SOURCES.values())})
    sizes = (40, 60)
    options = {size: Options(chunk_size=size, unit="characters") for size in sizes}
    alone = {size: chunk_batch(table, options[size]) for size in sizes}
    wrong: list[int] = []

    def run(size: int) -> None:
        if any(chunk_batch(table, options[size]) != alone[size] for _ in range(3)):
            wrong.append(size)

    threads = [threading.Thread(target=run, args=(size,)) for size in sizes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_rows_go_to_parquet_and_back(tmp_path: Path) -> None:
    found = chunk_batch(pa.table({"text": list(SOURCES.values())}), SMALL)
    parquet.write_table(found, tmp_path / "chunks.parquet")
    assert parquet.read_table(tmp_path / "chunks.parquet") == found


# engines

COUNT = 2000
ENGINE_OPTIONS = Options(chunk_size=512, context="headings")
"""Those of the examples."""


def sections() -> Iterator[str]:
    """Give documents of the fixtures' chunks without end, each another."""
    parts = [c.text for source in SOURCES.values() for c in mdchunk.chunk(source, chunk_size=200)]
    number = 0
    while True:
        body = [parts[(number * 7 + step) % len(parts)] for step in range(number % 6)]
        yield f"---\nnumber: {number}\n---\n# Document {number}\n\n" + "\n\n".join(body)
        number += 1


@pytest.fixture(scope="module")
def corpus() -> dict[str, bytes | None]:
    """Make documents, with some that are null and some that are no text."""
    made = zip(range(COUNT), sections(), strict=False)
    texts: dict[str, bytes | None] = {f"{number:04}": text.encode() for number, text in made}
    return {**texts, "0100": None, "0777": b"\xff", "1999": None, "1234": b"# \xfe"}


@pytest.fixture(scope="module")
def packed(corpus: dict[str, bytes | None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    table = pa.table({"id": list(corpus), "text": list(corpus.values())})
    for number in range(2):
        half = table.slice(number * COUNT // 2, COUNT // 2)
        parquet.write_table(half, folder / f"part-{number}.parquet", row_group_size=COUNT // 8)
    return folder


@pytest.fixture(scope="module")
def loop(corpus: dict[str, bytes | None]) -> list[Row]:
    """Chunk the documents one by one, without record batches."""
    chunker = mdchunk.Chunker(ENGINE_OPTIONS)
    found = []
    for name, raw in corpus.items():
        if raw is None:
            continue
        try:
            text = raw.decode()
        except UnicodeDecodeError as problem:
            error = f"UnicodeDecodeError: {problem}"
            found.append({**dict.fromkeys(CHUNK_SCHEMA.names), "source": name, "error": error})
        else:
            title = mdchunk.parse(text).title
            found += expected(name, 0, title, chunker.chunk(text))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "module", "extra"),
    [
        ("ray_data.py", "ray.data", "ray"),
        ("pyspark_map.py", "pyspark", "pyspark"),
        ("dask_bag.py", "dask.bag", "dask"),
    ],
)
def test_an_engine_gives_the_rows_of_the_loop(
    example: str, module: str, extra: str, packed: Path, loop: list[Row], tmp_path: Path
) -> None:
    find = f"import importlib.util as u; print(u.find_spec({module.split('.')[0]!r}) is not None)"
    if subprocess.check_output([sys.executable, "-c", find], text=True) != "True\n":
        pytest.skip(f"{module} is not installed: pip install '.[{extra}]'")
    if extra == "pyspark" and not shutil.which("java"):
        pytest.skip("PySpark needs Java 17")
    out = tmp_path / "chunks"
    ended = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example), str(packed), str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert f"{len(loop)} rows, 2 of them errors" in ended.stdout
    found = loaded(parquet.read_table(out).to_pylist())
    found.sort(key=lambda row: (row["source"], row["index"] or 0))
    # the number of a row is one within its batch, which is the engine's choice
    numbered = [{**row, "row": 0} for row in found]
    assert numbered == [{**row, "row": 0} for row in loop]


def test_the_example_with_dask_says_where_there_is_nothing(tmp_path: Path) -> None:
    pytest.importorskip("dask.bag", reason="Dask is not installed: pip install '.[dask]'")
    command = [sys.executable, str(ROOT / "examples" / "dask_bag.py"), str(tmp_path), str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"{tmp_path}: nothing to chunk")
    assert ended.stderr.count("\n") == 1


def test_files_are_packed(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "examples" / "pack_files.py"), str(DOCUMENTS), str(tmp_path)],
        check=True,
    )
    table = parquet.read_table(tmp_path)
    found = zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True)
    assert dict(found) == SOURCES


def test_the_page_is_right() -> None:
    assert run(PAGE, "assert") == len(blocks(PAGE))


def test_the_page_lists_the_columns() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in text.split("\n") if line.startswith("| `")]
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert set(CHUNK_SCHEMA.names) <= set(named)
