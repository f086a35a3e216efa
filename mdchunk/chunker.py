"""``chunk`` and ``Chunker``: documents in, chunks out."""

from __future__ import annotations

import hashlib
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mdchunk.cutting.candidates import CutRules
from mdchunk.cutting.context import Context, Sections
from mdchunk.cutting.explain import Candidate, explain
from mdchunk.cutting.planner import Planned, Planner, Subject
from mdchunk.document import Document, make_syntax, parse_with, plain_text_of
from mdchunk.errors import OptionsError
from mdchunk.lines import Places
from mdchunk.model import Chunk, Section, Span, elide, freeze
from mdchunk.options import Fields, Options, check_names
from mdchunk.parsing.collector import collector_paused
from mdchunk.scores import KEEP_WITH_NEXT, SOFT_FACTOR
from mdchunk.sizing.units import Sizer

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

ID_LENGTH = 16


class Chunker:
    """Splits documents under one set of options; immutable, and safe to share between threads.

    Takes Options, or their fields as keywords. Raises OptionsError, DialectError, TokenizerError.
    """

    __slots__ = ("_measure", "_options", "_planning", "_syntax")

    def __init__(self, options: Options | None = None, /, **fields: Unpack[Fields]) -> None:
        if options is not None and fields:
            raise OptionsError("options: give either Options or keywords, not both")
        if not isinstance(options, Options | None):
            raise OptionsError(
                f"options: {options!r} is not allowed; allowed are Options, or their fields as "
                "keywords, such as chunk_size=400"
            )
        self._options = make_options(fields) if options is None else options
        self._syntax = make_syntax(self._options.dialects, self._options.scores)
        self._measure = Sizer(self._options.unit)
        self._planning = planning_options(self._options, self._measure)

    def __reduce__(self) -> tuple[object, ...]:
        # other processes build their own parser and tokenizer
        return Chunker, (self._options,)

    @property
    def options(self) -> Options:
        """The options in force."""
        return self._options

    def count(self, text: str) -> int:
        """Count a text in the unit of the options."""
        return self._measure.count(text) + self._measure.added

    def chunk(self, source: str | Document) -> list[Chunk]:
        """Split a source, or a document parsed before, into chunks in source order.

        Any string is Markdown; a blank one has no chunks. A Document brings the dialects and
        scores that it was parsed with. Raises TokenizerError if a user's counter fails.
        """
        return list(self.iter_chunks(source))

    def iter_chunks(self, source: str | Document) -> Iterator[Chunk]:
        """Give the chunks one by one; the document is parsed and planned before the first."""
        with collector_paused(len(source) if isinstance(source, str) else 0):
            document, planner = self._planner(source)
            planned = self._sized(planner.plan())
        return _Builder(document, planner.subject, self._options).chunks(planned)

    def _sized(self, planned: Sequence[Planned]) -> Sequence[Planned]:
        """Return what was planned with the tokens that the tokenizer adds to each text."""
        added = self._measure.added
        return [it._replace(size=it.size + added) for it in planned] if added else planned

    def explain(self, source: str | Document) -> list[Candidate]:
        """List the places at which a cut could fall, with what each is worth, in source order.

        A document that fits into one chunk, and a block that was divided again after counting,
        have no more than what was planned first.
        """
        document, planner = self._planner(source)
        planner.plan()
        return [_moved(candidate, document.places) for candidate in explain(planner.chosen)]

    def _planner(self, source: str | Document) -> tuple[Document, Planner]:
        document = (
            source
            if isinstance(source, Document)
            else self._parse(source, keep_tokens=self._options.plain)
        )
        subject = self._subject(document.normal)
        return document, Planner(subject, self._planning, self._terms(document, subject))

    def parse(self, source: str) -> Document:
        """Parse a source with the dialects and scores of the options."""
        return self._parse(source, keep_tokens=True)

    def _parse(self, source: str, *, keep_tokens: bool = False) -> Document:
        return parse_with(source, self._syntax, keep_tokens=keep_tokens)

    def _reads_as(self, document: Document) -> bool:
        """Tell whether a document was parsed with the dialects and scores of the options."""
        own, given = self._syntax, document.syntax
        return own.rules == given.rules and own.scores == given.scores

    def chunk_many(
        self, sources: Iterable[str | Document], *, processes: int = 1
    ) -> Iterator[list[Chunk]]:
        """Split many sources, in order; ``processes`` of them share the work.

        Processes start anew (``spawn``): the unit must be one that they can import, and a script
        asks for them under ``if __name__ == "__main__"``. Raises OptionsError.
        """
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
            raise OptionsError(
                f"processes: {processes!r} is not allowed; allowed is a whole number of 1 or more"
            )
        if processes == 1:
            return map(self.chunk, sources)
        from mdchunk.parallel import map_chunks

        return map_chunks(self.chunk, sources, processes)

    def _subject(self, document: Document) -> Subject:
        options, source, structure = self._options, document.source, document.structure
        marks = [boundary.offset for boundary in structure.boundaries]
        elided = options.data_uris == "elide"
        count: Callable[[str], int] = self._measure.count
        if elided:
            count = _elided_count(count)
        ruler = self._measure.ruler(source, marks, elided=elided)
        context = None
        if options.context != "none":
            context = Context(
                source,
                document.lines,
                structure,
                full=options.context == "full",
                limit=self._planning.chunk_size,
                count=count,
            )
        return Subject(source, structure, ruler, count, context, document.front_matter_end)

    def _terms(self, document: Document, subject: Subject) -> CutRules:
        syntax, context = document.syntax, subject.context
        scores = syntax.scores
        return CutRules(
            limit=self._planning.chunk_size,
            soft=syntax.soft,
            soft_factor=SOFT_FACTOR,
            glue=KEEP_WITH_NEXT,
            scores=lambda kind: scores[kind].at(1),
            heading_score=scores["heading"].at,
            divided=syntax.divided,
            keep=self._options.oversize == "keep",
            extra=context.extra if context else None,
            weight=context.weight if context and context.uses else None,
        )


