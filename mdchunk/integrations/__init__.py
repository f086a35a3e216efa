"""Hosts that mdchunk works inside of: one file a host, none loaded before it is asked for."""

from mdchunk.errors import MdchunkError

DISTRIBUTION = "mdchunk-ast"


class MissingHostError(MdchunkError, ImportError):
    """A host that an integration is for is not installed; the message names the extra."""


def missing_host(what: str, extra: str) -> MissingHostError:
    """Make the error that says which extra to install."""
    return MissingHostError(f"{what} is not installed: pip install '{DISTRIBUTION}[{extra}]'")
