import pytest

from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.records.conversation import JsonPart, Text, UnknownPart


def issues(draft: Draft) -> list[tuple[str, int | None, int | None]]:
    return [(issue.code, issue.turn, issue.part) for issue in draft.issues]


def test_two_results_of_one_message_join_two_calls() -> None:
    draft = Draft()
    draft.add("assistant", [CallFound("a", "look", "{}"), CallFound("b", "book", "{}")])
    turn = draft.add(
        "tool",
        [
            ResultFound("a", None, [Text(text="RESULT-A: 4")]),
            ResultFound("b", None, [Text(text="RESULT-B: 6")]),
        ],
    )
    joined = [(r.name, r.call.turn, r.call.part, r.parts[0].text) for r in turn.results()]
    assert joined == [("look", 0, 0, "RESULT-A: 4"), ("book", 0, 1, "RESULT-B: 6")]
    assert issues(draft) == []


def test_glued_arguments_are_two_calls_and_named() -> None:
    draft = Draft()
    turn = draft.add("assistant", [CallFound("a", "read", '{"path": "a.rs"}{"path": "b.rs"}')])
    assert [call.arguments for call in turn.calls()] == [{"path": "a.rs"}, {"path": "b.rs"}]
    assert issues(draft) == [("glued_arguments", 0, 0)]


def test_text_behind_an_object_is_one_call_with_its_raw_text() -> None:
    draft = Draft()
    turn = draft.add("assistant", [CallFound("a", "read", '{"path": "a.rs"} x')])
    (call,) = turn.calls()
    assert call.arguments is None
    assert (call.arguments_raw, call.arguments_error.kind) == (
        '{"path": "a.rs"} x', "trailing_data",
    )  # fmt: skip
    assert issues(draft) == [("arguments_unparsed", 0, 0)]


def test_a_repeated_id_is_named_at_its_second_call() -> None:
    draft = Draft()
    draft.add("assistant", [CallFound("a", "look", "{}")])
    draft.add("tool", [ResultFound("a", "look", [])])
    draft.add("assistant", [CallFound("a", "book", "{}")])
    result = draft.add("tool", [ResultFound("a", "book", [])]).results()[0]
    assert result.call.turn == 2
    assert issues(draft) == [("duplicate_call_id", 2, 0)]


def test_a_result_for_nothing_is_an_orphan() -> None:
    draft = Draft()
    result = draft.add("tool", [ResultFound("x", "look", [Text(text="4")])]).results()[0]
    assert (result.orphan, result.call, result.call_id, result.name) == (True, None, "x", "look")
    assert issues(draft) == [("orphan_result", 0, 0)]


def test_a_call_after_which_the_assistant_went_on_misses_its_result() -> None:
    draft = Draft()
    draft.add("assistant", [CallFound("a", "look", "{}")])
    draft.add("assistant", [Text(text="well")])
    draft.add("assistant", [CallFound("b", "book", "{}")])
    draft.close()
    assert issues(draft) == [("missing_result", 0, 0)]


def test_a_call_without_a_name_is_kept_and_named() -> None:
    draft = Draft()
    turn = draft.add("assistant", [CallFound("a", None, "{}")])
    assert turn.calls()[0].name == "unnamed"
    assert issues(draft) == [("unnamed_call", 0, 0)]


def test_a_part_that_no_rule_knows_is_kept_whole_and_counted() -> None:
    draft = Draft()
    turn = draft.add("user", [UnknownPart(source_type="hologram", value={"a": 1})])
    assert turn.parts[0].value == {"a": 1}
    assert issues(draft) == [("unknown_part", 0, 0)]


def status(*parts: object, failed: bool | None = None) -> str:
    draft = Draft()
    draft.add("assistant", [CallFound("a", "look", "{}")])
    return draft.add("tool", [ResultFound("a", None, parts, failed=failed)]).results()[0].status


def test_a_result_is_an_error_when_the_dialect_or_its_text_says_so() -> None:
    assert status(Text(text="fine"), failed=True) == "error"
    assert status(Text(text="Error: order not found")) == "error"
    assert status(Text(text='# var_4 = "Error: not found"')) == "error"
    assert status(Text(text='{"error": "not found"}')) == "error"
    assert status(JsonPart(value={"success": False})) == "error"


def test_a_result_that_only_speaks_of_errors_is_none() -> None:
    assert status() == "ok"
    assert status(Text(text="no error: all fine")) == "ok"
    assert status(Text(text="errors were fixed")) == "ok"
    assert status(Text(text='{"error": null}')) == "ok"
    assert status(Text(text="the order failed")) == "ok"


def test_the_status_keys_are_left_to_whoever_knows_the_class_of_the_tool() -> None:
    assert status(Text(text='{"status": "failed"}')) == "ok"
    assert status(JsonPart(value={"response_status": "denied"})) == "ok"


def test_a_message_of_the_user_is_its_results_and_then_the_rest() -> None:
    draft = Draft()
    draft.add("assistant", [CallFound("a", "look", "{}")])
    draft.add_user([Text(text="and?"), ResultFound("a", None, [])], source_index=4)
    draft.add_user([ResultFound("b", None, [])], source_index=5)
    draft.add_user([], source_index=6)
    assert [(turn.role, turn.source_index, len(turn.parts)) for turn in draft.turns[1:]] == [
        ("tool", 4, 1), ("user", 4, 1), ("tool", 5, 1), ("user", 6, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("silent", "codes"), [(True, []), (False, ["missing_result"])])
def test_only_a_call_that_shows_nothing_may_stay_without_a_result(
    silent: bool, codes: list[str]
) -> None:
    found = CallFound("s", "search", {"q": "x"}, executed_by="provider", silent=silent)
    draft = Draft()
    draft.add("assistant", [found])
    draft.add("user", [Text(text="and then?")])
    draft.add("assistant", [Text(text="that")])
    draft.close()
    assert [issue.code for issue in draft.issues] == codes
