"""What a host's configuration says, checked: options, forms, and pages to leave out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pathspec import GitIgnoreSpec

from mdchunk.chunker import Chunker
from mdchunk.config import join_options, make_config
from mdchunk.errors import not_allowed
from mdchunk.integrations.sites.output import check_forms, with_forms


class Settings(NamedTuple):
    """A checked configuration; ``exclude`` is made of ``patterns``."""

    chunker: Chunker
    forms: tuple[str, ...]
    exclude: GitIgnoreSpec
    patterns: tuple[str, ...]


def make_settings(
    file: str, options: Any, forms: Any, *, without: tuple[str, ...] = ()
) -> Settings:
    """Check what a host's configuration file says.

    ``options`` has the keys of ``[tool.mdchunk]``. ``without`` names dialects that the host
    reads itself. Raises OptionsError, DialectError or TokenizerError.
    """
    if not isinstance(options, Mapping):
        raise not_allowed("options", options, "a mapping")
    config = make_config(Path(file), options)
    joined = join_options(config, {})
    if any(name in joined.dialects for name in without):
        kept = tuple(name for name in joined.dialects if name not in without)
        joined = join_options(config, {"dialects": kept})
    exclude = GitIgnoreSpec.from_lines(config.exclude)
    checked = check_forms(forms)
    chunker = Chunker(with_forms(joined, checked))
    return Settings(chunker, checked, exclude, tuple(config.exclude))
