import pytest

from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.foundry.card_words import (
    DEMANDS,
    card_name,
    demands_of,
    direction_id,
    plural,
    told_apart,
)
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool


def policy_of(*names: str, **ids: str) -> Policy:
    """`get_order="order_id"`: a tool with an id argument."""
    tools = [Tool(name=name) for name in names]
    for name, argument in ids.items():
        schema = {"type": "object", "properties": {argument: {"type": "string"}}}
        tools.append(Tool(name=name, parameters=schema))
    return effective_policy(None, tools)


@pytest.mark.parametrize(
    ("tools", "name"),
    [
        ({"cancel_reservation": 5, "update_reservation_flights": 7, "get_user": 12},
         "Update and cancel reservations"),
        ({"issue_refund": 3, "get_order": 9}, "Issue refunds"),
        ({"book_flight": 2, "send_certificate": 2}, "Book flights, send certificates"),
        ({"create_tag": 4, "delete_box": 3, "add_row": 2}, "Create tags, delete boxes"),
        ({"get_order": 4, "list_user_details": 2}, "Look up orders and users"),
        ({"mcp__github__create_issue": 1}, "Create issues"),
        ({"Edit": 2, "Read": 5}, "Edit"),
        ({"run_sql": 1}, "Use run_sql"),
        ({"think": 3, "get_order": 1, "transfer_to_human_agents": 4}, "Look up orders"),
        ({"think": 3}, "Answer without tools"),
        ({}, "Answer without tools"),
    ],
)  # fmt: skip
def test_a_card_is_named_for_what_its_tools_do(tools: dict[str, int], name: str) -> None:
    ids = {"cancel_reservation": "reservation_id", "update_reservation_flights": "reservation_id",
           "issue_refund": "order_id", "get_order": "order_id"}  # fmt: skip
    known = {tool: ids[tool] for tool in tools if tool in ids}
    assert card_name(tools, policy_of(*(tools.keys() - known.keys()), **known)) == name


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Update and cancel reservations", "update-and-cancel-reservations"),
        ("Look up: a/b", "look-up-a-b"),
        ("—", "direction"),
        ("x" * 80, "x" * 60),
    ],
)
def test_an_id_is_the_name_in_plain_letters(name: str, made: str) -> None:
    assert direction_id(name) == made


@pytest.mark.parametrize(
    ("word", "many"),
    [("order", "orders"), ("policy", "policies"), ("day", "days"), ("box", "boxes"),
     ("flights", "flights"), ("address", "addresses"), ("branch", "branches")],
)  # fmt: skip
def test_plural(word: str, many: str) -> None:
    assert plural(word) == many


def test_cards_of_one_name_are_told_apart_by_their_words() -> None:
    assert told_apart("Cancel orders", ["late", "broken"]) == "Cancel orders: late and broken"
    assert told_apart("Cancel orders", []) == "Cancel orders"


def contract(*entries: dict, writes: str = "forbid", **more: list) -> Contract:
    return Contract.read({
        "status": "machine_proposed", "writes": writes, "required": list(entries), **more
    })  # fmt: skip


def test_each_kind_of_obligation_is_one_sentence_with_its_count() -> None:
    effect = {"type": "state_effect", "tool": "issue_refund"}
    answered = {"type": "response_obligation", "kind": "answered"}
    found = demands_of([
        contract(effect, effect, answered),
        contract({"type": "no_state_change"}, answered, writes="allow"),
    ])
    assert found == [
        "the right change is made, once, with the right values (1 of 2)",
        "nothing is changed (1 of 2)",
        "the user gets an answer (2 of 2)",
        "no other change is made (1 of 2)",
    ]


def test_what_is_preserved_and_forbidden_is_said() -> None:
    found = demands_of([contract(preserved=[{"id": "p1"}], forbidden=[{"id": "x1"}])])
    assert found == [
        f"{DEMANDS[kind]} (1 of 1)" for kind in ("preserved", "forbidden", "extra_writes")
    ]
