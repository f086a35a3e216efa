"""Docutils, by which Sphinx calls its sections."""

from __future__ import annotations

import re

from mdchunk.integrations.sites.generator import Generator, Taken
from mdchunk.integrations.sites.heading_source import changed, without_image
from mdchunk.integrations.sites.slugs import to_ascii

LETTERS = str.maketrans(
    dict(
        zip("ßæœȸȹ", ("sz", "ae", "oe", "db", "qp"), strict=True),
        **dict(
            zip(
                "øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ",
                "odhiltbbcdfklnpttyzgzlntjcszejqry",
                strict=True,
            )
        ),
    )
)
"""What docutils' make_id writes for letters that do not decompose."""


def slug(text: str) -> str:
    """Slug as docutils' make_id does."""
    text = to_ascii(text.lower().translate(LETTERS))
    text = re.sub(r"[^a-z0-9]+", "-", " ".join(text.split()))
    return re.sub(r"\A[-0-9]+|-+\Z", "", text)


def counted(slug: str, taken: Taken) -> str:
    """Count the ids of a document that its slugs are not enough for."""
    while slug in taken or not slug:
        taken[""] = taken.get("", 0) + 1
        slug = f"id{taken['']}"
    return slug


def typed(content: str) -> str:
    """Drop images."""
    return "".join(changed(content, str, without_image))


GENERATOR = Generator(
    name="docutils",
    tools="Sphinx",
    slug=slug,
    again=counted,
    typed=typed,
    explicit=False,
    urls="html",
)
