"""The command ``mdchunk``: Markdown files in, chunks out; and what shows where the cuts fall."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from mdchunk import __version__
from mdchunk.chunker import Chunker
from mdchunk.config import Config, blame, join_options, load_config
from mdchunk.dialects import find_dialect
from mdchunk.errors import MdchunkError
from mdchunk.flags import given, option_flags
from mdchunk.integrations.site_command import site
from mdchunk.parallel import LostProcessError, map_ordered, noted
from mdchunk.records import Outcome, Recorder
from mdchunk.scores import DEFAULT_SCORES, Weight
from mdchunk.sources import STDIN, Source, find_sources, read_source, reason
from mdchunk.view import align, boundaries, coloured, gutter, rows
from mdchunk.writers import BY_SUFFIX, FORMATS, Sink, whole_file

FAILED = 1
INTERRUPTED = 130
PIPE_CLOSED = 141
MANY = 10
"""From this many files on a terminal shows a progress bar."""

HELP = """Split Markdown into exact, bounded, structure-aware chunks.

PATHS are files, folders (their Markdown files, without those that Git ignores) or - for
standard input. The chunks are written as JSON lines, each with the path and the title of its
document.

\b
Examples:
  mdchunk README.md
  mdchunk docs notes -o chunks.jsonl --jobs 4
  mdchunk docs --chunk-size 256 --context headings --format csv -o chunks.csv
  cat page.md | mdchunk -
  mdchunk show README.md --chunk-size 200
  mdchunk scores

\b
Options also come from [tool.mdchunk] in the nearest pyproject.toml, or from an mdchunk.toml;
flags win. Of a file called like a command write the folder too: mdchunk ./show

\b
Exit status: 0 all done, 1 some files could not be read or written (the others are done),
2 wrong use.

\b
Completion in bash (zsh and fish likewise):
  eval "$(_MDCHUNK_COMPLETE=bash_source mdchunk)"
