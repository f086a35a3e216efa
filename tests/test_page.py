"""The page holds the documents as they are, every chunk where it stands, and nothing that runs."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from mdchunk import Chunker
from mdchunk.cli import cli
from mdchunk.lines import LINE_END
from mdchunk.view.describe import described
from mdchunk.view.line_markup import Sheet, stretches
from mdchunk.view.page import make_side, page, script_json
from mdchunk.view.text import CONTROLS

SMALL = {"unit": "characters", "chunk_size": 40, "chunk_overlap": 15}
TEXT = """\
---
title: "</script><script>alert(1)</script>"
---
# One <script>alert(2)</script>

Text of *one*. And a second sentence that is longer. <!-- a comment -->

## Two & "quoted"

- first 🙂 item
- second item

```html
</script><script>alert(3)</script>
<img src=x onerror=alert(4)>
```
"""
SETTINGS = (Chunker(**SMALL), Chunker(unit="characters", chunk_size=90, context="headings"))


def made(source: str, *chunkers: Chunker, name: str = "a.md") -> str:
    sheet = Sheet(name, [make_side(chunker, source) for chunker in chunkers])
    return page([sheet], [chunker.options for chunker in chunkers])


class Reader(HTMLParser):
    """Takes a page apart: the lines of the document, the tags, and the data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.tags: list[str] = []
        self.data = ""
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (dict(attrs).get("class") or "").split()
        self.tags.append(tag)
        if tag in ("meta", "link", "input"):
            return
        mark = "line" if "l" in names else "margin" if "m" in names else tag
        if mark == "line" and "rest" not in names:
            self.lines.append("")
        self.inside.append("data" if dict(attrs).get("id") == "data" else mark)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        assert self.inside, "the end of an element that did not start"
        self.inside.pop()

    def handle_data(self, data: str) -> None:
        if "line" in self.inside and "margin" not in self.inside:
            self.lines[-1] += data
        if self.inside and self.inside[-1] == "data":
            self.data += data


def check(source: str, *chunkers: Chunker) -> None:
    """Compare a page with the document that it shows."""
    read = Reader(made(source, *chunkers))
    expected = [line.translate(CONTROLS) for line in LINE_END.split(source)]
    assert read.lines == (expected if expected[-1] else expected[:-1])
    data = json.loads(read.data)
    (document,) = data["documents"]
    assert document["source"] == source
    wide = document["source"].encode("utf-16-le", "surrogatepass")
    for chunker, side in zip(chunkers, document["sides"], strict=True):
        for chunk, shown in zip(chunker.chunk(source), side, strict=True):
            start, own, end = (2 * at for at in shown["at"])
            assert wide[start:end].decode("utf-16-le", "surrogatepass") == chunk.text
            assert (
                wide[start:own].decode("utf-16-le", "surrogatepass") == chunk.text[: chunk.overlap]
            )
            assert (shown["id"], shown["size"]) == (chunk.id, chunk.size)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_page_shows_each_line_once_and_knows_each_chunk(line_end: str) -> None:
    check(TEXT.replace("\n", line_end), *SETTINGS)


@given(st.text(alphabet="ab.# -`|>&<\n\r\t\u3042🙂\0", max_size=60))
def test_any_document_can_be_shown(source: str) -> None:
    check(source, *SETTINGS)


def test_stretches_cover_the_source_and_say_whose_they_are() -> None:
    sides = [make_side(chunker, TEXT) for chunker in SETTINGS]
    found = list(stretches(sides))
    assert "".join(TEXT[it.start : it.end] for it in found) == TEXT
    for index, side in enumerate(sides):
        for number, chunk in enumerate(side.chunks):
            held = [it for it in found if number in it.owners[index]]
            text = "".join(TEXT[it.start : it.end] for it in held)
            assert text.rstrip() == chunk.text.rstrip()
    assert any(len(it.owners[0]) == 2 for it in found)


