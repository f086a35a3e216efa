"""The command ``mdchunk``: Markdown files in, chunks out; and what shows where the cuts fall."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections import UserDict
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from mdchunk import __version__
from mdchunk.commands.names import COMMANDS, VERSION
from mdchunk.commands.run import FAILED, misuse
from mdchunk.errors import MdchunkError
from mdchunk.files.sources import reason

INTERRUPTED = 130
PIPE_CLOSED = 141

HELP = """Split Markdown into chunks for search and retrieval.

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
Options are also read from mdchunk.toml, or from [tool.mdchunk] in pyproject.toml, in the
current folder or the nearest one above it. A flag overrides the file.
To read a file whose name is that of a command, write the folder too: mdchunk ./show

\b
Exit status: 0 all done, 1 some files could not be read or written (the others are done),
2 wrong use, 130 interrupted, 141 the program that read the output has ended.

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
