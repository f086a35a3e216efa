"""Damage the chunker in a copy, one way at a time, and show which test notices.

    python tools/mutants.py            # all of them, some minutes
    python tools/mutants.py overlap    # those whose names hold a word

A mutant that survives is a missing test, and the command ends with 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("mdchunk", "tests", "fixtures", "docs", "tools", "pyproject.toml", "README.md")
COPIED_TOO = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "NOTICE")
LEFT = ("node_modules", "__pycache__", "*.pyc", "sites")
SUITE = (
    *("test_chunks", "test_golden", "test_context", "test_selector", "test_found"),
    *("test_structure", "test_document", "test_frontmatter", "test_breaks", "test_measure"),
    *("test_options", "test_cli", "test_page", "test_laws", "test_growth"),
)
"""The fast part of the suite, what fails soonest first."""
LIMIT = 400
"""Seconds that a run may take; what takes longer was noticed too."""


class Mutant(NamedTuple):
    """A name, a file of the package, and the text in it that becomes another."""

    name: str
    file: str
    old: str
    new: str


MUTANTS = (
    Mutant(
        "a chunk is dropped",
        "chunker.py",
        "in zip(planned, parents, strict=False):",
        "in [p for n, p in enumerate(zip(planned, parents, strict=False)) if n != 3]:",
    ),
    Mutant("an offset is shifted", "chunker.py", "start=first,", "start=first + (start > 0),"),
    Mutant("an end is shifted", "chunker.py", "end=last,", "end=last + (cut.kind != 'end'),"),
    Mutant(
        "an overlap is halved",
        "chunker.py",
        "overlap=place(own) - first",
        "overlap=(place(own) - first) // 2",
    ),
    Mutant(
        "overlaps may be half as long",
        "cutting/overlap.py",
        "if self._size(steps.offsets[index], end) <= self.overlap",
        "if self._size(steps.offsets[index], end) <= self.overlap / 2",
    ),
    Mutant(
        "fences may be cut",
        "rules.py",
        '"fence": Rule("code", "hard", ',
        '"fence": Rule("code", "", ',
    ),
    Mutant(
        "a fence line stands alone",
        "structure/interior.py",
        "first + 1 + fenced",
        "first + 1",
    ),
    Mutant(
        "a wrong path",
        "chunker.py",
        "titles(self.sections.start(own, end))",
        "titles(max(0, own - 1))",
    ),
    Mutant("a line off by one", "chunker.py", "lines.of(end - 1) + 1", "lines.of(end - 1)"),
    Mutant(
        "a stale token count",
        "chunker.py",
        "size=size,",
        "size=self.subject.size_index.planned(start, end),",
    ),
    Mutant(
        "a size without its context",
        "cutting/planner.py",
        "if frame is NO_CONTEXT or",
        "if True or",
    ),
    Mutant("definitions are lost", "cutting/context.py", "found[block] = addition", "pass"),
    Mutant("a table header is lost", "cutting/context.py", "or self._table_header(start)", "or ''"),
    Mutant(
        "parts in the wrong order",
        "cutting/planner.py",
        "extendleft(reversed(parts))",
        "extendleft(parts)",
    ),
    Mutant(
        "a path from inside out",
        "cutting/sections.py",
        "return found[::-1]\n\n    def titles",
        "return found\n\n    def titles",
    ),
    Mutant("equal texts have one id", "chunker.py", "if again or self.level:", "if self.level:"),
    Mutant(
        "an id knows its place",
        "chunker.py",
        "hashlib.sha256(text.encode(",
        'hashlib.sha256(f"{self.first_block}{text}".encode(',
    ),
    Mutant(
        "a limit off by one",
        "cutting/planner.py",
        "if size > self.limit and",
        "if size > self.limit + 1 and",
    ),
    Mutant(
        "clusters may be cut",
        "cutting/fallback.py",
        'return character > "\\u02ff" and (',
        "return False and (",
    ),
    Mutant("CRLF is two line ends", "lines.py", r"\r\n|\n|\r", r"\n|\r"),
    Mutant(
        "a byte order mark hides",
        "lines.py",
        "line_feeds(source.removeprefix(BOM))",
        "line_feeds(source)",
    ),
    Mutant(
        "an id knows line ends",
        "chunker.py",
        "self._id(self.subject.source[start:end])",
        "self._id(source[first:last])",
    ),
    Mutant("line ends are embedded", "model.py", "line_feeds(self.text)", "self.text"),
    Mutant(
        "line ends count",
        "chunker.py",
        "self._subject(document.normal, options, size_index)",
        "self._subject(document, options, size_index)",
    ),
    Mutant(
        "no thread for the deep",
        "parsing/parser.py",
        "return _parse_apart(parser, text, lean)",
        "raise",
    ),
    Mutant("headings may end a chunk", "cutting/candidates.py", "place.kind not in glue:", "True:"),
    Mutant("small chunks stay", "cutting/merge.py", ">= least:", ">= 0:"),
    Mutant("constructs may be cut", "cutting/fallback.py", "if room.fits(*span))", "if False)"),
    Mutant(
        "words of a weird counter",
        "cutting/planner.py",
        "terms = self.terms.within(limit) if fine else self.terms",
        "terms = self.terms.within(limit)",
    ),
    Mutant("cuts have one name", "chunker.py", "cut=cut.kind,", 'cut="line",'),
    Mutant(
        "fences stay open",
        "cutting/context.py",
        'suffix = "".join(f.closing for f in reversed(closed) if reopened or f not in inside)',
        'suffix = ""',
    ),
    Mutant("elided data counts in full", "chunker.py", "count(elide(text))", "count(text)"),
    Mutant(
        "front matter stays in the text",
        "cutting/planner.py",
        'self.options.front_matter == "metadata"',
        'self.options.front_matter == "never"',
    ),
    Mutant(
        "sections are not parted",
        "cutting/planner.py",
        "max(self.options.split_headings, ",
        "max(0, ",
    ),
    Mutant("a counter may be negative", "sizing/units.py", " or number < 0", ""),
    Mutant(
        "a page runs what it shows",
        "view/line_markup.py",
        "escape(text.translate(CONTROLS), quote=False)",
        "text.translate(CONTROLS)",
    ),
    Mutant(
        "links lead out",
        "files/sources.py",
        "if entry.is_symlink() and self._is_outside(entry.path, limit):",
        "if False:",
    ),
    Mutant(
        "metadata is shared",
        "model.py",
        '"metadata": thaw(self.metadata)',
        '"metadata": self.metadata',
    ),
)


def copy_to(place: Path) -> None:
    """Copy what the suite needs."""
    for name in (*COPIED, *COPIED_TOO):
        source = ROOT / name
        if source.is_dir():
            ignore = shutil.ignore_patterns(*(LEFT if name != "fixtures" else LEFT[:-1]))
            shutil.copytree(source, place / name, ignore=ignore)
        else:
            shutil.copy(source, place / name)


def noticed(place: Path, suite: Sequence[str]) -> str:
    """Run the suite in a copy until a test fails; "" if none does."""
    files = [f"tests/{name}.py" for name in suite]
    options = ("-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *options, *files]
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=place,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {LIMIT} seconds"
    failed = re.search(r"^(?:FAILED|ERROR) (?:tests/)?(.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if failed:
        return failed[1]
    return "" if done.returncode == 0 else f"the run ended with {done.returncode}"


def damaged(place: Path, mutant: Mutant) -> str:
    """Damage a copy, have it tested, and mend it."""
    path = place / "mdchunk" / mutant.file
    sound = path.read_text(encoding="utf-8")
    if sound.count(mutant.old) != 1:
        sys.exit(f"{mutant.name}: {mutant.file} has changed, and the mutant must too")
    path.write_text(sound.replace(mutant.old, mutant.new, 1), encoding="utf-8")
    try:
        return noticed(place, SUITE)
    finally:
        path.write_text(sound, encoding="utf-8")


def main() -> int:
    """Go through the mutants and print a row for each."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    lived = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        copy_to(place)
        if failed := noticed(place, SUITE):
            sys.exit(f"{failed} fails without any damage, so that nothing is shown")
        for mutant in MUTANTS:
            if word in mutant.name:
                test = damaged(place, mutant)
                lived += not test
                print(f"| {mutant.name} | {test or '**survived**'} |", flush=True)
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main())
