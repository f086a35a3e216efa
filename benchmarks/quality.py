"""What chunks keep whole and what they cut, judged by an independent parser.

Definitions stand in docs/benchmarks.md. Every measure is a function of one document's `Sample`
and its `Cuts`; counts of documents add up.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks import chunkers, tokens
from benchmarks.chunkers import Split
from benchmarks.corpus import Document
from benchmarks.ink import Ink, Ints, ink
from benchmarks.oracle import Block
from benchmarks.placing import Placed, covered, place
from benchmarks.report import Column, Result
from benchmarks.sections import lead_ins, sections_mixed

KINDS = (
    "code",
    "indented",
    "table",
    "row",
    "item",
    "list",
    "quote",
    "html",
    "front",
    "paragraph",
    "inline",
)
TINY = 0.1  # of the limit
CUT = (
    Column("code cut", "code_cut"),
    Column("table cut", "table_cut"),
    Column("row cut", "row_cut"),
    Column("item cut", "item_cut"),
    Column("list cut", "list_cut"),
    Column("quote cut", "quote_cut"),
    Column("html cut", "html_cut"),
    Column("paragraph cut", "paragraph_cut"),
    Column("heading orphaned", "orphaned"),
    Column("mid-sentence", "mid_sentence"),
    Column("mid-word", "mid_word"),
    Column("inline cut", "inline_cut"),
)
KEPT = (
    Column("front matter cut", "front_cut"),
    Column("front matter mixed", "front_mixed"),
    Column("lead-ins parted", "lead_ins_parted_share", ".1%"),
    Column("sections mixed", "mixed_share", ".1%"),
    Column("sections joined", "joined_share", ".1%"),
    Column("sections climbed", "climbed_share", ".1%"),
    Column("over the limit", "over"),
    Column("lost", "lost_share", ".2%"),
    Column("altered", "altered_share", ".1%"),
    Column("chunks", "chunks"),
    Column("× least", "times_least", ".2f"),
    Column("fill", "fill", ".2f"),
    Column("tiny", "tiny_share", ".1%"),
    Column("runts", "runt_share", ".1%"),
    Column("errors", "errors"),
)
_CLOSERS = r"[\"'”’»)\]}*_`~]*"
_AFTER_SENTENCE = re.compile(rf"[.!?:;。！？：；…]{_CLOSERS}$")
_SENTENCE_END = re.compile(rf"[.!?。！？…]{_CLOSERS}(?=\s|$)|[。！？]")
_FIRST_CJK = "\u2e80"  # scripts from here on part their words nowhere


class Table(NamedTuple):
    """The blocks of one kind: ink coordinates, offsets, sizes in the unit."""

    start: Ints
    end: Ints
    left: Ints
    right: Ints
    size: Ints


@dataclass(frozen=True, slots=True)
class Sample:
    """A document with everything that does not depend on the chunker."""

    name: str
    ink: Ink
    blocks: list[Block]
    tables: dict[str, Table]
    size: int
    limit: int
    unit: str


class Cuts(NamedTuple):
    """The chunks of a document, ordered by place."""

    placed: Placed
    starts: Ints  # of the hulls, ascending
    reach: Ints  # the furthest end of any hull up to here
    ends: Ints  # of the hulls, ascending


def prepare(
    documents: Sequence[Document], blocks: Sequence[list[Block]], limit: int, unit: str
) -> list[Sample]:
    """Measures every block of every document once."""
    return [_sample(d, found, limit, unit) for d, found in zip(documents, blocks, strict=True)]


def _sample(document: Document, blocks: list[Block], limit: int, unit: str) -> Sample:
    drawn = ink(document.text)
    kinds = {block.kind for block in blocks}
    tables = {kind: _table(drawn, [b for b in blocks if b.kind == kind], unit) for kind in kinds}
    size = tokens.sizes([document.text], unit)[0]
    return Sample(document.name, drawn, blocks, tables, size, limit, unit)


def _table(drawn: Ink, blocks: Sequence[Block], unit: str) -> Table:
    left = np.array([b.start for b in blocks], np.int64)
    right = np.array([b.end for b in blocks], np.int64)
    sizes = tokens.sizes([drawn.source[b.start : b.end] for b in blocks], unit)
    return Table(drawn.before[left], drawn.before[right], left, right, np.array(sizes, np.int64))


def measure(names: Sequence[str], samples: Sequence[Sample]) -> Result:
    """Judges every chunker over all documents."""
    limit, unit = samples[0].limit, samples[0].unit
    rows = {}
    for name in names:
        rows[name] = summary(run(chunkers.make(name, limit, unit), samples))
        print(f"{unit}: {name} done in {rows[name]['seconds']:.1f} s", file=sys.stderr)
    setting = {"unit": unit, "size": limit, "documents": len(samples)}
    first = next(iter(rows.values()), {})
    setting |= {f"{kind} that fit": first.get(f"{kind}_fit", 0) for kind in KINDS}
    setting |= {"headings": first.get("headings", 0), "lead-ins": first.get("lead_ins", 0)}
    return Result(f"quality-{unit}", setting, (CUT, KEPT), rows)


def run(split: Split, samples: Sequence[Sample]) -> Counter[str]:
    """Chunks every document and adds up all measures; an exception counts as an error."""
    total: Counter[str] = Counter()
    for sample in samples:
        total["documents"] += 1
        began = perf_counter()
        try:
            pieces = split(sample.ink.source)
        except Exception:
            total["errors"] += 1
            continue
        total["seconds"] += perf_counter() - began  # type: ignore[assignment]
        total.update(judge(sample, place(pieces, sample.ink)))
    return total


def judge(sample: Sample, placed: Placed) -> Counter[str]:
    """Applies every measure to the chunks of one document."""
    counts: Counter[str] = Counter(_sizes(sample, placed))
    counts.update(_text_kept(sample, placed))
    if not placed.found:
        return counts
    cuts = arrange(placed)
    for measure in MEASURES:
        counts.update(measure(sample, cuts))
    return counts


def arrange(placed: Placed) -> Cuts:
    """Orders the hulls of the chunks."""
    hulls = sorted((p.start, p.end) for p in placed.found)
    ends = np.array([end for _, end in hulls], np.int64)
    starts = np.array([start for start, _ in hulls], np.int64)
    return Cuts(placed, starts, np.maximum.accumulate(ends), np.sort(ends))


def whole(cuts: Cuts, start: Ints, end: Ints) -> np.ndarray:
    """Tells which stretches lie within one single chunk."""
    last = np.searchsorted(cuts.starts, start, "right") - 1
    return (last >= 0) & (cuts.reach[np.maximum(last, 0)] >= end)


def _sizes(sample: Sample, placed: Placed) -> dict[str, float]:
    sizes = tokens.sizes(placed.texts, sample.unit)
    limit = sample.limit
    tiny = [size < limit * TINY for size in sizes]
    fronts = _fronts(sample, placed)
    return {
        "chunks": len(sizes),
        "least": max(1, -(-sample.size // limit)) if sample.ink.total else 0,
        "filled": sum(sizes) / limit,
        "tiny": sum(tiny),
        "runts": 0 if sample.size <= limit else sum(tiny) - sum(tiny[i] for i in fronts),
        "over": sum(size > limit for size in sizes),
        "blank": placed.blank,
    }


def _fronts(sample: Sample, placed: Placed) -> list[int]:
    """Lists the chunks that are front matter and nothing else."""
    table = sample.tables.get("front")
    end = 0 if table is None else int(table.end[0])
    return [i for i, spot in enumerate(placed.places) if spot is not None and spot.end <= end]


def _text_kept(sample: Sample, placed: Placed) -> dict[str, int]:
    kept = covered([stretch for p in placed.found for stretch in p.kept])
    return {
        "ink": sample.ink.total,
        "lost": sample.ink.total - kept,
        "altered": placed.altered,
    }


def blocks_cut(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the blocks that fit the limit, and those of them that two or more chunks share."""
    counts = {}
    for kind in KINDS:
        table = sample.tables.get(kind)
        if table is None:
            continue
        fits = (table.end > table.start) & (table.size <= sample.limit)
        before = np.searchsorted(cuts.starts, table.end, "left")
        touching = before - np.searchsorted(cuts.ends, table.start, "right")
        parted = fits & ~whole(cuts, table.start, table.end) & (touching >= 2)
        counts[f"{kind}_fit"] = int(fits.sum())
        counts[f"{kind}_cut"] = int(parted.sum())
    return counts


