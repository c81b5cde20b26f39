"""A conversation becomes a contract, step by step of spec/build.md 4.2, 4.6 and 4.7."""

from typing import Any

import pytest

from benchmarks.contract.claims import codes_of
from benchmarks.contract.compiling import (
    Compiled,
    CompileOptions,
    SourceContext,
    compile_contract,
    recorded_structures,
)
from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.mutating import effective_policy
from benchmarks.contract.observed import observed_from_conversation
from benchmarks.contract.score import score
from benchmarks.records.conversation import Conversation
from tests.benchmarks.contract.making import (
    POLICY,
    TOOLS,
    Talk,
    contract,
    effect,
    exact,
    response,
    said_value,
    tool,
)

OFFERED = [tool(name, keys) for name, keys in TOOLS.items()]


def compiled(conversation: Conversation, **options: Any) -> Compiled:
    return compile_contract(conversation, POLICY, CompileOptions(**options))


def shapes(found: Compiled) -> list[str]:
    return [str(entry.kind or entry.type) for entry in found.contract.required]


def asking() -> Talk:
    return Talk(*OFFERED).user("Please close ticket T-1.")


def closing() -> Talk:
    return asking().calls("close-ticket", {"ticket_id": "T-1"})


def test_an_accepted_write_becomes_a_state_effect() -> None:
    found = compiled(closing().says("Closed.").ends())
    assert found.contract.dump() == {
        "status": "machine_proposed",
        "grading": "final_state_and_obligations",
        "writes": "forbid",
        "required": [
            {
                "id": "o1",
                "type": "state_effect",
                "tool": "close-ticket",
                "arguments": {"ticket_id": {"match": "exact", "value": "T-1"}},
                "observed_arguments": {"ticket_id": "T-1"},
                "matching": "semantic_outcome_not_exact_trajectory",
                "provenance": {"kind": "trace", "call_id": "c1"},
                "confidence": "medium",
            },
            {
                "id": "o2",
                "type": "response_obligation",
                "kind": "answered",
                "provenance": {"kind": "trace"},
            },
        ],
        "preserved": [],
        "forbidden": [],
    }
    assert found.claims == (
        {
            "kind": "observed",
            "claim": "tool close-ticket was called",
            "confidence": "high",
            "source_call_id": "c1",
        },
    )
    assert (found.judgeability, found.confidence, found.close_call) == ("full", "high", False)


def test_rejected_calls_reads_and_hand_offs_make_no_obligation() -> None:
    talk = (
        asking()
        .calls("close-ticket", {"ticket_id": "T-9"}, "Error: no such ticket", "error")
        .calls("get_order", {"order_id": "A-7"})
        .calls("transfer_to_human_agents", {"summary": "x"})
    )
    assert shapes(compiled(talk.ends("handoff"))) == ["no_state_change", "answered"]


def test_a_result_whose_status_failed_is_a_rejected_write_and_an_accepted_read() -> None:
    failed = '{"status": "failed"}'
    talk = asking().calls("close-ticket", {"ticket_id": "T-1"}, failed)
    talk.calls("get_order", {"order_id": "A-7"}, failed)
    found = compiled(talk.says("Sorry.").ends())
    assert shapes(found) == ["no_state_change", "answered"]


def test_repeats_fold_in_the_source_too() -> None:
    talk = closing().calls("close-ticket", {"ticket_id": "T-1"}).says("Closed.")
    assert shapes(compiled(talk.ends())) == ["state_effect", "answered"]


def test_a_missing_result_lowers_confidence() -> None:
    talk = asking().calls("close-ticket", {"ticket_id": "T-1"}, None).says("Closed.")
    found = compiled(talk.ends())
    assert shapes(found) == ["state_effect", "answered"]
    assert (found.confidence, found.judgeability) == ("low", "partial")
    assert "the result of close-ticket was not seen" in [claim["claim"] for claim in found.claims]


