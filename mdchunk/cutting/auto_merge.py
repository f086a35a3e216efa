"""From the small chunks that a search found to the chunks to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mdchunk.errors import not_allowed
from mdchunk.model import Chunk


def auto_merge(
    hits: Iterable[str], hierarchy: Sequence[Sequence[Chunk]], threshold: float = 0.5
) -> list[Chunk]:
    """Return the chunks to read for the ids of those that a search found, best first.

    Where at least the share ``threshold`` of a parent's children was found, the parent is read
    in their stead, at the place of the best of them; so on upward, if there are more levels. What
    lies inside a chunk that is read is not read again. ``hierarchy`` is what ``hierarchy`` gave,
    or the levels of several documents, each joined.

    Measured with the first 30 hits (docs/benchmarks.md); LlamaIndex and Haystack give a parent the
    mean of its children's scores instead, which found less. Raises OptionsError for an id that is
    not in the hierarchy, and for a threshold that is no number from 0 to 1.
    """
    real = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if not real or not 0 <= threshold <= 1:
        raise not_allowed("threshold", threshold, "0 to 1")
    chunks = {chunk.id: chunk for level in reversed(hierarchy) for chunk in reversed(level)}
    place: dict[str, int] = {}
    for number, hit in enumerate(hits):
        if hit not in chunks:
            raise not_allowed("hits", hit, "ids of the hierarchy", verb="are")
        place.setdefault(hit, number)
    for level in reversed(hierarchy):
        _merge(level, place, threshold)
    read = [hit for hit in place if not _lies_in(chunks[hit], chunks, place)]
    return [chunks[hit] for hit in sorted(read, key=place.__getitem__)]


def _merge(level: Sequence[Chunk], place: dict[str, int], threshold: float) -> None:
    """Take the parents of which enough was found into the places of what was found."""
    children = Counter(chunk.parent for chunk in level)
    found: dict[str, list[int]] = {}
    for chunk in level:
        if chunk.parent and chunk.id in place:
            found.setdefault(chunk.parent, []).append(place[chunk.id])
    for parent, places in found.items():
        if len(places) / children[parent] >= threshold:
            place[parent] = min(place.get(parent, places[0]), *places)


def _lies_in(chunk: Chunk, chunks: dict[str, Chunk], read: dict[str, int]) -> bool:
    """Return whether a chunk lies in one that is read."""
    while chunk.parent:
        if chunk.parent in read:
            return True
        chunk = chunks[chunk.parent]
    return False
