"""What a disk refuses, wherever it refuses it, is an error with a name."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.artifacts import kernel_lock
from benchmarks.artifacts.disk import make_folder, named, open_to_append, refused
from benchmarks.errors import DiskFull, ReadOnly
from tests.disks import fill, mounted


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_no_room_is_told_with_the_file_and_the_room_that_is_left(
    number: int, tmp_path: Path
) -> None:
    with pytest.raises(DiskFull, match=r"a\.json could not be written"), named(tmp_path / "a.json"):
        raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_what_may_not_be_written_is_told_with_the_file(number: int, tmp_path: Path) -> None:
    with pytest.raises(ReadOnly, match=r"a\.json cannot be written"), named(tmp_path / "a.json"):
        raise OSError(number, os.strerror(number))


def test_any_other_fault_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Input/output error"), named(tmp_path / "a.json"):
        raise OSError(errno.EIO, "Input/output error")
    assert refused(OSError(errno.EIO, "Input/output error")) is None
    assert refused(ValueError("no")) is None


def test_a_door_names_what_nobody_named_before(tmp_path: Path) -> None:
    full = refused(OSError(errno.ENOSPC, "No space left on device"))
    assert isinstance(full, DiskFull)
    assert full.message == "the disk has no room (No space left on device)"
    held = refused(PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "a")))
    assert isinstance(held, ReadOnly)
    assert held.message == f"{tmp_path / 'a'} may not be used by this user (Permission denied)"


def test_nothing_new_is_made_on_a_full_disk(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", 64 * 1024) as disk:
        lock = kernel_lock.open_lock(disk / "claim.lock")
        fill(disk)
        with pytest.raises(DiskFull, match=r"claim\.lock could not be written"):
            kernel_lock.write_content(lock, disk / "claim.lock", {"fence": 1})
        os.close(lock)
        assert (disk / "claim.lock").read_bytes() == b""


def test_nothing_new_is_made_where_no_name_is_left(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", 1024 * 1024) as disk:
        one_name = ["mount", "-o", "remount,nr_inodes=2", str(disk)]
        subprocess.run(one_name, check=True)
        (disk / "taken").touch()
        with pytest.raises(DiskFull, match="runs could not be written"):
            make_folder(disk / "runs")
        with pytest.raises(DiskFull, match=r"rows\.jsonl could not be written"):
            open_to_append(disk / "rows.jsonl")
        with pytest.raises(DiskFull, match=r"claim\.lock could not be written"):
            kernel_lock.open_lock(disk / "claim.lock")
