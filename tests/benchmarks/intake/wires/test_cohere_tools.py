from benchmarks.intake.wires.cohere_tools import cohere_tools


def test_definitions_of_version_1_become_a_schema() -> None:
    definitions = {
        "city": {"description": "Where.", "type": "str", "required": True},
        "days": {"type": "int"}, "tags": {"type": "List[str]", "required": False},
        "when": {"type": "date"}, "odd": 3,
    }  # fmt: skip
    (tool,) = cohere_tools({
        "tools": [{"name": "get", "description": "Get.", "parameter_definitions": definitions}]
    })
    assert (tool.name, tool.description, tool.required) == ("get", "Get.", ["city"])
    assert tool.parameters == {
        "type": "object", "required": ["city"],
        "properties": {"city": {"description": "Where.", "type": "string"},
                       "days": {"type": "integer"}, "tags": {"type": "array"},
                       "when": {"type": "date"}},
    }  # fmt: skip


def test_a_tool_without_parameters_takes_none() -> None:
    (tool,) = cohere_tools({"tools": [{"name": "now", "description": "Now."}]})
    assert tool.parameters == {"type": "object", "properties": {}}


def test_version_2_offers_functions_as_chat_does() -> None:
    function = {"name": "get", "parameters": {"type": "object"}}
    (tool,) = cohere_tools({"tools": [{"type": "function", "function": function}]})
    assert tool.parameters == {"type": "object"}


def test_what_is_no_definition_offers_nothing() -> None:
    assert cohere_tools({}) == cohere_tools({"tools": [3, {}, {"name": 3}]}) == []
