from typing import Any

import pytest

from benchmarks.records.blocks import Hashes
from benchmarks.records.task import Task
from benchmarks.versioning.hashing import (
    content_hashes,
    environment_sha256,
    group_of,
    is_edited,
    restamp,
    splits_sha256,
)

VECTOR: dict[str, Any] = {
    "schema_version": "understudy.benchmark_task.v1",
    "task_id": "task-aaaa",
    "title": "Refund order A-1007",
    "split": "train",
    "category_id": "cap-1",
    "version": "1.0.0",
    "tool_surface": ["get_order", "issue_refund"],
    "candidate_boundary": "k1",
    "outcome_contract": {
        "status": "machine_proposed",
        "grading": "final_state_and_obligations",
        "writes": "forbid",
        "required": [
            {
                "id": "o1",
                "type": "state_effect",
                "tool": "issue_refund",
                "arguments": {"amount": {"match": "number", "value": 25}},
            }
        ],
        "preserved": [],
        "forbidden": [],
    },
    "environment_ref": "abc",
    "review": {"decision": "pending_final_judgment"},
}
ENV = "3600380da423c425cf12fbbe5e533334ade7dab5b345677ac6c057e60df5523f"
VERIFIER = "46c8e5f4d51c2c7a436c7244e57b71d650fe57c4de8c39f0e8626522dff7d8d0"
META = "7cca9f452078500a8b980b8ea50f0c67ec153f5efa252f11d0ba1cd33a49df51"


def with_amount(value: object) -> dict[str, Any]:
    contract = VECTOR["outcome_contract"]
    entry = {
        **contract["required"][0],
        "arguments": {"amount": {"match": "number", "value": value}},
    }
    return {**VECTOR, "outcome_contract": {**contract, "required": [entry]}}


def ours(**changes: Any) -> Task:
    line = {**VECTOR, "boundary_rule": "earliest", **changes}
    return restamp(None, Task.read(line))


def test_the_printed_vector_holds() -> None:
    assert content_hashes(VECTOR) == Hashes(
        env_sha256=ENV, verifier_sha256=VERIFIER, meta_sha256=META
    )


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ({**VECTOR, "title": "Another"}, {"meta"}),
        (with_amount(26), {"verifier"}),
        (with_amount(25.0), set()),
        ({**VECTOR, "tool_surface": ["get_order"]}, {"env"}),
        ({**VECTOR, "x_unknown": 1}, {"env"}),
        ({**VECTOR, "environment_sha256": "e5"}, {"env"}),
        ({**VECTOR, "environment_ref": "def", "status": "blocked", "version": "9.9.9"}, set()),
        ({**VECTOR, "split": "holdout", "world_model": {"status": "x"}}, {"meta"}),
        ({**VECTOR, "claims": [{"claim": "x"}]}, {"verifier"}),
    ],
)
def test_a_change_moves_only_its_group(line: dict[str, Any], moved: set[str]) -> None:
    hashes = content_hashes(line)
    expected = {"env": ENV, "verifier": VERIFIER, "meta": META}
    assert {
        group for group, digest in expected.items() if getattr(hashes, f"{group}_sha256") != digest
    } == moved


@pytest.mark.parametrize(
    ("key", "group"),
    [
        ("outcome_contract", "verifier"),
        ("claims", "verifier"),
        ("helpers", "meta"),
        ("tool_definitions", "env"),
        ("never_heard_of", "env"),
        ("machine_confidence", None),
        ("stamp_basis", None),
    ],
)
def test_group_of_a_key(key: str, group: str | None) -> None:
    assert group_of(key) == group


def test_a_new_task_is_stamped_with_its_own_digests() -> None:
    task = ours()
    assert task.content_hashes == content_hashes(task)
    assert task.stamp_basis is None
    assert not is_edited(task)


def test_an_edit_by_hand_is_seen_and_regenerating_cures_it() -> None:
    edited = ours().with_(title="By hand")
    assert is_edited(edited)
    assert is_edited(edited.dump())
    stamped = restamp(edited, edited)
    assert not is_edited(stamped)
    assert stamped.content_hashes == content_hashes(edited)


