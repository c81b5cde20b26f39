import pytest

from benchmarks.contract.mutating import effective_policy
from benchmarks.foundry.posture import decided_posture, suggested_posture
from benchmarks.records.conversation import Tool
from benchmarks.records.direction import Dependencies

GET, SET, SQL = Tool(name="get_order"), Tool(name="cancel_order"), Tool(name="sql")
FINISH = Tool(name="submit_answer")
POLICY = effective_policy(None, [GET, SET, SQL, FINISH])


def dependencies(**postures: tuple[str, str | None]) -> Dependencies:
    return Dependencies.read({
        "dependencies": [
            {"name": name, "kind": "other", "tools": [name], "posture": posture,
             **({"approved_by": by} if by else {})}
            for name, (posture, by) in postures.items()
        ]
    })  # fmt: skip


@pytest.mark.parametrize(
    ("tools", "posture"),
    [([GET], "frozen"), ([GET, SET], "simulated"), ([SQL], "simulated"), ([FINISH], "frozen"),
     ([], "frozen")],
)  # fmt: skip
def test_simulated_is_suggested_where_something_can_be_written(
    tools: list[Tool], posture: str
) -> None:
    assert suggested_posture(tools, POLICY) == posture


@pytest.mark.parametrize(
    ("said", "posture"),
    [
        ({}, None),
        ({"get_order": ("frozen", None)}, None),
        ({"get_order": ("frozen", "os:mira")}, "frozen"),
        ({"get_order": ("frozen", "os:mira"), "cancel_order": ("simulated", None)}, "simulated"),
        ({"get_order": ("live", "os:mira"), "cancel_order": ("frozen", "os:mira")}, "live"),
        ({"get_order": ("live", None), "cancel_order": ("frozen", "os:mira")}, "frozen"),
        ({"other": ("live", "os:mira")}, None),
    ],
)
def test_what_was_approved_decides_and_a_live_posture_needs_a_name(
    said: dict, posture: str | None
) -> None:
    assert decided_posture([GET, SET], dependencies(**said)) == posture
    assert decided_posture([GET, SET], None) is None
