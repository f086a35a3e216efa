"""A parsed Markdown document: its source, tokens, structure, front matter and title."""

from __future__ import annotations

import warnings
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.dialect import Dialect
from mdchunk.dialects import (
    DEFAULT_DIALECTS,
    SHIPPED,
    find_dialect,
    join_readings,
    join_rules,
    join_scores,
)
from mdchunk.errors import MdchunkWarning, not_allowed
from mdchunk.lines import Lines, Places, ToSource, normal, pattern
from mdchunk.model import Heading, Structure, freeze, moved
from mdchunk.options import check_syntax_options
from mdchunk.parsing import front_matter
from mdchunk.parsing.heading_text import html_title, title_text
from mdchunk.parsing.parser import make_parser, parse_blocks
from mdchunk.rules import Reading, Rule
from mdchunk.scores import Weight, score_table
from mdchunk.structure.compiled_rules import CompiledRules, division
from mdchunk.structure.pages import MARKS, RULE, page_starts
from mdchunk.structure.section_ends import outermost
from mdchunk.structure.visitor import Visitor

if TYPE_CHECKING:
    from mdchunk.structure.links import Target
    from mdchunk.structure.plain.pieces import PlainText
    from mdchunk.structure.plain.reader import Parsed

FILE_NAME = pattern(r"[^\s#<>\[\]]+\.(?:md|mdx|markdown)")
"""A whole text that nobody writes as a document, but as the name of one."""
LONGEST_NAME = 1024


@dataclass(frozen=True, slots=True)
class Syntax:
    """What a set of dialects and scores makes of Markdown; built once, used for any document."""

    parser: MarkdownIt
    rules: Mapping[str, Rule]
    scores: Mapping[str, Weight]
    readings: Mapping[str, Reading]
    compiled: CompiledRules
    soft: frozenset[str]
    """The kinds that are kept whole by preference only."""
    divided: Mapping[str, str]
    """How a line of each kind of leaf is divided that cannot fit; of paragraphs nothing is said."""
    lean: bool
    """Whether no dialect is a user's, whose plug-in might look for any token."""


def make_syntax(dialects: Sequence[str | Dialect], scores: Mapping[str, float | Weight]) -> Syntax:
    """Return the parser, rule table and score table of some dialects.

    Raises DialectError for unknown names and clashes, OptionsError for wrong scores.
    """
    return _build_syntax(dialects, scores) if scores else _shared_syntax(tuple(dialects))


@lru_cache(maxsize=8)
def _shared_syntax(dialects: tuple[str | Dialect, ...]) -> Syntax:
    return _build_syntax(dialects, {})


