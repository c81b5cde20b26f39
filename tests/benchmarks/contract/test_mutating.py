import pytest

from benchmarks.contract.mutating import (
    classify,
    effect_of_call,
    effective_policy,
    is_closing,
    merge_policy,
)
from benchmarks.records.conversation import Tool
from benchmarks.records.tool_policy import ToolEntry, ToolPolicy
from benchmarks.records.vocabulary import Effect, Role


def listed(text: str) -> list[str]:
    return text.replace(",", " ").split()


WRITES = listed(
    "book_reservation cancel_reservation update_reservation_flights update_reservation_baggages"
    " update_reservation_passengers send_certificate createRecord insertRow submitOrder"
    " post-comment deleteUser mark_done get_or_create_user check_and_update search_and_replace"
    " create-ticket notify-oncall crm_update_subscription mail_send reservation.cancel"
    " toggle_data transfer_funds issue_refund mcp__github__create_issue transfer_money_to_person"
    " forward_email_to_support Write Edit MultiEdit NotebookEdit apply_patch replace"
    " write_file save_memory"
    " functions.create_user default_api:delete_user find_then_remove book_flight returnItems"
    " archive_thread schedule_meeting"
)
READS = listed(
    "get_user_details get_reservation_details search_direct_flight search_onestop_flight"
    " list_all_airports calculate think get_update_status list_deleted_items order_status"
    " message_history users_list getUserByID lookup-account mcp__exa__web_search_exa"
    " get_transfer_agent Read Grep Glob LS NotebookRead WebFetch WebSearch BashOutput TodoRead"
    " web_search file_search web_fetch TodoWrite update_plan default_api:getWeather"
    " account_balance check_status get_delegates"
)
UNKNOWN = listed(
    "status_order make_payment open_ticket run_sql sync refuel_data check_in check_out_guest"
    " select_seat book email bookings Bash KillShell shell exec_command run_shell_command"
    " execute_bash code_interpreter code_execution computer Task Agent str_replace_editor"
    " updated_records deleted buchen_flug réserver 查询 _ http_request"
)


@pytest.mark.parametrize("name", WRITES)
def test_a_write_is_read_off_the_name(name: str) -> None:
    assert classify(name).effect is Effect.WRITE


@pytest.mark.parametrize("name", READS)
def test_a_read_is_read_off_the_name(name: str) -> None:
    entry = classify(name)
    assert entry.effect is Effect.READ
    assert not is_closing(entry)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_that_says_nothing_sure_is_unknown(name: str) -> None:
    assert classify(name).effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("transfer_to_human_agents", Role.HANDOFF),
        ("transfer_to_weather_agent", Role.HANDOFF),
        ("handoffToBilling", Role.HANDOFF),
        ("hand_off_to_sales", Role.HANDOFF),
        ("escalate_to_supervisor", Role.HANDOFF),
        ("forward_call_to_operator", Role.HANDOFF),
        ("live_transfer_customer_to_a_representative", Role.HANDOFF),
        ("route_chat_to_live_agent", Role.HANDOFF),
        ("escalate_case_to_supervisor", None),
        ("transfer_money_to_person", None),
        ("forward_email_to_support", None),
        ("get_transfer_agent", None),
        ("finish", Role.FINISH),
        ("final_result", Role.FINISH),
        ("attempt_completion", Role.FINISH),
        ("submitAnswer", Role.FINISH),
        ("ExitPlanMode", Role.FINISH),
        ("finish_order", None),
        ("think", Role.SCRATCH),
        ("TodoWrite", Role.SCRATCH),
        ("delegate_work", Role.DELEGATE),
        ("spawn_worker", Role.DELEGATE),
        ("invoke_agent", Role.DELEGATE),
        ("run_agent", Role.DELEGATE),
        ("Task", Role.DELEGATE),
        ("run_sql", Role.CARRIER),
        ("Bash", Role.CARRIER),
    ],
)
def test_roles_are_read_off_the_name(name: str, role: Role | None) -> None:
    entry = classify(name)
    assert entry.role is role
    assert is_closing(entry) is (role in {Role.HANDOFF, Role.FINISH})


def test_a_closing_tool_is_written_as_a_read() -> None:
    assert classify("transfer_to_human_agents").effect is Effect.READ


@pytest.mark.parametrize(
    ("annotations", "http", "effect", "source"),
    [
        ({"readOnlyHint": True}, None, Effect.READ, "annotation"),
        ({"readOnlyHint": False}, None, Effect.WRITE, "annotation"),
        ({"destructiveHint": True, "readOnlyHint": True}, None, Effect.WRITE, "annotation"),
        ({"destructiveHint": False}, None, Effect.UNKNOWN, "lexicon"),
        ({"readOnlyHint": "true"}, None, Effect.UNKNOWN, "lexicon"),
        ({"readOnlyHint": True}, {"method": "DELETE"}, Effect.READ, "annotation"),
        (None, {"method": "get"}, Effect.READ, "http"),
        (None, {"method": "HEAD"}, Effect.READ, "http"),
        (None, {"method": "OPTIONS"}, Effect.READ, "http"),
        (None, {"method": "PUT"}, Effect.WRITE, "http"),
        (None, {"method": "PATCH"}, Effect.WRITE, "http"),
        (None, {"method": "DELETE"}, Effect.WRITE, "http"),
        (None, {"method": "POST"}, Effect.WRITE, "http"),
        (None, {"method": "BREW"}, Effect.UNKNOWN, "lexicon"),
        (None, None, Effect.UNKNOWN, "lexicon"),
    ],
)
def test_annotation_beats_http_beats_lexicon(
    annotations: dict[str, object] | None,
    http: dict[str, object] | None,
    effect: Effect,
    source: str,
) -> None:
    entry = classify("bookings", annotations=annotations, http=http)
    assert (entry.effect, entry.source) == (effect, source)


