"""The record of a chunk in a site: where it stands, under what, and what it says."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from mdchunk.chunker import Chunker
from mdchunk.cutting.sections import Sections
from mdchunk.document import Document
from mdchunk.errors import MdchunkError
from mdchunk.files.schema import RECORD, SITE
from mdchunk.integrations.sites.headings import Place
from mdchunk.integrations.sites.links import Find, LinkedText, Where, within
from mdchunk.model import Chunk, Heading, Section
from mdchunk.parsing import front_matter

Record = dict[str, Any]
IN_FRAGMENT = "!$&'()*+,;=:@/?-._~"
"""What may stand in a URL's fragment as it is (RFC 3986, 3.5)."""
FIELDS = tuple(it.name for it in (*RECORD, *SITE))
"""The keys of a record, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a site, and what its host knows of it.

    ``location`` is its URL within the site, ``section`` what stands above it in the navigation.
    ``text`` begins ``first_line`` lines and ``first_offset`` code points into the file
    ``source``. ``places`` finds the ids of the headings. ``metadata`` of None is the front
    matter that ``text`` has. ``language`` is empty if it is the site's. ``find`` knows where files
    are within the site, ``labels`` where what links may name is.
    """

    source: str
    location: str
    title: str
    section: str
    text: str
    places: Callable[[Document], Sequence[Place]]
    first_line: int = 0
    first_offset: int = 0
    metadata: Mapping[Any, object] | None = None
    language: str = ""
    find: Find = lambda _: None
    labels: Mapping[str, str] = field(default_factory=dict)


class Records(list[Record]):
    """The records of a page, in order.

    ``text`` is what they are slices of, from the first to the last, its links with whole addresses;
    like ``language`` it is empty where it is not known.
    """

    def __init__(
        self, records: Iterable[Record] = (), *, text: str = "", language: str = ""
    ) -> None:
        super().__init__(records)
        self.text = text
        self.language = language


Tell = Callable[[str], None]
"""Told what a person may want to know and need not act upon."""


def page_records(
    page: Page, chunker: Chunker, base_url: str, tell: Tell, document: Document | None = None
) -> Records:
    """Split a page and make a record of each chunk, in order; ``document`` is its text, parsed."""
    document = chunker.parse(page.text) if document is None else document
    anchors = Anchors(page, page.places(document), tell)
    sections = Sections(document.structure)
    page = page if page.title.strip() else replace(page, title=document.title or page.source)
    metadata = _metadata(page, document, tell)
    about = {
        "title": page.title,
        "source": page.source,
        "level": 0,
        "tags": tags_of(metadata),
        "metadata": metadata,
    }
    chunks = chunker.chunk(document)
    linked = _linked(page, document, base_url)
    text = linked.between(chunks[0].start, chunks[-1].end) if chunks else ""
    found = Records(text=text, language=page.language)
    for index, chunk in enumerate(chunks):
        own = chunk.start + chunk.overlap
        path = [sections.headings[i] for i in sections.path(sections.at(own))]
        where = locate(page, anchors.at(own), base_url)
        what = _chunk_fields(page, chunk, path)
        sections_of = [_section(page, it, anchors, base_url) for it in chunk.sections]
        record = {**what, **about, **where, "sections": sections_of, "index": index}
        record["answer_text"] = linked.alone(chunk.start, chunk.end)
        record |= {"previous": found[-1]["id"] if found else "", "next": ""}
        if found:
            found[-1]["next"] = record["id"]
        found.append({name: record[name] for name in FIELDS})
    return found


def _linked(page: Page, document: Document, base_url: str) -> LinkedText:
    """Return the text with whole addresses, as it is where the site's own is not known."""
    url = within(page.location, base_url)
    where = Where(page.source, url, base_url, page.find, page.labels)
    return LinkedText(document, where if base_url else None)


