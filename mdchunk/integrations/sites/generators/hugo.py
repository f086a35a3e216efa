"""Hugo: the ids of its headings, and addresses by its own permalinks."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from urllib.parse import quote

from mdchunk.integrations.sites.generator import FrontMatter, Generator, Read, Urls
from mdchunk.integrations.sites.heading_source import ADDRESS, NOTHING, TAG, changed, spaced
from mdchunk.integrations.sites.slugs import hyphenated
from mdchunk.integrations.sites.urls import said, stem

KEPT = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd"})
DASHES = re.compile("---?")
WWW = re.compile(r"(?<!\w)www\.[^\s<]+")
INDEX = re.compile("_?index", re.IGNORECASE)
MARKS = frozenset("-./\\_#+~@%")
EXPIRES = ("expirydate", "unpublishdate")
PUBLISHED = ("publishdate", "pubdate", "published", "date")
"""The keys of a date in front matter, the first that is there counts."""
LONE_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")


def slug(text: str) -> str:
    """Slug as Hugo does by default, which is nearly as GitHub does."""
    # each alone: Σ at a word's end is no other letter than before
    kept = (c.lower()[0] for c in text if c in "- _" or unicodedata.category(c) in KEPT)
    return "".join(kept).replace(" ", "-") or "heading"


def typed(content: str) -> str:
    """Set dashes as Hugo's typographer does, and drop addresses, of which it makes no id."""

    def text(part: str) -> str:
        return DASHES.sub("–", WWW.sub(NOTHING, part))

    def construct(part: str) -> str:
        dropped = ADDRESS.match(part) or TAG.match(part)
        return NOTHING if dropped or part == "&nbsp;" else part

    return spaced("".join(changed(content, text, construct)).strip(f" {NOTHING}"))


def locate(names: Iterable[str], _: Generator, read: Read) -> dict[str, str]:
    """Return addresses as Hugo does, by its own permalinks.

    What stands beside or below an ``index.md`` makes no page, an ``_index.md`` neither, nor does
    what is not to be rendered, has expired or is to be published later.
    """
    now = datetime.now(timezone.utc)
    files = sorted(names)
    bundles = {posixpath.dirname(name) for name in files if stem(name).lower() == "index"}
    pages = {name: {key.lower(): value for key, value in read(name).items()} for name in files}
    slugs = {
        posixpath.dirname(name): said(metadata, "slug")
        for name, metadata in pages.items()
        if stem(name).lower() == "_index"
    }
    found: dict[str, str] = {}
    for name, metadata in pages.items():
        above = _above(posixpath.dirname(name))
        own = stem(name).lower() == "index"
        inside = not bundles.isdisjoint(above[:-1] if own else above)
        if not inside and _is_rendered(metadata) and _is_current(metadata, now):
            url = _own_url(metadata)
            found[name] = quote(_path(name, metadata, slugs) if url is None else url)
    return found


def _above(folder: str) -> list[str]:
    """List a folder and those that hold it; the top's name is empty."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _is_rendered(metadata: FrontMatter) -> bool:
    build = metadata.get("build")
    asked = build.get("render") if isinstance(build, Mapping) else None
    return metadata.get("headless") is not True and asked not in ("never", "link", False)


def _is_current(metadata: FrontMatter, now: datetime) -> bool:
    expires, published = _date(metadata, EXPIRES), _date(metadata, PUBLISHED)
    return (expires is None or now <= expires) and (published is None or published <= now)


def _date(metadata: FrontMatter, keys: Iterable[str]) -> datetime | None:
    """Return the first date of several keys; one without a zone is in UTC, as Hugo has it."""
    written = next((metadata[key] for key in keys if metadata.get(key)), None)
    try:
        found = datetime.fromisoformat(str(written).strip().replace("Z", "+00:00"))
    except ValueError:  # none, or written as no date is known to be
        return None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def _own_url(metadata: FrontMatter) -> str | None:
    """Return the address that front matter sets; one that Hugo makes of ``:parts`` is not known."""
    url = said(metadata, "url")
    if not url or ":" in url:
        return None
    where = posixpath.normpath(f"/{url}").lstrip("/")
    is_file = not where or ("." in url and not url.endswith("/"))
    return where if is_file else f"{where}/"


def _path(name: str, metadata: FrontMatter, slugs: Mapping[str, str]) -> str:
    """Join what the sections and the page are called: by their slugs, else by their names."""
    folder, own = posixpath.dirname(name), stem(name)
    if INDEX.fullmatch(own):
        folder, own = posixpath.split(folder)
    parts = [slugs.get(above) or posixpath.basename(above) for above in _above(folder)[1:]]
    last = (said(metadata, "slug") or own) if own else ""  # the home page is where it is
    return _address("/".join([*parts, last]))


def _address(name: str) -> str:
    """Name a page as Hugo does: in lower case, with dashes for spaces and few other marks."""
    made = "".join(map(_character, LONE_PERCENT.sub("", name)))
    where = posixpath.normpath(f"/{made}").lstrip("/")
    return f"{where}/" if where else ""


def _character(character: str) -> str:
    if character.isspace():
        return "-"
    category = unicodedata.category(character)
    kept = character in MARKS or category[0] in "LM" or category == "Nd"
    # each alone: Σ at a word's end is no other letter than before
    return character.lower()[0] if kept else ""


GENERATOR = Generator(
    name="hugo",
    slug=slug,
    again=hyphenated,
    typed=typed,
    index=INDEX,
    urls="hugo",
    own_urls=Urls(locate),
)
