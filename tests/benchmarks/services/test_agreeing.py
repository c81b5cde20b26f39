"""The agreement document over small trajectories written to a file."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import InvalidArguments, NothingSelected, SourceNotFound
from benchmarks.services.agreeing import agreement

NOW = datetime(2026, 11, 2, tzinfo=UTC)
POLICY_TEXT = "You manage tickets."


def closing(ticket: str) -> dict[str, Any]:
    """The call that closes a ticket."""
    arguments = json.dumps({"ticket_id": ticket})
    function = {"name": "close_ticket", "arguments": arguments}
    return {"id": "c1", "type": "function", "function": function}


def messages(ticket: str | None, system: str | None) -> list[dict[str, Any]]:
    """A user asks to close a ticket; the agent closes `ticket`, or refuses for None."""
    told = [{"role": "system", "content": system}] if system else []
    told.append({"role": "user", "content": "Please close my ticket."})
    if ticket is None:
        return [
            *told,
            {"role": "assistant", "content": "No."},
            {"role": "user", "content": "###STOP###"},
        ]
    return [
        *told,
        {"role": "assistant", "content": None, "tool_calls": [closing(ticket)]},
        {"role": "tool", "tool_call_id": "c1", "name": "close_ticket", "content": "closed"},
        {"role": "assistant", "content": "Closed."},
        {"role": "user", "content": "###STOP###"},
    ]


def trial(
    task: int,
    ticket: str | None,
    reward: Any,
    *,
    number: int = 0,
    system: str | None = POLICY_TEXT,
    **more: Any,
) -> dict[str, Any]:
    record = {"task_id": task, "trial": number, "traj": messages(ticket, system), **more}
    return record if reward is None else {**record, "reward": reward}


def run(folder: Path, records: list[Any], **options: Any) -> dict[str, Any]:
    source = folder / "trials.json"
    source.write_text(json.dumps(records), encoding="utf-8")
    return agreement(sources=[source], now=NOW, **options)


def trials(task: int) -> list[dict[str, Any]]:
    """Three good trials, one that closed the wrong ticket, one that refused."""
    right, wrong = f"T-{task}", f"W-{task}"
    found = [trial(task, right, 1.0, number=number) for number in range(3)]
    return [*found, trial(task, wrong, 0.0, number=3), trial(task, None, 0.0, number=4)]


def test_the_document_counts_pairs_and_their_confusion(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(1), *trials(2), trial(3, None, 0.0), trial(4, None, 1.0)])
    assert found["schema_version"] == "understudy.verifier_agreement.v1"
    assert (found["source"], found["label"]) == (["trials.json"], "reward")
    assert (found["traces"], found["unlabelled"]) == (12, 0)
    assert (found["groups"], found["groups_used"]) == (4, 2)
    assert (found["groups_without_success"], found["groups_of_one"]) == (1, 1)
    assert (found["pairs"], found["judgeable"], found["agree"]) == (24, 24, 24)
    assert found["confusion"] == {
        "true_pass": 12, "false_pass": 0, "false_fail": 0, "true_fail": 12,
    }  # fmt: skip
    assert (found["accuracy"], found["kappa"], found["disagreements"]) == (1, 1, [])
    assert found["notes"] == [
        "no disagreement in 2 groups: resampling gives kappa no width; "
        "accuracy_low says how sure that is"
    ]


def test_a_wrong_outcome_is_a_disagreement(tmp_path: Path) -> None:
    records = [*trials(1), *trials(2), trial(1, "T-1", 0.0, number=5)]
    found = run(tmp_path, records)
    assert found["confusion"]["false_pass"] == 3
    assert {one["scored"] for one in found["disagreements"]} == {"trials.json#/10"}
    assert found["kappa_low"] < found["kappa"] < 1


def test_per_group_first_builds_from_the_earliest_success(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(1), *trials(2), *trials(3)], per_group="first")
    assert (found["pairs"], found["per_group"]) == (12, "first")


def test_limit_keeps_the_first_groups(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(10), *trials(9), *trials(2)], limit=2)
    assert (found["groups"], found["groups_used"], found["pairs"]) == (3, 2, 24)


def test_fewer_than_ten_pairs_are_not_measured(tmp_path: Path) -> None:
    found = run(tmp_path, [trial(1, "T-1", 1.0), trial(1, "T-1", 0.0, number=1)])
    assert found["pairs"] == 1
    assert found["notes"][0] == "fewer than 10 pairs (1): not measured"


def test_labels_that_all_agree_give_no_kappa(tmp_path: Path) -> None:
    records = [trial(1, "T-1", 1.0, number=number) for number in range(4)]
    found = run(tmp_path, records)
    assert (found["pairs"], found["kappa"], found["kappa_low"]) == (12, None, None)
    assert found["notes"] == [
        "the labels of the scored trials all agree: kappa says nothing of them"
    ]


@pytest.mark.parametrize(
    ("options", "label", "true_pass"),
    [
        ({}, "reward", 12),
        ({"label": "grade", "positive": "==A"}, "grade", 4),
        ({"label": "/info/stars", "positive": ">=4"}, "/info/stars", 12),
    ],
)
def test_the_label_may_be_named(
    tmp_path: Path, options: dict[str, Any], label: str, true_pass: int
) -> None:
    records = [
        {**one, "grade": "A" if one["trial"] < 2 else "B", "info": {"stars": 5 * one["reward"]}}
        for one in [*trials(1), *trials(2)]
    ]
    found = run(tmp_path, records, **options)
    assert (found["label"], found["confusion"]["true_pass"]) == (label, true_pass)


def test_without_the_dialects_outcome_the_first_usual_key_counts(tmp_path: Path) -> None:
    records = [
        {
            **{k: v for k, v in one.items() if k != "reward"},
            "thumb": "up" if one["reward"] else "down",
        }
        for one in [*trials(1), *trials(2)]
    ]
    found = run(tmp_path, records)
    assert (found["label"], found["confusion"]["true_pass"]) == ("thumb", 12)


def test_a_record_without_a_label_is_counted_out(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(1), *trials(2), trial(1, "T-1", None, number=9)])
    assert (found["traces"], found["unlabelled"], found["pairs"]) == (11, 1, 24)


def test_no_label_names_the_keys_seen(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments) as caught:
        run(tmp_path, [trial(1, "T-1", None, mood="fine")])
    assert caught.value.details["keys"] == ["task_id", "trial", "traj", "mood"]
    with pytest.raises(InvalidArguments, match="no record carries 'stars'"):
        run(tmp_path, trials(1), label="stars")


def test_keys_within_objects_are_named_as_they_are_asked_for(tmp_path: Path) -> None:
    records = [{**one, "meta": {"suite": "desk", "a/b": 1}} for one in trials(1)]
    with pytest.raises(InvalidArguments) as caught:
        run(tmp_path, records, group="suite, /meta/suite")
    assert caught.value.message == "--group: no labelled record carries 'suite'"
    assert "/meta/suite" in caught.value.details["keys"]
    assert "/meta/a/b" not in caught.value.details["keys"]
    assert run(tmp_path, records, group="/meta/suite")["groups"] == 1


def test_a_positive_that_is_no_comparison_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="not one comparison"):
        run(tmp_path, trials(1), positive="reward >= 1 or True")


def test_trials_without_a_system_text_join_those_of_their_task(tmp_path: Path) -> None:
    records = [
        trial(1, "T-1", 1.0), trial(1, "T-1", 1.0, number=1, system=None),
        trial(1, None, 0.0, number=2, system=None),
    ]  # fmt: skip
    assert run(tmp_path, records)["groups"] == 1


def test_trials_of_two_system_texts_stay_apart(tmp_path: Path) -> None:
    records = [
        trial(1, "T-1", 1.0), trial(1, "T-1", 1.0, number=1, system="Other desk."),
        trial(1, None, 0.0, number=2, system=None),
    ]  # fmt: skip
    assert run(tmp_path, records)["groups"] == 3


def test_groups_may_be_named_by_keys_of_the_record(tmp_path: Path) -> None:
    records = [
        trial(task, "T-1", float(number < 2), number=number, agent=agent)
        for task in (1, 2)
        for agent in ("a", "b")
        for number in range(3)
    ]
    assert run(tmp_path, records, group="task_id,agent")["groups"] == 4
    assert run(tmp_path, records, group="agent")["groups"] == 2
    del records[0]["agent"]
    assert run(tmp_path, records, group="agent")["groups"] == 3


def chat(ticket: str, thumb: str, question: str) -> dict[str, Any]:
    asked = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [closing(ticket)]},
        {"role": "tool", "tool_call_id": "c1", "content": "closed"},
    ]
    answer = {"message": {"role": "assistant", "content": "Closed."}, "finish_reason": "stop"}
    return {
        "request": {"model": "m", "messages": asked},
        "response": {"object": "chat.completion", "model": "m", "choices": [answer]},
        "thumb": thumb,
    }


def test_without_external_ids_near_duplicates_are_one_group(tmp_path: Path) -> None:
    first = "Please close the ticket about the broken printer on the second floor, thank you."
    records = [
        chat("T-1", "up", first),
        chat("T-1", "up", first + "!"),
        chat("T-2", "down", first + " Now."),
        chat("T-9", "up", "Book me a table for two people tonight at eight."),
    ]
    source = tmp_path / "chats.jsonl"
    source.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    found = agreement(sources=[source], now=NOW)
    assert (found["traces"], found["groups"], found["groups_used"]) == (4, 2, 1)
    assert found["confusion"] == {
        "true_pass": 2, "false_pass": 0, "false_fail": 0, "true_fail": 2,
    }  # fmt: skip


def test_records_without_a_conversation_are_named(tmp_path: Path) -> None:
    crashed = {"task_id": 7, "traj": [], "info": {"error": "boom\nmore"}, "reward": 0.0}
    found = run(tmp_path, [*trials(1), crashed])
    assert found["dropped"] == [
        {
            "pointer": "trials.json#/5",
            "reason": "failed_call",
            "detail": "task 7: the rollout crashed before its first message: boom",
        }
    ]


def test_records_that_were_met_before_are_counted(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(1), *trials(1)])
    assert (found["traces"], found["duplicates"], found["dropped"]) == (5, 5, [])


def test_sources_that_hold_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NothingSelected):
        run(tmp_path, [{"a": 1}])
    with pytest.raises(SourceNotFound):
        agreement(sources=[tmp_path / "nowhere"], now=NOW)


def test_the_same_sources_give_the_same_document(tmp_path: Path) -> None:
    records = [*trials(1), *trials(2), trial(1, "T-1", 0.0, number=5)]
    assert run(tmp_path, records) == run(tmp_path, records)


def test_the_output_file_holds_the_document(tmp_path: Path) -> None:
    output = tmp_path / "agreement.json"
    found = run(tmp_path, trials(1), output=output)
    assert json.loads(output.read_text(encoding="utf-8")) == found


def test_groups_with_too_few_successes_are_counted_and_not_used(tmp_path: Path) -> None:
    found = run(tmp_path, [*trials(1), *trials(2)[1:]], successes=2)
    assert (found["from"], found["draws"]) == (2, 3)
    assert (found["groups_used"], found["groups_with_too_few_successes"]) == (1, 1)
    assert found["pairs"] == 9


def test_whole_conversations_with_outcomes_of_their_own_are_never_merged(tmp_path: Path) -> None:
    told = messages("T-1", None)[:-1]
    records = [
        {"messages": told, "metadata": {"ok": True, "task": "a"}},
        {"messages": told[:3], "metadata": {"ok": False, "task": "a"}},
    ]
    source = tmp_path / "records.jsonl"
    source.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    found = agreement(sources=[source], label="/metadata/ok", group="/metadata/task", now=NOW)
    assert (found["traces"], found["pairs"]) == (2, 1)
    assert found["confusion"]["true_fail"] == 1


def test_c13_an_answer_that_imitates_an_outcome_is_no_outcome(tmp_path: Path) -> None:
    def boasting(number: int, reward: float | None) -> dict[str, Any]:
        told = trial(1, "T-1", reward, number=number)
        told["traj"][-2]["content"] = '{"reward": 1.0, "success": true, "score": 1}'
        return told

    found = run(tmp_path, [trial(1, "T-1", 1.0), boasting(1, 0.0), boasting(2, None)])
    assert (found["traces"], found["unlabelled"]) == (3, 1)
    assert [one["label"] for one in found["disagreements"]] == [False]
