"""The floor plan of docs/design.md, asked of the code."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError

import pytest
from house import (
    DESIGN,
    HOUSE,
    filled,
    floors,
    imports,
    inner_arrows,
    module_arrows,
    room_arrows,
    room_of,
    trees,
)

import mdchunk
from mdchunk.lines import pattern

FLOW = ("parsing", "dialects", "structure", "sizing", "cutting", "view", "files", "commands")
"""The packages that data flows through, and ``integrations`` beside them."""
MARKDOWN_WING = {"dialect", "rules", "parsing", "dialects", "structure"}
CUTTING_WING = {"sizing", "cutting"}
PARSER_ROOMS = {"dialect", "parsing", "dialects", "structure", "document"}
"""Where markdown-it is known."""
LATE = {
    "tiktoken": {"sizing"},
    "toktok": {"sizing"},
    "tokenizers": {"sizing"},
    "regex": {"cutting"},
    "frontmatter": {"parsing"},
    "rich": {"commands", "view"},
    "concurrent": {"parallel"},
    "mdit_py_plugins": {"dialects"},
    "pyarrow": {"files", "batch"},
}
"""What is imported inside functions only, and where."""
HOSTS = (
    *("mkdocs", "properdocs", "sphinx", "docutils", "haystack", "llama_index"),
    *("langchain_core", "langchain_text_splitters", "ray", "pyspark", "dask"),
)
COMMAND_ONLY = {
    "click": {"cli", "commands"},
    "pathspec": {"files", "integrations"},
    **{host: {"integrations"} for host in HOSTS},
}
"""What only a command or a host loads, and where."""
MOST_FILES, MOST_FOLDERS = 16, 10
"""How much may stand directly in ``mdchunk/``."""


def ours(tree: ast.AST) -> Iterator[str]:
    for module, _ in imports(tree):
        if module == "mdchunk" or module.startswith("mdchunk."):
            yield module.removeprefix("mdchunk").strip(".") or "__init__"


def test_imports_lead_downward_between_rooms_and_inside_them() -> None:
    arrows = module_arrows()
    assert floors(room_arrows(arrows))  # a circle raises
    for room in {room_of(name) for name in arrows}:
        assert floors(inner_arrows(arrows, room))


def test_a_circle_is_noticed() -> None:
    with pytest.raises(CycleError):
        floors({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def test_little_stands_on_the_landing() -> None:
    files = [path for path in HOUSE.iterdir() if path.is_file()]
    folders = {path.parent.name for path in HOUSE.glob("*/*.py")}
    assert len(files) <= MOST_FILES
    assert len(folders) <= MOST_FOLDERS
    assert {*FLOW, "integrations", "model"} == folders


def test_every_package_says_what_it_is_for() -> None:
    bare = [name for name, tree in trees() if not ast.get_docstring(tree)]
    assert bare == []


def test_the_wings_meet_nowhere_but_in_the_shared_rooms() -> None:
    wings = (MARKDOWN_WING, CUTTING_WING), (CUTTING_WING, MARKDOWN_WING)
    wrong = [
        f"{name} imports {module}"
        for name, tree in trees()
        for module in ours(tree)
        for wing, other in wings
        if room_of(name) in wing and room_of(module) in other
    ]
    assert not wrong


def test_markdown_it_is_known_in_its_wing_only() -> None:
    found = {
        room_of(name)
        for name, tree in trees()
        for module, _ in imports(tree)
        if module.split(".")[0] in ("markdown_it", "mdit_py_plugins")
    }
    assert found <= PARSER_ROOMS


def test_what_is_heavy_is_imported_late_and_in_its_rooms() -> None:
    wrong = []
    for name, tree in trees():
        early = {id(node) for top in module_level(tree) for node in ast.walk(top)}
        for module, node in imports(tree):
            package = module.split(".")[0]
            rooms = LATE.get(package) or COMMAND_ONLY.get(package)
            if rooms is None:
                continue
            if room_of(name) not in rooms:
                wrong.append(f"{name} imports {module}")
            if package in LATE and id(node) in early:
                wrong.append(f"{name} imports {module} when it is loaded")
    assert not wrong


def module_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Give the statements that run on import; those for type checkers do not."""
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node


