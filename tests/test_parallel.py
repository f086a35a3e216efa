"""Work that is shared between processes gives what one process gives, in order, errors included."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from growth import backstop

import mdchunk
from mdchunk import Chunker, MdchunkWarning, Options, OptionsError, TokenizerError, parallel
from mdchunk.parallel import LostProcessError, Team

SOURCES = [f"# Title {n}\n\n" + f"Some text of {n}. " * (n % 40) for n in range(200)]
SMALL = Chunker(chunk_size=40, unit="characters")


def words(text: str) -> int:
    return len(text.split())


def strict_words(text: str) -> int:
    if "stop here" in text:
        raise ValueError("as asked")
    return len(text.split())


def length(text: str) -> int:
    return len(text)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "BATCH_LENGTH", 3)


def test_processes_give_the_same_chunks_in_order() -> None:
    one = list(SMALL.chunk_many(SOURCES))
    assert list(SMALL.chunk_many(SOURCES, processes=2)) == one
    assert list(SMALL.chunk_many([], processes=2)) == []


@pytest.mark.parametrize("unit", ["tokens", words])
def test_units_travel(unit: object) -> None:
    chunker = Chunker(chunk_size=20, unit=unit)
    assert list(chunker.chunk_many(SOURCES[:9], processes=2)) == list(
        map(chunker.chunk, SOURCES[:9])
    )


@pytest.mark.usefixtures("small_batches")
def test_documents_and_sources_may_be_mixed() -> None:
    mixed = [SMALL.parse(text) if n % 3 == 0 else text for n, text in enumerate(SOURCES[:20])]
    assert list(SMALL.chunk_many(mixed, processes=2)) == list(map(SMALL.chunk, SOURCES[:20]))


@pytest.mark.usefixtures("small_batches")
def test_a_source_that_raises_does_so_in_its_turn() -> None:
    chunker = Chunker(chunk_size=20, unit=strict_words)
    sources = [*SOURCES[:10], "stop here", *SOURCES[10:20]]
    results = chunker.chunk_many(sources, processes=2)
    assert [next(results) for _ in range(10)] == list(map(chunker.chunk, SOURCES[:10]))
    with pytest.raises(TokenizerError, match="as asked"):
        next(results)
    assert list(results) == []


def test_a_source_that_is_no_text_raises_as_in_one_process() -> None:
    with pytest.raises(OptionsError, match="source: bytes is not allowed"):
        list(SMALL.chunk_many([SOURCES[0], b"x"], processes=2))  # type: ignore[list-item]


@pytest.mark.usefixtures("small_batches")
def test_sources_are_read_only_a_few_batches_ahead() -> None:
    taken = 0

    def lazy() -> Iterator[str]:
        nonlocal taken
        for source in SOURCES:
            taken += 1
            yield source

    results = SMALL.chunk_many(lazy(), processes=2)
    next(results)
    assert taken <= 3 * (2 * parallel.AHEAD + 1)
    results.close()  # type: ignore[attr-defined]


def test_warnings_come_back_to_the_caller() -> None:
    sources = [*SOURCES[:5], "---\na: [\n---\nText\n"]
    with pytest.warns(MdchunkWarning, match="front matter is kept as text") as caught:
        assert len(list(SMALL.chunk_many(sources, processes=2))) == 6
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_noted_keeps_our_warnings_and_passes_others_on() -> None:
    def work() -> int:
        warnings.warn("ours", MdchunkWarning, stacklevel=1)
        warnings.warn("another", DeprecationWarning, stacklevel=1)
        return 3

    with pytest.warns(DeprecationWarning, match="another"):
        assert parallel.noted(work) == (3, ["ours"])


@pytest.mark.parametrize("processes", [0, -1, True, 1.5, "2"])
def test_processes_must_be_a_whole_number(processes: object) -> None:
    with pytest.raises(
        OptionsError, match=r"processes: .* is not allowed; allowed is a whole number"
    ):
        SMALL.chunk_many([], processes=processes)  # type: ignore[arg-type]


def test_a_unit_that_cannot_travel_is_told_at_once() -> None:
    chunker = Chunker(unit=lambda text: len(text))
    with pytest.raises(
        OptionsError, match=r"processes: 2 is not allowed.*another process can import"
    ):
        chunker.chunk_many(SOURCES, processes=2)


def mapped(
    work: Callable[[Any], Any], items: Sequence[Any], weigh: Callable[[Any], int]
) -> Generator[Any, None, None]:
    with Team(work, 2) as team:
        yield from team.map(items, weigh=weigh)


def end_process(_text: str) -> int:
    os._exit(9)


def test_a_process_that_dies_is_an_error_and_no_endless_wait() -> None:
    with pytest.raises(LostProcessError, match="ended before its work was done"):
        list(mapped(end_process, SOURCES, weigh=len))


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


@pytest.mark.usefixtures("small_batches")
def test_a_reader_that_stops_early_does_not_wait_for_the_rest() -> None:
    results = mapped(sleep, [0, 0, 0, *[30] * 6], weigh=length_of_float)
    assert next(results) == 0
    with backstop(20):
        results.close()


def length_of_float(_: float) -> int:
    return 1


INTERRUPTIBLE = """
if __name__ == "__main__":
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)
"""
"""What a program that a shell starts in the background needs, which ignores interrupts."""


def script(folder: Path, text: str, *args: str) -> "subprocess.Popen[str]":
    """Run a program in a file of its own, since processes import the main program anew."""
    file = folder / "script.py"
    file.write_text(INTERRUPTIBLE + text, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, str(file), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


THREADED = """
import threading, time
import mdchunk

