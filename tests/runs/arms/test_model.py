from pathlib import Path
from typing import Any

import pytest

from benchmarks.gateway.base import AskedCall
from benchmarks.gateway.failures import CONTENT_POLICY, CONTEXT, SERVER, CallFailed
from benchmarks.records.conversation import Tool
from benchmarks.records.vocabulary import ArmKind, Termination
from runs.arms.base import ArmBroke, Limits
from runs.arms.model import ModelArm, treatment_of
from runs.requests.arms import ArmSpec
from tests.factories import SYSTEM, Item
from tests.runs.arms.stages import Double, call, material_of, says, stage

UPDATE = '{"item_id": "I-0001", "status": "packed"}'
DONE = says("Done.")


def update(call_id: str | None = "c1", arguments: str = UPDATE) -> AskedCall:
    return call("update_item", arguments, call_id)


def failure(kind: Any) -> CallFailed:
    return CallFailed("HTTP 4xx: no", kind=kind)


def test_the_tool_loop_ends_with_an_answer_without_calls(tmp_path: Path) -> None:
    staged = stage(ModelArm(), material_of(tmp_path), says(None, update()), DONE)
    assert staged.transcript.termination is Termination.FINISHED
    assert staged.transcript.final_response == "Done."
    assert staged.scored.score.strict == 1
    assert staged.world.fidelity().echoed == 1
    assert staged.kinds == ["usage", "call", "result", "usage", "assistant", "final_response"]


def test_the_model_is_shown_the_boundary_and_the_tools_and_nothing_else(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    staged = stage(ModelArm(), material, DONE, settings={"temperature": 0})
    (asked,) = staged.asked
    assert asked.messages == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "Set item I-0001 to packed."},
    ]
    assert [tool["function"]["name"] for tool in asked.tools] == ["get_item", "update_item"]
    assert asked.settings == {"temperature": 0}
    assert asked.key == "0123456789abcdef-0"


def test_what_goes_back_is_role_content_and_calls_each_with_one_reply(tmp_path: Path) -> None:
    look = call("get_item", '{"item_id": "I-0001"}', "c1")
    first = says("On it.", look, update("c2"), reasoning="think")
    staged = stage(ModelArm(), material_of(tmp_path), first, DONE)
    assistant, looked, updated = staged.asked[1].messages[2:]
    assert assistant == {
        "role": "assistant",
        "content": "On it.",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "get_item", "arguments": '{"item_id": "I-0001"}'},
            },
            {
                "id": "c2",
                "type": "function",
                "function": {"name": "update_item", "arguments": UPDATE},
            },
        ],
    }
    assert looked["tool_call_id"] == "c1"
    assert looked["content"] == '{"item_id":"I-0001","status":"new","shelf":1}'
    assert (updated["role"], updated["tool_call_id"]) == ("tool", "c2")
    assert staged.transcript.turns[1].parts[0].type == "reasoning"
    assert staged.asked[1].key.endswith("-1")


def test_missing_and_repeated_ids_become_names_of_their_place(tmp_path: Path) -> None:
    look = call("get_item", '{"item_id": "I-0001"}', "c1")
    twice = says(None, look, call("get_item", '{"item_id": "I-0001"}', "c1"))
    again = says(None, call("get_item", '{"item_id": "I-0001"}'), look)
    staged = stage(ModelArm(), material_of(tmp_path), twice, again, DONE)
    assert [one.call_id for one in staged.transcript.calls] == [
        "c1",
        "call_0_1",
        "call_1_0",
        "call_1_1",
    ]


