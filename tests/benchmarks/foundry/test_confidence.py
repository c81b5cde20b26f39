import pytest

from benchmarks.foundry.confidence import Grounds

SOUND = {
    "closed": True,
    "calls_classed": True,
    "calls_parsed": True,
    "writes_confirmed": True,
    "tools_defined": True,
    "judgeability": "full",
    "is_fallback": False,
    "dialect": "openai.chat",
}


@pytest.mark.parametrize(
    ("flaw", "confidence", "close_call", "status"),
    [
        ({}, "high", False, "machine_proposed"),
        ({"closed": False}, "low", True, "needs_review"),
        ({"calls_classed": False}, "low", True, "needs_review"),
        ({"calls_parsed": False}, "low", True, "needs_review"),
        ({"is_fallback": True}, "low", True, "needs_review"),
        ({"judgeability": "none"}, "low", True, "needs_review"),
        ({"judgeability": "weak"}, "medium", True, "needs_review"),
        ({"judgeability": "partial"}, "medium", True, "machine_proposed"),
        ({"writes_confirmed": False}, "medium", True, "machine_proposed"),
        ({"tools_defined": False}, "medium", True, "machine_proposed"),
        ({"dialect": "messages"}, "medium", True, "machine_proposed"),
        ({"hidden_workloads": True}, "high", True, "needs_review"),
    ],
)
def test_what_a_tasks_confidence_rests_on(
    flaw: dict[str, object], confidence: str, close_call: bool, status: str
) -> None:
    grounds = Grounds(**{**SOUND, **flaw})
    assert (grounds.confidence, grounds.close_call, grounds.status) == (
        confidence,
        close_call,
        status,
    )