def test_arguments_that_did_not_parse_are_free_and_said() -> None:
    found = compiled(asking().calls("close-ticket", "{oops").says("Closed.").ends())
    entry = found.contract.required[0]
    assert (entry.arguments, entry.observed_arguments) == ({}, "{oops")
    assert found.confidence == "low"


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ({}, ["no_state_change", "answered"]),
        ({"refusals": "consulted"}, ["no_state_change", "consulted", "answered"]),
    ],
)
def test_a_refusal_after_a_look(options: dict[str, Any], kinds: list[str]) -> None:
    talk = asking().calls("get_order", {"order_id": "A-7"}).says("That I cannot do.")
    found = compiled(talk.ends(), **options)
    assert shapes(found) == kinds
    assert found.judgeability == "weak"


def test_a_refusal_without_a_look_is_never_consulted() -> None:
    found = compiled(asking().says("No.").ends(), refusals="consulted")
    assert shapes(found) == ["no_state_change", "answered"]


def test_where_no_write_can_be_made_nothing_is_forbidden() -> None:
    talk = Talk(tool("get_order", ["order_id"])).user("Is A-7 there?")
    found = compiled(talk.calls("get_order", {"order_id": "A-7"}).says("Yes.").ends())
    assert "no_state_change" not in shapes(found)


def test_a_carrier_could_have_written() -> None:
    policy = effective_policy(None, [tool("run_sql", ["query"])])
    talk = Talk(tool("run_sql", ["query"])).user("Count them.")
    talk.calls("run_sql", {"query": "SELECT count(*) FROM t"}, "[]").says("None.")
    found = compile_contract(talk.ends(), policy)
    assert [entry.type for entry in found.contract.required][0] == "no_state_change"


def test_tools_offered_by_the_context_count_as_offered() -> None:
    conversation = Talk().user("Close it.").says("No.").ends()
    context = SourceContext(offered=["close-ticket"])
    found = compile_contract(conversation, POLICY, context=context)
    assert [entry.type for entry in found.contract.required][0] == "no_state_change"


def test_an_unknown_call_is_never_a_read_and_never_an_obligation() -> None:
    found = compiled(asking().calls("bookings", {"what": "all"}).says("Done.").ends())
    assert shapes(found) == ["answered"]
    assert found.unclassified_tools == ("bookings",)
    assert (found.confidence, found.needs_review) == ("low", True)
    assert codes_of(found.claims) == {"unclassified_call"}


def test_a_source_that_stops_in_the_middle_is_not_closed() -> None:
    found = compiled(closing().ends("open"))
    assert shapes(found) == ["state_effect"]
    assert (found.confidence, found.contract.writes) == ("low", "allow")
    assert "the source stops in the middle" in [claim["claim"] for claim in found.claims]


@pytest.mark.parametrize("reason", ["user_stop", "reply"])
def test_a_closed_source_forbids_extra_writes(reason: str) -> None:
    assert compiled(closing().says("Closed.").ends(reason)).contract.writes == "forbid"


def test_a_hole_in_the_source_allows_extra_writes() -> None:
    context = SourceContext(holes=("the workload is partly hidden",))
    found = compile_contract(closing().says("Closed.").ends(), POLICY, context=context)
    assert found.contract.writes == "allow"
    assert found.claims[-1]["claim"] == "extra writes are allowed: the workload is partly hidden"
    forced = compile_contract(
        closing().says("Closed.").ends(), POLICY, CompileOptions(extra_writes="forbid"), context
    )
    assert forced.contract.writes == "forbid"


def test_the_end_follows_the_roles_of_the_policy() -> None:
    conversation = asking().calls("transfer_to_human_agents", {"summary": "x"}).ends("limit")
    assert compiled(conversation).end.reason == "handoff"
    mine = dict(POLICY) | {
        "transfer_to_human_agents": POLICY["transfer_to_human_agents"].with_(role=None)
    }
    denied = asking().calls("transfer_to_human_agents", {"summary": "x"}).ends("handoff")
    assert compile_contract(denied, mine).end.reason == "open"


