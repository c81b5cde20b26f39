from pathlib import Path

import pytest

from benchmarks.artifacts.named_roots import named_roots
from benchmarks.errors import InvalidArguments


def test_folders_are_taken_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)
    assert named_roots(["b", str(tmp_path)]) == [tmp_path / "b", tmp_path]
    assert named_roots([]) == []


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nowhere", "--root 'nowhere': there is no such folder"),
        ("file", "--root 'file': it is not a folder"),
        ("a\0b", "--root 'a\\x00b': it cannot be read: embedded null byte"),
        ("round", "--root 'round': it cannot be read: Too many levels of symbolic links"),
    ],
)
def test_what_is_no_folder_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, said: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "round").symlink_to("round")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArguments) as caught:
        named_roots([word])
    assert caught.value.message == said
    assert caught.value.hint == (
        "name a folder that holds benchmark directories, or leave --root out"
    )
