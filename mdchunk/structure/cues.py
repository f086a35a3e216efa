"""Regex cues in the text of a block: lead-in, label, caption, language of its info string."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from mdchunk.lines import pattern

Leads = Literal["all", "heading", "mark", ""]
"""What a block leads: whatever follows it; as a comment what is right below it or introduced; as a
mark, which says nothing in words, the heading behind it if it begins what comes."""

Caption = Literal["figure", "table", "any", ""]
"""What a block is a caption of."""


class Cues(NamedTuple):
    """What a block is to its neighbours: what it leads, whether it only names or styles the block
    before it, whether a sentence may introduce it, and whether it may have a caption."""

    leads: Leads
    trails: bool
    introduced: bool
    captioned: bool


CLOSERS = r"[*_~`\"'”’»)\]]*(?:\([^()\s]*\)|\[[^\[\]]*\])?[*_~`]*(?:[ \t]*<br[ \t]*/?>)?\Z"
LEAD_IN = pattern(rf"[:：]{CLOSERS}")
"""The end of a paragraph that introduces what follows: a colon, perhaps before closing marks."""
LEAD_IN_REACH = 200
LEAD = re.compile(r"[ \t>]*")
"""What stands before the text of a block that is not the first in its item or quote."""
TITLE = pattern(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)*"
    r"(?:\*\*(?![\s*])[^*]{1,400}(?<!\s)\*\*|__(?![\s_])[^_]{1,400}(?<!\s)__"
    r"|`[^`\r\n]{1,200}`)"
)
"""A paragraph that is bold, or one line of code, as a whole, but for the marks of what it stands
in: the name of a file or function, too, is that of what follows it."""
TITLE_STARTS = frozenset("*_` \t>-+0123456789")
"""Most paragraphs begin with a letter, which is found out sooner than by the pattern."""
IMAGES = ("![", "<img", "[![")
SHOWN = (*IMAGES, "{{", "{%", "{*", "{!", "--8<--", "<<<", "@[code")
"""How a paragraph begins that shows something, so that one before it may introduce it: an image, or
what a template, MkDocs or VitePress puts in its place."""
ITEM = pattern(
    r"\((?:[A-Za-z]|[ivxIVX]{1,5}|[0-9]{1,3})\)[ \t]|[–—][ \t]|[•◦▪‣●○・①-⑳]"
    r"|（[0-9０-９一二三四五六七八九十]{1,3}）"
)
"""How an item begins that has a mark of its own, and is a paragraph to Markdown."""
PICTURES = (*IMAGES, "<figure", "<picture", "<svg", "<table", "<video", "<!-- image")
"""How a block begins that may have a caption; code, tables and math may too.