def test_nothing_of_a_document_is_markup() -> None:
    plain = Reader(made("# a\n", *SETTINGS, name="a.md"))
    text = made(TEXT, *SETTINGS, name='x"><script>alert(5)</script>.md')
    read = Reader(text)
    assert set(read.tags) <= {*plain.tags, "i", "em", "span"}
    assert read.tags.count("script") == plain.tags.count("script") == 2
    assert "alert(3)" in read.data


def test_no_text_ends_the_data() -> None:
    value = {"</script>": "<!-- <script> ]]> & \u2028"}
    assert "<" not in script_json(value)
    assert json.loads(script_json(value)) == value


def test_the_page_asks_for_nothing() -> None:
    text = made(TEXT, *SETTINGS)
    read = Reader(text)
    assert "default-src 'none'" in text
    assert not {"img", "iframe", "object"} & set(read.tags)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_margin_and_heads_give_kinds_scores_and_worths() -> None:
    text = made(TEXT, SETTINGS[0])
    assert re.search(r'class="m" title="a cut here: heading 90, worth 0\.\d+', text)
    example = (Path(__file__).parents[1] / "docs" / "example.md").read_text(encoding="utf-8")
    heads = made(example, Chunker(chunk_size=60))
    assert "cut at heading 90, worth 0.58<" in heads
    assert re.search(r"cut at \w+ [\d.]+, worth [\d.e-]+; next best line \d+, [\d.e-]+<", heads)
    assert "list to line 11, kept whole by preference" in text
    assert "code to line 16, kept whole if it fits" in text


def test_a_place_inside_a_line_is_marked_where_it_stands() -> None:
    source = "One is short. Two is short too. Three is as short. Four ends it here.\n"
    text = made(source, Chunker(unit="characters", chunk_size=40))
    assert re.search(
        r'One is short\. <i class="in" title="a cut here: sentence 2, worth [\d.e-]+"></i>Two', text
    )


def test_data_that_is_shortened_is_shown_as_it_is_embedded() -> None:
    source = f"Before ![x](data:image/png;base64,{'iVBORw0K' * 40}) after.\n"
    chunker = Chunker(data_uris="elide")
    check(source, chunker)
    ((shown,),) = json.loads(Reader(made(source, chunker)).data)["documents"][0]["sides"]
    assert shown["text"] == chunker.chunk(source)[0].contextualized
    assert len(shown["text"]) < 100


def test_a_setting_is_described_by_what_matters() -> None:
    assert described(SETTINGS[0].options) == (
        "chunk_size 40, chunk_overlap 15, unit characters, cutoff optimal, context none"
    )
    assert described(Chunker(decay=0.5, scores={"code": 3}).options).endswith(
        "decay 0.5, context none, scores code=3"
    )


# the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mdchunk.toml").write_text("", encoding="utf-8")
    (tmp_path / "a.md").write_bytes(TEXT.encode())
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["view", *args], prog_name="mdchunk")


def test_the_command_writes_a_page_of_one_setting_or_two(folder: Path) -> None:
    (folder / "b.md").write_text("# B\n", encoding="utf-8")
    assert run("a.md", "b.md", "-o", "one.html").exit_code == 0
    one = Reader((folder / "one.html").read_text(encoding="utf-8"))
    data = json.loads(one.data)
    assert [document["name"] for document in data["documents"]] == ["a.md", "b.md"]
    assert data["settings"] == [{"limit": 512, "unit": "tokens"}]
    args = ("--compare", "chunk-size=99, cutoff=lookback,chunk_overlap=none,unit=characters")
    result = run("a.md", "-o", "two.html", "--chunk-size", "30", *args)
    assert result.exit_code == 0, result.output
    two = json.loads(Reader((folder / "two.html").read_text(encoding="utf-8")).data)
    assert two["settings"] == [
        {"limit": 30, "unit": "tokens"},
        {"limit": 99, "unit": "characters"},
    ]


@pytest.mark.usefixtures("folder")
def test_scores_can_be_compared_too() -> None:
    args = ("--score", "line=2", "--compare", "score.code=3, score.line=4")
    assert run("a.md", "-o", "x.html", *args).exit_code == 0
    text = Path("x.html").read_text(encoding="utf-8")
    a, b = re.findall(r'class="setting \w">(.*?)</p>', text)
    assert "scores line=2" in a
    assert "scores line=4 code=3" in b


