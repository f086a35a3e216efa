"""The code of pages, for the test of the host that it needs."""

from pathlib import Path

import mdchunk

ROOT = Path(__file__).parents[2]


def blocks(page: str) -> list[str]:
    """List the Python blocks of a page."""
    tokens = mdchunk.parse((ROOT / page).read_text(encoding="utf-8")).tokens
    return [token.content for token in tokens if token.info.strip() == "python"]


def run(page: str, word: str) -> int:
    """Run the blocks that hold a word, each alone, and give their count."""
    chosen = [block for block in blocks(page) if word in block]
    for block in chosen:
        exec(compile(block, page, "exec"), {"__name__": "page"})
    return len(chosen)
