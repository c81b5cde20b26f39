from benchmarks.intake.drafting.chat_form import chat_messages, session_form
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.records.conversation import JsonPart, Text


def drafted() -> Draft:
    draft = Draft()
    draft.add("system", [Text(text="Be kind.")])
    draft.add("user", [Text(text="Where is it?")])
    draft.add("assistant", [Text(text="Looking."), CallFound("c1", "find", {"id": 7})])
    draft.add("tool", [ResultFound("c1", None, [JsonPart(value={"at": "dock"})])])
    draft.add("assistant", [Text(text="At the dock.")])
    return draft


def test_turns_are_messages_of_chat_completions() -> None:
    assert chat_messages(drafted().turns) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Where is it?"},
        {
            "role": "assistant",
            "content": "Looking.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "find", "arguments": '{"id": 7}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"at": "dock"}'},
        {"role": "assistant", "content": "At the dock."},
    ]


def test_a_session_is_split_before_its_last_answer() -> None:
    request, response = session_form(drafted().turns)
    assert request.system == "Be kind."
    assert [message["role"] for message in request.messages] == ["user", "assistant", "tool"]
    assert response.body["choices"][0]["message"]["content"] == "At the dock."


def test_raw_arguments_stay_raw() -> None:
    draft = Draft()
    draft.add("assistant", [CallFound("c1", "find", "{broken")])
    (message,) = chat_messages(draft.turns)
    assert message["content"] is None
    assert message["tool_calls"][0]["function"]["arguments"] == "{broken"


def test_what_an_environment_shows_is_a_user_s_message() -> None:
    draft = Draft()
    draft.add("assistant", [Text(text="ls")])
    draft.add("tool", [Text(text="a.txt")], name="environment")
    assert chat_messages(draft.turns)[1:] == [{"role": "user", "content": "a.txt"}]
