"""Draw the pictures of docs/benchmarks.md from its tables.

    python tools/charts.py

An SVG in a page has no style of the page: each has its own ground, light or dark as the reader's
system is.
"""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from measured import PEERS, figure, setting, value

CHARTS = Path(__file__).parents[1] / "docs" / "pages" / "charts"
OURS = {"mdchunk": "mdchunk"}
ROWS = OURS | PEERS
WIDTH, LEFT, RIGHT, ROW, BAR = 620, 186, 60, 28, 16
LIGHT = {
    "text": "#1f2430",
    ".ground": "#ffffff",
    ".faint": "#5c6370",
    ".ours": "#3f51b5",
    ".other": "#8a93a3",
    ".a": "#3f51b5",
    ".b": "#d9822b",
    ".c": "#2f9e8f",
    ".d": "#a2558f",
}
DARK = {
    "text": "#e4e6eb",
    ".ground": "#1e2129",
    ".faint": "#a4abb8",
    ".ours": "#8f9ef0",
    ".other": "#7d8594",
    ".a": "#8f9ef0",
    ".b": "#e8a25c",
    ".c": "#5cc4b5",
    ".d": "#cf8abc",
}
"""Colours of what a picture has, by the reader's system."""
QUALITY = "quality-tokens"
BLOCKS = ("code", "table", "row", "item", "list", "quote", "html", "paragraph")
FAULTS: dict[str, tuple[str, ...]] = {
    "blocks cut that fit": tuple(f"{kind} cut" for kind in BLOCKS),
    "headings left at a chunk's end": ("heading orphaned",),
    "cuts within sentences or words": ("mid-sentence", "mid-word"),
    "front matter mixed with text": ("front matter mixed",),
}
"""Kinds of faults: what each is called, and the columns that it is the sum of."""
PANELS = {
    "BM25": ("retrieval-markdown-bm25-512", "retrieval-markdown-bm25-512-hierarchy"),
    "embedding": (
        "retrieval-markdown-wordllama-512",
        "retrieval-markdown-wordllama-512-hierarchy",
    ),
}
"""What is searched: the table of all splitters, and that of hierarchies."""


class Dot(NamedTuple):
    """A splitter in a picture: its name, class, and place in its own units."""

    name: str
    kind: str
    across: float
    up: float


def style() -> str:
    light, dark = (
        " ".join(f"{name} {{ fill: {colour} }}" for name, colour in colours.items())
        for colours in (LIGHT, DARK)
    )
    line = ".line { stroke: #888888; stroke-opacity: 0.35 }"
    return f"{light} {line}\n@media (prefers-color-scheme: dark) {{ {dark} }}"


def chart(title: str, height: int, body: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="13">\n'
        f"<style>\n{style()}\n</style>\n"
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="6"/>\n'
        f"{text(16, 26, title, 'title', size=15)}\n" + "\n".join(body) + "\n</svg>\n"
    )


def text(
    x: float, y: float, said: str, kind: str = "", anchor: str = "start", size: int = 0
) -> str:
    extra = f' font-size="{size}" font-weight="600"' if size else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"{extra}>'
        f"{escape(said, quote=False)}</text>"
    )


def bar(x: float, y: float, width: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR}"/>'


def faults() -> str:
    """Return bars of faults, a colour for each kind."""
    counts = {
        name: [
            sum(value(QUALITY, name, column) for column in columns) for columns in FAULTS.values()
        ]
        for name in ROWS
    }
    scale = (WIDTH - LEFT - RIGHT) / max(map(sum, counts.values()))
    body: list[str] = []
    for number, (said, kind) in enumerate(zip(FAULTS, "abcd", strict=True)):
        place, y = 16.0 + number % 2 * 300, 50.0 + number // 2 * 20
        body += [bar(place, y - 12, 12, kind), text(place + 18, y, said, "faint")]
    for number, (name, said) in enumerate(ROWS.items()):
        y, x = 88.0 + number * ROW, float(LEFT)
        body.append(text(LEFT - 8, y + 13, said, anchor="end"))
        for count, kind in zip(counts[name], "abcd", strict=True):
            body += [bar(x, y, count * scale, kind)] * bool(count)
            x += count * scale
        body.append(text(x + 6, y + 13, f"{sum(counts[name]):,.0f}", "faint"))
    return chart(
        f"Faults in {setting(QUALITY, 'documents')} documents, chunks of 512 tokens",
        96 + len(ROWS) * ROW,
        body,
    )


