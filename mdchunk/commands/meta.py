"""What made a file of records, written beside it: ``chunks.meta.json`` for ``chunks.jsonl``."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mdchunk
from mdchunk.commands.outputs import meta_path
from mdchunk.commands.run import Run
from mdchunk.files.schema import SCHEMA_VERSION
from mdchunk.files.sources import reason, shown
from mdchunk.files.writers import whole_file
from mdchunk.integrations.hosts import options_to_json
from mdchunk.options import Options
from mdchunk.view.describe import unit_name

OURS = ("schema_version", "mdchunk", "options_fingerprint", "file", "sha256")
"""Keys that tell a file of ours, of this command or of a site, from any other."""
BLOCK = 1 << 20


class Made(NamedTuple):
    """A file of records, and what made it."""

    path: str
    form: str
    root: str
    options: Options
    chunk_sizes: Sequence[int]


def root_from(root: str, output: str) -> str:
    """Return the root of a run as told from the folder that an output stands in."""
    try:
        root = os.path.relpath(root, os.path.dirname(os.path.realpath(output)))
    except ValueError:  # on another drive
        root = os.path.abspath(root)
    return shown(root)


def write_meta(run: Run, made: Made) -> None:
    """Write beside a file of records what made it; leave a file alone that is none of ours."""
    path = meta_path(made.path)
    if not os.path.isfile(made.path):  # a device or a pipe
        return
    if os.path.lexists(path) and _read(path) is None:
        run.tell(path, "left as it is, since mdchunk did not write it")
        return
    about = _about(run, made)
    try:
        with whole_file(path) as file:
            file.write((json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())
    except OSError as problem:
        run.complain(path, reason(problem))


def _about(run: Run, made: Made) -> dict[str, Any]:
    """Return what made a file; the same run gives the same words."""
    counts = {
        "documents": run.done,
        "failed": run.failed,
        "chunks": run.chunks,
        "size": run.size,
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "mdchunk": mdchunk.__version__,
        "unit": unit_name(made.options),
        "chunk_size": made.options.chunk_size,
        "chunk_sizes": list(made.chunk_sizes),
        "options": options_to_json(made.options),
        "options_fingerprint": made.options.fingerprint(),
        "root": root_from(made.root, made.path),
        "format": made.form,
        "counts": counts,
        "file": shown(os.path.basename(made.path)),
        "sha256": _digest(made.path),
    }


def made_by(records: str, options: Options, chunk_sizes: Sequence[int]) -> bool:
    """Return whether options made a file of records, as far as a file beside it says so."""
    about = _read(meta_path(records))
    if about is None or about["sha256"] != _digest(records):
        return True
    sizes = list(chunk_sizes)
    made = (about["options_fingerprint"], about.get("chunk_sizes", sizes))
    return made == (options.fingerprint(), sizes)


def _read(path: str) -> Mapping[str, Any] | None:
    """Return what a file of ours says, None if it is none."""
    try:
        found = json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and all(key in found for key in OURS) else None


def _digest(path: str) -> str:
    found = hashlib.sha256()
    with Path(path).open("rb") as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()
