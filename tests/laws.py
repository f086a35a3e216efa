"""The laws that hold for every source under every option, as functions that assert.

Three of them ask the code under test where links, headings and blocks are, since they must for any
source; positions.py has those laws by another parser's word, for the sources that it was given.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress, cycle, pairwise

import regex

from mdchunk import Boundary, Candidate, Chunk, Chunker, Document, Heading, Span
from mdchunk.cutting.inline_spans import inline_spans
from mdchunk.lines import LINE_END
from mdchunk.model import elide
from mdchunk.scores import KEEP_WITH_NEXT

BLANKS = "".join(filter(str.isspace, map(chr, range(sys.maxunicode)))) + "\ufeff"
"""What nobody looks for: white space of any kind, and the byte order mark."""
NO_BLANKS = dict.fromkeys(map(ord, BLANKS))

MARK = "\ufeff"
MIXED = ("\n", "\r\n", "\r", "\r\n")
"""Ends for lines in turn; behind a lone CR never an LF, which would make one line end of two."""
SAME = (
    *(
        "id",
        "contextualized",
        "embedding_text",
        "plain",
        "size",
        "prefix",
        "suffix",
        "start_line",
        "end_line",
    ),
    *("headings", "kinds", "cut", "metadata"),
)
"""What a chunk has whatever ends the lines of its source."""

LATIN = regex.compile(r"[A-Za-z0-9]{2}")
WORD_BEFORE, WORD_AFTER = regex.compile(r"(?r)\S*\Z"), regex.compile(r"\S*")


def slices_are_exact(source: str, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        assert chunk.text == source[chunk.start : chunk.end]
        assert with_line_feeds(chunk.text) in chunk.contextualized or chunk.elided
        assert chunk.text.strip(BLANKS), "a blank chunk"


def no_chunk_starts_with_a_blank_line(chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        for text in (chunk.text, chunk.text[chunk.overlap :]):
            assert LINE_END.split(text, maxsplit=1)[0].strip(), text[:80]


def order_is_kept(chunks: Sequence[Chunk]) -> None:
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert after.start + after.overlap >= before.end
        assert after.overlap == 0 or after.start < before.end


def overlaps_hold(
    source: str, chunks: Sequence[Chunk], most: int, count: Callable[[str], int]
) -> None:
    """What a chunk repeats is no bigger than the option says, and starts amid no Latin word."""
    for before, after in pairwise(chunks):
        if after.overlap:
            assert not LATIN.match(source, after.start - 1), source[after.start - 9 : after.end]
        shared = after.text[: before.end - after.start] if after.start < before.end else ""
        assert count(with_line_feeds(shared)) <= most, (shared, most)


def nothing_is_lost(
    source: str, chunks: Sequence[Chunk], start: int, left_out: Sequence[tuple[int, int]] = ()
) -> None:
    """Every visible character from ``start`` on is in exactly one chunk's own text.

    But for what is to be left out: no chunk reaches into that.
    """
    end = start
    # what is left out is in order between the chunks, as if it were chunks of its own
    own = [(chunk.start + chunk.overlap, chunk.end, chunk.start) for chunk in chunks]
    for first, last, whole in sorted([*own, *((low, high, low) for low, high in left_out)]):
        assert first >= end
        assert not source[end:first].strip(BLANKS), repr(source[end:first])
        end = last
        assert not any(low < last and whole < high for low, high in left_out) or whole == first
    assert not source[end:].strip(BLANKS), repr(source[end:])


def section_changes(document: Document) -> list[tuple[int, list[Heading]]]:
    """Where another section begins or goes on, and the headings that it is under with its own.

    Where containers end is known from the structure; how sections lie in each other is not asked.
    """
    structure = document.structure
    events = [(offset, 0, back) for offset, back in structure.section_ends]
    events += [(heading.offset, 1, index) for index, heading in enumerate(structure.headings)]
    found: list[tuple[int, list[Heading]]] = []
    paths: list[list[Heading]] = []
    path: list[Heading] = []
    # at one offset, what ends does so before anything begins
    for offset, is_heading, index in sorted(events, key=lambda event: event[:2]):
        if is_heading:
            heading = structure.headings[index]
            path = [*(outer for outer in path if outer.level < heading.level), heading]
            paths.append(path)
        else:
            path = paths[index] if index >= 0 else []
        found.append((offset, path))
    return found


def left_out_sections(document: Document, names: Sequence[str]) -> list[tuple[int, int]]:
    """Where the sections of these names are, from the headings and the ends that are known.

    In names only ``*`` and ``?`` are read.
    """
    globs = [re.escape(name.casefold()).replace(r"\*", ".*").replace(r"\?", ".") for name in names]

    def named(title: str) -> bool:
        return any(re.fullmatch(glob, title.casefold(), re.DOTALL) for glob in globs)

    structure = document.structure
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for offset, path in section_changes(document):
        if begun is not None:
            found.append((begun, offset))
        begun = offset if any(named(heading.text) for heading in path) else None
    if begun is not None:
        found.append((begun, len(document.source)))
    hidden = (_left_out_comment(document.source, block, named) for block in structure.blocks)
    alone = [it for it in hidden if it and not any(a <= it[0] < b for a, b in found)]
    return sorted(it for it in [*found, *alone] if it[0] < it[1])


def _left_out_comment(
    source: str, block: Span, named: Callable[[str], bool]
) -> tuple[int, int] | None:
    """Where a comment is left out, which begins with a heading of a name."""
    if block.kind != "html":
        return None
    text = source[block.start : block.end]
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    if LINE_END.split(text, maxsplit=1)[0].rstrip(" \t") not in ("%%", "<!--"):
        return None
    begun: int | None = None
    for start, following in pairwise([*starts[1:], len(text)]):
        line = text[start:following]
        heading = re.fullmatch(r" {0,3}(#{1,6})[ \t]+(.*)", line.rstrip("\r\n"), re.DOTALL)
        if begun is None and line.strip(" \t\r\n"):
            title = re.sub(r"(^|[ \t]+)#+$", "", heading[2].strip()) if heading else ""
            if heading is None or not named(title):
                return None
            begun = len(heading[1])
        elif begun and heading and len(heading[1]) <= begun:
            return block.start, block.start + start
    return (block.start, block.end) if begun else None


def sizes_hold(
    chunks: Sequence[Chunk], limit: int, count: Callable[[str], int], *, counted: bool = True
) -> None:
    """Sizes are exact and within the limit, but for context that is not counted."""
    for chunk in chunks:
        size = count(chunk.contextualized)
        assert chunk.size == size, (chunk.size, size)
        text = line_feeds(chunk.text)
        if not counted:
            size = count(elide(text) if chunk.elided else text)
        if size > limit:
            clusters = regex.findall(r"\X", chunk.text)
            alone = len(clusters) == 1 and count(text) > limit
            assert alone, (size, limit, chunk.text[:80])


def embedding_texts_hold(chunks: Sequence[Chunk], limit: int, count: Callable[[str], int]) -> None:
    """What is embedded fits where the text does, and ends with it behind titles on lines."""
    for chunk in chunks:
        whole, text = chunk.embedding_text, line_feeds(chunk.text)
        text = elide(text) if chunk.elided else text
        body = max((it for it in (chunk.plain, text) if whole.endswith(it)), key=len)
        assert count(whole) <= max(limit, count(body)), (count(whole), limit, whole)
        assert count(body) <= max(limit, count(text))
        lines = whole[: len(whole) - len(body)].split("\n")
        own = [section.title for section in chunk.sections if section.title]
        if lines != [""]:
            assert lines[-2:] == ["", ""]
            path = lines[0].split(" > ") if lines[:-2] != own[: len(lines) - 2] else []
            assert not path or lines[1:-2] == own
            # a chunk that starts with a heading has its title among its own, though another may be
            # called the same
            outer = chunk.headings
            outer = outer[:-1] if outer[-1:] == tuple(own[:1]) else outer
            assert " > ".join(outer).endswith(" > ".join(path)) or path[0] not in outer


def plain_is_of_the_chunk(chunker: Chunker, document: Document, chunks: Sequence[Chunk]) -> None:
    """What a reader sees of a chunk is a stretch of what he sees of the document, and no more.

    To ask for it changes nothing else, and where nothing is repeated all of it is in the chunks.
    """
    options = chunker.options
    if not options.plain:
        assert not any(chunk.plain for chunk in chunks)
        return
    bare = Chunker(replace(options, plain=False)).chunk(document)
    assert [replace(chunk, plain="") for chunk in chunks] == bare
    uncut = replace(options, chunk_size=10**9, chunk_overlap=0, min_chunk_size=0)
    whole = _seen(Chunker(uncut).chunk(document))
    for chunk in chunks:
        assert _seen([chunk]) in whole, chunk.plain
    if not any(chunk.overlap for chunk in chunks):
        assert _seen(chunks) == whole


def _seen(chunks: Sequence[Chunk]) -> str:
    return "".join(chunk.plain for chunk in chunks).translate(NO_BLANKS)


def uncounted_context_moves_no_cut(
    chunker: Chunker, document: Document, chunks: Sequence[Chunk]
) -> None:
    """Where context does not count, cuts are those without any."""
    options = chunker.options
    if options.count_context or options.context == "none":
        return
    bare = Chunker(replace(options, context="none")).chunk(document)
    assert list(map(_extent, chunks)) == list(map(_extent, bare))


def _extent(chunk: Chunk) -> tuple[int, int, int, str]:
    return chunk.start, chunk.overlap, chunk.end, chunk.id


def lines_match(source: str, chunks: Sequence[Chunk]) -> None:
    starts = [0, *(match.end() for match in LINE_END.finditer(source))]
    for chunk in chunks:
        assert chunk.start_line == bisect_right(starts, chunk.start)
        assert chunk.end_line == bisect_right(starts, chunk.end - 1)


def sections_are_the_headings(
    document: Document, chunks: Sequence[Chunk], left_out: Sequence[tuple[int, int]] = ()
) -> None:
    """Each heading is a section of the chunk that it stands in, and opens what follows it."""
    whole = document.structure.headings
    kept = [not any(low <= h.offset < high for low, high in left_out) for h in whole]
    headings = list(compress(whole, kept))
    found = [
        (section, chunk.start + chunk.overlap) for chunk in chunks for section in chunk.sections
    ]
    assert [(s.level, s.title) for s, _ in found] == [(h.level, h.text) for h in headings]
    changes = [(at, path, _titles(path)) for at, path in section_changes(document)]
    opened = [it for it in changes if it[1] and it[1][-1].offset == it[0]]
    paths = compress((titles for _, _, titles in opened), kept)
    for (section, own), heading, path in zip(found, headings, paths, strict=True):
        # a chunk may begin behind the indentation of its first line
        assert section.start == max(own, heading.offset)
        assert not document.source[heading.offset : section.start].strip(BLANKS)
        assert document.lines.of(section.start) + 1 == section.start_line
        assert section.path == path
    offsets = [at for at, *_ in changes]
    for chunk in chunks:
        own = chunk.start + chunk.overlap
        inside = changes[bisect_right(offsets, own) : bisect_left(offsets, chunk.end)]
        first = [(s.start, s.path) for s in chunk.sections if s.start == own]
        places = [(own, chunk.headings), *first, *((at, titles) for at, _, titles in inside)]
        for (offset, path), (then, _) in pairwise([*places, (chunk.end, ())]):
            if offset < then:
                assert chunk.headings_at(offset) == chunk.headings_at(then - 1) == path


def _titles(path: Sequence[Heading]) -> tuple[str, ...]:
    return tuple(heading.text for heading in path if heading.text)


def spans_that_fit_are_whole(
    document: Document,
    chunks: Sequence[Chunk],
    limit: int,
    count: Callable[[str], int],
    forced: frozenset[int] = frozenset(),
) -> None:
    """No hard span is cut by a chunk's end or start if its own text is within the limit.

    What holds a ``forced`` place, a heading inside a directive or the like, is no whole: there the
    options ask for a cut.
    """
    soft = {rule.kind for rule in document.syntax.rules.values() if rule.protected == "soft"}
    edges = sorted({c.start for c in chunks} | {c.start + c.overlap for c in chunks})
    source, asked = document.source, sorted(forced)
    for span in document.structure.spans:
        if span.kind in soft or _between(edges, span) is None:
            continue
        if _between(asked, span) is not None:
            continue
        size = count(with_line_feeds(source[span.start : span.end]))
        assert size > limit, (span, size, source[span.start : span.end][:200])


def _between(offsets: Sequence[int], span: Span) -> int | None:
    """Find the first of some offsets that is strictly inside a span."""
    index = bisect_right(offsets, span.start)
    return offsets[index] if index < len(offsets) and offsets[index] < span.end else None


def headings_stay(
    document: Document,
    chunks: Sequence[Chunk],
    fits: Callable[[int, int], bool],
    *,
    keep: bool,
    left_out: Sequence[tuple[int, int]] = (),
) -> None:
    """No chunk ends between a heading and the section's first block if both would fit.

    A chunk right behind what is left out has nothing before it.
    """
    boundaries = document.structure.boundaries
    spans, soft = document.structure.spans, document.syntax.soft
    starts = {chunk.start + chunk.overlap for chunk in chunks}
    front = document.front_matter_end
    out = [past for _, past in left_out] + [front] * (not any(start < front for start in starts))
    for past in out:
        starts.discard(min((start for start in starts if start >= past), default=0))
    for index, boundary in enumerate(boundaries):
        if boundary.kind not in KEEP_WITH_NEXT or boundary.offset not in starts:
            continue
        first = index
        while first + 1 < len(boundaries) and boundaries[first + 1].kind in KEEP_WITH_NEXT:
            first += 1
        # a first block that fits ends where its span does, not at the boundaries inside; so does
        # an item that starts with a heading of its own
        low, high = boundary.offset, boundaries[first].offset
        at, past = bisect_left(spans, (low,)), bisect_left(spans, (high + 1,))
        starts_there = {place.offset for place in boundaries[index : first + 1]}
        held = [s for s in spans[at:past] if s.start in starts_there and s.kind not in soft]
        end = max((s.end for s in held if keep or fits(s.start, s.end)), default=0)
        for after in (*boundaries[first + 1 :], Boundary(len(document.source), 0, "end")):
            if after.kind not in KEEP_WITH_NEXT and after.offset >= end:
                end = after.offset
                break
        before = boundaries[index - 1].offset
        # a block that is kept whole takes all that stands in it along
        around = [s for s in spans if s.start < before < s.end <= low and s.kind not in soft]
        kept = [s.start for s in around if keep or fits(s.start, s.end)]
        before = min([before, *kept])
        assert not fits(before, end), document.source[low:end][:200]


def words_are_whole(
    source: str, chunks: Sequence[Chunk], limit: int, count: Callable[[str], int]
) -> None:
    """No cut parts a grapheme cluster or CRLF; none parts a Latin word that would fit."""
    for chunk in chunks:
        for offset in (chunk.start, chunk.end):
            if not 0 < offset < len(source):
                continue
            assert source[offset - 1 : offset + 1] != "\r\n"
            low = max(0, offset - 64)
            around = source[low : offset + 64]
            word = WORD_BEFORE.search(around[: offset - low])[0]
            word += WORD_AFTER.match(around[offset - low :])[0]
            if word.isascii() and word.isalnum() and len(word) < 60:
                inside = source[offset - 1].isalnum() and source[offset].isalnum()
                assert not inside or count(word) > limit, word


def cluster_end(source: str, start: int, end: int) -> int:
    """A mark that joins the last character of a construct cannot be parted from it either."""
    found = regex.finditer(r"\X", source, pos=start)
    return next((match.end() for match in found if match.end() >= end), end)


def inline_is_whole(
    document: Document, chunks: Sequence[Chunk], fits: Callable[[int, int], bool]
) -> None:
    """No cut inside a paragraph falls in a link, code span or the like that would fit."""
    paragraphs = [b for b in document.structure.blocks if b.kind == "paragraph"]
    spans_of = cache(inline_spans)
    for chunk in chunks:
        for offset in (chunk.start, chunk.start + chunk.overlap):
            index = bisect_left(paragraphs, (offset,)) - 1
            if index >= 0 and paragraphs[index].start < offset < paragraphs[index].end:
                block = paragraphs[index]
                for start, end in spans_of(document.source, block.start, block.end):
                    if start < offset < end:
                        end = cluster_end(document.source, start, end)
                        assert not fits(start, end), document.source[start:end]


def with_line_feeds(source: str) -> str:
    """What is left of a source that no line end and no mark tells from others."""
    return line_feeds(source.removeprefix(MARK))


def line_feeds(text: str) -> str:
    """A text, whose first character is no mark of a file, with LF for its line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def other_line_ends(source: str) -> Iterator[str]:
    """A source with each kind of line end, and with all of them, without and with a mark."""
    lines = with_line_feeds(source).split("\n")
    mixed = [line + end for line, end in zip(lines[:-1], cycle(MIXED), strict=False)]
    forms = [*(end.join(lines) for end in ("\n", "\r\n", "\r"))]
    forms.append("".join([*mixed, lines[-1]]))
    # a text that begins with such a character needs a mark before it, else that is the mark
    for mark in [MARK] if lines[0].startswith(MARK) else ["", MARK]:
        yield from (mark + form for form in forms)


