"""The leakage audit: a planted answer is found on every surface, what the task gives is no leak."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.audit.leakage import has_token, leakage_audit
from benchmarks.audit.surfaces import numbers_of
from benchmarks.audit.written import Witness, Written
from benchmarks.environment.package import TaskSource
from benchmarks.records.build import LeakageAudit
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Conversation
from benchmarks.records.environment import FixtureRow, Guidance
from tests.benchmarks.environment.hotel import conversation, packaged, source, tool

FINAL = "Ticket TK-4471 is with the plumber, who comes to room 12 before noon today."
GREETING = "> Good morning from the front desk, what can I do for you today?"
TOOLS = [
    tool("get_guest", ("guest_id",), guest_id="string"),
    tool(
        "create_ticket",
        ("room", "urgency"),
        room="string",
        urgency={"type": "string", "enum": ["level-1-calm", "level-9-flood"]},
        code={"type": "string", "description": "The code of the guest."},
    ),
]
SPOKEN = conversation(
    "The tap in my room leaks, I am guest GU-2201, my mail is mia@desk.example.",
    ("get_guest", {"guest_id": "GU-2201"}, {"room": "R-1204-B", "code": 8812345}),
    (
        "create_ticket",
        {"room": "R-1204-B", "urgency": "level-9-flood", "code": "8812345"},
        {"ticket": "TK-4471"},
    ),
    "> " + FINAL,
    tools=TOOLS,
)


def written(spoken: Conversation = SPOKEN, **fields: Any) -> Written:
    one = source("t1", spoken, **fields)
    return written_of(one)


def written_of(one: TaskSource, task: Any = None, others: tuple[Conversation, ...] = ()) -> Written:
    built = packaged(one, others=others)
    return Written(
        tasks=[task or one.task],
        environment=built.tasks,
        fixtures=built.fixtures,
        schemas=built.schemas,
        guidance=built.guidance,
        gold=built.gold.tasks,
        witnesses={"t1": Witness(one.conversation, one.boundary)},
    )


def with_shown(whole: Written, **changes: Any) -> Written:
    return replace(whole, environment=[whole.environment[0].with_(**changes)])


def with_task(whole: Written, **changes: Any) -> Written:
    return replace(whole, tasks=[whole.tasks[0].with_(**changes)])


def with_description(text: str, name: str = "create_ticket") -> Written:
    tools = [one.with_(description=text) if one.name == name else one for one in TOOLS]
    return written(SPOKEN.with_(tools=tools))


def told(audit: LeakageAudit) -> list[tuple[str, str, str, str]]:
    return [(one.location, one.kind, one.tier.value, one.signal) for one in audit.findings]


def places(whole: Written) -> list[tuple[str, str, str, str]]:
    return told(leakage_audit(whole))


def test_a_sound_task_is_clean() -> None:
    audit = leakage_audit(written(), "p1")
    assert audit.dump() == {
        "schema_version": "understudy.leakage_audit.v1",
        "status": "clean",
        "checked_tasks": 1,
        "findings": [],
        "tier_counts": {"verbatim": 0, "fuzzy": 0, "semantic": 0},
        "heuristic": "whole texts, ids and numbers; shared runs of four words; "
        "no search by meaning",
        "surfaces": [
            "prompt", "system", "user", "tools", "title", "schemas", "guidance", "fixtures",
        ],
        "package_sha256": "p1",
    }  # fmt: skip


def test_the_final_answer_copied_into_a_tool_description_is_found() -> None:
    audit = leakage_audit(with_description(f"Opens a ticket.  E.g.: {FINAL.upper()} Use it."))
    assert audit.status.value == "findings"
    assert audit.tier_counts == {"verbatim": 2, "fuzzy": 0, "semantic": 0}
    assert audit.leaking_tasks == ["t1"]
    assert [one.dump() for one in audit.findings] == [
        {
            "task_id": "t1",
            "location": location,
            "kind": "final_response",
            "excerpt": FINAL,
            "tier": "verbatim",
            "similarity": 1.0,
            "signal": "text",
        }
        for location in ("tools.create_ticket", "schemas.json#create_ticket")
    ]


PLANTED: dict[str, tuple[Callable[[], Written], list[tuple[str, str, str, str]]]] = {
    "an id of the contract in a description": (
        lambda: with_description("Looks a guest up, as R-1204-B.", "get_guest"),
        [
            ("tools.get_guest", "argument", "verbatim", "token"),
            ("schemas.json#get_guest", "argument", "verbatim", "token"),
        ],
    ),
    "a number under another spelling": (
        lambda: with_description("The code is 8,812,345.0 for most.", "get_guest"),
        [
            ("tools.get_guest", "argument", "verbatim", "number"),
            ("schemas.json#get_guest", "argument", "verbatim", "number"),
        ],
    ),
    "the answer in the title": (
        lambda: with_task(written(), title=FINAL),
        [("title", "final_response", "verbatim", "text")],
    ),
    "the answer in the system text": (
        lambda: with_shown(written(), system_prompt=f"You run the desk. {FINAL}"),
        [("system_prompt", "final_response", "verbatim", "text")],
    ),
    "the answer in the script": (
        lambda: with_shown(
            written(), user=written().environment[0].user.with_(mode="scripted", turns=[FINAL])
        ),
        [("user.turns[0]", "final_response", "verbatim", "text")],
    ),
    "the answer in the guidance": (
        lambda: replace(
            written(),
            guidance=Guidance(tools={"get_guest": {"missing_required:guest_id": f"No. {FINAL}"}}),
        ),
        [("guidance.json#get_guest", "final_response", "verbatim", "text")],
    ),
    "observed values in an older schema": (
        lambda: replace(
            written(),
            schemas={
                **written().schemas,
                "create_ticket": written()
                .schemas["create_ticket"]
                .with_(enums_by_observation={"room": ["R-1204-B"]}),
            },
        ),
        [("schemas.json#create_ticket", "argument", "verbatim", "token")],
    ),
    "the incumbent's turn in what is shown": (
        lambda: with_shown(
            written(),
            candidate_prompt=[
                *written().environment[0].candidate_prompt,
                {"role": "assistant", "content": FINAL},
            ],
        ),
        [
            ("candidate_prompt", "incumbent_text", "verbatim", "incumbent_turn"),
            ("candidate_prompt[1]", "final_response", "verbatim", "text"),
        ],
    ),
    "the incumbent's turn as the user's word": (
        lambda: with_shown(written(), prompt=FINAL, candidate_prompt=[]),
        [("candidate_prompt", "incumbent_text", "verbatim", "incumbent_turn")],
    ),
    "the incumbent's call in what is shown": (
        lambda: with_shown(
            written(),
            candidate_prompt=[
                *written().environment[0].candidate_prompt,
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"function": {"name": "get_guest", "arguments": '{"guest_id": "GU-2201"}'}}
                    ],
                },
            ],
        ),
        [("candidate_prompt", "incumbent_call", "verbatim", "incumbent_turn")],
    ),
    "a fixture row of after a write": (
        lambda: replace(
            written(),
            fixtures=[
                *written().fixtures,
                FixtureRow(
                    task_id="t1",
                    tool="create_ticket",
                    arguments={
                        "room": "R-1204-B", "urgency": "level-9-flood", "code": "8812345",
                    },
                    content={"ticket": "TK-4471"},
                ),
            ],
        ),
        [("fixtures.json#create_ticket", "post_state", "verbatim", "post_state")],
    ),
    "the answer in other words": (
        lambda: with_description("Say: ticket TK-4471 is with the plumber, who comes to room 12."),
        [
            ("tools.create_ticket", "final_response", "fuzzy", "four_grams"),
            ("schemas.json#create_ticket", "final_response", "fuzzy", "four_grams"),
            ("tools.create_ticket", "final_response", "fuzzy", "fingerprints"),
            ("schemas.json#create_ticket", "final_response", "fuzzy", "fingerprints"),
        ],
    ),
    "the ids of the answer alone": (
        lambda: with_description("Opens TK-4471 and the like."),
        [
            ("tools.create_ticket", "final_response", "fuzzy", "fingerprints"),
            ("schemas.json#create_ticket", "final_response", "fuzzy", "fingerprints"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found_where_it_stands(name: str) -> None:
    plant, expected = PLANTED[name]
    assert places(plant()) == expected


BENIGN: dict[str, Callable[[], Written]] = {
    "the title is a line of the prompt": lambda: with_task(
        written(),
        title="The tap in my room leaks, I am guest GU-2201, my mail is mia@desk.example.",
    ),
    "a description names what the user says": lambda: with_description(
        "Looks a guest up, as GU-2201 or mia@desk.example.", "get_guest"
    ),
    "a description names what is listed as allowed": lambda: with_description(
        "level-9-flood where water comes in."
    ),
    "a part of a longer id": lambda: with_description("As R-1204-BX or XR-1204-B.", "get_guest"),
    "a part of a longer number": lambda: with_description("As 88123456 or 8812345.5.", "get_guest"),
    "an error example repeats what is looked up": lambda: replace(
        written(),
        schemas={
            **written().schemas,
            "get_guest": written()
            .schemas["get_guest"]
            .with_(observed_error_example="room R-1204-B is empty"),
        },
    ),
    "a tool that is not offered": lambda: replace(
        written(),
        guidance=Guidance(tools={"other_tool": {"missing_required:x": FINAL}}),
    ),
    "half of the runs of words is not reached": lambda: with_description(
        "The plumber, who comes to room 12 when he can."
    ),
}


BOOKED = {"booking_id": "A-7"}
CANCELLED = {**BOOKED, "status": "cancelled"}
OPEN = {**BOOKED, "status": "open"}
READ_AFTERWARDS = (("cancel_booking", BOOKED, "ok"), ("get_booking", BOOKED, CANCELLED))


@pytest.mark.parametrize(
    ("before", "elsewhere", "late"),
    [((), CANCELLED, 1), ((), OPEN, 0), ((("get_booking", BOOKED, OPEN),), CANCELLED, 0)],
)
def test_a_shared_answer_of_a_world_where_the_source_had_been_at_work_is_found(
    before: tuple[Any, ...], elsewhere: dict[str, str], late: int
) -> None:
    spoken = conversation("Cancel A-7, please.", *before, *READ_AFTERWARDS, "> It is done.")
    whole = written(spoken)
    shared = FixtureRow(tool="get_booking", arguments=BOOKED, content=elsewhere)
    found = leakage_audit(replace(whole, fixtures=[*whole.fixtures, shared]))
    where = [(one.location, one.kind) for one in found.findings]
    assert where == [("fixtures.json#get_booking", "post_state")] * late


@pytest.mark.parametrize("name", BENIGN)
def test_what_the_task_gives_is_no_leak(name: str) -> None:
    assert places(BENIGN[name]()) == []


def test_words_of_the_user_that_the_incumbent_repeats_are_no_leak() -> None:
    asked = "Write on the door: the pool is closed until Monday for repairs, thank you."
    spoken = conversation(asked, "> " + asked.removeprefix("Write on the door: "), tools=TOOLS)
    assert places(written(spoken)) == []


def test_a_greeting_that_comes_again_is_no_leak() -> None:
    spoken = conversation(
        GREETING, "The tap leaks.", "> Where?", "Room 12.", GREETING, "Bye.", "> I send someone.",
        tools=TOOLS,
    )  # fmt: skip
    assert places(written(spoken)) == []


def test_without_its_source_a_task_is_held_against_what_is_shown() -> None:
    whole = replace(with_description("As GU-2201, room R-1204-B.", "get_guest"), witnesses={})
    assert [place for place, *_ in places(whole)] == [
        "tools.get_guest",
        "schemas.json#get_guest",
    ]
    told_after = [
        {"role": "user", "content": "I stay in R-1204-B."},
        {"role": "assistant", "content": "And?"},
        {"role": "user", "content": "The tap leaks."},
    ]
    shown = with_shown(replace(written(), witnesses={}), candidate_prompt=told_after)
    assert ("candidate_prompt[0]", "argument", "verbatim", "token") in places(shown)


def test_forbidden_and_demanded_words_of_a_contract_count() -> None:
    contract = Contract(
        status="operator",
        required=[Entry.read({"type": "value_propagation", "value": "VX-778812"})],
        forbidden=[Entry.read({"type": "forbidden_value", "value": "QQ-118822"})],
    )
    tools = [TOOLS[0].with_(description="As VX-778812, never QQ-118822."), TOOLS[1]]
    found = places(written(SPOKEN.with_(tools=tools), contract=contract))
    assert [(place, kind) for place, kind, *_ in found] == [
        ("tools.get_guest", "value"),
        ("schemas.json#get_guest", "value"),
        ("tools.get_guest", "forbidden_value"),
        ("schemas.json#get_guest", "forbidden_value"),
    ]


@pytest.mark.parametrize(
    ("text", "token", "found"),
    [
        ("see a-1007.", "a-1007", True),
        ("a-10077", "a-1007", False),
        ("xa-1007 a-1007", "a-1007", True),
        ("a-1007_b", "a-1007", False),
        ("/orders/a-1007/items", "a-1007", True),
    ],
)
def test_a_token_stands_whole(text: str, token: str, found: bool) -> None:
    assert has_token(text, token) is found


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("pay 12,345.50 now", ["12345.50"]),
        ("12345,67890", ["12345", "67890"]),
        ("v1.2.3", []),
        ("abc-12345", []),
        ("-12345 and +7.", ["-12345", "7"]),
        ("from 10 to 20", ["10", "20"]),
    ],
)
def test_numbers_stand_as_whole_tokens(text: str, numbers: list[str]) -> None:
    assert sorted(map(str, numbers_of(text))) == sorted(numbers)
