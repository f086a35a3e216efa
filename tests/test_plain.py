"""Plain text: what a reader sees of each chunk, and nothing where it is not asked for."""

from __future__ import annotations

import pickle

import mdchunk
from mdchunk import Chunk, Options

SOURCE = """\
# A *title* {#id}

See [the **guide**](guide.md "Title") and ![a picture](a.png), or <https://a.example>.

- `code  here` &amp; more
- [x] done

| Name | Size |
| ---- | ---- |
| a\\|b | **2** |

```python
if x:

    y
```
"""


def cut(source: str, size: int, **options: object) -> list[Chunk]:
    settings = {"unit": "characters", "chunk_overlap": 0, "plain": True, **options}
    return mdchunk.chunk(source, chunk_size=size, **settings)  # type: ignore[arg-type]


def test_it_is_empty_where_it_is_not_asked_for() -> None:
    assert all(c.plain == "" for c in mdchunk.chunk(SOURCE))
    assert [c.text for c in cut(SOURCE, 60)] == [c.text for c in cut(SOURCE, 60, plain=False)]


def test_it_travels_with_the_chunk() -> None:
    for found in cut(SOURCE, 60):
        assert pickle.loads(pickle.dumps(found)) == found
        assert found.as_dict()["plain"] == found.plain
    assert Options(plain=True) == pickle.loads(pickle.dumps(Options(plain=True)))


def test_a_parsed_document_has_the_same() -> None:
    whole = cut(SOURCE, 60)
    chunker = mdchunk.Chunker(Options(chunk_size=60, unit="characters", plain=True))
    assert chunker.chunk(mdchunk.parse(SOURCE)) == whole
    assert chunker.chunk(chunker.parse(SOURCE)) == whole


def test_a_part_of_a_block_has_its_part_of_the_text() -> None:
    source = "> - one *two* three [four](five) six seven &amp; eight `nine ten`\n"
    words = " ".join(c.plain for c in cut(source, 20))
    assert words == "one two three four six seven & eight nine ten"
    code = "````\n" + "".join(f"line {n}\n" for n in range(9)) + "````\n"
    assert "\n".join(c.plain for c in cut(code, 24)) == code.strip("`\n")