def line_ends_change_nothing(chunker: Chunker, source: str) -> None:
    """Cuts, sizes, ids and what is embedded are those of the source with LF and no mark."""
    first, *others = other_line_ends(source)
    plain = with_line_feeds(first)
    chunks = chunker.chunk(first)
    expected = list(map(_said, chunks))
    places = [_places(first, chunk) for chunk in chunks]
    for other in others:
        found = chunker.chunk(other)
        assert list(map(_said, found)) == expected
        assert [_places(other, chunk) for chunk in found] == places, repr(other[:80])
        for chunk in found:
            assert chunk.text == other[chunk.start : chunk.end]
            assert chunk.start >= other.startswith(MARK), "the mark is part of a chunk"
            assert "\r" not in chunk.contextualized
    for chunk, (start, _, end, *_) in zip(chunks, places, strict=True):
        assert chunk.text == plain[start:end]


def line_ends_change_no_worth(chunker: Chunker, source: str) -> None:
    """The places that were compared, and what each was worth, are those of the source with LF."""
    first, *others = ([source, chunker.explain(source)] for source in other_line_ends(source))
    for text, found in others:
        assert [_compared(text, it) for it in found] == [_compared(first[0], it) for it in first[1]]


def _compared(source: str, candidate: Candidate) -> Candidate:
    at, then = candidate.offset, candidate.runner_up
    return candidate._replace(
        offset=len(with_line_feeds(source[:at])),
        runner_up=None if then is None else len(with_line_feeds(source[:then])),
    )