def test_a_post_under_the_name_of_a_read_is_unknown() -> None:
    entry = classify("search_flights", http={"method": "POST"})
    assert (entry.effect, entry.source) == (Effect.UNKNOWN, "http")


def test_a_weaker_source_that_disagrees_is_named() -> None:
    entry = classify("delete_user", annotations={"readOnlyHint": True}, http={"method": "DELETE"})
    assert entry.evidence == (
        "readOnlyHint=true; http says write (DELETE); lexicon says write (verb: delete)"
    )


@pytest.mark.parametrize(
    ("statement", "effect"),
    [
        ("SELECT * FROM t", Effect.READ),
        ("  select 1;", Effect.READ),
        ("-- why\nSELECT 1", Effect.READ),
        ("(SELECT 1) UNION (SELECT 2)", Effect.READ),
        ("WITH a AS (SELECT 1) SELECT * FROM a", Effect.READ),
        ("WITH a AS (SELECT 1) DELETE FROM t", Effect.WRITE),
        ("SHOW TABLES", Effect.READ),
        ("EXPLAIN SELECT 1", Effect.READ),
        ("DESCRIBE t", Effect.READ),
        ("SELECT ';' ; SELECT 2", Effect.READ),
        ("SELECT 1; DROP TABLE t", Effect.WRITE),
        ("UPDATE t SET a = 1", Effect.WRITE),
        ("TRUNCATE t", Effect.WRITE),
        ("", Effect.UNKNOWN),
    ],
)
def test_a_sql_carrier_is_classed_by_its_statement(statement: str, effect: Effect) -> None:
    assert effect_of_call(classify("run_sql"), {"query": statement}) is effect


@pytest.mark.parametrize(
    ("arguments", "effect"),
    [
        ({"method": "GET", "url": "/"}, Effect.READ),
        ({"method": "post", "url": "/"}, Effect.WRITE),
        ({"url": "/", "body": "x"}, Effect.UNKNOWN),
    ],
)
def test_an_http_carrier_is_classed_by_its_method(
    arguments: dict[str, object], effect: Effect
) -> None:
    assert effect_of_call(classify("http_request"), arguments) is effect


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("ls -la", Effect.READ),
        ("git status", Effect.READ),
        ("git push origin", Effect.WRITE),
        ("git fetch", Effect.UNKNOWN),
        ("ls | git push", Effect.WRITE),
        ("ls && rm x", Effect.UNKNOWN),
        ("", Effect.UNKNOWN),
    ],
)
def test_a_command_is_classed_by_the_operators_list_only(line: str, effect: Effect) -> None:
    listed_commands = {"ls": Effect.READ, "git status": Effect.READ, "git push": Effect.WRITE}
    entry = classify("Bash").with_(commands=listed_commands)
    assert effect_of_call(entry, {"command": line}) is effect
    assert effect_of_call(classify("Bash"), {"command": line}) is Effect.UNKNOWN


def test_an_editor_reads_when_it_views() -> None:
    entry = classify("str_replace_editor")
    assert effect_of_call(entry, {"command": "view", "path": "/a"}) is Effect.READ
    assert effect_of_call(entry, {"command": "create", "path": "/a"}) is Effect.WRITE


def test_an_unknown_way_of_carrying_stays_unknown() -> None:
    entry = ToolEntry(effect=Effect.UNKNOWN, per_call="telepathy")
    assert effect_of_call(entry, {"a": 1}) is Effect.UNKNOWN


def test_arguments_that_did_not_parse_leave_a_carrier_unknown() -> None:
    assert effect_of_call(classify("run_sql"), None) is Effect.UNKNOWN
    assert effect_of_call(classify("delete_row"), None) is Effect.WRITE
    assert effect_of_call(None, {"a": 1}) is Effect.UNKNOWN


def tool(name: str, *properties: str) -> Tool:
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in properties}}
    return Tool(name=name, parameters=schema if properties else None)