class _Builder:
    """Makes the chunks of one document from their extents."""

    def __init__(self, document: Document, subject: Subject, options: Options) -> None:
        self.document = document
        self.subject = subject
        self.options = options
        self.sections = Sections(subject.structure)
        self.plain = plain_text_of(document.normal) if options.plain else None
        self.seen: dict[str, int] = {}
        self.blocks = subject.structure.blocks
        self.next_section = self.next_block = 0
        # the blocks round the last slice, outermost first, and how many there are of each kind
        self.around: list[Span] = []
        self.kinds: dict[str, int] = {}

    def chunks(self, planned: Sequence[Planned]) -> Iterator[Chunk]:
        """Make each chunk in turn: planned in the normal text, taken from the source."""
        source, place = self.document.source, self.document.places
        lines, metadata = self.document.normal.lines, freeze(self.document.metadata)
        for (start, own, end, cut), size in planned:
            frame = self.subject.frame(start, own, end)
            first, last = place(start), place(end)
            yield Chunk(
                text=source[first:last],
                start=first,
                end=last,
                start_line=lines.of(start) + 1,
                end_line=lines.of(end - 1) + 1,
                overlap=place(own) - first,
                size=size,
                headings=self.sections.titles(own),
                kinds=self._kinds(start, end),
                cut=cut.kind,
                prefix=frame.prefix,
                suffix=frame.suffix,
                metadata=metadata,
                id=self._id(self.subject.source[start:end]),
                plain=self.plain.between(start, end) if self.plain else "",
                elided=self.options.data_uris == "elide",
                sections=self._sections(own, end),
            )

    def _sections(self, own: int, end: int) -> tuple[Section, ...]:
        """List the headings that stand in a chunk's own text."""
        sections, document = self.sections, self.document
        place, lines = document.places, document.normal.lines
        low, high = self.next_section, bisect_left(sections.offsets, end)
        self.next_section = high
        # where there is no room for a line's indentation it is in no chunk
        found = (
            (max(own, offset), level, text) for offset, level, text in sections.headings[low:high]
        )
        return tuple(
            Section(text, level, place(start), lines.of(start) + 1, sections.titles(start))
            for start, level, text in found
        )

    def _kinds(self, start: int, end: int) -> tuple[str, ...]:
        """List the kinds of the blocks that reach into a slice; starts of slices rise."""
        blocks, index = self.blocks, self.next_block
        self._leave(start)
        while index < len(blocks) and blocks[index].start < start:
            block = blocks[index]
            if block.end > start:
                self.around.append(block)
                self.kinds[block.kind] = self.kinds.get(block.kind, 0) + 1
            index += 1
        self.next_block = index
        found = dict.fromkeys(self.kinds)
        while index < len(blocks) and blocks[index].start < end:
            found[blocks[index].kind] = None
            index += 1
        return tuple(found)

    def _leave(self, offset: int) -> None:
        """Forget the blocks that end before an offset: since blocks nest, the last that began."""
        while self.around and self.around[-1].end <= offset:
            kind = self.around.pop().kind
            self.kinds[kind] -= 1
            if not self.kinds[kind]:
                del self.kinds[kind]

    def _id(self, text: str) -> str:
        """Name a chunk by its text and its place among equal texts: edits elsewhere keep it."""
        again = self.seen.get(text, 0)
        self.seen[text] = again + 1
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
        if again:
            # of the digest, since a number and this text may be the text of another chunk
            digest = hashlib.sha256(digest.digest() + b"%d" % again)
        return digest.hexdigest()[:ID_LENGTH]


