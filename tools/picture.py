"""Draw docs/picture.svg: one page cut by a popular splitter and by mdchunk, side by side.

python tools/picture.py            # from the cuts of the other one that docs/peer-cuts.json has
python tools/picture.py --record   # asks the other one anew; needs langchain-text-splitters
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from mdchunk import Chunker, chunk

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "example.md"
CUTS = ROOT / "docs" / "peer-cuts.json"
PICTURE = ROOT / "docs" / "picture.svg"
SIZE = 60
LINE, LEFT, TOP, WIDTH, GAP = 19, 16, 58, 560, 24
MOST = 68
"""Characters of a line that are drawn; more would run over the edge of the column."""
BANDS = ("#e0ecff", "#fff0d4", "#dff5e3", "#f6e1f3", "#e8e6fb")
TEXT = "#1b1f24"


def record() -> dict[str, Any]:
    """Ask the other splitter where it cuts the page."""
    from importlib.metadata import version

    from langchain_text_splitters import MarkdownTextSplitter

    source = PAGE.read_text(encoding="utf-8")
    count = Chunker().count  # tokens of cl100k_base, which needs no download here
    splitter = MarkdownTextSplitter(chunk_size=SIZE, chunk_overlap=0, length_function=count)
    starts, place = [], 0
    for text in splitter.split_text(source):
        place = source.index(text, place)
        starts.append(place)
    name = f"langchain-text-splitters {version('langchain-text-splitters')}: MarkdownTextSplitter"
    return {"name": name, "starts": starts}


def picture() -> str:
    """Return the drawing, with the cuts of the other splitter as they were recorded."""
    source = PAGE.read_text(encoding="utf-8")
    peer = json.loads(CUTS.read_text(encoding="utf-8"))
    ours = [each.start for each in chunk(source, chunk_size=SIZE, front_matter="chunk")]
    lines = source.rstrip("\n").split("\n")
    height = TOP + LINE * len(lines) + 16
    whole = 2 * WIDTH + 2 * LEFT + GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {height}" role="img" '
        f'aria-label="One page in chunks of {SIZE} tokens, by two splitters" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">\n'
        f'<rect width="{whole}" height="{height}" fill="#ffffff"/>\n'
    )
    columns = _column(lines, peer["starts"], LEFT, str(peer["name"]))
    columns += _column(lines, ours, LEFT + WIDTH + GAP, "mdchunk")
    return f"{head}{columns}</svg>\n"


def _column(lines: Sequence[str], starts: Sequence[int], left: int, name: str) -> str:
    rows = [
        f'<text x="{left}" y="26" font-size="14" font-weight="bold" fill="{TEXT}">'
        f"{escape(name)}</text>\n"
    ]
    offset = 0
    for number, line in enumerate(lines):
        owner = sum(start <= offset + len(line) - len(line.lstrip()) for start in starts) - 1
        y = TOP + LINE * number
        colour = BANDS[owner % len(BANDS)]
        rows.append(
            f'<rect x="{left}" y="{y - 14}" width="{WIDTH}" height="{LINE}" fill="{colour}"/>'
        )
        if owner and any(offset <= start <= offset + len(line) for start in starts):
            edge = f'x1="{left}" x2="{left + WIDTH}" y1="{y - 14}" y2="{y - 14}"'
            rows.append(f'<line {edge} stroke="#b02a37" stroke-width="2" stroke-dasharray="6 3"/>')
        rows.append(
            f'<text x="{left + 8}" y="{y}" fill="{TEXT}" xml:space="preserve">'
            f"{escape(_shown(line))}</text>\n"
        )
        offset += len(line) + 1
    return "\n".join(rows)


def _shown(line: str) -> str:
    return line if len(line) <= MOST else line[: MOST - 1] + "…"


if __name__ == "__main__":
    if "--record" in sys.argv[1:]:
        CUTS.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
