from runs.rollouts.events import journal_events, of_rollout, trajectory_events
from runs.rollouts.marking import Met
from tests.runs.rollouts.kept import call, calling, line, text, trajectory


def told(events: list) -> list[tuple]:
    return [(event["kind"], event["tool"], event["content"]) for event in events]


def test_a_rollout_is_told_in_order_with_each_call_before_its_result() -> None:
    kept = trajectory(
        turns=[
            text(0, "system", "Be kind."),
            text(1, "user", "Refund A-1007."),
            calling(2, "get_order", words="Looking."),
            calling(3, "issue_refund"),
            text(4, "assistant", "Done."),
        ],
        calls=[
            call(0, "get_order", call_id="c20", turn=2),
            call(1, "issue_refund", {"amount": 25}, call_id="c30", turn=3, write=True),
        ],
        final_response="Done.",
    )
    events = trajectory_events(kept, Met({1: ["o1"]}, {1: ["o2"]}, ["o3"]))
    assert told(events) == [
        ("user", None, "Refund A-1007."),
        ("assistant", None, "Looking."),
        ("call", "get_order", None),
        ("result", "get_order", "answer 0"),
        ("call", "issue_refund", None),
        ("result", "issue_refund", "answer 1"),
        ("assistant", None, "Done."),
        ("final_response", None, "Done."),
    ]
    assert [event["index"] for event in events] == list(range(8))
    assert events[4]["satisfies"] == ["o1"]
    assert (events[4]["write"], events[4]["arguments"]) == (True, {"amount": 25})
    assert events[6]["satisfies"] == ["o2"]
    assert events[7]["satisfies"] == ["o3"]
    assert [event["satisfies"] for event in events[:4]] == [[], [], [], []]


def test_calls_of_arms_that_say_nothing_are_told_too() -> None:
    kept = trajectory(calls=[call(0, "a"), call(1, "b", status="rejected")])
    assert [(e["kind"], e["tool"], e["status"]) for e in trajectory_events(kept, Met())] == [
        ("call", "a", "ok"),
        ("result", "a", "ok"),
        ("call", "b", "rejected"),
        ("result", "b", "rejected"),
    ]


def test_arguments_that_did_not_parse_are_shown_as_they_were() -> None:
    raw = call(0, "a", arguments_raw="{broken")
    raw["arguments"] = None
    assert trajectory_events(trajectory(calls=[raw]), Met())[0]["arguments"] == "{broken"


def test_no_final_text_is_no_event() -> None:
    assert trajectory_events(trajectory(), Met(at_end=["o1"])) == []


INTERLEAVED = [
    line(1, "rollout_start", task_id="t1", rollout=0, attempt=1),
    line(2, "call", task_id="t1", rollout=0, tool="lost", arguments="{}"),
    line(3, "rollout_start", task_id="t2", rollout=0, attempt=1),
    line(4, "rollout_start", task_id="t1", rollout=0, attempt=2),
    line(5, "call", task_id="t2", rollout=0, tool="other", arguments="{}", write=False),
    line(6, "call", task_id="t1", rollout=0, tool="mine", arguments='{"a":1}', write=True),
    line(7, "result", task_id="t2", rollout=0, tool="other", status="ok", content="x"),
    line(8, "result", task_id="t1", rollout=0, tool="mine", status="ok", content="y"),
    line(9, "usage", task_id="t1", rollout=0),
    line(10, "final_response", task_id="t1", rollout=0, content="Bye."),
]


def test_f34_only_the_lines_of_the_rollout_and_of_its_newest_attempt_are_read() -> None:
    own = of_rollout(INTERLEAVED, task_id="t1", rollout=0)
    assert own is not None
    assert [found.seq for found in own] == [4, 6, 8, 9, 10]
    events = journal_events(own)
    assert told(events) == [
        ("call", "mine", None),
        ("result", "mine", "y"),
        ("final_response", None, "Bye."),
    ]


def test_a_rollout_without_lines_has_none() -> None:
    assert of_rollout(INTERLEAVED, task_id="t3", rollout=0) == []


def test_old_lines_without_a_task_cannot_be_told_apart() -> None:
    assert of_rollout([line(1, "call", tool="a")], task_id="t1", rollout=0) is None
