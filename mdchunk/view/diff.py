"""Two versions of documents compared by their chunks: what an index has to embed again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple, Protocol

from mdchunk.model import key_of
from mdchunk.view.text import CONTROLS, align

STATES: Mapping[str, str] = {
    "stay": "the same text and context: keep the vector",
    "move": "the same, in another file: keep the vector, change its source",
    "context": "the same text and id, other context: embed again",
    "change": "another text in the place of one: embed, and delete the old id",
    "appear": "new: embed",
    "go": "no longer there: delete the id",
}
"""What can have become of a chunk, and what that asks of an index."""
EMBED = ("context", "change", "appear")
DELETE = ("change", "go")


class Piece(Protocol):
    """What is compared of a chunk."""

    @property
    def id(self) -> str:
        """Its name within its document."""

    @property
    def contextualized(self) -> str:
        """What is embedded."""

    @property
    def size(self) -> int:
        """The size of that."""

    @property
    def start_line(self) -> int:
        """Its first line, from 1."""

    @property
    def end_line(self) -> int:
        """Its last line."""


class Entry(NamedTuple):
    """A chunk as its record has it."""

    id: str
    contextualized: str
    size: int
    start_line: int
    end_line: int
    record: Mapping[str, Any]


Version = Mapping[str, Sequence[Piece]]
"""The chunks of each document by its name."""


def version_of(records: Iterable[Mapping[str, Any]]) -> dict[str, list[Entry]]:
    """Return what records hold, by document."""
    found: dict[str, list[Entry]] = {}
    for record in records:
        values = [record[name] for name in Entry._fields[:-1]]
        found.setdefault(record["source"], []).append(Entry._make([*values, record]))
    return found


class Change(NamedTuple):
    """What became of a chunk: its state, the document, and the chunk before and after."""

    state: str
    source: str
    before: Piece | None
    after: Piece | None


def compare(old: Version, new: Version) -> list[Change]:
    """Return what became of each chunk, by document and then in order."""
    names = [*new, *(name for name in old if name not in new)]
    found = [
        each for name in names for each in _document(name, old.get(name, ()), new.get(name, ()))
    ]
    return _moved(found)


def _document(name: str, old: Sequence[Piece], new: Sequence[Piece]) -> Iterator[Change]:
    """Compare one document; ids are unique within it."""
    before = {chunk.id: chunk for chunk in old}
    after = {chunk.id for chunk in new}
    matcher = SequenceMatcher(None, [c.id for c in old], [c.id for c in new], autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        gone = iter([chunk for chunk in old[first:last] if chunk.id not in after])
        for chunk in new[start:end]:
            known = before.get(chunk.id)
            if known:
                same = known.contextualized == chunk.contextualized
                yield Change("stay" if same else "context", name, known, chunk)
            elif replaced := next(gone, None):
                yield Change("change", name, replaced, chunk)
            else:
                yield Change("appear", name, None, chunk)
        for chunk in gone:
            yield Change("go", name, chunk, None)


def _moved(changes: Sequence[Change]) -> list[Change]:
    """Join what went from one document to what appeared as it is in another."""
    gone = {
        (it.before.id, it.before.contextualized): it
        for it in changes
        if it.state == "go" and it.before
    }
    found, used = [], set()
    for it in changes:
        key = (it.after.id, it.after.contextualized) if it.after else None
        if it.state == "appear" and key in gone:
            left = gone.pop(key)
            used.add(id(left))
            it = Change("move", it.source, left.before, it.after)
        found.append(it)
    return [it for it in found if id(it) not in used]


def summary(changes: Sequence[Change], unit: str) -> dict[str, Any]:
    """Return the counts and sizes of each state, and the bill, as JSON values."""
    count: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for it in changes:
        count[it.state] += 1
        size[it.state] += _size(it)
    new = [state for state in STATES if state != "go"]
    return {
        "unit": unit,
        "states": {state: {"chunks": count[state], "size": size[state]} for state in STATES},
        "embed": {
            "chunks": sum(count[state] for state in EMBED),
            "size": sum(size[state] for state in EMBED),
        },
        "delete": sum(count[state] for state in DELETE),
        "all": {
            "chunks": sum(count[state] for state in new),
            "size": sum(size[state] for state in new),
        },
    }


def _size(change: Change) -> int:
    chunk = change.after or change.before
    return chunk.size if chunk else 0


def as_text(changes: Sequence[Change], unit: str, *, listed: bool) -> str:
    """Return the bill for a terminal, and with ``listed`` each change before it."""
    total = summary(changes, unit)
    rows = [
        (f"{each['chunks']:,}", f"{each['size']:,}", state, STATES[state])
        for state, each in total["states"].items()
    ]
    lines = align([("chunks", unit, "", ""), *rows], right=2)
    embed, whole = total["embed"], total["all"]
    share = embed["size"] / whole["size"] if whole["size"] else 0
    bill = (
        f"To embed: {embed['chunks']:,} of {whole['chunks']:,} chunks, {embed['size']:,} of "
        f"{whole['size']:,} {unit} ({share:.1%}). To delete: {total['delete']:,} ids.\n"
    )
    each = "".join(f"{_line(it)}\n" for it in changes if it.state != "stay") if listed else ""
    return f"{each}\n{lines}\n{bill}" if each else f"{lines}\n{bill}"


def _line(change: Change) -> str:
    before, after = change.before, change.after
    chunk = after or before
    lines = f"{chunk.start_line}-{chunk.end_line}" if chunk else ""
    ids = [it.id if it else "-" for it in (before, after)]
    where = f"{change.source}:{lines}".translate(CONTROLS)
    return f"{change.state:<8}{ids[0]:<18}{ids[1]:<18}{where}"


def feed(changes: Sequence[Change]) -> Iterator[dict[str, Any]]:
    """Return what an index has to do: ids to delete, then whole records to put in.

    With ``embed`` the vector is to be made; without it the one of the same text is kept, and only
    what is stored beside it changes. The versions are those of ``version_of``.
    """
    for it in changes:
        if isinstance(it.before, Entry) and it.state in ("change", "go", "move"):
            source = it.before.record["source"]
            key = key_of(source, it.before.id)
            yield {"op": "delete", "key": key, "source": source, "id": it.before.id}
    for it in changes:
        if isinstance(it.after, Entry) and not _unaltered(it):
            embed = it.state in EMBED
            yield {"op": "upsert", "embed": embed, "state": it.state, "record": it.after.record}


def _unaltered(change: Change) -> bool:
    before, after = change.before, change.after
    if not (isinstance(before, Entry) and isinstance(after, Entry)):
        return False
    return change.state == "stay" and before.record == after.record


def as_lines(changes: Sequence[Change]) -> str:
    """Return the feed as JSON lines."""
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in feed(changes))


def as_json(changes: Sequence[Change], unit: str) -> str:
    """Return the bill, every change but what stays, and the feed, as JSON."""
    listed = [
        {
            "state": it.state,
            "source": it.source,
            "before": it.before.id if it.before else None,
            "after": it.after.id if it.after else None,
            "size": _size(it),
        }
        for it in changes
        if it.state != "stay"
    ]
    whole = {**summary(changes, unit), "changes": listed, "feed": list(feed(changes))}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
