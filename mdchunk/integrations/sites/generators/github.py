"""GitHub, and generators that call headings as it does."""

from __future__ import annotations

import re
import unicodedata

from mdchunk.integrations.sites import heading_source
from mdchunk.integrations.sites.generator import Generator
from mdchunk.integrations.sites.slugs import hyphenated

ALPHABETIC = frozenset({"Nl", "Nd", "Pc", "Mn", "Mc", "Me"})


def slug(text: str) -> str:
    """Slug as github-slugger does (GitHub, Docusaurus)."""
    kept = (c for c in text.lower() if c in "- " or _alphabetic(c))
    return "".join(kept).replace(" ", "-")


def _alphabetic(character: str) -> bool:
    circled = "\u24b6" <= character <= "\u24e9"
    return character.isalpha() or unicodedata.category(character) in ALPHABETIC or circled


GENERATOR = Generator(
    name="github",
    slug=slug,
    again=hyphenated,
    typed=heading_source.github,
    index=re.compile("index|readme", re.IGNORECASE),
    urls="directory",
)
