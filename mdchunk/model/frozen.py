"""JSON values that cannot be changed, so that all chunks of a document may share them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

CHANGES = {
    dict: "__setitem__ __delitem__ __ior__ clear pop popitem setdefault update",
    list: "__setitem__ __delitem__ __iadd__ __imul__ append clear extend insert pop remove "
    "reverse sort",
}
"""The methods that change a value in its place."""


class FrozenDict(dict[str, Any]):
    """A read-only mapping of JSON values; its deep copy is plain and may be changed."""

    __slots__ = ()

    def __deepcopy__(self, _memo: object) -> dict[str, Any]:
        copied: dict[str, Any] = thaw(self)
        return copied

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """A read-only list of JSON values; its deep copy is plain and may be changed."""

    __slots__ = ()

    def __deepcopy__(self, _memo: object) -> list[Any]:
        copied: list[Any] = thaw(self)
        return copied

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenList, (list(self),)


def _refuse(self: object, *_args: object, **_named: object) -> NoReturn:
    raise TypeError(f"{type(self).__name__} cannot be changed; change a copy.deepcopy() of it")


for frozen, plain in ((FrozenDict, dict), (FrozenList, list)):
    for name in CHANGES[plain].split():
        setattr(frozen, name, _refuse)


def freeze(value: Any) -> Any:
    """Return JSON values as read-only ones; what is frozen is returned itself."""
    if isinstance(value, FrozenDict | FrozenList):
        return value
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    return FrozenList(map(freeze, value)) if isinstance(value, list) else value


def thaw(value: Any) -> Any:
    """Return JSON values as plain dicts and lists of the caller's own."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return list(map(thaw, value)) if isinstance(value, list) else value
