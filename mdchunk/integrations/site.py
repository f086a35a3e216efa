"""The records of any other generator's site, made from its Markdown alone."""

from __future__ import annotations

import functools
import os
import posixpath
import re
import unicodedata
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

INDEXES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "python-markdown": re.compile("index|README"),
        "github": re.compile("index|readme", re.IGNORECASE),
        "vitepress": re.compile("index"),
        "myst": re.compile("index"),
        "docutils": re.compile("index"),
    }
)
"""The names of files that are their folder's page, by the rule of anchors."""
HUGO_INDEX = re.compile("_?index", re.IGNORECASE)
HUGO_MARKS = frozenset("-./\\_#+~@%")
LONE_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")


def _directory(name: str) -> str:
    return f"{name}/"


def _html(name: str) -> str:
    return f"{name}.html"


def _bare(name: str) -> str:
    return name


def hugo(name: str) -> str:
    """Name a page as Hugo does: in lower case, with dashes for spaces and few other marks."""
    return "".join(map(_hugo_character, LONE_PERCENT.sub("", name))) + "/"


def _hugo_character(character: str) -> str:
    if character.isspace():
        return "-"
    category = unicodedata.category(character)
    kept = character in HUGO_MARKS or category[0] in "LM" or category == "Nd"
    # each alone: Σ at a word's end is no other letter than before
    return character.lower()[0] if kept else ""


URLS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"directory": _directory, "html": _html, "bare": _bare, "hugo": hugo}
)
"""The forms of a page's URL: ``Guide/Set Up/``, ``Guide/Set Up.html``, ``Guide/Set Up``,
``guide/set-up/``."""
USUAL_URLS: Mapping[str, str] = MappingProxyType(
    {
        "python-markdown": "directory",
        "github": "directory",
        "vitepress": "html",
        "myst": "html",
        "docutils": "html",
    }
)
"""The form that most generators with each rule of anchors use; Hugo's has to be asked for."""


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
        return page_records(page, chunker, self.base_url, tell, document)

    def inner(self, source: Source) -> str:
        """Name a source within the folder."""
        return shown(os.path.relpath(source.path, self.folder)).replace("\\", "/")


def is_draft(document: Document) -> bool:
    """Tell whether the front matter says that a page is not to be published."""
    metadata = document.metadata
    return metadata.get("draft") is True or metadata.get("status") in ("draft", "hidden")


def locations(names: Iterable[str], anchors: str, urls: str) -> dict[str, str]:
    """Give the URL of each file within the site; the page of a folder has the folder's.

    Files that make no page have none: a second one that could be a folder's, and in Hugo what
    stands beside or below an ``index.md``.
    """
    names = list(names)
    bundles = {
        posixpath.dirname(n) for n in names if urls == "hugo" and _stem(n).lower() == "index"
    }
    form, index = URLS[urls], HUGO_INDEX if urls == "hugo" else INDEXES[anchors]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names, key=lambda name: _stem(name).lower() == "readme"):
        folder, stem = posixpath.dirname(name), _stem(name)
        where = form(posixpath.join(folder, stem))
        if index.fullmatch(stem):
            where = _folder(folder, urls)
            if where in taken:
                continue
            taken.add(where)
        elif not bundles.isdisjoint(_above(folder)):
            continue
        found[name] = quote(where)
    return found


def _stem(name: str) -> str:
    return posixpath.splitext(posixpath.basename(name))[0]


def _above(folder: str) -> list[str]:
    """List a folder and those that hold it; the top's name is empty."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _folder(folder: str, urls: str) -> str:
    if urls == "hugo":
        return hugo(folder) if folder else ""
    where = f"{folder}/" if folder else ""
    return f"{where}index.html" if urls == "html" else where


def places_by_rule(document: Document, rule: Rule) -> list[Place]:
    """Give each heading the id that a rule makes of it."""
    found = titles(document)
    return [
        Place(title, id_)
        for title, id_ in zip(found, make_ids(found, rule), strict=True)
        if title.own
    ]
