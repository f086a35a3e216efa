"""The records of any other generator's site, made from its Markdown alone."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mdchunk.chunker import Chunker
from mdchunk.document import Document
from mdchunk.files.sources import Source, read_source, shown
from mdchunk.integrations.sites.anchors import Place, titles
from mdchunk.integrations.sites.pelican import NO_HEADER, find_header
from mdchunk.integrations.sites.records import Page, Records, Tell, excluded, page_records
from mdchunk.integrations.sites.slugs import RULES, Rule, make_ids
from mdchunk.integrations.sites.urls import FrontMatter, locations, part
from mdchunk.lines import normal
from mdchunk.parsing import front_matter


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A folder of Markdown and the addresses that a generator gives to what is in it."""

    folder: str
    name: str
    base_url: str
    anchors: str
    urls: str

    def records(
        self, source: Source, location: str, chunker: Chunker, errors: str, tell: Tell
    ) -> Records:
        """Make the records of a source; a draft, or what the search is to leave out, has none.

        Raises OSError or UnicodeDecodeError if it cannot be read.
        """
        name = self.inner(source)
        text = read_source(source, errors=errors)
        header = find_header(text) if self.anchors == "python-markdown" else NO_HEADER
        body = text[header.end :]
        document = chunker.parse(body)
        metadata = header.metadata or document.metadata
        if excluded(metadata) or is_unlisted(metadata):
            return Records()
        page = Page(
            source=name,
            location=location,
            title=header.metadata.get("title") or document.title or name,
            section=part(name, self.urls) or self.name,
            text=body,
            places=functools.partial(places_by_rule, rule=RULES[self.anchors]),
            first_line=header.lines,
            first_offset=header.end,
            metadata=metadata,
        )
        return page_records(page, chunker, self.base_url, tell, document)

    def locations(self, sources: Iterable[Source], errors: str) -> dict[str, str]:
        """Return the address of each source that makes a page, by its name within the folder."""
        named = {self.inner(source): source for source in sources}
        return locations(
            named, self.anchors, self.urls, lambda name: read_front_matter(named[name], errors)
        )

    def inner(self, source: Source) -> str:
        """Name a source within the folder."""
        return shown(os.path.relpath(source.path, self.folder)).replace("\\", "/")


def read_front_matter(source: Source, errors: str) -> FrontMatter:
    """Read the front matter of a source; of what cannot be read another tells."""
    try:
        found = front_matter.find(normal(read_source(source, errors=errors)))
    except (OSError, UnicodeDecodeError):
        return front_matter.EMPTY
    return front_matter.EMPTY if found is None else found.metadata


def is_unlisted(metadata: Mapping[str, object]) -> bool:
    """Tell whether the front matter says that a page is not published, not listed or not found.

    As Docusaurus, Pelican, VitePress and Sphinx have it.
    """
    status, search = metadata.get("status"), metadata.get("search")
    unlisted = metadata.get("unlisted") is True or status in ("draft", "hidden")
    return unlisted or search is False or "nosearch" in metadata


def places_by_rule(document: Document, rule: Rule) -> list[Place]:
    """Return, for each heading, the id that a rule makes of it."""
    found = titles(document, rule.typed)
    places = [
        Place(title, id_)
        for title, id_ in zip(found, make_ids(found, rule), strict=True)
        if title.own
    ]
    # where the page's title has no id, what is below it is found at the page's top
    bare_title = bool(places) and places[0].title.level == 1 and not rule.title
    return places[1:] if bare_title else places