def _build_syntax(
    dialects: Sequence[str | Dialect], scores: Mapping[str, float | Weight]
) -> Syntax:
    found = [find_dialect(name) for name in dialects]
    rules = join_rules(found)
    table = score_table(scores, join_scores(found))
    return Syntax(
        make_parser(found),
        rules,
        table,
        join_readings(found),
        CompiledRules(rules, table),
        soft=frozenset(r.kind for r in rules.values() if r.protected == "soft"),
        divided={r.kind: division(r) for r in rules.values() if r.inside not in ("", "text")},
        lean=all(dialect is SHIPPED.get(dialect.name) for dialect in found),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A source with what CommonMark and the dialects see in it.

    ``metadata`` holds the front matter as JSON values (dates as ISO text), ``front_matter_end``
    the offset in code points at which it ends (0 without any, or if it cannot be read). Offsets
    are those of ``source``, whatever ends its lines.
    """

    source: str = field(repr=False)
    tokens: Sequence[Token] = field(repr=False)
    structure: Structure = field(repr=False)
    lines: Lines = field(repr=False)
    syntax: Syntax = field(repr=False)
    env: EnvType = field(repr=False)
    metadata: Mapping[str, object]
    front_matter_end: int
    _normal: Document | None = field(default=None, repr=False)

    @classmethod
    def from_tokens(
        cls,
        source: str,
        tokens: Sequence[Token],
        *,
        dialects: Sequence[str | Dialect] = DEFAULT_DIALECTS,
        scores: Mapping[str, float | Weight] | None = None,
        env: EnvType | None = None,
    ) -> Document:
        """Take a stream that the caller parsed with markdown-it-py from that very source.

        ``dialects`` tells what the token types mean; ``env`` is the environment of the parse, if
        link definitions are wanted. A type without a meaning is part of the block around it. Raises
        OptionsError for tokens of a longer source.
        """
        check_text(source)
        lines = Lines(source)
        _check_tokens(len(lines), tokens)
        syntax = _checked_syntax(dialects, scores)
        return build(source, lines, tokens, syntax, {} if env is None else env)

    @property
    def normal(self) -> Document:
        """The document of the same text with LF as its line ends and no byte order mark.

        It is what is cut and counted, so that neither changes a cut, a size or an id. A source that
        has nothing else is its own.
        """
        return self._normal or self

    @property
    def places(self) -> ToSource:
        """Tells where in the source an offset of the normal document is."""
        return Places(self.lines, self._normal.lines) if self._normal else int  # the same

    @property
    def title(self) -> str | None:
        """The front matter's title, else the first h1, else the first heading, else None.

        In YAML it is the text that is written: ``1.10`` is no number. An ``h1`` in HTML is one
        where no heading of Markdown is.
        """
        title = self.metadata.get("title")
        if isinstance(title, (str, int, float)) and str(title).strip():
            return str(title).strip()
        headings = [h for h in self.structure.headings if h.text]
        first = [h for h in headings if h.level == 1]
        found = next((h.text for h in first if not self._is_html(h)), "") or self._html_title()
        return found or next((h.text for h in (*first, *headings)), None)

    def _is_html(self, heading: Heading) -> bool:
        """Return whether a heading is an element of HTML; its section may begin before it."""
        blocks = self.structure.blocks
        found = bisect_left(blocks, (heading.offset,))
        while found < len(blocks) and blocks[found].kind != "heading":
            found += 1
        return found < len(blocks) and self.source.startswith("<", blocks[found].start)

    def _html_title(self) -> str:
        for block in self.structure.blocks:
            if block.kind in ("html", "heading") and not self.source.startswith(
                "<!--", block.start
            ):
                title = html_title(self.source, block.start, block.end)
                if title:
                    return title
        return ""


def parse(
    source: str,
    *,
    dialects: Sequence[str | Dialect] = DEFAULT_DIALECTS,
    scores: Mapping[str, float | Weight] | None = None,
) -> Document:
    """Parse Markdown into a Document; any string is Markdown.

    Raises DialectError for unknown dialects and clashes, OptionsError for wrong dialects and scores
    and for a source that is no text.
    """
    return parse_with(source, _checked_syntax(dialects, scores))


def _checked_syntax(
    dialects: Sequence[str | Dialect], scores: Mapping[str, float | Weight] | None
) -> Syntax:
    return make_syntax(*check_syntax_options(dialects, {} if scores is None else scores))


def parse_with(source: str, syntax: Syntax, *, keep_tokens: bool = True) -> Document:
    """Parse Markdown with a syntax that was built before; the tokens take the most memory."""
    check_text(source)
    lean = syntax.lean and not keep_tokens
    tokens, env = parse_blocks(syntax.parser, normal(source), lean=lean)
    document = build(source, Lines(source), tokens, syntax, env)
    return document if keep_tokens else _without_tokens(document)


def _without_tokens(document: Document) -> Document:
    inner = document._normal
    return replace(document, tokens=(), _normal=replace(inner, tokens=()) if inner else None)


def plain_text_of(document: Document) -> PlainText:
    """Return what a reader sees of a normal document that has its tokens."""
    from mdchunk.structure.plain.pieces import PlainText  # most runs ask for none
    from mdchunk.structure.plain.reader import read_pieces

    return PlainText(read_pieces(_parsed(document)))


def targets_of(document: Document) -> list[Target]:
    """Return the addresses of links and images in a document that has its tokens."""
    from mdchunk.structure.links import read_targets  # sites alone ask for them

    inner, place = document.normal, document.places
    found = read_targets(_parsed(inner), inner.structure.definitions)
    return [it._replace(start=place(it.start), end=place(it.end)) for it in found]


def _parsed(document: Document) -> Parsed:
    from mdchunk.structure.plain.reader import Parsed

    # a normal text has no mark: what looks like one at its start is text
    syntax, starts = document.syntax, [0, *document.lines.starts[1:]]
    env = deepcopy(document.env)  # footnotes are counted there
    return Parsed(document.source, starts, document.tokens, syntax.readings, syntax.parser, env)


def check_text(source: object) -> None:
    """Raise OptionsError for what is no text; warn of a text that seems to name a file."""
    if not isinstance(source, str):
        what = f"{type(source).__name__} is not allowed"
        allowed = f"str or Document ({_how_to_read(source)})"
        raise not_allowed("source", source, allowed, what=what)
    if len(source) < LONGEST_NAME and FILE_NAME.fullmatch(source):
        warnings.warn(
            f"source: {source!r} is split as text; for the file of that name give its text: "
            'Path(…).read_text(encoding="utf-8")',
            MdchunkWarning,
            stacklevel=2,
        )


def _how_to_read(source: object) -> str:
    """Say how to make text of what is none."""
    if isinstance(source, bytes | bytearray):
        return "decode bytes first"
    if isinstance(source, PathLike):
        return 'read the file first: path.read_text(encoding="utf-8")'
    return "read files first" if hasattr(source, "read") else "one document at a time"


def _check_tokens(count: int, tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.map and token.map[0] >= count:
            what = f"{token.type} at line {token.map[0] + 1} is not allowed"
            allowed = f"those of the source, which has {count}"
            raise not_allowed("tokens", token, allowed, what=what, verb="are")


def build(
    source: str, lines: Lines, tokens: Sequence[Token], syntax: Syntax, env: EnvType
) -> Document:
    """Join a source, its lines and its tokens to a Document."""
    text = normal(source)
    if text == source:
        return _read(source, lines, tokens, syntax, env)
    read = _read(text, Lines(text), tokens, syntax, env)
    place = Places(lines, read.lines)
    end = place(read.front_matter_end) if read.front_matter_end else 0
    structure = moved(read.structure, len(source), place)
    return replace(
        read, source=source, structure=structure, lines=lines, front_matter_end=end, _normal=read
    )


def _read(
    source: str, lines: Lines, tokens: Sequence[Token], syntax: Syntax, env: EnvType
) -> Document:
    def title(content: str) -> str:
        return title_text(content, syntax.parser, env)

    rules = syntax.compiled
    structure = Visitor(source, lines, rules, outermost(tokens, rules)).walk(tokens, title)
    if RULE in syntax.rules and (pages := page_starts(source, lines.starts, env.get(MARKS, {}))):
        structure = replace(structure, pages=pages)
    metadata: Mapping[str, object] = front_matter.EMPTY
    end = 0
    if tokens and tokens[0].type == "front_matter":
        metadata, end = _front_matter(source, tokens[0], lines)
    return Document(source, tokens, structure, lines, syntax, env, metadata, end)


def _front_matter(source: str, token: Token, lines: Lines) -> tuple[Mapping[str, object], int]:
    found = token.meta
    if "metadata" not in found:  # a stream made by another front matter plug-in
        own = front_matter.find(source)
        found = (own or front_matter.FrontMatter(0, {}, ""))._asdict()
    if found["problem"]:
        _warn(f"front matter is kept as text without metadata: {found['problem']}")
        return front_matter.EMPTY, 0
    if found["lost"]:
        _warn(f"front matter is read without what is no YAML: {found['lost']}")
    end = lines.starts[token.map[1]] if token.map else 0
    return freeze(found["metadata"]), end


def _warn(said: str) -> None:
    warnings.warn(said, MdchunkWarning, stacklevel=3)
