import base64
from typing import Any

import pytest

from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.responses_items import add_history, add_output, input_items

USER = {"role": "user", "content": "Hi"}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "get",
        "arguments": '{"id": "7"}'}  # fmt: skip


def drafted(*items: Any) -> Draft:
    draft = Draft()
    add_history(draft, input_items({"input": list(items)}))
    return draft


def parts(*items: Any) -> list[dict[str, Any]]:
    (turn,) = drafted(*items).turns
    return [part.dump() for part in turn.parts]


def result(output: Any, **about: Any) -> dict[str, Any]:
    item = {"type": "function_call_output", "call_id": "a", "output": output, **about}
    return drafted(CALL, item).turns[1].parts[0].dump()


def test_neighbouring_items_of_the_model_are_one_turn() -> None:
    draft = drafted(
        {"role": "developer", "content": "Be brief."}, USER,
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}, CALL,
        {"type": "function_call_output", "call_id": "a", "output": "seven"},
        {"type": "message", "role": "assistant",
         "content": [{"type": "output_text", "text": "It is seven."}]},
        {"role": "assistant", "content": "Done."}, USER,
    )  # fmt: skip
    assert [(t.role, t.source_index, [p.type for p in t.parts]) for t in draft.turns] == [
        ("system", 0, ["text"]), ("user", 1, ["text"]),
        ("assistant", 2, ["reasoning", "tool_call"]), ("tool", 4, ["tool_result"]),
        ("assistant", 5, ["text", "text"]), ("user", 7, ["text"]),
    ]  # fmt: skip
    assert draft.issues == []
    assert draft.turns[3].results()[0].call.dump() == {"turn": 2, "part": 1}


def test_a_history_equals_the_answer_it_was_made_of() -> None:
    answer = Draft()
    items = [{"type": "reasoning", "encrypted_content": "gAAA", "summary": []}, CALL]
    add_output(answer, items, "m-1")
    (turn,) = answer.turns
    assert (turn.origin, turn.model) == ("response", "m-1")
    assert turn.parts == drafted(*items).turns[0].parts


def test_a_text_is_one_message_of_the_user() -> None:
    assert input_items({"input": "Hi"}) == [USER]
    assert input_items({"input": ""}) == input_items({"input": 3}) == input_items({}) == []


def test_results_one_after_the_other_answer_their_own_calls() -> None:
    second = {**CALL, "call_id": "b"}
    draft = drafted(
        CALL, second, {"type": "function_call_output", "call_id": "b", "output": "B"},
        {"type": "function_call_output", "call_id": "a", "output": "A"},
    )  # fmt: skip
    assert [turn.results()[0].call.part for turn in draft.turns[1:]] == [1, 0]


def test_encrypted_thought_is_a_flag_and_no_blob() -> None:
    item = {"type": "reasoning", "encrypted_content": "gAAA", "summary": []}
    assert parts(item) == [{"type": "reasoning", "encrypted": True}]


def test_thought_is_its_summary_and_its_text() -> None:
    item = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}],
            "content": [{"type": "reasoning_text", "text": "b"}]}  # fmt: skip
    assert parts(item) == [{"type": "reasoning", "text": "a\nb"}]


def test_a_custom_call_takes_text_and_gets_its_result() -> None:
    draft = drafted(
        {"type": "custom_tool_call", "call_id": "a", "name": "sh", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "a", "output": "x"},
    )
    assert draft.turns[0].calls()[0].arguments == {"input": "ls"}
    assert draft.turns[1].results()[0].name == "sh"


def test_a_call_of_a_server_holds_its_result() -> None:
    item = {"type": "mcp_call", "id": "mcp_1", "server_label": "wiki", "name": "ask",
            "arguments": '{"q": "x"}', "output": "an answer", "error": None}  # fmt: skip
    assert parts(item) == [
        {"type": "tool_call", "call_id": "mcp_1", "name": "ask", "arguments": {"q": "x"},
         "executed_by": "provider", "server": "wiki"},
        {"type": "tool_result", "call_id": "mcp_1", "name": "ask", "status": "ok",
         "parts": [{"type": "text", "text": "an answer"}], "call": {"turn": 0, "part": 0}},
    ]  # fmt: skip


