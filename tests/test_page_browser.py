"""The page in a browser: no error, no request, keys, search, escaping, and fast with a megabyte."""

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mdchunk import Chunker
from mdchunk.view.line_markup import Sheet
from mdchunk.view.page import make_side, page

HERE = Path(__file__).parent / "page"
ROOT = HERE.parents[1]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
NODE = shutil.which("node")
NASTY = """\
---
title: "</script><script>alert(1)</script>"
---
# One <script>alert(2)</script>

Text <img src=x onerror=alert(3)> <!-- not closed, and a needle.

## Two

- first
- second

```html
</script></div><script>alert(4)</script>
```
"""
FIRST = Chunker(unit="characters", chunk_size=60, chunk_overlap=20, context="headings")
SECOND = Chunker(unit="characters", chunk_size=120)
SAID = "document.getElementById('said').textContent"
FOUND = "document.getElementById('found').textContent"
STRAY = """[...document.querySelectorAll('body *')]
  .filter((e) => e.checkVisibility() && !e.closest('.wide, .hidden, .skip, script'))
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([, r]) => r.width && (r.right > innerWidth + 0.5 || r.left < -0.5))
  .map(([e]) => `${e.tagName}.${e.className}`)"""
"""What is on the page and reaches over the window's edge; a box ``.wide`` can be scrolled."""


@functools.cache
def has_driver() -> bool:
    code = "require.resolve('playwright-core')"
    return (
        NODE is not None
        and not subprocess.run([NODE, "-e", code], cwd=HERE, check=False).returncode
    )


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path"),
    pytest.mark.skipif(NODE is None, reason="no node on the path"),
    pytest.mark.skipif(
        not has_driver(), reason="no playwright-core: npm install --prefix tests/page"
    ),
]


def look(
    file: Path, *steps: tuple[str, str], size: tuple[int, int] = (1400, 900), scheme: str = "light"
) -> dict[str, Any]:
    """Open a page, do the steps, and give what was seen; a page is never to have errors."""
    asked = {"file": str(file), "scheme": scheme, "steps": steps}
    asked |= {"width": size[0], "height": size[1]}
    command = [str(NODE), "page.cjs", str(BROWSER)]
    text = subprocess.run(
        command, cwd=HERE, input=json.dumps(asked), capture_output=True, text=True, check=True
    ).stdout
    seen: dict[str, Any] = json.loads(text)
    assert seen["errors"] == []
    assert [url for url in seen["requests"] if not url.startswith(("file:", "data:"))] == []
    return seen


@pytest.fixture
def written(tmp_path: Path) -> Path:
    sheets = [
        Sheet(name, [make_side(chunker, source) for chunker in (FIRST, SECOND)])
        for name, source in (
            ('"><script>alert(5)</script>.md', NASTY),
            ("b.md", "# B\n"),
        )
    ]
    file = tmp_path / "page.html"
    file.write_text(page(sheets, [FIRST.options, SECOND.options]), encoding="utf-8")
    return file


def test_keys_lead_through_the_chunks(written: Path) -> None:
    count = len(FIRST.chunk(NASTY))
    steps = [("press", "j"), ("value", SAID), ("press", "ArrowRight"), ("value", SAID)]
    steps += [("press", "ArrowDown"), ("value", SAID), ("press", "k"), ("value", SAID)]
    steps += [("value", "document.activeElement.textContent")]
    steps += [("press", "Escape"), ("value", "document.querySelectorAll('.on').length")]
    steps += [("press", "j")] * (count + 2) + [("value", SAID)]
    values = look(written, *steps)["values"]
    assert [value.split(",")[0] for value in values[:4]] == [
        f"A: Chunk {number} of {count}" for number in (1, 2, 3, 2)
    ]
    assert values[4:6] == ["A Chunk 2", 0]
    assert values[6].startswith("A: Chunk 1 of 1,")


def test_search_counts_and_leads_to_what_it_finds(written: Path) -> None:
    lit = "[...(CSS.highlights.get('found') ?? [])].map(String).join()"
    steps = [("press", "/"), ("type", "NEEDLE"), ("press", "Enter"), ("value", FOUND)]
    steps += [("value", "document.querySelector('#panel-a mark').textContent"), ("value", lit)]
    counted, marked, highlighted = look(written, *steps)["values"]
    assert counted.startswith("1 of ")
    assert (marked, set(highlighted.split(","))) == ("needle", {"needle"})


def test_the_panel_shows_what_is_embedded_with_its_context(written: Path) -> None:
    text = "document.querySelector('#panel-a pre').textContent"
    context = "document.querySelector('#panel-a pre .context').textContent"
    again = "document.querySelector('#panel-a pre .repeat')?.textContent ?? ''"
    chunks = FIRST.chunk(NASTY)
    steps: list[tuple[str, str]] = []
    for chunk in chunks:
        steps += [("press", "j"), ("value", text), ("value", again)]
        steps += [("value", context)] if chunk.prefix else []
    values = iter(look(written, *steps)["values"])
    for chunk in chunks:
        assert next(values) == chunk.contextualized
        assert next(values) == chunk.text[: chunk.overlap]
        assert not chunk.prefix or next(values) == chunk.prefix


