"""``chunk`` and ``Chunker``: documents in, chunks out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from mdchunk.cutting.candidates import CutRules
from mdchunk.cutting.context import Context
from mdchunk.cutting.exclusion import Stretch, excluded_stretches
from mdchunk.cutting.explain import Candidate, explain, in_source
from mdchunk.cutting.making import ChunkMaker, Original
from mdchunk.cutting.planner import Planned, Planner
from mdchunk.cutting.repeatable import repeatable
from mdchunk.cutting.sections import Sections, root_title
from mdchunk.cutting.subject import Subject, chain_starts
from mdchunk.document import Document, make_syntax, parse_with, plain_text_of
from mdchunk.errors import OptionsError, not_allowed
from mdchunk.model import Chunk, Recipe, elide
from mdchunk.options import Fields, Options, check_names, falling_sizes
from mdchunk.parsing.collector import collector_paused
from mdchunk.sizing import stretches
from mdchunk.sizing.prefix_sums import SizeIndex
from mdchunk.sizing.units import Sizer

if TYPE_CHECKING:
    from mdchunk.structure.plain.pieces import PlainText

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class Chunker:
    """Splits documents under one set of options; immutable, and safe to share between threads.

    Takes Options, or their fields as keywords. Raises OptionsError, DialectError, TokenizerError.
    """

    __slots__ = ("_options", "_planning", "_sizer", "_syntax")

    def __init__(self, options: Options | None = None, /, **fields: Unpack[Fields]) -> None:
        if options is not None and fields:
            message = "options: give either Options or keywords, not both"
            raise OptionsError(message, option="options", value=options)
        if not isinstance(options, Options | None):
            allowed = "Options, or their fields as keywords, such as chunk_size=400"
            raise not_allowed("options", options, allowed, verb="are")
        self._options = make_options(fields) if options is None else options
        self._syntax = make_syntax(self._options.dialects, self._options.scores)
        self._sizer = Sizer(self._options.unit)
        self._planning = planning_options(self._options, self._sizer)

    def __reduce__(self) -> tuple[object, ...]:
        # other processes build their own parser and tokenizer
        return Chunker, (self._options,)

    @property
    def options(self) -> Options:
        """The options in force."""
        return self._options

    def count(self, text: str) -> int:
        """Count a text in the unit of the options."""
        return self._sizer.count(text) + self._sizer.added

    def chunk(self, source: str | Document, *, title: str = "") -> list[Chunk]:
        """Split a source, or a document parsed before, into chunks in source order.

        ``title`` is what the document is called, by its file for example, where neither its front
        matter nor a heading says it: the root of the path in ``Chunk.embedding_text``.

        Any string is Markdown; a blank one has no chunks. A Document brings the dialects and
        scores that it was parsed with. Raises TokenizerError if a user's counter fails.
        """
        return list(self.iter_chunks(source, title=title))

    def iter_chunks(self, source: str | Document, *, title: str = "") -> Iterator[Chunk]:
        """Return the chunks one by one; the document is parsed and planned before the first."""
        with collector_paused(len(source) if isinstance(source, str) else 0):
            document = self._read(source)
            planner = self._planner(document, self._planning, self._size_index(document))
            planned = self._sized(_all_of(planner.plan().groups), planner.subject)
        recipe = self._recipe(document, title, self._options.chunk_size)
        maker = self._maker(document, planner.subject)
        return maker.chunks(planned, planner.subject, recipe)

    def _maker(self, document: Document, subject: Subject) -> ChunkMaker:
        original = Original(
            document.source, document.places, document.normal.lines, document.metadata
        )
        plain = self._plain_text(document)
        reads = plain.between if plain else None
        return ChunkMaker(original, subject, plain=reads, elided=self._elided)

    def _recipe(self, document: Document, title: str, limit: int) -> Recipe:
        options = self._options
        named = isinstance(options.unit, str) and all(isinstance(d, str) for d in options.dialects)
        return Recipe(
            root_title(document.metadata, document.structure, title), limit, self.count, named
        )

    def hierarchy(
        self,
        source: str | Document,
        chunk_sizes: Sequence[int] = (512, 128),
        *,
        title: str = "",
    ) -> list[list[Chunk]]:
        """Split a source into nested chunks: a list for each size, biggest first.

        Each chunk lies inside the one of the level above whose id is its ``parent``. Sizes take
        the place of ``chunk_size`` and must fall; the other sizes of the options (overlap, least
        size, window) go with the first and keep their share of those below. A chunk may overlap
        the one before it of the same parent; the overlap of a parent is in none of its chunks.
        The first level is what ``chunk`` gives, and ``title`` as it is there. Raises OptionsError,
        TokenizerError.
        """
        levels = self._options.at_sizes(chunk_sizes)
        plans = [planning_options(options, self._sizer) for options in levels]
        with collector_paused(len(source) if isinstance(source, str) else 0):
            return list(self._levels(self._read(source), plans, title))

    def _levels(
        self, document: Document, plans: Sequence[Options], title: str
    ) -> Iterator[list[Chunk]]:
        """Make the chunks of each level inside those of the one above."""
        subject = self._subject(document.normal, plans[0], self._size_index(document))
        maker = self._maker(document, subject)
        outer: Sequence[Planned] = ()
        chunks: list[Chunk] = []
        for level, options in enumerate(plans):
            if level and subject.context:
                context = self._context(document.normal, options, subject.excluded)
                subject = replace(subject, context=context)
            planner = Planner(subject, options, self._rules(document, options))
            parents: Iterable[str] = repeat("")
            if level:
                groups = planner.plan_within([planned.extent for planned in outer]).groups
                ids = [chunk.id for chunk in chunks]
                parents = chain.from_iterable(map(repeat, ids, map(len, groups)))
                outer = _all_of(groups)
            else:
                outer = _all_of(planner.plan().groups)
            recipe = self._recipe(document, title, options.chunk_size + self._sizer.added)
            planned = self._sized(outer, subject)
            chunks = list(maker.chunks(planned, subject, recipe, level, parents))
            yield chunks

    def _sized(self, planned: Sequence[Planned], subject: Subject) -> Sequence[Planned]:
        """Return what was planned with the sizes of what is embedded.

        To those belong the tokens that a tokenizer adds to each text, and context that does not
        count towards the limit.
        """
        added = self._sizer.added
        if subject.context and not subject.counted:
            return [it._replace(size=subject.whole(*it.extent[:3]) + added) for it in planned]
        return [it._replace(size=it.size + added) for it in planned] if added else planned

    def explain(self, source: str | Document) -> list[Candidate]:
        """List the places at which a cut could fall, with what each is worth, in source order.

        A document that fits into one chunk, and a block that was divided again after counting,
        have no more than what was planned first.
        """
        document = self._read(source)
        planner = self._planner(document, self._planning, self._size_index(document))
        found = explain(planner.plan().selections, planner.selector)
        return [in_source(candidate, document.places) for candidate in found]

    def _read(self, source: str | Document) -> Document:
        """Parse a source; tokens are kept only for what is made of them."""
        if isinstance(source, Document):
            return source
        return self._parse(source, keep_tokens=self._options.plain)

    def _plain_text(self, document: Document) -> PlainText | None:
        return plain_text_of(document.normal) if self._options.plain else None

    def _planner(self, document: Document, options: Options, size_index: SizeIndex) -> Planner:
        subject = self._subject(document.normal, options, size_index)
        return Planner(subject, options, self._rules(document, options))

    def parse(self, source: str) -> Document:
        """Parse a source with the dialects and scores of the options."""
        return self._parse(source, keep_tokens=True)

    def _parse(self, source: str, *, keep_tokens: bool = False) -> Document:
        return parse_with(source, self._syntax, keep_tokens=keep_tokens)

    def _reads_as(self, document: Document) -> bool:
        """Return whether a document was parsed with the dialects and scores of the options."""
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
            raise not_allowed("processes", processes, "a whole number of 1 or more")
        if processes == 1:
            return map(self.chunk, sources)
        from mdchunk.parallel import map_chunks

        return map_chunks(self.chunk, sources, processes)

    def _count(self) -> stretches.Counter:
        """Return what counts a text as it is embedded, without what a tokenizer adds to each."""
        count = self._sizer.count
        return _elided_count(count) if self._elided else count

    @property
    def _elided(self) -> bool:
        return self._options.data_uris == "elide"

    def _size_index(self, document: Document) -> SizeIndex:
        normal = document.normal
        marks = [boundary.offset for boundary in normal.structure.boundaries]
        return self._sizer.size_index(normal.source, marks, elided=self._elided)

    def _subject(self, document: Document, options: Options, size_index: SizeIndex) -> Subject:
        source, structure = document.source, document.structure
        excluded = excluded_stretches(source, structure, options.exclude_sections)
        return Subject(
            source,
            structure,
            size_index,
            self._count(),
            self._context(document, options, excluded),
            document.front_matter_end,
            chain_starts(structure.boundaries),
            options.count_context,
            excluded,
        )

    def _context(
        self, document: Document, options: Options, excluded: Sequence[Stretch]
    ) -> Context | None:
        if options.context == "none":
            return None
        source, structure, full = document.source, document.structure, options.context == "full"
        return Context(
            repeatable(source, document.lines, structure, full=full, excluded=excluded),
            Sections(structure),
            limit=options.chunk_size,
            count=self._count(),
            counted=options.count_context,
        )

    @staticmethod
    def _rules(document: Document, options: Options) -> CutRules:
        syntax = document.syntax
        return CutRules(
            limit=options.chunk_size,
            scores=syntax.scores,
            soft=syntax.soft,
            divided=syntax.divided,
            keep=options.oversize == "keep",
        )


def _all_of(groups: Iterable[Sequence[Planned]]) -> list[Planned]:
    return list(chain.from_iterable(groups))


def _elided_count(count: stretches.Counter) -> stretches.Counter:
    return lambda text: count(elide(text))


def planning_options(options: Options, sizer: Sizer) -> Options:
    """Return options for sizes that are without the tokens which a tokenizer adds to each text.

    Raises OptionsError where a chunk would have no room beside them, or more than the model reads.
    """
    size, added, limit = options.chunk_size, sizer.added, sizer.limit
    if limit is not None and size > limit:
        allowed = f"a whole number of {added + 1} to {limit}, which is what the model of unit reads"
        raise not_allowed("chunk_size", size, allowed)
    if not added:
        return options
    if size <= added:
        since = f"since the tokenizer adds {added} to each text"
        raise not_allowed("chunk_size", size, f"a whole number of {added + 1} or more, {since}")
    left = size - added
    overlap, least = min(options.overlap, left - 1), max(0, options.min_chunk_size - added)
    return replace(options, chunk_size=left, chunk_overlap=overlap, min_chunk_size=least)


def make_options(fields: Mapping[str, Any]) -> Options:
    """Make Options of keywords; an unknown name is an OptionsError that lists the known ones."""
    check_names(fields)
    return Options(**fields)


def _chunker_for(source: str | Document, fields: Fields) -> Chunker:
    """Return a chunker of keywords; a Document must have been parsed with what they say of it."""
    chunker = Chunker(**fields)
    if isinstance(source, Document):
        given: Mapping[str, object] = dict(fields)
        for name in ("dialects", "scores"):
            if name in given and not chunker._reads_as(source):
                allowed = "those that the Document was parsed with (give them to parse)"
                raise not_allowed(name, given[name], allowed, verb="are")
    return chunker


def chunk(source: str | Document, /, *, title: str = "", **fields: Unpack[Fields]) -> list[Chunk]:
    """Split Markdown into exact, bounded, structure-aware chunks, under Options given as keywords.

    Offsets count code points, sizes are in the unit (tokens of cl100k_base by default). A Document
    brings the dialects and scores that it was parsed with. Raises OptionsError for a wrong option,
    DialectError, and TokenizerError.
    """
    return _chunker_for(source, fields).chunk(source, title=title)


def hierarchy(
    source: str | Document,
    /,
    chunk_sizes: Sequence[int] = (512, 128),
    *,
    title: str = "",
    **fields: Unpack[Fields],
) -> list[list[Chunk]]:
    """Split Markdown into nested chunks, a list for each size, biggest first.

    Search the small ones and read the big ones: see ``auto_merge``, and ``Chunker.hierarchy`` for
    what holds. Options are keywords, but for ``chunk_size``. Raises OptionsError, DialectError,
    TokenizerError.
    """
    if "chunk_size" in fields:
        value, allowed = fields["chunk_size"], "chunk_sizes, biggest first"
        raise not_allowed("chunk_size", value, allowed, what="not allowed here", verb="are")
    most = falling_sizes(chunk_sizes)[0]
    chunker = _chunker_for(source, {**fields, "chunk_size": most})
    return chunker.hierarchy(source, chunk_sizes, title=title)
