from typing import Any

from benchmarks.foundry.merging import adopted_task, merged_contract, merged_task
from benchmarks.records.contract import Contract
from benchmarks.records.task import Task, User

PAY = {"type": "state_effect", "tool": "pay", "arguments": {"id": {"match": "exact", "value": "A"}}}
SHIP = {"type": "state_effect", "tool": "ship"}
ANSWERED = {"type": "response_obligation", "kind": "answered"}
MINE = {"type": "read_obligation", "tool": "get", "provenance": {"kind": "operator"}}


def contract(*entries: dict[str, Any], start: int = 1, **extra: Any) -> Contract:
    required = [{"id": f"o{n}", **entry} for n, entry in enumerate(entries, start)]
    return Contract.read({"status": "machine_proposed", "required": required, **extra})


def said(found: Contract) -> list[tuple[str | None, str | None, str | None]]:
    return [(entry.id, entry.tool, entry.kind) for entry in found.required]


def test_without_a_change_of_inputs_what_stands_stays() -> None:
    edited = contract({**PAY, "arguments": {}}, MINE)
    base = contract(PAY, ANSWERED)
    assert merged_contract(edited, base, base) is edited


def test_untouched_the_contract_becomes_what_the_inputs_give() -> None:
    found = merged_contract(
        contract(PAY, ANSWERED), contract(PAY, ANSWERED), contract(SHIP, ANSWERED)
    )
    assert said(found) == [("o2", None, "answered"), ("o3", "ship", None)]


def test_a_persons_entries_and_edits_stay() -> None:
    mine = contract({**PAY, "arguments": {}}, ANSWERED, MINE)
    found = merged_contract(mine, contract(PAY, ANSWERED), contract(ANSWERED))
    assert said(found) == [("o1", "pay", None), ("o2", None, "answered"), ("o3", "get", None)]


def test_an_entry_that_a_person_took_out_does_not_come_back() -> None:
    found = merged_contract(contract(PAY), contract(PAY, ANSWERED), contract(PAY, ANSWERED, SHIP))
    assert said(found) == [("o1", "pay", None), ("o3", "ship", None)]


def test_merging_twice_is_merging_once() -> None:
    base, fresh = contract(PAY, ANSWERED), contract(SHIP, SHIP, ANSWERED)
    once = merged_contract(contract(PAY, ANSWERED, MINE), base, fresh)
    assert merged_contract(once, base, fresh) == once
    assert [tool for _, tool, _ in said(once)] == [None, "get", "ship", "ship"]


def test_an_id_is_never_given_twice_and_references_follow() -> None:
    made = {**SHIP, "arguments": {"label": {"match": "ref", "entry": "o1", "path": "/id"}}}
    found = merged_contract(
        contract(ANSWERED, start=7), contract(ANSWERED), contract(PAY, made, ANSWERED)
    )
    assert said(found) == [("o7", None, "answered"), ("o8", "pay", None), ("o9", "ship", None)]
    assert found.required[2].arguments == {"label": {"match": "ref", "entry": "o8", "path": "/id"}}


def test_a_scalar_follows_unless_a_person_set_it() -> None:
    base, fresh = contract(writes="forbid"), contract(writes="allow")
    assert merged_contract(contract(writes="forbid"), base, fresh).writes == "allow"
    assert (
        merged_contract(contract(writes="allow"), base, contract(writes="forbid")).writes == "allow"
    )


def task(**changes: Any) -> Task:
    return Task.read({
        "task_id": "t1",
        "title": "Made",
        "boundary_rule": "earliest",
        "candidate_boundary": "k1",
        "outcome_contract": contract(PAY).dump(),
        "user": {"mode": "none", "turns": 0},
        **changes,
    })


def test_a_task_that_nothing_changed_is_itself() -> None:
    mine = task(title="Mine", x_team="blue")
    assert merged_task(mine, task(), task()) is mine


def test_fields_follow_the_source_and_words_stay() -> None:
    mine = task(title="Mine", x_team="blue", split="dev", version="3.0.0")
    fresh = task(title="Made again", candidate_boundary="k2", user={"mode": "scripted", "turns": 2})
    found = merged_task(mine, task(), fresh)
    assert (found.title, found.candidate_boundary, found.user) == (
        "Mine",
        "k2",
        User(mode="scripted", turns=2),
    )
    assert (found.split, found.version, found.dump()["x_team"]) == ("dev", "3.0.0", "blue")
    assert found.task_hash != mine.task_hash


def test_a_script_that_a_person_shortened_stays() -> None:
    mine = task(user={"mode": "scripted", "turns": 1})
    base = task(user={"mode": "scripted", "turns": 3})
    fresh = task(user={"mode": "scripted", "turns": 4})
    assert merged_task(mine, base, fresh).user == User(mode="scripted", turns=1)


def test_a_task_of_the_reference_gets_todays_boundary_and_keeps_its_contract() -> None:
    old = Task.read({
        "task_id": "t1",
        "title": "Old words",
        "split": "heldout",
        "outcome_contract": contract(SHIP).dump(),
    })
    fresh = task(cluster_id="cl-1", category_id="cap-1")
    found = adopted_task(old, fresh)
    assert (found.boundary_rule, found.candidate_boundary) == ("earliest", "k1")
    assert (found.title, found.split, found.category_id) == ("Old words", "holdout", "cap-1")
    assert found.cluster_id == "cl-1"
    assert found.outcome_contract == contract(SHIP)


def test_a_task_of_the_reference_that_required_nothing_is_compiled() -> None:
    empty = Contract.read({
        "status": "machine_proposed",
        "forbidden": [{"id": "x1", "tool": "drop", "reason": "never"}],
    })
    old = Task(task_id="t1", outcome_contract=empty)
    found = adopted_task(old, task()).outcome_contract
    assert said(found) == [("o1", "pay", None)]
    assert [entry.tool for entry in found.forbidden] == ["drop"]
