"""An extension of Sphinx: ``chunks.jsonl`` beside the HTML of the project's Markdown documents."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import mdchunk
from mdchunk.document import Document
from mdchunk.errors import MdchunkError
from mdchunk.files.sources import SUFFIXES, Source, read_source
from mdchunk.integrations.hosts import missing
from mdchunk.integrations.sites.headings import Place, Title
from mdchunk.integrations.sites.links import Find
from mdchunk.integrations.sites.output import Site, write_site
from mdchunk.integrations.sites.records import Page, Records, excluded, page_records
from mdchunk.integrations.sites.settings import Settings, make_settings
from mdchunk.integrations.sites.source_headings import titles

try:
    from docutils import nodes  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from sphinx import (  # type: ignore[import-not-found, unused-ignore]
        __version__ as host_version,
    )
    from sphinx.errors import (  # type: ignore[import-not-found, unused-ignore]
        ConfigError,
    )
    from sphinx.util import logging  # type: ignore[import-not-found, unused-ignore]
except ImportError as problem:
    raise missing("Sphinx", "sphinx", problem) from problem

BUILDERS = frozenset({"html", "dirhtml", "readthedocs", "readthedocsdirhtml"})
"""The builders that give each document a page of its own."""
NO_TITLE = "<no title>"
"""What Sphinx calls a document without a heading."""
ENV_VERSION = 1
log = logging.getLogger(__name__)

Ids = dict[int, str]
"""The ids of a document's sections, by the line of their headings, from 1."""


class Links(NamedTuple):
    """What finds the addresses of files, and those of what links may name."""

    find: Find
    labels: Mapping[str, str]


