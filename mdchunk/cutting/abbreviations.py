"""Which dots end no sentence: those of abbreviations, initials, ordinals and items in a line."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mdchunk.lines import pattern

REACH = 32
"""Code points before a dot that are looked at."""
DEEPEST = 3
"""So many dots are looked at for the sake of one behind them."""
BEFORE = pattern(
    r"(?:\A|(?<=[\s(\[*_~/\"'„“«‚‘¿¡§])|(?<=[-‐–])(?=[^\W\d_]\.))"
    r"(?P<word>[^\W\d_]+(?:\.[^\W\d_]+)*)\.\Z"
)
"""The word that a dot ends; behind a hyphen only letters with dots, as in ``EU-U.S.``."""
ROMAN = pattern(r"(?:[\r\n]|&\w+;|<[^<>]*>)[\s>*_]*[ivxlc]{2,6}\.\Z")
"""A small Roman number before the text of an item, at the start of its line."""
NUMBER = pattern(r"(?P<before>\A|\S*\s+|[(\[])(?P<mark>\(?)(?P<number>\d{1,2})\.\Z")
INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
WORDS_OF_A_LETTER = frozenset("IЯяàéèù")
"""What is no initial, and may end a sentence."""
VOWEL = pattern(r"[aeiouyàâäáãåæéèêëíìîïóòôöõøœúùûüýąęěůőűаеёиоуыэюяіїєα-ω]", re.IGNORECASE)
COUNTED = re.compile(r"[\[(]?\d|§|[IVX]{2,}\b")
"""How what is counted goes on: ``Fig. 3``, ``ref. [4]``."""
LETTERED = re.compile(r"[B-HJ-Z](?![^\W\d_])|[A-Z]\.")
"""A letter alone, as in ``App. B``; ``A`` and ``I`` are words too."""
SHORT = 5
"""Letters that a word has at most if its form alone tells that it is an abbreviation."""
ORDINAL_BEHIND = pattern(
    r"(?:Jan(?:uar|uary|\.)?|Jänner|Feb(?:ruar|ruary|er|\.)?|März|Mär\.|March|Mar\.|Apr(?:il|\.)?|Mai|May"
    r"|Jun[ei]?|Jul[iy]?|Aug(?:ust|\.)?|Sep(?:t\.|tember|\.)?|O[kc]t(?:ober|\.)?|Nov(?:ember|\.)?"
    r"|De[zc](?:ember|\.)?|Jahrhundert|Jahrtausend|Jh|Auflage|Aufl|Klasse|Stock|Bezirk|Mal)\b"
)
"""What comes behind an ordinal number: a month, or what German counts with a dot."""
ORDINAL_BEFORE = frozenset(
    re.findall(
        r"\w+",
        "der die das dem den des am im zum zur vom beim ab bis seit ein eine einem einen einer"
        " eines jede jeder jedem jeden jedes sein ihr unser dieser diesem diesen ins ans und",
    )
)
"""German words that a noun follows, so that the number between them is an ordinal."""
STOPS = frozenset(".!?:;…。！？：；")
"""Behind what a number begins: an item's, if a dot follows it."""


class Abbreviations(NamedTuple):
    """Words whose dot ends no sentence, and words whose dot ends none before a number."""

    sure: frozenset[str]
    others: frozenset[str]


@lru_cache(maxsize=1)
def kept() -> Abbreviations:
    """Return the words of the lists of CLDR and sentencex (tools/abbreviations.py)."""
    path = Path(__file__).parent / "data" / "abbreviations.txt"
    sure, others = path.read_text(encoding="utf-8").split("\n")[:2]
    return Abbreviations(frozenset(sure.split()), frozenset(others.split()))


def goes_on(source: str, start: int, dot: int, following: int, depth: int = 0) -> bool:
    """Return whether a sentence goes on behind a single dot; text follows at ``following``.

    ``depth`` counts the dots behind it that have asked for this one.
    """
    before = source[max(start, dot - REACH) : dot + 1]
    if before[-2:-1].isdigit():
        number = NUMBER.search(before)
        return number is not None and _is_ordinal(number, source, start, dot, following, depth)
    if ROMAN.search(before if dot - start >= REACH else f"\n{before}"):
        return True
    found = BEFORE.search(before)
    if found is None:
        return False
    word = found["word"]
    if INITIALS.fullmatch(word):
        return word not in WORDS_OF_A_LETTER
    lists = kept()
    if _listed(word, lists.sure) or _is_bare(word):
        return True
    if _listed(word, lists.others) and COUNTED.match(source, following):
        return True
    if not word[0].isupper() or len(word) > SHORT:
        return False
    if LETTERED.match(source, following) or (
        source.startswith("A ", following) and _listed(word, lists.others)
    ):
        return True
    counted = COUNTED.match(source, following) is not None
    return counted and _is_inside(source, start, dot - len(word), depth)


def _listed(word: str, words: frozenset[str]) -> bool:
    """Return whether a list has a word, perhaps with a small first letter, or with a capital."""
    return word in words or word.lower() in words or word.capitalize() in words


def _is_bare(word: str) -> bool:
    """Return whether a word has no vowel: ``Bd``, ``nr``; longer ones are names of programs too."""
    capital = word[0].isupper() and word[1:].islower()
    return not VOWEL.search(word) and (capital or (word.islower() and len(word) == 2))


def _is_inside(source: str, start: int, word: int, depth: int) -> bool:
    """Return whether a word stands within a sentence and not at its start."""
    lead = source[max(start, word - REACH) : word].rstrip(" \t([*_\"'„“«")
    if lead[-1:] == ".":
        if lead[-2:-1].isdigit():
            return False  # the first word of an item
        stop = max(start, word - REACH) + len(lead) - 1
        return depth < DEEPEST and goes_on(source, start, stop, word, depth + 1)
    return bool(lead) and lead[-1] not in STOPS


def _is_ordinal(
    found: re.Match[str], source: str, start: int, dot: int, following: int, depth: int
) -> bool:
    """Return whether a number with a dot is an ordinal (``3. Mai``) or an item's (``1. Open``)."""
    lead = found["before"].strip()
    if lead[-1:] == ".":
        end = dot - len(found[0]) + 1 + len(found["before"].rstrip())
        number = dot - len(found["number"])
        return depth >= DEEPEST or not goes_on(source, start, end - 1, number, depth + 1)
    if not lead.strip("(["):
        return found.start() == 0 and dot - start < REACH
    if lead.rstrip("*_~`\"'”’»)]")[-1:] in STOPS or lead.lower() in ORDINAL_BEFORE:
        return True
    return ORDINAL_BEHIND.match(source, following) is not None
