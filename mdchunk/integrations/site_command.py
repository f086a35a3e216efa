"""The command ``mdchunk site``: a folder of Markdown in, the records of its site out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

import mdchunk
from mdchunk.chunker import Chunker
from mdchunk.config import Config, blame, join_options, load_config
from mdchunk.errors import MdchunkError
from mdchunk.flags import given, option_flags
from mdchunk.integrations.output import FORMS, Site, json_lines, write_site
from mdchunk.integrations.records import Record
from mdchunk.integrations.site import URLS, USUAL_URLS, Tree, locations
from mdchunk.integrations.slugs import RULES
from mdchunk.sources import Source, find_sources, reason


@click.command(short_help="Make a site's search records from its Markdown.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), metavar="DIR")
@click.option("--base-url", required=True, metavar="URL", help="Where the site is published.")
@click.option(
    "--anchors",
    type=click.Choice(list(RULES)),
    required=True,
    help="How the generator names headings: python-markdown (Zensical, MkDocs, Pelican), github "
    "(Hugo, Docusaurus), vitepress, myst or docutils (Sphinx).",
)
@click.option(
    "--urls",
    type=click.Choice(list(URLS)),
    help="What pages are called: guide/, guide.html or guide; by default as usual with --anchors.",
)
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(file_okay=False), help="Write files here."
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    type=click.Choice(list(FORMS)),
    help="Write this form too, with --output; may be repeated.",
)
@click.option("--site-name", metavar="TEXT", help="Name of the site.  [default: its host]")
@click.option("--language", default="en", show_default=True, help="Language of the site.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out; as in .gitignore.")
@click.option(
    "--gitignore/--no-gitignore", default=True, show_default=True, help="Obey .gitignore."
)
@click.option(
    "--encoding-errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    help="Files that are not UTF-8 are a failure, or read with U+FFFD for what is wrong.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Take options from this file instead of the nearest one.",
)
@option_flags
def site(folder: str, forms: tuple[str, ...], output: str | None, **settings: Any) -> None:
    """Make the search records of a site from the Markdown that it is built of.

    The addresses of pages and headings are made by the rules of its generator. Without --output
    the records are written to standard output, a line of JSON each.
    """
    if forms and not output:
        raise click.UsageError("--form: needs --output, since forms are files")
    chunker, exclude = _chunker(settings)
    tree = _tree(folder, settings)
    problems: list[str] = []
    pages = list(_pages(tree, chunker, exclude, settings, problems))
    if output:
        found = write_site(Path(output), _site(tree, settings), pages, chunker.options, forms)
        click.echo(f"mdchunk: {found['chunks']} chunks of {found['pages']} pages", err=True)
    else:
        click.echo(json_lines(pages).encode("utf-8", "replace"), nl=False)
    sys.exit(1 if problems else 0)


def _chunker(settings: dict[str, Any]) -> tuple[Chunker, Sequence[str]]:
    flags, config = given(settings), Config(options={})
    try:
        config = load_config(settings["config"], Path.cwd())
        chunker = Chunker(join_options(config, flags, settings["preset"]))
    except MdchunkError as problem:
        raise click.UsageError(blame(config, flags, problem)) from problem
    return chunker, (*config.exclude, *settings["exclude"])


def _tree(folder: str, settings: dict[str, Any]) -> Tree:
    base_url, anchors = settings["base_url"], settings["anchors"]
    if not urlsplit(base_url).netloc:
        raise click.UsageError(f"--base-url: {base_url!r} is no URL; allowed is https://host/path/")
    return Tree(
        folder=os.path.realpath(folder),
        name=settings["site_name"] or urlsplit(base_url).netloc,
        base_url=base_url if base_url.endswith("/") else f"{base_url}/",
        anchors=anchors,
        urls=settings["urls"] or USUAL_URLS[anchors],
    )


def _pages(
    tree: Tree,
    chunker: Chunker,
    exclude: Sequence[str],
    settings: dict[str, Any],
    problems: list[str],
) -> Iterator[list[Record]]:
    def complain(name: str, text: str) -> None:
        problems.append(name)
        tell(f"{name}: {text}")

    def tell(text: str) -> None:
        click.echo(f"mdchunk: {' '.join(text.split())}", err=True)

    found = find_sources([tree.folder], complain, exclude=exclude, gitignore=settings["gitignore"])
    sources: list[Source] = sorted(found, key=tree.inner)
    where = locations(map(tree.inner, sources), URLS[tree.urls])
    errors = settings["encoding_errors"]
    for source in sources:
        try:
            yield tree.records(source, where[tree.inner(source)], chunker, errors, tell)
        except (OSError, UnicodeDecodeError) as problem:
            complain(tree.inner(source), reason(problem))
        except MdchunkError as problem:
            complain(tree.inner(source), str(problem))


def _site(tree: Tree, settings: dict[str, Any]) -> Site:
    return Site(
        name=tree.name,
        base_url=tree.base_url,
        language=settings["language"],
        generator=f"{tree.anchors}; mdchunk {mdchunk.__version__}",
    )
