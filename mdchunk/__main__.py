"""``python -m mdchunk``, and the command itself, which starts and ends in little time."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command as a program of its own."""
    gc.disable()  # what is loaded stays, and is not looked through
    from mdchunk.cli import main as run

    gc.freeze()
    gc.enable()
    try:
        run()
    except SystemExit as end:
        leave(end.code)
        raise


def leave(status: object) -> None:
    """End the process at once, unless something has to be cleaned up after it.

    To free a vocabulary piece by piece would be a fifth of a short run.
    """
    if not isinstance(status, int) or "multiprocessing" in sys.modules:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or none
            stream.flush()
    os._exit(status & 0xFF)


if __name__ == "__main__":
    main()
