"""Command-line flags for every field of Options, with the words of its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mdchunk.config import PRESETS
from mdchunk.cutting.selectors import selector_notes
from mdchunk.errors import OptionsError
from mdchunk.options import CHOICES, Options, falling_sizes
from mdchunk.scores import Weight

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # which older releases of click do not subscript

Command = TypeVar("Command", bound=Callable[..., Any])

REPEATED = {
    "exclude_sections": "--exclude-section",
    "dialects": "--dialect",
    "scores": "--score",
}
"""Fields that hold several values: their flags are named for one and may be repeated."""
NOTES = {
    "unit": " A command line takes a name or a path.",
    "exclude_sections": " The flag takes one and may be repeated.",
    "dialects": " Replaces the default set; may be repeated.",
    "scores": " May be repeated; three numbers, BASE,STEP,FLOOR, make a Weight.",
}
"""What is to be said of a flag beside what is said of its option."""
ENTRY = re.compile(r"^(\w+): (.*(?:\n {4}.*)*)", re.MULTILINE)
NONE = "none"
ROW = "score."
"""Before the kind in the name of a row of the score table."""


class Number(ParamType):
    """A number, or ``none`` where the option may be None; Options knows the range."""

    def __init__(self, kind: type[int] | type[float], *, optional: bool) -> None:
        self.kind = kind
        self.optional = optional
        self.name = "integer" if kind is int else "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float | str | None:
        """Read the number."""
        if self.optional and value == NONE:
            return NONE  # None itself would mean that the flag was not given
        try:
            return self.kind(value)
        except ValueError:
            article = "a whole number" if self.kind is int else "a number"
            self.fail(f"{value!r} is not {article}", param, ctx)


NUMBERS = {
    "int": Number(int, optional=False),
    "int | None": Number(int, optional=True),
    "float": Number(float, optional=False),
    "float | None": Number(float, optional=True),
}
"""Flag types by annotation, which is text in every module here."""


class Score(ParamType):
    """``KIND=VALUE``, or ``KIND=BASE,STEP,FLOOR``."""

    name = "kind=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Weight]:
        """Read the kind and its weight."""
        kind, _, numbers = value.partition("=")
        try:
            weight = Weight(*map(float, numbers.split(",")))
        except (TypeError, ValueError):
            self.fail(
                f"{value!r} is not KIND=VALUE or KIND=BASE,STEP,FLOOR, as in code=30", param, ctx
            )
        return kind, weight


class Sizes(ParamType):
    """Falling whole numbers with commas between, the sizes of a hierarchy."""

    name = "size,size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the sizes."""
        try:
            return falling_sizes(map(int, value.split(",")))
        except ValueError:
            self.fail(f"{value!r} is not falling whole numbers, as in 512,128", param, ctx)


def descriptions() -> dict[str, str]:
    """Read what each option does from the docstring of Options; ``python -OO`` keeps no words.

    What depends on the selector is added from the table of selectors.
    """
    # cleaned, since Python 3.13 takes the indentation away itself
    entries = dict(ENTRY.findall(inspect.cleandoc(Options.__doc__ or "")))
    texts = ((field.name, entries.get(field.name, "")) for field in fields(Options))
    notes = selector_notes()
    found = {name: " ".join(text.split()).replace("``", "") for name, text in texts}
    return {
        name: f"{text.removesuffix('.')} ({notes[name]})." if text and name in notes else text
        for name, text in found.items()
    }


def default_text(field: Field[Any]) -> str:
    """Return an option's default as a person would write it."""
    default = getattr(Options(), field.name)
    if isinstance(default, tuple):
        return ", ".join(default)
    if isinstance(default, Mapping):
        return ""
    return NONE if default is None else str(default)


def option_flags(command: Command) -> Command:
    """Add to a command a flag for every option, each None or empty unless it was given."""
    texts = descriptions()
    for field in reversed(fields(Options)):
        flag = REPEATED.get(field.name, "--" + field.name.replace("_", "-"))
        text = texts[field.name] + NOTES.get(field.name, "")
        default = default_text(field)
        switch = field.type == "bool"
        command = click.option(
            f"{flag}/--no-{flag[2:]}" if switch else flag,
            field.name,
            type=click.BOOL if switch else _type(field),
            default=None,
            multiple=field.name in REPEATED,
            help=text[:1].upper() + text[1:] + (f"  [default: {default}]" if default else ""),
        )(command)
    preset = click.option(
        "--preset",
        type=click.Choice(list(PRESETS)),
        help="Start from this set-up instead of the configuration file's options.",
    )
    return preset(command)


def _type(field: Field[Any]) -> ParamType:
    if field.name == "scores":
        return Score()
    if field.name in CHOICES:
        return click.Choice(CHOICES[field.name])
    if field.type == "bool":
        return click.BOOL
    return NUMBERS.get(str(field.type), click.STRING)


def read_setting(text: str) -> tuple[str, Any]:
    """Read ``option=value``, or ``score.kind=value`` as a table of one row, as the flags would.

    Raises OptionsError.
    """
    written, _, value = (part.strip() for part in text.partition("="))
    name = written.replace("-", "_")
    kinds = {f.name: _type(f) for f in fields(Options) if f.name not in REPEATED}
    try:
        if name.startswith(ROW):
            kind, weight = Score().convert(f"{written[len(ROW) :]}={value}", None, None)
            return "scores", {kind: weight}
        if name not in kinds:
            raise OptionsError(
                f"{written!r} is not allowed; allowed are {', '.join(kinds)}, {ROW}KIND"
            )
        read = kinds[name].convert(value, None, None)
    except click.BadParameter as problem:
        raise OptionsError(f"{name}: {problem.message}") from problem
    return name, None if read == NONE and name not in CHOICES else read


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Take the options that were given out of a command's parameters."""
    found: dict[str, Any] = {}
    for field in fields(Options):
        value = values.get(field.name)
        if value is None or value == ():
            continue
        found[field.name] = None if value == NONE and field.name not in CHOICES else value
    if "scores" in found:
        found["scores"] = dict(found["scores"])
    return found
