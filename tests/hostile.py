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

Nest = Callable[[str, int], str]
"""Puts lines into as many containers of a kind as asked for, one in the other."""


def _marked(mark: str) -> Nest:
    return lambda body, depth: _behind(body, mark * depth, mark * depth)


def _indented(opening: str, indent: str) -> Nest:
    """Open each container on the line where the one round it begins, and indent what is inside."""
    return lambda body, depth: _behind(body, opening * depth, indent * depth)


def _behind(body: str, first: str, further: str) -> str:
    """Put marks before lines; one that begins with ``LAZY`` has none."""
    lines = (first + body).split("\n")
    return "\n".join(
        [lines[0], *(line if line[:1] == LAZY else further + line for line in lines[1:])]
    )


def _between(opening: Callable[[int], str], closing: Callable[[int], str]) -> Nest:
    """Enclose lines in marks of their own, told by how many containers are inside of them."""

    def nest(body: str, depth: int) -> str:
        opened = "\n".join(opening(depth - level) for level in range(depth))
        closed = "\n".join(closing(level + 1) for level in range(depth))
        return f"{opened}\n{body}\n{closed}\n"

    return nest


def _under(opening: str) -> Nest:
    """Open each container by a line, and indent what is inside by four."""

    def nest(body: str, depth: int) -> str:
        opened = "".join(f"{'    ' * level}{opening}\n\n" for level in range(depth))
        return opened + _behind(body, "    " * depth, "    " * depth)

    return nest


def _terms(body: str, depth: int) -> str:
    for _ in range(depth):
        body = "a\n" + _behind(body, ":   ", "    ")
    return body


LAZY = "\x01"
"""Begins a line that goes on with its paragraph without the marks of its containers."""
CONTAINERS: dict[str, Nest] = {
    "quotes": _marked("> "),
    "items": _indented("- ", "  "),
    "quotes and items": lambda body, depth: _behind(body, "> - " * depth, ">   " * depth),
    "colons": _between(lambda level: ":" * (level + 2) + "a", lambda level: ":" * (level + 2)),
    "directives": _between(
        lambda level: ":" * (level + 2) + "{a}", lambda level: ":" * (level + 2)
    ),
    "admonitions": _under("!!! a"),
    "slashes": _between(lambda level: "/" * (level + 2) + " a", lambda level: "/" * (level + 2)),
    "tags": _between(lambda level: f"{{{{< a{level} >}}}}", lambda level: f"{{{{< /a{level} >}}}}"),
    "elements": _between(lambda level: f"<Aa{level}>", lambda level: f"</Aa{level}>"),
    "details": _between(lambda _: "<details>", lambda _: "</details>"),
    "details with blank lines": _between(lambda _: "<details>\n", lambda _: "\n</details>"),
    "footnotes": _indented("[^a]: ", "    "),
    "terms": _terms,
}
INSIDES: dict[str, Shape] = {
    "lazy lines": lambda n: "a" + f"\n{LAZY}b" * (n // 2),
    "lazy lines behind headings": lambda n: f"# a\n{LAZY}b\n" * (n // 6),
    "lazy lines behind paragraphs": lambda n: f"a\n{LAZY}b\n\n" * (n // 5),
    "blank lines": lambda n: "a\n\n" * (n // 3),
    "many blank lines": lambda n: "a" + "\n" * n + "b",
    "fences": lambda n: "```\na\n```\n" * (n // 10),
    "fences that nothing closes": lambda n: "".join(
        "`" * (x % 9 + 3) + f"a\n{LAZY}b\n" for x in range(n // 11)
    ),
    "tables": lambda n: "|a|\n|-|\n|b|\n\n" * (n // 13),
    "a table": lambda n: "|a|\n|-|\n" + "|b|\n" * (n // 4),
    "definitions": lambda n: _lines(lambda x: f"[a{x}]: b\n", n),
}
DEPTHS = (1, 3, 5, 9)


def nested(container: str, inside: str, depth: int) -> Shape:
    """Make the shape of some lines in containers, one in the other."""
    return lambda n: CONTAINERS[container](INSIDES[inside](n), depth).replace(LAZY, "")


def repeated(container: str, depth: int) -> Shape:
    """Make the shape of many small documents, each of containers in containers."""
    small = CONTAINERS[container](f"a\n{LAZY}b\n", depth).replace(LAZY, "")
    return lambda n: small * (n // len(small) + 1)


def opened(container: str, depth: int) -> Shape:
    """Make the shape of openings alone, without what would close them."""
    lines = CONTAINERS[container](f"a\n{LAZY}b", depth).replace(LAZY, "").split("\n")
    small = "".join(f"{line}\n" for line in lines[: lines.index("b")])
    return lambda n: small * (n // len(small) + 1)


def _used(body: Shape) -> Shape:
    """Put a definition before a text, so that its uses are looked for."""
    return lambda n: f"[a]: b\n\n{body(n)}"


BRACKETS: dict[str, Shape] = {
    "escaped": _used(lambda n: r"\[" * (n // 2)),
    "escaped in pairs": _used(lambda n: r"\[a\]" * (n // 5)),
    "escaped by turns": _used(lambda n: r"[\[" * (n // 3)),
    "escaped in labels": _used(lambda n: ("[" + r"\]" * 998) * (n // 1997 + 1)),
    "open": _used(lambda n: "[a" * (n // 2)),
    "uses": _used(lambda n: "[a] " * (n // 4)),
}
