"""Errors and warnings: wrong use raises an error of its own class, no Markdown ever raises one."""


class MdchunkError(Exception):
    """The base class of all errors that mdchunk raises on purpose."""


class OptionsError(MdchunkError, ValueError):
    """An option has a value that is not allowed; the message names option, value and choices."""


class DialectError(MdchunkError, LookupError):
    """A dialect is unknown, or two dialects claim the same token type or score."""


class TokenizerError(MdchunkError):
    """A tokenizer cannot be loaded, or it returns something that is not a count."""


class MdchunkWarning(UserWarning):
    """Part of a document could not be read as intended; its text is kept."""
