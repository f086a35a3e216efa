"""A plugin of MkDocs and ProperDocs: ``chunks.jsonl`` in the built site, a record a chunk."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import mdchunk
from mdchunk.errors import MdchunkError
from mdchunk.integrations.headings import align, html_anchors
from mdchunk.integrations.hosts import missing
from mdchunk.integrations.output import Site, read_site, write_site
from mdchunk.integrations.records import Page, Record, excluded, page_records
from mdchunk.integrations.settings import Settings, make_settings

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
HOST_READS = ("front_matter",)
log = get_plugin_logger("mdchunk")


class MdchunkConfig(base.Config):  # type: ignore[misc, no-untyped-call, unused-ignore]
    """What may stand under ``mdchunk`` in the host's configuration."""

    enabled = config_options.Type(bool, default=True)
    forms = config_options.Type(list, default=[])
    options = config_options.Type(dict, default={})


class MdchunkPlugin(BasePlugin[MdchunkConfig]):  # type: ignore[misc, no-untyped-call, unused-ignore]
    """Takes each page as it is rendered, and writes the records when the site is built.

    What is known of a page outlives the build, since ``--dirty`` renders only what has changed.
    """

    def __init__(self) -> None:
        self.dirty = False
        self.settings: Settings | None = None
        self.pages: dict[str, Page] = {}
        self.records: dict[str, list[Record]] = {}
        self.order: list[str] = []
        self.markdown: dict[str, str] = {}
        self.base_url = ""

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002
        """Keep this plugin over the builds of one ``serve``."""
        self.dirty = dirty

    def on_config(self, config: Any) -> None:
        """Check the options; those that changed while serving apply to every page."""
        if not self.config.enabled:
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
        self.markdown = {}

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_files(self, files: Any, *, config: Any) -> None:
        """Forget the pages that are gone; take those that an earlier run built."""
        if self.settings is None or not self.config.enabled:
            return
        self.order = [file.src_uri for file in files.documentation_pages()]
        if self.dirty and not self.pages and not self.records:
            folder, options = Path(config.site_dir), self.settings.chunker.options
            self.records = read_site(folder, self.base_url, options)
            if not self.records and folder.is_dir() and any(folder.iterdir()):
                log.info(
                    "the last build wrote no records with these options, so that pages which are "
                    "not rendered now have none: build once without --dirty"
                )
        there = set(self.order)
        self.pages = {source: page for source, page in self.pages.items() if source in there}
        self.records = {name: known for name, known in self.records.items() if name in there}

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_nav(self, nav: Any, *, config: Any, files: Any) -> None:  # noqa: ARG002
        """Put the pages into the order of the navigation, and those it lacks behind them."""
        led = [page.file.src_uri for page in nav.pages]
        self.order = list(dict.fromkeys([*led, *self.order]))

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> None:  # noqa: ARG002
        """Keep the Markdown of a page, as other plugins left it."""
        source = page.file.src_uri
        self.pages.pop(source, None)
        self.records.pop(source, None)
        if self.settings and self.config.enabled and self._wanted(page):
            self.markdown[source] = markdown

    def _wanted(self, page: Any) -> bool:
        hidden = page.file.inclusion.is_excluded() or excluded(page.meta)
        return not hidden and not self.settings.exclude.match_file(page.file.src_uri)  # type: ignore[union-attr]

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_page_content(self, html: str, *, page: Any, config: Any, files: Any) -> None:  # noqa: ARG002
        """Read the anchors of a page; nothing else knows of all of them."""
        source = page.file.src_uri
        if source in self.markdown:
            markdown = self.markdown.pop(source)
            self.pages[source] = _page(page, markdown, html, config.site_name)

    @event_priority(LATE)  # type: ignore[untyped-decorator, unused-ignore]
    def on_post_build(self, *, config: Any) -> None:
        """Write the files into the built site."""
        if self.settings is None or not self.config.enabled:
            return
        chunker, forms, _ = self.settings
        for source, page in self.pages.items():
            if source not in self.records:
                self.records[source] = page_records(page, chunker, self.base_url, log.info)
        pages = [self.records[source] for source in self.order if source in self.records]
        found = write_site(Path(config.site_dir), _site(config), pages, chunker.options, forms)
        log.info("%d chunks of %d pages", found["chunks"], found["pages"])


def _folder(url: str) -> str:
    return url if url.endswith("/") or not url else f"{url}/"


def _page(page: Any, markdown: str, html: str, site_name: str) -> Page:
    above = page.ancestors[-1].title if page.ancestors else site_name
    line, offset = _taken_off(page.file.content_string)
    return Page(
        source=page.file.src_uri,
        location=page.url,
        title=str(page.title),
        section=above,
        text=markdown,
        places=functools.partial(align, anchors=html_anchors(html)),
        first_line=line,
        first_offset=offset,
        metadata=page.meta,
    )


def _taken_off(source: str) -> tuple[int, int]:
    """Count the lines and code points that the host takes off a file as front matter."""
    body, _ = meta.get_data(source)
    if not source.endswith(body):
        return 0, 0
    offset = len(source) - len(body)
    return source.count("\n", 0, offset), offset


def _site(config: Any) -> Site:
    name = type(config).__module__.partition(".")[0]
    theme = config.theme
    return Site(
        name=config.site_name,
        description=config.site_description or "",
        base_url=_folder(config.site_url or ""),
        language=theme.get("language") or getattr(theme.locale, "language", "en"),
        generator=f"{name} {host_version}; mdchunk {mdchunk.__version__}",
    )
