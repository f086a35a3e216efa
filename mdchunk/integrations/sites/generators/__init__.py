"""The generators that are known, one a file, and the forms of their addresses.

Each file here but this one has a ``GENERATOR``; adding one is adding a file.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from mdchunk.integrations.sites.generator import Generator, Urls
from mdchunk.integrations.sites.urls import FORMS

_FILES = sorted(module.name for module in pkgutil.iter_modules(__path__))
_FOUND: list[Generator] = [import_module(f"{__name__}.{file}").GENERATOR for file in _FILES]

GENERATORS: Mapping[str, Generator] = MappingProxyType({it.name: it for it in _FOUND})
"""The generators by the name that ``--anchors`` has for their rules."""
URLS: Mapping[str, Urls] = MappingProxyType(
    {**FORMS, **{it.name: it.own_urls for it in _FOUND if it.own_urls}}
)
"""The forms of addresses by the name that ``--urls`` has for them."""
