import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.intake import work
from benchmarks.intake.dialect import Piece
from benchmarks.intake.dialects.atif import Atif
from benchmarks.intake.ingest import IntakeOptions, ingest
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.records.conversation import Conversation

ASK = {"step_id": 1, "source": "user", "message": "Say hi."}
REPLY = {"step_id": 2, "source": "agent", "message": "Hi."}


def agent(message: str = "", **more: Any) -> dict[str, Any]:
    return {"source": "agent", "message": message, **more}


def call(name: str = "run", call_id: str | None = "c1", **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": arguments}


def helped(*refs: Any, call_id: str | None = "c1") -> dict[str, Any]:
    result: dict[str, Any] = {"subagent_trajectory_ref": list(refs)}
    if call_id:
        result["source_call_id"] = call_id
    calls = [call("delegate")] if call_id else []
    return agent(tool_calls=calls, observation={"results": [result]})


def trajectory(*steps: Any, **more: Any) -> dict[str, Any]:
    who = {"name": "a", "version": "1", "model_name": "openai/m"}
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "s",
        "agent": who,
        "steps": list(steps),
        **more,
    }


def found(record: Any, path: str = "t.json", pointer: str | None = None) -> Found:
    digest = f"digest of {path}"
    return Found(record, pointer or f"{path}#", digest, digest, path, "")


def pieces(*records: Found) -> list[Piece]:
    for one in records:
        assert Atif().detect(one.record)
    return list(Atif().read("key", records))


def reading(*records: Found) -> Reading:
    (piece,) = pieces(*records)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*records: Found) -> Conversation:
    return reading(*records).conversation


def texts(piece: Piece) -> list[str]:
    assert isinstance(piece.result, Reading)
    return [turn.text() for turn in piece.result.conversation.turns]


def issues(*records: Found) -> list[tuple[str, str]]:
    return [(issue.code, issue.detail) for issue in conversation(*records).issues]


def test_a_trajectory_is_one_conversation() -> None:
    first = {**ASK, "timestamp": "2026-01-02T03:04:05Z"}
    one = reading(found(trajectory(first, REPLY)))
    assert [(turn.role, turn.text()) for turn in one.conversation.turns] == [
        ("user", "Say hi."), ("assistant", "Hi."),
    ]  # fmt: skip
    assert (one.conversation.dialect, one.conversation.granularity) == ("atif", "session")
    assert one.conversation.end.reason == "reply"
    assert one.frame.identity.session_id == "s"
    assert one.frame.captured_at == "2026-01-02T03:04:05.000Z"
    assert (one.frame.routing.provider, one.frame.routing.requested_model) == ("openai", "openai/m")


def test_tools_are_the_agent_s_definitions() -> None:
    function = {"name": "run", "description": "Runs.", "parameters": {"required": ["a"]}}
    who = {"name": "a", "tool_definitions": [{"type": "function", "function": function}]}
    (tool,) = conversation(found(trajectory(ASK, REPLY, agent=who))).tools
    assert (tool.name, tool.description, tool.required) == ("run", "Runs.", ["a"])


def test_a_part_in_another_file_goes_on_with_the_conversation() -> None:
    first = trajectory(ASK, REPLY, continued_trajectory_ref="t.cont-1.json")
    copied = {**agent("A summary."), "is_copied_context": True}
    more = trajectory({**ASK, "is_copied_context": True}, copied, agent("Bye."))
    (piece,) = pieces(found(more, "run/t.cont-1.json"), found(first, "run/t.json"))
    assert texts(piece) == ["Say hi.", "Hi.", "Bye."]
    assert piece.at == 1
    assert piece.made_from == [["digest of run/t.json", ""], ["digest of run/t.cont-1.json", ""]]


def test_a_part_is_found_by_its_session() -> None:
    first = trajectory(ASK, REPLY, continued_trajectory_ref="s-2")
    (piece,) = pieces(found(first), found(trajectory(agent("Bye."), session_id="s-2"), "b.json"))
    assert texts(piece) == ["Say hi.", "Hi.", "Bye."]


def test_three_parts_are_one_conversation() -> None:
    records = [
        found(trajectory(ASK, continued_trajectory_ref="/logs/agent/b.json"), "a.json"),
        found(trajectory(REPLY, continued_trajectory_ref={"trajectory_path": "c.json"}), "b.json"),
        found(trajectory(agent("Bye.")), "c.json.gz"),
    ]
    assert texts(*pieces(*records)) == ["Say hi.", "Hi.", "Bye."]


def test_a_missing_part_is_named() -> None:
    one = found(trajectory(ASK, REPLY, continued_trajectory_ref="t.cont-1.json"))
    assert issues(one) == [("missing_continuation", "t.cont-1.json")]


