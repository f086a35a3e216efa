"""A chunk, what it says of itself, and how the text to embed is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from mdchunk.errors import not_allowed
from mdchunk.lines import line_feeds
from mdchunk.model.frozen import freeze, thaw
from mdchunk.model.inline_data import elide


class Section(NamedTuple):
    """A heading in a chunk, as a citation names it.

    ``start`` is where it stands in the source, in code points, ``start_line`` its line, from 1;
    ``path`` has the titles of the sections that hold it, outermost first, and its own. The title
    is "" where the heading shows no text, and then in no path.
    """

    title: str
    level: int
    start: int
    start_line: int
    path: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the section as JSON values only."""
        return {**self._asdict(), "path": list(self.path)}


class _Beside:
    """What a chunk knows beside its value: how to make its text to embed, where sections end."""

    __slots__ = ("_recipe", "_section_ends")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk(_Beside):
    """An exact slice of the source, with all that a search index wants to know about it.

    ``text == source[start:end]`` always; ``start``, ``end`` and ``overlap`` count code points,
    lines count from 1 and include both ends, ``size`` is the exact size of ``contextualized``
    in the unit of the options. ``headings`` is the path at the first character behind the
    overlap, ``sections`` are the headings that stand from there on. ``plain`` is what a reader sees
    of the text, "" where the option ``plain`` did not ask for it. ``parent`` is the id of the chunk
    of the level above in a hierarchy, else "". ``pages`` are the first and the last page that the
    chunk's own text is on, by the page marks of a converter or by form feeds, else None.
    """

    text: str
    start: int
    end: int
    start_line: int
    end_line: int
    overlap: int
    size: int
    headings: tuple[str, ...]
    kinds: tuple[str, ...]
    cut: str
    prefix: str
    suffix: str
    metadata: Mapping[str, object] = field(hash=False)
    id: str
    plain: str = ""
    elided: bool = field(default=False, repr=False)
    sections: tuple[Section, ...] = ()
    parent: str = ""
    pages: tuple[int, int] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        # a state of names would be twice as long
        values = [getattr(self, name) for name in CHUNK_FIELDS]
        recipe = getattr(self, "_recipe", None)
        if recipe and not recipe.portable:
            recipe = Made(self.embedding_text)
        ends = getattr(self, "_section_ends", ())
        return _chunk_of, (*values, recipe, ends, freeze(self.metadata))

    @property
    def contextualized(self) -> str:
        """What to embed: prefix, text and suffix, with base64 data shortened if asked for.

        Its lines end with LF, whatever those of the source do.
        """
        whole = self.prefix + line_feeds(self.text) + self.suffix
        return elide(whole) if self.elided else whole

    @property
    def embedding_text(self) -> str:
        """What to embed: the titles above, those inside, and ``plain``, or the text without it.

        It is at most ``chunk_size``, if the text itself is: what does not fit is left out of the
        path, outermost first, then of the titles inside. The path begins with the document's title
        where that is no heading of it. Counted when asked for; measured in docs/benchmarks.md.
        """
        recipe: Recipe | Made = getattr(self, "_recipe", UNLIMITED)
        return recipe(self)

    def headings_at(self, offset: int) -> tuple[str, ...]:
        """Return the titles of the sections that hold an offset of the source, outermost first.

        Raises OptionsError for an offset that is not in the chunk.
        """
        if not self.start <= offset < self.end:
            raise not_allowed("offset", offset, f"{self.start} to {self.end - 1}")
        found = self.headings
        starts = ((section.start, section.path) for section in self.sections)
        # at one offset, what ends does so before anything begins
        changes = sorted([*getattr(self, "_section_ends", ()), *starts], key=itemgetter(0))
        for place, path in changes:
            if place > offset:
                break
            found = path
        return found

    def key(self, source: str) -> str:
        """Return what names the chunk among those of all documents, of which its own is ``source``.

        It is a UUID of version 5, since some stores take nothing else, and lasts as ``id`` does.
        """
        return key_of(source, self.id)

    def as_dict(self, *, flat: bool = False) -> dict[str, object]:
        """Return the chunk as JSON values only, ``contextualized`` included.

        ``flat`` has the same keys, and texts and numbers only; see ``flatten``.
        """
        found = self._as_dict()
        return flatten(found) if flat else found

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Chunk:
        """Return the chunk that a record of it says: what ``as_dict`` or a line of JSON holds.

        What else a record has is passed over. A chunk that comes back equals the one before, but
        knows nothing beside its value: its ``embedding_text`` has no limit and no title of the
        document, and ``headings_at`` does not see where a container ends its sections. Raises
        OptionsError for a record that lacks a field, or is flat.
        """
        return _chunk_from(record)

    def _as_dict(self) -> dict[str, object]:
        return {
            "id": self.id,
            "parent": self.parent,
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "overlap": self.overlap,
            "size": self.size,
            "headings": list(self.headings),
            "sections": [section.as_dict() for section in self.sections],
            "pages": list(self.pages) if self.pages else None,
            "kinds": list(self.kinds),
            "cut": self.cut,
            "prefix": self.prefix,
            "suffix": self.suffix,
            "contextualized": self.contextualized,
            "plain": self.plain,
            "metadata": thaw(self.metadata),
        }


def key_of(source: str, chunk_id: str) -> str:
    """Return the key of a chunk by its id and the name of its document."""
    import uuid  # with which come modules of the system

    name = f"{source}\0{chunk_id}".encode("utf-8", "replace").decode()
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))


