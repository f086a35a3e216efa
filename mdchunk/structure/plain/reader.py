"""The blocks of a document read for their plain text, as a browser's ``innerText`` would be.

Paragraphs stand apart by a blank line, items and rows on lines of their own, cells by a tab
(HTML Standard, 3.2.7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.rules import Reading
from mdchunk.structure.plain.content import Content, cell_content, lines_content
from mdchunk.structure.plain.html import shown
from mdchunk.structure.plain.inline import inline_tokens
from mdchunk.structure.plain.pieces import Collector, Piece

WORDS = re.compile(r"[^ \t\r\n\f]+(?: [^ \t\r\n\f]+)*")
"""Words with one blank between them; what else parts them is a gap."""
READ = Reading()


def read_pieces(
    source: str,
    starts: Sequence[int],
    tokens: Sequence[Token],
    readings: Mapping[str, Reading],
    parser: MarkdownIt,
    env: EnvType,
) -> list[Piece]:
    """Return what a reader sees of a document, in pieces in source order.

    ``starts`` are the offsets of the lines and of the end, ``tokens`` the block tokens of the
    source, ``parser`` and ``env`` those of its parse.
    """
    return _Reader(source, starts, readings, parser, env).read(tokens)


class _Reader:
    """The state of one reading: what was read, and which blocks are open."""

    def __init__(
        self,
        source: str,
        starts: Sequence[int],
        readings: Mapping[str, Reading],
        parser: MarkdownIt,
        env: EnvType,
    ) -> None:
        self.source = source.replace("\0", "\ufffd")
        self.starts = starts
        self.readings = readings
        self.parser = parser
        self.env = env
        self.out = Collector()
        # where the row of a table that is being read was read to
        self.cell = 0

    def read(self, tokens: Sequence[Token]) -> list[Piece]:
        """Read all tokens in turn."""
        for index, token in enumerate(tokens):
            if token.nesting < 0:
                continue
            if token.type == "inline":
                self._inline(token, tokens[index - 1])
                continue
            reading = self.readings.get(token.type, READ)
            self.out.gap("\n" if token.hidden else reading.gap)
            if token.nesting == 0:
                self._leaf(token, reading)
            if token.type == "tr_open" and token.map:
                self.cell = self.starts[token.map[0]]
        return self.out.pieces

    def _inline(self, token: Token, opening: Token) -> None:
        if not token.map:
            return
        first = token.map[0]
        if opening.type in ("td_open", "th_open"):
            content, self.cell = cell_content(
                self.source, self.cell, self.starts[first + 1], token.content
            )
        else:
            content = lines_content(self.source, self.starts, token.content, first)
        self._text(content)

    def _leaf(self, token: Token, reading: Reading) -> None:
        if reading.reads == "hidden" or not token.map:
            return
        first = token.map[0] + bool(token.markup)
        content = lines_content(self.source, self.starts, token.content.rstrip("\n"), first)
        if reading.reads == "html":
            self._html(content, 0, len(content.text))
        else:
            self._code(content)

    def _code(self, content: Content) -> None:
        """Take lines as they stand."""
        start, gap = 0, ""
        for line in content.text.split("\n"):
            if line.strip():
                self.out.gap(gap)
                self._as_it_stands(content, start, start + len(line.rstrip()))
                gap = ""
            gap += "\n"
            start += len(line) + 1

    def _html(self, content: Content, start: int, end: int) -> None:
        for part in shown(content.text[start:end]):
            self.out.gap(part.gap)
            begin, stop = start + part.start, start + part.end
            if len(part.text) == stop - begin:
                self._as_it_stands(content, begin, stop)
            else:
                self._whole(content, begin, part.text)

    def _text(self, content: Content) -> None:
        """Read inline Markdown."""
        flat = content.text.replace("\n", " ")
        for token, place in inline_tokens(content.text, self.parser, self.env):
            reading = self.readings.get(token.type, READ)
            if token.type in ("softbreak", "hardbreak"):
                self.out.gap(" " if token.type == "softbreak" else "\n")
            elif token.type == "image":
                self._found(content, flat, _flat(token.children or ()), place)
            elif reading.reads == "html":
                self._html(
                    Content(token.content, (0,), (content.at(place),)), 0, len(token.content)
                )
            elif reading.reads != "hidden" and token.content:
                self._found(content, flat, token.content, place)

    def _found(self, content: Content, flat: str, text: str, place: int) -> None:
        """Take text that an inline token holds, from a place on at which it may stand."""
        at = flat.find(text, place, place + 2 * len(text) + 16)
        for words in WORDS.finditer(text):
            start, end = words.span()
            if start and text[start - 1].isspace():
                self.out.gap(" ")
            if at < 0:
                self._whole(content, place, words[0])
            else:
                self._as_it_stands(content, at + start, at + end)
        if text[-1:].isspace():
            self.out.gap(" ")

    def _as_it_stands(self, content: Content, start: int, end: int) -> None:
        for begin, stop in content.stretches(start, end):
            place = content.at(begin)
            self.out.add(place, place + stop - begin, content.text[begin:stop].replace("\n", " "))

    def _whole(self, content: Content, offset: int, text: str) -> None:
        place = content.at(offset)
        self.out.add(place, place + 1, text)


def _flat(tokens: Sequence[Token]) -> str:
    """Return the text of an image's description."""
    return "".join(_parts(tokens))


def _parts(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield _flat(token.children or ())
        elif token.type != "html_inline":
            yield unescape(token.content) if token.type == "entity" else token.content
