"""The names that HTML gives to elements, so that they are no structural tags."""

from __future__ import annotations

NAMES = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
blockquote body br button canvas caption center cite code col colgroup command content data
datalist dd del details dfn dialog dir div dl dt element em embed fencedframe fieldset
figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee
math menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol
optgroup option output p param picture plaintext portal pre progress q rb rbc rp rt rtc ruby s
samp script search section select selectedcontent shadow slot small source spacer span strike
strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr
track tt u ul var video wbr xmp
"""
ELEMENTS = frozenset(NAMES.split())
"""In lower case; HTML knows them in any case (HTML Standard, 4 and, for obsolete ones, 16.2)."""
