"""The options: how big chunks are, where cuts fall, and what stands round a chunk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import le
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypedDict

from mdchunk.cutting.selectors import SELECTORS, Cutoff
from mdchunk.dialect import Dialect
from mdchunk.dialects import DEFAULT_DIALECTS
from mdchunk.errors import OptionsError, not_allowed
from mdchunk.scores import Weight, score_table
from mdchunk.setups import LEAST, QMD, UNRAG
from mdchunk.sizing.identity import identity, unit_identity
from mdchunk.sizing.units import check_unit

if TYPE_CHECKING:
    from typing_extensions import Unpack  # which every type checker has; typing's is of Python 3.11

REVISION = 20
"""Raised whenever the same options give other cuts, so that fingerprints differ."""
CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cutoff": tuple(SELECTORS),
        "oversize": ("split", "keep"),
        "front_matter": ("metadata", "chunk", "text"),
        "context": ("none", "headings", "full"),
        "data_uris": ("keep", "elide"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a chunker does; immutable, and checked when made.

    chunk_size: maximum size of a chunk, including added context (unless ``count_context`` is off).
    chunk_overlap: maximum size of the text repeated from the previous chunk; None is the
        selector's default.
    min_chunk_size: chunks below this size are merged with a neighbour of the same section, if both
        fit into one.
    unit: what sizes are counted in: ``"tokens"`` (of cl100k_base), ``"characters"``, the name of an
        encoding, the path of a ``tokenizer.json``, a ``tiktoken.Encoding``, a
        ``tokenizers.Tokenizer``, a tokenizer of transformers, a model of sentence-transformers or
        a callable from text to int. Tokens that a model's tokenizer adds to a text are counted.
    cutoff: the selector, which chooses the cuts.
    window: how far before the limit lookback searches for a cut; None is back to the chunk's start.
    decay: share (0 to 1) of its score that a cut loses at most; the shorter its chunk, the more.
        None is the selector's default.
    mixing: penalty (0 to 1) for a chunk that contains a heading other than at its start.
    split_headings: every heading of levels 1 to this one starts a chunk; 0 turns this off.
    oversize: what happens to a block over the limit: ``"split"`` divides it, ``"keep"`` keeps it
        whole, over the limit.
    front_matter: ``"metadata"`` takes it out of the text, ``"chunk"`` makes it the first chunk,
        ``"text"`` leaves it in the text.
    exclude_sections: titles, or globs of titles, of the sections to leave out of all chunks, with
        the sections inside them; upper and lower case are the same. A comment (``%%``,
        ``<!-- -->``) that begins with such a heading is a section too.
    context: ``"headings"`` puts the heading path before the text, ``"full"`` adds table headers,
        fence lines and link definitions too.
    count_context: whether context counts towards ``chunk_size``. At about 300 tokens or more,
        counted context gains nothing; below, the heading path gains more than its room costs (6
        points at 128).
    data_uris: ``"elide"`` shortens inline data in ``contextualized``: base64, ``svg`` elements on
        one line, the paths in longer ones, drawings of Excalidraw.
    plain: add ``plain`` to each chunk: its text as a reader sees it, without mark-up.
    dialects: the syntax extensions of CommonMark to read, as names or Dialects.
    scores: values for rows of the score table, as numbers or Weights.

    Raises OptionsError, which names the option, its value and what is allowed. Names of encodings,
    dialects and kinds are looked up when a Chunker is made, which raises for unknown ones.
    """

    chunk_size: int = 512
    chunk_overlap: int | None = None
    min_chunk_size: int = 0
    unit: Any = "tokens"
    cutoff: Cutoff = "optimal"
    window: int | None = None
    decay: float | None = None
    mixing: float = 0.8
    split_headings: int = 0
    oversize: Literal["split", "keep"] = "split"
    front_matter: Literal["metadata", "chunk", "text"] = "metadata"
    exclude_sections: tuple[str, ...] = ()
    context: Literal["none", "headings", "full"] = "none"
    count_context: bool = True
    data_uris: Literal["keep", "elide"] = "keep"
    plain: bool = False
    dialects: Sequence[str | Dialect] = DEFAULT_DIALECTS
    scores: Mapping[str, float | Weight] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,  # a mapping has none
    )

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                self._wrong(name, ", ".join(map(repr, allowed)))
        self._whole("chunk_size", 1)
        self._whole("min_chunk_size", 0)
        self._whole("split_headings", 0, 6)
        if self.chunk_overlap is not None:
            self._whole("chunk_overlap", 0)
        if self.window is not None:
            self._whole("window", 1)
        if self.overlap >= self.chunk_size:
            self._wrong("chunk_overlap", f"0 to chunk_size - 1, which is {self.chunk_size - 1}")
        if self.min_chunk_size > self.chunk_size:
            self._wrong("min_chunk_size", f"0 to chunk_size, which is {self.chunk_size}")
        for name in ("count_context", "plain"):
            if not isinstance(getattr(self, name), bool):
                self._wrong(name, "True or False")
        for name in ("decay", "mixing"):
            value = getattr(self, name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not (number and 0 <= value <= 1) and not (name == "decay" and value is None):
                self._wrong(name, "a number from 0 to 1")
        check_unit(self.unit)
        self._freeze()

    def _freeze(self) -> None:
        # what the caller may change is copied
        dialects, scores = check_syntax_options(self.dialects, self.scores)
        object.__setattr__(self, "exclude_sections", check_titles(self.exclude_sections))
        object.__setattr__(self, "dialects", dialects)
        object.__setattr__(self, "scores", scores)

    def _whole(self, name: str, least: int, most: int | None = None) -> None:
        value = getattr(self, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least or (most is not None and value > most):
            upper = f" to {most}" if most is not None else " or more"
            self._wrong(name, f"a whole number of {least}{upper}")

    def _wrong(self, name: str, allowed: str) -> NoReturn:
        raise not_allowed(name, getattr(self, name), allowed)

    def __reduce__(self) -> tuple[object, ...]:
        # a read-only mapping cannot be pickled
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return _options_of, ({**values, "scores": dict(self.scores)},)

    @property
    def overlap(self) -> int:
        """The overlap in force."""
        if self.chunk_overlap is not None:
            return self.chunk_overlap
        return int(self.chunk_size * SELECTORS[self.cutoff].overlap)

    @property
    def decay_in_force(self) -> float:
        """The decay in force."""
        return SELECTORS[self.cutoff].decay if self.decay is None else self.decay

    @classmethod
    def qmd(cls, **changes: Unpack[Fields]) -> Options:
        """Return the set-up of QMD's chunker: 900 tokens, 135 of overlap, a window of 200.

        Another ``chunk_size`` scales the overlap and the window with it, unless they are given too.
        """
        return cls(**_set_up(QMD, changes))

    @classmethod
    def unrag(cls, **changes: Unpack[Fields]) -> Options:
        """Return the set-up of unrag's Markdown chunker: a chunk a section, of 24 to 512 tokens.

        Another ``chunk_size`` scales the overlap, which is 50, and the least size with it, unless
        they are given too.
        """
        return cls(**_set_up(UNRAG, changes))

    def fingerprint(self) -> str:
        """Return a short text that differs whenever the cuts, sizes or contexts could.

        A tokenizer or an encoding that is an object counts by what it holds, a Dialect object by
        its name and tables, a partial function by its function and arguments. Any other function
        counts by its qualified name, and any other object by that of its class: two lambdas of
        one scope, functions that differ in what they close over and objects of one class cannot
        be told apart.
        """
        values = {f.name: identity(getattr(self, f.name)) for f in fields(self)}
        values["unit"] = unit_identity(self.unit)
        values["dialects"] = [_dialect_identity(dialect) for dialect in self.dialects]
        values["decay"], values["chunk_overlap"] = float(self.decay_in_force), self.overlap
        values["mixing"], values["revision"] = float(self.mixing), REVISION
        # 30 and Weight(30.0) cut alike
        rows = _rows(self.scores).items()
        values["scores"] = {str(kind): [*map(float, row)] for kind, row in rows}
        import json  # few runs ask for this

        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def at_sizes(self, chunk_sizes: Sequence[int]) -> list[Options]:
        """Return options for each size of a hierarchy, biggest first.

        The other sizes (overlap, least size, window) are for the first; they keep their share of
        those below. Raises OptionsError for what is no falling sequence of whole numbers.
        """
        sizes = falling_sizes(chunk_sizes)
        asked = {name: getattr(self, name) for name in LEAST}
        return [
            replace(
                self,
                chunk_size=size,
                **{
                    name: max(LEAST[name], value * size // sizes[0])
                    for name, value in asked.items()
                    if value
                },
            )
            for size in sizes
        ]


class Fields(TypedDict, total=False):
    """The fields of Options as keywords, for those who check types."""

    chunk_size: int
    chunk_overlap: int | None
    min_chunk_size: int
    unit: Any
    cutoff: Cutoff
    window: int | None
    decay: float | None
    mixing: float
    split_headings: int
    oversize: Literal["split", "keep"]
    front_matter: Literal["metadata", "chunk", "text"]
    exclude_sections: tuple[str, ...]
    context: Literal["none", "headings", "full"]
    count_context: bool
    data_uris: Literal["keep", "elide"]
    plain: bool
    dialects: Sequence[str | Dialect]
    scores: Mapping[str, float | Weight]


def check_syntax_options(
    dialects: Any, scores: Any
) -> tuple[tuple[str | Dialect, ...], Mapping[str, float | Weight]]:
    """Check the options that tell what Markdown means; return read-only copies.

    What names and kinds there are is known only when the dialects are looked up. Raises
    OptionsError.
    """
    frozen: tuple[str | Dialect, ...] = ()
    single = isinstance(dialects, (str, Dialect)) or not isinstance(dialects, Iterable)
    if not single:
        frozen = tuple(dialects)
    if single or not all(isinstance(dialect, (str, Dialect)) for dialect in frozen):
        raise not_allowed("dialects", dialects, "a sequence of names and Dialects")
    if not isinstance(scores, Mapping):
        raise not_allowed("scores", scores, "a mapping from kinds to numbers or Weights")
    _rows(scores)
    return frozen, MappingProxyType(dict(scores))


def check_titles(names: Any) -> tuple[str, ...]:
    """Return the titles of sections to leave out as a tuple; raise OptionsError if they are none.

    A text alone is no sequence of titles, though it is one of characters.
    """
    single = isinstance(names, str) or not isinstance(names, Iterable)
    found = () if single else tuple(names)
    if single or not all(isinstance(name, str) and name.strip() for name in found):
        allowed = 'a sequence of titles or globs of headings, as ("Drawing",)'
        raise not_allowed("exclude_sections", names, allowed)
    return found


def _rows(scores: Mapping[str, float | Weight]) -> Mapping[str, Weight]:
    """Return the rows that scores stand for, as if there were a row of every kind among them."""
    table = score_table(scores, dict.fromkeys(scores, Weight(0)))
    return {kind: table[kind] for kind in scores}


def check_names(names: Iterable[str]) -> None:
    """Raise OptionsError, which lists the known names, for a name of no option."""
    known = Options.__dataclass_fields__
    for name in names:
        if name not in known:
            message = f"{name}: no such option; known options: {', '.join(known)}"
            raise OptionsError(message, option=name, allowed=", ".join(known))


def falling_sizes(sizes: Any) -> tuple[int, ...]:
    """Return the sizes of a hierarchy; raise OptionsError if they are none."""
    found = tuple(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str) else ()
    whole = all(isinstance(size, int) and not isinstance(size, bool) for size in found)
    if not found or not whole or found[-1] < 1 or any(map(le, found, found[1:])):
        allowed = "falling whole numbers of 1 or more, as (512, 128)"
        raise not_allowed("chunk_sizes", sizes, allowed)
    return found


def _set_up(preset: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Join a set-up and changes of it; its sizes keep their share of another chunk size."""
    check_names(changes)
    scaled = {}
    if "chunk_size" in changes:
        asked, size = Options(chunk_size=changes["chunk_size"]).chunk_size, preset["chunk_size"]
        scaled = {
            name: max(least, preset[name] * asked // size)
            for name, least in LEAST.items()
            if name in preset
        }
    joined = {**preset, **scaled, **changes}
    if "scores" in preset and isinstance(joined["scores"], Mapping):
        joined["scores"] = {**preset["scores"], **joined["scores"]}
    return joined


def _options_of(values: dict[str, Any]) -> Options:
    """Make options again from what ``__reduce__`` gave."""
    return Options(**values)


def _dialect_identity(dialect: str | Dialect) -> str | list[str]:
    """Return a dialect's name, and of an object its tables too."""
    if isinstance(dialect, str):
        return dialect
    tables = [sorted(table.items()) for table in (dialect.rules, dialect.scores)]
    return [dialect.name, repr(tables)]
