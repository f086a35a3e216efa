"""Page marks of converters: ``{3}-----``, ``<!-- Page 3 -->``, ``--- end of page=3 ---``.

The sources are what Marker, PyMuPDF4LLM, Azure's Document Intelligence and others write between the
pages of a PDF, in several languages; ``<!-- page-break -->`` has no number. A mark belongs to what
it begins, or to what it ends. May misread: a line of dashes round the words ``page 3``.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdchunk.dialect import Dialect
from mdchunk.dialects.shared.lines import INTERRUPTS, line_text
from mdchunk.lines import pattern
from mdchunk.rules import HIDDEN, Rule

WORD = r"(?:page|pagina|página|pàgina|seite|sida|side|strona|strana|oldal|sayfa|страница|стор\.?)"
NUMBER = rf"{WORD}(?:[.\s_]?(?:no\.?|number))?[\s:=#_-]*[\"']?(?P<{{0}}>\d{{{{1,7}}}})[\"']?"
EASTERN = (
    r"第?\s*(?P<{0}>\d{{1,7}})\s*(?:页|頁|ページ|쪽|페이지)|(?:ページ|페이지)\s*(?P<{1}>\d{{1,7}})"
)
OF = r"(?:\s*(?:/|of|von|de|di|van|av|af|z|из)\s*\d{1,7})?"
START = pattern(
    r"\{(?P<marker>\d{1,7})\}-{3,}"
    rf"|<!--\s*(?:(?:begin|start)(?:\s+of)?\s+)?(?:{NUMBER.format('comment')}{OF}"
    rf"|{EASTERN.format('eastern', 'western')})\s*-->"
    rf"|-{{2,}}\s*(?:{NUMBER.format('line')}{OF}|{EASTERN.format('row', 'column')})\s*-{{2,}}",
    re.IGNORECASE,
)
END = pattern(
    r"(?:<!--|-{2,})\s*end\s+of\s+page(?:\.\w+)?[\s:=#]*(\d{1,7})\s*(?:-->|-{2,})", re.IGNORECASE
)
OPENINGS = ("--", "<!--", "{")
BREAK = pattern(r"<!--\s*(?:page[\s_-]?break|new[\s_-]?page)\s*-->", re.IGNORECASE)


def extend(parser: MarkdownIt) -> None:
    """Add the block rule, which may interrupt a paragraph."""
    parser.block.ruler.before("table", "page_mark", _mark, INTERRUPTS)


def _mark(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    # most such lines are items of lists
    if not state.src.startswith(OPENINGS, begin) or state.is_code_block(start):
        return False
    text = line_text(state, start)
    ends = END.fullmatch(text)
    found = ends or START.fullmatch(text)
    if not (found or BREAK.fullmatch(text)):
        return False
    if not silent:
        number = next((int(text) for text in found.groups() if text), -1) if found else -1
        last = state.skipEmptyLines(start + 1) >= end  # what has nothing behind it ends something
        if number >= 0 or not last:
            # the page that a mark ends and the page that it begins, as far as it says so
            marks = state.env.setdefault("page_marks", {})
            marks[start] = (number, -1) if ends else (-1, number)
        token = state.push("page_end" if ends or last else "page_start", "", 0)
        token.map = [start, start + 1]
        token.content = f"{text}\n"
        state.line = start + 1
    return True


ALONE = Rule("page_mark", "hard", inside="lines", introduced=False, titled=False)
DIALECT = Dialect(
    "pages",
    extend,
    rules={
        "page_start": ALONE._replace(leads=True),
        "page_end": ALONE._replace(trails=True),
    },
    starts={"page_mark": "{<-"},
    readings={"page_start": HIDDEN, "page_end": HIDDEN},
)
