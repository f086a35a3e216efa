"""The cuts of documents as one page of HTML that needs nothing else.

The documents stand in it as ``bands`` makes them; what a chunk looks like when it is embedded is
drawn in the browser, of the data at the end of the page. The look and the script are in
``templates/``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from mdchunk.chunker import Chunker
from mdchunk.cutting.explain import Candidate
from mdchunk.model import elide
from mdchunk.options import Options
from mdchunk.view.describe import described, unit_name
from mdchunk.view.line_markup import SIDES, Sheet, Side, number, sheet_markup

ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def make_side(chunker: Chunker, source: str) -> Side:
    """Split a source and ask for the reasons."""
    document = chunker.parse(source)
    return Side(document, chunker.chunk(document), chunker.explain(document))


def page(sheets: Sequence[Sheet], settings: Sequence[Options]) -> str:
    """Make the page of some documents under one or two settings."""
    script = _template("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return Template(_template("page.html")).substitute(
        title=escape(_title(sheets)),
        style=_template("page.css"),
        script=script,
        digest=digest,
        sides=len(settings),
        settings="".join(map(_setting, SIDES, settings)),
        summary=_summary(sheets, settings),
        show=_template("show.html") if len(settings) > 1 else "",
        documents=_choice(sheets),
        main="".join(part for i, sheet in enumerate(sheets) for part in sheet_markup(i, sheet)),
        panels="".join(map(_panel, SIDES[: len(settings)])),
        data=script_json(_data(sheets, settings)),
    )


def script_json(value: object) -> str:
    """Return a value as JSON that no text in it can end the script element of."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _template(name: str) -> str:
    return (files("mdchunk.view") / "templates" / name).read_text(encoding="utf-8")


def _title(sheets: Sequence[Sheet]) -> str:
    return sheets[0].name.rpartition("/")[2] if len(sheets) == 1 else f"{len(sheets)} documents"


def _setting(side: str, options: Options) -> str:
    text = escape(described(options))
    return f'<p class="setting {side}"><b>{side.upper()}</b> {text}</p>'


def _choice(sheets: Sequence[Sheet]) -> str:
    """Make the list of documents, where there are several."""
    if len(sheets) < 2:
        return ""
    items = (f'<option value="d{i}">{escape(s.name)}</option>' for i, s in enumerate(sheets))
    return (
        f'<label>Document <select id="documents" autocomplete="off">{"".join(items)}</select>'
        "</label>"
    )


def _panel(side: str) -> str:
    return (
        f'<section class="panel {side}" id="panel-{side}" aria-label="Setting {side.upper()}">'
        '<p class="hint">Point at a chunk, or press j.</p></section>'
    )


def _summary(sheets: Sequence[Sheet], settings: Sequence[Options]) -> str:
    """Make the table that sums up each setting."""
    names = ("setting", "chunks", "mean size", "fill", "smallest", "largest")
    shared = ("cuts the other has too",) if len(settings) > 1 else ()
    head = "".join(f'<th scope="col">{name}</th>' for name in (*names, *shared))
    cuts = [_cut_places(sheets, index) for index in range(len(settings))]
    rows = []
    for index, options in enumerate(settings):
        sizes = [chunk.size for sheet in sheets for chunk in sheet.sides[index].chunks] or [0]
        count = sum(len(sheet.sides[index].chunks) for sheet in sheets)
        mean = sum(sizes) / len(sizes)
        cells = [f"{count:,}", f"{mean:.0f}", f"{mean / options.chunk_size:.0%}"]
        cells += [f"{min(sizes):,}", f"{max(sizes):,}"]
        if shared:
            cells.append(f"{len(cuts[0] & cuts[1]):,} of {len(cuts[index]):,}")
        row = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{SIDES[index].upper()}</th>{row}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cut_places(sheets: Sequence[Sheet], index: int) -> set[tuple[int, int]]:
    return {
        (number, chunk.start + chunk.overlap)
        for number, sheet in enumerate(sheets)
        for chunk in sheet.sides[index].chunks[1:]
    }


def _data(sheets: Sequence[Sheet], settings: Sequence[Options]) -> dict[str, object]:
    """Return what the script draws the panels of."""
    return {
        "settings": [
            {"limit": options.chunk_size, "unit": unit_name(options)} for options in settings
        ],
        "documents": [
            {
                "name": sheet.name,
                "source": sheet.sides[0].document.source,
                "sides": [_chunk_data(side) for side in sheet.sides],
                "places": [_place_data(side) for side in sheet.sides],
            }
            for sheet in sheets
        ],
    }


def _place_data(side: Side) -> list[tuple[object, ...]]:
    """Return what the margin says of the places that were compared, for those who cannot point."""
    source, lines = side.document.source, side.document.lines
    astral = [match.start() for match in ASTRAL.finditer(source)]
    return [
        (c.offset + bisect_left(astral, c.offset), lines.of(c.offset) + 1, *_place_cells(c))
        for c in side.explained
        if not c.chosen
    ]


def _place_cells(candidate: Candidate) -> tuple[str, str]:
    return f"{candidate.kind} {candidate.score:g}", number(candidate.worth)


def _chunk_data(side: Side) -> list[dict[str, object]]:
    # a browser counts in UTF-16
    astral = [match.start() for match in ASTRAL.finditer(side.document.source)]
    found = []
    for chunk in side.chunks:
        own = chunk.start + chunk.overlap
        start, own, end = (at + bisect_left(astral, at) for at in (chunk.start, own, chunk.end))
        row: dict[str, object] = {
            "at": [start, own, end],
            "lines": [chunk.start_line, chunk.end_line],
            "size": chunk.size,
            "headings": chunk.headings,
            "kinds": chunk.kinds,
            "cut": chunk.cut,
            "prefix": chunk.prefix,
            "suffix": chunk.suffix,
            "id": chunk.id,
        }
        if chunk.elided and elide(chunk.text) != chunk.text:
            row["text"] = elide(chunk.text)
        found.append(row)
    return found