def test_a_key_of_no_group_is_no_edit() -> None:
    assert not is_edited(ours().with_(status="human_approved", environment_ref="other"))


def test_a_task_of_the_reference_is_never_called_edited() -> None:
    stamps = Hashes(env_sha256="r1", verifier_sha256="r2", meta_sha256="r3")
    assert not is_edited(Task.read(VECTOR).with_(content_hashes=stamps))


def test_stamps_of_the_reference_stay_where_the_group_did_not_change() -> None:
    stamps = Hashes(env_sha256="r1", verifier_sha256="r2", meta_sha256="r3")
    old = Task.read(VECTOR).with_(content_hashes=stamps)
    new = old.with_(title="Another", boundary_rule="earliest")
    stamped = restamp(old, new)
    fresh = content_hashes(new)
    assert stamped.content_hashes == Hashes(
        env_sha256=fresh.env_sha256, verifier_sha256="r2", meta_sha256=fresh.meta_sha256
    )
    assert stamped.stamp_basis == fresh
    assert not is_edited(stamped)
    assert is_edited(stamped.with_(outcome_contract=with_amount(26)["outcome_contract"]))


def test_the_basis_goes_when_every_kept_stamp_has_moved() -> None:
    stamps = Hashes(env_sha256="r1", verifier_sha256="r2", meta_sha256="r3")
    old = Task.read(VECTOR).with_(content_hashes=stamps)
    changed = Task.read(with_amount(26)).with_(title="Another", boundary_rule="earliest")
    stamped = restamp(old, changed)
    assert stamped.content_hashes == content_hashes(changed)
    assert stamped.stamp_basis is None


def test_restamping_twice_changes_nothing() -> None:
    stamps = Hashes(env_sha256="r1", verifier_sha256="r2", meta_sha256="r3")
    old = Task.read(VECTOR).with_(content_hashes=stamps)
    once = restamp(old, old.with_(title="Another", boundary_rule="earliest"))
    assert restamp(once, once) == once


ROW = {"task_id": "t1", "prompt": "Refund it.", "split": "train", "outcome_contract": {"a": 1}}
FIXTURES = [{"task_id": "t1", "tool": "get", "arguments": {}, "content": 1}]
SCHEMAS = {"get": {"required": ["id"], "observed_n": 3, "observation_counts": {}}}
GUIDANCE = {"get": {"missing_required:id": "id is missing"}}


@pytest.mark.parametrize(
    "change",
    [
        {"row": {**ROW, "prompt": "Refund another."}},
        {"fixtures": [*FIXTURES, {"tool": "get", "arguments": {"id": 2}, "content": 2}]},
        {"schemas": {"get": {"required": [], "observed_n": 3}}},
        {"guidance": {}},
    ],
)
def test_an_environment_digest_moves_with_what_a_candidate_can_meet(change: dict[str, Any]) -> None:
    slice_ = {"row": ROW, "fixtures": FIXTURES, "schemas": SCHEMAS, "guidance": GUIDANCE}
    assert environment_sha256(**{**slice_, **change}) != environment_sha256(**slice_)


@pytest.mark.parametrize(
    "change",
    [
        {"row": {**ROW, "outcome_contract": {"a": 2}}},
        {"row": {**ROW, "split": "holdout"}},
        {"schemas": {"get": {"required": ["id"], "observed_n": 4, "observation_counts": {"x": 1}}}},
    ],
)
def test_an_environment_digest_stays_with_contract_split_and_counts(change: dict[str, Any]) -> None:
    slice_ = {"row": ROW, "fixtures": FIXTURES, "schemas": SCHEMAS, "guidance": GUIDANCE}
    assert environment_sha256(**{**slice_, **change}) == environment_sha256(**slice_)


def test_the_printed_digest_of_splits_holds() -> None:
    assert splits_sha256([("task-aaaa", "train"), ("task-bbbb", "holdout")]) == (
        "f9b8c5eb9ed43e385783b70bab7d233fa81cb5dce586f56ab5fe1e70181a7378"
    )
