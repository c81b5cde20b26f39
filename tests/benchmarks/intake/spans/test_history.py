from benchmarks.intake.spans.calls import ModelCall
from benchmarks.intake.spans.conventions import Content
from benchmarks.intake.spans.history import History, Runs, history_of
from benchmarks.intake.spans.inputs import Heard
from benchmarks.intake.spans.messages import Message, said
from benchmarks.intake.spans.outputs import Answer
from benchmarks.intake.spans.tool_runs import run_of
from benchmarks.intake.wires.usage import UsageRead
from tests.benchmarks.intake.spans.making import START, calls, tool
from tests.benchmarks.intake.spans.making import read as _read


def call(*heard: Message, answer: Message | None) -> ModelCall:
    content = Content(Heard(list(heard), lossy=not heard), Answer(answer), "otel_genai")
    return ModelCall([0], content, UsageRead(None))


def lines(history: History) -> list[str]:
    return [
        f"{entry.message.role} {entry.message.text or [c.name for c in entry.message.calls] or '='}"
        for entry in history.entries
    ]


def asks(name: str, call_id: str | None = None) -> Message:
    (message,) = _read(calls(name, {}, call_id))
    return message


A, B, C, D = said("user", "a"), said("assistant", "b"), said("user", "c"), said("assistant", "d")


def test_the_last_input_and_its_answer_are_the_history() -> None:
    found = history_of([call(A, answer=B), call(A, B, C, answer=D)], [1, 2], ())
    assert lines(found) == ["user a", "assistant b", "user c", "assistant d"]
    assert not found.stitched
    assert [entry.at for entry in found.entries] == [None, 1, None, 2]


def test_the_last_system_text_is_in_force() -> None:
    found = history_of(
        [call(said("system", "x"), A, answer=B), call(said("system", "y"), A, B, C, answer=D)],
        [1, 2],
        (),
    )
    assert [message.text for message in found.system] == ["y"]


def test_lost_inputs_are_stitched_from_answers() -> None:
    found = history_of([call(A, answer=B), call(answer=D)], [1, 2], ())
    assert lines(found) == ["user a", "assistant b", "assistant d"]
    assert found.stitched


def test_an_answer_that_the_input_tells_in_other_words_is_what_the_model_said() -> None:
    whole = call(A, said("assistant", "b, said otherwise"), C, answer=D)
    found = history_of([call(A, answer=B), whole], [1, 2], ())
    assert lines(found) == ["user a", "assistant b", "user c", "assistant d"]
    assert not found.stitched


def test_a_history_that_says_something_else_is_stitched_whole() -> None:
    (call_lost,) = _read({"role": "assistant", "tool_calls": [{"name": "find", "args": {"q": 2}}]})
    whole = call(A, call_lost, C, answer=D)
    found = history_of([call(A, answer=asks("find")), whole], [1, 2], ())
    assert lines(found) == [
        "user a", "assistant ['find']", "assistant ['find']", "user c", "assistant d",
    ]  # fmt: skip
    assert found.stitched


def test_what_an_answer_became_in_a_lossy_input_is_not_said_twice() -> None:
    lossy = call(A, said("assistant", "b"), Message("assistant", ()), answer=D)
    found = history_of([call(A, answer=B), call(answer=asks("find")), lossy], [1, 2, 3], ())
    assert lines(found) == ["user a", "assistant b", "assistant ['find']", "assistant d"]


def test_the_root_says_what_the_user_asked_where_no_input_does() -> None:
    asked = [said("system", "x"), A]
    found = history_of([call(answer=B)], [1], asked)
    assert lines(found) == ["user a", "assistant b"]
    assert [message.text for message in found.system] == ["x"]
    assert found.stitched


def test_the_root_gives_a_stitched_history_its_system_text_but_not_a_whole_one() -> None:
    asked = [said("system", "x"), A]
    stitched = history_of([call(A, answer=B), call(answer=D)], [1, 2], asked)
    assert [message.text for message in stitched.system] == ["x"]
    assert history_of([call(A, answer=B)], [1], asked).system == []


def test_no_call_is_no_history() -> None:
    assert history_of([], [], ()).entries == []


