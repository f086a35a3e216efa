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
from collections.abc import Callable, Iterator

import pytest
from growth import backstop

import mdchunk
from mdchunk import Chunker, MdchunkWarning, Options, OptionsError, TokenizerError, parallel
from mdchunk.parallel import LostProcessError, Team, map_ordered

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
    with pytest.raises(OptionsError, match=r"processes: 2 is not allowed.*can be pickled"):
        chunker.chunk_many(SOURCES, processes=2)


def end_process(_text: str) -> int:
    os._exit(9)


def test_a_process_that_dies_is_an_error_and_no_endless_wait() -> None:
    with pytest.raises(LostProcessError, match="ended before its work was done"):
        list(map_ordered(end_process, SOURCES, 2, weigh=len))


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


@pytest.mark.usefixtures("small_batches")
def test_a_reader_that_stops_early_does_not_wait_for_the_rest() -> None:
    results = map_ordered(sleep, [0, 0, 0, *[30] * 6], 2, weigh=length_of_float)
    assert next(results) == 0
    with backstop(20):
        results.close()  # type: ignore[attr-defined]


def length_of_float(_: float) -> int:
    return 1


SPAWNED = """
import multiprocessing
import mdchunk

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    chunker = mdchunk.Chunker(chunk_size=40, unit="characters")
    sources = ["# A\\n\\nText of a. " * 9, "b"] * 9
    assert list(chunker.chunk_many(sources, processes=2)) == list(map(chunker.chunk, sources))
    print("same")
"""


def test_processes_may_be_spawned(tmp_path: "os.PathLike[str]") -> None:
    script = os.path.join(tmp_path, "script.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SPAWNED)
    ended = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.stdout, ended.stderr) == ("same\n", "")


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


def test_an_interrupt_while_processes_start_is_not_lost() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # none in the background
    reached = []

    def start() -> None:
        with parallel._signals_held():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert reached
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_processes_may_be_started_by_any_thread() -> None:
    """Only the main one may touch what signals do, and only it is interrupted."""
    raised: list[BaseException] = []

    def start() -> None:
        try:
            with parallel._signals_held():
                pass
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
