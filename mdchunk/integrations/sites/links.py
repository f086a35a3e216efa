"""The text of a page for an answer: links that lead from anywhere to where the page's own lead."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from mdchunk.cutting.repeatable import Repeatable, repeatable
from mdchunk.document import Document, targets_of

Find = Callable[[str], str | None]
"""Where a file is within the site, by its path from the root of the sources; None if that is not
known."""
KEPT = "!$&'*+,;=:@/?#-._~%"
"""What may stand in an address as it is, also between the brackets of Markdown (RFC 3986)."""


NO_LABELS: Mapping[str, str] = MappingProxyType({})
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Where(NamedTuple):
    """A page of a site: the path of its source, its whole address, and that of the site's root.

    ``find`` knows the addresses of the site's files, ``labels`` those of what links may name.
    """

    source: str
    url: str
    base_url: str
    find: Find
    labels: Mapping[str, str] = NO_LABELS


class Edit(NamedTuple):
    """What is to stand in place of ``text[start:end]``."""

    start: int
    end: int
    text: str


class LinkedText:
    """A page's text in which each relative link has its whole address, if its page has one."""

    __slots__ = ("_edits", "_repeatable", "text")

    def __init__(self, document: Document, where: Where | None) -> None:
        self.text = document.source
        self._edits = list(_edits(document, where)) if where else []
        self._repeatable: Repeatable = repeatable(
            document.source, document.lines, document.structure, full=where is not None
        )

    def between(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` with whole addresses."""
        parts, reached = [], start
        for edit in self._edits[bisect_left(self._edits, (start,)) :]:
            if edit.end > end:
                break
            parts += [self.text[reached : edit.start], edit.text]
            reached = edit.end
        return "".join([*parts, self.text[reached:end]])

    def alone(self, start: int, end: int) -> str:
        """Return the same with the link definitions behind it that it uses and lacks."""
        found = [
            definition
            for _, definition in self._repeatable.uses(self.text[start:end])
            if not (start <= definition.start < end or definition.label.startswith("^"))
        ]
        behind = [self.between(it.start, it.end).rstrip("\r\n") for it in dict.fromkeys(found)]
        own = self.between(start, end)
        return "\n".join([own.rstrip("\r\n") + "\n", *behind]) if behind else own


def _edits(document: Document, where: Where) -> Iterator[Edit]:
    for start, end, target, html in targets_of(document):
        found = whole_address(target, where, html=html)
        if found != target:
            yield Edit(start, end, escape(found) if html else found)


def whole_address(target: str, where: Where, *, html: bool = False) -> str:
    """Return the address that a link of a page leads to.

    In Markdown a file or label that the site knows is where the site has it, files by their path
    from the page's source. Anything else is what a browser makes of it on the page, as all is in
    HTML, which generators leave alone. What is whole already, or a template's, stays.
    """
    try:
        parts = urlsplit(target)
    except ValueError:  # brackets that hold no address
        return target
    if parts.scheme or target.startswith("//") or not target or "{" in target:
        return target
    label = target.removeprefix("#")
    if label in where.labels and not html:
        return within(where.labels[label], where.base_url)
    found = where.find(_path(parts.path, where.source)) if parts.path and not html else None
    if found is None:
        return urljoin(where.url, quote(target, safe=KEPT))
    rest = urlunsplit(("", "", "", parts.query, parts.fragment))
    return within(found, where.base_url) + quote(rest, safe=KEPT)


def _path(path: str, source: str) -> str:
    """Return a path from the root of the sources; what begins with a slash is from there too."""
    folder = posixpath.dirname(source)
    return posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/")


def within(location: str, base_url: str) -> str:
    """Return the whole address of a location within a site, relative to its root without one."""
    # the root itself, and a name with a colon, would be read as something else
    plain = location and not location.startswith("#") and not SCHEME.match(location)
    relative = location if plain else f"./{location}"
    return urljoin(base_url, relative) if base_url else relative
