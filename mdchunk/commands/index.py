"""An index brought up to date by a run, for ``mdchunk PATHS -o FILE.db``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import mdchunk
from mdchunk.chunker import Chunker
from mdchunk.commands.meta import root_from
from mdchunk.commands.records import Outcome
from mdchunk.commands.run import NothingReadError, Run, misuse
from mdchunk.files.database import updating
from mdchunk.files.sources import STDIN, Source
from mdchunk.view.describe import unit_name


def about_of(chunker: Chunker, output: str, root: str) -> dict[str, str]:
    """Return what an index is to say of itself; its root is told from the folder it stands in."""
    return {
        "mdchunk": mdchunk.__version__,
        "fingerprint": chunker.options.fingerprint(),
        "unit": unit_name(chunker.options),
        "chunk_size": str(chunker.options.chunk_size),
        "root": root_from(root, output),
    }


def update(
    run: Run,
    output: str | None,
    root: str,
    chunker: Chunker,
    found: Sequence[Source],
    results: Iterator[Outcome],
) -> None:
    """Bring an index up to date; what could not be read stays as it was.

    Raises NothingReadError, MdchunkError for a file that is no index, OSError.
    """
    if not output or output == STDIN:
        raise misuse("--format sqlite: needs --output FILE, since an index is no stream")
    with updating(output, about_of(chunker, output, root)) as index:
        run.write(found, results, index)
        if not run.done:
            raise NothingReadError
        index.close(partial=run.failed > 0)
    run.tell(output, index.tally())
