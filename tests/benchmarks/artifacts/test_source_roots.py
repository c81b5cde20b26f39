"""What lies outside the source roots is refused before it is looked at."""

from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.settings import Settings
from benchmarks.artifacts.source_roots import source_roots, sources_within
from benchmarks.errors import InvalidArguments, OutsideRoot, SourceNotFound


@pytest.fixture
def lab(tmp_path: Path) -> Home:
    """A home with one file of captures, and a file beside its folder of captures."""
    captures = tmp_path / "home" / "captures"
    captures.mkdir(parents=True)
    (captures / "a.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "home" / "secret_key").write_text("k\n", encoding="utf-8")
    return Home(tmp_path / "home")


def test_the_captures_of_the_home_are_the_only_root_unless_others_are_named(lab: Home) -> None:
    assert source_roots(lab) == [lab.captures]
    other = lab.path.parent / "other"
    assert source_roots(Home(lab.path, Settings(home=lab.path, source_roots=(other,)))) == [other]


def test_a_source_is_named_whole_or_from_a_root(lab: Home) -> None:
    there = lab.captures / "a.jsonl"
    assert sources_within(["a.jsonl", str(there), ".", "../captures/a.jsonl"], lab) == [
        there, there, lab.captures, there,
    ]  # fmt: skip


def test_a_relative_source_is_looked_for_in_each_root(lab: Home) -> None:
    other = lab.path.parent / "other"
    settings = Settings(home=lab.path, source_roots=(other, lab.captures))
    assert sources_within(["a.jsonl"], Home(lab.path, settings)) == [lab.captures / "a.jsonl"]


def test_a_root_may_be_reached_by_a_link(lab: Home) -> None:
    link = lab.path.parent / "link"
    link.symlink_to(lab.captures)
    found = sources_within(
        ["a.jsonl"], Home(lab.path, Settings(home=lab.path, source_roots=(link,)))
    )
    assert found == [lab.captures / "a.jsonl"]


@pytest.mark.parametrize("name", ["../secret_key", "../nothing", "/etc/passwd", "out", "round"])
def test_what_lies_outside_is_refused_whether_or_not_it_is_there(lab: Home, name: str) -> None:
    (lab.captures / "out").symlink_to(lab.path / "secret_key")
    (lab.captures / "round").symlink_to(lab.captures / "round")
    with pytest.raises(OutsideRoot, match="outside every source root"):
        sources_within(["a.jsonl", name], lab)


def test_a_folder_beside_a_root_whose_name_begins_alike_is_outside(lab: Home) -> None:
    beside = lab.path / "captures-2"
    beside.mkdir()
    with pytest.raises(OutsideRoot):
        sources_within([str(beside)], lab)


def test_a_source_that_is_not_there_is_named(lab: Home) -> None:
    with pytest.raises(SourceNotFound, match=r"no such source: b\.jsonl"):
        sources_within(["b.jsonl"], lab)


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a" * 5000])
def test_what_is_no_path_is_refused(lab: Home, name: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        sources_within([name], lab)
    assert [each.path for each in caught.value.errors] == ["source"]
