"""What mdchunk raises: wrong use has a name, wrong Markdown does not exist."""


class MdchunkError(Exception):
    """The base of every error that mdchunk raises on purpose."""


class OptionsError(MdchunkError, ValueError):
    """An option has a value that is not allowed; the message names option, value and choices."""


class DialectError(MdchunkError, LookupError):
    """A dialect is unknown, or two dialects claim the same token type or score."""


class TokenizerError(MdchunkError):
    """A tokenizer cannot be loaded, or its answer is no count."""


class MdchunkWarning(UserWarning):
    """Something in a document could not be read as meant; its text is kept all the same."""