def speed() -> str:
    """Return a bar for each splitter's speed."""
    table, column = "speed-tokens", "MB/s"
    scale = (WIDTH - LEFT - RIGHT) / max(value(table, name, column) for name in ROWS)
    body = []
    for number, name in enumerate(sorted(ROWS, key=lambda it: -value(table, it, column))):
        y, width = 46 + number * ROW, value(table, name, column) * scale
        body.append(text(LEFT - 8, y + 13, ROWS[name], anchor="end"))
        body.append(bar(LEFT, y, width, "ours" if name in OURS else "other"))
        body.append(text(LEFT + width + 6, y + 13, figure(table, name, column), "faint"))
    return chart("Speed in tokens, MB a second", 56 + len(ROWS) * ROW, body)


def dots(table: str, nested: str) -> Iterator[Dot]:
    """List the splitters of a panel: chunks across, recall in 500 tokens up."""
    more = {"mdchunk-sections": "mdchunk, split_headings=6"}
    for name, said in (ROWS | more).items():
        kind = "ours" if name.startswith("mdchunk") else "other"
        yield Dot(said, kind, value(table, name, "chunks"), value(table, name, "recall 500"))
    place = [value(nested, "mdchunk-hierarchy", column) for column in ("chunks", "recall 500")]
    yield Dot("mdchunk, 128 in 512", "ours", *place)


def recall() -> str:
    """Return two panels, a dot for each splitter."""
    body: list[str] = []
    for number, (said, tables) in enumerate(PANELS.items()):
        body += panel(said, list(dots(*tables)), 60 + number * 330)
    return chart("Recall in the first 500 tokens read, by the number of chunks", 720, body)


def panel(said: str, places: Sequence[Dot], top: int) -> list[str]:
    left, right, bottom = 60, WIDTH - 32, top + 260
    least, most = _round(places)
    x = _scale(0, 2500, left, right)
    y = _scale(least, most, bottom, top)
    body = [text(left, top - 10, f"Searched by {said}", size=13)]
    for tick in range(least, most + 1, 5):
        line = f'x1="{left}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"'
        body += [
            f'<line class="line" {line}/>',
            text(left - 8, y(tick) + 4, str(tick), "faint", "end"),
        ]
    for tick in range(0, 2501, 500):
        body.append(text(x(tick), bottom + 18, f"{tick:,}", "faint", "middle"))
    body.append(text(right, bottom + 34, "chunks", "faint", "end"))
    taken = [(x(dot.across) - 5, x(dot.across) + 5, y(dot.up)) for dot in places]
    for dot in sorted(places, key=lambda it: -it.across):
        body.append(
            f'<circle class="{dot.kind}" cx="{x(dot.across):.1f}" cy="{y(dot.up):.1f}" r="5"/>'
        )
        body.append(label(dot, x(dot.across), y(dot.up), taken))
    return body


def label(dot: Dot, x: float, y: float, taken: list[tuple[float, float, float]]) -> str:
    """Return the name of a dot beside it, at the nearest height where no other name is."""
    width = 7 * len(dot.name)
    before = x + 10 + width > WIDTH - 20
    start = x - 10 - width if before else x + 10
    for step in sorted(range(-120, 121, 3), key=abs):
        place = (start, start + width, y + step)
        if all(_apart(place, other) for other in taken):
            break
    taken.append(place)
    at, anchor = (x - 10, "end") if before else (start, "start")
    return text(at, place[2] + 4, dot.name, "" if dot.kind == "ours" else "faint", anchor)


def _apart(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return one[1] < other[0] or other[1] < one[0] or abs(one[2] - other[2]) >= 15


def _round(places: Sequence[Dot]) -> tuple[int, int]:
    least, most = min(dot.up for dot in places), max(dot.up for dot in places)
    return int(least // 5 * 5), int(-(-most // 5) * 5)


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda place: start + (place - low) / (high - low) * (end - start)


DRAWN = {"faults.svg": faults, "recall.svg": recall, "speed.svg": speed}


def write() -> None:
    for name, draw in DRAWN.items():
        (CHARTS / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    write()
