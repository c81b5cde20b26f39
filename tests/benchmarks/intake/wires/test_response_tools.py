from benchmarks.intake.wires.response_tools import response_tools

SERVER = {"type": "mcp", "server_label": "wiki", "server_description": "A wiki.",
          "server_url": "https://x.test/mcp", "allowed_tools": ["ask"]}  # fmt: skip


def test_flat_functions_keep_all_that_defines_them() -> None:
    (tool,) = response_tools(
        [{"type": "function", "name": "get", "description": "Get it.", "strict": True,
          "parameters": {"type": "object", "required": ["id"]},
          "annotations": {"readOnlyHint": True}}], [],
    )  # fmt: skip
    assert tool.dump() == {
        "name": "get", "description": "Get it.", "kind": "function", "strict": True,
        "parameters": {"type": "object", "required": ["id"]}, "required": ["id"],
        "annotations": {"readOnlyHint": True},
    }  # fmt: skip


def test_custom_tools_and_the_providers_own() -> None:
    custom, search = response_tools(
        [{"type": "custom", "name": "sh", "description": "Run.", "format": {"type": "text"}},
         {"type": "web_search", "search_context_size": "low"}], [],
    )  # fmt: skip
    assert (custom.name, custom.kind, custom.extra) == (
        "sh",
        "custom",
        {"format": {"type": "text"}},
    )
    assert (search.name, search.kind) == ("web_search", "provider")


def test_a_server_stands_for_itself_until_its_tools_are_listed() -> None:
    (alone,) = response_tools([SERVER], [])
    assert (alone.name, alone.kind, alone.server) == ("wiki", "mcp", "wiki")
    assert alone.description == "A wiki."
    assert alone.extra == {"server_url": "https://x.test/mcp", "allowed_tools": ["ask"]}


def test_the_tools_that_a_server_listed_take_its_place() -> None:
    item = {
        "type": "mcp_list_tools",
        "server_label": "wiki",
        "tools": [
            {
                "name": "ask",
                "description": "Ask.",
                "input_schema": {"required": ["q"]},
                "annotations": {"read_only": True},
            },
            {"name": "edit", "annotations": {"read_only": False}},
            {"description": "nameless"},
        ],
    }
    empty = {"type": "mcp_list_tools", "server_label": "wiki", "tools": []}
    ask, edit = response_tools([SERVER], [item, empty])
    assert (ask.name, ask.kind, ask.server, ask.required) == ("ask", "mcp", "wiki", ["q"])
    assert ask.annotations == {"readOnlyHint": True}
    assert (edit.name, edit.annotations) == ("edit", None)


def test_what_is_no_definition_offers_nothing() -> None:
    assert response_tools(3, []) == response_tools([3, {}], [{"type": "mcp_list_tools"}]) == []
    assert response_tools([{"type": "custom"}, {"type": "mcp"}], [])[1].name == "mcp"
