from benchmarks.contract.observed import ObservedCall
from runs.rollouts.journal import observed_from_journal
from tests.runs.rollouts.kept import line


def test_words_and_calls_keep_the_order_of_their_lines() -> None:
    found = observed_from_journal([
        line(1, "rollout_start", attempt=1),
        line(2, "assistant", content="Looking."),
        line(3, "call", tool="get_order", call_id="c1", status="ok", arguments='{"id":"A-1"}'),
        line(4, "result", tool="get_order", call_id="c1", status="ok", content={"total": 25}),
        line(5, "assistant", content="Done."),
    ])
    assert found.calls == (
        ObservedCall("get_order", {"id": "A-1"}, None, "ok", {"total": 25}, "c1", 2),
    )
    assert found.texts == ("Looking.", "Done.")
    assert found.text_turns == (1, 4)
    assert found.final_response is None
    assert found.termination == "max_turns"


def test_the_final_word_is_a_text_once_and_finishes_the_rollout() -> None:
    told = [line(1, "assistant", content="Done."), line(2, "final_response", content="Done.")]
    found = observed_from_journal(told)
    assert (found.texts, found.final_response, found.finished) == (("Done.",), "Done.", True)
    alone = observed_from_journal(told[1:])
    assert (alone.texts, alone.final_response) == (("Done.",), "Done.")


def test_an_ended_rollout_without_words_is_finished_only_when_its_row_has_its_own_end() -> None:
    def ended(status: str) -> str:
        return observed_from_journal([line(1, "rollout_end", status=status)]).termination

    assert [ended("ok"), ended("unscored"), ended("error"), ended("skipped")] == [
        "finished",
        "finished",
        "error",
        "error",
    ]


def test_arguments_that_are_no_object_are_kept_as_they_were_written() -> None:
    told = ["[1]", "{broken", "", {"id": 7}, None]
    found = observed_from_journal([
        line(seq, "call", tool="t", status="error", arguments=each)
        for seq, each in enumerate(told, 1)
    ])
    assert [(call.arguments, call.arguments_raw) for call in found.calls] == [
        (None, "[1]"),
        (None, "{broken"),
        (None, ""),
        ({"id": 7}, None),
        (None, ""),
    ]
    assert {call.status for call in found.calls} == {"error"}
