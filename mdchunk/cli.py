"""The command ``mdchunk``: Markdown files in, chunks out; and what shows where the cuts fall."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shlex
import signal
import sys
from collections import UserDict
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from mdchunk import __version__
from mdchunk.commands.flags import option_flags
from mdchunk.commands.outputs import STDOUT, Output, check_output, meta_output
from mdchunk.commands.records import Outcome, Recorder
from mdchunk.commands.run import (
    FAILED,
    NothingReadError,
    Run,
    config_flag,
    destination,
    make_chunker,
    misuse,
    paths_argument,
    reading_flags,
    root_flag,
    sizes_flag,
    with_plain,
    with_sizes,
)
from mdchunk.errors import MdchunkError
from mdchunk.files.sources import STDIN, Source, reason, root_of
from mdchunk.files.writers import BY_SUFFIX, FORMATS, Sink
from mdchunk.parallel import LostProcessError, Team

INTERRUPTED = 130
PIPE_CLOSED = 141

HELP = """Split Markdown into exact, bounded, structure-aware chunks.

PATHS are files, folders (their Markdown files, without those that Git ignores), globs in quotes
or - for standard input. The chunks are written as JSON lines, each with the path and the title of
its document.

\b
Examples:
  mdchunk README.md
  mdchunk docs notes -o chunks.jsonl --jobs 4
  mdchunk 'docs/**/*.md' --exclude drafts/ --format csv -o chunks.csv
  cat page.md | mdchunk -
  mdchunk docs -o docs.db && mdchunk search docs.db how to install
  mdchunk show README.md --chunk-size 200
  mdchunk view README.md -o page.html
  mdchunk stats docs
  mdchunk diff docs-1.0 docs-1.1

\b
Options also come from [tool.mdchunk] in the nearest pyproject.toml, or from an mdchunk.toml;
flags win. Of a file called like a command write the folder too: mdchunk ./show

\b
Exit status: 0 all done, 1 some files could not be read or written (the others are done),
2 wrong use, 130 interrupted, 141 the reader of the output went away.

\b
Completion, in the start file of your shell:
  bash:  eval "$(_MDCHUNK_COMPLETE=bash_source mdchunk)"
  zsh:   eval "$(_MDCHUNK_COMPLETE=zsh_source mdchunk)"
  fish:  _MDCHUNK_COMPLETE=fish_source mdchunk | source
