"""A plugin of MkDocs and ProperDocs: ``chunks.jsonl`` in the built site, a record a chunk."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mdchunk
from mdchunk.errors import MdchunkError
from mdchunk.integrations.hosts import missing
from mdchunk.integrations.sites.links import Find
from mdchunk.integrations.sites.matching import align
from mdchunk.integrations.sites.output import Site, read_site, write_site
from mdchunk.integrations.sites.page_headings import html_anchors
from mdchunk.integrations.sites.records import Page, Records, excluded, page_records
from mdchunk.integrations.sites.settings import Settings, make_settings
from mdchunk.lines import BOM, Lines, normal

try:
    from mkdocs import __version__ as host_version  # type: ignore[import-not-found, unused-ignore]
    from mkdocs.config import (  # type: ignore[import-not-found, unused-ignore]
        base,
        config_options,
    )
    from mkdocs.exceptions import (  # type: ignore[import-not-found, unused-ignore]
        PluginError,
    )
    from mkdocs.plugins import (  # type: ignore[import-not-found, unused-ignore]
        BasePlugin,
        event_priority,
        get_plugin_logger,
    )
    from mkdocs.utils import meta  # type: ignore[import-not-found, unused-ignore]
except ImportError as problem:
    raise missing("MkDocs or ProperDocs", "mkdocs", problem) from problem

LATE = -100
"""Other plugins are to have changed a page before it is read."""
LAST = -200
"""mkdocs-static-i18n builds its other languages at -100 of the first one's end."""
HOST_READS = ("front_matter",)
LISTING = re.compile(r"#{1,6} (?P<id>\S+:(?P<start>\d+)-(?P<end>\d+))/name \{ #(?P=id)/slug \}")
"""What Material's tags plugin writes for a list of tags until it has read all pages."""
INFIX = re.compile(r"\.[^./]+(?=\.[^./]+\Z)")
"""What a file's name may have before its suffix: the language in ``page.fr.md``."""
log = get_plugin_logger("mdchunk")


class MdchunkConfig(base.Config):  # type: ignore[misc, no-untyped-call, unused-ignore]
    """What may stand under ``mdchunk`` in the host's configuration."""

    enabled = config_options.Type(bool, default=True)
    forms = config_options.Type(list, default=[])
    options = config_options.Type(dict, default={})


class MdchunkPlugin(BasePlugin[MdchunkConfig]):  # type: ignore[misc, no-untyped-call, unused-ignore]
    """Takes each page as it is rendered, and writes the records when the site is built.

    What is known of a page outlives the build, since ``--dirty`` renders only what has changed.
    A build may hold others (mkdocs-static-i18n has one a language); the outermost writes for all.
    """

    def __init__(self) -> None:
        self.dirty = False
        self.settings: Settings | None = None
        self.site: Site | None = None
        self.pages: dict[str, Page] = {}
        self.records: dict[str, Records] = {}
        self.order: list[str] = []
        self.markdown: dict[str, str] = {}
        self.urls: dict[str, str] = {}
        self.base_url = ""
        self.under_way = 0  # builds, each within the one before
        self.built: frozenset[str] = frozenset()  # sources that a build before, of these, has

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002
        """Keep this plugin over the builds of one ``serve``."""
        self.dirty = dirty

    def on_config(self, config: Any) -> None:
        """Check the options; those that changed while serving apply to every page."""
        if not self.config.enabled:
            return
        self.markdown = {}
        self.under_way += 1
        if self.under_way > 1:
            return
        file = Path(config.config_file_path or "mkdocs.yml").name
        try:
            settings = make_settings(
                file, self.config.options, self.config.forms, without=HOST_READS
            )
        except MdchunkError as problem:
            raise PluginError(f"mdchunk: {problem}") from problem
        base_url = _folder(config.site_url or "")
        if self.settings is None or (
            (settings.chunker.options, base_url) != (self.settings.chunker.options, self.base_url)
        ):
            self.records = {}
        self.settings, self.base_url = settings, base_url

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_nav(self, nav: Any, *, config: Any, files: Any) -> None:
        """Put the pages into the order of the navigation, and those it lacks behind them.

        Which pages there are is known no earlier: a blog has its posts back only now.
        """
        if self.settings is None or not self.config.enabled:
            return
        led = [page.file.src_uri for page in nav.pages]
        rest = [file.src_uri for file in files.documentation_pages()]
        self.urls = _urls(files)
        outermost = self.under_way == 1
        before = [] if outermost else self.order
        self.built = frozenset(before)
        self.order = list(dict.fromkeys([*before, *led, *rest]))
        if outermost:
            self.site = _site(config, self.settings)
            if self.dirty and not self.pages and not self.records:
                self._read(Path(config.site_dir), self.site)

    def _read(self, folder: Path, site: Site) -> None:
        """Take the pages that an earlier run built."""
        self.records = read_site(folder, site, self.settings.chunker.options)  # type: ignore[union-attr]
        if not self.records and folder.is_dir() and any(folder.iterdir()):
            log.info(
                "the last build wrote no records with these options, so that pages which are "
                "not rendered now have none: build once without --dirty"
            )

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> None:  # noqa: ARG002
        """Keep the Markdown of a page, as other plugins left it."""
        source = page.file.src_uri
        if source in self.built:
            return  # shown again for a language that has no such page
        self.pages.pop(source, None)
        self.records.pop(source, None)
        if self.settings and self.config.enabled and _wanted(page):
            self.markdown[source] = markdown

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_page_content(self, html: str, *, page: Any, config: Any, files: Any) -> None:  # noqa: ARG002
        """Read the anchors of a page; nothing else knows of all of them."""
        source = page.file.src_uri
        if source in self.markdown:
            markdown = self.markdown.pop(source)
            self.pages[source] = _page(page, markdown, html, config, self.urls.get)

    @event_priority(LAST)  # type: ignore[untyped-decorator, unused-ignore]
    def on_post_build(self, *, config: Any) -> None:
        """Write the files into the built site."""
        if self.settings is None or self.site is None or not self.config.enabled:
            return
        self.under_way -= 1
        if self.under_way:
            return
        pages = list(self._known(self.settings))
        options, folder = self.settings.chunker.options, Path(config.site_dir)
        found = write_site(folder, self.site, pages, options, self.settings.forms)
        log.info("%d chunks of %d pages", found["chunks"], found["pages"])

    def _known(self, settings: Settings) -> Iterator[Records]:
        """Return the records of the pages that there are, and forget the others."""
        pages, self.pages = self.pages, {}
        records, self.records = self.records, {}
        for source in self.order:
            if source in pages:
                self.pages[source] = page = pages[source]
                if source not in records:
                    records[source] = page_records(page, settings.chunker, self.base_url, log.info)
            if source in records:
                self.records[source] = records[source]
                if not settings.exclude.match_file(source):
                    yield records[source]

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002
        """Begin anew with the next build of ``serve``."""
        self.under_way = 0