Docling leaves the last where it found an image."""
_NUMBER = r"[ \u00a0]?(?:(?:[A-Z]{1,2}[.-]?)?\d+(?:[.-]\d+)*[a-z]?|[IVXLC]{1,6})"
_GOES_ON = r"(?:[ \u00a0]?[:|\u2013\u2014]|[ ]-[ ]|\.(?![^\s*_])|[*_]|\Z)"
CAPTION = pattern(
    r"(?:<(?:span|a|p|center)\b[^<>]*>(?:</(?:span|a)>)?\s*)*[*_]{0,3}(?:"
    r"(?:(?:(?P<figure>fig|abb|diagram|рис|그림|hình)|(?P<table>tab|таб|표)|[^\W\d_])[^\W\d_]{0,12}\.?)"
    rf"{_NUMBER}{_GOES_ON}|(?:(?P<drawing>[图圖図])|(?P<sheet>表)){_NUMBER}[\s:：.、*_])"
    r"|(?:Table)?:[ \t]|/{3,}[ \t]*(?:[a-z]+-)?caption\b",
    re.IGNORECASE,
)
"""How a caption begins: a word of any language, a number and a mark (``Figure 1 shows`` is none),
or as Pandoc's and PyMdown's do."""
ITALIC = re.compile(r"\*(?![\s*])[^*\r\n]{1,300}(?<!\s)\*|_(?![\s_])[^_\r\n]{1,300}(?<!\s)_")
"""A line in italics and nothing else: right behind an image it is that one's caption."""
TAIL = re.compile(r"\^[\w-]+|(?:\{(?::|[ \t]*[.#]|[ \t]*[\w:-]+=)[^{}\r\n]*\}\s*)+")
"""A line that belongs to the block before it: Obsidian's ``^id``, attributes as kramdown
(``{: .class}``) and others (``{#id key="value"}``) write them."""
OUTPUT = pattern(r"(?:`{3,}|~{3,})[ \t]*\{?\.?(?:std)?(?:out(?:put)?|err(?:or)?|results?)\b", re.I)
"""How a fenced block begins that shows what the code before it gives."""
IMPORT = re.compile(r"(?:import|export)\s[^\r\n]*(?:['\"];?|;)")
"""A line of MDX that names what the text behind it uses."""
SAYER = re.compile(r"(?:[—―–]|--)[ \u00a0]?[^\s—―–-][^\r\n]{0,100}")
"""A line that says whose words were quoted: ``— Shakespeare``."""
NOTE = pattern(r"<sup>[^<>]{1,9}</sup>|[¹²³⁴-⁹†‡]|(?:\\\*){1,3}|\[\d{1,3}\](?![:(\[])")
"""How a note begins that stands under what it is on."""
ANCHOR = pattern(
    r"(?:\s*<(?P<name>a|span|div)\s+(?:id|name)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=`]+)\s*"
    r"(?:/>|>\s*</(?P=name)\s*>))+|r\[[\w.:-]{1,200}\]",
    re.IGNORECASE,
)
"""Elements that hold nothing but a name for what follows, ``<a id="install"></a>``, and names of
rules as the Rust reference has them: ``r[items.fn]``."""
CONTAINERS = (
    "div|section|article|aside|main|header|footer|nav|center|figure|blockquote|p|listing|button"
)
_CLOSING = rf"(?:\s*</(?:{CONTAINERS})\s*>)"
CLOSINGS = pattern(rf"{_CLOSING}+", re.IGNORECASE)
"""Closing tags and nothing else."""
OPENINGS = pattern(rf"{_CLOSING}*(?:\s*<(?:{CONTAINERS})\b[^<>]*(?<!/)>)+", re.IGNORECASE)
"""Opening tags, perhaps behind those that close what was before, and nothing else: what they open
is Markdown, behind a blank line."""
BRANCH = re.compile(r"\{%[-+]?[ \t]*(?:else|elif|elsif|elseif|when)\b[^%\r\n]*%\}")
"""The tag before what a template shows in another case."""
COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))
"""What opens and closes a comment of HTML or MDX."""
_PICTURE = r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])"
MARK = pattern(
    r"(?:[\s()]|</?(?:p|div|center|small|su[bp]|br)\b[^<>]*>|<img\b[^<>]*>"
    r"|<a\b[^<>]*>\s*<img\b[^<>]*>\s*</a>|<a\b[^<>]*\bhref\s*=\s*[\"']?#[^<>]*>[^<>]*</a>"
    rf"|{_PICTURE}|\[{_PICTURE}\](?:\([^()]*\)|\[[^\[\]]*\])|\[[^\[\]]*\]\(#[^()]*\))+",
    re.IGNORECASE,
)
"""Pictures and links to a place in the page, and no other words: a logo, badges, ``Top``."""
LEADING = ("<", "![", "[", "{/*", "{%", "r[", "import ", "export ")
"""How a block begins that may be a label of what follows."""
TELLING = frozenset("<[{rie^!-@(–—•◦▪‣●○・（①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")
"""How a paragraph or a piece of HTML begins whose words tell of its neighbours."""
HTML_PART = re.compile(r"(?:(?<=[\r\n])[ \t>]*|(?<=>))<(?:tr|li|dt)\b", re.IGNORECASE)
"""What a table or list in HTML is made of."""
OPENING_TAG = re.compile(r"<(?:[ou]l|dl|li|td|th|dd)\b[^<>]*>\s*", re.IGNORECASE)
LONGEST_INFO = 200
LANGUAGE = pattern(
    r"\{?\s*(?:#[^\s{}]+\s+)*(?:\.|lang(?:uage)?-)?"
    r"(?:(?:code|code-block|code-cell|sourcecode)\}?\s+)?([^\s{},:;=]+)(?![^\s{},:;=]*\s*=)"
)
"""The language in an info string: ``py``, ``py{1,3}``, ``{#id .py}``, ``{code-block} py``."""


def introduces(source: str, start: int, end: int) -> bool:
    """Return whether a paragraph introduces what follows it."""
    return LEAD_IN.search(source, max(start, end - LEAD_IN_REACH), end) is not None


def text_start(source: str, start: int, end: int) -> int:
    """Find where the text of a block begins that starts with its line."""
    lead = LEAD.match(source, start, end)
    # a plug-in's token may begin with a line of marks alone
    return lead.end() if lead and lead.end() < end else start


