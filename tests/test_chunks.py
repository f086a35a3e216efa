"""Chunks as a user meets them: what they say of themselves, and the rules of where they end."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from itertools import pairwise
from typing import Any

import pytest
from corpus import LINE_ENDS, ROOT, own_documents

from mdchunk import Chunk, Chunker, Options, OptionsError, chunk, hierarchy

CUTOFFS = ["optimal", "lookback"]


def cut(source: str, size: int, **options: Any) -> list[Chunk]:
    """Chunk by characters, without overlap unless asked for."""
    return chunk(
        source, **{"chunk_size": size, "unit": "characters", "chunk_overlap": 0, **options}
    )


def texts(source: str, size: int, **options: Any) -> list[str]:
    return [piece.text for piece in cut(source, size, **options)]


# ids


def sections(count: int) -> list[str]:
    return [
        f"## Section {n}\n\n{f'Word{n} and more words. ' * (3 + n % 4)}\n\n" for n in range(count)
    ]


@pytest.mark.parametrize("place", [0, 9, 19])
@pytest.mark.parametrize("new", ["and some more", "and\n\n- some\n- more"])
def test_an_edit_changes_no_id_elsewhere(place: int, new: str) -> None:
    parts = sections(20)
    before = chunk("".join(parts), chunk_size=60, split_headings=2)
    parts[place] = parts[place].replace("and more", new, 1)
    after = chunk("".join(parts), chunk_size=60, split_headings=2)
    kept = {c.id for c in before} & {c.id for c in after}
    assert len(before) == len(after) == 20
    assert len(kept) == 19


def test_ids_do_not_depend_on_the_options_that_made_the_text() -> None:
    by_tokens = chunk("# A\n\nText.\n", chunk_size=40)
    by_length = chunk("# A\n\nText.\n\n", chunk_size=90, unit="characters")
    assert by_tokens[0].id == by_length[0].id
    assert re.fullmatch("[0-9a-f]{16}", by_tokens[0].id)


def test_equal_texts_are_told_apart_by_their_order() -> None:
    source = "# Same\n\nText.\n\n" * 3
    ids = [c.id for c in cut(source, 20)]
    assert len(set(ids)) == 3
    more = [c.id for c in cut("# Other\n\nText.\n\n" + source, 20)]
    assert more[1:] == ids


def test_ids_are_the_same_in_every_process() -> None:
    code = (
        "import sys, mdchunk, hashlib; sys.path.insert(0, 'tests'); import corpus; "
        "d = corpus.own_documents().values(); "
        "c = mdchunk.Chunker(chunk_size=50, chunk_overlap=9, context='full'); "
        "found = repr([c.chunk(s) for s in d]); "
        "print(hashlib.sha256(found.encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


# values


FULL = """---
title: Front
list: [1, {a: b}]
---
Lead.

# One

```python title="x"
code
```

```
plain
```

## Two

- item

  > quote

| a |
|---|
| b |

~~~Mermaid
graph
~~~
"""


def test_kinds_are_named_once_in_order_with_languages() -> None:
    (only,) = chunk(FULL)
    assert only.kinds == (
        "paragraph", "heading", "code:python", "code", "list", "list_item", "blockquote", "table",
        "code:Mermaid",
    )  # fmt: skip


def test_kinds_are_those_of_the_slice_and_of_what_goes_on_into_it() -> None:
    source = "- item one has some words\n\n  ```py\n  code\n  ```\n\nText after it all.\n"
    kinds = [c.kinds for c in cut(source, 30)]
    assert kinds == [
        ("list", "list_item", "paragraph"),
        ("list", "list_item", "code:py"),
        ("paragraph",),
    ]


def test_as_dict_holds_json_values_only() -> None:
    for source in (*own_documents().values(), FULL):
        for piece in Chunker(chunk_size=60, context="full").chunk(source):
            plain = piece.as_dict()
            assert json.loads(json.dumps(plain, allow_nan=False)) == plain
            assert plain["contextualized"] == piece.prefix + piece.text + piece.suffix


DATA = f"# A\n\n![a](data:image/png;base64,{'iVBORw0K' * 20})\n\n# B\n\nNothing of it.\n"


@pytest.mark.parametrize(
    "options",
    [
        {"chunk_size": 60, "context": "full", "plain": True, "data_uris": "elide"},
        {"chunk_size": 200, "split_headings": 6, "chunk_overlap": 20},
    ],
)
def test_a_record_gives_its_chunk_back(options: Any) -> None:
    pages = "<!-- Page 1 -->\n\nOne.\n\n<!-- Page 2 -->\n\nTwo.\n"
    for source in (*own_documents().values(), FULL, DATA, DATA.replace("\n", "\r\n"), pages):
        for piece in Chunker(**options).chunk(source):
            record = json.loads(json.dumps({"source": "a.md", "index": 0, **piece.as_dict()}))
            again = Chunk.from_dict(record)
            assert again == piece
            assert again.as_dict() == piece.as_dict()
            assert (again.sections, hash(again)) == (piece.sections, hash(piece))
            assert pickle.loads(pickle.dumps(again)) == piece


def test_what_is_beside_the_value_of_a_chunk_does_not_come_back() -> None:
    first, *_ = chunk("---\ntitle: Kettles\n---\nThey boil.\n")
    assert first.embedding_text == "Kettles\n\nThey boil."
    assert Chunk.from_dict(first.as_dict()).embedding_text == "They boil."


def test_a_record_that_is_none_is_an_error() -> None:
    (piece,) = chunk("# A\n\nText.\n")
    record = piece.as_dict()
    for name in record:
        less = {key: value for key, value in record.items() if key != name}
        with pytest.raises(OptionsError, match=f"record: no '{name}' in it; allowed is what"):
            Chunk.from_dict(less)
    with pytest.raises(OptionsError, match="headings: 'A' is not allowed; allowed is a list; a fl"):
        Chunk.from_dict(piece.as_dict(flat=True))
    with pytest.raises(OptionsError, match="record: no "):
        Chunk.from_dict([])  # type: ignore[arg-type]


FAQ = """# Help