"""


class Commands(UserDict[str, Any]):
    """The commands by name; what one run does not need it need not import."""

    def __getitem__(self, name: str) -> click.Command:
        """Import a command when it is asked for."""
        if self.data[name] is None:
            self.data[name] = getattr(importlib.import_module(f"mdchunk.commands.{name}"), name)
        command: click.Command = self.data[name]
        return command


COMMANDS = ("chunk", "search", "show", "view", "stats", "diff", "scores", "site", "schema")
VERSION = ("-V", "--version")
MEANT = {**{name: name for name in COMMANDS}, "version": VERSION[1], "help": "--help"}
"""What may be meant by a word that is no file, and what to write for it."""


class DefaultGroup(click.Group):
    """A group that takes what is no command of its own as the arguments of ``chunk``."""

    default = "chunk"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command first where none is named."""
        own = {*self.commands, *self.get_help_option_names(ctx), *VERSION}
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
            raise misuse(str(problem)) from problem

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of the default command too, since most people want no other."""
        self.commands[self.default].format_options(ctx, formatter)
        with formatter.section("Commands (each with a --help of its own)"):
            texts = [(name, it.get_short_help_str()) for name, it in self.commands.items()]
            formatter.write_dl([*texts, (", ".join(VERSION), "Show the version.")])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> Any:
        """Complete commands and files, and the flags of the default command."""
        from click.shell_completion import CompletionItem

        found = super().shell_complete(ctx, incomplete)
        if not incomplete.startswith("-"):
            return [*found, CompletionItem(incomplete, type="file")]
        default = self.commands[self.default]
        within = click.Context(default, parent=ctx, info_name=default.name, resilient_parsing=True)
        flags = [*default.shell_complete(within, incomplete), *found]
        return list({item.value: item for item in flags}.values())


@click.group(
    cls=DefaultGroup,
    commands=Commands(dict.fromkeys(COMMANDS)),
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="[chunk|search|show|view|stats|diff|scores|site|schema]",
    subcommand_metavar="PATHS... [OPTIONS]",
)
@click.version_option(__version__, *VERSION, prog_name="mdchunk")
def cli() -> None:
    """Split Markdown into chunks."""


@cli.command(short_help="Split files into chunks (the default).")
@paths_argument
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write here, to no file that is read; it is whole or not there.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="How chunks are written; by default as the suffix of FILE says, jsonl without one.",
)
@click.option(
    "--meta/--no-meta",
    "meta",
    default=True,
    show_default=True,
    help="Write what made FILE beside it, options and counts: chunks.meta.json for chunks.jsonl.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Share the work among N processes.",
)
@sizes_flag
@reading_flags
@root_flag
@config_flag
@option_flags
def chunk(
    paths: tuple[str, ...],
    output: str | None,
    format_name: str | None,
    meta: bool,
    jobs: int,
    chunk_sizes: tuple[int, ...] | None,
    encoding_errors: str,
    root: str | None,
    **settings: Any,
) -> None:
    """Split files, folders or - into chunks and write them as records.

    What ends in .db is an index to search in. It is brought up to date: only what changed is
    written, all of it or nothing.

    \b
    Examples:
      mdchunk chunk docs notes -o chunks.jsonl --jobs 4
      mdchunk chunk docs --exclude 'drafts/' --format csv -o chunks.csv
      mdchunk chunk docs --chunk-sizes 512,128 -o chunks.jsonl
      mdchunk chunk docs -o docs.db
    """
    check_words(paths)
    chunker, config = make_chunker(with_sizes(settings, chunk_sizes))
    written, name = chosen_output(output, format_name)
    form = FORMATS[name]
    chunker = chunker if form.sink else with_plain(chunker)
    root = root_of(paths) if root is None else root
    run = Run(progress=bool(output) or not sys.stdout.isatty(), quiet=settings["quiet"])
    recorder = Recorder(chunker, form.encode, encoding_errors, root, chunk_sizes or ())
    beside = meta_output(written, name) if meta else []
    with _told(run, output), outcomes(recorder, paths, jobs) as made:
        found = run.sources(paths, config, settings, [written, *beside])
        if form.sink:
            _write(run, output, found, made(found), form.sink)
            _write_beside(run, beside, written, name, recorder)
        else:
            _update(run, output, recorder, found, made(found))
    sys.exit(FAILED if run.failed else 0)


@contextlib.contextmanager
def _told(run: Run, output: str | None) -> Iterator[None]:
    """Complain of what ends a run: a lost process, an output that cannot be written."""
    try:
        yield
    except LostProcessError as problem:
        run.complain("--jobs", str(problem))
    except NothingReadError:
        pass  # what a run wrote before is worth more than an empty file
    except OSError as problem:
        if not output or output == STDIN:
            raise
        run.complain(output, reason(problem))


def check_words(paths: Sequence[str]) -> None:
    """Complain of a word among the paths that is no file and looks like the name of a command."""
    for path in paths:
        if not path.isalpha() or os.path.lexists(path):
            continue
        near = get_close_matches(path.lower(), MEANT, 1, cutoff=0.75)
        if near:
            word = MEANT[near[0]]
            others = [other for other in paths if other != path] if word in COMMANDS else []
            meant = shlex.join(["mdchunk", word, *others])
            raise misuse(f"{path}: no such file or command; perhaps: {meant}")


def chosen_output(output: str | None, format_name: str | None) -> tuple[Output, str]:
    """Return where chunks are written, and the format, which a flag or the file's name tells."""
    if output is None:
        return STDOUT, format_name or "jsonl"
    suffix = Path(output).suffix.lower()
    suffixes = [suffix] if format_name else BY_SUFFIX
    written = Output("--output", output)
    check_output(written, suffixes, otherwise=", or any with --format")
    return written, format_name or BY_SUFFIX.get(suffix, "jsonl")


Make = Callable[[Sequence[Source]], Iterator[Outcome]]


def _write(
    run: Run,
    output: str | None,
    found: Sequence[Source],
    results: Iterator[Outcome],
    open_sink: Callable[[BinaryIO], Sink],
) -> None:
    with destination(output) as file:
        sink = open_sink(file)
        run.write(found, results, sink)
        sink.close()
        if output and not run.done:
            raise NothingReadError


def _update(
    run: Run,
    output: str | None,
    recorder: Recorder,
    found: Sequence[Source],
    results: Iterator[Outcome],
) -> None:
    from mdchunk.commands.index import update  # most runs write no index

    update(run, output, recorder.root, recorder.chunker, found, results)


def _write_beside(
    run: Run, beside: Sequence[Output], written: Output, name: str, recorder: Recorder
) -> None:
    if beside:
        from mdchunk.commands.meta import Made, write_meta  # most runs write none

        options, sizes = recorder.chunker.options, recorder.chunk_sizes
        write_meta(run, Made(written.path, name, recorder.root, options, sizes))


@contextlib.contextmanager
def outcomes(recorder: Recorder, paths: Sequence[str], jobs: int) -> Iterator[Make]:
    """Get ready to make the records of sources, in order, while they are still being found."""
    if jobs == 1 or (len(paths) == 1 and not _may_be_many(paths[0])):
        yield lambda found: map(recorder, found)
        return
    with Team(recorder, jobs) as team:
        yield lambda found: team.map(found, weigh=_size, portable=_portable)


def _may_be_many(path: str) -> bool:
    return path != STDIN and not os.path.isfile(path)


def _size(source: Source) -> int:
    return source.size


def _portable(source: Source) -> bool:
    return source.path != STDIN


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
    finally:
        # what is left is not looked through once more at the end: a tenth of a short run
        gc.freeze()


def drop_output() -> None:
    """Send what is left in standard output nowhere, since it would raise again at the end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(number: int, _frame: object) -> NoReturn:
    # as an exception, so that a half-written file is taken away
    sys.exit(128 + number)
