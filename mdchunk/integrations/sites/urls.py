"""The addresses that generators give to pages, each from a file's name and its front matter."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

INDEXES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "python-markdown": re.compile("index|README"),
        "github": re.compile("index|readme", re.IGNORECASE),
        "docusaurus": re.compile("index|readme", re.IGNORECASE),
        "hugo": re.compile("_?index", re.IGNORECASE),
        "vitepress": re.compile("index"),
        "myst": re.compile("index"),
        "docutils": re.compile("index"),
    }
)
"""The names of files that are their folder's page, by the rule of anchors."""
HUGO_MARKS = frozenset("-./\\_#+~@%")
DYNAMIC = re.compile(r"\[\w+\]", re.ASCII)
"""What stands in the name of a template, of which VitePress makes pages by data."""
LONE_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
NO_NUMBER = re.compile(r"[0-9]+[-_.][0-9]+")
"""How a date or a version begins, which Docusaurus takes for no number."""
NUMBERED = re.compile(r"[0-9]+\s*[-_.]+\s*([^-_.\s].*)")

FrontMatter = Mapping[str, object]
Read = Callable[[str], FrontMatter]
"""Reads the front matter of a file, by its name; asked only where an address depends on it."""


def _directory(name: str) -> str:
    return f"{name}/"


def _html(name: str) -> str:
    return f"{name}.html"


def _bare(name: str) -> str:
    return name


FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"directory": _directory, "html": _html, "bare": _bare}
)


def locations(names: Iterable[str], anchors: str, urls: str, read: Read) -> dict[str, str]:
    """Return the URL of each file within the site; the page of a folder has the folder's.

    Files that make no page have none.
    """
    make = WITH_FRONT_MATTER.get(urls)
    if make is not None:
        return make(sorted(names), read)
    if anchors == "vitepress":
        names = (name for name in names if not DYNAMIC.search(name))
    return _by_names(names, INDEXES[anchors], urls)


def _by_names(names: Iterable[str], index: re.Pattern[str], urls: str) -> dict[str, str]:
    """Go by the names alone; a second file that could be a folder's makes no page."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names, key=lambda name: _stem(name).lower() == "readme"):
        folder, stem = posixpath.dirname(name), _stem(name)
        where = FORMS[urls](posixpath.join(folder, stem))
        if index.fullmatch(stem):
            where = f"{folder}/" if folder else ""
            where += "index.html" if urls == "html" else ""
            if where in taken:
                continue
            taken.add(where)
        found[name] = quote(where)
    return found


def _stem(name: str) -> str:
    return posixpath.splitext(posixpath.basename(name))[0]


def _above(folder: str) -> list[str]:
    """List a folder and those that hold it; the top's name is empty."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _said(metadata: FrontMatter, key: str) -> str:
    """Return what front matter says as text; nothing else than a text or number counts."""
    value = metadata.get(key)
    return str(value) if isinstance(value, (str, int, float)) else ""


def hugo(names: Sequence[str], read: Read) -> dict[str, str]:
    """Return addresses as Hugo does, by its own permalinks.

    What stands beside or below an ``index.md`` makes no page, an ``_index.md`` neither, nor does
    what is not to be rendered.
    """
    bundles = {posixpath.dirname(name) for name in names if _stem(name).lower() == "index"}
    pages = {name: {key.lower(): value for key, value in read(name).items()} for name in names}
    slugs = {
        posixpath.dirname(name): _said(metadata, "slug")
        for name, metadata in pages.items()
        if _stem(name).lower() == "_index"
    }
    found: dict[str, str] = {}
    for name, metadata in pages.items():
        above = _above(posixpath.dirname(name))
        own = _stem(name).lower() == "index"
        inside = not bundles.isdisjoint(above[:-1] if own else above)
        if not inside and _is_rendered(metadata):
            url = _hugo_url(metadata)
            found[name] = quote(_hugo_path(name, metadata, slugs) if url is None else url)
    return found


def _is_rendered(metadata: FrontMatter) -> bool:
    build = metadata.get("build")
    asked = build.get("render") if isinstance(build, Mapping) else None
    return metadata.get("headless") is not True and asked not in ("never", "link", False)