def test_a_part_alone_keeps_the_history_that_was_copied_into_it_without_its_usage() -> None:
    old = {**agent("Old."), "is_copied_context": True, "metrics": {"prompt_tokens": 9}}
    new = agent("New.", metrics={"prompt_tokens": 4, "completion_tokens": 1})
    one = conversation(found(trajectory(ASK, old, new)))
    assert [turn.text() for turn in one.turns] == ["Say hi.", "Old.", "New."]
    assert (one.usage.input_tokens, one.turns[1].usage) == (4, None)


def test_parts_that_go_round_in_circles_are_read_once() -> None:
    records = [
        found(trajectory(ASK, continued_trajectory_ref="b.json"), "a.json"),
        found(trajectory(REPLY, continued_trajectory_ref="a.json"), "b.json"),
    ]
    assert texts(*pieces(*records)) == ["Say hi.", "Hi."]
    assert len(pieces(found(trajectory(ASK, continued_trajectory_ref="t.json")))) == 1


@pytest.mark.parametrize(
    ("ref", "helper"),
    [
        ({"trajectory_path": "h.json", "session_id": "nobody"}, {}),
        ({"session_id": "h"}, {"session_id": "h"}),
        ({"trajectory_id": "h1"}, {"trajectory_id": "h1"}),
        ("h.json", {}),
    ],
)
def test_a_helper_names_the_call_that_started_it(ref: Any, helper: dict[str, Any]) -> None:
    step = helped(ref) if isinstance(ref, dict) else helped()
    if isinstance(ref, str):
        step["observation"]["results"][0]["subagent_trajectory_ref"] = ref
    main = found(trajectory(ASK, step, REPLY), "main.json")
    other = found(trajectory(agent("Done."), **helper), "h.json")
    result = pieces(other, main)
    assert [(texts(piece)[-1], piece.parent, piece.call_id) for piece in result] == [
        ("Hi.", None, None), ("Done.", 0, "c1"),
    ]  # fmt: skip


def test_the_call_that_started_a_helper_was_answered() -> None:
    one = conversation(found(trajectory(ASK, helped({"trajectory_path": "h.json"}), REPLY)))
    assert [result.name for turn in one.turns for result in turn.results()] == ["delegate"]
    assert [(issue.code, issue.turn, issue.detail) for issue in one.issues] == [
        ("missing_continuation", 2, "helper h.json")
    ]


def test_embedded_helpers_and_theirs_are_conversations_of_their_own() -> None:
    inner = trajectory(agent("Inner."), trajectory_id="i")
    outer = trajectory(
        helped({"trajectory_id": "i"}), agent("Outer."),
        trajectory_id="o", subagent_trajectories=[inner],
    )  # fmt: skip
    step = helped({"trajectory_id": "o"}, call_id=None)
    record = trajectory(ASK, step, REPLY, subagent_trajectories=[outer, trajectory(agent("Lone."))])
    result = pieces(found(record))
    assert [(texts(one)[-1], one.within, one.parent, one.call_id) for one in result] == [
        ("Hi.", "", None, None),
        ("Outer.", "/subagent_trajectories/0", 0, None),
        ("Inner.", "/subagent_trajectories/0/subagent_trajectories/0", 1, "c1"),
        ("Lone.", "/subagent_trajectories/1", 0, None),
    ]


def test_several_trajectories_stand_under_names() -> None:
    record = {
        "main": trajectory(ASK, helped({"trajectory_path": "side/a.json"}), REPLY),
        "side/a.json": trajectory(agent("Done.")),
        "rest": [trajectory(agent("Third.")), {"no": "trajectory"}],
        "note": "text",
    }
    result = pieces(found(record))
    assert [(texts(one)[-1], one.within, one.parent) for one in result] == [
        ("Hi.", "/main", None), ("Done.", "/side~1a.json", 0), ("Third.", "/rest/0", None),
    ]  # fmt: skip


def test_a_session_that_several_share_names_nobody() -> None:
    main = found(trajectory(ASK, helped({"session_id": "s"}), REPLY), "main.json")
    others = [found(trajectory(agent("X.")), f"{name}.json") for name in "ab"]
    result = pieces(main, *others)
    assert [piece.parent for piece in result] == [None, None, None]


def names(record: dict[str, Any], *where: str) -> tuple[list[str], list[str]]:
    """The names that a trajectory goes by, and those that it speaks of."""
    one = found(record, *where)
    return list(Atif().keys(one)), list(Atif().refers(one))


def test_a_trajectory_goes_by_its_file_its_ids_and_its_place() -> None:
    record = trajectory(ASK, trajectory_id="t")
    assert names(record, "run/a.json") == (
        ["file run/a.json", "trajectory t", "session s", "run/a.json#"], [],
    )  # fmt: skip
    assert names(trajectory(ASK, session_id=None), "a.jsonl", "a.jsonl#L3")[0] == [
        "file ./a.jsonl", "a.jsonl#L3",
    ]  # fmt: skip


