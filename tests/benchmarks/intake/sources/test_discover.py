import os
from pathlib import Path

import pytest

from benchmarks.errors import SourceNotFound
from benchmarks.intake.sources.discover import find_candidates


def put(folder: Path, name: str, data: bytes | str = '{"a": 1}\n') -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def named(sources: list[Path]) -> list[tuple[str, str | None]]:
    return [
        (c.local_path, c.skipped.value if c.skipped else None) for c in find_candidates(sources)
    ]


def test_a_folder_is_walked_in_bytewise_order_of_its_paths(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.json", "B.json", "a.json", "a/b/c.ndjson.gz", "noext", "ä.json"):
        put(tmp_path, name)
    assert named([tmp_path]) == [
        ("B.json", None), ("a.json", None), ("a/b/c.ndjson.gz", None), ("a/z.json", None),
        ("b.jsonl", None), ("noext", None), ("ä.json", None),
    ]  # fmt: skip


def test_other_extensions_are_counted_and_folders_of_tools_skipped(tmp_path: Path) -> None:
    for name in (
        "a.json",
        "read.md",
        "x.py.gz",
        ".git/c.json",
        "node_modules/c.json",
        "__pycache__/c.json",
        ".venv/c.json",
        "dist/c.json",
        "build/c.json",
    ):
        put(tmp_path, name)  # fmt: skip
    assert named([tmp_path]) == [
        ("a.json", None), ("read.md", "ignored_extension"), ("x.py.gz", "ignored_extension"),
    ]  # fmt: skip


def test_a_named_file_and_a_named_dot_folder_are_always_read(tmp_path: Path) -> None:
    readme = put(tmp_path, "read.md")
    hidden = put(tmp_path, ".hidden/a.json").parent
    assert named([readme]) == [("read.md", None)]
    assert named([hidden]) == [("a.json", None)]


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.json")
    inside = put(tmp_path, "in/a.json").parent
    (inside / "link.json").symlink_to(tmp_path / "outside" / "secret.json")
    (inside / "folder").symlink_to(tmp_path / "outside")
    assert named([inside]) == [
        ("a.json", None), ("folder", "symlink_skipped"), ("link.json", "symlink_skipped"),
    ]  # fmt: skip


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="nowhere"):
        find_candidates([tmp_path, tmp_path / "nowhere"])


def test_several_sources_are_told_apart_in_any_order(tmp_path: Path) -> None:
    one, two = put(tmp_path, "one/a.json").parent, put(tmp_path, "two/a.json").parent
    assert named([two, one]) == named([one, two]) == [("one/a.json", None), ("two/a.json", None)]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = put(tmp_path, "a.json")
    assert len(find_candidates([path, tmp_path])) == 1
    assert named([path, path]) == [("a.json", None)]


def test_a_name_that_is_no_text_is_reported_as_text(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/\xff.json"
    with open(raw, "wb") as stream:
        stream.write(b"{}")
    assert named([tmp_path]) == [("\ufffd.json", None)]


def test_two_sources_of_one_name_are_read_in_one_order(tmp_path: Path) -> None:
    one, two = put(tmp_path, "1/in/a.json"), put(tmp_path, "2/in/a.json")
    forth = [candidate.path for candidate in find_candidates([one.parent, two.parent])]
    back = [candidate.path for candidate in find_candidates([two.parent, one.parent])]
    assert forth == back == [one, two]