def _moved(candidate: Candidate, place: Places) -> Candidate:
    """Return a candidate of the normal text as one of the source."""
    other = candidate.runner_up
    return candidate._replace(
        offset=place(candidate.offset), runner_up=None if other is None else place(other)
    )


def _elided_count(count: Callable[[str], int]) -> Callable[[str], int]:
    return lambda text: count(elide(text))


def planning_options(options: Options, sizer: Sizer) -> Options:
    """Return options for sizes that are without the tokens which a tokenizer adds to each text.

    Raises OptionsError where a chunk would have no room beside them, or more than the model reads.
    """
    size, added, limit = options.chunk_size, sizer.added, sizer.limit
    if limit is not None and size > limit:
        raise OptionsError(
            f"chunk_size: {size} is not allowed; allowed is a whole number of {added + 1} to "
            f"{limit}, which is what the model of unit reads"
        )
    if not added:
        return options
    if size <= added:
        raise OptionsError(
            f"chunk_size: {size} is not allowed; allowed is a whole number of {added + 1} or more, "
            f"since the tokenizer adds {added} to each text"
        )
    left = size - added
    overlap, least = min(options.overlap, left - 1), max(0, options.min_chunk_size - added)
    return replace(options, chunk_size=left, chunk_overlap=overlap, min_chunk_size=least)


def make_options(fields: Mapping[str, Any]) -> Options:
    """Make Options of keywords; an unknown name is an OptionsError that lists the known ones."""
    check_names(fields)
    return Options(**fields)


def chunk(source: str | Document, /, **fields: Unpack[Fields]) -> list[Chunk]:
    """Split Markdown into exact, bounded, structure-aware chunks, under Options given as keywords.

    Offsets count code points, sizes are in the unit (tokens of cl100k_base by default). A Document
    brings the dialects and scores that it was parsed with. Raises OptionsError for a wrong option,
    DialectError, and TokenizerError.
    """
    chunker = Chunker(**fields)
    if isinstance(source, Document):
        for name in ("dialects", "scores"):
            if name in fields and not chunker._reads_as(source):
                raise OptionsError(
                    f"{name}: {fields[name]!r} is not allowed; allowed are those that the Document "
                    "was parsed with (give them to parse)"
                )
    return chunker.chunk(source)
