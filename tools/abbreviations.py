"""Write mdchunk/cutting/data/abbreviations.txt from lists that others keep.

    npm pack cldr-segments-full && tar xzf cldr-segments-full-*.tgz
    pip download --no-deps "sentencex<1" && unzip sentencex-*.whl
    pip install wordfreq
    python tools/abbreviations.py package/segments sentencex/languages

The sources are CLDR's sentence break suppressions, and the lists of sentencex for languages that
CLDR has none for. A document does not say its language, so all are joined; what is a word in
another language (``In.`` or ``all.``, which are abbreviations somewhere) is told apart by how often
people write it there, and counts before a number only. Italian of sentencex is left out: it is a
dictionary's list of units and acronyms.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from wordfreq import zipf_frequency

TARGET = Path(__file__).parents[1] / "mdchunk" / "cutting" / "data" / "abbreviations.txt"
COMMON = ("en", "de", "fr", "es", "it", "pt", "ru")
"""The languages whose words are looked at."""
NOT_TAKEN = {"it"}
FREQUENT, FREQUENT_LONG, COMMONPLACE, EVERYWHERE = 4.0, 3.0, 5.0, 5.8
"""Zipf values from which a word, or one of more than SHORT letters, is one of another language,
from which it is one whatever the lists say, and from which it is not taken at all."""
SHORT, SHARED = 4, 3
"""An abbreviation in so many languages is one in all, unless it is a commonplace word."""
ADDED = (
    "Abb al allg approx bspw bzw ca Dipl ed Eq Eqs Eds Gen insb Mlle MM Mme resp Sra Uds usw"
    " např popř příp tj tzv GS PGS ThS TP TS"
)
ADDED_OTHERS = "avg ch čl máx mín no No obr odst par poz písm табл гл Secs Nos ust"
"""What the lists lack and public documents have; the second before a number only."""
AT_ENDS = (
    "cgi conf config conn css exec html int std str tab temp txt url usb var"
    " jan feb apr jun jul aug sep sept oct okt nov dec dez"
)
"""What ends sentences too, in the pages that are split here: words of computing, and months."""
WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*")
INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
"""What ends no sentence anyway: ``U.S.``"""
VOWEL = re.compile(r"[aeiouyàâäáãåæéèêëíìîïóòôöõøœúùûüýąęěůőűаеёиоуыэюяіїєα-ω]", re.IGNORECASE)
UNIT = re.compile(r"[kcmdµn]?[mgl]|[kKMGT]?[bB]|[kM]?[HhWw]z?|км|см|мм|кг|м|г")


def suppressions(folder: Path) -> Iterator[tuple[str, str]]:
    """Return the words of CLDR, each with its language."""
    for path in sorted(folder.glob("*/suppressions.json")):
        for word in re.findall(r'"suppression": ("[^"]+")', path.read_text(encoding="utf-8")):
            yield json.loads(word), path.parent.name


def lists(folder: Path) -> Iterator[tuple[str, str]]:
    """Return the words of sentencex, each with its language."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Set):
                continue
            named = "abbreviations" in ast.dump(node.targets[0])
            if named and path.stem not in NOT_TAKEN:
                yield from ((word, path.stem) for word in ast.literal_eval(node.value))


def is_sure(word: str, languages: set[str]) -> bool:
    """Return whether a word with a dot is an abbreviation whatever the language is."""
    if word.lower() in AT_ENDS.split():
        return False
    if "." in word or not VOWEL.search(word):
        return True
    lower = word.lower()
    others = [most for code, most in frequencies(lower).items() if code not in languages]
    if max(others, default=0) < (FREQUENT if len(word) <= SHORT else FREQUENT_LONG):
        return True
    return len(languages) >= SHARED and max(frequencies(lower).values()) < COMMONPLACE


def frequencies(word: str) -> dict[str, float]:
    return {code: zipf_frequency(word, code) for code in COMMON}


def main(cldr: str, sentencex: str) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for word, language in (*suppressions(Path(cldr)), *lists(Path(sentencex))):
        bare = word.strip().rstrip(".")
        acronym = bare.isupper() and len(bare) > 1
        taken = WORD.fullmatch(bare) and not INITIALS.fullmatch(bare)
        if taken and not acronym and not UNIT.fullmatch(bare):
            found[bare].add(language)
    listed = {word for word, languages in found.items() if is_sure(word, languages)}
    sure = sorted({*listed, *ADDED.split()})
    rest = {word for word in found if max(frequencies(word.lower()).values()) < EVERYWHERE}
    others = sorted({*rest, *ADDED_OTHERS.split()} - {*sure})
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(f"{' '.join(sure)}\n{' '.join(others)}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
