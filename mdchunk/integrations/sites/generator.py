"""What a generator of sites does with headings and files: the protocol that each one fills in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

FrontMatter = Mapping[str, object]
Read = Callable[[str], FrontMatter]
"""Reads the front matter of a file, by its name; asked only where an address depends on it."""
Taken = dict[str, int]
"""The ids given so far, each with the last number that made another of it; 0 if none did."""


class Header(NamedTuple):
    """What stands above a text, and how many lines and code points it takes with the blank one."""

    metadata: Mapping[str, str]
    lines: int
    end: int


NO_HEADER = Header({}, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """A generator's rules, each as its tool has it.

    name: what ``--anchors`` calls it; ``tools`` names others that do the same.
    slug: the id of one text.
    again: the id of a slug where some ids are taken; a slug may be empty.
    typed: what becomes of a heading's Markdown before an id is made of its text.
    nested: whether headings in lists, quotes and admonitions get ids.
    explicit: whether an id in braces is read.
    braces: whether whatever stands in braces at a heading's end is dropped.
    ahead: whether ids of authors are reserved before any is made.
    title: whether a heading of level 1 shows the id that is made of it.
    index: the names of files, without suffix, that are their folder's page.
    makes_page: whether a file makes a page, by its name.
    urls: the form of addresses that most of its sites have, a key of ``URLS``.
    own_urls: a form of its own, which ``--urls`` calls by the generator's name.
    header: what stands above the text in place of front matter.
    """

    name: str
    tools: str = ""
    slug: Callable[[str], str]
    again: Callable[[str, Taken], str]
    typed: Callable[[str], str]
    nested: bool = True
    explicit: bool = True
    braces: bool = False
    ahead: bool = False
    title: bool = True
    index: re.Pattern[str] = re.compile("index")
    makes_page: Callable[[str], bool] = bool
    urls: str
    own_urls: Urls | None = None
    header: Callable[[str], Header] = lambda _: NO_HEADER


class Urls(NamedTuple):
    """A form of addresses.

    locate: the URL of each file within the site, of those that make a page.
    part: what the first folder is called in the navigation.
    """

    locate: Callable[[Iterable[str], Generator, Read], dict[str, str]]
    part: Callable[[str], str] = str