def setup(app: Any) -> dict[str, object]:
    """Register the extension; what is read of a document is kept with Sphinx's environment."""
    app.add_config_value("mdchunk_options", {}, "", (dict,))
    app.add_config_value("mdchunk_forms", [], "", (list, tuple))
    app.connect("config-inited", check)
    app.connect("doctree-read", take)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("build-finished", finish)
    return {
        "version": mdchunk.__version__,
        "env_version": ENV_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def settings_of(config: Any) -> Settings:
    """Read the configuration; a wrong one is Sphinx's ConfigError."""
    try:
        return make_settings("conf.py", config.mdchunk_options, config.mdchunk_forms)
    except MdchunkError as problem:
        raise ConfigError(f"mdchunk: {problem}") from problem


def check(app: Any, config: Any) -> None:  # noqa: ARG001
    """Complain of a wrong configuration before anything is built."""
    settings_of(config)


def ids_of(env: Any) -> dict[str, Ids]:
    """Return what was read so far, by document; it is pickled with the environment."""
    if not hasattr(env, "mdchunk_ids"):
        env.mdchunk_ids = {}
    found: dict[str, Ids] = env.mdchunk_ids
    return found


def take(app: Any, doctree: Any) -> None:
    """Note where the sections of a document stand, in whichever process reads it."""
    own = doctree.get("source")
    found: Ids = {}
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        # a section that was included has the lines of another file
        if section["ids"] and section.source == own and title is not None:
            line = section.line or title.line
            found[line] = section["ids"][0]
    ids_of(app.env)[app.env.docname] = found


def purge(app: Any, env: Any, docname: str) -> None:  # noqa: ARG001
    """Forget a document that is gone, or read again."""
    ids_of(env).pop(docname, None)


def merge(app: Any, env: Any, docnames: Iterable[str], other: Any) -> None:  # noqa: ARG001
    """Take what another process has read."""
    theirs = ids_of(other)
    ids_of(env).update({name: theirs[name] for name in docnames if name in theirs})


def finish(app: Any, problem: Exception | None) -> None:
    """Write the files into the built site."""
    if problem is not None:
        return
    if app.builder.name not in BUILDERS:
        log.info("mdchunk: the builder %s has no page for each document", app.builder.name)
        return
    settings = settings_of(app.config)
    above, links = parents(app.env), Links(addresses_of(app).get, labels_of(app))
    pages = [
        _records(app, docname, settings, above, links)
        for docname in _in_order(app.env, above)
        if _wanted(app.env, docname, settings)
    ]
    options, forms = settings.chunker.options, settings.forms
    found = write_site(Path(app.outdir), _site(app, settings), pages, options, forms)
    log.info("mdchunk: %d chunks of %d pages", found["chunks"], found["pages"])


def parents(env: Any) -> dict[str, str]:
    """Find the document whose toctree holds each document, the first if several do."""
    found: dict[str, str] = {}
    for docname in sorted(env.toctree_includes):
        for child in env.toctree_includes[docname]:
            found.setdefault(child, docname)
    return found


def _in_order(env: Any, above: Mapping[str, str]) -> list[str]:
    """List the documents as the toctrees do, and those that are in none behind them."""
    found: dict[str, None] = {}

    def walk(docname: str) -> None:
        if docname in found or docname not in env.found_docs:
            return
        found[docname] = None
        for child in env.toctree_includes.get(docname, ()):
            walk(child)

    for docname in (env.config.root_doc, *sorted(env.found_docs - set(above)), *env.found_docs):
        walk(docname)
    return list(found)


def _wanted(env: Any, docname: str, settings: Settings) -> bool:
    metadata = env.metadata.get(docname, {})
    source = _source(env, docname)
    hidden = "nosearch" in metadata or settings.exclude.match_file(source)
    return _is_markdown(env, source) and not hidden and docname in ids_of(env)


def _is_markdown(env: Any, source: str) -> bool:
    """Go by what the project calls a source; other parsers of Markdown (myst-nb) by its name."""
    kinds = env.config.source_suffix.items()
    kind = next((kind for suffix, kind in kinds if source.endswith(suffix)), None)
    if kind in ("markdown", "restructuredtext"):
        return bool(kind == "markdown")
    return source.lower().endswith(SUFFIXES)


def _source(env: Any, docname: str) -> str:
    return Path(env.doc2path(docname, False)).as_posix()


def _records(
    app: Any,
    docname: str,
    settings: Settings,
    above: Mapping[str, str],
    links: Links,
) -> Records:
    path = str(app.env.doc2path(docname))
    text = read_source(Source(path, path, 0))
    chunker = settings.chunker
    document = chunker.parse(text)
    if excluded(document.metadata):
        return Records()
    title = _title(app.env, docname) or document.title or docname
    page = Page(
        source=_source(app.env, docname),
        location=_location(app.builder, docname),
        title=title,
        section=_section(app, docname, above),
        text=text,
        places=functools.partial(places_by_line, ids=ids_of(app.env)[docname]),
        find=links.find,
        labels=links.labels,
    )
    return page_records(page, chunker, _base_url(app), _tell, document)


def _title(env: Any, docname: str) -> str:
    title: str = env.titles[docname].astext()
    return "" if title == NO_TITLE else title


def _location(builder: Any, docname: str) -> str:
    uri: str = builder.get_target_uri(docname)
    # html quotes it, dirhtml gives the folder's name
    return quote(uri) if builder.name.endswith("dirhtml") else uri


def addresses_of(app: Any) -> dict[str, str]:
    """Return where Sphinx has put the files of the project: downloads, images and documents."""
    env, found = app.env, {}
    for path, (_, name) in env.dlfiles.items():
        found[Path(path).as_posix()] = quote(f"_downloads/{name}")
    for path, (_, name) in env.images.items():
        found[Path(path).as_posix()] = quote(f"{app.builder.imagedir}/{name}")
    for docname in env.found_docs:
        found[_source(env, docname)] = _location(app.builder, docname)
    return found


def labels_of(app: Any) -> dict[str, str]:
    """Return where the targets are that links may name, such as ``(target)=``."""
    found = app.env.get_domain("std").anonlabels.items()
    return {
        name: f"{_location(app.builder, docname)}#{quote(label)}"
        for name, (docname, label) in found
        if docname in app.env.found_docs
    }


def _tell(text: str) -> None:
    log.info("mdchunk: %s", text)


def places_by_line(document: Document, ids: Ids) -> Sequence[Place]:
    """Return, for each heading, the id of the section that starts at its line.

    Attributes or a comment right above an underlined heading are lines of it to CommonMark.
    """

    def find(title: Title) -> str:
        lines = range(title.line + 1, title.line + 1 + title.lines)
        return next((ids[line] for line in lines if line in ids), "")

    return [Place(title, find(title)) for title in titles(document) if title.own]


def _section(app: Any, docname: str, above: Mapping[str, str]) -> str:
    """Name what stands above a document right under the root, or the project."""
    root, seen = app.config.root_doc, {docname}
    while (higher := above.get(docname, root)) != root and higher not in seen:
        docname = higher
        seen.add(docname)
    return _title(app.env, docname) or docname if len(seen) > 1 else app.config.project


def _base_url(app: Any) -> str:
    url: str = app.config.html_baseurl or ""
    return url if url.endswith("/") or not url else f"{url}/"


def _site(app: Any, settings: Settings) -> Site:
    config = app.config
    return Site(
        name=config.project,
        base_url=_base_url(app),
        language=config.language or "en",
        generator=f"sphinx {host_version}; mdchunk {mdchunk.__version__}",
        exclude=settings.patterns,
    )
