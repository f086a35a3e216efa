"""What a user's own dialect says of its blocks: how they are led in, divided and repeated."""

import pytest
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk import Chunk, Dialect, Rule, chunk, parse

MARKS = "%%%"


def percent_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take what stands between two lines of percent signs."""

    def text(line: int) -> str:
        return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()

    if state.is_code_block(start) or not text(start).startswith(MARKS):
        return False
    last = next((line for line in range(start + 1, end) if text(line) == MARKS), None)
    if last is None:
        return False
    if not silent:
        token = state.push("percent_block", "", 0)
        token.map, token.markup = [start, last + 1], MARKS
        token.content = state.getLines(start + 1, last, state.sCount[start], True)
        state.line = last + 1
    return True


def dialect(rule: Rule) -> Dialect:
    def extend(parser: MarkdownIt) -> None:
        parser.block.ruler.before("fence", "percent_block", percent_block)

    return Dialect("percent", extend, rules={"percent_block": rule})


def cut(source: str, rule: Rule, size: int, **options: str) -> list[Chunk]:
    return chunk(
        source, dialects=("gfm", dialect(rule)), chunk_size=size, unit="characters", **options
    )


def reason(before: str, rule: Rule) -> str:
    source = f"{before}\n\n%%%\na -> b\n%%%\n"
    structure = parse(source, dialects=("gfm", dialect(rule))).structure
    return structure.boundaries[-1].kind


DIAGRAM = Rule("diagram", "hard", inside="code")
LONG = " of words" * 20 + "."
"""What makes a text more than a short one, which describes what follows it."""


def test_a_block_of_a_users_own_is_led_in_as_code_is() -> None:
    assert reason("As follows:", DIAGRAM) == "lead_in"
    assert reason("As follows:", Rule("code", "hard", inside="code")) == "lead_in"
    assert reason("Some text.", DIAGRAM) == "described"
    assert reason(f"Some text{LONG}", DIAGRAM) == "described"


def test_a_block_may_be_one_that_nothing_introduces() -> None:
    assert reason("As follows:", DIAGRAM._replace(introduced=False)) == "paragraph"
    assert reason("**The plan**", DIAGRAM) == "lead_in"
    assert reason("**The plan**", DIAGRAM._replace(titled=False)) == "described"


def test_a_block_may_have_a_caption() -> None:
    assert reason("Figure 1: The plan.", DIAGRAM) == "described"
    assert reason("Figure 1: The plan.", DIAGRAM._replace(captioned=True)) == "lead_in"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_fence_of_a_users_own_is_opened_again(line_end: str, mark: str) -> None:
    rows = [f"{n} -> {n + 1}" for n in range(10, 60)]
    source = "".join(f"{mark}{row}{line_end}" for row in ["%%% plan", *rows, MARKS])
    chunks = cut(source, DIAGRAM, 100, context="full")
    assert len(chunks) > 2
    for each in chunks:
        text = each.contextualized.replace("\r\n", "\n").replace("\r", "\n")
        lines = [line.removeprefix("> ") for line in text.strip().split("\n")]
        assert lines[0] == "%%% plan"
        assert lines[-1] == MARKS


def test_a_table_of_a_users_own_has_its_header_repeated() -> None:
    rows = "".join(f"{n}, {n * n}\n" for n in range(10, 60))
    chunks = cut(
        f"%%% n,  squared\n======\n{rows}%%%\n",
        Rule("csv", "hard", inside="rows"),
        100,
        context="full",
    )
    assert len(chunks) > 2
    assert all(each.contextualized.startswith("%%% n,  squared\n======\n") for each in chunks)


@pytest.mark.parametrize(
    ("divided", "kind"), [("prose", "sentence"), ("words", "word"), ("", "word")]
)
def test_a_line_that_cannot_fit_is_divided_as_its_rule_says(divided: str, kind: str) -> None:
    line = "One two three. " * 12
    rule = Rule("note", "hard", inside="lines", divided=divided)  # type: ignore[arg-type]
    kinds = {each.cut for each in cut(f"%%%\n{line}\n%%%\n", rule, 40)}
    assert kind in kinds
    assert ("sentence" in kinds) == (kind == "sentence")