def test_a_call_of_a_server_may_fail_or_lack_its_result() -> None:
    item = {"type": "mcp_call", "id": "mcp_1", "name": "ask", "arguments": "{}", "output": None}
    assert [part["type"] for part in parts(item)] == ["tool_call"]
    failed = parts({**item, "error": {"type": "http", "message": "404"}})[1]
    assert (failed["status"], failed["parts"]) == ("error", [{"type": "text", "text": "404"}])


def test_a_list_of_tools_is_no_part_but_a_failure_to_list_them_is() -> None:
    listed = {"type": "mcp_list_tools", "server_label": "wiki", "tools": []}
    assert drafted(listed).turns == []
    assert parts({**listed, "error": "down"})[0]["type"] == "unknown"


@pytest.mark.parametrize(
    ("item", "name", "arguments", "result_parts"),
    [
        ({"type": "web_search_call", "action": {"type": "search", "query": "x"}},
         "web_search", {"type": "search", "query": "x"}, None),
        ({"type": "web_search_call", "action": {"query": "x", "sources": [{"url": "u"}]}},
         "web_search", {"query": "x"}, [{"type": "json", "value": {"url": "u"}}]),
        ({"type": "file_search_call", "queries": ["x"], "results": [{"file_id": "f"}]},
         "file_search", {"queries": ["x"]}, [{"type": "json", "value": {"file_id": "f"}}]),
        ({"type": "code_interpreter_call", "code": "1+1", "container_id": "c", "outputs": None},
         "code_interpreter", {"code": "1+1"}, None),
        ({"type": "code_interpreter_call", "code": "1+1",
          "outputs": [{"type": "logs", "logs": "2"}]},
         "code_interpreter", {"code": "1+1"}, [{"type": "text", "text": "2"}]),
    ],
)  # fmt: skip
def test_tools_that_the_provider_brings(
    item: Any, name: str, arguments: Any, result_parts: Any
) -> None:
    call, *results = parts({"id": "x_1", "status": "completed", **item})
    assert (call["call_id"], call["name"], call["executed_by"]) == ("x_1", name, "provider")
    assert call["arguments"] == arguments
    assert [found["parts"] for found in results] == ([result_parts] if result_parts else [])


def test_a_drawn_image_is_kept_as_bytes() -> None:
    item = {"type": "image_generation_call", "id": "ig_1", "output_format": "webp",
            "prompt": "a cat", "result": base64.b64encode(b"image").decode()}  # fmt: skip
    draft = drafted(item)
    (media,) = draft.turns[0].results()[0].parts
    assert (media.media, media.mime, media.content["bytes"]) == ("image", "image/webp", 5)
    assert list(draft.blobs.values()) == [b"image"]


def test_a_tool_that_the_client_runs_is_answered_by_the_client() -> None:
    draft = drafted(
        {"type": "computer_call", "id": "cu_1", "call_id": "a",
         "action": {"type": "click", "x": 1}},
        {"type": "computer_call_output", "call_id": "a",
         "output": {"type": "computer_screenshot", "image_url": "https://x.test/a.png"}},
    )  # fmt: skip
    (call,) = draft.turns[0].calls()
    assert (call.name, call.arguments, call.executed_by) == (
        "computer", {"type": "click", "x": 1}, None,
    )  # fmt: skip
    (found,) = draft.turns[1].results()
    assert (found.call.turn, found.parts[0].uri) == (0, "https://x.test/a.png")


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("seven", [{"type": "text", "text": "seven"}]),
        ("", []),
        (None, []),
        (7, [{"type": "json", "value": 7}]),
        ({"a": 1}, [{"type": "json", "value": {"a": 1}}]),
        ([1, 2], [{"type": "json", "value": [1, 2]}]),
        ([{"type": "input_text", "text": "a"}, {"type": "odd", "b": 1}],
         [{"type": "text", "text": "a"}, {"type": "json", "value": {"type": "odd", "b": 1}}]),
    ],
)  # fmt: skip
def test_a_result_is_a_text_a_value_or_parts(output: Any, found: Any) -> None:
    assert result(output)["parts"] == found


