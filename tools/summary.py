"""What pages say in words of the figures in docs/benchmarks.md; tools/readme.py writes it there."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from measured import PEERS, figure, setting, value

QUALITY = "quality-tokens"
BM25 = "retrieval-markdown-bm25-512"
STATIC = "retrieval-markdown-wordllama-512"
NESTED, NESTED_BM25 = f"{STATIC}-hierarchy", f"{BM25}-hierarchy"
FUSED = "retrieval-markdown-{}-wordllama-512-hierarchy"
ABLATION = "ablation-markdown-{}-512"
LESS = "recall 500 less the default's"
Better = Callable[[float, float], bool]


def spread(table: str, column: str) -> str:
    """Return the least and the greatest figure of the others."""
    cells = [figure(table, name, column).split(" ")[0] for name in PEERS]
    cells.sort(key=lambda cell: float(cell.rstrip("%")))
    return f"{cells[0]} to {cells[-1]}"


def cut(column: str, name: str) -> str:
    ours = figure(QUALITY, "mdchunk", f"{column} cut")
    fit = int(setting(QUALITY, f"{column} that fit"))
    return f"of {fit:,} {name}, mdchunk cuts {ours}, the others {spread(QUALITY, f'{column} cut')}"


def ahead() -> str:
    """Return who is better than our defaults, and by which figure."""
    more: Better = float.__gt__
    less: Better = float.__lt__
    asked = (
        ("recall in 500 tokens with BM25", BM25, "recall 500", more),
        ("recall in 500 tokens with the embedding", STATIC, "recall 500", more),
        ("lead-ins parted", QUALITY, "lead-ins parted", less),
        ("lists cut", QUALITY, "list cut", less),
        ("chunks embedded again after an edit", "edits-tokens", "mean", less),
        ("MB/s in tokens", "speed-tokens", "MB/s", more),
    )
    said = []
    for name, table, column, better in asked:
        ours = value(table, "mdchunk", column)
        found = [peer for peer in PEERS if better(value(table, peer, column), ours)]
        if found:
            them = ", ".join(f"{PEERS[peer]} {figure(table, peer, column)}" for peer in found)
            said.append(f"    - {name} ({figure(table, 'mdchunk', column)}): {them}")
    return "\n".join(said)


def benchmarks() -> str:
    """Return the summary of docs/benchmarks.md."""
    nested = figure(NESTED, "mdchunk-hierarchy", "recall 500")
    nested_words = figure(NESTED_BM25, "mdchunk-hierarchy", "recall 500")
    lost, over = spread(QUALITY, "lost"), spread(QUALITY, "over the limit")
    llama, ours = figure(BM25, "llama-index", "chunks"), figure(BM25, "mdchunk", "chunks")
    return f"""\
- **What is cut.** Of blocks that fit into a chunk of {setting(QUALITY, "size")} tokens: {cut("code", "code blocks")};
    {cut("item", "list items")}.
- **What is lost.** Text that is in no chunk: mdchunk {figure(QUALITY, "mdchunk", "lost")}, the others {lost}. Chunks over the limit:
  {figure(QUALITY, "mdchunk", "over the limit")}, the others {over}.
- **What is found.** Share of an answer that is among the first 500 tokens read, with BM25: mdchunk
  {figure(BM25, "mdchunk", "recall 500")}, with a hierarchy {nested_words}, the others {spread(BM25, "recall 500")}. With a small
  static embedding: {figure(STATIC, "mdchunk", "recall 500")}, with a hierarchy {nested}, the others {spread(STATIC, "recall 500")}.
- **What an edit costs.** Share of the chunks that an edit did not touch, but that have to be embedded again: mdchunk
  {figure("edits-tokens", "mdchunk", "mean")}, the others {spread("edits-tokens", "mean")}.
- **How fast.** With sizes in tokens: mdchunk {figure("speed-tokens", "mdchunk", "MB/s")} MB/s, the others {spread("speed-tokens", "MB/s")}. In characters:
  {figure("speed-characters", "mdchunk", "MB/s")} MB/s. Splitters that do not parse are many times faster there
  (up to {figure("speed-characters", "langchain-recursive", "MB/s")}).
