"""Footnote definitions: ``[^1]: text``, with blocks indented by four that go on with it.

The source is Pandoc's manual, read by ``mdit_py_plugins.footnote``; the definitions stay where they
stand. May misread: nothing that CommonMark means otherwise, save a link definition for ``^label``.
"""

from __future__ import annotations

from markdown_it import MarkdownIt

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.reading import add_patterns
from mdchunk.rules import HIDDEN, Rule

NOTE = {"inline_note": r"(?P<apart>)\^\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])+)\]"}
"""A footnote in the text itself, which is read where it stands."""


def extend(parser: MarkdownIt) -> None:
    """Add the plug-in; the step that moves definitions to the end is switched off by the parser."""
    from mdit_py_plugins.footnote import footnote_plugin

    footnote_plugin(parser)
    add_patterns(parser, NOTE)


DIALECT = Dialect(
    "footnote",
    extend,
    rules={"footnote_reference_open": Rule("footnote_definition", "hard", introduced=False)},
    starts={"footnote_def": "["},
    readings={"footnote_ref": HIDDEN},
)
