"""markdown-it's block parser, trying only the rules that can match at a line's first character."""

# ruff: noqa: N803

from __future__ import annotations

from collections.abc import Mapping

from markdown_it import MarkdownIt, rules_block
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType

from mdchunk.parsing.blocks.chains import Chain, name_rule
from mdchunk.parsing.blocks.state import State, normalize
from mdchunk.parsing.blocks.text import make_text_rule


class DispatchRuler(Ruler[RuleFuncBlockType]):
    """Rules as plug-ins know them, with each chain compiled to tables by first character.

    ``starts`` names, for rules that dialects add, the characters at which they can match; a rule
    without an entry is tried at every line. ``main`` is the chain that takes blocks.
    """

    def __init__(self, ruler: Ruler[RuleFuncBlockType], starts: Mapping[str, str]) -> None:
        super().__init__()
        self.__rules__ = ruler.__rules__
        self._starts = starts
        self._main: Chain | None = None

    @property
    def main(self) -> Chain:
        """Return the chain that takes blocks; it is made anew when the rules have changed."""
        if self.__cache__ is None or self._main is None:
            self.__compile__()
        assert self._main is not None
        return self._main

    def __compile__(self) -> None:
        """Compile each named chain to one rule that matches where any rule of the chain does."""
        super().__compile__()
        assert self.__cache__ is not None
        active = [rule for rule in self.__rules__ if rule.enabled]
        code = any(rule.name == "code" for rule in active)

        def chain(name: str) -> Chain:
            rules = (rule for rule in active if not name or name in rule.alt)
            return Chain([name_rule(r.name, r.fn, self._starts) for r in rules], code=code)

        chains = {name: chain(name) for name in {*self.__cache__, "paragraph"} - {""}}
        self.__cache__ |= {name: [made.terminates] for name, made in chains.items()}
        self._main = chain("")
        _merge_text(self._main, chains["paragraph"])


def _merge_text(main: Chain, terminators: Chain) -> None:
    """Put one rule in the place of lheading with paragraph right after it."""
    pair = (rules_block.lheading, rules_block.paragraph)
    text = make_text_rule(terminators)
    for table in (main.plain, main.heads, main.indented):
        for character, rules in table.items():
            if rules[-2:] == pair:
                table[character] = (*rules[:-2], text)


class DispatchParser(ParserBlock):
    """A block parser with the rules of another."""

    ruler: DispatchRuler

    def __init__(self, parser: ParserBlock, starts: Mapping[str, str]) -> None:
        self.ruler = DispatchRuler(parser.ruler, starts)

    def parse(
        self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]
    ) -> list[Token] | None:
        """Parse a source with normalised line ends into block tokens."""
        if not src:
            return None
        state = State(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        """Take blocks from a range of lines, as far as they are indented for their container."""
        if not isinstance(state, State):  # made by a plug-in for itself
            super().tokenize(state, startLine, endLine)
            return
        main, deepest = self.ruler.main, state.md.options.maxNesting
        begins, shifts, ends = state.bMarks, state.tShift, state.eMarks
        line, after_blank = startLine, False
        while line < endLine:
            while line < state.lineMax and begins[line] + shifts[line] >= ends[line]:
                line += 1
            state.line = line
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            if state.level >= deepest:
                state.line = endLine
                break
            for rule in main.at(state, line):
                if rule(state, line, endLine, False):
                    break
            else:
                raise RuntimeError("none of the block rules matched")
            if state.line <= line:
                raise RuntimeError("block rule didn't increment state.line")
            # a blank line makes its container loose when a block comes after it
            state.tight = not after_blank
            line = state.line
            if line - 1 < endLine and begins[line - 1] + shifts[line - 1] >= ends[line - 1]:
                after_blank = True
            if line < endLine and begins[line] + shifts[line] >= ends[line]:
                after_blank = True
                state.line = line = line + 1


def dispatch(parser: MarkdownIt, starts: Mapping[str, str]) -> None:
    """Replace the block parser of a parser; its rules, and those added later, stay."""
    parser.block = DispatchParser(parser.block, starts)
    parser.core.ruler.at("normalize", normalize)