def _wanted(page: Any) -> bool:
    return not (page.file.inclusion.is_excluded() or excluded(page.meta))


def _folder(url: str) -> str:
    return url if url.endswith("/") or not url else f"{url}/"


def _urls(files: Any) -> dict[str, str]:
    """Return the addresses of a build's files by what links may call them.

    That is their path; with mkdocs-static-i18n also the path without its language, which is asked
    now, since the answer is another one in the build of the next language.
    """
    names = {file.src_uri for file in files}
    names |= {INFIX.sub("", name) for name in names}
    found = ((name, files.get_file_from_path(name)) for name in names)
    return {name: file.url for name, file in found if file is not None}


def _page(page: Any, markdown: str, html: str, config: Any, find: Find) -> Page:
    above = page.ancestors[-1].title if page.ancestors else config.site_name
    text, line, offset = _in_file(page.file.content_bytes.decode("utf-8", "replace"), markdown)
    return Page(
        source=page.file.src_uri,
        location=page.url,
        title=str(page.title),
        section=above,
        text=text,
        places=functools.partial(align, anchors=html_anchors(html)),
        first_line=line,
        first_offset=offset,
        metadata=page.meta,
        language=_language(config),
        find=find,
    )


def _in_file(source: str, markdown: str) -> tuple[str, int, int]:
    """Return a page's text with the lines and code points of the file that stand before it.

    The host has taken off front matter and a byte order mark, and made all line ends LF; text
    that no plugin has changed is taken as the file has it.
    """
    start = len(BOM) if source.startswith(BOM) else 0
    plain = normal(source)
    body, _ = meta.get_data(plain)
    line = plain.count("\n", 0, len(plain) - len(body)) if plain.endswith(body) else 0
    offset = Lines(source).starts[line] if line else start
    text = LISTING.sub(functools.partial(_directive, body), markdown)
    return (source[offset:] if text == body else text), line, offset


def _directive(body: str, found: re.Match[str]) -> str:
    """Return the comment that Material's tags plugin has replaced by a heading of its own."""
    text = body[int(found["start"]) : int(found["end"])]
    return text if text.startswith("<!--") else ""


def _site(config: Any, settings: Settings) -> Site:
    name = type(config).__module__.partition(".")[0]
    return Site(
        name=config.site_name,
        description=config.site_description or "",
        base_url=_folder(config.site_url or ""),
        language=_language(config),
        generator=f"{name} {host_version}; mdchunk {mdchunk.__version__}",
        exclude=settings.patterns,
    )


def _language(config: Any) -> str:
    theme = config.theme
    return str(theme.get("language") or getattr(theme.locale, "language", "en"))
