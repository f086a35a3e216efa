"""What drawn and damaged documents found: the smallest source for each fault, under every law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fuzz import target
from laws import all_laws
from test_laws import utf8_size, words_and_breaks

from mdchunk import Chunker

pytestmark = pytest.mark.filterwarnings("ignore::mdchunk.MdchunkWarning")


def square(text: str) -> int:
    """More than the sum of the parts, so that plans are too small."""
    return len(text) ** 2 // 40


WITH_OVERLAP = {"chunk_overlap": 10, "context": "full"}
DATA = "data:image/png;base64," + "QUJD" * 40
KISS = "\U0001f469\U0001f3fe\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3fd"

FOUND: dict[str, tuple[str, dict[str, Any]]] = {
    "a heading behind marks of byte order begins where something is seen": (
        "\ufeff\ufeff\ufeff\ufeff---\ntitle: x\nlayout: y\n---",
        {"unit": "characters", "chunk_size": 1},
    ),
    "a section that is forced takes the tag before its label along": (
        "<details>\n\nr[attributes.diagnostics]\n# Diagnostic attributes\n\n\n</details>\n"
        "# Awesome\n\nText.",
        {"unit": "characters", "chunk_size": 80, "min_chunk_size": 8},
    ),
    "nothing stands before what front matter is taken from": (
        "---\n---\n</div>",
        {"unit": "tokens", "chunk_size": 5},
    ),
    "two byte order marks are no chunk": ("\ufeff\ufeff", {"unit": words_and_breaks}),
    "a quote mark is parted from a word before the word is cut": (
        "~~~~\n> water",
        {"unit": words_and_breaks, "chunk_size": 1},
    ),
    "what seemed to fit together is parted before a block that fits is cut": (
        f"r amage{'QUJD' * 16} w\n: -",
        {"unit": words_and_breaks, "chunk_size": 2},
    ),
    "a brace is parted from a word behind a long one before the word is cut": (
        f"Morphology.x`](/de/docs/Web/API/SVG{'Morphology' * 3}.get({{ Key }}",
        {"unit": words_and_breaks, "chunk_size": 1},
    ),
    "an environment of LaTeX whose first line has more holds its text where it stands": (
        "\\begin{a}a\n\n>1.  |\n\\end{a}--",
        {"unit": "tokens", "chunk_size": 17, "plain": True},
    ),
    "a tag that closes nothing has no room behind an element that fits": (
        "<Tab |<a\udcd0_b\n>\nc\n</Tab>\n</P>",
        {"unit": "tokens", "chunk_size": 17},
    ),
    "what is kept whole takes what follows it with it": (
        "-   :material-format-title: &nbsp; __[Built-in typeset plugin][typeset]__\n\n"
        "    __Sidebars preserve the same formatting as section titles in pages__\n</div>",
        {"unit": "tokens", "chunk_size": 17, "oversize": "keep", "count_context": False},
    ),
    "a counter that is no sum cuts no word that fits": (
        "    # Title\n    # Title\n    a b\nb b b b b b b b b b b b b b b b",
        {"unit": words_and_breaks, "chunk_size": 1},
    ),
    "a long word beside short ones misleads no counter": (
        f"> ```py\n> Setext\n=== water water at 3.14 {DATA}",
        {"unit": words_and_breaks, "chunk_size": 5},
    ),
    "words are counted one by one where a counter is no sum": (
        "1. `code span` [[wiki|page]]",
        {"unit": words_and_breaks, "chunk_size": 2},
    ),
    "a joiner after a code span goes with its last mark": ("``\u200d", {"chunk_size": 1}),
    "dear blanks behind a term do not cut it": (
        "a\n\nnb an" + "\x1d" * 15 + "\n:  c\n",
        {"chunk_size": 5, "cutoff": "lookback"},
    ),
    "an overlap does not start in what is no chunk": (
        "Aaa bbb ccc ddd eee.\n\n\ufeff\n\nDdd eee fff.",
        {"chunk_size": 22, "chunk_overlap": 8, "unit": "characters"},
    ),
    "what fits stays whole when a plan was too small": (
        "A lead of.\n\n> " + "word " * 11 + "end.",
        {"chunk_size": 100, "unit": square},
    ),
    "a heading in a directive starts a chunk where sections are asked for": (
        "::: tip\n# Title",
        {"chunk_size": 17, "unit": "characters", "split_headings": 2},
    ),
    "a line of no-break spaces starts no heading": (
        "\n\xa0  \nSetext text\n===",
        {"chunk_size": 17},
    ),
    "a word is whole though its blanks and its space were planned with it": (
        "```py\n\rwater Extent\n\r",
        {"chunk_size": 1},
    ),
    "what a section asked for has cut may be cut elsewhere": (
        "## Sub *title* {#x}\n::: tip\n::: {.note #x}\n# Title",
        {"chunk_size": 17, "split_headings": 2},
    ),
    "what follows a block that fits starts at a line that shows something": (
        "# A\n\n<details>\n\n```\n" + "code line\n" * 9 + "```\n\n</details>\n\nThe end.",
        {"chunk_size": 100, "unit": "characters"},
    ),
    "blank lines before a closing fence start no chunk": (
        "````md\n### Overview\n\n\n````",
        {"chunk_size": 5, "unit": utf8_size, "cutoff": "lookback"},
    ),
    "a link in a line without spaces is whole under any counter": (
        "这个插件需要安装[[迁移助手]]插件，可以[在此安装](https://example.org/show?id=importer)。",
        {"chunk_size": 17, "unit": utf8_size},
    ),
    "a sentence is cut for a heading's sake, a remark in brackets is not": (
        "# T\n\n[ One is this. Two is that. ]",
        {"chunk_size": 30, "unit": "characters"},
    ),
    "an overlap starts neither with a line end nor amid a long word": (
        "```xml\n\n> a-words *end",
        {"chunk_size": 17, "min_chunk_size": 17, "unit": "characters"} | WITH_OVERLAP,
    ),
    "an item that starts with a heading leaves the heading before it if it fits": (
        "## A section\n- # Of its own\n  - one\n  - two\n  ## Next\n  \n  The end.",
        {"chunk_size": 60, "unit": "characters", "oversize": "keep"},
    ),
    "a chunk that reads like another's number and text has an id of its own": (
        "- a\n\n- a\n\n1\x00- a",
        {"chunk_size": 5, "unit": "characters"},
    ),
    "a line of what Python calls a blank starts no chunk": (
        "Some text\n\x1d\n---\n",
        {"chunk_size": 5, "unit": "characters"},
    ),
    "a word is parted from a last line of marks alone before it is cut": (
        "        word\n\n        >",
        {"unit": words_and_breaks, "chunk_size": 1},
    ),
    "math that was planned too small shuts no words in": (
        f"  ``` {DATA}\n$$\n# Title\n$$",
        {"unit": words_and_breaks, "chunk_size": 2},
    ),
    "marks that would be most of a chunk do not close the fence that it opens": (
        "`" * 40 + "\ncode\n" + "`" * 40,
        {"chunk_size": 20, "unit": "characters", "context": "full"},
    ),
    "context counts the marks that close a fence": (
        "~~~ruby\nx()\n~~~",
        {"chunk_size": 8, "unit": "characters", "context": "full"},
    ),
    "marks that go with a long word take no blank from it": (
        "> ### Number Types\n>",
        {"chunk_size": 5, "unit": "characters"},
    ),
    "marks go with a long word only": (
        " Title\n    >",
        {"chunk_size": 5, "unit": "characters"},
    ),
    "a formula of two lines is read where it stands": (
        "r$$\ne  -\t#$$",
        {"chunk_size": 1, "plain": True},
    ),
    "what stands nowhere as it is read belongs to where it begins": (
        "![a  b  *c*  d](x)",
        {"chunk_size": 1, "plain": True},
    ),
    "what a reader sees behind two byte order marks stands behind the first": (
        "\ufeff\ufeff# e",
        {"chunk_size": 1, "plain": True},
    ),
    "what looks like a byte order mark at a chunk's start is embedded": (
        "ab\ufeffa",
        {"chunk_size": 2, "unit": "characters"},
    ),
    **{
        f"a text is read where it stands behind a line of other blanks, {shape!r}": (
            shape,
            {"chunk_size": 5, "unit": "characters", "plain": True},
        )
        for shape in (
            ">\x0b\n/ca",
            "\xa0\nab cd\nef",
            "> \xa0\n> ab cd\n> ef",
            "- \x0b\n  ab cd",
            "1. \x0b\n   1",
            "\x0c\xa0\n\x1c\n**\n*ab*\n\x0b",
            "\xa0\r\nab\r\n==",
        )
    },
    "an entity is not looked for behind it": ("&gt;> e", {"chunk_size": 1, "plain": True}),
    "what describes an image is not looked for behind it": (
        "![a *b*](x) a b",
        {"chunk_size": 1, "plain": True},
    ),
    **{
        f"a word that fits is parted from a mark behind blanks, {text!r}": (
            text,
            {"chunk_size": 5, "unit": utf8_size},
        )
        for text in ("title\xa0:", "title\u3000:", "> title\u3000！", "- title\u3000) a")
    },
    **{
        f"a long run of {marks!r} takes no more time than its length": (
            f"a {marks * 40}-\n\nThat is so.\n\n- b",
            {"unit": "characters", "chunk_size": 400},
        )
        for marks in (
            "]",
            "[",
            "[*]",
            "[^a]",
            "\\]",
            "<sup>*</sup>",
            "<b>*</b>",
            "](a)",
            ":a:",
            "[*](a)",
        )
    },
    "code behind a tab that is taken off in part is read where it stands": (
        " ```\ne\n\t#",
        {"chunk_size": 1, "plain": True},
    ),
    **{
        f"text behind a line of no-break spaces is read where it stands, {lead!r}": (
            f"term\n{lead}\xa0\n    |---|\n",
            {"chunk_size": 1, "unit": "characters", "plain": True},
        )
        for lead in (": ", "\n[^a]: ", "\n- ", "\n> ")
    },
    **{
        f"a word that fits is whole before a mark that does not, {text!r}": (
            text,
            {"chunk_size": 1},
        )
        for text in ("a eton !}", " eon !}", "> eton\xa0!}")
    },
    "a word counts more than a blank and the word": (" boil", {"chunk_size": 1, "plain": True}),
    "an element that holds two headings ends in a chunk": (
        "# A\n<details>\n\n## B\n\n## C\n</details>\n\ntext\n\n### D",
        {"chunk_size": 100},
    ),
    "a joined emoji that fits has no heading with which it does not": (
        f"# Abc\n\n{KISS}\n\n{KISS}",
        {"chunk_size": 16, "unit": "characters", "context": "headings"},
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_keeps_the_laws(name: str) -> None:
    text, options = FOUND[name]
    all_laws(Chunker(**options), text)


@pytest.mark.parametrize("path", sorted(target.CORPUS.iterdir()), ids=lambda path: path.name)
def test_the_fuzzers_corpus_keeps_the_laws(path: Path) -> None:
    target.replay(path.read_bytes())
