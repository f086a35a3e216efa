"""Docusaurus: the ids of its headings, and the addresses of its docs plugin."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote

from mdchunk.integrations.sites import heading_source
from mdchunk.integrations.sites.generator import FrontMatter, Generator, Read, Urls
from mdchunk.integrations.sites.generators.github import slug
from mdchunk.integrations.sites.slugs import hyphenated
from mdchunk.integrations.sites.urls import said, stem

NO_NUMBER = re.compile(r"[0-9]+[-_.][0-9]+")
"""How a date or a version begins, which Docusaurus takes for no number."""
NUMBERED = re.compile(r"[0-9]+\s*[-_.]+\s*([^-_.\s].*)")


class Doc(NamedTuple):
    """A document of Docusaurus: its id, which several may not share, and where it stands."""

    id: str
    where: str


def locate(names: Iterable[str], _: Generator, read: Read) -> dict[str, str]:
    """Return addresses as Docusaurus' docs plugin does with its own options.

    Partials (``_part.md``, ``_parts/a.md``) and other suffixes make no page. Of several with one
    address it shows the first by id.
    """
    pages = {name: read(name) for name in _documents(sorted(names))}
    docs = {name: _doc(name, metadata) for name, metadata in pages.items()}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(docs, key=lambda name: docs[name].id.casefold()):
        where = docs[name].where
        if where in taken:
            continue
        if pages[name].get("draft") is not True:
            taken.add(where)
        found[name] = quote(where.lstrip("/"), safe="/%")  # what it takes has no other % than these
    return found


def _documents(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        partial = any(part.startswith("_") for part in name.split("/"))
        if name.endswith((".md", ".mdx")) and not partial:
            yield name


def _doc(name: str, metadata: FrontMatter) -> Doc:
    numbers = metadata.get("parse_number_prefixes") is not False
    folder, own = posixpath.dirname(name), stem(name)
    parts = [unnumbered(part) if numbers else part for part in folder.split("/") if part]
    id_ = said(metadata, "id") or (unnumbered(own) if numbers else own)
    indexes = ("index", "readme", posixpath.basename(folder).lower())
    # a folder's page is known by the names as they are, with their numbers
    last = said(metadata, "slug") or ("." if own.lower() in indexes else id_)
    return Doc("/".join([*parts, id_]), _resolved("/".join(["", *parts, ""]), last))


def unnumbered(name: str) -> str:
    """Drop the number that orders a file or folder."""
    found = None if NO_NUMBER.match(name) else NUMBERED.fullmatch(name)
    return found[1] if found else name


def _resolved(folder: str, name: str) -> str:
    where = posixpath.normpath(posixpath.join(folder, name))
    is_folder = posixpath.basename(name) in ("", ".", "..") and where != "/"
    return f"{where}/" if is_folder else where


GENERATOR = Generator(
    name="docusaurus",
    slug=slug,
    again=hyphenated,
    typed=heading_source.github,
    title=False,
    index=re.compile("index|readme", re.IGNORECASE),
    urls="docusaurus",
    own_urls=Urls(locate, part=unnumbered),
)