- **Where others are ahead** of mdchunk's defaults (whose figures are in brackets). LlamaIndex makes a chunk of every section, {llama}
  chunks where mdchunk makes {ours}; `split_headings=6` does the same.
{ahead()}
"""


class Choice(NamedTuple):
    """A row of the page about settings: what one has, what to set, and what was measured."""

    case: str
    setting: str
    reason: str


EMBED = [
    lambda: Choice(
        "You search by vectors",
        "`hierarchy(source, (512, 128), plain=True)`; embed the small chunks' `embedding_text`; read what `auto_merge` says",
        f"{_gain(NESTED, 'mdchunk-hierarchy', 'mdchunk')}; {_vectors(NESTED, 'mdchunk-hierarchy')}",
    ),
    lambda: Choice(
        "… and want few vectors",
        "`split_headings=6, plain=True`; embed `embedding_text`",
        f"{_gain(NESTED, 'mdchunk-sections-embedding', 'mdchunk')}; {_vectors(NESTED, 'mdchunk-sections-embedding')}",
    ),
    lambda: Choice(
        "… and pay by the token",
        "`plain=True`; embed `plain`",
        f"{_gain(NESTED, 'mdchunk-plain', 'mdchunk')}; "
        f"{figure(NESTED, 'mdchunk-plain', 'tokens indexed')} tokens embedded instead of {figure(NESTED, 'mdchunk', 'tokens indexed')}",
    ),
    lambda: Choice(
        "You search by words (BM25, `mdchunk search`)",
        "the defaults",
        f"a hierarchy gains little: {_gain(NESTED_BM25, 'mdchunk-hierarchy', 'mdchunk')}",
    ),
    lambda: Choice(
        "You search by both",
        "add scaled scores, not ranks",
        f"recall {figure(FUSED.format('scores'), 'mdchunk', 'recall 500')} with scores, "
        f"{figure(FUSED.format('ranks'), 'mdchunk', 'recall 500')} with ranks",
    ),
    lambda: Choice(
        "Your chunks are of 256 tokens or less",
        '`context="headings"`',
        f"at 256 tokens, recall in 1,000 tokens: {figure('retrieval-markdown-bm25-256', 'mdchunk-headings', 'recall 1000')} "
        f"against {figure('retrieval-markdown-bm25-256', 'mdchunk', 'recall 1000')}",
    ),
    lambda: Choice(
        "Your chunks are of 512 tokens or more",
        '`context="none"`, the default',
        f"the heading path in front: {figure(ABLATION.format('bm25'), 'headings in front', LESS)} points at 512 tokens",
    ),
]
CUT = [
    lambda: Choice(
        "You read no more than 500 tokens for an answer",
        "`split_headings=6`",
        f"{_change('bm25', 'sections')} with BM25, {_change('wordllama', 'sections')} with the embedding; "
        f"{_count('sections')}",
    ),
    lambda: Choice(
        "You want as few chunks as possible",
        '`cutoff="lookback"`',
        f"{_quality('mdchunk-lookback', 'chunks')} chunks of the same documents instead of {_quality('mdchunk', 'chunks')}; but sections "
        f"mixed in {_quality('mdchunk-lookback', 'sections mixed')} of them instead of {_quality('mdchunk', 'sections mixed')}, "
        f"and {_change('bm25', 'lookback')} with BM25",
    ),
    lambda: Choice(
        "You are used to an overlap",
        "`chunk_overlap=0`, the default",
        f"12 % of overlap: {_change('bm25', 'overlap 12 %')} with BM25, {_change('wordllama', 'overlap 12 %')} with the embedding; "
        f"{_count('overlap 12 %')}",
    ),
    lambda: Choice(
        "Your documents change often",
        '`cutoff="optimal"`, the default',
        f"chunks that an edit did not touch and that are embedded again: {figure('edits-tokens', 'mdchunk', 'mean')}, with "
        f"lookback {figure('edits-tokens', 'mdchunk-lookback', 'mean')}, as QMD cuts {figure('edits-tokens', 'mdchunk-qmd', 'mean')}",
    ),
    lambda: Choice(
        "You split many documents",
        "the extra `fast`, and `--jobs`",
        f"{figure('speed-tokens', 'mdchunk', 'MB/s')} MB/s with `fast`, {figure('speed-tokens', 'mdchunk-tiktoken', 'MB/s')} without",
    ),
    lambda: Choice(
        "You need no exact count of tokens",
        '`unit="characters"`',
        f"{figure('speed-characters', 'mdchunk', 'MB/s')} MB/s instead of {figure('speed-tokens', 'mdchunk', 'MB/s')}",
    ),
]


def _gain(table: str, row: str, against: str) -> str:
    better, worse = figure(table, row, "recall 500"), figure(table, against, "recall 500")
    difference = figure(table, row, f"recall 500 less {against}'s")
    return f"recall {better} against {worse}, a difference of {difference}"


def _vectors(table: str, row: str) -> str:
    return f"{figure(table, row, 'chunks')} vectors instead of {figure(table, 'mdchunk', 'chunks')}"


def _change(index: str, variant: str) -> str:
    return f"{figure(ABLATION.format(index), variant, LESS)} points"


def _count(variant: str) -> str:
    table = ABLATION.format("bm25")
    return f"{figure(table, variant, 'chunks')} chunks instead of {figure(table, 'defaults', 'chunks')}"


def _quality(row: str, column: str) -> str:
    return figure(QUALITY, row, column)


def settings(choices: Sequence[Callable[[], Choice]]) -> str:
    """Return the table of some choices."""
    rows = (" | ".join(choice()) for choice in choices)
    head = "| your case | what to set | what was measured |\n| --- | --- | --- |\n"
    return head + "".join(f"| {row} |\n" for row in rows)


def _pair(table: str, row: str) -> str:
    """Return what is found in 500 and in 1,000 tokens, without the errors."""
    found = (figure(table, row, f"recall {size}").split(" ")[0] for size in (500, 1000))
    return " and ".join(found)


def _gains(table: str, row: str, against: str = "mdchunk") -> str:
    """Return what a row finds more than another in 500 and in 1,000 tokens, with the intervals."""
    found = (figure(table, row, f"recall {size} less {against}'s") for size in (500, 1000))
    return " at 500 tokens and ".join(found) + " at 1,000"


SMALL = "retrieval-markdown-wordllama-256-hierarchy"
MINILM = "retrieval-{}-minilm-{}-hierarchy"
READ = (
    ("chunks of 512, as they are", NESTED, "mdchunk"),
    ("… `plain`", NESTED, "mdchunk-plain"),
    ("… `embedding_text`", NESTED, "mdchunk-embedding"),
    ("… and `split_headings=6`", NESTED, "mdchunk-sections-embedding"),
    ("128 in 512, `embedding_text`, `auto_merge`", NESTED, "mdchunk-hierarchy"),
    ("chunks of 256, as they are", SMALL, "mdchunk"),
    ("… `embedding_text`", SMALL, "mdchunk-embedding"),
    ("LlamaIndex, a section a chunk, 512 at most", NESTED, "llama-index"),
    (
        "semantic-text-splitter, 128 in 512, merged in the same way",
        NESTED,
        "semantic-text-splitter-hierarchy",
    ),
    (
        "LlamaIndex's hierarchical parser, 128 in 512, merged in the same way",
        NESTED,
        "llama-index-hierarchy",
    ),
)
"""The rows of the page on what to embed: what they are called, their table and row."""
WORTH = ("recall 500", "recall 1000", "chunks", "tokens indexed")


def recall() -> str:
    """Return the table of what to embed and what to read, and what it says."""
    head = "| embedded, read | at 500 | at 1,000 | vectors | tokens embedded |\n"
    rows = (
        f"| {title} | {' | '.join(figure(table, row, column) for column in WORTH)} |\n"
        for title, table, row in READ
    )
    scores, ranks = FUSED.format("scores"), FUSED.format("ranks")
    big, small = MINILM.format("markdown", 512), MINILM.format("markdown", 256)
    prose = MINILM.format("prose", 512)
    return f"""\
{head}| --- | ---: | ---: | ---: | ---: |
{"".join(rows)}
Differences with their 95 % intervals, over the chunks of the same size as they are:

