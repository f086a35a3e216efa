"""Errors and warnings: wrong use raises an error of its own class, no Markdown ever raises one."""

from __future__ import annotations


class MdchunkError(Exception):
    """The base class of all errors that mdchunk raises on purpose."""


class OptionsError(MdchunkError, ValueError):
    """An option, or another argument, has a value that is not allowed.

    The message names all three of:
    option: the name of the option or argument; empty where a file as a whole is at fault.
    value: what was given for it, None where it is not known.
    allowed: what may be given, in words; empty where the message says something else.
    """

    def __init__(
        self, message: str, *, option: str = "", value: object = None, allowed: str = ""
    ) -> None:
        super().__init__(message)
        self.option = option
        self.value = value
        self.allowed = allowed


def not_allowed(
    option: str, value: object, allowed: str, *, what: str = "", verb: str = "is"
) -> OptionsError:
    """Return the error of a wrong value.

    ``what`` says what is wrong, if it is not just the value; ``verb`` is ``"are"`` where
    ``allowed`` names several things.
    """
    what = what or f"{value!r} is not allowed"
    message = f"{option}: {what}; allowed {verb} {allowed}"
    return OptionsError(message, option=option, value=value, allowed=allowed)


def installation(extra: str) -> str:
    """Return the command that installs an extra, from the registry and from a checkout."""
    return f"pip install 'mdchunk-ast[{extra}]', or in a checkout pip install '.[{extra}]'"


class DialectError(MdchunkError, LookupError):
    """A dialect is unknown, or two dialects claim the same token type or score."""


class TokenizerError(MdchunkError):
    """A tokenizer cannot be loaded, or it returns something that is not a count."""


class MdchunkWarning(UserWarning):
    """Part of a document could not be read as intended; its text is kept."""
