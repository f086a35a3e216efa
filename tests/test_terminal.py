"""What a person sees: colour and a progress bar on a terminal, and the same text as in a pipe."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal to draw on")

TEXT = "# One\n\nText of one.\n\n## Two\n\n- first item\n- second item\n"
SMALL = ("--unit", "characters", "--chunk-size", "30", "--chunk-overlap", "0")
CONTROL = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*[349][0-7](?=[;m])")
HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"
ERASED = "\x1b[1A\x1b[2K"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    Path("mdchunk.toml").write_text("", encoding="utf-8")
    Path("d").mkdir()
    for number in range(12):
        Path(f"d/{number:02}.md").write_text(TEXT, encoding="utf-8")


def piped(*args: str) -> str:
    return subprocess.check_output([sys.executable, "-m", "mdchunk", *args]).decode()


def drawn(*args: str, stdout: int | None = None) -> str:
    """Run the command on a terminal and give what it is sent; standard output may go elsewhere."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "mdchunk", *args]
    out = theirs if stdout is None else stdout
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=theirs)
    os.close(theirs)
    parts = []
    try:
        while part := os.read(ours, 1 << 16):
            parts.append(part)
    except OSError:
        pass  # how Linux says that nobody holds the other side any more
    os.close(ours)
    assert running.wait(timeout=60) == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("command", ["show", "stats"])
def test_colour_on_a_terminal_is_all_that_differs_from_a_pipe(command: str) -> None:
    args = (command, "d/00.md", *SMALL)
    found = drawn(*args)
    assert COLOUR.search(found)
    assert CONTROL.sub("", found) == piped(*args)


@pytest.mark.parametrize("command", ["show", "stats"])
def test_no_color_is_honoured(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOUR.search(drawn(command, "d/00.md", *SMALL))


def test_a_bar_shows_how_far_a_long_run_is_and_goes_away() -> None:
    found = drawn("d", "-o", "out.jsonl")
    assert found.startswith(HIDDEN)
    assert "672/672 bytes" in CONTROL.sub("", found)
    assert found.endswith(f"{SHOWN}\r{ERASED}")
    assert Path("out.jsonl").read_bytes().decode() == piped("d")


def test_a_bar_beside_output_that_is_sent_elsewhere() -> None:
    with open("report.json", "wb") as file:
        found = drawn("stats", "d", "--json", stdout=file.fileno())
    assert HIDDEN in found
    assert json.loads(Path("report.json").read_bytes())["documents"] == 12


def test_no_bar_for_a_few_files_or_among_the_records() -> None:
    assert drawn("d/00.md", "d/01.md", "-o", "out.jsonl") == ""
    records = drawn("d").split("\n")[:-1]
    assert [json.loads(record)["source"] for record in records] == piped_sources()


def piped_sources() -> list[str]:
    return [json.loads(line)["source"] for line in piped("d").split("\n")[:-1]]


def test_hits_are_in_colour_and_their_words_marked() -> None:
    subprocess.run([sys.executable, "-m", "mdchunk", "d", "-o", "d.db"], check=True)
    args = ("search", "d.db", "first")
    found = drawn(*args)
    assert "\x1b[1;33mfirst\x1b[0m" in found
    assert CONTROL.sub("", found).split() == piped(*args).replace("**", "").split()
