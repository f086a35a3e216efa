"""The addresses of pages by the names of their files alone, and what several generators share."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from urllib.parse import quote

from mdchunk.integrations.sites.generator import FrontMatter, Generator, Read, Urls


def _by_names(form: Callable[[str], str], index: str = "") -> Urls:
    """Return a form of addresses; ``index`` is the file name in that of a folder's page."""

    def locate(names: Iterable[str], generator: Generator, _: Read) -> dict[str, str]:
        """Go by the names alone; a second file that could be a folder's makes no page."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        pages = filter(generator.makes_page, names)
        for name in sorted(pages, key=lambda name: stem(name).lower() == "readme"):
            folder, own = posixpath.dirname(name), stem(name)
            where = form(posixpath.join(folder, own))
            if generator.index.fullmatch(own):
                where = (f"{folder}/" if folder else "") + index
                if where in taken:
                    continue
                taken.add(where)
            found[name] = quote(where)
        return found

    return Urls(locate)


FORMS: Mapping[str, Urls] = MappingProxyType(
    {
        "directory": _by_names("{}/".format),
        "html": _by_names("{}.html".format, "index.html"),
        "bare": _by_names(str),
    }
)
"""Forms of ``Guide/Set Up.md``: ``Guide/Set Up/``, ``Guide/Set Up.html`` and ``Guide/Set Up``."""


def stem(name: str) -> str:
    """Return the name of a file without its folder and suffix."""
    return posixpath.splitext(posixpath.basename(name))[0]


def said(metadata: FrontMatter, key: str) -> str:
    """Return what front matter says as text; nothing else than a text or number counts."""
    value = metadata.get(key)
    return str(value) if isinstance(value, (str, int, float)) else ""
