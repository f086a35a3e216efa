"""The records of any other generator's site, made from its Markdown alone."""

from __future__ import annotations

import functools
import os
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import quote

from mdchunk.chunker import Chunker
from mdchunk.document import Document
from mdchunk.integrations.headings import Place, titles
from mdchunk.integrations.records import Page, Records, Tell, excluded, page_records
from mdchunk.integrations.slugs import RULES, Rule, make_ids
from mdchunk.sources import Source, read_source, shown

INDEXES = ("index", "_index", "readme")
"""Names of files that are their folder's page, in any case of letters; the first there wins."""


def _directory(name: str) -> str:
    return f"{name}/"


def _html(name: str) -> str:
    return f"{name}.html"


def _bare(name: str) -> str:
    return name


URLS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"directory": _directory, "html": _html, "bare": _bare}
)
"""The forms of a page's URL: ``guide/install/``, ``guide/install.html``, ``guide/install``."""
USUAL_URLS: Mapping[str, str] = MappingProxyType(
    {
        "python-markdown": "directory",
        "github": "directory",
        "vitepress": "html",
        "myst": "html",
        "docutils": "html",
    }
)
"""The form that the generators with each rule of anchors use by default."""


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
        document = chunker.parse(text)
        if excluded(document.metadata) or is_draft(document):
            return Records()
        page = Page(
            source=name,
            location=location,
            title=document.title or name,
            section=name.split("/")[0] if "/" in name else self.name,
            text=text,
            places=functools.partial(places_by_rule, rule=RULES[self.anchors]),
        )
        return page_records(page, chunker, self.base_url, tell)

    def inner(self, source: Source) -> str:
        """Name a source within the folder."""
        return shown(os.path.relpath(source.path, self.folder)).replace("\\", "/")


def is_draft(document: Document) -> bool:
    """Tell whether the front matter says that a page is not to be published."""
    metadata = document.metadata
    return metadata.get("draft") is True or metadata.get("status") in ("draft", "hidden")


def locations(names: Iterable[str], form: Callable[[str], str]) -> dict[str, str]:
    """Give the URL of each file within the site; the page of a folder has the folder's."""
    found: dict[str, str] = {}
    indexes: dict[str, tuple[int, str]] = {}
    for name in names:
        folder, file = posixpath.split(name)
        stem = posixpath.splitext(file)[0]
        found[name] = quote(form(posixpath.join(folder, stem)))
        if stem.lower() in INDEXES:
            this = (INDEXES.index(stem.lower()), name)
            indexes[folder] = min(this, indexes.get(folder, this))
    for folder, (_, name) in indexes.items():
        where = f"{folder}/" if folder else ""
        found[name] = quote(where + "index.html" if form is _html else where)
    return found


def places_by_rule(document: Document, rule: Rule) -> list[Place]:
    """Give each heading the id that a rule makes of it."""
    found = titles(document)
    return [
        Place(title, id_)
        for title, id_ in zip(found, make_ids(found, rule), strict=True)
        if title.own
    ]
