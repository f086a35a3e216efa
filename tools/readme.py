"""Write the generated parts of README.md: the picture, the options and the score table.

    python tools/readme.py

A part stands between ``<!-- name -->`` and ``<!-- end -->``.
"""

import re
from dataclasses import fields
from pathlib import Path

from mdchunk import Options, chunk, parse
from mdchunk.commands.flags import default_text, descriptions
from mdchunk.commands.scores import score_lines
from mdchunk.view import gutter

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "example.md"
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def picture() -> str:
    source = EXAMPLE.read_text(encoding="utf-8")
    drawn = gutter(parse(source), chunk(source, chunk_size=60))
    return f"```\n$ mdchunk show docs/example.md --chunk-size 60\n{drawn}```\n"


def options() -> str:
    texts = descriptions()
    rows = ["| option | default | what it does |", "| --- | --- | --- |"]
    for field in fields(Options):
        text = texts[field.name].replace("|", "\\|")
        rows.append(f"| `{field.name}` | {default_text(field)} | {text} |")
    return "\n".join(rows) + "\n"


def scores() -> str:
    default = Options()
    return f"```\n{score_lines(default.dialects, default.scores)}```\n"


PARTS = {"picture": picture, "options": options, "scores": scores}


def filled(text: str) -> str:
    """Give the page with its parts made anew."""
    return PART.sub(lambda match: match[1] + PARTS[match[2]]() + match[3], text)


if __name__ == "__main__":
    page = ROOT / "README.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
