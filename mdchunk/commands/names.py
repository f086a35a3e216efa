"""What the commands are called, and what may be meant by a word that is none of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from mdchunk.commands.run import misuse

COMMANDS = ("chunk", "search", "show", "view", "stats", "diff", "scores", "site", "schema")
VERSION = ("-V", "--version")
MEANT = {**{name: name for name in COMMANDS}, "version": VERSION[1], "help": "--help"}
"""What may be meant by a word that is no file, and what to write for it."""


def check_words(paths: Sequence[str]) -> None:
    """Complain of a word among the paths that is no file and looks like the name of a command."""
    for path in paths:
        if not path.isalpha() or os.path.lexists(path):
            continue
        from difflib import get_close_matches  # most words are files

        near = get_close_matches(path.lower(), MEANT, 1, cutoff=0.75)
        if near:
            word = MEANT[near[0]]
            others = [other for other in paths if other != path] if word in COMMANDS else []
            meant = shlex.join(["mdchunk", word, *others])
            raise misuse(f"{path}: no such file or command; perhaps: {meant}")
