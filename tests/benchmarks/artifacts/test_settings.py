"""What the environment and a project file may say."""

import json
import os
from pathlib import Path

import pytest

from benchmarks.artifacts.settings import Project, Settings, read_project, read_settings
from benchmarks.errors import InvalidArguments


def test_an_empty_environment_gives_the_defaults(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings({}) == Settings(home=tmp_path / ".understudy")
    assert read_settings({"UNDERSTUDY_HOME": "", "UNDERSTUDY_ROOTS": " "}) == read_settings({})
    assert (read_settings({}).format, read_settings({}).concurrency) == ("auto", 8)


def test_every_variable_is_read(tmp_path):
    settings = read_settings({
        "UNDERSTUDY_HOME": "/h",
        "UNDERSTUDY_ROOTS": os.pathsep.join(["/a", "", "/b"]),
        "BENCHMARK_HUB_DATA_DIR": "/c",
        "UNDERSTUDY_READONLY_ROOTS": "/b",
        "UNDERSTUDY_SOURCE_ROOTS": "/s",
        "UNDERSTUDY_TRUST_FILE": "/t.json",
        "UNDERSTUDY_PRICES_FILE": "/p.json",
        "UNDERSTUDY_PROFILE_FILE": "/f.json",
        "UNDERSTUDY_ACTOR": "mira",
        "UNDERSTUDY_FORMAT": "json",
        "UNDERSTUDY_CONCURRENCY": "3",
    })
    assert settings == Settings(
        home=Path("/h"),
        roots=(Path("/a"), Path("/b"), Path("/c")),
        readonly_roots=(Path("/b"),),
        source_roots=(Path("/s"),),
        trust_file=Path("/t.json"),
        prices_file=Path("/p.json"),
        profile_file=Path("/f.json"),
        actor="mira",
        format="json",
        concurrency=3,
    )


def test_paths_may_start_at_the_home_and_relative_ones_at_the_working_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    settings = read_settings({"UNDERSTUDY_HOME": "~/x", "UNDERSTUDY_ROOTS": "y"})
    assert (settings.home, settings.roots) == (tmp_path / "x", (tmp_path / "y",))


def test_values_that_do_not_parse_are_one_error_with_every_variable_and_form():
    with pytest.raises(InvalidArguments) as refused:
        read_settings({
            "UNDERSTUDY_CONCURRENCY": "many",
            "UNDERSTUDY_FORMAT": "yaml",
            "UNDERSTUDY_ACTOR": "x" * 121,
            "UNDERSTUDY_HOME": "~no-such-user/x",
        })
    assert [(each.path, each.value) for each in refused.value.errors] == [
        ("UNDERSTUDY_HOME", "~no-such-user/x"),
        ("UNDERSTUDY_ACTOR", "x" * 121),
        ("UNDERSTUDY_FORMAT", "yaml"),
        ("UNDERSTUDY_CONCURRENCY", "many"),
    ]
    assert (
        "UNDERSTUDY_CONCURRENCY='many' is not a whole number of 1 or more" in refused.value.message
    )
    assert "UNDERSTUDY_FORMAT='yaml' is not one of auto, json, text" in refused.value.message


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "8x", "²"])
def test_a_concurrency_is_a_whole_number_of_one_or_more(text):
    with pytest.raises(InvalidArguments, match="is not a whole number"):
        read_settings({"UNDERSTUDY_CONCURRENCY": text})


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "work"
    (folder / ".understudy").mkdir(parents=True)
    (folder / "deep" / "er").mkdir(parents=True)

    def write(**content):
        path = folder / ".understudy" / "config.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return folder

    return write


def test_the_nearest_project_file_above_is_read(project, tmp_path):
    folder = project(captures="traces", benchmarks="bench", workload="refund-desk")
    expected = Project(folder, folder / "traces", folder / "bench", "refund-desk")
    for cwd in (folder, folder / "deep" / "er"):
        assert read_project(cwd, tmp_path / "home") == expected
    assert read_project(tmp_path, tmp_path / "home") is None


def test_the_home_is_no_project(project):
    folder = project(workload="x")
    assert read_project(folder / "deep", folder / ".understudy") is None


def test_a_project_file_sets_nothing_else(project, tmp_path):
    folder = project(workload="x", UNDERSTUDY_GATEWAY_URL="http://evil", trust="hosted_ops")
    found = read_project(folder, tmp_path / "home")
    assert found.ignored == ("UNDERSTUDY_GATEWAY_URL", "trust")


@pytest.mark.parametrize(
    ("content", "paths"),
    [
        ({"captures": "/etc"}, ["captures"]),
        ({"captures": "../x", "benchmarks": 7, "workload": " "}, None),
        ({"benchmarks": "~/x/../../../.."}, ["benchmarks"]),
    ],
)
def test_a_folder_outside_the_project_or_a_wrong_value_is_refused(
    project, tmp_path, content, paths
):
    folder = project(**content)
    with pytest.raises(InvalidArguments) as refused:
        read_project(folder, tmp_path / "home")
    found = [each.path for each in refused.value.errors]
    assert found == (paths or ["captures", "benchmarks", "workload"])


def test_a_damaged_project_file_is_named(project, tmp_path):
    folder = project()
    (folder / ".understudy" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidArguments, match=r"config\.json is not JSON"):
        read_project(folder, tmp_path / "home")