Ask away.

## How long does it take?

An hour.

### With *two* hands

Half an hour.

##

Untitled.

## May I stop?

Yes.
"""


def test_sections_are_the_headings_of_a_chunk_with_their_places() -> None:
    (whole,) = cut(FAQ, 999)
    assert whole.headings == ("Help",)
    assert [(s.title, s.level, s.start_line) for s in whole.sections] == [
        ("Help", 1, 1),
        ("How long does it take?", 2, 5),
        ("With two hands", 3, 9),
        ("", 2, 13),
        ("May I stop?", 2, 17),
    ]
    assert [s.path for s in whole.sections[2:4]] == [
        ("Help", "How long does it take?", "With two hands"),
        ("Help",),
    ]
    assert whole.headings_at(FAQ.index("Half")) == whole.sections[2].path
    assert whole.headings_at(FAQ.index("Untitled")) == ("Help",)
    assert whole.headings_at(FAQ.index("Yes")) == ("Help", "May I stop?")
    assert whole.as_dict()["sections"][4] == {  # type: ignore[index]
        "title": "May I stop?",
        "level": 2,
        "start": FAQ.index("## May"),
        "start_line": 17,
        "path": ["Help", "May I stop?"],
    }


def test_a_section_in_an_element_ends_with_it_also_inside_a_chunk() -> None:
    source = "# A\r\n\r\n<example>\r\n\r\n## In\r\n\r\ntext\r\n\r\n</example>\r\n\r\nafter it\r\n"
    (whole,) = cut(source, 99)
    for piece in (whole, pickle.loads(pickle.dumps(whole)), copy.copy(whole)):
        assert piece.headings_at(source.index("text")) == ("A", "In")
        assert piece.headings_at(source.index("after")) == ("A",)
    assert cut(source, 20)[-1].headings == ("A",)


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_a_section_in_a_piece_of_html_ends_at_its_tag(line_end: str) -> None:
    lines = ["<div>", "<h1>Pears</h1>", "<p>A word.</p>", "<h2>Kinds</h2>", "<p>Anjou, Bosc.</p>"]
    lines += [f"<p>Kind {n}.</p>" for n in range(5)] + ["</div>", "", "Words behind it."]
    found = cut(line_end.join(lines), 45)
    assert len(found) > 3
    assert all(it.headings == ("Pears", "Kinds") for it in found if "Kind " in it.text)
    assert found[-1].headings[-1] == ("Kinds" if "Kind " in found[-1].text else "Pears")


def test_a_second_byte_order_mark_is_text_and_moves_nothing() -> None:
    for text in ("\x00", "ab", "# A\n\ntext"):
        source = "\ufeff\ufeff" + text
        for piece in chunk(source, chunk_size=1, unit="characters"):
            assert piece.text == source[piece.start : piece.end]
        assert "".join(c.text for c in cut(source, 99)).endswith(text)
        own = "".join(c.text for c in chunk(source, chunk_size=1, unit="characters"))
        assert own.replace(" ", "").endswith("".join(text.split()))


def test_an_overlap_has_a_path_but_no_sections() -> None:
    source = "# A\n\nOne two three. Four five six.\n\nSeven eight nine. Ten.\n\n> # Quoted\n"
    found = cut(source, 36, chunk_overlap=20)
    assert found[1].overlap
    assert [len(c.sections) for c in found] == [1, *[0] * (len(found) - 1)]
    for piece in found:
        assert {piece.headings_at(i) for i in range(piece.start, piece.end)} == {("A",)}


def test_the_text_to_embed_has_the_titles_above_and_inside() -> None:
    source = "# Guide\n\n## Install\n\n" + "Some *words*. " * 4 + "\n\n### Linux\n\nRun [it](x).\n"
    first, second = cut(source, 80, plain=True, split_headings=3)
    assert first.embedding_text.startswith("Guide\nInstall\n\nGuide")
    assert second.embedding_text == f"Guide > Install\nLinux\n\n{second.plain}"
    assert "[it]" not in second.embedding_text
    (ruled,) = cut("---\n\n# One\n\nText.\n", 80)
    assert ruled.embedding_text == "One\n\n---\n\n# One\n\nText."
    marked = cut(source, 80, split_headings=3)[1]
    assert marked.embedding_text == "Guide > Install\nLinux\n\n### Linux\n\nRun [it](x)."


@pytest.mark.parametrize(
    ("size", "lead"),
    [(50, "Guide > Install\nLinux\n\n"), (42, "Install\nLinux\n\n"), (33, "Linux\n\n"), (24, "")],
)
def test_what_does_not_fit_is_left_out_of_the_path_outermost_first(size: int, lead: str) -> None:
    source = "# Guide\n\n## Install\n\nText.\n\n### Linux\n\nRun [it](x)."
    last = cut(source, size, split_headings=3)[-1]
    assert last.embedding_text == lead + "### Linux\n\nRun [it](x)."
    assert len(last.embedding_text) <= size


@pytest.mark.parametrize(
    ("front", "body", "given", "root"),
    [
        ("title: The page\n", "## Part\n\ntext", "", "The page > "),
        ("title: The page\n", "# One\n\n# Two\n\ntext", "", "The page > "),
        ("title: The page\n", "# The page\n\n# Two\n\ntext", "", ""),
        ("title: The page\n", "# Another\n\n## Part\n\ntext", "", ""),
        ("title: [x]\n", "## Part\n\ntext", "", ""),
        ("title: The page\n", "## Part\n\ntext", "file", "The page > "),
        ("", "## Part\n\ntext", "file", "file > "),
        ("", "text alone", "file", "file\n"),
        ("", "# One\n\ntext", "file", ""),
    ],
)
def test_a_title_that_no_heading_says_is_the_root_of_the_path(
    front: str, body: str, given: str, root: str
) -> None:
    source = (f"---\n{front}---\n" if front else "") + body + " and more."
    found = chunk(source, title=given, chunk_size=200, unit="characters")
    lead = found[-1].embedding_text[: -len(found[-1].text)]
    own = "".join(f"{s.title}\n" for s in found[-1].sections)
    assert lead == (f"{root.removesuffix(' > ').rstrip()}\n" if root else "") + own + "\n" * bool(
        root or own
    )
    (level,) = hierarchy(source, (200,), title=given, unit="characters")
    assert [c.embedding_text for c in level] == [c.embedding_text for c in found]


def test_the_text_to_embed_is_the_same_in_another_process_and_no_field() -> None:
    for unit in ("characters", lambda text: len(text)):
        for piece in chunk("# A\n\n## B\n\nText of it.\n\nMore.\n", chunk_size=20, unit=unit):
            for again in (pickle.loads(pickle.dumps(piece)), copy.deepcopy(piece)):
                assert again == piece
                assert again.embedding_text == piece.embedding_text
            assert "_recipe" not in dataclasses.asdict(piece)


def test_a_place_outside_of_a_chunk_is_an_error() -> None:
    first, second = cut("# A\n\nOne two.\n\n# B\n\nThree four.\n", 14)[:2]
    for offset in (first.start - 1, first.end, second.start):
        with pytest.raises(OptionsError, match=f"offset: {offset} is not allowed; allowed is 0 to"):
            first.headings_at(offset)


def test_what_as_dict_gives_is_a_copy() -> None:
    piece = chunk(FULL)[0]
    piece.as_dict()["metadata"]["list"].append("changed")  # type: ignore[index]
    piece.as_dict()["kinds"].append("changed")  # type: ignore[attr-defined]
    assert piece.metadata["list"] == [1, {"a": "b"}]
    assert "changed" not in piece.kinds


def test_chunks_are_immutable_and_can_be_pickled() -> None:
    piece = chunk(FULL, context="full", data_uris="elide")[0]
    with pytest.raises(FrozenInstanceError):
        piece.text = "other"  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(piece))
    assert again == piece
    assert again.as_dict() == piece.as_dict()
    with pytest.raises(TypeError):
        again.metadata["title"] = "changed"


@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_lines_count_from_one_and_include_both_ends(line_end: str) -> None:
    source = "# One\n\nText\nmore\n\n\n## Two\n\nEnd\n".replace("\n", line_end)
    assert [(c.start_line, c.end_line) for c in cut(source, 20)] == [(1, 4), (7, 9)]


def test_line_separators_that_markdown_does_not_know_end_no_line() -> None:
    (only,) = cut("one\x0btwo\x0cthree\x85four\u2028five\u2029six\n", 100)
    assert (only.start_line, only.end_line) == (1, 1)


def test_headings_are_those_of_the_first_own_line() -> None:
    source = "# A\n\nOne two three.\n\nFour five six.\n\n## B\n\nSeven eight.\n\nNine ten.\n"
    found = cut(source, 45, chunk_overlap=16)
    for piece in found:
        own = source[piece.start + piece.overlap :]
        expected = ("A",) if own.startswith(("# A", "One", "Four")) else ("A", "B")
        assert piece.headings == expected
    assert any(piece.overlap for piece in found)


def test_a_chunk_that_starts_with_its_heading_is_in_that_section() -> None:
    found = cut("Lead text.\n\n# A\n\n## B\n\nText of B.\n", 24)
    assert [c.headings for c in found] == [(), ("A",)]
    assert found[1].text.startswith("# A")


def test_a_chunk_that_starts_with_a_tag_and_its_heading_is_in_that_section() -> None:
    element = "<guide>\n\n<part>\n## C\n\nText of C.\n</part>\n\n</guide>"
    found = cut(f"# A\n\n## B\n\nText of B.\n\n{element}\n", 60, context="headings")
    assert [c.headings for c in found] == [("A",), ("A", "C")]
    assert found[1].contextualized == f"# A\n\n{element}"


def test_a_shared_chunker_gives_each_thread_its_own_chunks() -> None:
    chunker = Chunker(chunk_size=50, context="full")
    sources = [*own_documents().values()] * 4
    alone = [chunker.chunk(source) for source in sources]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(chunker.chunk, sources)) == alone


@pytest.mark.parametrize(
    "source", ["", " ", "\n", "\r\n \t\r\n", "\ufeff", "\ufeff\n", "\u00a0\u3000", "\x0c"]
)
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_blank_documents_have_no_chunks(source: str, cutoff: str) -> None:
    assert chunk(source, cutoff=cutoff) == []


def test_a_document_that_fits_is_one_chunk() -> None:
    source = "# A\n\n## B\n\n- c\n\n# D\n\ntext\n"
    (only,) = cut(source, len(source))
    assert (only.text, only.cut) == (source.rstrip(), "end")


# what fits is whole, what does not is divided by the ladder


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize(
    "block",
    [
        "```py\na = 1\n\nb = 2\n\n# c\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        "<div>\n<p>one</p>\n<p>two</p>\n</div>",
        "$$\na\n\nb\n$$",
        "> one\n>\n> two",
        "> [!note] Title\n> one\n>\n> two",
        "!!! note\n    one\n\n    two",
        ":::tip\none\n\ntwo\n:::",
        "<example>\n\none\n\ntwo\n\n</example>",
        "- one\n\n  two\n\n  three",
    ],
)
def test_a_block_that_fits_is_never_cut(block: str, cutoff: str) -> None:
    for before in range(3, 60, 4):
        source = f"{'w' * before}\n\n{block}\n\n{'More words. ' * 8}\n"
        found = texts(source, max(len(block), 44), cutoff=cutoff, window=20)
        assert sum(block in text for text in found) == 1, found


LADDER = {
    "rows": (
        "| a | b |\n|---|---|\n| 11 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
        30,
        ["| a | b |\n|---|---|\n| 11 | 2 |", "| 3 | 4 |\n| 5 | 6 |"],
        ["table_row", "end"],
    ),
    "items": (
        "- one two\n- three four\n- five six\n",
        24,
        ["- one two\n- three four", "- five six"],
        ["list_item", "end"],
    ),
    "sub-items": (
        "- one two\n  - three four\n  - five six\n",
        26,
        ["- one two\n  - three four", "  - five six"],
        ["list_item", "end"],
    ),
    "code at gaps": (
        "```\na = 1\nb = 2\n\nc = 3\nd = 4\n```\n",
        21,
        ["```\na = 1\nb = 2", "c = 3\nd = 4\n```"],
        ["code_gap", "end"],
    ),
    "code at gaps of least indentation": (
        "```\nf:\n  a = 1\n\n  b = 2\n\ng:\n  c = 3\n```\n",
        30,
        ["```\nf:\n  a = 1\n\n  b = 2", "g:\n  c = 3\n```"],
        ["code_gap", "end"],
    ),
    "code at gaps before comments": (
        "```\na = 1\nb = 2\n\n// now\n\nc = 3\nd = 4\n```\n",
        28,
        ["```\na = 1\nb = 2", "// now\n\nc = 3\nd = 4\n```"],
        ["code_gap", "end"],
    ),
    "code lines": (
        "```\na = 1\nb = 2\nc = 3\n```\n",
        17,
        ["```\na = 1\nb = 2", "c = 3\n```"],
        ["line", "end"],
    ),
    "paragraphs of a quote": (
        "> One two three.\n>\n> Four five six.\n",
        20,
        ["> One two three.\n>", "> Four five six."],
        ["paragraph", "end"],
    ),
    "sentences": (
        "One two. Three four. Five six.\n",
        21,
        ["One two. Three four.", "Five six."],
        ["sentence", "end"],
    ),
    "sentences without blanks": (
        "一二三。四五六！七八九？\n",
        9,
        ["一二三。四五六！", "七八九？"],
        ["sentence", "end"],
    ),
    "words": (
        "one two three four five\n",
        14,
        ["one two three", "four five"],
        ["word", "end"],
    ),
    "clusters": ("👍🏽👍🏽👍🏽\n", 4, ["👍🏽👍🏽", "👍🏽"], ["grapheme", "end"]),
    "letters": ("abcdefghij\n", 4, ["abcd", "efgh", "ij"], ["grapheme", "grapheme", "end"]),
}


@pytest.mark.parametrize("name", LADDER)
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_the_ladder(name: str, cutoff: str) -> None:
    source, size, expected, kinds = LADDER[name]
    found = cut(source, size, cutoff=cutoff)
    assert [c.text for c in found] == expected
    assert [c.cut for c in found] == kinds


@pytest.mark.parametrize("size", range(8, 60))
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_no_piece_is_a_lone_fence_line_or_table_header(size: int, cutoff: str) -> None:
    code = "```python\nfirst = 1\n\nsecond = 2\nthird = 3\n```"
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |"
    source = f"Text before.\n\n{code}\n\n{table}\n\nText after.\n\n{table}\n"
    for piece in texts(source, size, cutoff=cutoff):
        if size >= len("```python\nfirst = 1"):
            assert piece.split("\n")[-1] != "```python", (size, piece)
            assert piece != "```", (size, piece)
        if size >= len("| a | b |\n|---|---|\n| 1 | 2 |"):
            assert piece.split("\n")[-1] not in ("| a | b |", "|---|---|"), (size, piece)


def test_oversize_blocks_can_be_kept() -> None:
    code = "```\n" + "line = 1\n" * 20 + "```"
    table = "| a |\n|---|\n" + "| b |\n" * 19 + "| c |"
    source = f"Before.\n\n{code}\n\nBetween.\n\n{table}\n\n{'word ' * 30}\n"
    found = cut(source, 60, oversize="keep")
    by_text = {c.text: c for c in found}
    assert by_text[code].size == len(code) > 60
    assert by_text[table].size == len(table) > 60
    assert by_text[("word " * 30).strip()].size > 60
    assert max(c.size for c in found if c.text in ("Before.", "Between.")) <= 60


# headings


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_no_chunk_ends_with_a_heading_whose_section_goes_on(cutoff: str) -> None:
    for size in range(30, 90, 3):
        source = "".join(
            f"{'#' * (1 + n % 3)} Heading {n}\n\nText {n} here.\n\n" for n in range(12)
        )
        for text in texts(source, size, cutoff=cutoff):
            assert not text.split("\n")[-1].startswith("#"), (size, text)


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize(
    ("mark", "end"),
    [("", ""), ("> ", ""), ("- [ ] ", ""), ("```py\n", "\n```"), ("> ~~~\n> ", "\n> ~~~")],
)
@pytest.mark.parametrize("letter", "字x")
def test_headings_and_marks_stay_with_a_text_without_spaces(
    letter: str, mark: str, end: str, cutoff: str
) -> None:
    source = f"# A\n\n## B\n\n{mark}{letter * 400}{end}"
    found = cut(source, 100, cutoff=cutoff)
    assert found[0].text == source[:100]
    assert found[-1].text.endswith(letter + end)
    assert len(found) == 5


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("lead", ["So:", "**Note:**", "例えば：", "As [here](x):", "So *thus:*"])
@pytest.mark.parametrize("block", ["- a\n- b", "```\ncode\n```", "| a |\n|---|\n| b |", "> q"])
def test_a_lead_in_stays_with_what_it_introduces(lead: str, block: str, cutoff: str) -> None:
    """The lead would fit into the first chunk, its block into the second only."""
    before = "Some words. " * 3
    source = f"{before}\n\n{lead}\n\n{block}\n\n{'More words. ' * 2}\n"
    size = len(f"{before}\n\n{lead}\n\n{block}") - 1
    found = texts(source, size, cutoff=cutoff)
    assert any(text.startswith(f"{lead}\n\n{block}") for text in found), found


# overlap


def test_overlap_is_at_most_what_was_asked_and_counts() -> None:
    chunker = Chunker(chunk_size=60, chunk_overlap=12)
    repeated = 0
    for source in own_documents().values():
        for before, after in pairwise(chunker.chunk(source)):
            shared = source[after.start : min(before.end, after.start + after.overlap)]
            assert chunker.count(shared.rstrip()) <= 12 + 1
            assert before.text.endswith(shared.rstrip())
            assert after.size == chunker.count(after.text) <= 60
            repeated += bool(shared)
    assert repeated > 20


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_overlap_starts_at_a_block_else_a_sentence_else_a_word(cutoff: str) -> None:
    blocks = "".join(f"Short block {n}.\n\n" for n in range(8))
    assert cut(blocks, 60, chunk_overlap=20, cutoff=cutoff)[1].text.startswith("Short block")
    prose = "One two three four five six. Seven eight nine. " * 4
    assert cut(prose, 80, chunk_overlap=30, cutoff=cutoff)[1].text.startswith(("One", "Seven"))
    line = " ".join(f"word{n}" for n in range(40))
    for before, after in pairwise(cut(line, 60, chunk_overlap=20, cutoff=cutoff)):
        assert after.overlap > 0
        assert re.match(r"word\d+ ", after.text)
        assert before.end > after.start


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_no_overlap_crosses_a_heading(cutoff: str) -> None:
    source = "".join(f"# H{n}\n\n{'Some words. ' * 3}\n\n{'And more. ' * 3}\n\n" for n in range(6))
    for size in (50, 70, 110):
        for piece in cut(source, size, chunk_overlap=size // 2, cutoff=cutoff):
            own = source[piece.start + piece.overlap :]
            if own.startswith("#"):
                assert piece.overlap == 0
            assert "#" not in source[piece.start : piece.start + piece.overlap].lstrip("#")


def test_an_overlap_may_be_just_as_long_as_asked_and_fill_the_limit() -> None:
    """Paragraphs of eight: with the blank lines ten are shared, and 28 fill the limit."""
    source = "".join(f"{letter * 8}\n\n" for letter in "abcdefg")
    found = cut(source, 28, chunk_overlap=8, cutoff="lookback")
    assert [c.text[0] + c.text[-1] for c in found] == ["ac", "ce", "eg"]
    assert {c.overlap for c in found[1:]} == {10}
    assert {c.overlap for c in cut(source, 28, chunk_overlap=7, cutoff="lookback")} == {0}
    filled = cut("a" * 9 + "\n\nbbbb\n\ncccc\n\ndddd", 16, chunk_overlap=4, cutoff="lookback")
    assert [c.text.split() for c in filled] == [["a" * 9, "bbbb"], ["bbbb", "cccc", "dddd"]]
    assert filled[1].size == 16


@pytest.mark.parametrize("kind", ["```\n{}```", "<div>\n{}</div>", "| a |\n|---|\n{}"])
def test_no_overlap_starts_inside_a_line_of_code_or_a_row(kind: str) -> None:
    """Sentences and words mean nothing there; lines longer than the overlap are not repeated."""
    rows = "".join(f"| One. Two three. Four five {n} |\n" for n in range(9))
    source = kind.format(rows)
    assert {c.overlap for c in cut(source, 120, chunk_overlap=20)} == {0}
    assert {c.text[:2] for c in cut(source, 140, chunk_overlap=40)[1:]} == {"| "}
    assert all(c.overlap for c in cut(source, 140, chunk_overlap=40)[1:])


@pytest.mark.parametrize(("size", "overlap", "cutoff"), [(44, 40, "lookback"), (50, 25, "optimal")])
def test_no_overlap_reaches_over_the_first_heading_either(
    size: int, overlap: int, cutoff: str
) -> None:
    source = "Lead one.\n\nLead two.\n\n# A\n\nText one.\n\nText two.\n\nText three."
    found = cut(source, size, chunk_overlap=overlap, cutoff=cutoff, scores={"heading": 1})
    within = [c for c in found if c.headings == ("A",) and c.overlap]
    assert within
    assert all("Lead" not in c.text for c in within)
    assert [c.overlap for c in cut(source, 24, chunk_overlap=12) if c.text[0] == "#"] == [0]


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_sections_have_no_overlap_at_their_headings(cutoff: str) -> None:
    source = "".join(f"## H{n}\n\n{'Some words. ' * 3}\n\n" for n in range(6))
    found = cut(source, 100, chunk_overlap=50, split_headings=2, cutoff=cutoff)
    assert [c.overlap for c in found] == [0] * 6


def test_no_chunk_repeats_the_one_before_from_its_start() -> None:
    assert texts("a a a", 3, chunk_overlap=2) == ["a", "a", "a"]


def test_an_overlap_starts_at_the_best_place_and_not_at_the_first() -> None:
    code = "```\nx = 1\n```"
    block = "```\n" + "y" * 41 + "\n```"
    source = f"Words to fill it up.\n\n> Aaaa aaaa.\n\n{code}\n\nCccc cccc.\n\n{block}\n"
    found = texts(source, 100, chunk_overlap=45)
    assert found[-1] == f"{code}\n\nCccc cccc.\n\n{block}"


def test_a_shorter_overlap_is_taken_where_the_best_does_not_fit() -> None:
    """Of three paragraphs before it only the last fits beside the block."""
    code = "```\n" + "x" * 71 + "\n```"
    source = f"Words to fill it up.\n\nAaaa aaaa.\n\nBbbb bbbb.\n\nCccc cccc.\n\n{code}\n"
    assert texts(source, 100, chunk_overlap=36)[-1] == f"Cccc cccc.\n\n{code}"


def test_overlap_yields_where_a_block_would_not_fit_with_it() -> None:
    code = "```\n" + "line = 1\n" * 8 + "```"
    source = f"{'Some words. ' * 5}\n\n{code}\n\nAfter it.\n"
    found = cut(source, len(code), chunk_overlap=40)
    assert code in [c.text for c in found]


def test_what_fits_is_whole_by_a_counter_that_adds_to_every_text() -> None:
    """Two marks a text, as many tokenizers add, make the sum over twenty items 38 too large."""
    nested = "".join(f"  - line {n} {'word ' * 8}\n" for n in range(20))
    source = f"Words before it.\n\n- outer\n{nested}\nWords behind it.\n"
    found = chunk(source, chunk_size=225, chunk_overlap=0, unit=lambda text: len(text.split()) + 2)
    assert [c.text.split()[0] for c in found] == ["Words", "-", "Words"]


@pytest.mark.parametrize("size", [52, 57, 62])
def test_no_block_that_fits_is_divided_for_the_heading_above_it(size: int) -> None:
    """The empty lines of a quote follow the block, and are no part of it."""
    block = "> <div>\n> Quoted words. More of them.\n> </div>\n"
    source = f"> # Heading\n>\n{block}>\n>\n>\n> And more that follows here, on and on.\n"
    assert sum(block in f"{text}\n" for text in texts(source, size)) == 1


def test_no_quote_that_fits_is_divided_for_the_heading_above_it() -> None:
    quote = "> Yes. More words of it all."
    for size in range(len(quote), len(quote) + 13):
        assert quote in texts(f"# A heading\n\n{quote}\n\nAnd more that follows here.\n", size)


PARTS = {
    "row": ("| Name | What it does |\n|---|---|\n", "| `oil` | Burns long. Smells of fish. |\n"),
    "comment": ("```py\n", "# Opens the tank. Then it is shut.\n", "lamp.fill(3)\n"),
    "html": ("<table>\n", "<tr><td>Oil.</td><td>Burns long. Smells.</td></tr>\n"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize("kind", PARTS)
def test_no_line_that_fits_is_divided_for_the_heading_above_it(
    kind: str, mark: str, newline: str
) -> None:
    head, *lines = PARTS[kind]
    block = head + "".join(line.replace("3", str(i)) for i in range(4) for line in lines)
    text = "## What there is to say of the lamp\n\n" + block + "```\n" * (kind == "comment")
    source = newline.join(mark + line for line in text.split("\n"))
    for size in range(max(map(len, (head + lines[0]).split("\n"))) + 20, len(source), 3):
        for piece in cut(source, size):
            assert source[piece.end :].lstrip(" >")[:1] in ("", *newline), size


def test_a_label_is_not_parted_whatever_its_row_is_worth() -> None:
    source = "Words that stand before it.\n\nA block of words.\n\n^block-id\n\nWords behind it.\n"
    found = texts(source, 50, scores={"attached": 100})
    assert sum("A block of words.\n\n^block-id" in text for text in found) == 1


# sections


def test_each_heading_of_the_level_starts_a_chunk() -> None:
    source = "Lead.\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n"
    assert texts(source, 500, split_headings=1) == ["Lead.", source[7:].rstrip()]
    assert texts(source, 500, split_headings=2) == [
        "Lead.", "# A\n\na", "## B\n\nb\n\n### C\n\nc", "## D\n\nd",
    ]  # fmt: skip
    assert len(texts(source, 500, split_headings=6)) == 5


def test_a_heading_without_text_goes_with_its_first_sub_section() -> None:
    source = "# A\n\n## B\n\n### C\n\nc\n\n### D\n\nd\n\n## E\n\ne\n"
    assert texts(source, 500, split_headings=6) == [
        "# A\n\n## B\n\n### C\n\nc", "### D\n\nd", "## E\n\ne",
    ]  # fmt: skip


def test_a_heading_in_an_element_starts_a_chunk_with_the_tag() -> None:
    element = "<guide>\n# {0}\n\n{0}\n</guide>"
    first, second = element.format("B"), element.format("C")
    source = f"a\n\n{first}\n\n{second}\n"
    assert texts(source, 500, split_headings=1) == ["a", first, second]
    titled = f"# A\n\n{first.replace('#', '##')}"
    assert texts(titled, 500, split_headings=2) == [titled]


def test_code_in_an_element_is_code_with_no_blank_line_round_it() -> None:
    element = "<example>\n```py\nx = 1\n\n# no title\n```\n</example>"
    found = cut(f"# A\n{element}\n# B\n{'Some words. ' * 3}\n", len(element) + 5)
    assert found[0].text == f"# A\n{element}"
    assert [c.headings for c in found] == [("A",), ("B",)]


def test_a_heading_without_any_section_stands_alone() -> None:
    assert texts("# A\n\n# B\n\nb\n\n# C\n", 500, split_headings=6) == ["# A", "# B\n\nb", "# C"]


def test_headings_in_code_quotes_and_lists_start_no_section() -> None:
    source = "# A\n\n```\n# no\n```\n\n> # no\n\n- # no\n\n# B\n\nb\n"
    assert len(texts(source, 500, split_headings=6)) == 2


def test_an_oversize_section_is_divided() -> None:
    source = f"# A\n\n{'Words here. ' * 10}\n\n{'More words. ' * 10}\n\n# B\n\nb\n"
    found = cut(source, 130, split_headings=6, context="headings", chunk_overlap=20)
    assert len(found) > 2
    assert found[-1].text == "# B\n\nb"
    assert all("# A\n" in c.contextualized for c in found[:-1])
    assert all(c.size <= 130 for c in found)


# small chunks


def test_a_small_section_goes_forward_within_its_parent() -> None:
    source = f"# A\n\n## B\n\nb\n\n## C\n\n{'Some words. ' * 5}\n\n## D\n\n{'Some words. ' * 5}\n"
    found = texts(source, 110, split_headings=6, min_chunk_size=30)
    assert [text.count("## ") for text in found] == [2, 1]
    assert found[0].startswith("# A\n\n## B\n\nb\n\n## C")


def test_a_heading_that_shows_nothing_is_in_no_path() -> None:
    (found,) = chunk("# A\n\n##\n\n### C\n\ntext\n")
    assert [section.path for section in found.sections] == [("A",), ("A",), ("A", "C")]


def test_the_last_small_section_goes_back_to_its_sibling() -> None:
    source = f"# A\n\n## B\n\n{'Some words. ' * 5}\n\n## C\n\n{'Some words. ' * 5}\n\n## D\n\nd\n"
    found = texts(source, 110, split_headings=6, min_chunk_size=30)
    assert [text.count("## ") for text in found] == [1, 2]


def test_top_sections_are_never_joined() -> None:
    source = f"# A\n\na\n\n# B\n\n{'Some words. ' * 5}\n\n# C\n\nc\n"
    for level in (0, 1, 6):
        found = texts(source, 500, split_headings=level, min_chunk_size=40)
        assert [text[:3] for text in found] == ["# A", "# B", "# C"]


def test_a_small_sub_section_is_not_joined_to_the_next_top_section() -> None:
    source = f"# A\n\n{'Some words. ' * 5}\n\n## B\n\nb\n\n# C\n\n{'Some words. ' * 5}\n"
    found = texts(source, 110, split_headings=6, min_chunk_size=30)
    assert found[0].endswith("## B\n\nb")
    assert found[1].startswith("# C")


def test_small_chunks_stay_where_joining_would_break_the_limit() -> None:
    source = f"## A\n\na\n\n## B\n\n{'Some words. ' * 5}\n\n## C\n\nc\n"
    found = cut(source, 70, split_headings=6, min_chunk_size=30)
    assert [c.text[:4] for c in found] == ["## A", "## B", "## C"]
    assert max(c.size for c in found) <= 70


def test_small_chunks_are_joined_without_sections_too() -> None:
    """Budget that was left for an overlap takes the small last chunk."""
    source = "\n\n".join(["a" * 80, "b" * 60, "Tiny."])
    options = {"cutoff": "lookback", "chunk_overlap": 18}
    assert texts(source, 80, **options) == ["a" * 80, "b" * 60, "Tiny."]
    assert texts(source, 80, min_chunk_size=10, **options) == ["a" * 80, "b" * 60 + "\n\nTiny."]


def test_a_chunk_of_just_the_least_size_is_not_small() -> None:
    source = "## A\n\naaaa\n\n## B\n\nbbbb\n"
    assert texts(source, 60, split_headings=2, min_chunk_size=10) == [
        "## A\n\naaaa", "## B\n\nbbbb",
    ]  # fmt: skip
    assert texts(source, 60, split_headings=2, min_chunk_size=11) == [source.rstrip()]


def test_small_chunks_may_fill_the_limit() -> None:
    """Forward and back: 22 characters with the blank line between."""
    for small, large in (("a" * 2, "b" * 6), ("a" * 6, "b" * 2)):
        source = f"## A\n\n{small}\n\n## B\n\n{large}\n"
        assert len(source) == 23
        assert len(texts(source, 22, split_headings=2, min_chunk_size=9)) == 1
        assert len(texts(source, 21, split_headings=2, min_chunk_size=9)) == 2


def test_a_small_section_does_not_go_forward_into_a_higher_one() -> None:
    source = f"### A\n\na\n\n## B\n\n{'Some words. ' * 4}\n"
    assert texts(source, 90, split_headings=6, min_chunk_size=20)[0] == "### A\n\na"


# unrag's worked example, retold: three sections, each with a block of code

GUIDE = """---
title: Lamp
---