def _metadata(page: Page, document: Document, tell: Tell) -> Record:
    """Return the front matter as JSON values, dates as ISO text."""
    metadata = document.metadata if page.metadata is None else page.metadata
    try:
        found: Record = front_matter.as_json(dict(metadata))
    except MdchunkError as problem:
        tell(f"{page.source}: front matter is left out: {problem}")
        return {}
    return found


class Anchors:
    """The id under which any offset of a page is found: that of the nearest earlier heading."""

    def __init__(self, page: Page, places: Sequence[Place], tell: Tell) -> None:
        for title, id_ in places:
            if not id_:
                line = page.first_line + title.line + 1
                tell(
                    f"{page.source}:{line}: the page has no anchor for the heading "
                    f"{title.text!r}; its chunks link to the nearest earlier one"
                )
        known = [(title.offset, id_) for title, id_ in places if id_]
        self.offsets = [offset for offset, _ in known]
        self.ids = [id_ for _, id_ in known]

    def at(self, offset: int) -> str:
        """Find the id; empty above the first."""
        index = bisect_right(self.offsets, offset) - 1
        return self.ids[index] if index >= 0 else ""


def locate(page: Page, anchor: str, base_url: str) -> Record:
    """Return the address of an anchor in a page, within the site and as a whole.

    Without a base URL the address is relative to the site's root.
    """
    fragment = f"#{quote(anchor, safe=IN_FRAGMENT)}" if anchor else ""
    location = page.location + fragment
    return {"url": within(location, base_url), "location": location, "anchor": anchor}


def _section(page: Page, section: Section, anchors: Anchors, base_url: str) -> Record:
    """Return a heading in a chunk with the place where it stands in the file and in the site."""
    placed = section._replace(
        start=section.start + page.first_offset, start_line=section.start_line + page.first_line
    )
    return {**placed.as_dict(), **locate(page, anchors.at(section.start), base_url)}


def _chunk_fields(page: Page, chunk: Chunk, path: Sequence[Heading]) -> Record:
    """Return the fields of a chunk, with its place in the file, and what is made of them."""
    shift, lines = page.first_offset, page.first_line
    return {
        **chunk.as_dict(),
        "key": chunk.key(page.source),
        "start": chunk.start + shift,
        "end": chunk.end + shift,
        "start_line": chunk.start_line + lines,
        "end_line": chunk.end_line + lines,
        "section": chunk.headings[-1] if chunk.headings else page.title,
        "hierarchy": hierarchy(page, path),
    }


def hierarchy(page: Page, path: Sequence[Heading]) -> dict[str, str | None]:
    """Return the titles above a chunk by level: lvl0 is the site's section, lvl1 the page."""
    found: dict[str, str | None] = {f"lvl{level}": None for level in range(7)}
    found["lvl0"], found["lvl1"] = page.section, page.title
    for heading in path:
        if heading.text:
            found[f"lvl{heading.level}"] = heading.text
    return found


def hierarchy_below(above: Mapping[str, str | None], section: Record) -> dict[str, str | None]:
    """Return the titles above a heading and its own, by those above what stands before it."""
    found = {
        name: title if int(name[3:]) < section["level"] else None for name, title in above.items()
    }
    if section["title"]:
        found[f"lvl{section['level']}"] = section["title"]
    return found


def tags_of(metadata: Mapping[str, Any]) -> list[str]:
    """Read the tags of a page: a list, or one text with commas."""
    tags = metadata.get("tags")
    if isinstance(tags, str):
        tags = tags.split(",")
    if not isinstance(tags, list):
        return []
    return [str(tag).strip() for tag in tags if isinstance(tag, (str, int, float)) and str(tag)]


def excluded(metadata: Mapping[Any, Any]) -> bool:
    """Return whether front matter keeps a page out of the search, or says that it is a draft."""
    search = metadata.get("search")
    hidden = isinstance(search, Mapping) and bool(search.get("exclude"))
    return hidden or metadata.get("draft") is True
