"""Rules joined with a table of scores, ready for the visitor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mdchunk.rules import DIVIDED, Rule
from mdchunk.scores import AbsoluteWeight, Weight
from mdchunk.structure.cues import Cues

DEFINING = frozenset({"definition", "footnote_definition"})
DEEPEST = 128
"""Deeper levels score as this one does; the parser nests less deep."""

BELOW_HEADING = 1
"""By how much a place in a section is worth less, at the least, than the section's heading."""


@dataclass(frozen=True, slots=True, eq=False)  # its own identity is its hash
class CompiledRule:
    """A rule with what a table of scores makes of it.

    ``worths`` are the scores of a cut before such a block, by its level; ``after`` are the kind and
    score of the place behind it; ``absolute`` takes a heading's level as it is written; ``cues`` is
    what it is to its neighbours, whatever its words say; ``repeated`` says whether a chunk may have
    to repeat something of it.
    """

    kind: str
    level_from: str
    inside: str
    protected: bool
    section: bool
    titled: bool
    fenced: bool
    repeated: bool
    is_list: bool
    row: str
    worths: tuple[float, ...]
    absolute: bool
    after: tuple[str, float] | None
    cues: Cues

    def worth(self, level: int) -> float:
        """Return the score of a cut before such a block at a level, 1 being the outermost."""
        return self.worths[min(level, len(self.worths) - 1)]


def compile_rule(rule: Rule, scores: Mapping[str, Weight]) -> CompiledRule:
    """Return a rule with its scores; a row that the table lacks is that of a paragraph."""
    row = rule.row or rule.kind
    if row not in scores:
        row = "paragraph"
    levels = DEEPEST if rule.level else 1
    fenced = rule.fenced or division(rule) == "code"
    return CompiledRule(
        kind=rule.kind,
        level_from=rule.level,
        inside=rule.inside,
        protected=bool(rule.protected),
        section=rule.section,
        titled=rule.titled,
        fenced=fenced,
        repeated=fenced or rule.inside in ("rows", "html") or rule.kind in DEFINING,
        is_list=rule.kind == "list",
        row=row,
        worths=(0.0, *map(scores[row].at, range(1, levels + 1))),
        absolute=isinstance(scores[row], AbsoluteWeight),
        after=(rule.after, scores[rule.after].at(1)) if rule.after else None,
        cues=Cues("all" if rule.leads else "", rule.trails, rule.introduced, rule.captioned),
    )


def division(rule: Rule) -> str:
    """Return how a line of a leaf is divided that cannot fit; "" for a container."""
    return rule.divided or DIVIDED.get(rule.inside, "")


class CompiledRules:
    """The rules of one syntax: what opens a block, what closes one, and the scores by kind."""

    __slots__ = ("caps", "closers", "gaps", "openers", "worths")

    def __init__(self, rules: Mapping[str, Rule], scores: Mapping[str, Weight]) -> None:
        self.openers = {name: compile_rule(rule, scores) for name, rule in rules.items()}
        self.closers = frozenset(
            name[:-4] + "close"
            for name, rule in rules.items()
            if name.endswith("open") and not rule.inside
        )
        self.worths = {kind: weight.at(1) for kind, weight in scores.items()}
        heading = scores["heading"]
        absolute = isinstance(heading, AbsoluteWeight)
        # the most that a place in a section is worth, by how deep the section lies
        self.caps = (
            float("inf"),
            *(
                float("inf") if absolute else heading.at(level) - BELOW_HEADING
                for level in range(1, DEEPEST + 1)
            ),
        )
        self.gaps = (0.0, *map(scores["code_gap"].at, range(1, DEEPEST + 1)))


ROOT = compile_rule(Rule("root", section=True), {"paragraph": Weight(0)})
"""What stands for the document itself."""
