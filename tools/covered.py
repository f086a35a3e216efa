"""Run the tests under coverage and show which branches of the package they do not take.

    python tools/covered.py                          # the suite, as far as this environment goes
    python tools/covered.py gather FOLDER [TESTS...] # only run, and leave the data in a folder
    python tools/covered.py report FOLDER            # what all that ran into a folder comes to

The hosts of the integrations need environments of their own: ``bash .ci/run coverage`` gathers
from each and reports. Needs the extra ``coverage``. Less than ``LEAST`` ends the command with 1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEAST = 95.0
"""Per cent of all branches that the tests are to take."""


def coverage(folder: Path, command: str, *args: str) -> int:
    """Run a command of coverage with its data in a folder, and give how it ended."""
    rcfile = f"--rcfile={ROOT / 'pyproject.toml'}"
    whole = [sys.executable, "-m", "coverage", command, rcfile, *args]
    environment = {**os.environ, "COVERAGE_FILE": str(folder / "data")}
    return subprocess.run(whole, cwd=ROOT, env=environment, check=False).returncode


def gather(folder: Path, tests: Sequence[str]) -> int:
    """Run tests, all if none are named, and leave a data file for each process."""
    folder.mkdir(parents=True, exist_ok=True)
    return coverage(folder, "run", "-m", "pytest", "-p", "no:cacheprovider", *tests)


def report(folder: Path) -> int:
    """Print the files with branches or lines that no test reached, and the shares of all."""
    whole = folder / "whole"  # apart, since a report takes away the files that it has joined
    whole.mkdir(exist_ok=True)
    if coverage(whole, "combine", "--quiet", "--keep", str(folder)):
        return 1
    coverage(whole, "report", "--show-missing", "--skip-covered")
    coverage(whole, "json", "--quiet", "-o", str(whole / "totals.json"))
    totals = json.loads((whole / "totals.json").read_text(encoding="utf-8"))["totals"]
    branches = share("branches", totals["covered_branches"], totals["num_branches"])
    share("statements", totals["covered_lines"], totals["num_statements"])
    return 0 if branches >= LEAST else 1


def share(name: str, part: int, whole: int) -> float:
    """Print a share and give it, in per cent."""
    found = 100 * part / whole if whole else 100.0
    print(f"{name}: {part:,} of {whole:,}, {found:.1f} %")
    return found


def main(args: Sequence[str]) -> int:
    """Gather, report, or both."""
    if args[:1] == ["gather"] and len(args) > 1:
        return gather(Path(args[1]).resolve(), args[2:])
    if args[:1] == ["report"] and len(args) == 2:
        return report(Path(args[1]).resolve())
    if args:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        failed = gather(Path(place), ())
        return report(Path(place)) or failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