- The hierarchy gains {_gains(NESTED, "mdchunk-hierarchy")}, with BM25
  {_gains(NESTED_BM25, "mdchunk-hierarchy")}.
- `embedding_text` at 256 gains {_gains(SMALL, "mdchunk-embedding")};
  `plain` alone at 512 {_gains(NESTED, "mdchunk-plain")}.
- LlamaIndex, which makes a vector of each section, gains {_gains(NESTED, "llama-index")}.
- Hybrid search over chunks of 512: BM25 alone finds {_pair(NESTED_BM25, "mdchunk")}, rank fusion {_pair(ranks, "mdchunk")}, fused
  scores {_pair(scores, "mdchunk")}. Of the hierarchy, rank fusion finds {_pair(ranks, "mdchunk-hierarchy")}, fused scores {_pair(scores, "mdchunk-hierarchy")};
  of sections with `embedding_text`, fused scores find {_pair(scores, "mdchunk-sections-embedding")}: half the vectors do as well.
- With a transformer (all-MiniLM-L6-v2) the hierarchy finds {_pair(big, "mdchunk-hierarchy")}, chunks of 512 {_pair(big, "mdchunk")}, a
  gain of {_gains(big, "mdchunk-hierarchy")}. It reads no more than 256 word pieces, so that part of the gain
  is that small chunks are read whole. Sections with `embedding_text` find {_pair(big, "mdchunk-sections-embedding")}, LlamaIndex {_pair(big, "llama-index")},
  semantic-text-splitter's two sizes {_pair(big, "semantic-text-splitter-hierarchy")}, LlamaIndex's hierarchy {_pair(big, "llama-index-hierarchy")}. `embedding_text` at 256
  gains {_gains(small, "mdchunk-embedding")}.
- On prose without headings, with the transformer, the hierarchy finds {_pair(prose, "mdchunk-hierarchy")}, chunks of 512
  {_pair(prose, "mdchunk")}; at 256 `embedding_text` finds {_pair(MINILM.format("prose", 256), "mdchunk-embedding")}, the chunks as they are
  {_pair(MINILM.format("prose", 256), "mdchunk")}: there is next to nothing to leave out.
"""