def test_an_id_made_by_an_earlier_write_is_a_reference() -> None:
    talk = (
        Talk(*OFFERED)
        .user("Open a ticket and close it.")
        .calls("create-ticket", {"title": "printer"}, '{"ticket": {"id": "tkt-17"}}')
        .calls("close-ticket", {"ticket_id": "tkt-17"})
        .says("Done.")
    )
    found = compiled(talk.ends())
    assert found.contract.required[1].arguments == {
        "ticket_id": {"match": "ref", "entry": "o1", "path": "/ticket/id"}
    }
    observed = observed_from_conversation(talk.ends(), POLICY)
    assert score(found.contract, observed, POLICY).score.strict == 1


def test_an_id_in_a_list_of_a_result_has_its_place() -> None:
    talk = (
        Talk(*OFFERED).user("Go.").calls("create-ticket", {"title": "x"}, '{"ids": ["t-1", "t-2"]}')
    )
    talk.calls("close-ticket", {"ticket_id": "t-2"}).says("Done.")
    assert compiled(talk.ends()).contract.required[1].arguments == {
        "ticket_id": {"match": "ref", "entry": "o1", "path": "/ids/1"}
    }


def test_an_id_in_a_text_result_has_the_empty_path() -> None:
    talk = Talk(*OFFERED).user("Go.").calls("create-ticket", {"title": "x"}, "Made tkt-17.")
    talk.calls("close-ticket", {"ticket_id": "tkt-17"}).says("Done.")
    assert compiled(talk.ends()).contract.required[1].arguments == {
        "ticket_id": {"match": "ref", "entry": "o1", "path": ""}
    }


@pytest.mark.parametrize(
    "talk",
    [
        Talk(*OFFERED).user("Close tkt-17 then.").calls("create-ticket", {"title": "x"}, "tkt-17"),
        Talk(*OFFERED)
        .user("Go.")
        .calls("get_order", {"order_id": "A"}, "ticket tkt-17")
        .calls("create-ticket", {"title": "x"}, "tkt-17"),
        Talk(*OFFERED).user("Go.").calls("get_order", {"order_id": "A"}, "tkt-17"),
        Talk(*OFFERED).user("Go.").calls("create-ticket", {"title": "tkt-17"}, "tkt-17"),
        Talk(*OFFERED).user("Go.").calls("create-ticket", {"title": "x"}, "Error: tkt-17", "error"),
    ],
)
def test_an_id_known_before_or_from_elsewhere_is_exact(talk: Talk) -> None:
    talk.calls("close-ticket", {"ticket_id": "tkt-17"}).says("Done.")
    required = compiled(talk.ends()).contract.required
    last = [entry for entry in required if entry.tool == "close-ticket"][0]
    assert last.arguments == {"ticket_id": {"match": "exact", "value": "tkt-17"}}


def test_a_text_that_is_a_list_in_another_call_is_a_list() -> None:
    talk = asking().calls("send-email", {"to": "['kim', 'lee']"}).says("Sent.")
    context = SourceContext(structured=recorded_structures({"send-email": [{"to": ["kim"]}]}))
    entry = compile_contract(talk.ends(), POLICY, context=context).contract.required[0]
    assert entry.arguments == {"to": {"match": "set", "value": ["kim", "lee"], "of": "text"}}
    assert entry.observed_arguments == {"to": "['kim', 'lee']"}


def test_an_inferred_definition_declares_nothing() -> None:
    schema = {"order_id": {"type": "string"}, "amount": {"type": "integer"}}
    for inferred, names in ((None, {"order_id", "amount"}), (True, {"order_id"})):
        given = tool("issue_refund", properties=schema).with_(inferred=inferred)
        talk = Talk(given).user("Refund.").calls("issue_refund", {"order_id": "A-7"}).says("Ok.")
        assert set(compiled(talk.ends()).contract.required[0].arguments or {}) == names


