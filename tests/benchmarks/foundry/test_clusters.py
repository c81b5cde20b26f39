import pytest

from benchmarks.foundry.clusters import Kin, clusters_of, demand_of, identities_of
from benchmarks.records.contract import Contract
from tests.benchmarks.foundry.factories import call, conversation

REFUND = {"id": "o1", "type": "state_effect", "tool": "refund", "arguments": {"id": {"match": "x"}}}


def kin(name: str, text: str = "", **extra: object) -> Kin:
    return Kin(task_id=name, user_text=text or f"a text of its own: {name * 9}", **extra)


def contract(*required: dict) -> Contract:
    return Contract.read({"status": "machine_proposed", "required": list(required)})


def test_nothing_in_common_is_a_cluster_each() -> None:
    assert clusters_of([kin("b"), kin("a")]) == [("a",), ("b",)]


def test_one_lineage_one_demand_one_text_is_one_cluster() -> None:
    members = [
        kin("a", lineage=("task 7",)),
        kin("b", lineage=("task 7", "root k1")),
        kin("c", lineage=("root k1",), demand="d"),
        kin("d", demand="d", text="Refund order A-1007, it came broken and late."),
        kin("e", text="Refund order A-1007, it came broken and late!"),
        kin("f", text="Book a flight to Paris on Monday, please."),
    ]
    assert clusters_of(members) == [("a", "b", "c", "d", "e"), ("f",)]


@pytest.mark.parametrize(("sharing", "clusters"), [(4, 1), (5, 5)])
def test_only_a_rare_identity_puts_tasks_together(sharing: int, clusters: int) -> None:
    members = [kin(f"t{n}", identities=frozenset({"mia"})) for n in range(sharing)]
    assert len(clusters_of(members)) == clusters


@pytest.mark.parametrize(
    ("required", "specific"),
    [
        ([], False),
        ([{"id": "o1", "type": "no_state_change"}], False),
        ([{"id": "o1", "type": "response_obligation", "kind": "answered"}], False),
        ([REFUND], True),
        ([{"id": "o1", "tool": "refund"}], True),
        ([{"id": "o1", "type": "value_propagation", "value": 7}], True),
        ([{"id": "o1", "type": "response_obligation", "kind": "value", "at": "/x"}], True),
    ],
)
def test_a_demand_is_a_state_effect_or_a_value(required: list[dict], specific: bool) -> None:
    assert (demand_of(contract(*required)) is not None) is specific


def test_demands_are_equal_whatever_the_order_ids_and_evidence() -> None:
    other = {"id": "o2", "type": "value_propagation", "value": 7}
    again = {**REFUND, "id": "o9", "provenance": {"kind": "trace"}, "confidence": "low"}
    assert demand_of(contract(REFUND, other)) == demand_of(contract(other, again))
    assert demand_of(contract(REFUND)) != demand_of(contract(REFUND, other))


def test_who_the_user_is_stands_in_identity_arguments_and_mails() -> None:
    made = conversation([
        ("user", "I am kim@Example.com, order A-1007."),
        ("assistant", call("get_user", user_id="Mia_3"), call("get_order", order_id="A-1007")),
        ("assistant", call("set", "c2", customer="kim", account_number="77", user_note="hello")),
    ])
    assert identities_of(made, "I am kim@Example.com, order A-1007.") == {
        "kim@example.com",
        "mia_3",
        "kim",
        "77",
    }