def headings_orphaned(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the headings that end a chunk although their section has text after them."""
    before = sample.ink.before
    headings = [b for b in sample.blocks if b.kind == "heading"]
    ends = set(cuts.ends.tolist())
    orphaned = 0
    for i, heading in enumerate(headings):
        end = int(before[heading.end])
        if end in ends and end < sample.ink.total:
            later = (h for h in headings[i + 1 :] if h.level <= heading.level)
            upper = next(later, None)
            orphaned += upper is None or int(before[upper.start]) > end
    return {"headings": len(headings), "orphaned": orphaned}


def front_matter_mixed(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the documents whose front matter shares a chunk with text."""
    table = sample.tables.get("front")
    if table is None:
        return {}
    end = int(table.end[0])
    hulls = ((p.start, p.end) for p in cuts.placed.found)
    return {"front_mixed": int(any(start < end < stop for start, stop in hulls))}


def words_and_sentences(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the cuts, those inside a word, and those inside a sentence that fits."""
    places = {at for p in cuts.placed.found for at in (p.start, p.end)}
    inner = sorted(at for at in places if 0 < at < sample.ink.total)
    paragraphs = sample.tables.get("paragraph")
    sentences = (
        [] if paragraphs is None else [_mid_sentence(sample, paragraphs, at) for at in inner]
    )
    return {
        "cuts": len(inner),
        "mid_word": sum(_mid_word(sample.ink, at) for at in inner),
        "mid_sentence": sum(sentences),
    }


def _mid_word(drawn: Ink, at: int) -> bool:
    left, right = drawn.offsets[at - 1], drawn.offsets[at]
    pair = drawn.text[at - 1 : at + 1]
    return bool(right == left + 1 and pair.isalnum() and max(pair) < _FIRST_CJK)


def _mid_sentence(sample: Sample, paragraphs: Table, at: int) -> bool:
    k = int(np.searchsorted(paragraphs.start, at, "left")) - 1
    if k < 0 or at >= paragraphs.end[k]:
        return False
    source = sample.ink.source
    cut, resume = int(sample.ink.offsets[at - 1]) + 1, int(sample.ink.offsets[at])
    left, right = int(paragraphs.left[k]), int(paragraphs.right[k])
    if _AFTER_SENTENCE.search(source[max(left, cut - 40) : cut]):
        return False
    for match in _SENTENCE_END.finditer(source, left, cut):
        left = match.end()
    end = _SENTENCE_END.search(source, resume, right)
    sentence = source[left : end.end() if end else right]
    return tokens.sizes([sentence], sample.unit)[0] <= sample.limit


def lead_ins_parted(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the lead-in lines and those that no chunk holds together with their block's start."""
    found = lead_ins(sample.ink.source, sample.blocks)
    if not found:
        return {}
    before = sample.ink.before
    last = np.array([before[end] - 1 for end, _ in found], np.int64)
    first = np.array([before[start] + 1 for _, start in found], np.int64)
    return {"lead_ins": len(found), "lead_ins_parted": int((~whole(cuts, last, first)).sum())}


def mixing(sample: Sample, cuts: Cuts) -> dict[str, int]:
    """Counts the chunks that mix sections."""
    before = sample.ink.before
    headings = [(int(before[b.start]), b.level) for b in sample.blocks if b.kind == "heading"]
    return sections_mixed(headings, [(p.start, p.end) for p in cuts.placed.found])


MEASURES: tuple[Callable[[Sample, Cuts], dict[str, int]], ...] = (
    blocks_cut,
    headings_orphaned,
    front_matter_mixed,
    words_and_sentences,
    lead_ins_parted,
    mixing,
)


_COUNTED = [column.key for column in CUT + KEPT if column.form == "d"]


def summary(counts: Counter[str]) -> dict[str, float]:
    """Turns counts into the figures of the table."""
    chunks = max(1, counts["chunks"])
    zero = {key: counts[key] for key in _COUNTED}
    return {
        **counts,
        **zero,
        "times_least": counts["chunks"] / max(1, counts["least"]),
        "fill": counts["filled"] / chunks,
        "tiny_share": counts["tiny"] / chunks,
        "runt_share": counts["runts"] / chunks,
        "altered_share": counts["altered"] / chunks,
        "lost_share": counts["lost"] / max(1, counts["ink"]),
        "orphaned_per_1000": 1000 * counts["orphaned"] / max(1, counts["headings"]),
        "lead_ins_parted_share": counts["lead_ins_parted"] / max(1, counts["lead_ins"]),
        "mixed_share": counts["mixed"] / chunks,
        "joined_share": counts["joined"] / chunks,
        "climbed_share": counts["climbed"] / chunks,
    }
