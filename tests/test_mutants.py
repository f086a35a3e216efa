"""The mutants of tools/mutants.py are of the code as it is; the tool shows that each is noticed."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_mutant_still_damages_something() -> None:
    path = ROOT / "tools" / "mutants.py"
    spec = importlib.util.spec_from_file_location("mutants", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = tool
    spec.loader.exec_module(tool)
    stale = [
        mutant.name
        for mutant in tool.MUTANTS
        if (ROOT / "mdchunk" / mutant.file).read_text(encoding="utf-8").count(mutant.old) != 1
    ]
    assert stale == []
