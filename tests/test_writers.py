"""A file that is written anew keeps to itself what the file before it did."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from mdchunk.files import writers
from mdchunk.files.writers import whole_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX rights")


def gives_away() -> bool:
    """Return whether files may be given to any user: not in every container, even by root."""
    with tempfile.NamedTemporaryFile() as file:
        try:
            os.chown(file.name, 12345, 54321)
        except (AttributeError, OSError):
            return False
    return True


ROOT = pytest.mark.skipif(not gives_away(), reason="files cannot be given away here")


@pytest.fixture
def no_umask() -> object:
    """The most that new files may have, so that nothing but our own care limits them."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def rewrite(target: Path) -> list[int]:
    """Write a file anew and return the rights of what is there to be read, at each step."""
    seen: list[int] = []
    with whole_file(str(target)) as file:
        (part,) = target.parent.glob(f".{target.name}.*.part")
        seen.append(mode(part))
        file.write(b"new")
        file.flush()
        seen.append(mode(part))
    assert target.read_bytes() == b"new"
    return [*seen, mode(target)]


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize("rights", [0o600, 0o640, 0o604, 0o644, 0o400, 0o700, 0o666])
def test_what_replaces_a_file_never_has_more_rights(tmp_path: Path, rights: int) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")
    target.chmod(rights)
    *meanwhile, after = rewrite(target)
    assert after == rights
    assert [each & ~rights for each in meanwhile] == [0] * len(meanwhile)


@pytest.mark.usefixtures("no_umask")
def test_rights_that_are_taken_away_while_a_file_is_written_stay_so(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")
    target.chmod(0o644)
    with whole_file(str(target)) as file:
        target.chmod(0o600)
        file.write(b"new")
    assert mode(target) == 0o600


def test_a_new_file_has_what_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert set(rewrite(tmp_path / "out.jsonl")) == {0o640}
    finally:
        os.umask(before)


@ROOT
def test_what_replaces_a_file_has_its_owner_and_group(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")
    os.chown(target, 12345, 54321)
    target.chmod(0o640)
    rewrite(target)
    assert (target.stat().st_uid, target.stat().st_gid, mode(target)) == (12345, 54321, 0o640)


@ROOT
def test_the_rights_of_a_group_are_not_given_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old")
    os.chown(target, 12345, 54321)
    target.chmod(0o6664)

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(writers.os, "chown", refused)
    assert rewrite(target)[-1] == 0o604
