"""Many items over several processes: results in order, few at a time, errors as themselves."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from mdchunk.errors import MdchunkError, MdchunkWarning, OptionsError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from mdchunk.model import Chunk

Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH_WEIGHT = 100_000
"""About as many code points go to a process at once: enough to pay for the way there and back."""
BATCH_LENGTH = 64
AHEAD = 2
"""Batches per process that are under way before the first of them is asked for."""


class LostProcessError(MdchunkError):
    """A process ended before its work was done."""


class Splits(Protocol):
    """What chunks one source, here and, pickled, in another process."""

    def chunk(self, source: Any) -> list[Chunk]:
        """Split a source."""


def map_chunks(chunker: Splits, sources: Iterable[Any], processes: int) -> Iterator[list[Chunk]]:
    """Split sources in several processes and give the chunks of each, in order.

    Sources are read a few batches ahead. Documents parsed before are split in this process, since
    a parser cannot be sent. An exception of a source is raised in its turn. Raises OptionsError
    if the chunker cannot be pickled, LostProcessError if a process is killed.
    """
    found = map_ordered(
        _Chunking(chunker), sources, processes, weigh=len, portable=lambda s: isinstance(s, str)
    )
    return _warned(found)


def _warned(found: Iterator[tuple[list[Chunk], list[str]]]) -> Iterator[list[Chunk]]:
    for chunks, notes in found:
        for note in notes:
            warnings.warn(note, MdchunkWarning, stacklevel=2)
        yield chunks


class _Chunking:
    """Splits a source and catches its warnings, which would be lost in another process."""

    def __init__(self, chunker: Splits) -> None:
        self.chunker = chunker

    def __call__(self, source: Any) -> tuple[list[Chunk], list[str]]:
        return noted(lambda: self.chunker.chunk(source))


def noted(work: Callable[[], Result]) -> tuple[Result, list[str]]:
    """Do some work and give its result with the texts of the warnings that mdchunk gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MdchunkWarning)
        result = work()
    ours = [w for w in caught if issubclass(w.category, MdchunkWarning)]
    for other in caught:
        if other not in ours:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    return result, [str(w.message) for w in ours]


def map_ordered(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    *,
    weigh: Callable[[Item], int],
    portable: Callable[[Item], bool] = lambda _item: True,
) -> Iterator[Result]:
    """Apply a function to items in several processes and give the results in order.

    ``weigh`` says how much work an item is, in code points; items that are not ``portable`` stay
    in this process. Raises OptionsError if the function cannot be pickled.
    """
    team = Team(work, processes)
    return _run(team, items, weigh, portable)


def _run(
    team: Team[Item, Result],
    items: Iterable[Item],
    weigh: Callable[[Item], int],
    portable: Callable[[Item], bool],
) -> Iterator[Result]:
    with team:
        yield from team.map(items, weigh=weigh, portable=portable)


class Team(Generic[Item, Result]):
    """Several processes that apply one function, from the start of a ``with`` to its end.

    They start at once, so that they get ready while this process finds out what there is to do.
    Raises OptionsError if the function cannot be pickled.
    """

    def __init__(self, work: Callable[[Item], Result], processes: int) -> None:
        import pickle

        try:
            self.payload = pickle.dumps(work)
        except Exception as problem:  # each object has a way of its own to refuse
            raise OptionsError(
                f"processes: {processes} is not allowed, since the options cannot be sent to "
                f"another process ({problem}); allowed are 1, or a unit and dialects that can be "
                "pickled, such as functions of a module"
            ) from problem
        self.work = work
        self.processes = processes
        self.waiting: deque[tuple[list[Item], Future[list[Result]] | None]] = deque()

    def __enter__(self) -> Team[Item, Result]:
        from concurrent.futures import ProcessPoolExecutor

        self.pool = ProcessPoolExecutor(
            self.processes, initializer=_start, initargs=(self.payload,)
        )
        try:
            _submit(self.pool, [])
        except BaseException:
            _stop(self.pool)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind or self.waiting:
            # a reader that stops early and Ctrl-C too: nothing is waited for
            _stop(self.pool)
        else:
            self.pool.shutdown()

    def map(
        self,
        items: Iterable[Item],
        *,
        weigh: Callable[[Item], int],
        portable: Callable[[Item], bool] = lambda _item: True,
    ) -> Iterator[Result]:
        """Apply the function to items and give the results in order."""
        from concurrent.futures.process import BrokenProcessPool

        waiting = self.waiting
        try:
            for batch, travels in _batches(items, weigh, portable):
                waiting.append((batch, _submit(self.pool, batch) if travels else None))
                if len(waiting) > AHEAD * self.processes:
                    yield from self._finish()
            while waiting:
                yield from self._finish()
        except BrokenProcessPool as problem:
            raise LostProcessError(
                "a process ended before its work was done: was it killed, or out of memory?"
            ) from problem

    def _finish(self) -> Iterator[Result]:
        """Give the results of the batch that is under way for longest."""
        batch, future = self.waiting[0]
        if future is None:
            yield from map(self.work, batch)
            batch = []
        while batch and future:
            done = future.result()
            yield from done
            batch = batch[len(done) :]
            if batch:
                # the first of these raised: asked again it raises as itself, with its own traceback
                future = _submit(self.pool, batch)
        self.waiting.popleft()


def _batches(
    items: Iterable[Item], weigh: Callable[[Item], int], portable: Callable[[Item], bool]
) -> Iterator[tuple[list[Item], bool]]:
    """Gather items to batches, each with whether it may travel."""
    batch: list[Item] = []
    weight = 0
    for item in items:
        if not portable(item):
            if batch:
                yield batch, True
            batch, weight = [], 0
            yield [item], False
            continue
        batch.append(item)
        weight += weigh(item)
        if weight >= BATCH_WEIGHT or len(batch) >= BATCH_LENGTH:
            yield batch, True
            batch, weight = [], 0
    if batch:
        yield batch, True


def _submit(pool: ProcessPoolExecutor, batch: list[Item]) -> Future[list[Any]]:
    with _signals_held():
        return pool.submit(_do, batch)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back Ctrl-C and the like while processes start.

    A signal that comes during a fork runs in one of Python's hooks there, which drop what it
    raises, so that the run would go on.
    """
    import signal
    import threading

    handlers: dict[int, Any] = {}
    came: list[tuple[int, Any]] = []
    if threading.current_thread() is threading.main_thread():
        found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        handlers = {number: handler for number, handler in found.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda *call: came.append(call))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number, frame in came:
        handlers[number](number, frame)


def _stop(pool: ProcessPoolExecutor) -> None:
    # Python 3.14 has kill_workers() for this
    for worker in list((pool._processes or {}).values()):
        worker.kill()
    # soon done, and without it the pool's thread may trip over the interpreter's end
    pool.shutdown(cancel_futures=True)


_work: Callable[[Any], Any] | None = None
"""What this process does, if it is one of the others."""


def _start(payload: bytes) -> None:
    import pickle
    import signal

    global _work
    # Ctrl-C reaches every process of a terminal; the one that asked for the work ends the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _work = pickle.loads(payload)
    getattr(_work, "prepare", lambda: None)()


def _do(items: list[Any]) -> list[Any]:
    """Work on a batch up to the first item that raises; raise if that is the first of all."""
    assert _work is not None
    done: list[Any] = []
    for item in items:
        try:
            done.append(_work(item))
        except Exception:
            if not done:
                raise
            break
    return done
