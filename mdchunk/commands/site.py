"""The command ``mdchunk site``: a folder of Markdown in, the records of its site out."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

import mdchunk
from mdchunk.chunker import Chunker
from mdchunk.commands.flags import option_flags
from mdchunk.commands.outputs import STDOUT, Output
from mdchunk.commands.run import FAILED, Run, config_flag, make_chunker, reading_flags, say
from mdchunk.config import Config
from mdchunk.errors import MdchunkError
from mdchunk.files.sources import reason
from mdchunk.integrations.sites.built import BuiltSite
from mdchunk.integrations.sites.generator import Generator
from mdchunk.integrations.sites.generators import GENERATORS, URLS
from mdchunk.integrations.sites.output import (
    FORMS,
    Site,
    file_names,
    json_lines,
    with_forms,
    write_site,
)
from mdchunk.integrations.sites.records import Records
from mdchunk.integrations.sites.tree import Tree
from mdchunk.parallel import noted


def _named(generator: Generator) -> str:
    return f"{generator.name} ({generator.tools})" if generator.tools else generator.name


@click.command(short_help="Make a site's search records from its Markdown.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), metavar="DIR")
@click.option("--base-url", required=True, metavar="URL", help="Where the site is published.")
@click.option(
    "--anchors",
    type=click.Choice(list(GENERATORS)),
    help=f"How the generator names headings: {', '.join(map(_named, GENERATORS.values()))}. "
    "Needed without --built.",
)
@click.option(
    "--built",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Read addresses and anchors from the HTML that any generator has built in this folder. "
    "Used instead of --anchors; what was not built is left out.",
)
@click.option(
    "--urls",
    type=click.Choice(list(URLS)),
    help="How pages are called: guide/, guide.html, guide, or as the generator of that name "
    "calls them. Default: as most sites of the generator of --anchors do. With --built: html, "
    "or bare if guide.html is published as guide.",
)
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(file_okay=False), help="Write files here."
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    type=click.Choice(list(FORMS)),
    help="Write this form too. Needs --output, may be repeated.",
)
@click.option("--site-name", metavar="TEXT", help="Name of the site.  [default: its host]")
@click.option("--language", default="en", show_default=True, help="Language of the site.")
@reading_flags
@config_flag
@option_flags
def site(folder: str, forms: tuple[str, ...], output: str | None, **settings: Any) -> None:
    """Make the search records of a site from the Markdown that it is built from.

    The addresses of pages and headings are made by the rules of the site's generator (--anchors),
    or read from the pages that were built (--built). Without --output the records are written to
    standard output, one JSON line each.

    \b
    Examples:
      mdchunk site docs --base-url https://example.org/ --anchors python-markdown
      mdchunk site content --base-url https://example.org/ --anchors hugo -o public --form llms
      mdchunk site content --base-url https://example.org/ --built public -o public
    """
    if forms and not output:
        raise click.UsageError("--form: needs --output, since forms are files")
    chunker, config = make_chunker(settings)
    chunker = Chunker(with_forms(chunker.options, forms))
    tree, run = _tree(folder, settings), Run(quiet=settings["quiet"])
    written = [STDOUT]
    if output is not None:
        written = [Output("--output", os.path.join(output, name)) for name in file_names(forms)]
    pages = list(_pages(tree, chunker, config, settings, run, written))
    if output is None:
        say(json_lines(pages))
    elif pages or not run.failed:  # what a run wrote before is worth more than empty files
        try:
            found = write_site(
                Path(output), _site(tree, config, settings), pages, chunker.options, forms
            )
            run.tell(output, f"{found['chunks']} chunks of {found['pages']} pages")
        except OSError as problem:
            run.complain(output, reason(problem))
    sys.exit(FAILED if run.failed else 0)


def _tree(folder: str, settings: dict[str, Any]) -> Tree:
    base_url, anchors, built = (settings[name] for name in ("base_url", "anchors", "built"))
    host = _host(base_url)
    base_url = base_url if base_url.endswith("/") else f"{base_url}/"
    tree = Tree(
        folder=os.path.realpath(folder), name=settings["site_name"] or host, base_url=base_url
    )
    if (anchors is None) == (built is None):
        raise click.UsageError("--anchors, --built: allowed is one of the two, and one is needed")
    if built is None:
        generator = GENERATORS[anchors]
        return replace(tree, generator=generator, urls=URLS[settings["urls"] or generator.urls])
    return replace(tree, built=_built(built, base_url, settings))


def _built(folder: str, base_url: str, settings: dict[str, Any]) -> BuiltSite:
    urls = settings["urls"]
    if urls not in (None, "html", "bare"):
        raise click.UsageError(
            f"--urls: {urls} is not allowed with --built; allowed are html, bare"
        )
    site = BuiltSite(
        os.path.realpath(folder), base_url, bare=urls == "bare", tell=_teller(settings)
    )
    if not site.files:
        raise click.UsageError(f"--built: {folder} has no .html file; allowed is a built site")
    return site


def _host(base_url: str) -> str:
    allowed = "allowed is https://host/path/"
    try:
        parts = urlsplit(base_url)
    except ValueError:  # brackets that hold no address
        parts = urlsplit("")
    if not (parts.scheme and parts.netloc):
        raise click.UsageError(f"--base-url: {base_url!r} is no URL; {allowed}")
    if "?" in base_url or "#" in base_url:
        raise click.UsageError(f"--base-url: {base_url!r} has a query or fragment; {allowed}")
    return parts.netloc


def _pages(
    tree: Tree,
    chunker: Chunker,
    config: Config,
    settings: dict[str, Any],
    run: Run,
    written: Sequence[Output],
) -> Iterator[Records]:
    sources = sorted(run.sources([tree.folder], config, settings, written), key=tree.inner)
    errors = settings["encoding_errors"]
    where, tell = tree.spots(sources, chunker, errors), _teller(settings)
    for source in sources:
        name = tree.inner(source)
        if name not in where:
            why = "no page was built of it" if tree.built else "it makes no page of its own"
            run.tell(name, f"left out, since {why}")
            continue
        make = functools.partial(tree.records, source, where[name], chunker, errors, tell)
        try:
            records, notes = noted(make)
        except (OSError, UnicodeDecodeError) as problem:
            run.complain(name, reason(problem))
        except MdchunkError as problem:
            run.complain(name, str(problem))
        else:
            for note in notes:
                run.tell(name, note)
            yield records


def _teller(settings: dict[str, Any]) -> Callable[[str], None]:
    """Return what tells of a page, in a quiet run nothing."""
    if settings["quiet"]:
        return lambda _text: None
    return lambda text: click.echo(f"mdchunk: {text}", err=True)


def _site(tree: Tree, config: Config, settings: dict[str, Any]) -> Site:
    made_by = tree.generator.name if tree.generator else "built pages"
    return Site(
        name=tree.name,
        base_url=tree.base_url,
        language=settings["language"],
        generator=f"{made_by}; mdchunk {mdchunk.__version__}",
        exclude=(*config.exclude, *settings["exclude"]),
    )
