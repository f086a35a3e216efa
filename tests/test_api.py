"""The public API as a text: a change of a name, a parameter or a default is seen in a diff.

``python tests/test_api.py`` writes ``fixtures/api.txt`` anew and shows what changed.
"""

from __future__ import annotations

import inspect
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from regenerate import difference, rewrite

import mdchunk
from mdchunk.dialects import DEFAULT_DIALECTS

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "fixtures" / "api.txt"
SAMPLE = ROOT / "examples" / "typed_api.py"


def written(annotation: Any) -> str:
    """Return an annotation as the source has it: a NamedTuple holds it as a reference."""
    text = getattr(annotation, "__forward_arg__", annotation)
    return text if isinstance(text, str) else inspect.formatannotation(text)


def parameter(one: inspect.Parameter) -> str:
    """Return a parameter as a definition has it; a default made by a call is ``...``.

    The default dialects are named and not listed: another one is no change of this API.
    """
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    text = f"{stars.get(one.kind, '')}{one.name}: {written(one.annotation)}"
    if one.default is one.empty:
        return text
    if one.default is DEFAULT_DIALECTS:
        return f"{text} = DEFAULT_DIALECTS"
    made = type(one.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"
    return f"{text} = {'...' if made else repr(one.default)}"


def parameters(function: Any) -> Iterator[str]:
    """Yield the parameters of a signature in order, with the marks ``/`` and ``*`` between them."""
    positional = star = False
    for one in inspect.signature(function).parameters.values():
        if one.name.startswith("_") or one.name == "self":
            continue
        if positional and one.kind != one.POSITIONAL_ONLY:
            yield "/"
        positional = one.kind == one.POSITIONAL_ONLY
        if one.kind == one.KEYWORD_ONLY and not star:
            yield "*"
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        yield parameter(one)
    if positional:
        yield "/"


def function_lines(name: str, function: Any, indent: str = "") -> Iterator[str]:
    yield f"{indent}def {name}"
    yield from (f"{indent}    {text}" for text in parameters(function))
    yield f"{indent}    -> {written(inspect.signature(function).return_annotation)}"


def own(cls: type, name: str) -> Any:
    """Return an attribute as a class of ours holds it; None if it is inherited from elsewhere."""
    ours = (one for one in cls.__mro__ if one.__module__.startswith("mdchunk"))
    return next((vars(one)[name] for one in ours if name in vars(one)), None)


def class_lines(cls: type) -> Iterator[str]:
    bases = [one.__name__ for one in cls.__bases__ if one is not object and one.__name__[0] != "_"]
    yield f"class {cls.__name__}" + (f" ({', '.join(bases)})" if bases else "")
    if not issubclass(cls, Exception):
        yield from (f"    {text}" for text in parameters(cls))
    for name in sorted(dir(cls)):
        held = None if name.startswith("_") else own(cls, name)
        if isinstance(held, property):
            kind = written(inspect.signature(held.fget).return_annotation)  # type: ignore[arg-type]
            yield f"    @property {name}: {kind}"
        elif isinstance(held, (classmethod, staticmethod)) or inspect.isfunction(held):
            mark = "@classmethod " if isinstance(held, classmethod) else ""
            yield from function_lines(f"{mark}{name}", getattr(cls, name), "    ")


def api() -> str:
    """Write out every name of ``mdchunk.__all__``, in order of the alphabet."""
    parts = []
    for name in sorted(mdchunk.__all__):
        held = getattr(mdchunk, name)
        if inspect.isclass(held):
            lines = class_lines(held)
        elif callable(held):
            lines = function_lines(name, held)
        else:
            lines = iter([f"{name}: a table"])
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def test_the_public_api_is_the_one_that_is_kept() -> None:
    """If the change is meant, say it in CHANGELOG.md and run: python tests/test_api.py."""
    assert difference(KEPT, api()) == ""


def test_a_change_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def chunk(source: str, /, *, size: int = 3) -> list[str]:
        return [source] * size

    monkeypatch.setattr(mdchunk, "chunk", chunk)
    assert "+    size: int = 3" in difference(KEPT, api()).split("\n")


def test_the_sample_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its types are checked by mypy and, in ``.ci/run``, by pyright."""
    runpy.run_path(str(SAMPLE), run_name="__main__")
    assert capsys.readouterr().out == "Coffee > Grinder (line 5): ## Grinder\nBurrs wear.\n"


if __name__ == "__main__":
    print(rewrite(KEPT, api()), end="")


def test_modules_are_loaded_when_they_are_used() -> None:
    code = "import mdchunk; print(mdchunk.scores.DEFAULT_SCORES['code'].base, mdchunk.compiled)"
    shown = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert shown in ("80 False\n", "80 True\n")
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = mdchunk.nothing_such  # type: ignore[attr-defined]
