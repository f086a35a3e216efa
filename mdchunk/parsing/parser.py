"""Markdown to a block token stream: CommonMark's block phase with the dialects' syntax."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.dialect import Dialect
from mdchunk.parsing.collector import collector_paused
from mdchunk.parsing.dispatch import dispatch
from mdchunk.parsing.parse_state import ENV_KEY, ParseState

MAX_NESTING = 100
"""Levels of containers that get tokens; what lies deeper stays in the chunks as lines."""
INLINE_RULES = ("inline", "text_join", "linkify", "replacements", "smartquotes", "footnote_tail")


def make_parser(dialects: Sequence[Dialect]) -> MarkdownIt:
    """Build a parser that makes block tokens only; they are the same without inline ones."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    dispatch(parser, {rule: at for dialect in dialects for rule, at in dialect.starts.items()})
    for dialect in dialects:
        dialect.extend(parser)
    parser.core.ruler.disable(INLINE_RULES, ignoreInvalid=True)
    # what a page may not link to (javascript:) is a definition all the same; nothing is rendered
    parser.validateLink = _any_link  # type: ignore[method-assign]
    return parser


def _any_link(url: str) -> bool:  # noqa: ARG001
    return True


def parse_blocks(
    parser: MarkdownIt, text: str, *, lean: bool = False
) -> tuple[list[Token], EnvType]:
    """Parse a text into block tokens and the environment that holds its link definitions.

    A ``lean`` stream has no more tokens than the shipped dialects and the visitor look at. The text
    is ``lines.normal``: a byte order mark would hide a first heading or front matter.
    """
    with collector_paused(len(text)):
        try:
            return _parse(parser, text, lean)
        except RecursionError:
            return _parse_apart(parser, text, lean)


def _parse(parser: MarkdownIt, text: str, lean: bool) -> tuple[list[Token], EnvType]:
    env: EnvType = {ENV_KEY: ParseState(lean=lean)}
    tokens = parser.parse(text, env)
    env.pop(ENV_KEY, None)
    return tokens, env


def _parse_apart(parser: MarkdownIt, text: str, lean: bool) -> tuple[list[Token], EnvType]:
    """Parse in a thread, which has a stack of its own: the caller's is too deep for the nesting."""
    from threading import Thread

    found: list[tuple[list[Token], EnvType]] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            found.append(_parse(parser, text, lean))
        except BaseException as problem:
            raised.append(problem)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return found[0]
