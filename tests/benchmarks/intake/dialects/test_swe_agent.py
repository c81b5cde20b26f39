from typing import Any

import pytest

from benchmarks.intake.dialects.swe_agent import SweAgent, commands_in
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation

DIALECT = SweAgent()
SYSTEM = {"role": "system", "content": "Use the shell.", "agent": "main"}
ISSUE = {"role": "user", "content": "Fix it.", "agent": "main"}


def read(record: Any) -> Reading:
    assert DIALECT.detect(record)
    (piece,) = DIALECT.read(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def conversation(*history: dict[str, Any], **more: Any) -> Conversation:
    return read({"history": list(history), "info": {}, **more}).conversation


def shape(found: Conversation) -> list[tuple[str, str, list[Any], list[str]]]:
    return [
        (
            turn.role,
            turn.text(),
            [(call.name, call.arguments) for call in turn.calls()],
            ["".join(part.text for part in result.parts) for result in turn.results()],
        )
        for turn in found.turns
    ]


def acted(text: str, action: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "thought": text, "action": action, "agent": "a"}


def observed(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, "agent": "a"}


def called(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant", "content": "Now.", "action": f"{name} it", "message_type": "action",
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }  # fmt: skip


def answered(call_id: str, text: str) -> dict[str, Any]:
    return {
        "role": "tool", "content": text, "tool_call_ids": [call_id], "message_type": "observation",
    }  # fmt: skip


def test_an_action_is_a_call_of_the_shell_and_the_next_observation_its_result() -> None:
    found = conversation(SYSTEM, ISSUE, acted("I list.\n```\nls\n```", "ls\n"), observed("a.py"))
    assert shape(found) == [
        ("system", "Use the shell.", [], []),
        ("user", "Fix it.", [], []),
        ("assistant", "I list.\n```\nls\n```", [("shell", {"command": "ls\n"})], []),
        ("tool", "", [], ["a.py"]),
    ]
    assert (found.dialect, found.granularity) == ("swe_agent", "session")
    assert found.turns[3].results()[0].call.turn == 2


def test_tool_calls_come_before_the_action_text() -> None:
    found = conversation(ISSUE, called("c1", "open", '{"path": "a"}'), answered("c1", "[a]"))
    assert shape(found)[1:] == [
        ("assistant", "Now.", [("open", {"path": "a"})], []), ("tool", "", [], ["[a]"]),
    ]  # fmt: skip
    assert found.issues == []


def test_repeated_call_ids_are_joined_in_order() -> None:
    found = conversation(
        called("c", "bash", '{"command": "ls"}'), answered("c", "one"),
        called("c", "bash", '{"command": "pwd"}'), answered("c", "two"),
    )  # fmt: skip
    assert [turn.results()[0].call.turn for turn in found.turns if turn.results()] == [0, 2]
    assert [issue.code for issue in found.issues] == ["duplicate_call_id"]


def test_carriage_returns_and_progress_are_kept() -> None:
    progress = "  10%\r  90%\r 100%\r\nDone.\r\n"
    assert shape(conversation(acted("Go.", "run"), observed(progress)))[1][3] == [progress]


def test_a_demonstration_is_part_of_the_prompt() -> None:
    demonstration = {
        "role": "assistant", "content": "Like so.", "is_demo": True, "action": "ls",
        "tool_calls": [{"id": "x"}],
    }  # fmt: skip
    found = conversation(SYSTEM, demonstration, ISSUE, acted("Go.", "ls"), observed("a"))
    assert [turn.role for turn in found.turns] == ["system", "system", "user", "assistant", "tool"]
    assert found.turns[1].text() == "Like so."
    assert found.turns[1].parts[1].value == [{"id": "x"}]
    assert len(found.turns[1].calls()) == 0


def test_history_alone_is_whole_and_no_failure() -> None:
    record = {"history": [SYSTEM, ISSUE, acted("Done.", "")]}
    found = read(record).conversation
    assert (len(found.turns), found.end.reason, found.outcome) == (3, "reply", None)


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (called("c", "submit", "{}"), "finish"),
        (acted("Done.", "submit FLAG\n"), "finish"),
        (acted("Done.", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff"), "finish"),
        (acted("Done.", "git submit"), "open"),
        (called("c", "send", '{"command": "submit"}'), "open"),
    ],
)
def test_a_history_alone_that_hands_its_work_in_is_finished(
    last: dict[str, Any], reason: str
) -> None:
    assert read({"history": [ISSUE, last, observed("diff")]}).conversation.end.reason == reason


def test_an_answer_without_an_action_leaves_the_next_turn_to_the_user() -> None:
    found = conversation(ISSUE, acted("Which one?", " \n"), observed("The first."))
    assert [turn.role for turn in found.turns] == ["user", "assistant", "user"]


def test_only_the_last_command_takes_an_observation() -> None:
    found = conversation(acted("a", "one"), acted("b", "two"), observed("two's"))
    assert found.turns[2].results()[0].call.turn == 1
    assert [issue.code for issue in found.issues] == ["missing_result"]


def test_the_last_observation_may_stand_in_the_trajectory_only() -> None:
    steps = [
        {"action": "ls", "observation": "a", "response": "x"},
        {"action": "submit\n", "observation": "diff", "response": "y"},
    ]
    history = [ISSUE, acted("x", "ls"), observed("a"), acted("y", "submit\n")]
    found = conversation(*history, trajectory=steps)
    assert shape(found)[-1] == ("tool", "", [], ["diff"])
    assert len(found.turns) == 5


@pytest.mark.parametrize(
    "last", [{"action": "other", "observation": "o"}, {"action": "submit", "observation": ""}, {}]
)
def test_another_steps_observation_is_not_the_last_commands(last: dict[str, Any]) -> None:
    found = conversation(ISSUE, acted("y", "submit"), trajectory=[{"action": "x"}, last])
    assert len(found.turns) == 2


def test_without_history_the_trajectory_is_read_with_what_was_asked_first() -> None:
    steps = [
        {"action": "ls", "observation": "a", "response": "I look.", "query": [SYSTEM, ISSUE]},
        {"action": "", "observation": "", "thought": "Done.", "query": [SYSTEM]},
    ]
    found = read({"trajectory": steps, "info": {"exit_status": "submitted"}}).conversation
    assert shape(found) == [
        ("system", "Use the shell.", [], []),
        ("user", "Fix it.", [], []),
        ("assistant", "I look.", [("shell", {"command": "ls"})], []),
        ("tool", "", [], ["a"]),
        ("assistant", "Done.", [], []),
    ]


@pytest.mark.parametrize(
    ("info", "reason", "success"),
    [
        ({"exit_status": "submitted", "submission": "diff"}, "finish", None),
        ({"exit_status": "Submitted", "submission": ""}, "finish", None),
        ({"exit_status": "submitted (exit_cost)", "submission": "diff"}, "finish", None),
        ({"exit_status": "exit_cost", "submission": None}, "limit", False),
        ({"exit_status": "exit_context"}, "limit", False),
        ({"exit_status": "LimitsExceeded", "submission": ""}, "limit", False),
        ({"exit_status": "exit_error"}, "error", False),
        ({"exit_status": "RuntimeError"}, "error", False),
    ],
)
def test_exit_status_and_submission_are_end_and_outcome(
    info: dict[str, Any], reason: str, success: bool | None
) -> None:
    found = conversation(ISSUE, acted("y", "submit"), observed("diff"), info=info)
    assert found.end.reason == reason
    assert (found.outcome.success, found.outcome.reward) == (success, None)
    assert found.outcome.source == f"exit_status {info['exit_status']}"


def fenced(command: str) -> dict[str, Any]:
    return {"role": "assistant", "content": f"THOUGHT: go.\n\n```bash\n{command}\n```"}


def seen(text: str, code: int = 0) -> dict[str, Any]:
    return {
        "role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{text}\n</output>",
    }  # fmt: skip


def test_a_bare_list_is_a_run_whose_commands_stand_in_fences() -> None:
    found = read([SYSTEM, ISSUE, fenced("ls -la"), seen("a"), fenced("submit"), observed("")])
    turns = shape(found.conversation)
    assert [turn[0] for turn in turns] == [
        "system", "user", "assistant", "tool", "assistant", "tool",
    ]  # fmt: skip
    assert [turn[2] for turn in turns if turn[2]] == [
        [("shell", {"command": "ls -la"})], [("shell", {"command": "submit"})],
    ]  # fmt: skip
    assert turns[5][3] == [""]
    assert found.request.system == "Use the shell."


def test_messages_with_a_trajectory_format_are_a_run_with_info() -> None:
    content = [{"type": "text", "text": seen("a")["content"]}]
    reading = read({
        "trajectory_format": "small-1",
        "messages": [SYSTEM, ISSUE, fenced("ls"), {"role": "user", "content": content}],
        "info": {
            "exit_status": "Submitted",
            "config": {"model": {"model_name": "m"}},
            "instance_id": "task-9",
        },
    })
    assert shape(reading.conversation)[3][3] == [seen("a")["content"]]
    assert reading.conversation.end.reason == "finish"
    assert reading.frame.routing.requested_model == "m"
    assert reading.frame.identity.task_id == "task-9"


def test_the_models_own_answer_beside_a_message_holds_its_usage() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    extra = {"response": {"model": "m-2", "usage": usage}}
    reading = read({
        "trajectory_format": "small-2",
        "messages": [ISSUE, {**called("c", "bash", "{}"), "extra": extra}, answered("c", "a")],
    })
    assert reading.conversation.turns[1].model == "m-2"
    assert (reading.conversation.usage.input_tokens, reading.conversation.usage.calls) == (9, 1)


def test_an_exit_message_is_the_outcome_and_no_turn() -> None:
    last = {"role": "exit", "content": "", "extra": {"exit_status": "LimitsExceeded"}}
    found = read({"trajectory_format": "s", "messages": [ISSUE, fenced("ls"), last]}).conversation
    assert (len(found.turns), found.end.reason, found.outcome.success) == (2, "limit", False)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("```bash\nls\n```", ["ls"]),
        ("a ```bash  \r\nls\r\n``` b", ["ls"]),
        ("```mswea_bash_command\ncat <<'E'\n# x\nE\n```", ["cat <<'E'\n# x\nE"]),
        ("```bash\n```", [""]),
        ("```bash\nls\n```\n```bash\npwd\n```", ["ls", "pwd"]),
        ("```python\nls\n```", []),
        ("```bash\nls", []),
        ("ls", []),
    ],
)
def test_commands_are_the_fenced_blocks_of_a_shell(text: str, commands: list[str]) -> None:
    assert commands_in(text) == commands


