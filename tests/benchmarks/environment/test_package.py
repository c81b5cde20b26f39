"""What a build puts under environment/: the pre-state apart from the scorer's side."""

from benchmarks.environment.package import TaskSource, package
from benchmarks.records.environment import Entity, FixtureRow, Guidance
from benchmarks.records.vocabulary import Split
from tests.benchmarks.environment.hotel import (
    BOOKING,
    CANCELLED,
    CANCELLING,
    LEAK,
    POLICY,
    REFUSED,
    conversation,
    packaged,
    source,
    tool,
)


def rows(sources: list[TaskSource], task_id: str | None) -> list[tuple[str, object]]:
    built = packaged(*sources)
    return [(row.tool, row.content) for row in built.fixtures if row.task_id == task_id]


def test_candidate_sees_the_boundary_and_nothing_of_the_incumbent() -> None:
    spoken = conversation("Cancel A-7.", "> Which one?", "The first. ###STOP###", "> Done.")
    (task,) = packaged(source("t1", spoken)).tasks
    assert task.candidate_prompt == [{"role": "user", "content": "Cancel A-7."}]
    assert task.source_messages == task.candidate_prompt
    assert task.prompt == "Cancel A-7."
    assert task.system_prompt == "You run the desk."
    assert task.user.dump() == {"mode": "scripted", "turns": ["The first."], "stop": True}
    assert [tool.name for tool in task.tools] == [tool.name for tool in spoken.tools]


def test_fixtures_hold_the_pre_state_and_gold_the_rest() -> None:
    built = packaged(source("t1", CANCELLED))
    own = [row for row in built.fixtures if row.task_id]
    assert own == [
        FixtureRow(
            task_id="t1",
            tool="get_booking",
            arguments={"booking_id": "A-7"},
            status="ok",
            content=BOOKING,
            seq=1,
            call_id="c2",
            entity=Entity(type="booking", id="A-7"),
        )
    ]
    (gold,) = built.gold.tasks
    assert [item.tool for item in gold.post_state_observations] == ["cancel_booking"]
    assert [(item.tool, item.write) for item in gold.calls] == [
        ("get_booking", False),
        ("cancel_booking", True),
    ]
    assert gold.final_response == "Booking A-7 is cancelled."
    assert gold.termination == "finished"
    assert built.fixtures_split() == {
        "layout": "prestate_only.v1",
        "pre_state_fixtures": 1,
        "shared_fixtures": 1,
        "post_state_gold_observations": 1,
        "gold_ref": "environment/gold.json",
        "incumbent_post_state_observations_omitted": 1,
    }


def test_error_after_an_accepted_write_keeps_its_turn() -> None:
    spoken = conversation(
        "Cancel A-7 twice.",
        ("cancel_booking", {"booking_id": "A-7"}, "Cancelled."),
        ("cancel_booking", {"booking_id": "A-7"}, "Error: already cancelled"),
        "> Done.",
    )
    (row,) = [row for row in packaged(source("t1", spoken)).fixtures if row.task_id]
    assert (row.status, row.seq) == ("error", 2)


def test_reads_that_agree_are_shared_and_one_disagreement_ends_it() -> None:
    agreed = conversation("?", ("list_rooms", {"hotel": "Adler"}, ["11", "12"]), "> Two.")
    other = conversation("?", ("get_booking", {"booking_id": "A-7"}, {"x": 1}), "> One.")
    sources = [source("t1", LEAK), source("t2", agreed), source("t3", other)]
    assert rows([*sources, source("t4", CANCELLED)], None) == [("list_rooms", ["11", "12"])]


def test_what_one_source_read_after_its_own_write_is_not_shared_by_another() -> None:
    cancel = ("cancel_booking", {"booking_id": "C-9"}, "Cancelled.")
    read = ("get_booking", {"booking_id": "C-9"}, {"status": "cancelled"})
    later = source("t2", conversation("How is C-9?", read, "> Cancelled."))
    assert rows([later], None) == [("get_booking", {"status": "cancelled"})]
    wrote = source("t1", conversation("Cancel C-9.", cancel, read, "> Done."))
    assert rows([wrote, later], None) == []


