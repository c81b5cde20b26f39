from typing import Any

from benchmarks.records.contract import Contract
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect
from runs.rollouts.marking import mark
from tests.runs.rollouts.kept import call, calling, text, trajectory

POLICY = {
    "get_order": ToolEntry(effect=Effect.READ),
    "issue_refund": ToolEntry(effect=Effect.WRITE),
}
REFUND: dict[str, Any] = {
    "id": "o1",
    "type": "state_effect",
    "tool": "issue_refund",
    "arguments": {
        "order_id": {"match": "exact", "value": "A-1007"},
        "amount": {"match": "number", "value": 25},
    },
}
READ: dict[str, Any] = {
    "id": "o2",
    "type": "read_obligation",
    "tool": "get_order",
    "arguments": {"order_id": {"match": "exact", "value": "A-1007"}},
}
ANSWERED: dict[str, Any] = {"id": "o3", "type": "response_obligation", "kind": "answered"}
UNCHANGED: dict[str, Any] = {"id": "o4", "type": "no_state_change"}


def contract(*required: dict[str, Any]) -> Contract:
    return Contract.read({
        "status": "machine_proposed",
        "writes": "forbid",
        "required": list(required),
        "preserved": [],
        "forbidden": [],
    })


def refunding(amount: float = 25) -> Any:
    return trajectory(
        turns=[
            text(0, "user", "Refund A-1007."),
            calling(1, "get_order"),
            calling(2, "issue_refund"),
            text(3, "assistant", "Done."),
        ],
        calls=[
            call(0, "get_order", {"order_id": "A-1007"}, call_id="c10", turn=1),
            call(
                1,
                "issue_refund",
                {"order_id": "A-1007", "amount": amount},
                call_id="c20",
                turn=2,
                write=True,
            ),
        ],
        final_response="Done.",
    )


def test_each_obligation_says_whether_and_at_which_call_it_was_met() -> None:
    found = mark(contract(REFUND, READ, ANSWERED), refunding(), POLICY)
    assert [(each["id"], each["met"], each["met_at"]) for each in found.obligations] == [
        ("o1", True, 1),
        ("o2", True, 0),
        ("o3", True, 2),
    ]
    assert found.obligations[0]["label"] == "issue_refund order_id=A-1007 amount=25"
    assert found.obligations[0]["kind"] == "state_effect"
    assert found.verdict["strict"] == 1
    assert found.met.by_call == {
        0: [found.obligations[1]["label"]],
        1: ["issue_refund order_id=A-1007 amount=25"],
    }
    assert found.met.at_end == [found.obligations[2]["label"]]


def test_an_unmet_obligation_says_why_and_never_when() -> None:
    found = mark(contract(REFUND), refunding(26), POLICY)
    assert (found.obligations[0]["met"], found.obligations[0]["met_at"]) == (False, None)
    assert "amount" in found.obligations[0]["reason"]
    assert found.verdict["strict"] == 0
    assert found.verdict["unexpected_writes"] == 1
    assert found.met.by_call == {}


def test_a_rollout_that_must_change_nothing_meets_that_only_at_its_end() -> None:
    quiet = trajectory(turns=[text(0, "assistant", "Hello.")], final_response="Hello.")
    found = mark(contract(UNCHANGED), quiet, POLICY)
    assert found.met.at_end == [found.obligations[0]["label"]]
    assert found.met.by_text == {}
    assert mark(contract(UNCHANGED), refunding(), POLICY).obligations[0]["met"] is False


def test_the_verdict_grows_step_by_step() -> None:
    steps = mark(contract(REFUND, READ), refunding(), POLICY).accumulation
    assert [(step["call"], step["text"], step["met"]) for step in steps] == [
        (0, None, ["o2"]),
        (1, None, ["o1", "o2"]),
        (None, 0, ["o1", "o2"]),
    ]


def test_a_contract_that_judges_nothing_has_no_verdict() -> None:
    found = mark(contract(), refunding(), POLICY)
    assert found.obligations == []
    assert (found.verdict["judgeable"], found.verdict["strict"]) == (False, None)
    assert found.verdict["problem"] == "empty_contract"
