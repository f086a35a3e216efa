"""The ids that generators make of headings, each rule as its tool has it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from mdchunk.integrations.sites import heading_source
from mdchunk.integrations.sites.anchors import BRACES, Title

NUMBERED = re.compile(r"(.*)_([0-9]{1,600})")
"""A slug that ends in a number; Python may be set to read no more than 640 digits."""
VITEPRESS_SPECIAL = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
VITEPRESS_DROPPED = re.compile("[\u0300-\u036f\u0000-\u001f]")
LETTERS_OF_DOCUTILS = str.maketrans(
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
ALPHABETIC = frozenset({"Nl", "Nd", "Pc", "Mn", "Mc", "Me"})

HUGO_KEPT = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd"})


def python_markdown(text: str) -> str:
    """Slug as Python-Markdown's toc extension does by default (MkDocs, Zensical, Pelican)."""
    text = _ascii(text)
    text = re.sub(r"[^\w\s-]", "", text).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def github(text: str) -> str:
    """Slug as github-slugger does (GitHub, Docusaurus)."""
    kept = (c for c in text.lower() if c in "- " or _alphabetic(c))
    return "".join(kept).replace(" ", "-")


def _alphabetic(character: str) -> bool:
    circled = "\u24b6" <= character <= "\u24e9"
    return character.isalpha() or unicodedata.category(character) in ALPHABETIC or circled


def hugo(text: str) -> str:
    """Slug as Hugo does by default, which is nearly as GitHub does."""
    # each alone: Σ at a word's end is no other letter than before
    kept = (c.lower()[0] for c in text if c in "- _" or unicodedata.category(c) in HUGO_KEPT)
    return "".join(kept).replace(" ", "-") or "heading"


def vitepress(text: str) -> str:
    """Slug as @mdit-vue/shared does (VitePress)."""
    text = VITEPRESS_DROPPED.sub("", unicodedata.normalize("NFKD", text))
    text = re.sub(r"-{2,}", "-", VITEPRESS_SPECIAL.sub("-", text)).strip("-")
    return re.sub(r"\A([0-9])", r"_\1", text).lower()


def myst(text: str) -> str:
    """Slug as MyST-Parser does for ``myst_heading_anchors``."""
    return re.sub(r"[^\w\u4e00-\u9fff\- ]", "", text.lower().replace(" ", "-"))


def docutils(text: str) -> str:
    """Slug as docutils' make_id does (Sphinx)."""
    text = _ascii(text.lower().translate(LETTERS_OF_DOCUTILS))
    text = re.sub(r"[^a-z0-9]+", "-", " ".join(text.split()))
    return re.sub(r"\A[-0-9]+|-+\Z", "", text)


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


Taken = dict[str, int]
"""The ids given so far, each with the last number that made another of it; 0 if none did."""


def _underscored(slug: str, taken: Taken) -> str:
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


def _hyphenated(slug: str, taken: Taken) -> str:
    found = slug
    while found in taken:
        taken[slug] += 1
        found = f"{slug}-{taken[slug]}"
    return found


def _hyphenated_if_any(slug: str, taken: Taken) -> str:
    return _hyphenated(slug, taken) if slug else ""


def _counted(slug: str, taken: Taken) -> str:
    # the counter is the document's, whatever the slug
    while slug in taken or not slug:
        taken[""] = taken.get("", 0) + 1
        slug = f"id{taken['']}"
    return slug


class Rule(NamedTuple):
    """How a tool makes ids: of one text, and of one that it had before.

    ``nested`` tells whether headings in lists, quotes and admonitions get ids, ``explicit``
    whether an id in braces is read, ``braces`` whether whatever stands in braces at the end is
    dropped, ``ahead`` whether ids of authors are reserved before any is made, and ``title`` whether
    a heading of level 1 shows the id that is made of it. ``typed`` is what becomes of a heading's
    Markdown before.
    """

    slug: Callable[[str], str]
    again: Callable[[str, Taken], str]
    nested: bool = True
    explicit: bool = True
    braces: bool = False
    ahead: bool = False
    title: bool = True
    typed: Callable[[str], str] | None = None


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "python-markdown": Rule(
            python_markdown,
            _underscored,
            braces=True,
            ahead=True,
            typed=heading_source.python_markdown,
        ),
        "github": Rule(github, _hyphenated, typed=heading_source.github),
        "docusaurus": Rule(github, _hyphenated, title=False, typed=heading_source.github),
        "hugo": Rule(hugo, _hyphenated, typed=heading_source.hugo),
        "myst": Rule(
            myst, _hyphenated_if_any, nested=False, explicit=False, typed=heading_source.myst
        ),
        "docutils": Rule(docutils, _counted, explicit=False, typed=heading_source.docutils),
        "vitepress": Rule(vitepress, _hyphenated, braces=True, typed=heading_source.vitepress),
    }
)


def make_ids(titles: Sequence[Title], rule: Rule) -> list[str]:
    """Return the id of each heading, in order; one that gets none has an empty text."""
    taken: Taken = {}
    if rule.ahead:
        taken.update((title.explicit, 0) for title in titles if title.explicit)
    made = [_id(title, rule, taken) for title in titles]
    shown = (rule.title or title.level > 1 for title in titles)
    return [id_ if shows else "" for id_, shows in zip(made, shown, strict=True)]


def _id(title: Title, rule: Rule, taken: Taken) -> str:
    if title.raw:
        return title.explicit
    if not (title.own or rule.nested):
        return ""
    if title.explicit and rule.explicit:
        taken.setdefault(title.explicit, 0)
        return title.explicit
    text = (BRACES.sub("", title.text) or title.text) if rule.braces else title.text
    if title.explicit:
        text += f" {{#{title.explicit}}}"
    found = rule.again(rule.slug(text), taken)
    taken.setdefault(found, 0)
    return found
