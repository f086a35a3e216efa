"""The packed ranks are cl100k_base to the byte, need no network, and failures say what to do."""

import base64
import hashlib
import importlib.util
import os
import re
import socket
import tempfile
import zlib
from pathlib import Path
from types import ModuleType

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk.errors import TokenizerError
from mdchunk.sizing import encodings
from mdchunk.sizing.encodings import default_encoding, named_encoding

ROOT = Path(__file__).parents[1]
SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"

# Made with tiktoken 0.14 and the rank file that it downloads.
KNOWN = [
    ("", []),
    ("hello world", [15339, 1917]),
    (
        "It's 3.14159, isn't it?\n",
        [2181, 596, 220, 18, 13, 9335, 2946, 11, 4536, 956, 433, 5380],
    ),
    (
        "# Überschrift\r\n\r\n- 日本語のテキスト\n",
        [2, 31612, 1941, 83950, 881, 12, 76502, 22656, 45918, 252, 16144, 57933, 62903, 71634, 198],
    ),
    ("    code\n\n\n\tmore   \n", [262, 2082, 1432, 2157, 461, 5996]),
    (
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL} na\xefve\N{NO-BREAK SPACE}\xe9",
        [9468, 239, 102, 378, 235, 9468, 239, 100, 95980, 588, 4194, 978],
    ),
    ("<|endoftext|>", [27, 91, 8862, 728, 428, 91, 29]),
    (
        "<|fim_prefix|> <|endofprompt|>",
        [27, 91, 69, 318, 14301, 91, 29, 83739, 408, 1073, 41681, 91, 29],
    ),
    ("\x00\ud800", [188, 5809]),
]


def rank_file() -> bytes:
    """Write out the packed ranks as the file that tiktoken downloads."""
    ranks = encodings.unpack_ranks(encodings.packed_ranks())
    lines = (
        base64.b64encode(token) + f" {rank}\n".encode()
        for token, rank in sorted(ranks.items(), key=lambda item: item[1])
    )
    return b"".join(lines)