def _hugo_url(metadata: FrontMatter) -> str | None:
    """Return the address that front matter sets; one that Hugo makes of ``:parts`` is not known."""
    url = _said(metadata, "url")
    if not url or ":" in url:
        return None
    where = posixpath.normpath(f"/{url}").lstrip("/")
    is_file = not where or ("." in url and not url.endswith("/"))
    return where if is_file else f"{where}/"


def _hugo_path(name: str, metadata: FrontMatter, slugs: Mapping[str, str]) -> str:
    """Join what the sections and the page are called: by their slugs, else by their names."""
    folder, stem = posixpath.dirname(name), _stem(name)
    if INDEXES["hugo"].fullmatch(stem):
        folder, stem = posixpath.split(folder)
    parts = [slugs.get(above) or posixpath.basename(above) for above in _above(folder)[1:]]
    last = (_said(metadata, "slug") or stem) if stem else ""  # the home page is where it is
    return hugo_path("/".join([*parts, last]))


def hugo_path(name: str) -> str:
    """Name a page as Hugo does: in lower case, with dashes for spaces and few other marks."""
    made = "".join(map(_hugo_character, LONE_PERCENT.sub("", name)))
    where = posixpath.normpath(f"/{made}").lstrip("/")
    return f"{where}/" if where else ""


def _hugo_character(character: str) -> str:
    if character.isspace():
        return "-"
    category = unicodedata.category(character)
    kept = character in HUGO_MARKS or category[0] in "LM" or category == "Nd"
    # each alone: Σ at a word's end is no other letter than before
    return character.lower()[0] if kept else ""


class Doc(NamedTuple):
    """A document of Docusaurus: its id, which several may not share, and where it stands."""

    id: str
    where: str


def docusaurus(names: Sequence[str], read: Read) -> dict[str, str]:
    """Return addresses as Docusaurus' docs plugin does with its own options.

    Partials (``_part.md``, ``_parts/a.md``) and other suffixes make no page. Of several with one
    address it shows the first by id.
    """
    pages = {name: read(name) for name in _in_docusaurus(names)}
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


def _in_docusaurus(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        partial = any(part.startswith("_") for part in name.split("/"))
        if name.endswith((".md", ".mdx")) and not partial:
            yield name


def _doc(name: str, metadata: FrontMatter) -> Doc:
    numbers = metadata.get("parse_number_prefixes") is not False
    folder, stem = posixpath.dirname(name), _stem(name)
    parts = [_unnumbered(part) if numbers else part for part in folder.split("/") if part]
    own = _said(metadata, "id") or (_unnumbered(stem) if numbers else stem)
    slug = _said(metadata, "slug")
    indexes = ("index", "readme", posixpath.basename(folder).lower())
    # a folder's page is known by the names as they are, with their numbers
    last = slug or ("." if stem.lower() in indexes else own)
    return Doc("/".join([*parts, own]), _resolved("/".join(["", *parts, ""]), last))


def _unnumbered(name: str) -> str:
    found = None if NO_NUMBER.match(name) else NUMBERED.fullmatch(name)
    return found[1] if found else name


def part(name: str, urls: str) -> str:
    """Name the part of the site that a file is in by its first folder; empty at the top."""
    folder, _, inner = name.partition("/")
    if not inner:
        return ""
    return _unnumbered(folder) if urls == "docusaurus" else folder


def _resolved(folder: str, name: str) -> str:
    where = posixpath.normpath(posixpath.join(folder, name))
    is_folder = posixpath.basename(name) in ("", ".", "..") and where != "/"
    return f"{where}/" if is_folder else where


WITH_FRONT_MATTER: Mapping[str, Callable[[Sequence[str], Read], dict[str, str]]] = MappingProxyType(
    {"hugo": hugo, "docusaurus": docusaurus}
)
URLS = (*FORMS, *WITH_FRONT_MATTER)
"""The forms of a page's URL: ``Guide/Set Up/``, ``Guide/Set Up.html``, ``Guide/Set Up``, and those
of Hugo (``guide/set-up/``) and Docusaurus (``01-Guide/02-start.md`` as ``Guide/start``)."""
USUAL_URLS: Mapping[str, str] = MappingProxyType(
    {
        "python-markdown": "directory",
        "github": "directory",
        "docusaurus": "docusaurus",
        "hugo": "hugo",
        "vitepress": "html",
        "myst": "html",
        "docutils": "html",
    }
)
"""The form that most generators with each rule of anchors use."""