class Unit:
    lock = threading.Lock()

    def __call__(self, text):
        with self.lock:
            return len(text)

if __name__ == "__main__":
    chunker = mdchunk.Chunker(chunk_size=40, unit=Unit())
    sources = ["# A\\n\\nText of a. " * 9, "b"] * 9
    one = list(map(chunker.chunk, sources))
    held, done = threading.Event(), threading.Event()

    def hold():
        with Unit.lock:
            held.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    found = list(chunker.chunk_many(sources, processes=2))
    done.set()
    holder.join()
    assert found == one
    print("same")
"""


def test_processes_hold_no_lock_that_a_thread_holds_here(tmp_path: Path) -> None:
    with backstop(120):
        assert script(tmp_path, THREADED).communicate() == ("same\n", "")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX start methods")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_what_others_set_as_start_method_is_left_alone(tmp_path: Path, method: str) -> None:
    text = f"""
import multiprocessing
import mdchunk

if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    chunker = mdchunk.Chunker(chunk_size=40, unit="characters")
    sources = ["# A\\n\\nText of a. " * 9, "b"] * 9
    assert list(chunker.chunk_many(sources, processes=2)) == list(map(chunker.chunk, sources))
    print(multiprocessing.get_start_method())
"""
    assert script(tmp_path, text).communicate(timeout=120) == (f"{method}\n", "")


def test_a_script_that_starts_processes_when_it_is_imported_is_told_why(tmp_path: Path) -> None:
    text = "import mdchunk\nc = mdchunk.Chunker()\nprint(list(c.chunk_many(['a'], processes=2)))\n"
    _, told = script(tmp_path, text).communicate(timeout=120)
    assert "LostProcessError" in told
    assert "if __name__ == '__main__'" in told


def test_a_unit_that_processes_cannot_import_is_told(tmp_path: Path) -> None:
    text = """
import mdchunk

if __name__ == "__main__":
    def unit(text):
        return len(text)

    try:
        list(mdchunk.Chunker(unit=unit).chunk_many(["a"], processes=2))
    except mdchunk.OptionsError as problem:
        print(problem)
"""
    told, complaints = script(tmp_path, text).communicate(timeout=120)
    assert told.startswith("processes: not allowed, since another process cannot import the option")
    assert "allowed are 1, or a unit and dialects that another process can import" in told
    assert complaints == ""


SLEEPERS = """
import sys, threading, time
from mdchunk.parallel import Team

def sleep(seconds):
    print("began", flush=True)
    time.sleep(seconds)

if __name__ == "__main__":
    with Team(sleep, 2) as team:
        print(list(team.map([60] * 4, weigh=lambda _: 10**9)))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_one_that_started_them(
    tmp_path: Path, number: signal.Signals
) -> None:
    """The pipe that all of them write to is closed only when the last of them has gone."""
    with backstop(60):
        running = script(tmp_path, SLEEPERS)
        assert running.stdout is not None
        assert [running.stdout.readline() for _ in range(2)] == ["began\n"] * 2
        running.send_signal(number)
        assert running.stdout.read() == ""
        running.wait()
        running.communicate()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.2, 0.3, 0.4])
def test_a_terminal_interrupts_all_processes_and_one_of_them_speaks(
    tmp_path: Path, delay: float
) -> None:
    text = SLEEPERS.replace("with Team", "print('up', flush=True)\n    with Team")
    with backstop(60):
        running = script(tmp_path, text)
        assert running.stdout is not None
        assert running.stdout.readline() == "up\n"
        time.sleep(delay)
        os.killpg(running.pid, signal.SIGINT)
        _, told = running.communicate()
    assert told.count("Traceback") == told.count("KeyboardInterrupt") == 1


def test_a_lot_of_work_that_is_left_is_dropped() -> None:
    with backstop(60), Team(sleep_over, 2) as team:
        results = team.map([b"x" * 10_000_000] * 6, weigh=len)
        assert next(results) == 10_000_000


def sleep_over(data: bytes) -> int:
    time.sleep(0 if _first() else 30)
    return len(data)


def _first(seen: list[int] = []) -> bool:  # noqa: B006
    seen.append(1)
    return len(seen) == 1


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_chunks_options_and_chunkers_can_be_copied(again: Callable[[object], object]) -> None:
    chunk = mdchunk.chunk("---\ntags: [a]\n---\n# A\n\nText", data_uris="elide")[0]
    assert again(chunk) == chunk
    assert type(again(chunk).metadata) is type(chunk.metadata)  # type: ignore[attr-defined]
    options = Options.qmd(scores={"code": 3}, unit=words)
    assert again(options) == options
    assert again(Chunker(options)).options == options  # type: ignore[attr-defined]


def test_processes_may_be_started_by_any_thread() -> None:
    raised: list[BaseException] = []

    def start() -> None:
        try:
            assert list(mapped(length, ["a"], weigh=len)) == [1]
        except BaseException as problem:
            raised.append(problem)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert raised == []


def test_a_team_may_start_before_there_is_work() -> None:
    with Team(length, 2) as team:
        assert list(team.map([], weigh=len)) == []
        assert list(team.map(["a", "bcd"], weigh=len)) == [1, 3]


def test_a_team_that_is_left_early_does_not_finish_its_work() -> None:
    with backstop(20), Team(sleep, 2) as team:
        first = next(team.map([0, 30, 30], weigh=lambda _: parallel.BATCH_WEIGHT))
    assert first == 0