def pack_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pack_ranks", ROOT / "tools" / "pack_ranks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def own() -> tiktoken.Encoding:
    """Give cl100k_base as tiktoken loads it, from a cache folder that is already filled."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.path.join(
        tempfile.gettempdir(), "data-gym-cache"
    )
    if not Path(folder, "9b5ad71b2ce5302211f9c61530b329a4922fc6a4").is_file():
        pytest.skip("tiktoken's own ranks are not cached here")
    return tiktoken.get_encoding("cl100k_base")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing open a socket, and forget what is loaded."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("network is cut")

    monkeypatch.setattr(socket.socket, "__init__", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    default_encoding.cache_clear()


def test_packed_ranks_are_the_published_file() -> None:
    assert hashlib.sha256(rank_file()).hexdigest() == SHA256


@pytest.mark.parametrize(("text", "ids"), KNOWN)
def test_ids_are_those_of_tiktoken(text: str, ids: list[int]) -> None:
    assert default_encoding().encode_ordinary(text) == ids


def test_pattern_and_special_tokens_are_those_of_tiktoken(own: tiktoken.Encoding) -> None:
    ours = default_encoding()
    assert ours._pat_str == own._pat_str
    assert ours._special_tokens == own._special_tokens
    assert ours.n_vocab == own.n_vocab


# No deadline: the first example may build the encoding.
@settings(deadline=None)
@given(st.text())
def test_any_text_has_the_ids_of_tiktoken(own: tiktoken.Encoding, text: str) -> None:
    assert default_encoding().encode_ordinary(text) == own.encode_ordinary(text)


def test_special_tokens_are_known_and_ordinary_text_is_not_one() -> None:
    encoding = default_encoding()
    for token, number in encodings.SPECIAL_TOKENS.items():
        assert encoding.encode(token, allowed_special="all") == [number]
        ordinary = encoding.encode_ordinary(token)
        assert number not in ordinary
        assert encoding.decode(ordinary) == token


def test_no_token_reaches_over_the_start_of_a_line_that_is_not_blank() -> None:
    ranks = encodings.unpack_ranks(encodings.packed_ranks())
    reaches = re.compile(rb"[\r\n]([ \t]*[^\r\n \t]|[ \t]+\Z)")
    assert [token for token in ranks if reaches.search(token)] == []


BITS = [
    *("a", "ab", ".", "1", "'s", "---", ");", "日", "\u0301", "\u200b", "\ud800", "<|endoftext|>"),
    *(" ", "    ", "\t", "\n", "\n\n", "\r", "\r\n"),
    *("\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u2028", "\u3000"),
]


# What lets one tokenisation of the source plan every cut between lines exactly.
@settings(deadline=None)
@given(st.lists(st.sampled_from(BITS)).map("".join))
def test_tokens_add_up_at_the_start_of_every_line_that_is_not_blank(text: str) -> None:
    encode = default_encoding().encode_ordinary
    whole = encode(text)
    for start in re.finditer(r"(?<=[\r\n])(?!(?<=\r)\n)(?=[ \t]*[^ \t\r\n])", text):
        cut = start.start()
        assert encode(text[:cut]) + encode(text[cut:]) == whole


@pytest.mark.usefixtures("offline")
def test_default_opens_no_socket() -> None:
    assert len(default_encoding().encode_ordinary("hello world")) == 2


def test_default_is_built_once() -> None:
    assert default_encoding() is default_encoding()
    assert named_encoding("cl100k_base") is default_encoding()


@pytest.mark.parametrize("model", ["gpt-4", "text-embedding-3-small"])
def test_model_names_stand_for_their_encoding(model: str) -> None:
    assert named_encoding(model) is default_encoding()


def test_encodings_of_tiktoken_plugins_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken.list_encoding_names()  # looks the constructors up, which are then replaced
    definition = {
        "name": "bytes",
        "pat_str": r".|\s",
        "mergeable_ranks": {bytes([i]): i for i in range(256)},
        "special_tokens": {},
    }
    monkeypatch.setattr("tiktoken.registry.ENCODING_CONSTRUCTORS", {"bytes": lambda: definition})
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    assert named_encoding("bytes").encode_ordinary("ab") == [97, 98]


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["o200k_base", "gpt-4o"])
def test_missing_encoding_names_folder_and_remedies(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(TokenizerError) as caught:
        named_encoding(name)
    message = str(caught.value)
    for part in ("'o200k_base'", str(tmp_path), "Remedies", "TIKTOKEN_CACHE_DIR", "cl100k_base"):
        assert part in message


@pytest.mark.usefixtures("offline")
def test_download_that_fails_its_checksum_is_a_tokenizer_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tiktoken.load.read_file", lambda _: b"<html>log in first</html>")
    with pytest.raises(TokenizerError, match="o200k_base"):
        named_encoding("o200k_base")


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({"TIKTOKEN_CACHE_DIR": "first", "DATA_GYM_CACHE_DIR": "second"}, "first"),
        ({"DATA_GYM_CACHE_DIR": "second"}, "second"),
        ({"TIKTOKEN_CACHE_DIR": ""}, "switched off"),
        ({}, "data-gym-cache"),
    ],
)
def test_cache_folder_is_the_one_tiktoken_uses(
    variables: dict[str, str], place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    for variable, folder in variables.items():
        monkeypatch.setenv(variable, folder)
    with pytest.raises(TokenizerError, match=place):
        named_encoding("o200k_base")


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(TokenizerError) as caught:
        named_encoding("cl100k")
    for name in ("'cl100k'", *tiktoken.list_encoding_names(), "gpt-4o"):
        assert name in str(caught.value)


def test_who_names_a_model_is_told_how_its_tokenizer_is_given() -> None:
    with pytest.raises(TokenizerError) as caught:
        named_encoding("bert-base-uncased")
    for hint in ("tokens, characters", "tokenizer.json", "from_pretrained('bert-base-uncased')"):
        assert hint in str(caught.value)


def test_damaged_ranks_are_a_tokenizer_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TokenizerError, match="3 tokens and 0 bytes instead of 100256 and 4"):
        encodings.unpack_ranks(b"\x01\x02\x01")
    with pytest.raises(TokenizerError, match="and 643831 bytes instead of 100256 and 643830"):
        encodings.unpack_ranks(encodings.packed_ranks() + b"a")
    monkeypatch.setattr(encodings, "DEFAULT_ENCODING", "absent")
    with pytest.raises(TokenizerError, match="cannot be read"):
        encodings.packed_ranks()


def test_pack_tool_makes_the_shipped_ranks(tmp_path: Path) -> None:
    tool = pack_tool()
    tool.write_atomically(tmp_path / "packed", tool.pack(rank_file()))
    assert [path.name for path in tmp_path.iterdir()] == ["packed"]
    assert zlib.decompress((tmp_path / "packed").read_bytes()) == encodings.packed_ranks()


def test_pack_tool_refuses_another_file() -> None:
    with pytest.raises(ValueError, match="not the cl100k_base rank file"):
        pack_tool().pack(rank_file()[:-1])
