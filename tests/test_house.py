"""The floor plan of docs/design.md, asked of the code."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mdchunk

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "mdchunk"

FLOORS = (
    "lines model errors inline rules titles wording collector blocks sources fast",
    "scores encodings rulers frontmatter merge parallel writers dispatch insides",
    "dialects.base meanings measure",
    "dialects ties parser breaks context",
    "options steps visitor",
    "document config describe selector overlap",
    "flags plan explain",
    "chunker view",
    "records batch bands __init__",
    "integrations page stats diff",
    "commands",
    "cli",
    "__main__",
)
"""From the ground up: a room imports from lower floors only. A package is one room."""
MARKDOWN_WING = {
    *("rules", "titles", "wording", "collector", "blocks", "frontmatter", "dispatch"),
    *("meanings", "insides", "ties", "visitor", "parser", "dialects", "dialects.base"),
}
CUTTING_WING = {
    *("inline", "encodings", "rulers", "merge", "measure", "breaks"),
    *("context", "steps", "selector", "overlap", "plan", "explain"),
}
PARSER_ROOMS = MARKDOWN_WING - {"rules", "frontmatter"} | {"document"}
"""Where markdown-it is known."""
LATE = {
    "tiktoken": {"encodings", "measure"},
    "toktok": {"fast"},
    "tokenizers": {"encodings", "measure"},
    "regex": {"breaks", "inline"},
    "frontmatter": {"frontmatter"},
    "rich": {"commands", "view"},
    "concurrent": {"parallel"},
    "mdit_py_plugins": {"dialects"},
    "pyarrow": {"writers", "batch"},
}
"""What is imported inside functions only, and where."""
COMMAND_ONLY = {
    "click": {"cli", "commands", "flags"},
    "pathspec": {"sources", "integrations"},
    **{host: {"integrations"} for host in ("mkdocs", "sphinx", "docutils")},
}

FILES = sorted(HOUSE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts)


def room_of(module: str) -> str:
    """Find the room of a module: itself, or the package that it stands in."""
    if module == "dialects.base":
        return module
    head = module.split(".", 1)[0]
    return head or "__init__"


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in FILES:
        yield name_of(path), ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """Give the modules that a tree imports, ours without the package's name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level or module == "mdchunk":
                inner = module.removeprefix("mdchunk").strip(".")
                for alias in node.names:
                    whole = f"{inner}.{alias.name}" if inner else alias.name
                    known = (HOUSE / f"{whole.replace('.', '/')}.py").exists()
                    yield f"mdchunk.{whole if known else inner}", node
            else:
                yield module, node


def ours(tree: ast.AST) -> Iterator[str]:
    for module, _ in imports(tree):
        if module == "mdchunk" or module.startswith("mdchunk."):
            yield module.removeprefix("mdchunk").strip(".")


FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(name_of(path)) for path in FILES}
    assert rooms <= set(FLOOR), "place new rooms on a floor, here and in docs/design.md"


def test_imports_lead_downward() -> None:
    wrong = []
    for name, tree in trees():
        here = room_of(name)
        for module in ours(tree):
            there = room_of(module)
            if there != here and FLOOR[there] >= FLOOR[here]:
                wrong.append(f"{name} imports {module or 'mdchunk'}")
    assert not wrong


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


def test_import_takes_little() -> None:
    """Counted in modules, since a module is what takes the time: ours, and the parser's."""
    code = "import sys; before = {*sys.modules}; import mdchunk; print(*{*sys.modules} - before)"
    loaded = python(code).split()
    others = [name for name in loaded if name.split(".")[0] not in ("mdchunk", "markdown_it")]
    assert len(others) <= 120, sorted(others)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def length(node: ast.FunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def test_functions_are_short() -> None:
    lengths = {f"{name}.{f.name}": length(f) for name, tree in trees() for f in functions(tree)}
    assert {name: lines for name, lines in lengths.items() if lines > 50} == {}
    assert sorted(lengths.values())[len(lengths) * 9 // 10] <= 25


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


def test_the_design_shows_the_floors_of_the_code() -> None:
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    shown = {
        int(number): set(rooms.replace("/*", "").split())
        for number, rooms in re.findall(r"^ ?(\d+)  +(.+)$", design, re.MULTILINE)
    }
    assert shown == {floor: set(rooms.split()) for floor, rooms in enumerate(FLOORS)}
    rows = re.findall(r"^\| `([\w/]+)(?:\.py|/)` \|", design, re.MULTILINE)
    rooms = {room.replace("/", ".") for room in rows}
    assert rooms == {room for room in FLOOR if not room.startswith("__")}
