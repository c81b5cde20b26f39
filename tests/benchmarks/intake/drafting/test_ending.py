import pytest

from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.records.conversation import Refusal, Text

SAID = Text(text="words")
LOOK = CallFound("a", "get_order", "{}")
GOOD = ResultFound("a", None, [Text(text="4")])
BAD = ResultFound("a", None, [Text(text="Error: no")])
HANDOFF = CallFound("a", "transfer_to_human_agents", "{}")
FINISH = CallFound("a", "finish", "{}")
SEARCH = CallFound("s", "web_search", "{}", executed_by="provider", silent=True)


def reason(*steps: tuple, **signals: object) -> str:
    draft = Draft()
    for role, *pieces in steps:
        draft.add(role, pieces)
    return end_of(draft.turns, **signals).reason


@pytest.mark.parametrize(
    ("steps", "signals", "expected"),
    [
        ([("user", SAID), ("assistant", SAID)], {"user_stopped": True}, "user_stop"),
        ([("assistant", HANDOFF), ("tool", GOOD)], {}, "handoff"),
        ([("assistant", HANDOFF)], {}, "handoff"),
        ([("assistant", HANDOFF), ("tool", GOOD)], {"limit": "steps"}, "handoff"),
        ([("assistant", FINISH), ("tool", GOOD), ("assistant", SAID)], {}, "finish"),
        ([("assistant", LOOK), ("tool", GOOD)], {"limit": "steps"}, "limit"),
        ([("user", SAID), ("assistant", SAID)], {}, "reply"),
        ([("user", SAID), ("assistant", Refusal(text="no"))], {}, "reply"),
        ([("assistant", LOOK), ("tool", GOOD), ("assistant", SAID)], {}, "reply"),
        ([("assistant", LOOK), ("tool", BAD)], {}, "error"),
        ([("assistant", LOOK), ("tool", GOOD)], {}, "open"),
        ([("user", SAID), ("assistant", SAID, LOOK)], {}, "open"),
        ([("user", SAID), ("assistant", SAID), ("user", SAID)], {}, "open"),
        ([("user", SAID), ("assistant", SEARCH, SAID)], {}, "reply"),
        ([("user", SAID), ("assistant", SAID, SEARCH)], {}, "open"),
        ([("user", SAID), ("assistant", LOOK, SEARCH, SAID)], {}, "open"),
        ([("user", SAID), ("assistant",)], {}, "unknown"),
        ([], {}, "unknown"),
    ],
)
def test_the_first_rule_that_holds_is_the_end(
    steps: list[tuple], signals: dict, expected: str
) -> None:
    assert reason(*steps, **signals) == expected


def test_the_user_s_word_comes_before_a_hand_off_and_a_limit() -> None:
    steps = [("assistant", HANDOFF), ("tool", GOOD)]
    assert reason(*steps, user_stopped=True, limit="steps") == "user_stop"


def test_a_rejected_hand_off_ends_nothing() -> None:
    assert reason(("assistant", HANDOFF), ("tool", BAD)) == "error"
    assert reason(("assistant", HANDOFF), ("tool", BAD), ("assistant", SAID)) == "reply"


def test_a_hand_off_that_another_call_follows_is_not_the_last() -> None:
    other = CallFound("b", "get_order", "{}")
    result = ResultFound("b", None, [Text(text="4")])
    steps = [("assistant", HANDOFF), ("tool", GOOD), ("assistant", other), ("tool", result)]
    assert reason(*steps) == "open"


def test_a_failed_model_call_is_an_error_though_the_user_spoke_last() -> None:
    assert reason(("user", SAID), failed="status 500") == "error"


def test_only_four_ends_are_closed() -> None:
    draft = Draft()
    draft.add("user", [SAID])
    draft.add("assistant", [SAID])
    assert end_of(draft.turns).closed
    assert not end_of(draft.turns, limit="tokens").closed
    assert not end_of(draft.turns[:1]).closed
