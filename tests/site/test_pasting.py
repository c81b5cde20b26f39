"""Every command that the shell prints works as it is printed, where it is printed."""

import shlex
from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.artifacts.roots import outside_slug
from tests.benchmarks.services.factories import REASON, desk
from tests.driving import Shell
from understudy_site.pasting import Pasting, pasting


def call(*, home: str | None = None, root: tuple[str, ...] = ()) -> Namespace:
    return Namespace(home=home, root=list(root))


def test_without_flags_and_outside_of_nothing_a_command_is_as_it_was(tmp_path: Path) -> None:
    said = pasting(call(), ["benchmarks", "status", "desk"], tmp_path)
    assert said("understudy benchmarks status local--desk") == (
        "understudy benchmarks status local--desk"
    )


def test_the_flags_of_one_call_stand_in_every_command_of_a_text(tmp_path: Path) -> None:
    said = pasting(call(home="my lab", root=("more",)), [], tmp_path)
    flags = f"--home '{tmp_path}/my lab' --root {tmp_path}/more"
    assert said("2 are there: understudy benchmarks list; or understudy runs list B") == (
        f"2 are there: understudy benchmarks list {flags}; or understudy runs list {flags} B"
    )
    assert said("understudy demo") == "understudy demo"
    assert said("the understudy runs") == "the understudy runs"


def test_a_command_that_has_its_flags_keeps_them(tmp_path: Path) -> None:
    said = pasting(call(home="lab"), [], tmp_path)
    for command in ("understudy runs queue B --home lab", "understudy runs queue --home lab B"):
        assert said(command) == command


@pytest.mark.parametrize("word", ["a desk", "--output=a desk", "other,a desk"])
def test_a_directory_outside_every_root_is_named_by_its_path(tmp_path: Path, word: str) -> None:
    place = tmp_path / "a desk"
    said = pasting(call(), ["--benchmark", word], tmp_path)
    assert said(f"understudy benchmarks status {outside_slug(place)}") == (
        f"understudy benchmarks status '{place}'"
    )


def test_a_bare_name_is_the_benchmark_that_was_named_by_its_path(tmp_path: Path) -> None:
    place = tmp_path / "out" / "desk"
    place.mkdir(parents=True)
    words = ["traces", "build-benchmark", "out/desk"]
    command = "understudy traces directions desk --posture desk=frozen"
    assert pasting(call(), words, tmp_path)(command) == command
    (place / "directions.json").touch()
    assert pasting(call(), words, tmp_path)(command) == (
        f"understudy traces directions {place} --posture desk=frozen"
    )
    said = pasting(call(), words, tmp_path)("understudy runs queue --benchmark desk; desk")
    assert said == f"understudy runs queue --benchmark {place}; desk"


def test_only_what_a_document_says_to_do_is_changed() -> None:
    said = Pasting("--home h", {"path--desk-0a1b2c3d": "/d/desk"})
    command = "understudy runs list path--desk-0a1b2c3d"
    document = {
        "slug": "path--desk-0a1b2c3d",
        "name": command,
        "next": {"command": command, "needs": []},
        "next_actions": [{"command": command}],
    }
    works = "understudy runs list --home h /d/desk"
    assert said.document(document) == {
        "slug": "path--desk-0a1b2c3d",
        "name": command,
        "next": {"command": works, "needs": []},
        "next_actions": [{"command": works}],
    }


@pytest.mark.parametrize("flags", [("--output", "here/a desk"), ("--slug", "d", "--home", "lab")])
def test_what_a_build_prints_last_runs_as_it_is_printed(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = desk(tmp_path / "source")
    words = ("traces", "build-benchmark", source, *flags, "--waive-pilot", REASON)
    printed = shell(*words, "--format", "text").out.splitlines()[-1]
    following = shell(*shlex.split(printed)[1:])
    assert following.code == 0
    following = shell(*shlex.split(following.document["next"]["command"])[1:])
    assert following.code == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_refusal_prints_names_the_place_too(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = shell("benchmarks", "status", "none", "--home", "lab", "--format", form)
    assert ran.code == 2
    assert f"0 benchmarks are there: understudy benchmarks list --home {tmp_path}/lab" in ran.err


def test_a_root_that_is_not_there_is_refused_by_every_verb(shell: Shell, tmp_path: Path) -> None:
    for words in (["benchmarks", "list"], ["trust", "show"], ["runs", "execute", "--all"]):
        ran = shell(*words, "--root", tmp_path / "nowhere")
        assert (ran.code, ran.error["code"]) == (2, "invalid_arguments")
        assert ran.error["message"] == f"--root '{tmp_path}/nowhere': there is no such folder"
