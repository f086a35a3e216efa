"""The records of any other generator's site, made from Markdown and what is built of it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from mdchunk.chunker import Chunker
from mdchunk.document import Document
from mdchunk.errors import MdchunkError
from mdchunk.files.sources import SUFFIXES, Source, read_source, shown
from mdchunk.integrations.sites.built import BuiltSite, Wanted, headings_of, places_of
from mdchunk.integrations.sites.generator import NO_HEADER, FrontMatter, Generator, Urls
from mdchunk.integrations.sites.headings import Place
from mdchunk.integrations.sites.links import Find
from mdchunk.integrations.sites.records import Page, Records, Tell, excluded, page_records
from mdchunk.integrations.sites.slugs import make_ids
from mdchunk.integrations.sites.source_headings import titles
from mdchunk.lines import normal
from mdchunk.parsing import front_matter


class Spot(NamedTuple):
    """Where a file's page is within the site, and what finds the ids of its headings."""

    location: str
    places: Callable[[Document], Sequence[Place]]
    find: Find


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A folder of Markdown and the addresses that a generator gives to what is in it.

    Those are made by the rules of a generator and a form of addresses, or read from the pages that
    are ``built``.
    """

    folder: str
    name: str
    base_url: str
    generator: Generator | None = None
    urls: Urls | None = None
    built: BuiltSite | None = None

    def records(
        self, source: Source, spot: Spot, chunker: Chunker, errors: str, tell: Tell
    ) -> Records:
        """Make the records of a source; a draft, or what the search is to leave out, has none.

        Raises OSError or UnicodeDecodeError if it cannot be read.
        """
        name = self.inner(source)
        text = read_source(source, errors=errors)
        header = self.generator.header(text) if self.generator else NO_HEADER
        body = text[header.end :]
        document = chunker.parse(body)
        metadata = header.metadata or document.metadata
        if excluded(metadata) or is_unlisted(metadata):
            return Records()
        page = Page(
            source=name,
            location=spot.location,
            title=header.metadata.get("title") or document.title or name,
            section=self.part(name) or self.name,
            text=body,
            places=spot.places,
            first_line=header.lines,
            first_offset=header.end,
            metadata=metadata,
            find=spot.find,
        )
        return page_records(page, chunker, self.base_url, tell, document)

    def spots(self, sources: Iterable[Source], chunker: Chunker, errors: str) -> dict[str, Spot]:
        """Return where the page of each source is that makes one, by its name within the folder."""
        named = {self.inner(source): source for source in sources}
        found: dict[str, Spot] = {}
        find = functools.partial(self._find, found)
        if self.built is not None:
            wanted = {name: read_headings(named[name], chunker, errors) for name in named}
            for name, page in self.built.assign(wanted).items():
                places = functools.partial(places_of, page=page)
                found[name] = Spot(page.location, places, find)
        elif self.generator is not None and self.urls is not None:
            by_rule = functools.partial(places_by_rule, generator=self.generator)
            where = self.urls.locate(
                named, self.generator, lambda name: read_front_matter(named[name], errors)
            )
            found.update({name: Spot(where[name], by_rule, find) for name in where})
        return found

    def _find(self, pages: Mapping[str, Spot], name: str) -> str | None:
        """Return where a file is within the site: a page, or what lies there as in the sources."""
        if name in pages:
            return pages[name].location
        folder = self.built.folder if self.built else self.folder
        published = not name.lower().endswith(SUFFIXES) and os.path.isfile(f"{folder}/{name}")
        return quote(name) if published else None

    def inner(self, source: Source) -> str:
        """Name a source within the folder."""
        return shown(os.path.relpath(source.path, self.folder)).replace("\\", "/")

    def part(self, name: str) -> str:
        """Name the part of the site that a file is in by its first folder; empty at the top."""
        folder, _, inner = name.partition("/")
        return (self.urls.part(folder) if self.urls else folder) if inner else ""


def read_front_matter(source: Source, errors: str) -> FrontMatter:
    """Read the front matter of a source; of what cannot be read another tells."""
    try:
        found = front_matter.find(normal(read_source(source, errors=errors)))
    except (OSError, UnicodeDecodeError):
        return front_matter.EMPTY
    return front_matter.EMPTY if found is None else found.metadata


def read_headings(source: Source, chunker: Chunker, errors: str) -> list[Wanted]:
    """Read the headings of a source; of what cannot be read another tells."""
    try:
        return headings_of(chunker.parse(read_source(source, errors=errors)))
    except (OSError, UnicodeDecodeError, MdchunkError):
        return []


def is_unlisted(metadata: Mapping[str, object]) -> bool:
    """Return whether the front matter says that a page is not published, not listed or not found.

    As Docusaurus, Pelican, VitePress and Sphinx have it.
    """
    status, search = metadata.get("status"), metadata.get("search")
    unlisted = metadata.get("unlisted") is True or status in ("draft", "hidden")
    return unlisted or search is False or "nosearch" in metadata


def places_by_rule(document: Document, generator: Generator) -> list[Place]:
    """Return, for each heading, the id that a generator makes of it."""
    found = titles(document, generator.typed)
    places = [
        Place(title, id_)
        for title, id_ in zip(found, make_ids(found, generator), strict=True)
        if title.own
    ]
    # where the page's title has no id, what is below it is found at the page's top
    bare_title = bool(places) and places[0].title.level == 1 and not generator.title
    return places[1:] if bare_title else places
