"""Fixtures written anew: only where that is asked for, and never without showing what changed."""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path
from typing import NamedTuple


def difference(path: Path, text: str) -> str:
    """Show what a text would change in a file, as a unified diff; "" if nothing."""
    old = path.read_bytes().decode("utf-8") if path.exists() else ""
    names = (f"{path.name} as it is", f"{path.name} anew")
    rows = difflib.unified_diff(old.split("\n"), text.split("\n"), *names, lineterm="", n=1)
    return "".join(f"{row}\n" for row in rows)


def rewrite(path: Path, text: str) -> str:
    """Write a file whose text is another, and show what changed."""
    changed = difference(path, text)
    if changed:
        path.write_bytes(text.encode("utf-8"))
    return changed


class Record(NamedTuple):
    """What the golden files were under a revision of the cuts: a digest of each by its name."""

    revision: int
    digests: dict[str, str]

    def text(self) -> str:
        """Write the record as its file has it."""
        rows = (f"{digest}  {name}\n" for name, digest in sorted(self.digests.items()))
        return f"REVISION {self.revision}\n{''.join(rows)}"

    def moved(self, now: Record) -> list[str]:
        """Name the files that are others though the revision is not; a new or lost one is none."""
        if now.revision > self.revision:
            return []
        both = self.digests.keys() & now.digests.keys()
        return sorted(name for name in both if self.digests[name] != now.digests[name])


def read_record(path: Path) -> Record:
    """Read a record from its file."""
    first, *rows = path.read_text(encoding="utf-8").split("\n")
    pairs = (row.split("  ", 1) for row in rows if row)
    return Record(int(first.removeprefix("REVISION ")), {name: digest for digest, name in pairs})


def digest(text: str, remark: str) -> str:
    """Return a digest of a golden file's text but for its remarks."""
    kept = "\n".join(line for line in text.split("\n") if not line.startswith(remark))
    return hashlib.sha256(kept.encode("utf-8")).hexdigest()[:16]
