"""The addresses and anchors of a site that is built, read from its HTML, whatever built it."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from mdchunk.document import Document
from mdchunk.integrations.sites.headings import Anchor, Place, comparable
from mdchunk.integrations.sites.matching import align
from mdchunk.integrations.sites.page_headings import PAGE, HeadingReader
from mdchunk.integrations.sites.source_headings import titles

INDEX = re.compile("_?index|readme", re.IGNORECASE)
NUMBER = re.compile(r"(?:\d+\s*[-_.]+\s*)+(?=[^-_.\s])")
"""Numbers and dates at the start of a name, which order files and are no part of addresses."""
RAREST = 3
"""So many headings of a document, those that the fewest pages have, say where to look for it."""
ENOUGH = 0.5
"""A page that has a smaller part of a document's headings is not its page."""

Tell = Callable[[str], None]


class Wanted(NamedTuple):
    """A heading that a document's page should have, and how what follows begins."""

    text: str
    lead: str


class Built(NamedTuple):
    """A built page: the HTML file, its address within the site, its title and its headings.

    ``stands`` is False for what only leads elsewhere.
    """

    file: str
    location: str
    title: str
    anchors: Sequence[Anchor]
    stands: bool


class Likeness(NamedTuple):
    """How much of a document a page has; a larger one is more like it.

    ``part`` is that of its headings, ``named`` tells whether the page's address ends with the
    document's name, ``leads`` counts its headings with what follows them, ``spare`` is the number
    of the page's headings, negative.
    """

    part: float
    named: bool
    leads: int
    spare: int


class Rank(NamedTuple):
    """A page that may be a document's; of equal likeness, the larger rank counts."""

    like: Likeness
    rank: int
    name: str
    file: str


class _PageReader(HeadingReader):
    """Reads what a page says of its address, too."""

    def __init__(self) -> None:
        super().__init__()
        self.canonical = ""
        self.moved = False
        self.title: list[str] | None = None
        self.in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the page's own address, and whether it only leads to another."""
        values = {name: (value or "").strip() for name, value in attrs}
        if tag == "link" and values.get("rel", "").lower() == "canonical":
            self.canonical = values.get("href", "")
        elif tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            self.moved = True
        elif tag == "title" and self.title is None:
            self.title, self.in_title = [], True
        super().handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close the title."""
        self.in_title = self.in_title and tag != "title"
        super().handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Take the text of the title."""
        if self.in_title and self.title is not None:
            self.title.append(data)
        super().handle_data(data)


class BuiltSite:
    """A folder of built pages; each is read when it is first asked for.

    ``bare`` says that ``name.html`` is found at ``name`` where the page does not say otherwise.
    """

    def __init__(self, folder: str, base_url: str, *, bare: bool, tell: Tell) -> None:
        self.folder = folder
        self.base_url = base_url
        self.bare = bare
        self.tell = tell
        self.files = sorted(_html_files(folder))
        self._pages: dict[str, Built] = {}

    def page(self, file: str) -> Built:
        """Return a page; one that cannot be read is told of, and has no headings."""
        if file not in self._pages:
            self._pages[file] = self._read(file)
        return self._pages[file]

    def _read(self, file: str) -> Built:
        try:
            with open(os.path.join(self.folder, file), encoding="utf-8", errors="replace") as text:
                html = text.read(PAGE + 1)
        except OSError as problem:
            self.tell(f"{file}: {problem.strerror}")
            html = ""
        if len(html) > PAGE:
            self.tell(f"{file}: what comes after {PAGE:,} characters is not read")
        reader = _PageReader()
        reader.read(html)
        location, stands = self._location(file, reader.canonical), bool(html) and not reader.moved
        title = comparable("".join(reader.title or ()))
        return Built(file, location, title, list(reader.anchors()), stands)

    def _location(self, file: str, canonical: str) -> str:
        """Return the address that a page gives to itself, if its file can be found there."""
        name = file.removesuffix("index.html") if _is_index(file) else file
        stem = file.removesuffix(".html")
        own = unquote(canonical.removeprefix(self.base_url))
        allowed = (file, name, stem, f"{stem}/", name.rstrip("/"))
        if canonical.startswith(self.base_url) and own in allowed:
            return quote(own)
        return quote(stem if self.bare and name == file else name)

    def assign(self, wanted: Mapping[str, Sequence[Wanted]]) -> dict[str, Built]:
        """Return the page of each document that has one, by the names of the documents' files.

        ``wanted`` has the headings of each. The path says where to look, and the headings whether
        that is the page; for the rest only the headings say it.
        """
        found = self._closest(wanted, _by_path(list(wanted), self.files), {}, _may_be)
        rest = {name: headings for name, headings in wanted.items() if name not in found}
        return found | self._closest(rest, self._by_headings(rest), found, _is_sure)

    def _closest(
        self,
        wanted: Mapping[str, Sequence[Wanted]],
        candidates: Mapping[str, Mapping[str, int]],
        taken: Mapping[str, Built],
        accepts: Callable[[Likeness, Sequence[Wanted]], bool],
    ) -> dict[str, Built]:
        """Give each page to the document it is most like; where two pages are, there is no telling.

        The candidates of a document have ranks, which decide between equals.
        """
        used = {page.file for page in taken.values()}
        ranked: list[Rank] = []
        for name, headings in wanted.items():
            for file, rank in candidates[name].items():
                page = self.page(file)
                if file in used or not page.stands:
                    continue
                like = _likeness(name, headings, page)
                if accepts(like, headings):
                    ranked.append(Rank(like, -rank, name, file))
        equals = Counter(it[:3] for it in ranked)
        found: dict[str, Built] = {}
        for it in sorted(ranked, key=_order):
            if it.name not in found and it.file not in used and equals[it[:3]] == 1:
                found[it.name] = self.page(it.file)
                used.add(it.file)
        return found

    def _by_headings(self, wanted: Mapping[str, Sequence[Wanted]]) -> dict[str, dict[str, int]]:
        """List, for each document, the pages that have one of its rarest headings, as equals."""
        pages: defaultdict[str, list[str]] = defaultdict(list)
        if wanted:
            for file in self.files:
                for text in {comparable(anchor.text) for anchor in self.page(file).anchors}:
                    pages[text].append(file)
        return {name: _holders(headings, pages) for name, headings in wanted.items()}