## Installation

Put the package into your project with one command, then check that it answers:

```bash
npm add lamp
npx lamp --version
```

## Configuration

The file `lamp.json` says which lamps there are and when they burn:

```json
{
  "kitchen": {"from": "18:00", "to": "23:00"},

  "stairs": {"from": "dusk", "to": "dawn"}
}
```

## Usage

Start the service, then ask it for a lamp:

```ts
import { lamp } from "lamp";

const stairs = await lamp("stairs");
stairs.on();
```
"""


def test_three_sections_with_code_are_three_chunks() -> None:
    for options in (Options.unrag(), Options(chunk_size=512, chunk_overlap=0, split_headings=6)):
        found = Chunker(options).chunk(GUIDE)
        assert [c.text.split("\n")[0] for c in found] == [
            "## Installation", "## Configuration", "## Usage",
        ]  # fmt: skip
        assert [c.kinds[-1] for c in found] == ["code:bash", "code:json", "code:ts"]
        assert all(c.text.count("```") == 2 and c.text.endswith("```") for c in found)
        assert all(c.metadata == {"title": "Lamp"} and "title:" not in c.text for c in found)
        assert all(c.contextualized == c.text for c in found)


def test_a_section_over_the_limit_has_its_heading_in_every_chunk() -> None:
    source = GUIDE + "\n" + "Turn it on and off again, slowly. " * 150
    found = Chunker(Options.unrag()).chunk(source)
    assert len(found) > 3
    assert all("## Usage\n" in c.contextualized for c in found[2:])
    assert all(c.size <= 512 for c in found)


def test_a_section_of_less_than_24_tokens_goes_with_its_neighbour() -> None:
    source = GUIDE + "\n## See also\n\nThe manual.\n"
    found = Chunker(Options.unrag()).chunk(source)
    assert len(found) == 3
    assert found[-1].text.endswith("The manual.")
    apart = Chunker(Options.unrag(min_chunk_size=0)).chunk(source)
    assert len(apart) == 4


# where QMD is wrong


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_a_fence_on_the_first_line_is_a_fence(cutoff: str) -> None:
    code = "```sh\n# not a heading\nls\n\n# nor this\n```"
    found = cut(f"{code}\n\n{'Some words here. ' * 4}\n", 50, cutoff=cutoff)
    assert found[0].text == code
    assert all(c.headings == () for c in found)


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("indent", [0, 1, 2, 3])
def test_a_closing_fence_may_be_indented(indent: int, cutoff: str) -> None:
    source = f"```\ncode\n{' ' * indent}```\n\n# Real heading\n\n{'Some words here. ' * 4}\n"
    found = cut(source, 40, cutoff=cutoff)
    assert found[0].text == f"```\ncode\n{' ' * indent}```"
    assert found[1].text.startswith("# Real heading\n\nSome")
    assert found[1].headings == ("Real heading",)


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_a_paragraph_that_starts_with_a_long_code_span_opens_no_fence(cutoff: str) -> None:
    source = f"```not a fence``` but a span.\n\n# Heading\n\n{'Some words here. ' * 4}\n"
    found = cut(source, 45, cutoff=cutoff)
    assert found[0].text == "```not a fence``` but a span."
    assert found[1].headings == ("Heading",)


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_a_fence_that_begins_before_the_window_goes_to_the_next_chunk_whole(cutoff: str) -> None:
    code = "```\n" + "line = 1\n" * 9 + "```"
    source = f"Intro words.\n\n{code}\n\nEnd.\n"
    found = texts(source, len(code) + 2, cutoff=cutoff, window=20)
    assert code in found


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("line", ["===", "=", "---", "-"])
def test_an_underlined_heading_is_a_heading(line: str, cutoff: str) -> None:
    source = f"{'Some words here. ' * 3}\n\nTitle\n{line}\n\n{'More words here. ' * 3}\n"
    found = cut(source, 70, cutoff=cutoff)
    assert [c.headings for c in found] == [(), ("Title",)]
    assert found[0].cut == "heading"
    assert found[1].text.startswith(f"Title\n{line}\n\nMore")


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("text", ["#tag and words", "#1 of many", "#\u00a0joined", "####### seven"])
def test_a_tag_is_no_heading(text: str, cutoff: str) -> None:
    found = cut(f"{'Some words here. ' * 3}\n\n{text}\n\n{'More words. ' * 4}\n", 70, cutoff=cutoff)
    assert all(c.headings == () for c in found)
    assert "heading" not in {kind for c in found for kind in (*c.kinds, c.cut)}


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("number", ["1986.", "2.", "17)"])
def test_a_number_at_a_lines_start_in_a_paragraph_is_no_item(number: str, cutoff: str) -> None:
    source = f"The harbour froze over in the winter of\n{number} That was the last time so far.\n"
    found = cut(source + "\nOther words.\n", 85, cutoff=cutoff)
    assert found[0].text == source.rstrip()
    assert "list" not in {kind for c in found for kind in c.kinds}


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("blank", ["", " ", "\t", "    ", " \t "])
@pytest.mark.parametrize("line_end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_blank_lines_may_hold_blanks_and_any_line_end(
    blank: str, line_end: str, cutoff: str
) -> None:
    lines = ["One two three.", blank, "# Four", blank, "> Five seven.", blank, "- eight", ""]
    found = cut(line_end.join(lines), 28, cutoff=cutoff)
    assert [c.text.split(line_end)[0] for c in found] == ["One two three.", "# Four", "- eight"]
    assert [c.cut for c in found] == ["heading", "list_item", "end"]


@pytest.mark.parametrize("window", [50, 500, 10**9])
def test_a_window_larger_than_the_chunk_never_reaches_behind_its_start(window: int) -> None:
    source = f"# A\n\n{'Some words here. ' * 20}\n"
    found = cut(source, 50, cutoff="lookback", window=window)
    assert [c.start for c in found] == sorted({c.start for c in found})
    assert all(0 < c.size <= 50 for c in found)


@pytest.mark.parametrize("name", own_documents())
def test_overlaps_start_in_no_word_and_in_no_block_that_fits(name: str) -> None:
    source = own_documents()[name]
    chunker = Chunker(Options.qmd(chunk_size=70, chunk_overlap=14, window=30, front_matter="text"))
    document = chunker.parse(source)
    spans = [s for s in document.structure.spans if s.kind not in document.syntax.soft]
    for piece in chunker.chunk(source):
        before, after = source[piece.start - 1 : piece.start], source[piece.start]
        assert not (before.isascii() and before.isalnum() and after.isascii() and after.isalnum())
        for span in spans:
            inside = span.start < piece.start < span.end
            assert not inside or chunker.count(source[span.start : span.end]) > 70


def test_code_of_one_line_is_no_prose() -> None:
    text = "```\nfirst part. Second part. Third\n```\n"
    cuts = {piece.cut for piece in chunk(text, chunk_size=20, unit="characters")}
    assert cuts == {"word", "end"}


def test_what_is_kept_over_the_limit_keeps_its_heading() -> None:
    code = "```py\n" + "x = 1\n" * 5 + "```"
    source = f"# A\n\n## B\n\n{code}\n\nText.\n\n## C\n\nShort text.\n"
    found = [c.text for c in cut(source, 24, oversize="keep")]
    assert found == [f"# A\n\n## B\n\n{code}", "Text.", "## C\n\nShort text."]


def test_the_line_that_opens_a_container_stays_with_what_it_opens() -> None:
    tab = '=== "{0}"\n\n    ```sh\n    {0} install the-tool\n    ```\n\n    Then run it once.\n\n'
    source = "".join(map(tab.format, ("apt", "brew", "scoop")))
    found = [c.text for c in cut(source, 75)]
    assert [text.startswith("===") for text in found] == [True, False] * 3
    assert all("```sh" in text for text in found if text.startswith("==="))


def test_a_label_is_in_the_section_of_its_heading() -> None:
    source = "# Top\n\nText.\n\n" + "".join(
        f'<a name="{name}"></a>\n## {name}\n\nText of {name}.\n\n' for name in ("one", "two")
    )
    for piece in cut(source, 60, split_headings=2)[1:]:
        assert piece.text.startswith(f'<a name="{piece.headings[-1]}">')


def test_what_stands_before_the_first_heading_is_joined_to_its_section() -> None:
    source = "A banner of it.\n\n# Tool\n\nWhat it does.\n\n# Other\n\nSo.\n\n# Third\n"
    found = [c.text for c in cut(source, 60, min_chunk_size=20)]
    assert found == ["A banner of it.\n\n# Tool\n\nWhat it does.", "# Other\n\nSo.", "# Third"]


def test_front_matter_is_a_chunk_of_its_own_however_small() -> None:
    source = "---\na: 1\n---\nIntro.\n\n# Tool\n\nWhat it does.\n"
    found = [c.text for c in cut(source, 60, min_chunk_size=20, front_matter="chunk")]
    assert found == ["---\na: 1\n---", "Intro.\n\n# Tool\n\nWhat it does."]


def test_chunks_go_into_sets() -> None:
    source = "---\na: {b: [1]}\n---\n# A\n\nText.\n"
    assert len({*cut(source, 60), *cut(source, 60)}) == 1