def test_an_answer_with_two_fenced_blocks_is_no_call() -> None:
    both = {"role": "assistant", "content": "```bash\na\n```\n```bash\nb\n```"}
    found = read({"trajectory_format": "s", "messages": [ISSUE, both, observed("One only.")]})
    assert [turn.role for turn in found.conversation.turns] == ["user", "assistant", "user"]


def test_many_open_fences_are_searched_once() -> None:
    assert commands_in("x```bash\n" * 200_000) == []


@pytest.mark.parametrize(
    "record",
    [
        [],
        [SYSTEM, ISSUE],
        [ISSUE, fenced("ls"), {"role": "user", "content": "Thanks."}],
        [ISSUE, {"role": "assistant", "content": "Hi"}, seen("a")],
        [{**ISSUE, "role": "narrator"}, fenced("ls"), seen("a")],
        [1, 2],
        [{"role": [], "content": ""}],
        {"history": [{"role": "user", "content": "hi"}]},
        {"trajectory": [{"role": "user", "content": "hi"}], "info": {}},
        {"trajectory": "text", "info": {}},
        {"trajectory_format": "s"},
        {"info": {}},
        "text",
    ],
)
def test_what_only_looks_like_a_run_is_none(record: Any) -> None:
    assert not DIALECT.detect(record)


def test_a_run_that_holds_nothing_has_no_messages() -> None:
    (piece,) = DIALECT.read({"history": [], "trajectory": [], "info": {}})
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [None], {"a": []}, True])
def test_fields_of_any_type_lose_no_other_turn(odd: Any) -> None:
    for key in ("role", "content", "action", "tool_calls", "tool_call_ids", "extra", "is_demo"):
        found = conversation(ISSUE, {**acted("x", "ls"), key: odd}, {**observed("a"), key: odd})
        assert found.turns[0].text() == "Fix it.", key
    for key in ("trajectory", "messages", "environment"):
        found = conversation(ISSUE, acted("x", "ls"), **{key: odd})
        assert len(found.turns) == 2, key
    steps = [{"action": odd, "observation": odd, "query": odd, "response": odd}]
    list(DIALECT.read({"trajectory": steps, "info": {"exit_status": odd, "config": odd}}))


def test_twenty_thousand_turns_are_read_in_order() -> None:
    history = [one for at in range(10_000) for one in (acted("x", f"c{at}"), observed(str(at)))]
    found = conversation(*history)
    assert len(found.turns) == 20_000
    assert found.turns[-1].results()[0].call.turn == 19_998