def test_arguments_that_are_no_object_are_rejected_and_reach_nothing(tmp_path: Path) -> None:
    bad = says(None, update("c1", '{"item_id": "I-0001", '), update("c2", "[1]"), update("c3", ""))
    staged = stage(ModelArm(), material_of(tmp_path), bad, DONE)
    cut, array, empty = staged.transcript.calls
    assert (cut.status, cut.arguments, cut.arguments_raw) == (
        "rejected",
        None,
        '{"item_id": "I-0001", ',
    )
    assert cut.rejection == {
        "class": "malformed_arguments",
        "message": "arguments of update_item are not a JSON object:"
        " Expecting property name enclosed in double quotes at position 22",
    }
    assert array.arguments_error is not None
    assert array.arguments_error["kind"] == "not_an_object"
    assert empty.arguments == {}
    assert empty.status == "rejected"
    assert staged.scored.score.strict == 0
    assert staged.world.fidelity().rejected == 3
    reply = staged.asked[1].messages[3]["content"]
    assert reply.startswith('{"ok":false,"error":"arguments of update_item are not a JSON object:')


def test_an_unknown_tool_is_the_world_s_rejection(tmp_path: Path) -> None:
    staged = stage(ModelArm(), material_of(tmp_path), says(None, call("update_items", "{}")), DONE)
    (one,) = staged.transcript.calls
    assert one.status == "rejected"
    assert one.rejection is not None
    assert one.rejection["class"] == "unknown_tool"


def test_of_seventy_calls_in_a_turn_the_last_six_are_refused(tmp_path: Path) -> None:
    many = says(None, *(update(f"c{number}") for number in range(70)))
    staged = stage(ModelArm(), material_of(tmp_path), many, DONE)
    calls = staged.transcript.calls
    assert [one.status for one in calls[:64]] == ["ok"] * 64
    assert [one.content for one in calls[64:]] == [
        {"ok": False, "error": "too many calls in one turn"}
    ] * 6
    assert staged.world.fidelity().calls == 70


def test_an_empty_message_is_a_reply(tmp_path: Path) -> None:
    staged = stage(ModelArm(), material_of(tmp_path), says(None))
    assert staged.transcript.termination is Termination.FINISHED
    assert staged.transcript.final_response is None
    assert staged.scored.score.strict == 0