def test_a_result_that_says_it_failed_did() -> None:
    assert result("x", status="failed")["status"] == "error"
    assert result("x", status="completed")["status"] == "ok"


def test_parts_of_every_type() -> None:
    audio = base64.b64encode(b"sound").decode()
    content = [
        {"type": "input_text", "text": "Look:"},
        {"type": "input_text", "text": ""},
        {"type": "input_image", "image_url": "https://x.test/a.png"},
        {"type": "input_image", "file_id": "file-1"},
        {"type": "input_file", "filename": "a.txt", "file_data": "data:text/plain;base64,aGk="},
        {"type": "input_audio", "input_audio": {"data": audio, "format": "wav"}},
        {"type": "refusal", "refusal": "No."},
        {"type": "hologram"},
    ]
    draft = drafted({"role": "user", "content": content})
    found = draft.turns[0].parts
    assert [part.type for part in found] == [
        "text", "media", "media", "media", "media", "refusal", "unknown",
    ]  # fmt: skip
    assert [part.uri for part in found[1:3]] == ["https://x.test/a.png", "file-1"]
    assert (found[3].name, found[3].mime) == ("a.txt", "text/plain")
    assert sorted(draft.blobs.values()) == [b"hi", b"sound"]


def test_what_no_rule_knows_is_kept_whole_and_counted() -> None:
    approval = {"type": "mcp_approval_request", "id": "r", "name": "ask"}
    answer = {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True}
    draft = drafted(approval, answer, {"type": "item_reference", "id": "x"}, {"odd": 1})
    assert [(turn.role, [part.source_type for part in turn.parts]) for turn in draft.turns] == [
        ("assistant", ["mcp_approval_request"]), ("user", ["mcp_approval_response"]),
        ("assistant", ["item_reference", "unknown"]),
    ]  # fmt: skip
    assert [issue.code for issue in draft.issues] == ["unknown_part"] * 4


@pytest.mark.parametrize(
    "item",
    [{"type": 3}, {"role": 3}, {"role": "user", "content": 3}, {"role": "user", "content": [3]},
     {"type": "reasoning", "summary": 3, "content": [{"text": 3}]}, {"type": "function_call"},
     {"type": "custom_tool_call", "input": 3}, {"type": "mcp_call", "output": 3, "error": 3},
     {"type": "x_call", "action": 3, "outputs": 3}, {"type": "x_output", "output": {"type": []}},
     {"type": "image_generation_call", "result": 3, "output_format": 3},
     {"role": "user", "content": [{"type": "input_image", "image_url": {"url": 3}},
                                  {"type": "input_file"}, {"type": "input_audio"},
                                  {"type": []}, {"type": "refusal", "refusal": 3}]}],
)  # fmt: skip
def test_nothing_in_an_item_has_to_be_what_it_should_be(item: Any) -> None:
    assert len(drafted(item).turns) == 1


@pytest.mark.parametrize(
    ("item", "owed"),
    [
        ({"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "output": None}, True),
        ({"type": "image_generation_call", "id": "i", "result": None}, True),
        ({"type": "web_search_call", "id": "w", "action": {"query": "x"}}, False),
        ({"type": "code_interpreter_call", "id": "c", "code": "1", "outputs": None}, False),
        ({"type": "file_search_call", "id": "f", "queries": ["x"], "results": None}, False),
    ],
)
def test_only_what_a_provider_always_shows_is_missing(item: dict[str, Any], owed: bool) -> None:
    draft = drafted(USER, item, USER, {"role": "assistant", "content": "Done."})
    draft.close()
    assert [issue.code for issue in draft.issues] == ["missing_result"] * owed
