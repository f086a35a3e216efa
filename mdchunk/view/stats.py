"""What a set of documents comes to: sizes, fill, cuts, what was divided and why, duplicates."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise
from string import Template
from typing import Any, NamedTuple

from mdchunk.chunker import Chunker
from mdchunk.document import Document
from mdchunk.lines import line_feeds
from mdchunk.model import Chunk, Span
from mdchunk.view.describe import described, unit_name
from mdchunk.view.text import CONTROLS, align

TINY = 0.1
"""The share of the limit under which a chunk is tiny."""
BINS = 10
WIDTH = 40
"""Columns of the longest bar."""
PREVIEW = 50
TOO_LONG, PREFERENCE, CONTEXT = "over the limit", "whole by preference only", "with its context"

Report = Mapping[str, Any]
"""JSON values only; ``report`` says which."""


class Divided(NamedTuple):
    """A block with a cut inside: where it starts, how big it is and why it was divided."""

    source: str
    line: int
    kind: str
    size: int
    reason: str


class Survey:
    """Gathers what there is to say of documents, one after the other."""

    def __init__(self, chunker: Chunker) -> None:
        self.chunker = chunker
        self.limit = chunker.options.chunk_size
        self.documents = self.characters = self.repeated = 0
        self.sizes: list[int] = []
        self.cuts: Counter[str] = Counter()
        self.divided: list[Divided] = []
        self.over: list[Divided] = []
        self.places: defaultdict[bytes, list[str]] = defaultdict(list)
        self.previews: dict[bytes, str] = {}

    def add(self, name: str, document: Document, chunks: Sequence[Chunk]) -> None:
        """Take in a document and its chunks."""
        self.documents += 1
        self.characters += len(document.source)
        self.repeated += sum(chunk.overlap for chunk in chunks)
        self.cuts.update(chunk.cut for chunk in chunks if chunk.cut != "end")
        self.divided += _divided(name, document, chunks, self.chunker)
        for chunk in chunks:
            self.sizes.append(chunk.size)
            if chunk.size > self.limit:
                kind = "+".join(chunk.kinds)
                self.over.append(Divided(name, chunk.start_line, kind, chunk.size, TOO_LONG))
            text = chunk.contextualized
            key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
            self.places[key].append(f"{name}:{chunk.start_line}")
            self.previews.setdefault(key, " ".join(text.split())[:PREVIEW])

    def report(self) -> Report:
        """Return all of it: counts, sizes, histogram, cuts, divided blocks and duplicates."""
        options, sizes = self.chunker.options, sorted(self.sizes)
        tiny = sum(size < self.limit * TINY for size in sizes)
        long = [block for block in self.divided if block.reason == TOO_LONG]
        return {
            "options": described(options),
            "unit": unit_name(options),
            "limit": self.limit,
            "documents": self.documents,
            "characters": self.characters,
            "chunks": len(sizes),
            "total": sum(sizes),
            "sizes": _sizes(sizes),
            "fill": _share(sum(sizes), len(sizes) * self.limit),
            "tiny": {"under": self.limit * TINY, "chunks": tiny, "share": _share(tiny, len(sizes))},
            "overlap": _share(self.repeated, self.characters),
            "histogram": _histogram(sizes, self.limit),
            "cuts": dict(self.cuts.most_common()),
            "divided": _by_kind(self.divided),
            "over_long": [_entry(it) for it in sorted(long, key=lambda it: -it.size)],
            "over_limit": [_entry(it) for it in self.over],
            "duplicates": self._duplicates(),
        }

    def _duplicates(self) -> list[dict[str, Any]]:
        found = [(key, places) for key, places in self.places.items() if len(places) > 1]
        found.sort(key=lambda it: -len(it[1]))
        return [{"text": self.previews[key], "places": places} for key, places in found]


def _divided(
    name: str, document: Document, chunks: Sequence[Chunk], chunker: Chunker
) -> Iterator[Divided]:
    """Find the blocks that hold a cut, and count them to see why."""
    cuts = [chunk.start + chunk.overlap for chunk in chunks[1:]]
    for block in document.structure.blocks:
        at = bisect_right(cuts, block.start)
        if at < len(cuts) and cuts[at] < block.end:
            size = chunker.count(line_feeds(document.source[block.start : block.end]))
            line = document.lines.of(block.start) + 1
            yield Divided(name, line, block.kind, size, _reason(block, size, document, chunker))


def _reason(block: Span, size: int, document: Document, chunker: Chunker) -> str:
    if size > chunker.options.chunk_size:
        return TOO_LONG
    return PREFERENCE if block.kind in document.syntax.soft else CONTEXT


def _sizes(sizes: Sequence[int]) -> dict[str, float]:
    if not sizes:
        return {}
    last = len(sizes) - 1
    at = {"least": 0.0, "tenth": 0.1, "median": 0.5, "nine_tenths": 0.9, "most": 1.0}
    found: dict[str, float] = {name: sizes[round(last * share)] for name, share in at.items()}
    return {**found, "mean": round(sum(sizes) / len(sizes), 1)}


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _histogram(sizes: Sequence[int], limit: int) -> list[dict[str, int]]:
    """Count sizes in tenths of the limit; what is over it comes last, if there is any."""
    edges = [0, *sorted({limit * step // BINS for step in range(1, BINS + 1)} - {0})]
    if sizes and sizes[-1] > limit:
        edges.append(sizes[-1])
    found = []
    for low, high in pairwise(edges):
        inside = bisect_right(sizes, high) - bisect_right(sizes, low)
        found.append({"from": low + 1, "to": high, "chunks": inside})
    return found


def _by_kind(divided: Sequence[Divided]) -> dict[str, dict[str, int]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for block in divided:
        found[block.kind][block.reason] += 1
    return {kind: dict(found[kind]) for kind in sorted(found)}


def _entry(block: Divided) -> dict[str, Any]:
    return {"source": block.source, "line": block.line, "kind": block.kind, "size": block.size}


# the report as text and as a page


def as_json(report: Report) -> str:
    """Return a report as JSON."""
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def as_text(report: Report, *, most: int) -> str:
    """Return a report for a terminal, with at most so many entries of each list."""
    parts = [_overview(report)]
    parts += [f"{title}\n{align(rows, right=right)}" for title, right, rows in tables(report, most)]
    return "\n".join(parts).translate({**CONTROLS, 10: "\n"})


def _overview(report: Report) -> str:
    return "".join(f"{name:<8}{text}\n" for name, text in facts(report))


def facts(report: Report) -> list[tuple[str, str]]:
    """Return what a line says each."""
    unit, tiny = report["unit"], report["tiny"]
    sizes = ", ".join(f"{n.replace('_', ' ')} {v:,}" for n, v in report["sizes"].items())
    copies = sum(len(it["places"]) - 1 for it in report["duplicates"])
    return [
        ("set", report["options"]),
        ("read", f"documents {report['documents']:,}, characters {report['characters']:,}"),
        ("made", f"chunks {report['chunks']:,}, {unit} {report['total']:,}"),
        ("sizes", sizes),
        ("fill", f"{report['fill']:.1%} of the limit"),
        ("tiny", f"chunks under {tiny['under']:g} {unit} {tiny['chunks']:,} ({tiny['share']:.1%})"),
        ("overlap", f"{report['overlap']:.1%} of the characters"),
        ("over", f"chunks over the limit {len(report['over_limit']):,}"),
        ("copies", f"chunks that say what another says {copies:,}"),
    ]


def tables(report: Report, most: int) -> Iterator[tuple[str, int, list[tuple[str, ...]]]]:
    """Return each table with a title and how many of its columns are numbers."""
    if report["chunks"]:
        yield f"Sizes in {report['unit']}", 2, _bars(report["histogram"])
    if report["cuts"]:
        yield "Cuts", 1, [("cuts", "at"), *((f"{n:,}", kind) for kind, n in report["cuts"].items())]
    if report["divided"]:
        yield "Blocks that were divided", 1, _reasons(report["divided"])
    for key, title in (("over_long", "Blocks over the limit"), ("over_limit", "Chunks over it")):
        if entries := report[key]:
            shown = [
                (f"{it['size']:,}", it["kind"], f"{it['source']}:{it['line']}")
                for it in entries[:most]
            ]
            yield _titled(title, entries, most), 1, [("size", "kind", "where"), *shown]
    if entries := report["duplicates"]:
        shown = [
            (str(len(it["places"])), ", ".join(it["places"][:3]), it["text"])
            for it in entries[:most]
        ]
        yield _titled("Duplicate chunks", entries, most), 1, [("times", "where", "text"), *shown]


def _titled(title: str, entries: Sequence[object], most: int) -> str:
    more = f", the first {most}" if len(entries) > most else ""
    return f"{title} ({len(entries):,}{more})"


def _bars(histogram: Sequence[Mapping[str, int]]) -> list[tuple[str, ...]]:
    top = max(row["chunks"] for row in histogram) or 1
    rows = []
    for row in histogram:
        bar = "█" * -(-row["chunks"] * WIDTH // top)
        rows.append((f"{row['from']}–{row['to']}", f"{row['chunks']:,}", bar))
    return [("size", "chunks", "share"), *rows]


def _reasons(divided: Mapping[str, Mapping[str, int]]) -> list[tuple[str, ...]]:
    rows = [
        (
            f"{sum(reasons.values()):,}",
            kind,
            ", ".join(f"{n:,} {why}" for why, n in reasons.items()),
        )
        for kind, reasons in divided.items()
    ]
    return [("blocks", "kind", "why"), *rows]


def as_html(report: Report) -> str:
    """Return a report as a page that needs nothing else."""
    rows = "".join(
        f"<tr><th scope=row>{escape(n)}</th><td>{escape(t)}</td></tr>" for n, t in facts(report)
    )
    parts = [f"<table>{rows}</table>"]
    for title, right, table in tables(report, most=1000):
        parts.append(f"<h2>{escape(title)}</h2>{_html_table(table, right)}")
    template = (files("mdchunk.view") / "templates" / "stats.html").read_text(encoding="utf-8")
    return Template(template).substitute(body="".join(parts))


def _html_table(table: Sequence[Sequence[str]], right: int) -> str:
    head = "".join(f"<th scope=col>{escape(cell)}</th>" for cell in table[0])
    rows = []
    for row in table[1:]:
        cells = [f"<td class=n>{escape(cell)}</td>" for cell in row[:right]]
        cells += [_html_cell(cell) for cell in row[right:]]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _html_cell(cell: str) -> str:
    if cell and not cell.strip("█"):
        return f'<td><i class=bar style="width:{len(cell) / 2:g}rem"></i></td>'
    return f"<td>{escape(cell)}</td>"
