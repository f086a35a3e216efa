"""The ids of headings, made by a generator's rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from mdchunk.integrations.sites.generator import Generator, Taken
from mdchunk.integrations.sites.headings import BRACES, Title


def to_ascii(text: str) -> str:
    """Drop the accents of letters, and what has no ASCII form."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def hyphenated(slug: str, taken: Taken) -> str:
    """Count on from 1 behind a hyphen: the way of github-slugger and most others."""
    found = slug
    while found in taken:
        taken[slug] += 1
        found = f"{slug}-{taken[slug]}"
    return found


def make_ids(titles: Sequence[Title], generator: Generator) -> list[str]:
    """Return the id of each heading, in order; one that gets none has an empty text."""
    taken: Taken = {}
    if generator.ahead:
        taken.update((title.explicit, 0) for title in titles if title.explicit)
    made = [_id(title, generator, taken) for title in titles]
    shown = (generator.title or title.level > 1 for title in titles)
    return [id_ if shows else "" for id_, shows in zip(made, shown, strict=True)]


def _id(title: Title, generator: Generator, taken: Taken) -> str:
    if title.raw:
        return title.explicit
    if not (title.own or generator.nested):
        return ""
    if title.explicit and generator.explicit:
        taken.setdefault(title.explicit, 0)
        return title.explicit
    text = (BRACES.sub("", title.text) or title.text) if generator.braces else title.text
    if title.explicit:
        text += f" {{#{title.explicit}}}"
    found = generator.again(generator.slug(text), taken)
    taken.setdefault(found, 0)
    return found
