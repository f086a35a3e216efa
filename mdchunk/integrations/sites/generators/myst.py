"""MyST-Parser's ``myst_heading_anchors``, in Sphinx."""

from __future__ import annotations

import re

from mdchunk.integrations.sites.generator import Generator, Taken
from mdchunk.integrations.sites.heading_source import NOTHING, changed, is_tag, spaced
from mdchunk.integrations.sites.slugs import hyphenated


def slug(text: str) -> str:
    """Slug as MyST-Parser does for ``myst_heading_anchors``."""
    return re.sub(r"[^\w\u4e00-\u9fff\- ]", "", text.lower().replace(" ", "-"))


def _again(slug: str, taken: Taken) -> str:
    return hyphenated(slug, taken) if slug else ""


def typed(content: str) -> str:
    """Drop images, tags and notes, and keep the blanks round them."""

    def construct(part: str) -> str:
        dropped = part.startswith(("![", "[^")) or is_tag(part)
        return NOTHING if dropped else part

    return spaced("".join(changed(content, str, construct)))


GENERATOR = Generator(
    name="myst",
    slug=slug,
    again=_again,
    typed=typed,
    nested=False,
    explicit=False,
    urls="html",
)