def test_a_trajectory_speaks_of_its_helpers_and_of_its_next_part() -> None:
    record = trajectory(
        ASK, helped({"trajectory_path": "sub/b.json"}, {"session_id": "h"}),
        continued_trajectory_ref="c.json",
    )  # fmt: skip
    assert names(record, "run/a.json")[1] == [
        "file run/b.json", "session sub/b.json", "session h", "file run/c.json", "session c.json",
    ]  # fmt: skip


def test_only_files_that_speak_of_one_another_are_read_together(tmp_path: Path) -> None:
    helper = trajectory(agent("done"), session_id="h")
    main = trajectory(ASK, helped({"trajectory_path": "b.json"}), REPLY)
    other = trajectory(ASK, helped({"trajectory_path": "b.json"}))
    for name, record in (("a", main), ("b", helper), ("c", trajectory(ASK)), ("d", other)):
        (tmp_path / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    options = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "MAX_GROUP", (tmp_path / "a.json").stat().st_size * 4)
        captures = ingest([tmp_path], options=options).captures
    keys = {one.source.local_path: one.capture_key for one in captures}
    started = {
        one.source.local_path: one.helper_of.capture_key for one in captures if one.helper_of
    }
    assert list(keys) == ["a.json", "b.json", "d.json", "c.json"]
    assert started == {"b.json": keys["a.json"]}


def spent(prompt: int, completion: int, **more: Any) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, **more}


def totals(prompt: int, completion: int) -> dict[str, Any]:
    return {"total_prompt_tokens": prompt, "total_completion_tokens": completion}


def test_the_steps_are_the_truth_and_a_differing_total_is_reported() -> None:
    steps = [ASK, agent("a", metrics=spent(100, 10, cost_usd=0.5)), agent("b", metrics=spent(7, 3))]
    one = conversation(found(trajectory(*steps, final_metrics=totals(300, 40))))
    assert (one.usage.input_tokens, one.usage.output_tokens, one.usage.calls) == (107, 13, 2)
    assert [(issue.code, issue.detail) for issue in one.issues] == [
        ("usage_conflict", "steps sum to 107 + 13, totals say 300 + 40")
    ]


def test_a_total_that_agrees_within_a_hundredth_says_nothing() -> None:
    record = trajectory(ASK, agent("a", metrics=spent(1000, 10)), final_metrics=totals(1005, 10))
    assert issues(found(record)) == []


def test_totals_count_where_no_step_says_anything() -> None:
    one = conversation(found(trajectory(ASK, REPLY, final_metrics=totals(30, 4))))
    assert (one.usage.input_tokens, one.usage.output_tokens) == (30, 4)


@pytest.mark.parametrize("steps", [[], None, "x", [1]])
def test_a_trajectory_without_steps_is_a_loss(steps: Any) -> None:
    (piece,) = pieces(found({**trajectory(), "steps": steps}))
    assert (piece.result.reason.value, piece.result.detail) == (
        "no_messages", "a trajectory without steps",
    )  # fmt: skip


def test_five_thousand_files_of_a_folder_stay_fast() -> None:
    records = [
        found(trajectory(ASK, REPLY, session_id=str(at)), f"{at}.json") for at in range(5_000)
    ]
    assert len(pieces(*records)) == 5_000


@pytest.mark.parametrize(
    "other",
    [
        {}, {"schema_version": "1"}, {"schema_version": 7, "steps": []}, {"steps": [ASK]}, [], None,
        {"a": [{"schema_version": "v1"}]},
    ],
)  # fmt: skip
def test_other_records_are_none_of_its_own(other: Any) -> None:
    assert not Atif().detect(other)


@pytest.mark.parametrize("junk", [None, 1, -1.5, "x", [], {}, [[]], [{}], {"a": []}, True])
def test_whatever_stands_in_a_field_it_never_raises(junk: Any) -> None:
    result = {"source_call_id": "c1", "content": "ok", "subagent_trajectory_ref": []}
    step = agent("m", tool_calls=[call()], observation={"results": [result]}, metrics=spent(1, 1))
    for key in ("agent", "steps", "session_id", "final_metrics", "continued_trajectory_ref",
                "subagent_trajectories", "trajectory_id"):  # fmt: skip
        pieces(found({**trajectory(ASK, step), key: junk}))
    for key in ("source", "message", "tool_calls", "observation", "metrics", "timestamp",
                "reasoning_content", "is_copied_context", "llm_call_count"):  # fmt: skip
        pieces(found(trajectory(ASK, {**step, key: junk})))
    for key in result:
        changed = {**step, "observation": {"results": [{**result, key: junk}]}}
        pieces(found(trajectory(ASK, changed)))
    for key in call():
        pieces(found(trajectory(ASK, {**step, "tool_calls": [{**call(), key: junk}]})))
    for key in ("prompt_tokens", "cached_tokens", "cost_usd", "extra"):
        pieces(found(trajectory(ASK, {**step, "metrics": {**spent(1, 1), key: junk}})))