@pytest.mark.parametrize(
    ("compare", "told"),
    [
        ("sise=3", "--compare: 'sise' is not allowed; allowed are chunk_size, "),
        ("chunk_size=x", "--compare: chunk_size: 'x' is not a whole number"),
        ("chunk_size=0", "--compare: chunk_size: 0 is not allowed"),
        ("cutoff=best", "--compare: cutoff: 'best' is not one of"),
        ("score.code", "--compare: score.code: 'code=' is not KIND=VALUE"),
        ("score.kode=3", "--compare: scores: unknown kind 'kode'"),
        ("unit=words", "--compare: unknown encoding 'words'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_mistake_in_the_second_setting_is_named(compare: str, told: str) -> None:
    result = run("a.md", "-o", "x.html", "--compare", compare)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not Path("x.html").exists()


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_or_written_is_named() -> None:
    result = run("a.md", "missing.md", "-o", "x.html")
    assert result.exit_code == 1
    assert "mdchunk: missing.md: " in result.stderr
    assert Path("x.html").exists()
    result = run("a.md", "-o", "no/x.html")
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stderr[:24]) == (1, "mdchunk: no/x.html: No s")
    assert "is a folder" in run("a.md", "-o", ".").stderr
    assert run("missing.md", "-o", "y.html").exit_code == 1
    assert not Path("y.html").exists()


@pytest.mark.usefixtures("folder")
def test_more_than_a_browser_opens_well_is_refused_before_the_work() -> None:
    text = "Some words that fill a line, and again.\n" * 1000
    Path("docs").mkdir()
    for number in range(120):
        Path("docs", f"{number:03}.md").write_text(text, encoding="utf-8")
    result = run("docs", "-o", "x.html")
    assert (result.exit_code, result.stdout) == (2, "")
    told = "4.8 MB of Markdown (files: 120) are more than a browser opens well; allowed are 4 MB"
    assert told in " ".join(result.stderr.split())
    assert "--max-size" in result.stderr
    assert not Path("x.html").exists()
    assert run("docs", "-o", "x.html", "--exclude", "[1-9]*").exit_code == 0
    assert run("docs", "-o", "y.html", "--max-size", "0.1").exit_code == 2
    assert run("docs/001.md", "-o", "y.html", "--max-size", "0.1").exit_code == 0
    assert run("docs/001.md", "-o", "y.html", "--max-size", "0").exit_code == 2


@pytest.mark.usefixtures("folder")
def test_documents_are_called_by_their_path_from_here_however_it_was_typed() -> None:
    Path("docs").mkdir()
    for name in ("docs/a.md", "docs/b.md"):
        Path(name).write_text("# A\n", encoding="utf-8")
    for typed in ("docs", "./docs/", str(Path("docs").resolve())):
        assert run(typed, "-o", "x.html").exit_code == 0
        page = Path("x.html").read_text(encoding="utf-8")
        names = [each["name"] for each in json.loads(Reader(page).data)["documents"]]
        assert names == ["docs/a.md", "docs/b.md"]
    assert run(str(Path("docs/a.md").resolve()), "-o", "x.html").exit_code == 0
    assert "<title>a.md · chunks</title>" in Path("x.html").read_text(encoding="utf-8")
    assert run("-", "-o", "x.html").exit_code == 0
    assert "<title>standard input · chunks</title>" in Path("x.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_a_page_that_grows_more_than_usual_is_refused_before_it_is_written() -> None:
    Path("long.md").write_text("word " * 60_000, encoding="utf-8")
    result = run("long.md", "-o", "x.html", "--max-size", "0.3")
    assert result.exit_code == 2
    told = "MB is more than a browser opens well; allowed are 2.4 MB"
    assert told in " ".join(result.stderr.split())
    assert not Path("x.html").exists()
    assert run("long.md", "-o", "x.html").exit_code == 0
