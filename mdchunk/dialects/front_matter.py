"""Front matter as a block: YAML, TOML, JSON or Pandoc's title block at the start of a document.

May misread: a rule on the first line, directly followed by ``key: value`` lines and another rule;
up to three lines alone that begin with a percent sign.
"""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.parsing import front_matter
from mdchunk.rules import HIDDEN, Rule


def extend(parser: MarkdownIt) -> None:
    """Add the block rule, which can match on the first line only."""
    parser.block.ruler.before("table", "front_matter", _front_matter)


def _front_matter(state: StateBlock, start_line: int, _end: int, silent: bool) -> bool:
    if start_line != 0 or state.level or state.bMarks[0] or state.src[:1] not in "-+;{%":
        return False
    found = front_matter.find(state.src)
    if found is None:
        return False
    if not silent:
        block = state.src[: found.end]
        state.line = block.count("\n") + (not block.endswith("\n"))
        token = state.push("front_matter", "", 0)
        token.map = [0, state.line]
        token.hidden = True
        token.meta = found._asdict()
    return True


DIALECT = Dialect(
    "front_matter",
    extend,
    rules={
        "front_matter": Rule(
            "front_matter",
            "hard",
            inside="lines",
            row="paragraph",
            after="front_matter_end",
            introduced=False,
            divided="code",
        )
    },
    starts={"front_matter": "-+;{%"},
    readings={"front_matter": HIDDEN},
)
