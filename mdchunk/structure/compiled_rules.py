"""What token types mean under a table of rules and one of scores, made ready for the visitor."""

from __future__ import annotations

from collections.abc import Mapping

from mdchunk.rules import Rule
from mdchunk.scores import Weight

LED = frozenset(
    {
        "list",
        "code",
        "table",
        "html",
        "blockquote",
        "math",
        "definition_list",
        "tab_group",
        "tab",
        "tag",
    }
    | {"callout", "admonition", "directive", "jsx"}
)
"""The kinds that a paragraph which ends in a colon introduces."""
PICTURED = frozenset({"table", "code", "math"})
"""The kinds that may have a caption, beside images and what HTML has of these."""


class _Worths(dict[int, float]):
    """What a cut before a kind of block is worth, by the block's level."""

    def __init__(self, weight: Weight) -> None:
        self.weight = weight

    def __missing__(self, level: int) -> float:
        self[level] = worth = self.weight.at(level)
        return worth


class CompiledRule:
    """A rule with all that a table of scores makes of it."""

    __slots__ = (
        *("after", "by", "defines", "inside", "is_item", "is_list", "kind", "leads", "led"),
        *("pictured", "protected", "row", "section", "worths"),
    )

    def __init__(self, rule: Rule, scores: Mapping[str, Weight]) -> None:
        self.kind = rule.kind
        self.is_list = rule.kind == "list"
        self.is_item = rule.kind == "list_item"
        self.defines = rule.kind == "definition"
        self.led = rule.kind in LED
        self.pictured = rule.kind in PICTURED
        self.by = rule.level
        self.inside = rule.inside
        self.protected = bool(rule.protected)
        self.section = rule.section
        self.leads = rule.leads
        row = rule.row or rule.kind
        self.row = row if row in scores else "paragraph"
        self.worths = _Worths(scores[self.row])
        self.after = (rule.after, scores[rule.after].at(1)) if rule.after else None


class Meanings:
    """What token types mean under a table of rules and one of scores; made once for a syntax."""

    __slots__ = ("closers", "openers", "worths")

    def __init__(self, rules: Mapping[str, Rule], scores: Mapping[str, Weight]) -> None:
        self.openers = {name: CompiledRule(rule, scores) for name, rule in rules.items()}
        self.closers = frozenset(
            name[:-4] + "close"
            for name, rule in rules.items()
            if name.endswith("open") and not rule.inside
        )
        self.worths = {kind: weight.at(1) for kind, weight in scores.items()}


ROOT = CompiledRule(Rule("root", section=True), {"paragraph": Weight(0)})
