"""The record of a chunk: what its fields are called, and what names it among all others."""

from __future__ import annotations

import uuid


def key_of(source: str, chunk_id: str) -> str:
    """Return what names a chunk among those of all documents: a UUID, which every store takes."""
    name = f"{source}\0{chunk_id}".encode("utf-8", "replace").decode()
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))
