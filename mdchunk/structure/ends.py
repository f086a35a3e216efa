"""Whether a text ends as a sentence does, points at what follows, or goes on from before."""

from __future__ import annotations

import re

from mdchunk.lines import pattern

TERMINAL = frozenset(
    "!.?։؝؞؟۔܀܁܂߹࠷࠹࠽࠾।॥၊။።፧፨᙮᜵᜶។៕᠃᠉᥄᥅᪨᪩᪪᪫᭎᭏᭚᭛᭞᭟᭽᭾᭿᰻᰼᱾᱿․‼‽⁇⁈⁉⳹⳺⳻⸮⸼⹓⹔⹠⹡。꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫"
    "︒︕︖﹒﹖﹗！．？｡𐩖𐩗𐽕𐽖𐽗𐽘𐽙𐾆𐾇𐾈𐾉𑁇𑁈𑂾𑂿𑃀𑃁𑅁𑅂𑅃𑇅𑇆𑇍𑇞𑇟𑈸𑈹𑈻𑈼𑊩𑏔𑏕𑑋𑑌𑗂𑗃𑗉𑗊𑗋𑗌𑗍𑗎𑗏𑗐𑗑𑗒𑗓𑗔𑗕𑗖𑗗𑙁𑙂"
    "𑜼𑜽𑜾𑥄𑥆𑩂𑩃𑪛𑪜𑱁𑱂𑻷𑻸𑽃𑽄𖩮𖩯𖫵𖬷𖬸𖭄𖵮𖵯𖺘𛲟𝪈…"
)
"""What ends a sentence in some script (Unicode's property Sentence_Terminal), and the ellipsis."""
ASKING = frozenset("?؟？⁇⁈﹖︖՞;፧꘏")
"""What ends a question in some script, in Greek as well."""
UNMARKED = pattern("[\u0e00-\u0eff\u1950-\u19df\u1a20-\u1aaf\u0f00-\u0fff]")
"""Scripts that mark no end of a sentence, or none that a line of text must have: Thai, Lao, Tai,
Tibetan."""
REACH = 160
"""How far behind a text's end its closing marks are looked for, in code points."""
_NOTE = r"\[[^\[\]\s]{1,41}\](?!\()"
_RAISED = r"<su[bp]>[^<>]{1,20}</su[bp]>"
_CLOSER = (
    # no text is two of these, or one and several, else a run of them takes time by powers of two
    r"[\s*_~`\"'”’»›)\]}>」』】〕》〉）］｝＞\u200b\ufe0f\u200d]"
    rf"|{_NOTE}|\[(?!{_NOTE[2:]})|\]\([^()\s]*\)|\\[\[\]]|[¹²³⁴-⁹⁰†‡§]"
    rf"|{_RAISED}|(?!{_RAISED})</?[A-Za-z][^<>]{{0,80}}>|:[a-z0-9_+-]{{1,30}}:"
    r"|[\u2190-\u21ff\u2600-\u27bf\U0001f000-\U0001faff](?<![→⇒➡])"
)
CLOSED = pattern(rf"([^\s])(?:{_CLOSER})*\Z")
"""The last character of a text that is no mark around or behind it: quotes, brackets, emphasis,
notes, tags, emoji."""
POINTER = pattern(
    r"\b(?:following|follows?|below|these|steps?|examples?|like (?:this|so)|such as|here (?:is|are)"
    r"|e\.\s?g|i\.\s?e|z\.\s?B"
    r"|folgend\w*|unten|suivant\w*|ci-dessous|voici|siguient\w*|abajo|seguint\w*|abaixo|seguent\w*)\b"
    r"|следующ|ниже|以下|如下|下列|下面|下記|次の|다음|아래",
    re.IGNORECASE,
)
"""Words of a sentence that points at what stands below it."""
UNREAD = pattern(
    r"!\[[^\[\]]*\]|\]\((?:[^()]|\([^()]*\))*\)|\]\[[^\[\]]*\]|\[\^[^\[\]]*\]|\[\[[^\[\]|]*\|"
    r"|</?[A-Za-z][^<>]*>|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\{[#.:][^{}]*\}|(?:https?://|www\.)[^\s<>]+",
    re.DOTALL,
)
"""What of a text is no words of it: addresses, labels, notes, tags, attributes, code, and what
describes an image."""
SHORT = 120
"""A longer text, or last sentence, says more than what follows, in code points."""
AT_ONCE = 40
"""How far from its start a long sentence points at what follows: ``The example below …``."""
LONGEST_SENTENCE = 400
"""How far from its end a text's last sentence may begin."""
SENTENCE = pattern(r"[.!?][ \t\r\n>]|[。！？]")
CLOSING_MARKS = frozenset(")]}」』】〕》〉）］｝。、，．！？；：,;")
"""What no text begins with that is not the rest of another."""
UNREADABLE = "\ufffc"
"""What stands for a letter that is none of a text's words."""
GLOSSES = ("其中", "式中", "这里", "這裡", "ここで", "ただし", "여기서", "단,")
"""How a text that explains the symbols of a formula begins where letters have no case."""


def last_mark(source: str, start: int, end: int) -> str:
    """Return the last character of a text but for closing marks, "" if it has no other."""
    last = source[end - 1]
    if last.isalnum() or last in TERMINAL:
        return last
    found = CLOSED.search(source, max(start, end - REACH), end)
    return found[1] if found else ""


def is_open(source: str, start: int, end: int) -> bool:
    """Return whether a text does not end as a sentence ends, so that it leads on to what follows.

    A question leads on to its answer. Scripts that mark no ends are never open, and a bare word of
    ASCII is too little to tell.
    """
    last = last_mark(source, start, end)
    if last in ASKING:
        return True
    if not last or last in TERMINAL or UNMARKED.match(last):
        return False
    text = source[start:end]
    return not (text.isalnum() and text.isascii())


def is_sentence(source: str, start: int, end: int) -> bool:
    """Return whether a text ends as a sentence does, in a script that marks ends or none."""
    last = last_mark(source, start, end)
    return last in TERMINAL or bool(last and UNMARKED.match(last))


def points_down(source: str, start: int, end: int) -> bool:
    """Return whether the last sentence of a text points at what follows: if it is long, at once."""
    low = max(start, end - LONGEST_SENTENCE)
    text = source[low:end]
    if POINTER.search(text) is None:
        return False
    text = UNREAD.sub(lambda found: UNREADABLE * len(found[0]), text)
    begin = 0
    for stop in SENTENCE.finditer(text, 0, len(text) - 1):
        begin = stop.end()
    if not begin and low > start:
        return False  # the sentence is longer
    reach = len(text) if len(text) - begin <= SHORT else begin + AT_ONCE
    return POINTER.search(text, begin, reach) is not None


def goes_on(source: str, start: int, end: int, *, behind_math: bool = False) -> bool:
    """Return whether a text begins as the rest of another does: small, or with a closing mark.

    A word alone is no rest of a sentence.
    """
    first = source[start]
    if first in CLOSING_MARKS or (first.islower() and " " in source[start:end]):
        return True
    return behind_math and source.startswith(GLOSSES, start, end)