def test_the_scripted_user_speaks_after_each_reply_without_calls(tmp_path: Path) -> None:
    item = Item(1, user_turns=["Yes, packed.", "Thanks."])
    answers = [says("Really?"), says(None, update()), DONE, says("Bye.")]
    staged = stage(ModelArm(), material_of(tmp_path, item), *answers)
    assert len(staged.asked) == 4
    assert [turn.role for turn in staged.transcript.turns] == [
        "user", "assistant", "user", "assistant", "tool", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert staged.asked[1].messages[-1] == {"role": "user", "content": "Yes, packed."}
    assert staged.transcript.final_response == "Bye."
    assert [fields["content"] for kind, fields in staged.journal if kind == "user"] == [
        "Yes, packed.",
        "Thanks.",
    ]


def test_a_promised_script_that_is_missing_is_the_environment_s_fault(tmp_path: Path) -> None:
    item = Item(1, changes={"user": {"mode": "scripted", "turns": 2}})
    with pytest.raises(ArmBroke) as caught:
        stage(ModelArm(), material_of(tmp_path, item), DONE)
    assert caught.value.reason.code == "user_script_exhausted"


def test_turns_are_limited(tmp_path: Path) -> None:
    staged = stage(
        ModelArm(), material_of(tmp_path), says(None, update()), limits=Limits(max_turns=3)
    )
    assert staged.transcript.termination is Termination.MAX_TURNS
    assert len(staged.asked) == 3


def test_tokens_are_limited_by_reported_usage(tmp_path: Path) -> None:
    limits = Limits(max_total_tokens=200)
    staged = stage(ModelArm(), material_of(tmp_path), says(None, update()), limits=limits)
    assert staged.transcript.termination is Termination.LENGTH
    assert len(staged.asked) == 2


def test_a_cut_message_runs_its_whole_calls_and_ends(tmp_path: Path) -> None:
    cut = says(None, update("c1"), update("c2", '{"item_id": "I-0'), stop="length")
    staged = stage(ModelArm(), material_of(tmp_path), cut)
    assert staged.transcript.termination is Termination.LENGTH
    assert [one.status for one in staged.transcript.calls] == ["ok", "rejected"]
    assert staged.transcript.truncated_by_provider
    limited = stage(ModelArm(), material_of(tmp_path / "b"), cut, settings={"max_output_tokens": 9})
    assert not limited.transcript.truncated_by_provider


def test_a_refusal_is_an_answer(tmp_path: Path) -> None:
    filtered = stage(ModelArm(), material_of(tmp_path), says("No.", stop="content_filter"))
    assert filtered.transcript.termination is Termination.REFUSED
    refused = stage(ModelArm(), material_of(tmp_path / "b"), failure(CONTENT_POLICY))
    assert refused.transcript.termination is Termination.REFUSED


def test_a_full_context_is_a_failure_first_and_a_length_later(tmp_path: Path) -> None:
    with pytest.raises(CallFailed):
        stage(ModelArm(), material_of(tmp_path), failure(CONTEXT))
    later = stage(ModelArm(), material_of(tmp_path / "b"), says(None, update()), failure(CONTEXT))
    assert later.transcript.termination is Termination.LENGTH


def test_any_other_failure_is_raised(tmp_path: Path) -> None:
    with pytest.raises(CallFailed):
        stage(ModelArm(), material_of(tmp_path), says(None, update()), failure(SERVER))


@pytest.mark.parametrize(("role", "text"), [("handoff", None), ("finish", "All packed.")])
def test_a_closing_call_ends_the_rollout_and_calls_after_it_are_not_run(
    tmp_path: Path, role: str, text: str | None
) -> None:
    material = material_of(tmp_path)
    close = Tool(name="close_desk", parameters={"type": "object", "properties": {}})
    tools = {**material.scene.tools, "close_desk": close}
    policy = {**material.policy, "close_desk": material.policy["get_item"].with_(role=role)}
    shown = material.shown.with_(tools=list(tools.values()))
    known = _replaced(material.scene.known, policy=policy)
    scene = _replaced(material.scene, tools=tools, known=known)
    closing = _replaced(material, scene=scene, policy=policy, shown=shown)
    ask = call("close_desk", '{"answer": "All packed."}', "c2")
    staged = stage(ModelArm(), closing, says(None, update(), ask, update("c3")))
    assert staged.transcript.termination is Termination.FINISHED
    assert [one.tool for one in staged.transcript.calls] == ["update_item", "close_desk"]
    assert staged.transcript.final_response == text


def _replaced(value: Any, **changes: Any) -> Any:
    fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
    return type(value)(**{**fields, **changes})


def test_delivery_is_proven_by_the_bytes_that_were_sent(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    staged = stage(ModelArm(), material, DONE)
    delivery = staged.transcript.delivery
    assert delivery is not None
    assert delivery.proven
    assert delivery.wire == treatment_of(material, None).digest


def test_a19_a_suffix_lost_on_the_way_is_not_delivered(tmp_path: Path) -> None:
    override = ArmSpec("kind", ArmKind.CANDIDATE, model="m", suffix="Be kind.")
    material = material_of(tmp_path)
    plain = treatment_of(material, None)
    model = Double([DONE])
    model.tamper = lambda asked: type(asked)(
        asked.model, plain.opening(), asked.tools, asked.settings, asked.key
    )
    staged = stage(ModelArm(), material, spec=override, model=model)
    delivery = staged.transcript.delivery
    assert delivery is not None
    assert delivery.wire == plain.digest
    assert not delivery.proven


def test_an_override_adds_its_suffix_after_a_blank_line(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    treatment = treatment_of(material, "Be kind.")
    assert treatment.system == f"{SYSTEM}\n\nBe kind."
    assert treatment.digest != treatment_of(material, None).digest
    bare = _replaced(material, shown=material.shown.with_(system_prompt=None))
    assert treatment_of(bare, "Be kind.").system == "Be kind."


def test_two_arms_alike_on_a_task_have_equal_treatment(tmp_path: Path) -> None:
    material = material_of(tmp_path)
    assert treatment_of(material, None).digest == treatment_of(material, None).digest