def entitles(source: str, start: int, end: int) -> bool:
    """Return whether a paragraph is the title of what follows it."""
    return TITLE.fullmatch(source, start, end) is not None


def shows(source: str, start: int) -> bool:
    """Return whether a paragraph begins with an image, what stands for code, or a mark."""
    return source.startswith(SHOWN, start) or ITEM.match(source, start) is not None


def is_image(source: str, start: int) -> bool:
    """Return whether a paragraph begins with an image."""
    return source.startswith(IMAGES, start)


def read(source: str, start: int, end: int, usual: Cues, kind: str) -> Cues:
    """Return the cues of a paragraph or piece of HTML; ``usual`` are those of its kind."""
    # most begin with another letter, which is found out sooner
    if source[start] not in TELLING:
        return usual
    html = kind == "html"
    return Cues(
        leads(source, start, end, block=html),
        not html and trails(source, start, end),
        usual.introduced or shows(source, start),
        pictures(source, start),
    )


def trails(source: str, start: int, end: int) -> bool:
    """Return whether a paragraph only names or styles the block before it."""
    return source.startswith(("^", "{"), start) and bool(TAIL.fullmatch(source, start, end))


def attributes(source: str, start: int, end: int) -> bool:
    """Return whether a paragraph says whose words those before it are."""
    return source.startswith(("—", "―", "–", "--"), start) and bool(
        SAYER.fullmatch(source, start, end)
    )


def note_mark(source: str, start: int, end: int) -> str:
    """Return the raised mark that a paragraph begins with, as a note under a table does, or ""."""
    found = NOTE.match(source, start, end)
    return found[0] if found else ""


def is_aside(source: str, start: int, end: int) -> bool:
    """Return whether a paragraph is in italics and names what it says: ``_Related: trees_``.

    It is said beside the text, and so leads on to nothing.
    """
    begin = text_start(source, start, end)
    if source[begin] not in "*_" or not ITALIC.fullmatch(source, begin, end):
        return False
    return ": " in source[begin : end - 2]


def pictures(source: str, start: int) -> bool:
    """Return whether a block begins as an image, a figure or a table does in Markdown or HTML."""
    return source.startswith(PICTURES, start)


def caption(source: str, start: int, end: int, *, image: bool = False) -> Caption:
    """Return what a block is a caption of; behind an image a line in italics is one too."""
    found = CAPTION.match(source, start, end)
    if found:
        table = found["table"] or found["sheet"]
        return "figure" if found["figure"] or found["drawing"] else "table" if table else "any"
    return "any" if image and ITALIC.fullmatch(source, start, end) else ""


def leads(source: str, start: int, end: int, *, block: bool) -> Leads:
    """Return what a block is a label of: an anchor, an opening tag in HTML, a comment, a branch."""
    if not source.startswith(LEADING, start):
        return ""
    if ANCHOR.fullmatch(source, start, end) or (block and OPENINGS.fullmatch(source, start, end)):
        return "all"
    if BRANCH.fullmatch(source, start, end) or IMPORT.match(source, start, end):
        return "all"
    for opening, closing in COMMENTS:
        if source.startswith(opening, start):
            alone = source.find(closing, start, end) == end - len(closing)
            return "heading" if alone else ""
    return "mark" if MARK.fullmatch(source, start, end) else ""


def is_output(source: str, start: int, end: int) -> bool:
    """Return whether a block of code shows what the fenced one before it gives.

    Notebooks that are converted to Markdown have it indented.
    """
    if not source.startswith(("```", "~~~"), start):
        return True
    return OUTPUT.match(source, start, end) is not None


def closes(source: str, start: int, end: int) -> bool:
    """Return whether a piece of HTML is closing tags only."""
    return source.startswith("</", start) and CLOSINGS.fullmatch(source, start, end) is not None


def language(info: str) -> str:
    """Return the language that an info string names; "" for none."""
    found = LANGUAGE.match(info.strip()[:LONGEST_INFO])
    return found[1] if found else ""


def parts(source: str, start: int, end: int) -> Iterator[int]:
    """Find where the rows and items of a piece of HTML start, but for its own start.

    What a list or row opens with goes with the tag that opens that.
    """
    for match in HTML_PART.finditer(source, start, end):
        tag = source.rfind("<", start, match.start())
        if tag >= 0 and not OPENING_TAG.fullmatch(source, tag, match.start()):
            yield match.start()
