"""Options from a file: ``[tool.mdchunk]`` in pyproject.toml, or an mdchunk.toml."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mdchunk.errors import OptionsError, TokenizerError, not_allowed
from mdchunk.files.patterns import is_pattern
from mdchunk.options import Options
from mdchunk.scores import Weight
from mdchunk.sizing.huggingface import is_file

OWN_FILE = "mdchunk.toml"
SHARED_FILE = "pyproject.toml"
SHARED_TABLE = ("tool", "mdchunk")
OPTION_KEYS = tuple(field.name for field in fields(Options))
OTHER_KEYS = ("preset", "exclude")
LISTS = frozenset({"exclude_sections", "dialects"})
PRESETS = {"qmd": Options.qmd, "unrag": Options.unrag}
"""Whole set-ups by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a configuration file says: options, a preset that they start from, and patterns."""

    path: Path | None = None
    options: Mapping[str, Any]
    preset: str | None = None
    exclude: tuple[str, ...] = ()


def load_config(path: Path | None, folder: Path) -> Config:
    """Read the named file, or the nearest one with our table at or above a folder.

    Raises OptionsError that names the file, the key and what is allowed.
    """
    if path is not None:
        table = read_table(path)
        if table is None:
            raise OptionsError(f"{path}: no table [tool.mdchunk]")
        return make_config(path, table)
    for place in (folder, *folder.parents):
        for candidate in (place / OWN_FILE, place / SHARED_FILE):
            if candidate.is_file() and (table := read_table(candidate)) is not None:
                return make_config(candidate, table)
    return Config(options={})


def read_table(path: Path) -> Mapping[str, Any] | None:
    """Read our table; None if it is a pyproject.toml without one."""
    if sys.version_info >= (3, 11):
        import tomllib as toml
    else:
        import tomli as toml
    try:
        with path.open("rb") as file:
            whole: dict[str, Any] = toml.load(file)
    except OSError as problem:
        raise OptionsError(f"{path}: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:  # no TOML, no UTF-8, or nested too deep
        raise OptionsError(f"{path}: not TOML: {problem}") from problem
    if path.name != SHARED_FILE:
        return whole
    table = whole
    for depth, key in enumerate(SHARED_TABLE, 1):
        if key not in table:
            return None
        table = table[key]
        if not isinstance(table, dict):
            raise _wrong(path, ".".join(SHARED_TABLE[:depth]), table, "a table")
    return table


def make_config(path: Path, table: Mapping[str, Any]) -> Config:
    """Check the keys of a table; a hyphen in a key is as good as an underscore."""
    options: dict[str, Any] = {}
    other: dict[str, Any] = {}
    for written, value in table.items():
        key = written.replace("-", "_")
        if key not in (*OPTION_KEYS, *OTHER_KEYS):
            message = f"{path}: {written}: no such key{_hint(key)}"
            raise OptionsError(message, option=written, value=value)
        (other if key in OTHER_KEYS else options)[key] = value
    if is_file(options.get("unit")):  # from the folder of this file, wherever one works
        options["unit"] = str(path.parent / options["unit"])
    for key in LISTS & options.keys():
        if not isinstance(options[key], list):
            raise _wrong(path, key, options[key], "a list of texts")
    if "scores" in options:
        options["scores"] = _scores(path, options["scores"])
    preset = other.get("preset")
    if preset is not None and preset not in tuple(PRESETS):  # a list has no hash
        raise _wrong(path, "preset", preset, ", ".join(PRESETS))
    exclude = other.get("exclude", [])
    if not isinstance(exclude, list) or not all(
        isinstance(glob, str) and is_pattern(glob) for glob in exclude
    ):
        raise _wrong(path, "exclude", exclude, "a list of globs")
    return Config(path=path, options=options, preset=preset, exclude=tuple(exclude))


def _scores(path: Path, table: Any) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise _wrong(path, "scores", table, "a table from kinds to numbers or lists of them")
    return {
        kind: Weight(*value) if isinstance(value, list) and 1 <= len(value) <= 3 else value
        for kind, value in table.items()
    }


def _wrong(path: Path, key: str, value: object, allowed: str) -> OptionsError:
    message = f"{path}: {not_allowed(key, value, allowed)}"
    return OptionsError(message, option=key, value=value, allowed=allowed)


def _hint(key: str) -> str:
    from difflib import get_close_matches  # most configurations name no wrong key

    near = get_close_matches(key, (*OPTION_KEYS, *OTHER_KEYS), 1)
    meant = f", perhaps {near[0]}" if near else ""
    return f"{meant}; allowed are {', '.join((*OPTION_KEYS, *OTHER_KEYS))}"


def join_options(config: Config, flags: Mapping[str, Any], preset: str | None = None) -> Options:
    """Join a file's options and the flags, which win.

    A preset given as a flag takes the place of the file's options. Scores are joined by kind.
    Raises OptionsError.
    """
    settings: dict[str, Any] = {} if preset else dict(config.options)
    scores = {**settings.get("scores", {}), **flags.get("scores", {})}
    settings.update(flags)
    if scores:
        settings["scores"] = scores
    name = preset or config.preset
    return PRESETS[name](**settings) if name else Options(**settings)


def blame(config: Config, flags: Mapping[str, Any], problem: Exception) -> str:
    """Say what is wrong, and in which file if the option comes from there."""
    message = str(problem)
    option = problem.option if isinstance(problem, OptionsError) else "dialects"
    if isinstance(problem, TokenizerError):  # which names an encoding, and no option
        option, message = "unit", f"unit: {message}"
    return f"{config.path}: {message}" if option in {*config.options} - {*flags} else message
