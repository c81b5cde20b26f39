"""Names made from ids: the cases F09 and F10, and what no name may do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.artifacts import layout
from benchmarks.artifacts.layout import arm_names, safe
from benchmarks.errors import InvalidArguments


def test_f09_labels_that_sanitise_alike_get_different_names():
    names = arm_names(["openai/gpt-4o", "openai:gpt-4o", "GPT-4o", "gpt-4o"])
    assert names == {
        "openai/gpt-4o": "openai_gpt-4o",
        "openai:gpt-4o": "openai_gpt-4o~1cffe337",
        "GPT-4o": "GPT-4o",
        "gpt-4o": "gpt-4o~a2a69af7",
    }


def test_f10_names_of_dots_of_other_scripts_of_regrades_and_of_great_length():
    assert arm_names(["модель", "другая", "regrade-1-x", "a" * 90, ".."]) == {
        "модель": "_",
        "другая": "_~437a0fb0",
        "regrade-1-x": "regrade-1-x~c163fafb",
        "a" * 90: "a" * 80,
        "..": "_~5ec1f7e7",
    }


def test_a_regrade_prefix_collides_in_any_case():
    assert arm_names(["Regrade-x"])["Regrade-x"].startswith("Regrade-x~")


@given(st.lists(st.text(max_size=100), unique=True, max_size=30))
def test_no_two_arms_share_a_file_and_every_name_is_one_component(labels):
    names = arm_names(labels)
    assert len({name.casefold() for name in names.values()}) == len(labels)
    for name in names.values():
        assert layout.rows("run-1", name).path == f"rows-run-1-{name}.jsonl"


@pytest.mark.parametrize(
    ("text", "name"),
    [("a b//c", "a_b_c"), ("", "_"), (".", "_"), ("...", "_"), ("é", "_"), ("a~b", "a_b")],
)
def test_unsafe_characters_become_one_underscore(text, name):
    assert safe(text) == name


@pytest.mark.parametrize("run_id", ["run-5be1c0d2a9f34e77", "a", "A.b_c-9", "x" * 128, "..."])
def test_run_ids_of_any_door_are_accepted(run_id):
    assert layout.request(run_id).path == f"runs/queue/{run_id}.json"


@pytest.mark.parametrize("run_id", ["", ".", "..", "a/b", "../x", "a b", "x" * 129, "é", "a\n"])
def test_run_ids_that_are_no_names_are_refused(run_id):
    for file_of in (layout.request, layout.overrides):
        with pytest.raises(InvalidArguments, match="run id"):
            file_of(run_id)


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "a b"])
def test_arm_names_that_are_no_names_are_refused(name):
    for file_of in (layout.rows, layout.trajectories, layout.live):
        with pytest.raises(InvalidArguments, match="arm name"):
            file_of("run-1", name)


def test_the_files_of_an_arm_share_one_stem():
    assert layout.rows("run-1", "m").path == "rows-run-1-m.jsonl"
    assert layout.trajectories("run-1", "m").path == "runs/trajectories/run-1-m.jsonl"
    assert layout.live("run-1", "m").path == "runs/live/run-1-m.jsonl"
    assert layout.overrides("run-1").path == "runs/run-1-overrides.json"


def test_only_files_of_the_claims_holder_are_fenced():
    fenced = [layout.rows("r", "m"), layout.trajectories("r", "m"), layout.live("r", "m")]
    assert all(file.fenced for file in fenced)
    assert not any(file.fenced for file in (layout.REVIEWS, layout.EVENTS, layout.VERSIONS))