def _said(chunk: Chunk) -> list[object]:
    return [getattr(chunk, name) for name in SAME] + [it._replace(start=0) for it in chunk.sections]


def _places(source: str, chunk: Chunk) -> list[int]:
    """Where a chunk, its own text, its end and its sections are once all lines end with LF."""
    sections = (section.start for section in chunk.sections)
    offsets = (chunk.start, chunk.start + chunk.overlap, chunk.end, *sections)
    return [len(with_line_feeds(source[:offset])) for offset in offsets]


def all_laws(chunker: Chunker, source: str, *, again: bool = True) -> list[Chunk]:
    """Chunk a source and check every law that the chunker's options do not lift.

    ``again`` chunks it a second time, from the text instead of the document.
    """
    options = chunker.options
    document = chunker.parse(source)
    chunks = chunker.chunk(document)
    if again:
        assert chunks == chunker.chunk(source), "a document differs from its source"
    count = chunker.count
    front = document.front_matter_end if options.front_matter == "metadata" else 0
    left_out = left_out_sections(document, options.exclude_sections)
    slices_are_exact(source, chunks)
    no_chunk_starts_with_a_blank_line(chunks)
    order_is_kept(chunks)
    nothing_is_lost(source, chunks, front, left_out)
    lines_match(source, chunks)
    sections_are_the_headings(document, chunks, left_out)
    if options.data_uris == "keep":
        overlaps_hold(source, chunks, options.overlap, count)
    if options.oversize == "split":
        sizes_hold(chunks, options.chunk_size, count, counted=options.count_context)
        if options.count_context:
            embedding_texts_hold(chunks, options.chunk_size, count)
    plain_is_of_the_chunk(chunker, document, chunks)
    uncounted_context_moves_no_cut(chunker, document, chunks)
    bare = options.context == "none" or not options.count_context
    if bare and options.data_uris == "keep":

        def fits(start: int, end: int) -> bool:
            return count(with_line_feeds(source[start:end].rstrip())) <= options.chunk_size

        level = max(options.split_headings, 1 if options.min_chunk_size else 0)
        forced = frozenset(h.offset for h in document.structure.headings if h.level <= level)
        forced = forced.union(*left_out)
        spans_that_fit_are_whole(document, chunks, options.chunk_size, count, forced)
        inline_is_whole(document, chunks, fits)
        words_are_whole(source, chunks, options.chunk_size, count)
        if not options.split_headings:
            keep = options.oversize == "keep"
            headings_stay(document, chunks, fits, keep=keep, left_out=left_out)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    return chunks
