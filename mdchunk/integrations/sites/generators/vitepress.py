"""VitePress: the ids of its headings, and what makes a page there."""

from __future__ import annotations

import re
import unicodedata

from mdchunk.integrations.sites.generator import Generator
from mdchunk.integrations.sites.heading_source import BREAK, changed, without_emoji, without_image
from mdchunk.integrations.sites.slugs import hyphenated

SPECIAL = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
DROPPED = re.compile("[\u0300-\u036f\u0000-\u001f]")
CONTROL = re.compile(r"[\t\v\f\n]")
DYNAMIC = re.compile(r"\[\w+\]", re.ASCII)
"""What stands in the name of a template, of which VitePress makes pages by data."""


def slug(text: str) -> str:
    """Slug as @mdit-vue/shared does."""
    text = DROPPED.sub("", unicodedata.normalize("NFKD", text))
    text = re.sub(r"-{2,}", "-", SPECIAL.sub("-", text)).strip("-")
    return re.sub(r"\A([0-9])", r"_\1", text).lower()


def typed(content: str) -> str:
    """Drop emoji codes and images, and keep entities and notes as they are written."""

    def construct(part: str) -> str:
        return f"\\{part}" if part.startswith(("&", "[^")) else without_image(part)

    text = "".join(changed(content, without_emoji, construct))
    return CONTROL.sub("", BREAK.sub("", text))


def makes_page(name: str) -> bool:
    """Return whether a file is no template."""
    return not DYNAMIC.search(name)


GENERATOR = Generator(
    name="vitepress",
    slug=slug,
    again=hyphenated,
    typed=typed,
    braces=True,
    makes_page=makes_page,
    urls="html",
)