def runs(history: History, *spans: object) -> list[str]:
    given = Runs(history)
    for place, one in enumerate(spans):
        given.add(run_of(one, place, {}))  # type: ignore[arg-type]
    given.done()
    return lines(history)


def at(seconds: int) -> int:
    return START + seconds * 10**9


def test_results_stand_behind_their_calls_and_all_that_was_said_before_them() -> None:
    history = history_of(
        [call(A, answer=asks("one", "c1")), call(answer=asks("two", "c2")), call(answer=D)],
        [at(1), at(2), at(9)],
        (),
    )
    second = tool(1, "two", {}, "2", at=5, call_id="c2")
    first = tool(2, "one", {}, "1", at=6, call_id="c1")
    assert runs(history, second, first) == [
        "user a", "assistant ['one']", "assistant ['two']", "tool =", "tool =", "assistant d",
    ]  # fmt: skip


def test_a_result_whose_time_is_unknown_stands_behind_its_call() -> None:
    history = history_of([call(A, answer=asks("one", "c1")), call(answer=D)], [at(1), at(2)], ())
    assert runs(history, tool(1, "one", {}, "1", at=None, call_id="c1")) == [
        "user a", "assistant ['one']", "tool =", "assistant d",
    ]  # fmt: skip


def test_a_call_that_the_history_answers_takes_its_run_and_no_second_result() -> None:
    (answered,) = _read({"role": "tool", "tool_call_id": "c1", "content": "1"})
    history = history_of([call(A, asks("one", "c1"), answered, answer=D)], [at(3)], ())
    assert runs(history, tool(1, "one", {}, "1", at=1, call_id="c1")) == [
        "user a", "assistant ['one']", "tool =", "assistant d",
    ]  # fmt: skip


def test_a_result_in_the_history_is_an_error_where_its_run_failed() -> None:
    (answered,) = _read({"role": "tool", "tool_call_id": "c1", "content": "1"})
    for error, failed in ((None, None), ("", True), ("no", True)):
        history = history_of([call(A, asks("one", "c1"), answered, answer=D)], [at(3)], ())
        runs(history, tool(1, "one", {}, "1", at=1, call_id="c1", error=error))
        (result,) = history.entries[2].message.pieces
        assert (result.raw_id, result.failed) == ("c1", failed)


def test_a_run_that_nobody_asked_for_is_a_call_of_its_own_in_its_time() -> None:
    history = history_of([call(A, answer=B), call(A, B, C, answer=D)], [at(1), at(5)], ())
    assert runs(history, tool(1, "log", {}, "1", at=3)) == [
        "user a", "assistant b", "user c", "assistant ['log']", "tool =", "assistant d",
    ]  # fmt: skip


def test_calls_without_ids_get_those_of_their_runs_by_name_and_arguments() -> None:
    (both,) = _read({"role": "assistant", "parts": [
        {"type": "tool_call", "name": "find", "arguments": {"q": 1}},
        {"type": "tool_call", "name": "find", "arguments": {"q": 2}},
    ]})  # fmt: skip
    history = history_of([call(A, answer=both)], [at(1)], ())
    runs(history, tool(8, "find", {"q": 2}, "b", at=2), tool(9, "find", {"q": 1}, "a", at=3))
    asked = history.entries[1].message.calls
    assert [one.raw_id for one in asked] == [f"{9:016x}", f"{8:016x}"]
    answers = [entry.message.pieces[0].raw_id for entry in history.entries[2:]]
    assert answers == [f"{8:016x}", f"{9:016x}"]


def test_by_name_alone_runs_answer_in_order_unanswered_calls_first() -> None:
    (answered,) = _read({"role": "tool", "content": "1", "tool_call_id": "c1"})
    history = history_of(
        [call(A, asks("find", "c1"), answered, answer=asks("find", "c2"))], [at(1)], ()
    )
    found = runs(history, tool(1, "find", {"other": 1}, "2", at=2))
    assert found[-2:] == ["assistant ['find']", "tool ="]
    assert history.entries[-1].message.pieces[0].raw_id == "c2"