def _order(it: Rank) -> tuple[object, ...]:
    """Sort by likeness, largest first; ``index`` comes before ``README``."""
    return tuple(-value for value in (*it.like, it.rank)), it.name.casefold(), it.name


def _holders(headings: Sequence[Wanted], pages: Mapping[str, list[str]]) -> dict[str, int]:
    known = sorted((pages[it.text] for it in headings if it.text in pages), key=len)
    return {file: 0 for files in known[:RAREST] for file in files}


def _may_be(like: Likeness, headings: Sequence[Wanted]) -> bool:
    """Return whether a page of the right name is a document's: unless it has no heading of it."""
    return like.part > 0 or not headings


def _is_sure(like: Likeness, headings: Sequence[Wanted]) -> bool:
    """Return whether headings alone say that a page is a document's."""
    return like.part >= ENOUGH and (like.named or like.leads > 0) and bool(headings)


def _likeness(name: str, headings: Sequence[Wanted], page: Built) -> Likeness:
    there = Counter(comparable(anchor.text) for anchor in page.anchors)
    common = (Counter(it.text for it in headings) & there).total()
    # some themes show a page's title in the window alone, with the site's name behind
    if headings and headings[0].text not in there:
        common += page.title.startswith(headings[0].text)
    begun = {(comparable(anchor.text), anchor.lead) for anchor in page.anchors if anchor.lead}
    leads = sum((it.text, it.lead) in begun for it in headings)
    named = _folded(page.file.removesuffix("/index.html").removesuffix(".html"))
    last = named.rpartition("/")[2]
    own = _folded(posixpath.splitext(posixpath.basename(name))[0])
    part = common / len(headings) if headings else 0.0
    return Likeness(part, bool(own) and last == own, leads, -len(page.anchors))


def headings_of(document: Document) -> list[Wanted]:
    """List the headings that a document's page should have; a title of the front matter too."""
    found = [Wanted(comparable(it.text), it.lead) for it in titles(document) if it.own]
    title = comparable(document.title or "")
    if title and all(it.text != title for it in found):
        found.insert(0, Wanted(title, ""))
    return [it for it in found if it.text]


def places_of(document: Document, page: Built) -> list[Place]:
    """Return, for each heading, the id that a built page has for it.

    Where a page's title has no id, what is below it is found at the page's top.
    """
    places = align(document, page.anchors)
    bare_title = bool(places) and places[0].title.level == 1 and not places[0].id
    return places[1:] if bare_title else places


def _html_files(folder: str) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders.sort()
        inner = os.path.relpath(path, folder).replace(os.sep, "/")
        for name in names:
            if name.endswith(".html"):
                yield posixpath.normpath(posixpath.join(inner, name))


def _by_path(names: Sequence[str], files: Sequence[str]) -> dict[str, dict[str, int]]:
    """List the pages that each file may have by its path, with their ranks, the likeliest 0.

    Names are compared as they are, then without what generators change in them.
    """
    exact = set(files)
    folded: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        folded[_folded(file.removesuffix(".html"))].append(file)
    found: dict[str, dict[str, int]] = {}
    for name in names:
        stems = list(enumerate(_stems(name)))
        same = {f"{stem}.html": rank for rank, stem in stems if f"{stem}.html" in exact}
        alike = {file: rank for rank, stem in stems for file in folded.get(_folded(stem), ())}
        found[name] = same or alike
    return found


def _stems(name: str) -> Iterator[str]:
    """Name what a file's page may be called, without its suffix."""
    own = posixpath.splitext(name)[0]
    folder, stem = posixpath.split(own)
    yield own
    yield f"{own}/index"
    if INDEX.fullmatch(stem) or stem.casefold() == posixpath.basename(folder).casefold():
        yield posixpath.join(folder, "index")
        if folder:
            yield folder


def _folded(path: str) -> str:
    """Fold a path as generators do: case, marks, and numbers that order files."""
    parts = unicodedata.normalize("NFC", path).split("/")
    return "/".join(comparable(NUMBER.sub("", part, count=1)) or part for part in parts)


def _is_index(file: str) -> bool:
    return posixpath.basename(file) == "index.html"