def test_post_state_and_writes_are_never_shared() -> None:
    after = conversation(
        "Cancel C-9.",
        ("cancel_booking", {"booking_id": "C-9"}, "Cancelled."),
        ("get_booking", {"booking_id": "C-9"}, {"status": "cancelled"}),
        "> Done.",
    )
    assert rows([source("t1", after)], None) == []


def test_package_does_not_depend_on_the_order_of_recordings() -> None:
    sources = [source("t1", LEAK), source("t2", CANCELLED)]
    other = conversation("?", ("list_rooms", {"hotel": " adler"}, ["11", "12"]), "> Two.")
    recordings = [LEAK, CANCELLED, other]
    one = package(sources, recordings, POLICY)
    two = package(sources, recordings[::-1], POLICY)
    assert one.environment_ref == two.environment_ref
    assert one.environment_sha256 == two.environment_sha256


def test_posture_is_suggested_by_what_can_be_written() -> None:
    reading = [tool("get_booking", booking_id="string")]
    spoken = conversation("?", "> Hello.", tools=reading)
    built = packaged(source("t1", spoken), source("t2", CANCELLED))
    assert [task.posture for task in built.tasks] == ["frozen", "simulated"]


def test_posture_on_the_task_stands() -> None:
    (task,) = packaged(source("t1", CANCELLED, posture="frozen")).tasks
    assert task.posture == "frozen"


def test_guidance_of_an_operator_stands_over_the_default_words() -> None:
    words = Guidance(tools={"get_booking": {"missing_required:booking_id": "Ask the guest."}})
    built = package([source("t1", CANCELLED)], [CANCELLED], POLICY, guidance=words)
    told = built.guidance.tools
    assert told["get_booking"]["missing_required:booking_id"] == "Ask the guest."
    assert told["cancel_booking"]["missing_required:booking_id"] == (
        "booking_id is missing. Call cancel_booking again with it."
    )
    assert told["create_ticket"]["enum:priority"] == "priority must be one of: p0, p1, p2."


def test_schemas_hold_shapes_and_no_recorded_value() -> None:
    schemas = packaged(source("t1", LEAK), source("t2", CANCELLED)).schemas
    ticket = schemas["create_ticket"]
    assert ticket.reply_shape == {
        "type": "object",
        "properties": {"ticket_id": "string"},
        "ids": {"/ticket_id": "tkt-"},
    }
    assert ticket.id_prefix == "tkt-"
    assert ticket.properties == {"title": "string", "priority": "string"}
    assert ticket.required == ["title"]
    assert (ticket.required_by_observation, ticket.enums_by_observation) == ([], {})
    assert schemas["get_booking"].observed_n == 1
    assert "tkt-81" not in str({name: schema.dump() for name, schema in schemas.items()})


def test_slice_moves_with_its_own_task_only() -> None:
    before = packaged(source("t1", LEAK), source("t2", CANCELLED)).environment_sha256
    edited = conversation("Cancel booking A-7 now.", *CANCELLING)
    after = packaged(source("t1", LEAK), source("t2", edited)).environment_sha256
    assert before["t1"] == after["t1"]
    assert before["t2"] != after["t2"]


def test_slice_does_not_move_with_split_or_contract() -> None:
    before = packaged(source("t1", CANCELLED)).environment_sha256
    contract = source("t2", REFUSED).task.outcome_contract
    after = packaged(source("t1", CANCELLED, contract=contract, split=Split.DEV)).environment_sha256
    assert before == after


def test_slice_moves_with_a_shared_row_it_can_reach() -> None:
    before = packaged(source("t1", CANCELLED)).environment_sha256
    after = packaged(source("t1", CANCELLED), source("t2", LEAK)).environment_sha256
    assert before["t1"] != after["t1"]