def test_a_json_answer_is_taken_apart() -> None:
    answer = (
        '{"category": "noise", "priority": "p3", "account_ref": null, "tags": ["a", "b"],'
        ' "why": "because the sender wrote many words that nobody can be asked to repeat",'
        ' "who": {"id": 7, "deep": {"er": 1}}}'
    )
    found = compiled(asking().says(answer).ends())
    required = found.contract.required
    assert [entry.kind or entry.type for entry in required] == [
        "no_state_change", "answered", "json_parses", "schema_valid", *["value"] * 5,
    ]  # fmt: skip
    assert required[3].expected_keys == ["category", "priority", "tags", "why", "who"]
    assert {str(entry.at): (entry.matcher or {})["match"] for entry in required[4:]} == {
        "/account_ref": "absent",
        "/category": "text",
        "/priority": "exact",
        "/tags": "set",
        "/who/id": "number",
    }


def test_a_fenced_array_must_only_parse() -> None:
    found = compiled(asking().says("```json\n[1, 2]\n```").ends())
    assert shapes(found) == ["no_state_change", "answered", "json_parses"]


def test_json_inside_words_is_no_json_answer() -> None:
    assert "json_parses" not in shapes(compiled(asking().says('It is {"a": 1}.').ends()))


def test_a_cap_cut_is_claimed() -> None:
    answer = "{" + ", ".join(f'"k{place:02}": {place}' for place in range(20)) + "}"
    found = compiled(asking().says(answer).ends())
    assert shapes(found).count("value") == 12
    assert [claim["claim"] for claim in found.claims] == [
        "kept 16 of 20 keys of the answer",
        "kept 12 of 20 leaves of the answer",
    ]
    assert found.judgeability == "partial"


def test_the_fallback_keeps_ids_of_the_answer_then_of_the_prompt() -> None:
    talk = Talk().user("What of A-1, A-2, A-3, A-4?")
    found = compiled(talk.says("A-1 to A-4: see R-1, R-2, R-3, R-4. A-2. A-3.").ends())
    assert found.contract.status == "fallback_minimal"
    assert (found.close_call, found.needs_review) == (True, True)
    values = [(entry.value, (entry.source or {})["kind"]) for entry in found.contract.required[1:]]
    assert values == [
        ("R-1", "answer"), ("R-2", "answer"), ("R-3", "answer"),
        ("A-1", "prompt"), ("A-2", "prompt"), ("A-3", "prompt"),
    ]  # fmt: skip
    assert [claim["claim"] for claim in found.claims] == [
        "kept 3 of 4 ids of the answer",
        "kept 3 of 4 ids of the prompt",
    ]


def test_a_talk_about_nothing_has_only_its_end() -> None:
    found = compiled(Talk().user("Hello there").says("Hello to you").ends())
    assert (found.contract.status, shapes(found)) == ("fallback_minimal", ["answered"])
    assert found.judgeability == "weak"


def test_nothing_at_all_cannot_be_judged() -> None:
    found = compiled(Talk().user("Hello there").ends("open"))
    assert (shapes(found), found.judgeability) == ([], "none")


@pytest.mark.parametrize(
    ("demand", "judges"),
    [
        (contract(), "none"),
        (contract(effect("x", a={"match": "regex"})), "none"),
        (contract(response("answered")), "weak"),
        (contract(response("json_parses"), {"id": "n", "type": "no_state_change"}), "weak"),
        (contract(response("answered"), said_value("A-7")), "full"),
        (contract(effect("close-ticket", ticket_id=exact(1))), "full"),
    ],
)
def test_judgeability(demand: Any, judges: str) -> None:
    assert judgeability(demand, (), POLICY) == judges


def test_a_claim_of_doubt_makes_a_full_contract_partial() -> None:
    demand = contract(said_value("A-7"))
    assert judgeability(demand, [{"code": "cap_cut"}]) == "partial"
    assert judgeability(demand, [{"code": "not_closed"}, {"claim": "x"}]) == "full"
