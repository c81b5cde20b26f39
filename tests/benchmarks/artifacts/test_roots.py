"""Which directory a name means, and what every root lists."""

import os

import pytest

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import list_directories, resolve, roots
from benchmarks.errors import Ambiguous, InvalidArguments, OutsideRoot, UnknownBenchmark, Unreadable
from benchmarks.records.digest import bytes_digest


@pytest.fixture
def lab(tmp_path):
    """A home with the default root, and two further roots."""
    environ = {
        "UNDERSTUDY_HOME": str(tmp_path / "home"),
        "UNDERSTUDY_ROOTS": str(tmp_path / "one"),
        "BENCHMARK_HUB_DATA_DIR": str(tmp_path / "two"),
    }
    for folder in ("home/benchmarks", "one", "two"):
        (tmp_path / folder).mkdir(parents=True)
    return home(environ)


@pytest.fixture
def within(lab):
    return roots(lab)


def make(folder, name="refund-desk", marker="benchmark.json"):
    (folder / name).mkdir(parents=True)
    (folder / name / marker).write_text("{}", encoding="utf-8")
    return folder / name


def test_roots_stand_in_order_with_their_prefixes(lab, tmp_path):
    found = roots(lab, [tmp_path / "three"])
    assert [(root.prefix, root.path) for root in found] == [
        ("local", tmp_path / "home" / "benchmarks"),
        ("data", tmp_path / "one"),
        ("data2", tmp_path / "two"),
        ("data3", tmp_path / "three"),
    ]


def test_a_root_named_twice_or_by_a_link_is_one_root(lab, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "one")
    found = roots(lab, [tmp_path / "link", tmp_path / "two", tmp_path / "home" / "benchmarks"])
    assert [root.prefix for root in found] == ["local", "data", "data2"]


def test_adding_a_root_renames_no_other(lab, tmp_path):
    before = roots(lab)
    assert roots(lab, [tmp_path / "three"])[: len(before)] == before


def test_roots_may_be_read_only(tmp_path):
    lab = home({
        "UNDERSTUDY_HOME": str(tmp_path / "home"),
        "UNDERSTUDY_ROOTS": str(tmp_path / "one"),
        "UNDERSTUDY_READONLY_ROOTS": str(tmp_path / "one"),
    })
    make(tmp_path / "one")
    found = resolve("data--refund-desk", roots(lab), cwd=tmp_path)
    assert [root.read_only for root in roots(lab)] == [False, True]
    assert found.read_only
    assert not found.directory.writable


@pytest.mark.parametrize(
    "marker", ["benchmark.json", "manifest.json", "directions.json", "intake-report.json"]
)
def test_a_slug_means_the_entry_of_its_root(within, tmp_path, marker):
    path = make(tmp_path / "one", "a--b", marker)
    found = resolve("data--a--b", within, cwd=tmp_path)
    assert (found.slug, found.directory.path) == ("data--a--b", path)
    assert not found.read_only


def test_a_bare_name_that_one_root_holds_is_that_one(within, tmp_path):
    make(tmp_path / "two")
    make(tmp_path / "one", "other")
    (tmp_path / "one" / "refund-desk").mkdir()
    assert resolve("refund-desk", within, cwd=tmp_path).slug == "data2--refund-desk"


def test_a_bare_name_of_several_roots_is_ambiguous_and_all_are_listed(within, tmp_path):
    make(tmp_path / "home" / "benchmarks")
    make(tmp_path / "two")
    with pytest.raises(Ambiguous, match="'refund-desk' is in 2 roots") as refused:
        resolve("refund-desk", within, cwd=tmp_path)
    assert refused.value.details == {"candidates": ["local--refund-desk", "data2--refund-desk"]}


