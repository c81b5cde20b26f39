from benchmarks.contract.compiling import CompileOptions
from benchmarks.foundry.dependencies import dependencies_of, origin_of, prefixed_server
from benchmarks.foundry.drafting import draft_all, policy_in_force
from benchmarks.records.conversation import Tool
from benchmarks.records.direction import Dependency
from tests.benchmarks.foundry.factories import call, result, session_record, tool


def found_in(tools: list[dict], *said: tuple, seed: int = 7) -> list[Dependency]:
    talk = [("user", "Please do it all for me."), *said, ("assistant", "Done.")]
    captures = [session_record(talk, tools=tools)]
    policy = policy_in_force(captures, None)
    cases = draft_all(captures, policy, CompileOptions()).cases
    return dependencies_of([case.draft for case in cases if case.draft], policy, seed=seed)


def test_each_server_and_each_origin_is_one_dependency() -> None:
    found = found_in([
        tool("mcp__github__create_issue"),
        tool("mcp__github__list_issues"),
        tool("get_mail", server="mailer"),
        tool("GET_weather", http={"method": "GET", "path": "https://api.weather.example/v1"}),
        tool("get_price", http={"method": "GET", "path": "/prices"}),
        tool("get_order"),
    ])
    assert [(one.kind, one.name, one.tools, one.posture, one.seed) for one in found] == [
        ("http", "api.weather.example", ["GET_weather"], "frozen", None),
        ("http", "http tools", ["get_price"], "frozen", None),
        ("mcp", "github", ["mcp__github__create_issue", "mcp__github__list_issues"],
         "simulated", 7),
        ("mcp", "mailer", ["get_mail"], "frozen", None),
        ("other", "application tools", ["get_order"], "frozen", None),
    ]  # fmt: skip
    assert not any(one.is_approved for one in found)


def test_live_is_never_suggested() -> None:
    found = found_in([tool("create_x"), tool("sync_all"), tool("get_y", server="s")])
    assert {one.posture for one in found} == {"simulated", "frozen"}


def test_a_tool_that_was_only_called_counts_and_a_call_may_name_the_server() -> None:
    named = {**call("get_ticket", "c1"), "server": "desk"}
    found = found_in([], ("assistant", named), ("tool", result("x", "get_ticket", "c1")))
    assert [(one.kind, one.name, one.tools) for one in found] == [("mcp", "desk", ["get_ticket"])]


def test_tools_that_reach_nothing_outside_are_no_dependency() -> None:
    assert found_in([tool("think"), tool("Task"), tool("transfer_to_human_agents")]) == []


def test_a_user_who_speaks_again_is_a_model_played_by_a_script() -> None:
    found = found_in([], ("assistant", "Which one?"), ("user", "The last one."))
    assert [(one.kind, one.name, one.tools, one.posture) for one in found] == [
        ("model", "user", [], "frozen")
    ]


def test_a_database_is_known_by_its_carrier() -> None:
    policy = policy_in_force([session_record([("user", "x")], tools=[tool("sql")])], None)
    assert origin_of(Tool(name="sql"), None, policy) == ("database", "sql")
    assert origin_of(Tool(name="web_search", kind="provider"), None, {}) == (
        "other",
        "provider tools",
    )


def test_two_dependencies_of_one_name_are_told_apart_by_kind() -> None:
    found = found_in([
        tool("get_a", http={"method": "GET", "path": "https://shop/x"}),
        tool("get_b", server="shop"),
    ])
    assert [one.name for one in found] == ["shop", "shop (mcp)"]


def test_prefix_of_a_server() -> None:
    assert prefixed_server("mcp__my_server__do_it") == "my_server"
    assert prefixed_server("functions.do_it") is None
    assert prefixed_server("do_it") is None