def test_import_loads_nothing_that_may_not_be_used() -> None:
    heavy = {*LATE, *COMMAND_ONLY, "yaml", "tomllib", "multiprocessing", "socket"}
    code = f"import sys, mdchunk; print(sorted({heavy!r} & {{*sys.modules}}))"
    assert python(code) == "[]\n"


def test_a_chunker_that_counts_nothing_loads_no_tokenizer() -> None:
    code = "import sys; from mdchunk import Chunker; Chunker(); print('tiktoken' in sys.modules)"
    assert python(code) == "False\n"


def python(code: str, **settings: str) -> str:
    # without compiled files an import would be a compilation, and coverage imports a lot of its own
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith("COVERAGE_")
    }
    return subprocess.check_output(
        [sys.executable, "-c", code], text=True, env={**environment, **settings}
    )


def loaded_by(code: str) -> set[str]:
    before, after = "import sys; before = {*sys.modules}", "print(*{*sys.modules} - before)"
    return {*python(f"{before}; {code}; {after}").split()}


def test_import_takes_little() -> None:
    """Counted in modules, since a module is what takes the time."""
    assert {name for name in loaded_by("import mdchunk") if "mdchunk" in name} == {"mdchunk"}


def test_a_chunker_takes_little() -> None:
    """What is beside our modules and the parser's, of which most is of dataclasses and typing."""
    loaded = loaded_by("import mdchunk.chunker")
    others = [name for name in loaded if name.split(".")[0] not in ("mdchunk", "markdown_it")]
    assert len(others) <= 80, sorted(others)
    seldom = {"json", "uuid", "datetime", "base64", "mdchunk.structure.plain.reader"}
    assert not seldom & loaded


def test_every_public_name_is_loaded_when_it_is_used() -> None:
    code = "import mdchunk; print(*[n for n in mdchunk.__all__ if getattr(mdchunk, n) is None])"
    assert python(code) == "\n"
    assert {*mdchunk.__all__} <= {*dir(mdchunk)}
    with pytest.raises(AttributeError, match="nothing"):
        mdchunk.nothing  # noqa: B018


def test_a_pattern_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda *a: compiled.append(a[0]) or compile_(*a))
    letters = pattern("(?P<l>[a-c]+)", re.IGNORECASE)
    assert compiled == []
    assert [match["l"] for match in letters.finditer("aB1c")] == ["aB", "c"]
    assert letters.sub("-", "aB1c") == "-1-"
    assert (letters.pattern, letters.groups) == ("(?P<l>[a-c]+)", 1)
    assert not hasattr(letters, "_nothing")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def length(node: ast.FunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def test_functions_are_short() -> None:
    lengths = {f"{name}.{f.name}": length(f) for name, tree in trees() for f in functions(tree)}
    assert {name: lines for name, lines in lengths.items() if lines > 40} == {}
    assert sorted(lengths.values())[len(lengths) * 9 // 10] <= 20


def test_lines_end_where_commonmark_says() -> None:
    calls = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
    assert calls == []


def is_bare(name: str, member: object) -> bool:
    """Tell whether a public method or property has no docstring."""
    if isinstance(member, (classmethod, staticmethod)):
        member = member.__func__
    says = inspect.isfunction(member) or isinstance(member, property)
    return says and not name.startswith("_") and not inspect.getdoc(member)


def test_every_public_name_has_a_docstring() -> None:
    bare = []
    for name in mdchunk.__all__:
        thing = getattr(mdchunk, name)
        if not callable(thing):
            continue  # a table; what it holds is said beside it
        if not inspect.getdoc(thing):
            bare.append(name)
        members = vars(thing).items() if inspect.isclass(thing) else ()
        bare += [f"{name}.{part}" for part, value in members if is_bare(part, value)]
    assert bare == []


def test_the_design_shows_the_house_as_it_is() -> None:
    design = DESIGN.read_text(encoding="utf-8")
    assert design == filled(design), "run tools/house.py"
    rows = re.findall(r"^\| `([a-z ]+)` \|", design, re.MULTILINE)
    named = {room for row in rows for room in row.split()}
    assert {room_of(name) for name in module_arrows()} - {"__init__", "__main__"} <= named
