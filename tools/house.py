"""Draw the packages and modules of mdchunk by their imports into docs/design.md.

    python tools/house.py

A room is a package, or a module that stands directly in ``mdchunk/``. What imports nothing of ours
stands lowest; everything else stands one floor above the highest room that it imports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "mdchunk"
DESIGN = ROOT / "docs" / "design.md"
PICTURE = re.compile(r"(<!-- house -->\n).*?(<!-- end -->)", re.DOTALL)
Arrows = Mapping[str, set[str]]
"""What each room or module imports."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Return the dotted name of each module, without ``mdchunk.``, with its syntax tree."""
    for path in sorted(HOUSE.rglob("*.py")):
        name = ".".join(path.relative_to(HOUSE).with_suffix("").parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def room_of(module: str) -> str:
    """Return the package that a module stands in, or the module itself."""
    return module.partition(".")[0]


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """Return the modules that a tree imports, as ``package.module``, each with its statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports hide where an arrow leads"
            for alias in node.names:
                yield _target(node.module or "", alias.name), node


def _target(module: str, name: str) -> str:
    """Return the module that ``from module import name`` loads: a module of ours, or a package."""
    inner = [*module.split(".")[1:], name]
    if module.partition(".")[0] == "mdchunk" and HOUSE.joinpath(*inner).with_suffix(".py").exists():
        return f"{module}.{name}"
    if HOUSE.joinpath(*inner[:-1], "__init__.py").exists() and module.startswith("mdchunk"):
        return f"{module}.__init__"
    return module


def module_arrows() -> Arrows:
    """Return which of our modules each of our modules imports."""
    return {
        name: {
            module.removeprefix("mdchunk.")
            for module, _ in imports(tree)
            if module.startswith("mdchunk.")
        }
        - {name}
        for name, tree in trees()
    }


def room_arrows(arrows: Arrows) -> Arrows:
    """Return which room imports which other room."""
    rooms: dict[str, set[str]] = {room_of(name): set() for name in arrows}
    for name, targets in arrows.items():
        rooms[room_of(name)] |= {room_of(target) for target in targets} - {room_of(name)}
    return rooms


def inner_arrows(arrows: Arrows, room: str) -> Arrows:
    """Return which modules of a package import which others of it."""
    return {
        name: {target for target in targets if room_of(target) == room}
        for name, targets in arrows.items()
        if room_of(name) == room
    }


def floors(arrows: Arrows) -> list[list[str]]:
    """Return the names floor by floor, lowest first; raise CycleError where there is a circle."""
    level: dict[str, int] = {}
    for name in TopologicalSorter(arrows).static_order():
        level[name] = 1 + max((level[target] for target in arrows.get(name, ())), default=-1)
    height = max(level.values()) + 1
    return [sorted(name for name in level if level[name] == floor) for floor in range(height)]


def picture() -> str:
    """Return the drawing: the rooms floor by floor, then the modules of each package."""
    arrows = module_arrows()
    storeys = floors(room_arrows(arrows))
    lines = [f"{floor:2}  {'  '.join(storeys[floor])}" for floor in reversed(range(len(storeys)))]
    packages = [room for rooms in storeys for room in rooms if (HOUSE / room).is_dir()]
    lines += ["", "inside each package, an import leads to the left:", ""]
    width = max(map(len, packages))
    lines += [f"{room:{width}}  {_row(inner_arrows(arrows, room), room)}" for room in packages]
    return "```\n" + "\n".join(lines) + "\n```\n"


def _row(arrows: Arrows, room: str) -> str:
    return " ◁ ".join(" ".join(_shown(storey, room)) for storey in floors(arrows))


def _shown(names: Iterable[str], room: str) -> Iterator[str]:
    for name in names:
        inner = name.removeprefix(f"{room}.").replace(".", "/")
        yield inner.removesuffix("/__init__") if "/" in inner else inner


def filled(text: str) -> str:
    """Return the page with its picture made anew."""
    return PICTURE.sub(lambda match: match[1] + picture() + match[2], text)


if __name__ == "__main__":
    DESIGN.write_text(filled(DESIGN.read_text(encoding="utf-8")), encoding="utf-8")
