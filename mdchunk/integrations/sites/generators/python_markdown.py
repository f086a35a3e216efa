"""Python-Markdown, and what is built on it: MkDocs, Zensical, and Pelican with its headers."""

from __future__ import annotations

import re

from mdchunk.integrations.sites.generator import NO_HEADER, Generator, Header, Taken
from mdchunk.integrations.sites.heading_source import changed, without_emoji, without_image
from mdchunk.integrations.sites.slugs import to_ascii
from mdchunk.lines import BOM, Lines

NUMBERED = re.compile(r"(.*)_([0-9]{1,600})")
"""A slug that ends in a number; Python may be set to read no more than 640 digits."""
KEY = re.compile(r" {0,3}([A-Za-z0-9_-]+):[ \t]*([^\r\n]*)")
MORE = re.compile(r"(?: {4}|\t)[ \t]*([^\s][^\r\n]*)")
BLANK = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def slug(text: str) -> str:
    """Slug as Python-Markdown's toc extension does by default."""
    text = re.sub(r"[^\w\s-]", "", to_ascii(text)).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def underscored(slug: str, taken: Taken) -> str:
    """Count on from the number that a slug ends with, or from 1."""
    passed: list[str] = []
    number = 0
    while slug in taken or not slug:
        passed.append(slug)
        numbered = NUMBERED.fullmatch(slug)
        base, number = (numbered[1], int(numbered[2])) if numbered else (slug, 0)
        # all between an id and the last that was made of it are taken
        number = taken.get(slug) or number + 1
        slug = f"{base}_{number}"
    taken.update(dict.fromkeys(passed, number))
    return slug


def typed(content: str) -> str:
    """Drop images, and codes of emoji and icons: who writes them has what draws them."""
    return "".join(changed(content, without_emoji, without_image))


def find_header(source: str) -> Header:
    """Find the header of an article of Pelican: ``Title: …`` and other keys.

    What has no title may be text that looks like one.

    Source: the extension ``meta`` of Python-Markdown, which Pelican needs.
    """
    found: dict[str, list[str]] = {}
    last = ""
    lines, start = 0, len(BOM) if source.startswith(BOM) else 0
    if not KEY.match(source, start):
        return NO_HEADER  # as most have none, their lines need not be found
    ends = [*Lines(source).starts[1:], len(source)]  # the end of a source ends its header too
    while match := KEY.match(source, start) or (last and MORE.match(source, start)):
        if match.re is KEY:
            last = match[1].lower()
        found.setdefault(last, []).append(match[match.re.groups].strip())
        lines, start = lines + 1, ends[lines]
    if not any(found.get("title", ())) or not BLANK.match(source, start):
        return NO_HEADER
    said = {name: "\n".join(filter(None, values)) for name, values in found.items()}
    return Header(said, lines + 1, ends[lines])


GENERATOR = Generator(
    name="python-markdown",
    tools="Zensical, MkDocs, Pelican",
    slug=slug,
    again=underscored,
    typed=typed,
    braces=True,
    ahead=True,
    index=re.compile("index|README"),
    urls="directory",
    header=find_header,
)
