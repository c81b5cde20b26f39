from benchmarks.foundry.definitions import inferred_tool, with_inferred_tools
from benchmarks.records.conversation import Tool
from tests.benchmarks.foundry.factories import call, conversation, tool

SYSTEM = ("system", "You handle refunds.")
ASK = ("user", "Refund A-1007.")


def test_a_definition_is_inferred_from_the_calls() -> None:
    found = inferred_tool(
        "refund",
        [
            {"order": "A", "amount": 25, "tags": ["x"], "b": None},
            {"order": "B", "amount": 2.5, "tags": [], "a": {"k": 1}},
        ],
    )
    assert found.dump() == {
        "name": "refund",
        "description": None,
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "object"},
                "amount": {"type": "number"},
                "b": {},
                "order": {"type": "string"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["amount", "order", "tags"],
        },
        "required": ["amount", "order", "tags"],
        "kind": "function",
        "inferred": True,
    }


def test_an_undefined_tool_is_shown_to_the_whole_family() -> None:
    conversations = {
        "a": conversation([SYSTEM, ASK, ("assistant", call("get", id=1))]),
        "b": conversation([SYSTEM, ASK, ("assistant", call("pay", id=1))]),
        "c": conversation([("system", "Other."), ASK]),
    }
    found = with_inferred_tools(conversations)
    assert [[t.name for t in found[name].tools] for name in "abc"] == [
        ["get", "pay"],
        ["get", "pay"],
        [],
    ]


def test_a_given_definition_is_kept_and_lent_to_who_called_without_it() -> None:
    given = tool("get", description="Look up.")
    conversations = {
        "a": conversation([SYSTEM, ASK], tools=[given]),
        "b": conversation([SYSTEM, ASK, ("assistant", call("get", id=1))]),
        "c": conversation([SYSTEM, ASK]),
    }
    found = with_inferred_tools(conversations)
    assert [[t.description for t in found[name].tools] for name in "abc"] == [
        ["Look up."],
        ["Look up."],
        [],
    ]


def test_without_a_system_text_each_conversation_stands_alone() -> None:
    conversations = {
        "a": conversation([ASK, ("assistant", call("get", id=1))]),
        "b": conversation([ASK]),
    }
    assert with_inferred_tools(conversations)["b"].tools == []


def test_arguments_that_did_not_parse_say_nothing() -> None:
    broken = {
        "type": "tool_call",
        "call_id": "c1",
        "name": "get",
        "arguments_raw": "{",
        "arguments_error": {"kind": "truncated", "message": "end of text"},
    }
    found = with_inferred_tools({"a": conversation([SYSTEM, ASK, ("assistant", broken)])})
    assert found["a"].tools == []


def test_a_tool_that_is_only_named_is_defined_by_its_calls() -> None:
    named = [Tool(name=name, inferred=True) for name in ("get", "pay")] + [Tool(name="see")]
    conversations = {
        "a": conversation([SYSTEM, ASK, ("assistant", call("get", id=1))], tools=named),
        "b": conversation([SYSTEM, ASK], tools=named[1:2]),
    }
    found = with_inferred_tools(conversations)
    assert [[(t.name, t.inferred) for t in found[name].tools] for name in "ab"] == [
        [("pay", True), ("see", None), ("get", True)],
        [("pay", True), ("get", True)],
    ]
    assert found["a"].tools[2].parameters["required"] == ["id"]


def test_what_a_source_says_of_a_tool_without_its_schema_is_kept() -> None:
    named = Tool(name="get", description="Gets.", annotations={"readOnlyHint": True}, inferred=True)
    found = with_inferred_tools({
        "a": conversation([SYSTEM, ASK, ("assistant", call("get", id=1))], tools=[named])
    })
    (tool_,) = found["a"].tools
    assert (tool_.description, tool_.annotations) == ("Gets.", {"readOnlyHint": True})
    assert (tool_.required, tool_.inferred) == (["id"], True)
    assert tool_.parameters == {
        "type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"],
    }  # fmt: skip