def flatten(record: Mapping[str, object]) -> dict[str, object]:
    """Return a record with values that every vector store takes: texts, numbers, truth values.

    ``headings`` are joined by ``>``, ``kinds`` by commas. Any other list or mapping is JSON, and
    None is "". The keys are the same for all records.
    """
    return {name: _flat(name, value) for name, value in record.items()}


def _flat(name: str, value: object) -> object:
    if value is None:
        return ""
    if name in JOINED and isinstance(value, (list, tuple)):
        return JOINED[name].join(value)
    if isinstance(value, (list, tuple, Mapping)):
        import json  # most runs write none

        return json.dumps(value, ensure_ascii=False)
    return value


JOINED: Mapping[str, str] = MappingProxyType({"headings": " > ", "kinds": ", "})
"""What stands between the texts of a list where a record has one text for it."""
CHUNK_FIELDS = tuple(name for name in Chunk.__slots__ if name != "metadata")


LISTS = ("headings", "kinds", "sections")
"""Fields that are lists in a record."""


def _chunk_from(record: Mapping[str, Any]) -> Chunk:
    """Make a chunk of its record, into which every field goes but ``elided``."""
    named = {name: _field(record, name) for name in CHUNK_FIELDS if name != "elided"}
    for name in LISTS:
        if not isinstance(named[name], (list, tuple)):
            raise not_allowed(name, named[name], "a list; a flat record has none")
    pages, whole = named["pages"], named["prefix"] + line_feeds(named["text"]) + named["suffix"]
    named |= {name: tuple(named[name]) for name in LISTS}
    named["sections"] = tuple(map(_section_from, named["sections"]))
    named["pages"] = tuple(pages) if pages else None
    elided = _field(record, "contextualized") != whole
    return Chunk(**named, elided=elided, metadata=freeze(_field(record, "metadata")))


def _section_from(record: Mapping[str, Any]) -> Section:
    values = {name: _field(record, name) for name in Section._fields}
    return Section(**{**values, "path": tuple(values["path"])})


def _field(record: Mapping[str, Any], name: str) -> Any:
    if not isinstance(record, Mapping) or name not in record:
        what = f"no {name!r} in it"
        raise not_allowed("record", record, "what Chunk.as_dict() returns", what=what)
    return record[name]


def _chunk_of(*values: Any) -> Chunk:
    """Make a chunk again from what ``__reduce__`` gave."""
    *given, recipe, ends, metadata = values
    named = dict(zip(CHUNK_FIELDS, given, strict=True))
    return beside(Chunk(**named, metadata=freeze(metadata)), recipe, ends)


class Recipe(NamedTuple):
    """How the text to embed is made of a chunk: under which title, within which size."""

    title: str
    limit: float
    count: Callable[[str], int]
    portable: bool
    """Whether it can be sent to another process, so that nothing is counted before."""

    def __deepcopy__(self, _memo: object) -> Recipe:
        return self

    def __call__(self, chunk: Chunk) -> str:
        """Return what of the titles fits before the text of a chunk, and the text."""
        body = self._body(chunk)
        path, own = titles_of(chunk)
        if self.title:
            path = (self.title, *path)
        kept = [(path[first:], own) for first in range(len(path) + 1)]
        kept += [((), own[:last]) for last in range(len(own) - 1, 0, -1)]
        for above, inside in kept:
            lines = [" > ".join(above), *inside] if above else inside
            whole = "".join(f"{line}\n" for line in lines) + "\n" * bool(lines) + body
            if self.count(whole) <= self.limit:
                return whole
        return body

    def _body(self, chunk: Chunk) -> str:
        text = line_feeds(chunk.text)
        text = elide(text) if chunk.elided else text
        if not chunk.plain or self.count(chunk.plain) <= self.limit:
            return chunk.plain or text
        # marks can take fewer tokens than what they stand for
        return min(chunk.plain, text, key=self.count)


class Made(NamedTuple):
    """A text to embed that was made before its chunk was sent to another process."""

    text: str
    portable: bool = True

    def __call__(self, _chunk: Chunk) -> str:
        """Return the text."""
        return self.text


UNLIMITED = Recipe("", float("inf"), len, portable=True)
"""For a chunk that no chunker made, whose size nobody knows."""


SectionEnd = tuple[int, tuple[str, ...]]
"""An offset of the source at which a section ends with its container, and the path from there."""


def beside(
    chunk: Chunk, recipe: Recipe | Made | None, section_ends: tuple[SectionEnd, ...] = ()
) -> Chunk:
    """Return a chunk that knows what is no part of its value."""
    if recipe is not None:
        object.__setattr__(chunk, "_recipe", recipe)
    if section_ends:
        object.__setattr__(chunk, "_section_ends", section_ends)
    return chunk


def titles_of(chunk: Chunk) -> tuple[tuple[str, ...], list[str]]:
    """Return the titles above a chunk's own text, outermost first, and those of its headings."""
    path, sections = chunk.headings, chunk.sections
    if sections and sections[0].title and sections[0].path == path:
        path = path[:-1]
    return path, [section.title for section in sections if section.title]


def neighbours(chunks: Sequence[Chunk]) -> Iterator[tuple[str, str]]:
    """Return for each chunk of a level the ids of the chunks before and behind it, "" for none."""
    ids = ["", *(chunk.id for chunk in chunks), ""]
    return zip(ids, ids[2:], strict=False)
