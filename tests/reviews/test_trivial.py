"""Who passes by saying that they cannot help."""

from typing import Any

import pytest

from benchmarks.records.tool_policy import ToolEntry
from reviews.trivial import passes_by_saying_no
from tests.reviews.factories import ANSWERED, REFUND, make_contract, make_task

TOOLS = {"issue_refund": ToolEntry(effect="write")}
NO_CHANGE = {"id": "o2", "type": "no_state_change"}
SAID = {
    "id": "o3",
    "type": "value_propagation",
    "value": "RF-88213",
    "as": "exact",
    "must_reach": {"kind": "response"},
}


@pytest.mark.parametrize(
    ("contract", "passes"),
    [
        (make_contract(ANSWERED, NO_CHANGE), True),
        (make_contract(ANSWERED), True),
        (make_contract(REFUND), False),
        (make_contract(ANSWERED, SAID), False),
        (make_contract({"id": "o1", "type": "response_obligation", "kind": "consulted"}), False),
        (make_contract({"id": "o1", "type": "response_obligation", "kind": "json_parses"}), False),
        ({**make_contract(), "required": []}, False),
        (make_contract({"id": "o1", "type": "hope"}), False),
    ],
)
def test_contract_that_asks_for_nothing_is_passed(contract: dict[str, Any], passes: bool) -> None:
    assert passes_by_saying_no(make_task(outcome_contract=contract), TOOLS) is passes
