"""What stops a benchmark with a message instead of a traceback."""


class BenchmarkError(Exception):
    """A benchmark cannot run as asked; the message says what to do."""


class UnavailableError(BenchmarkError):
    """A chunker's package is not installed or does not have what the benchmark needs."""