"""


class DefaultGroup(click.Group):
    """A group that takes what is no command of its own as the arguments of ``chunk``."""

    default = "chunk"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command first where none is named."""
        own = {*self.commands, *self.get_help_option_names(ctx), "--version"}
        if args and args[0] not in own:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader of the output that goes away ends it silently."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            drop_output()
            ctx.exit(PIPE_CLOSED)
        except OSError as problem:
            drop_output()
            click.echo(f"mdchunk: standard output: {reason(problem)}", err=True)
            ctx.exit(FAILED)
        except MdchunkError as problem:
            raise click.UsageError(str(problem)) from problem

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of the default command too, since most people want no other."""
        self.commands[self.default].format_options(ctx, formatter)
        with formatter.section("Commands (each with a --help of its own)"):
            texts = [(name, it.get_short_help_str()) for name, it in self.commands.items()]
            formatter.write_dl([*texts, ("--version", "Show the version.")])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Any:
        """Complete commands and files."""
        from click.shell_completion import CompletionItem

        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


@click.group(
    cls=DefaultGroup,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="[chunk|show|scores|site]",
    subcommand_metavar="PATHS... [OPTIONS]",
)
@click.version_option(__version__, prog_name="mdchunk")
def cli() -> None:
    """Split Markdown into chunks."""


cli.add_command(site)


def config_flag(command: Any) -> Any:
    """Give a command the flag that names a configuration file."""
    return click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Take options from this file instead of the nearest one.",
    )(command)


paths_argument = click.argument(
    "paths", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="PATHS..."
)
errors_flag = click.option(
    "--encoding-errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    help="Files that are not UTF-8 are a failure, or read with U+FFFD for what is wrong.",
)
exclude_flag = click.option(
    "--exclude", multiple=True, metavar="GLOB", help="Leave out; as in .gitignore, may be repeated."
)
gitignore_flag = click.option(
    "--gitignore/--no-gitignore",
    default=True,
    help="Leave out what Git ignores.",
    show_default=True,
)


@cli.command(short_help="Split files into chunks (the default).")
@paths_argument
@click.option("-o", "--output", metavar="FILE", help="Write here; the file is whole or not there.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="How chunks are written; by default what FILE ends in, else jsonl.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Share the work among N processes.",
)
@exclude_flag
@gitignore_flag
@errors_flag
@config_flag
@option_flags
def chunk(
    paths: tuple[str, ...],
    output: str | None,
    format_name: str | None,
    jobs: int,
    encoding_errors: str,
    **settings: Any,
) -> None:
    """Split files, folders or - into chunks and write them as records."""
    chunker, config = make_chunker(settings)
    suffix = Path(output).suffix.lower() if output else ""
    form = FORMATS[format_name or BY_SUFFIX.get(suffix, "jsonl")]
    if output and os.path.isdir(output):
        raise click.UsageError(f"--output: {output} is a folder; allowed is a file")
    run = Run(progress=output is not None or not sys.stdout.isatty())
    found = run.sources(paths, config, settings)
    recorder = Recorder(chunker, form.encode, encoding_errors)
    try:
        with destination(output) as file:
            sink = form.sink(file)
            run.write(found, outcomes(recorder, found, jobs), sink)
            sink.close()
            if output and not run.done:
                raise NothingReadError
    except LostProcessError as problem:
        run.complain("--jobs", str(problem))
    except NothingReadError:
        pass  # what a run wrote before is worth more than an empty file
    except OSError as problem:
        if not output or output == STDIN:
            raise
        run.complain(output, reason(problem))
    sys.exit(FAILED if run.failed else 0)


class NothingReadError(Exception):
    """No document could be read, so that there is nothing to write."""


def make_chunker(settings: dict[str, Any]) -> tuple[Chunker, Config]:
    """Build the chunker that the flags and the configuration ask for; wrong use ends the run."""
    flags = given(settings)
    config = Config(options={})
    try:
        config = load_config(settings["config"], Path.cwd())
        return Chunker(join_options(config, flags, settings["preset"])), config
    except MdchunkError as problem:
        raise click.UsageError(blame(config, flags, problem)) from problem


@contextlib.contextmanager
def destination(output: str | None) -> Iterator[BinaryIO]:
    """Open what is written to: a file that is whole or not there, or standard output."""
    if output and output != STDIN:
        with whole_file(output) as file:
            yield file
        return
    out: Any = sys.stdout.buffer
    # an unbuffered stream (python -u) may take a part of what it is given and say no word
    file = io.BufferedWriter(out) if isinstance(out, io.RawIOBase) else out
    try:
        yield file
        file.flush()
    finally:
        if file is not out:
            with contextlib.suppress(OSError):  # what went wrong is raised already
                file.detach()


def outcomes(recorder: Recorder, found: Sequence[Source], jobs: int) -> Iterator[Outcome]:
    """Make the records of each source, in order."""
    if jobs == 1 or len(found) == 1:
        return map(recorder, found)
    return map_ordered(
        recorder,
        found,
        jobs,
        weigh=_size,
        portable=_portable,
    )


def _size(source: Source) -> int:
    return source.size


def _portable(source: Source) -> bool:
    return source.path != STDIN


class Run:
    """What one run has to tell: lines on standard error, progress, and how it ends."""

    def __init__(self, *, progress: bool = False) -> None:
        self.progress = progress and sys.stderr.isatty()
        self.failed = self.done = 0

    def tell(self, name: str, text: str) -> None:
        """Write one line about a file to standard error."""
        line = " ".join(text.split())
        click.echo(f"mdchunk: {name}: {line}", err=True)

    def complain(self, name: str, text: str) -> None:
        """Tell that a file failed."""
        self.failed += 1
        self.tell(name, text)

    def sources(
        self, paths: Sequence[str], config: Config, settings: dict[str, Any]
    ) -> list[Source]:
        """Find the documents, and complain of the paths that stand for none."""
        exclude = (*config.exclude, *settings["exclude"])
        ignore = settings["gitignore"]
        return list(find_sources(paths, self.complain, exclude=exclude, gitignore=ignore))

    def write(self, found: Sequence[Source], results: Iterator[Outcome], sink: Sink) -> None:
        """Write the records of every document that could be read."""
        with self._bar(found) as step:
            for source, outcome in zip(found, results, strict=True):
                for note in outcome.notes:
                    self.tell(outcome.name, note)
                if outcome.problem:
                    self.complain(outcome.name, outcome.problem)
                else:
                    self.done += 1
                    sink.write(outcome.encoded)
                step(source.size)

    @contextlib.contextmanager
    def _bar(self, found: Sequence[Source]) -> Iterator[Any]:
        if not self.progress or len(found) < MANY:
            yield lambda _size: None
            return
        from rich import progress
        from rich.console import Console

        columns = (
            progress.BarColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=sum(source.size for source in found))
            yield lambda size: bar.advance(task, size)


@cli.command(short_help="Draw the cuts beside the text.")
@paths_argument
@click.option("--boundaries", "table", is_flag=True, help="List the places where a cut could fall.")
@exclude_flag
@gitignore_flag
@errors_flag
@config_flag
@option_flags
def show(paths: tuple[str, ...], table: bool, encoding_errors: str, **settings: Any) -> None:
    """Draw every line of a document behind a gutter of brackets.

    A bracket is a chunk, two side by side are an overlap, and "-- kind score" stands where a cut
    falls. "|" begins a line, "¦" the rest of a line that was cut inside.
    """
    chunker, config = make_chunker(settings)
    run = Run()
    found = run.sources(paths, config, settings)
    for source in found:
        try:
            text = read_source(source, errors=encoding_errors)
            document, notes = noted(functools.partial(chunker.parse, text))
            chunks = chunker.chunk(document)
        except (OSError, UnicodeDecodeError) as problem:
            run.complain(source.name, reason(problem))
            continue
        for note in notes:
            run.tell(source.name, note)
        if len(found) > 1:
            say(f"==> {source.name}\n")
        if table:
            say(boundaries(document, chunks, chunker.explain(document)))
        elif sys.stdout.isatty():
            _draw_in_colour(document, chunks)
        else:
            say(gutter(document, chunks))
    sys.exit(FAILED if run.failed else 0)


def say(text: str) -> None:
    """Write text to standard output, in UTF-8 whatever the locale, since brackets are no ASCII."""
    with destination(None) as file:
        file.write(text.encode())


def _draw_in_colour(document: Any, chunks: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in coloured(rows(document, chunks)):
        console.print(line)


@cli.command(short_help="Print the score table.")
@config_flag
@option_flags
def scores(**settings: Any) -> None:
    """Print how good a place to cut each kind is, under the options given."""
    options = make_chunker(settings)[0].options
    say(score_lines(options.dialects, options.scores))


def score_lines(dialects: Sequence[Any], changed: Any) -> str:
    """Give the score table: the default rows, then those of the dialects, as they are in force."""
    from mdchunk.document import make_syntax

    found = [find_dialect(name) for name in dialects]
    owner = {kind: dialect.name for dialect in found for kind in dialect.scores}
    table = [("kind", "score", "less per level", "least", "dialect")]
    for kind, weight in make_syntax(dialects, changed).scores.items():
        table.append((kind, *_cells(weight), "" if kind in DEFAULT_SCORES else owner[kind]))
    return align(table, right=0)


def _cells(weight: Weight) -> tuple[str, str, str]:
    steps = weight.step != 0
    return (
        f"{weight.base:g}",
        f"{weight.step:g}" if steps else "",
        f"{weight.floor:g}" if steps else "",
    )


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command; a signal to end it leaves no half-written file."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # not on every system
            signal.signal(getattr(signal, name), _end)
    try:
        sys.exit(cli.main(args, prog_name="mdchunk", standalone_mode=False))
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)


def drop_output() -> None:
    """Send what is left in standard output nowhere, since it would raise again at the end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(number: int, _frame: object) -> NoReturn:
    # as an exception, so that a half-written file is taken away
    sys.exit(128 + number)
