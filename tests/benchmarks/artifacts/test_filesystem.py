"""Which file systems are network ones."""

from pathlib import Path

from benchmarks.artifacts.filesystem import NETWORK, network_name


def test_a_local_folder_has_no_network_name(tmp_path):
    assert network_name(tmp_path) is None


def test_a_path_that_is_not_there_has_none():
    assert network_name(Path("/no/such/folder")) is None


def test_another_platform_is_taken_as_local(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    assert network_name(tmp_path) is None


def test_a_listed_type_is_named(tmp_path, monkeypatch):
    magic = {"ext4": 0xEF53, "xfs": 0x58465342, "btrfs": 0x9123683E, "tmpfs": 0x01021994}
    assert not set(magic.values()) & set(NETWORK)
    for number in magic.values():
        monkeypatch.setitem(NETWORK, number, "this one")
    named = network_name(tmp_path)
    assert named in {"this one", None}