@pytest.mark.parametrize(
    ("name", "properties", "argument", "entity"),
    [
        ("issue_refund", ("amount", "order_id"), "order_id", "order"),
        ("update_user_address", ("address_id", "user_id"), "address_id", "address"),
        ("update_user", ("address_id", "user_id"), "user_id", "user"),
        ("cancelOrder", ("reason", "orderId"), "orderId", "order"),
        ("deleteUser", ("id",), "id", "user"),
        ("set_status", ("ticket_number", "status"), "ticket_number", "ticket"),
        ("add_note", ("text",), None, None),
    ],
)
def test_the_id_argument_shares_a_word_with_the_tool(
    name: str, properties: tuple[str, ...], argument: str | None, entity: str | None
) -> None:
    entry = merge_policy([tool(name, *properties)], {}).tools[name]
    assert (entry.id_argument, entry.entity) == (argument, entity)


@pytest.mark.parametrize(
    ("name", "properties", "calls", "idempotent"),
    [
        ("set_priority", ("ticket_id", "priority"), [], True),
        ("set_priority", ("ticket_id", "amount"), [], False),
        ("set_priority", (), [{"ticket_id": 1}, {"ticket_id": 2, "amount": 3}], False),
        ("set_priority", (), [{"ticket_id": 1}], True),
        ("set_priority", ("ticket_id",), [{"amount": 3}], True),
        ("change_order", ("items", "payment_id"), [], False),
        ("mark_done", ("task_id",), [], True),
        ("crm_update_subscription", ("id",), [], True),
        ("create_ticket", ("title",), [], False),
        ("send_mail", ("to",), [], False),
    ],
)
def test_repeats_fold_by_verb_unless_an_amount_is_among_the_arguments(
    name: str, properties: tuple[str, ...], calls: list[dict[str, object]], idempotent: bool
) -> None:
    entry = merge_policy([tool(name, *properties)], {name: calls}).tools[name]
    assert entry.idempotent is idempotent


def test_an_amount_at_any_depth_counts() -> None:
    nested = {"type": "object", "properties": {"lines": {"items": {"properties": {"price": {}}}}}}
    given = Tool(name="update_order", parameters=nested)
    assert merge_policy([given], {}).tools["update_order"].idempotent is False
    recorded = {"update_order": [{"lines": [{"price": 3}]}]}
    assert merge_policy([], recorded).tools["update_order"].idempotent is False


def test_the_idempotent_hint_decides() -> None:
    hinted = tool("create_ticket", "title").with_(annotations={"idempotentHint": True})
    assert merge_policy([hinted], {}).tools["create_ticket"].idempotent is True


def test_a_read_is_not_called_idempotent() -> None:
    assert merge_policy([tool("get_user", "user_id")], {}).tools["get_user"].idempotent is None


def test_the_operators_word_is_never_touched() -> None:
    mine = ToolEntry(effect=Effect.READ, source="operator", note="a look-up, whatever it says")
    merged = merge_policy(
        [tool("update_cache", "key").with_(annotations={"readOnlyHint": False})],
        {},
        ToolPolicy(tools={"update_cache": mine}),
    )
    assert merged.tools["update_cache"].dump() == mine.dump()


def test_open_facts_of_an_operators_line_are_filled_in_memory() -> None:
    mine = ToolEntry(effect=Effect.WRITE, source="operator")
    policy = effective_policy(ToolPolicy(tools={"set_tag": mine}), [tool("set_tag", "item_id")])
    assert (policy["set_tag"].idempotent, policy["set_tag"].id_argument) == (True, "item_id")


def test_what_the_file_says_is_in_force_as_it_was_written() -> None:
    filed = ToolPolicy(tools={"sync": ToolEntry(effect=Effect.WRITE, source="lexicon")})
    hinted = tool("sync").with_(annotations={"readOnlyHint": True})
    policy = effective_policy(filed, [hinted, tool("get_user", "user_id")])
    assert policy["sync"].effect is Effect.WRITE
    assert policy["get_user"].effect is Effect.READ


def test_a_weaker_entry_is_refreshed_and_a_stronger_one_kept() -> None:
    old = ToolPolicy(
        tools={
            "sync": ToolEntry(effect=Effect.UNKNOWN, source="lexicon", note="asked Kim"),
            "pull": ToolEntry(effect=Effect.READ, source="annotation"),
            "gone": ToolEntry(effect=Effect.WRITE, source="lexicon"),
        }
    )
    hinted = tool("sync").with_(annotations={"readOnlyHint": True})
    merged = merge_policy([hinted, tool("pull")], {}, old).tools
    assert (merged["sync"].effect, merged["sync"].note) == (Effect.READ, "asked Kim")
    assert merged["pull"].effect is Effect.READ
    assert merged["gone"].effect is Effect.WRITE


def test_unknown_keys_of_the_file_are_kept() -> None:
    old = ToolPolicy.read({"schema_version": "understudy.tool_policy.v1", "tools": {}, "x": 1})
    assert merge_policy([tool("sync")], {}, old).dump()["x"] == 1


def test_a_tool_that_was_called_but_never_offered_has_an_entry() -> None:
    merged = merge_policy([], {"delete_row": [{"row_id": 4}]})
    assert merged.tools["delete_row"].effect is Effect.WRITE
    assert merged.tools["delete_row"].id_argument == "row_id"


def test_an_invalid_effect_is_read_as_unknown() -> None:
    assert ToolEntry.read({"effect": "mutate"}).effect is Effect.UNKNOWN
