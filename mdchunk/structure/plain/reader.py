"""The blocks of a document read for their plain text, as a browser's ``innerText`` would be.

Paragraphs stand apart by a blank line, items and rows on lines of their own, cells by a tab
(HTML Standard, 3.2.7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.rules import CONTENT_LINE, READING, Reading
from mdchunk.structure.plain.content import Content, block_content, cell_content, lines_content
from mdchunk.structure.plain.html import shown
from mdchunk.structure.plain.inline import inline_tokens
from mdchunk.structure.plain.pieces import Collector, Piece

WORDS = re.compile(r"[^ \t\r\n\f]+(?: [^ \t\r\n\f]+)*")
"""Words with one blank between them; what else parts them is a gap."""
BLANKS = re.compile(r"[ \t\r\n\f]+")
BREAKS = {"softbreak": " ", "hardbreak": "\n"}
CELLS = frozenset({"td_open", "th_open"})
QUOTES = frozenset({"blockquote_open", "callout_open"})
"""What has a mark before each of its lines."""
DEEP = frozenset({*QUOTES, "list_item_open"})
"""What has lines and no blocks where it stands deeper than the parser goes."""
MARKS = re.compile(r"(?:[ \t>*+-]|\d{1,9}[.)](?=[ \t]|$))*", re.MULTILINE)
AS_IT_STANDS = Reading()
compiled = lru_cache(maxsize=128)(re.compile)


class Parsed(NamedTuple):
    """A document whose texts are to be read.

    ``starts`` are the offsets of the lines and of the end, ``tokens`` the block tokens of the
    source, ``parser`` and ``env`` those of its parse.
    """

    source: str
    starts: Sequence[int]
    tokens: Sequence[Token]
    readings: Mapping[str, Reading]
    parser: MarkdownIt
    env: EnvType


def read_pieces(parsed: Parsed) -> list[Piece]:
    """Return what a reader sees of a document, in pieces in source order."""
    texts = _Texts(parsed)
    Blocks(parsed._replace(source=parsed.source.replace("\0", "\ufffd")), texts).read()
    return texts.out.pieces


class Reader(Protocol):
    """Takes the texts of blocks in source order, each as what it is."""

    def gap(self, gap: str) -> None:
        """Take what stands between what was read and what comes."""

    def lines(self, content: Content, start: int, end: int) -> None:
        """Take lines as they stand."""

    def html(self, content: Content, start: int, end: int) -> None:
        """Take HTML."""

    def inline(self, content: Content, start: int, end: int, first_in: str = "") -> None:
        """Take inline Markdown, which may be the first text in a container."""

    def whole(self, content: Content, offset: int, text: str) -> None:
        """Take text that does not stand in the source as it is."""


class _Texts:
    """Reads the texts of blocks, whatever the blocks are."""

    def __init__(self, parsed: Parsed) -> None:
        self.out = Collector()
        self.readings = parsed.readings
        self.parser = parsed.parser
        self.env = parsed.env

    def gap(self, gap: str) -> None:
        """Ask for a gap before what comes."""
        self.out.gap(gap)

    def lines(self, content: Content, start: int, end: int) -> None:
        """Take lines as they stand, blank ones between them too."""
        gap = ""
        for line in content.text[start:end].split("\n"):
            if line.strip():
                self.out.gap(gap)
                self._stands(content, start, start + len(line.rstrip()))
                gap = ""
            gap += "\n"
            start += len(line) + 1

    def html(self, content: Content, start: int, end: int) -> None:
        """Read HTML."""
        for part in shown(content.text[start:end]):
            self.out.gap(part.gap)
            begin, stop = start + part.start, start + part.end
            if len(part.text) == stop - begin:
                self._stands(content, begin, stop)
            else:
                self.whole(content, begin, part.text)

    def inline(self, content: Content, start: int, end: int, first_in: str = "") -> None:
        """Read inline Markdown, which may be the first text in a container."""
        text = content.text[start:end]
        flat = text.replace("\n", " ")
        env = {**self.env, READING: first_in}
        for token, place in inline_tokens(text, self.parser, env):
            reads = self.readings.get(token.type, AS_IT_STANDS).reads
            if token.type in BREAKS:
                self.out.gap(BREAKS[token.type])
            elif token.type == "image":
                told = _flat(token.children or ())
                as_it_is = flat.startswith(told, place + 2)
                self._words(content, start, flat if as_it_is else "", told, place)
            elif reads == "html":
                self.html(content, start + place, start + place + len(token.content))
            elif token.info == "entity":
                self._words(content, start, "", token.content, place)
            elif reads != "hidden" and token.content:
                self._words(content, start, flat, token.content, place)

    def _words(self, content: Content, start: int, flat: str, text: str, place: int) -> None:
        """Take text that an inline token holds, from a place on at which it may stand."""
        at = flat.find(text.replace("\n", " "), place, place + 2 * len(text) + 64)
        if at < 0:
            text = BLANKS.sub(" ", text)  # all of it belongs to where the token begins
        end = 0
        for words in WORDS.finditer(text):
            if end < words.start():
                self.out.gap(" ")
            end = words.end()
            if at < 0:
                self.whole(content, start + place, words[0])
            else:
                self._stands(content, start + at + words.start(), start + at + end)
        if end < len(text):
            self.out.gap(" ")

    def _stands(self, content: Content, start: int, end: int) -> None:
        for begin, stop in content.stretches(start, end):
            place = content.at(begin)
            self.out.add(place, place + stop - begin, content.text[begin:stop].replace("\n", " "))

    def whole(self, content: Content, offset: int, text: str) -> None:
        """Take text that does not stand in the source as it is."""
        place = content.at(offset)
        self.out.add(place, place + 1, text)


class Blocks:
    """Goes through the blocks of one document, and gives their texts to a reader."""

    def __init__(self, parsed: Parsed, texts: Reader) -> None:
        self.source = parsed.source
        self.starts = parsed.starts
        self.tokens = parsed.tokens
        self.readings = parsed.readings
        self.texts = texts
        # how far the row of a table was read, how many quotes are open, and the container in which
        # nothing was read yet
        self.cell = 0
        self.quotes = 0
        self.first_in = ""

    def read(self) -> None:
        """Read all tokens in turn."""
        tokens = self.tokens
        for index, token in enumerate(tokens):
            if token.nesting < 0:
                self.quotes -= token.type.replace("_close", "_open") in QUOTES
                continue
            if token.type == "inline":
                self._text(token, tokens[index - 1])
                continue
            reading = self.readings.get(token.type, AS_IT_STANDS)
            # a list in an item goes on with the text of it
            tight = token.hidden or (index and tokens[index - 1].hidden)
            self.texts.gap("\n" if tight else reading.gap)
            if token.nesting == 0:
                self._leaf(token, reading)
                self.first_in = ""
            else:
                self._open(token, reading, tokens[index + 1])

    def _text(self, token: Token, opening: Token) -> None:
        """Read the text of a paragraph, a heading or a cell."""
        if not token.map:
            return
        text = token.content
        if opening.type in CELLS:
            stop = self.starts[token.map[0] + 1]
            content, self.cell = cell_content(self.source, self.cell, stop, text)
        else:
            first = self._first_line(token.map[0], token.map[1], text)
            content = lines_content(self.source, self.starts, text, first)
        self.texts.inline(content, 0, len(text), self.first_in)
        self.first_in = ""

    def _first_line(self, first: int, past: int, text: str) -> int:
        """Find the line in which a text begins, from which lines of no-break spaces were taken."""
        begin = text.partition("\n")[0]
        for number in range(first, past):
            line = self._line(number)
            found = line.rfind(begin)
            if found >= 0 and not line[found + len(begin) :].strip():
                return number
        for number in range(first, past):
            marks = MARKS.match(line := self._line(number))
            if marks and line[marks.end() :].strip():
                return number
        return first

    def _line(self, number: int) -> str:
        return self.source[self.starts[number] : self.starts[number + 1]]

    def _leaf(self, token: Token, reading: Reading) -> None:
        if reading.reads == "hidden" or not token.map:
            return
        if reading.shows and self._shows(self._lines(*token.map), reading):
            return
        if token.content or reading.reads == "code":
            first = token.meta.get(CONTENT_LINE, token.map[0] + bool(token.markup))
            text = token.content.rstrip("\n")
            content = lines_content(self.source, self.starts, text, first)
        else:
            content = self._lines(*token.map)
        take = {"html": self.texts.html, "inline": self.texts.inline}
        take.get(reading.reads, self.texts.lines)(content, 0, len(content.text))

    def _open(self, token: Token, reading: Reading, following: Token) -> None:
        """Read the lines with which a container begins, up to the first block in it."""
        self.quotes += token.type in QUOTES
        if token.type == "tr_open" and token.map:
            self.cell = self.starts[token.map[0]]
        if following.type == "inline":
            return
        self.first_in = token.type
        if not token.map or reading.reads == "hidden":
            return
        first, last = token.map
        inner = following.map[0] if following.map and following.nesting >= 0 else last
        if reading.shows:
            self._shows(self._lines(first, inner), reading)
        elif reading.reads == "html":
            content = self._lines(first, inner)
            self.texts.html(content, 0, len(content.text))
        elif token.type in DEEP and following.nesting < 0:
            content = self._lines(first, inner)
            marks = MARKS.match(content.text)
            self.texts.lines(content, marks.end() if marks else 0, len(content.text))

    def _lines(self, first: int, last: int) -> Content:
        return block_content(self.source, self.starts, first, last, self.quotes)

    def _shows(self, content: Content, reading: Reading) -> bool:
        """Take what a pattern finds in a block's lines, and tell whether it finds anything."""
        found = False
        for match in compiled(reading.shows, re.MULTILINE).finditer(content.text):
            found = True
            spans = {name: match.span(name) for name, text in match.groupdict().items() if text}
            for name, (start, end) in sorted(spans.items(), key=lambda item: item[1]):
                if name.startswith("text"):
                    self.texts.inline(content, start, end)
                elif name.startswith("code"):
                    self.texts.lines(content, start, end)
                elif name.startswith("name") and not any(it is not None for it in _texts(match)):
                    word = content.text[start:end]
                    self.texts.whole(content, start, word[:1].upper() + word[1:])
        return found


def _texts(match: re.Match[str]) -> Iterator[str | None]:
    return (text for name, text in match.groupdict().items() if name.startswith("text"))


def _flat(tokens: Sequence[Token]) -> str:
    """Return the text of an image's description."""
    return "".join(_parts(tokens))


def _parts(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in BREAKS:
            yield " "
        elif token.type == "image":
            yield _flat(token.children or ())
        elif token.type != "html_inline":
            yield token.content
