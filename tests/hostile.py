"""Documents of a given length that were made to be slow, as tables: one shape a row.

The tests count calls and memory over them; ``python -m benchmarks pathology`` takes the time of the
processor, which alone shows what loops, patterns and C code do.
"""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]
"""Makes a document of about so many characters."""

MERSENNE = 2**61 - 1
"""Python's hash of a multiple of this is 0."""


def _yaml(content: Shape) -> Shape:
    return lambda n: f"---\n{content(n).rstrip()}\n---\n"


def _toml(content: Shape) -> Shape:
    return lambda n: f"+++\n{content(n)}\n+++\n"


def _json(content: Shape) -> Shape:
    return lambda n: f"{{{content(n)}}}\n"


def _lines(line: Callable[[int], str], n: int) -> str:
    return "".join(map(line, range(1, n // len(line(9)))))


YAML: dict[str, Shape] = {
    "dots": _yaml(lambda n: "a: " + "b." * (n // 2)),
    "brackets": _yaml(lambda n: "a: " + "[" * n),
    "brackets side by side": _yaml(lambda n: "a: [" + "[]," * (n // 3) + "]"),
    "many dashes": _yaml(lambda n: "- " * (n // 2)),
    "question marks": _yaml(lambda n: "? " * (n // 2)),
    "merges of nothing": _yaml(lambda n: "a: {" + "<<: {}," * (n // 7) + "}"),
    "merges by line": _yaml(lambda n: "a: &a {x: 1}\n" + "<<: *a\n" * (n // 7)),
    "merges in a list": _yaml(lambda n: "a: &a {x: 1}\nb: {<<: [" + "*a," * (n // 3) + "]}"),
    "merges of merges": _yaml(
        lambda n: "a0: &a0 {x: 1}\n" + _lines(lambda x: f"a{x}: &a{x} {{<<: *a{x - 1}}}\n", n)
    ),
    "merges that grow": _yaml(
        lambda n: (
            "a0: &a0 {x: 1}\n" + _lines(lambda x: f"a{x}: &a{x} {{<<: *a{x - 1}, b{x}: 1}}\n", n)
        )
    ),
    "anchors": _yaml(lambda n: _lines(lambda x: f"a{x}: &a{x} 1\n", n)),
    "aliases of aliases": _yaml(
        lambda n: "a0: &a0 [1]\n" + _lines(lambda x: f"a{x}: &a{x} [*a{x - 1}]\n", n)
    ),
    "aliases of a long text": _yaml(
        lambda n: "a: &a " + "x" * (n // 2) + "\nb: [" + "*a," * (n // 6) + "]"
    ),
    "aliases of a long key": _yaml(
        lambda n: "a: &a {? " + "x" * (n // 2) + "\n: 1}\nb: [" + "*a," * (n // 6) + "]"
    ),
    "aliases of a long number": _yaml(
        lambda n: "a: &a 0x" + "1" * 490 + "\nb: [" + "*a," * (n // 3) + "]"
    ),
    "a sexagesimal": _yaml(lambda n: "a: 1" + ":59" * (n // 3)),
    "sexagesimals": _yaml(lambda n: _lines(lambda x: f"a{x}: 1" + ":59" * 160 + "\n", n)),
    "a sexagesimal fraction": _yaml(lambda n: "a: 1" + ":59" * (n // 3) + ".5"),
    "a long number": _yaml(lambda n: "a: " + "1" * n),
    "a long fraction": _yaml(lambda n: "a: " + "1" * n + ".5"),
    "a long second": _yaml(lambda n: "a: 2020-01-01 10:10:10." + "1" * n),
    "a long text": _yaml(lambda n: "a: " + "x " * (n // 2)),
    "a text of lines": _yaml(lambda n: "a: " + "x\n " * (n // 3)),
    "a quoted text": _yaml(lambda n: 'a: "' + "x\\n" * (n // 3) + '"'),
    "a literal text": _yaml(lambda n: "a: |\n" + " x\n" * (n // 3)),
    "a folded text": _yaml(lambda n: "a: >\n" + "\n" * n + " b"),
    "duplicate keys": _yaml(lambda n: "a: 1\n" * (n // 5)),
    "keys of one hash": _yaml(lambda n: _lines(lambda x: f"{MERSENNE * x}: 1\n", n)),
    "keys of one hash, hexadecimal": _yaml(
        lambda n: _lines(lambda x: f"{MERSENNE * x:#x}: 1\n", n)
    ),
    "a set of one hash": _yaml(
        lambda n: "a: !!set\n" + _lines(lambda x: f" ? {MERSENNE * x}\n", n)
    ),
    "directives": _yaml(lambda n: _lines(lambda x: f"%TAG !a{x}! b\n", n) + "--- {a: 1}"),
    "comments": _yaml(lambda n: "a: 1\n" + "# x\n" * (n // 4)),
    "blank lines behind a fault": _yaml(lambda n: "a: *x" + "\n \n a" * (n // 5) + "b"),
    "marks that nothing closes": lambda n: "---\na: [\n" + "--- a\n" * (n // 6),
}
TOML: dict[str, Shape] = {
    "dots": _toml(lambda n: ".".join("a" * (n // 2)) + " = 1"),
    "dots in a table": _toml(lambda n: "a = {" + ".".join("b" * (n // 2)) + "=1}"),
    "dots in tables": _toml(lambda n: "a = [" + ("{" + ".".join("b" * 300) + "=1}," * (n // 604))),
    "dots among blanks": _toml(lambda n: "a = [{" + " . ".join("b" * (n // 4)) + "=1}]"),
    "dots among quotes": _toml(lambda n: "a = {" + ".".join(["'b'", '"b"'] * (n // 8)) + "=1}"),
    "dots behind quotes": _toml(lambda n: "'#'." + ".".join("b" * (n // 2)) + " = 1"),
    "dots in a header": _toml(lambda n: "[" + ".".join("a" * (n // 2)) + "]"),
    "dots in headers": _toml(lambda n: _lines(lambda x: "[a" + ".a" * 40 + f".b{x}]\nc = 1\n", n)),
    "dots in a text": _toml(lambda n: 'a = "' + "b." * (n // 2) + '"'),
    "fractions": _toml(lambda n: "a = [" + "1.5," * (n // 4) + "]"),
    "brackets": _toml(lambda n: "a = " + "[" * n),
    "braces": _toml(lambda n: "a = " + "{a=" * (n // 3)),
    "tables": _toml(lambda n: _lines(lambda x: f"[a.b{x}]\n", n)),
    "tables in an array": _toml(lambda n: "[[a]]\n[a.b]\n" * (n // 12)),
    "escapes": _toml(lambda n: 'a = "' + "\\n" * (n // 2) + '"'),
    "escapes that nothing closes": _toml(lambda n: 'a = "' + '\\"' * (n // 2)),
    "a long number": _toml(lambda n: "a = " + "1" * n),
    "a long hexadecimal number": _toml(lambda n: "a = 0x" + "1" * n),
    "a long fraction": _toml(lambda n: "a = " + "1" * n + ".5"),
    "a long text": _toml(lambda n: "a = '''" + "x\n" * (n // 2) + "'''"),
    "duplicate keys": _toml(lambda n: "a = 1\n" * (n // 6)),
    "quotes by turns": _toml(lambda n: "a = " + "\"'" * (n // 2)),
}
JSON: dict[str, Shape] = {
    "brackets": _json(lambda n: '"a":' + "[" * n),
    "objects": lambda n: '{"a":' * (n // 5),
    "a long number": _json(lambda n: '"a":' + "1" * n),
    "long numbers": _json(lambda n: '"a":[' + ("1" * 4_000 + ",") * (n // 4_001) + "1]"),
    "a long fraction": _json(lambda n: '"a":' + "1" * n + ".5"),
    "a long text": _json(lambda n: '"a":"' + "x" * n + '"'),
    "escapes": _json(lambda n: '"a":"' + "\\u00e9" * (n // 6) + '"'),
    "duplicate keys": _json(lambda n: '"a":1,' * (n // 6) + '"b":1'),
}
FRONT_MATTER: dict[str, Shape] = {
    f"{form}: {name}": shape
    for form, shapes in (("yaml", YAML), ("toml", TOML), ("json", JSON))
    for name, shape in shapes.items()
}
