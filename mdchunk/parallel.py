"""Many items over several processes: results in order, few at a time, errors as themselves.

The processes are those of ``concurrent.futures``. What that lacks stands here: results while only
few items are taken ahead (in Python itself from 3.14 on), batches by weight, an end at once.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mdchunk.errors import MdchunkError, MdchunkWarning, not_allowed

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

    from mdchunk.model import Chunk

Item = TypeVar("Item")
Result = TypeVar("Result")

START_METHOD = "spawn"
"""How processes start, on every system: anew, so that they hold no lock of a thread here."""
BATCH_WEIGHT = 100_000
"""About as many code points go to a process at once: enough to pay for the way there and back."""
BATCH_LENGTH = 64
AHEAD = 2
"""Batches per process that are under way before the first of them is asked for."""
SENDABLE = (
    "1, or a unit and dialects that another process can import, such as functions of a module"
)


class LostProcessError(MdchunkError):
    """A process ended before its work was done."""


def map_chunks(
    chunk: Callable[[Any], list[Chunk]], sources: Iterable[Any], processes: int
) -> Iterator[list[Chunk]]:
    """Split sources in several processes and return the chunks of each, in order.

    Sources are read a few batches ahead. Documents parsed before are split in this process, since
    a parser cannot be sent. An exception of a source is raised in its turn. Raises OptionsError
    if the function cannot be sent, LostProcessError if a process is killed.
    """
    return _in_turn(Team(_Noted(chunk), processes), sources)


def _in_turn(
    team: Team[Any, tuple[list[Chunk], list[str]]], sources: Iterable[Any]
) -> Iterator[list[Chunk]]:
    with team:
        found = team.map(sources, weigh=len, portable=lambda source: isinstance(source, str))
        for chunks, notes in found:
            for note in notes:
                warnings.warn(note, MdchunkWarning, stacklevel=2)
            yield chunks


class _Noted(Generic[Item, Result]):
    """Does some work and catches its warnings, which would be lost in another process."""

    def __init__(self, work: Callable[[Item], Result]) -> None:
        self.work = work

    def __call__(self, item: Item) -> tuple[Result, list[str]]:
        return noted(lambda: self.work(item))


def noted(work: Callable[[], Result]) -> tuple[Result, list[str]]:
    """Do some work and return its result with the texts of the warnings that mdchunk gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MdchunkWarning)
        result = work()
    ours = [w for w in caught if issubclass(w.category, MdchunkWarning)]
    for other in caught:
        if other not in ours:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    return result, [str(w.message) for w in ours]


class Team(Generic[Item, Result]):
    """Several processes that apply one function, from the start of a ``with`` to its end.

    They start at once, so that they get ready while this process finds out what there is to do.
    Each imports what the function needs anew, and the main program too, which must therefore start
    nothing when it is imported. Raises OptionsError if the function cannot be pickled.
    """

    def __init__(self, work: Callable[[Item], Result], processes: int) -> None:
        import pickle

        try:
            self.payload = pickle.dumps(work)
        except Exception as problem:  # each object has a way of its own to refuse
            why = f"since the options cannot be sent to another process ({problem})"
            what = f"{processes} is not allowed, {why}"
            raise not_allowed("processes", processes, SENDABLE, what=what, verb="are") from problem
        self.work = work
        self.processes = processes
        self.waiting: deque[tuple[list[Item], Future[list[Result]] | None]] = deque()

    def __enter__(self) -> Team[Item, Result]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context(START_METHOD)
        self.ended, self.end = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(
            self.processes, context, initializer=_start, initargs=(self.payload, self.ended)
        )
        try:
            for _ in range(self.processes):
                self._submit([])
        except BaseException as problem:
            self.__exit__(type(problem))
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind or self.waiting:
            # a reader that stops early and Ctrl-C too: nothing is waited for
            self.end.send(None)
        # waited for, since the pool's thread may trip over the interpreter's end
        self.pool.shutdown(cancel_futures=True)
        self.ended.close()
        self.end.close()

    def map(
        self,
        items: Iterable[Item],
        *,
        weigh: Callable[[Item], int],
        portable: Callable[[Item], bool] = lambda _item: True,
    ) -> Iterator[Result]:
        """Apply the function to items and return the results in order.

        ``weigh`` says how much work an item is, in code points; items that are not ``portable``
        stay in this process. An exception is raised in its item's turn.
        """
        from concurrent.futures.process import BrokenProcessPool

        waiting = self.waiting
        try:
            for batch, travels in _batches(items, weigh, portable):
                waiting.append((batch, self._submit(batch) if travels else None))
                if len(waiting) > AHEAD * self.processes:
                    yield from self._finish()
            while waiting:
                yield from self._finish()
        except BrokenProcessPool as problem:
            raise LostProcessError(
                "a process ended before its work was done: was it killed, or out of memory? (A "
                "script that uses processes starts its work under if __name__ == '__main__')"
            ) from problem

    def _submit(self, batch: list[Item]) -> Future[list[Result]]:
        with _interrupts_held():
            return self.pool.submit(_do, batch)

    def _finish(self) -> Iterator[Result]:
        """Return the results of the batch that is under way for longest."""
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
                future = self._submit(batch)
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


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C from the processes that start meanwhile; for this one it comes afterwards.

    It reaches every process of a terminal, and the one that asked for the work ends the others.
    """
    import signal

    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # on Windows
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


_work: Callable[[Any], Any] | None = None
"""What this process does, if it is one of the others."""


def _start(payload: bytes, ended: Connection) -> None:
    import pickle
    import signal
    import threading

    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(ended,), daemon=True).start()
    try:
        _work = pickle.loads(payload)
    except Exception as problem:
        _work = _Refusal(f"{type(problem).__name__}: {problem}")
    getattr(_work, "prepare", lambda: None)()


def _end_with(ended: Connection) -> None:
    """End this process when the one that started it says so, or is no more."""
    import os

    ended.poll(None)
    os._exit(1)


class _Refusal:
    """Stands for work that was sent and cannot be taken up here."""

    def __init__(self, problem: str) -> None:
        self.problem = problem

    def __call__(self, _item: object) -> Any:
        what = f"not allowed, since another process cannot import the options ({self.problem})"
        raise not_allowed("processes", None, SENDABLE, what=what, verb="are")


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