def test_a_directory_in_a_root_has_the_slug_of_the_root_however_it_is_named(
    within, tmp_path, monkeypatch
):
    path = make(tmp_path / "one")
    (tmp_path / "link").symlink_to(path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for argument in (str(path), "./one/refund-desk", "one/refund-desk/", "~/one/refund-desk"):
        assert resolve(argument, within, cwd=tmp_path).slug == "data--refund-desk"
    assert resolve("./link", within, cwd=tmp_path).slug == "data--refund-desk"
    assert resolve(".", within, cwd=path).slug == "data--refund-desk"
    assert resolve("refund-desk", within, cwd=tmp_path / "one").slug == "data--refund-desk"


def test_a_directory_outside_every_root_is_for_the_shell_only(within, tmp_path):
    path = make(tmp_path / "work")
    found = resolve("work/refund-desk", within, cwd=tmp_path, allow_outside=True)
    digest = bytes_digest(os.fsencode(path.resolve()))
    assert found.slug == f"path--refund-desk-{digest[:8]}"
    with pytest.raises(OutsideRoot, match="lies outside every root") as refused:
        resolve(str(path), within, cwd=tmp_path)
    assert "--root" in refused.value.hint


def test_a_directory_deeper_in_a_root_is_none_of_its_entries(within, tmp_path):
    make(tmp_path / "one" / "deep")
    with pytest.raises(OutsideRoot):
        resolve("one/deep/refund-desk", within, cwd=tmp_path)
    found = resolve("one/deep/refund-desk", within, cwd=tmp_path, allow_outside=True)
    assert found.slug.startswith("path--refund-desk-")


def test_a_bare_name_taken_as_a_directory_here_says_what_it_hides(within, tmp_path):
    make(tmp_path / "work")
    make(tmp_path / "one")
    found = resolve("refund-desk", within, cwd=tmp_path / "work", allow_outside=True)
    assert found.slug.startswith("path--")
    assert found.notes == (
        f"refund-desk was taken as {tmp_path}/work/refund-desk; "
        "data--refund-desk is another benchmark",
    )


@pytest.mark.parametrize(
    "argument",
    ["none", "local--none", "other--refund-desk", "path--refund-desk-01234567", "./none", "none/x"],
)
def test_what_is_not_there_is_unknown_and_what_is_there_is_counted(within, tmp_path, argument):
    make(tmp_path / "one")
    (tmp_path / "none-here").mkdir()
    with pytest.raises(UnknownBenchmark) as refused:
        resolve(argument, within, cwd=tmp_path, allow_outside=True)
    assert refused.value.hint == "1 benchmark is there: understudy benchmarks list"


def test_a_folder_without_a_marker_is_no_benchmark(within, tmp_path):
    (tmp_path / "one" / "empty").mkdir()
    (tmp_path / "one" / "empty" / "tasks.jsonl").touch()
    for argument in ("empty", "data--empty", "one/empty"):
        with pytest.raises(UnknownBenchmark):
            resolve(argument, within, cwd=tmp_path)


@pytest.mark.parametrize(
    "argument",
    ["", "  ", "a\0b", "local--", "local--a\\b", "a\\b", "x" * 5000, "local--..", "local--.x"],
)
def test_what_cannot_be_a_name_is_an_invalid_argument(within, tmp_path, argument):
    with pytest.raises(InvalidArguments):
        resolve(argument, within, cwd=tmp_path)


@pytest.mark.parametrize("argument", ["local--../one/refund-desk", "data--a/../../x", "--x"])
def test_no_name_leads_out_of_its_root(within, tmp_path, argument):
    make(tmp_path / "one")
    with pytest.raises((UnknownBenchmark, OutsideRoot)):
        resolve(argument, within, cwd=tmp_path)


def test_the_home_of_a_user_that_does_not_exist_is_an_invalid_argument(within, tmp_path):
    with pytest.raises(InvalidArguments, match="is not a path"):
        resolve("~no-such-user/x", within, cwd=tmp_path)


def test_a_very_long_name_is_unknown_not_a_crash(within, tmp_path):
    with pytest.raises(UnknownBenchmark):
        resolve("n" * 300, within, cwd=tmp_path)


def test_an_entry_that_leads_out_of_its_root_is_not_listed_and_is_named(within, tmp_path):
    make(tmp_path / "one")
    make(tmp_path / "work", "secret")
    (tmp_path / "one" / "secret").symlink_to(tmp_path / "work" / "secret")
    (tmp_path / "one" / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "one" / "again").symlink_to(tmp_path / "one" / "refund-desk")
    (tmp_path / "one" / ".hidden").mkdir()
    (tmp_path / "one" / "notes.txt").touch()
    listing = list_directories(within)
    assert [found.slug for found in listing.found] == ["data--again", "data--refund-desk"]
    assert listing.warnings == [
        "data--dangling is a link to nothing",
        "data--secret leads out of its root",
    ]
    with pytest.raises(OutsideRoot, match="data--secret leads out of its root"):
        resolve("data--secret", within, cwd=tmp_path)
    with pytest.raises(UnknownBenchmark):
        resolve("secret", within, cwd=tmp_path)


def test_benchmarks_are_listed_by_root_and_name(within, tmp_path):
    for folder, name in (("two", "a"), ("one", "z"), ("one", "b")):
        make(tmp_path / folder, name)
    assert [found.slug for found in list_directories(within).found] == [
        "data--b",
        "data--z",
        "data2--a",
    ]


def test_a_root_that_is_not_there_or_is_a_file_lists_nothing_and_is_named(lab, tmp_path):
    (tmp_path / "file").touch()
    found = roots(lab, [tmp_path / "gone", tmp_path / "file"])
    listing = list_directories(found)
    assert listing.found == []
    assert listing.warnings == [
        f"root {tmp_path}/gone is not there",
        f"root {tmp_path}/file cannot be read: Not a directory",
    ]


def test_an_entry_that_cannot_be_read_costs_itself_only(within, tmp_path, as_nobody):
    make(tmp_path / "one", "closed").chmod(0)
    make(tmp_path / "one", "open")
    (tmp_path / "home").chmod(0o755)

    def look():
        listing = list_directories(within)
        return [found.slug for found in listing.found], listing.warnings

    found, warnings = as_nobody(look)
    assert found == ["data--open"]
    assert warnings == ["data--closed cannot be read: Permission denied"]


def test_a_benchmark_this_user_may_not_write_is_read_only(within, tmp_path, as_nobody):
    make(tmp_path / "one").chmod(0o555)
    found = as_nobody(lambda: resolve("data--refund-desk", within, cwd=tmp_path).read_only)
    assert found is True


def test_a_directory_that_may_not_be_looked_into_is_not_called_unknown(within, tmp_path, as_nobody):
    closed = make(tmp_path / "one", "closed")
    closed.chmod(0)

    def refusals():
        found = []
        for name in ("closed", "data--closed", str(closed)):
            with pytest.raises(Unreadable) as refused:
                resolve(name, within, cwd=tmp_path, allow_outside=True)
            found.append((refused.value.message, refused.value.hint))
        with pytest.raises(UnknownBenchmark):
            resolve("other", within, cwd=tmp_path)
        return found

    assert (
        as_nobody(refusals)
        == [
            (
                f"{closed} cannot be read: Permission denied",
                "give this user the rights to it, or run as its owner",
            )
        ]
        * 3
    )