def test_the_panel_lists_the_places_that_were_compared(written: Path) -> None:
    chunk = SECOND.chunk(NASTY)[1]
    inside = [
        [f"{c.kind} {c.score:g}"]
        for c in SECOND.explain(NASTY)
        if chunk.start < c.offset < chunk.end and not c.chosen
    ]
    assert inside
    cells = (
        "[...document.querySelectorAll('#panel-b tbody tr')].map((r) => [r.cells[1].textContent])"
    )
    steps = [("click", "#d0-b1 button"), ("value", cells)]
    assert look(written, *steps)["values"] == [inside]


def test_pointer_settings_and_theme(written: Path) -> None:
    title = "document.querySelector('#panel-b h2').textContent"
    theme = "getComputedStyle(document.documentElement).colorScheme"
    visible = "document.querySelector('.head.a').checkVisibility()"
    steps = [("hover", "#d0 .s[data-b='1'] .l"), ("value", title), ("value", theme)]
    steps += [("click", "#theme"), ("value", theme), ("press", "t"), ("value", theme)]
    steps += [("click", "input[value=b]"), ("value", visible), ("press", "Tab"), ("press", "Tab")]
    steps += [("click", "#main h2"), ("press", "j"), ("value", SAID)]
    values = look(written, *steps)["values"]
    assert values[0] == f"B: Chunk 2 of {len(SECOND.chunk(NASTY))}, as it is embedded"
    assert values[1:4] == ["light dark", "dark", "light"]
    assert values[4] is False
    assert values[5].startswith("B: Chunk 1 of")


def test_what_is_found_is_shown_and_the_pointer_leads_on(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    source = "".join(f"# Part {n}\n\n{'a needle' if n % 3 else 'hay'}\n\n" for n in range(30))
    chunker = Chunker(unit="characters", chunk_size=30)
    text = page([Sheet("a.md", [make_side(chunker, source)])], [chunker.options])
    file.write_text(text, encoding="utf-8")
    chosen = "document.querySelector('.head.on')?.dataset.k ?? ''"
    buttons = "[...document.querySelectorAll('#moves button')].filter((e) => e.checkVisibility())"
    waited = f"new Promise((done) => setTimeout(() => done({FOUND}), 300))"
    look_at = [("value", FOUND), ("value", chosen)]
    steps = [("value", f"{buttons}.length"), ("click", "#q"), ("type", "needle")]
    steps += [("value", waited), ("value", chosen), ("value", f"{buttons}.length")]
    steps += [("click", "#onward"), *look_at, ("click", "#back"), *look_at, ("click", "#back")]
    steps += [*look_at, ("click", "#q"), ("press", "Enter"), *look_at, ("type", "x")]
    steps += [("value", waited), ("value", f"{buttons}.length")]
    values = look(file, *steps)["values"]
    assert values[:4] == [0, "1 of 20", "1", 2]
    assert values[4:10] == ["2 of 20", "2", "1 of 20", "1", "20 of 20", "29"]
    assert values[10:] == ["1 of 20", "1", "0 chunks", 0]


@pytest.mark.parametrize("size", [(1400, 900), (390, 844), (320, 256)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window_and_text_has_contrast(
    written: Path, size: tuple[int, int], scheme: str
) -> None:
    wide = "document.documentElement.scrollWidth - innerWidth"
    weak = (HERE / "contrast.js").read_text(encoding="utf-8")
    names = "[...document.querySelectorAll('button, input, select, aside, section')]"
    unnamed = f"{names}.filter((e) => !e.labels?.length && !e.ariaLabel && !e.textContent).length"
    folder = os.environ.get("MDCHUNK_SHOTS")
    shot = [("shot", f"{folder}/{scheme}-{size[0]}.png")] if folder else []
    steps = [("press", "j"), ("press", "j"), ("value", weak), ("value", unnamed)]
    steps += [("value", wide), ("value", STRAY), *shot, ("click", "#q"), ("type", "needle")]
    steps += [("press", "Enter"), ("click", ".about summary"), ("value", wide), ("value", STRAY)]
    values = look(written, *steps, size=size, scheme=scheme)["values"]
    assert values == [[], 0, values[2], [], values[4], []]
    assert max(values[2], values[4]) <= 0


def test_it_prints_dark_on_light_and_without_what_is_for_the_screen(written: Path) -> None:
    shown = "[...document.querySelectorAll('aside, .tools, kbd')].some((e) => e.checkVisibility())"
    theme = "getComputedStyle(document.documentElement).colorScheme"
    steps = [("press", "t"), ("value", theme), ("print", ""), ("value", theme), ("value", shown)]
    assert look(written, *steps)["values"] == ["dark", "light", False]


def test_a_megabyte_opens_in_two_seconds(tmp_path: Path) -> None:
    whole = "".join(
        (ROOT / name).read_text(encoding="utf-8") for name in ("docs/design.md", "README.md")
    )
    source = (whole * (1_000_000 // len(whole) + 1))[:1_000_000]
    chunker = Chunker()
    file = tmp_path / "page.html"
    text = page([Sheet("big.md", [make_side(chunker, source)])], [chunker.options])
    file.write_text(text, encoding="utf-8")
    # other programs can only lengthen it
    assert min(look(file)["opened"] for _ in range(3)) < 2000
