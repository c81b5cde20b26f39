"""Each case of writes, overlay and echo (spec/build.md 6.4)."""

from benchmarks.environment.world import World
from benchmarks.records.environment import EnvironmentTask, Guidance, ToolSchema
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.vocabulary import Effect
from tests.benchmarks.environment.bookings import GET_A, TOOLS, A, own, policy_of, said, world


def test_cancelled_thing_reads_as_cancelled() -> None:
    here = world(GET_A)
    here.call("cancel_booking", {"booking_id": "A-7"})
    assert said(here.call("get_booking", {"booking_id": "A-7"})) == (
        "ok",
        {**A, "status": "cancelled"},
        "simulated",
        "overlay",
    )


def test_updated_thing_reads_as_updated() -> None:
    here = world(GET_A)
    here.call("update_booking", {"booking_id": "A-7", "cabin": "first"})
    assert here.call("get_booking", {"booking_id": "A-7"}).content == {**A, "cabin": "first"}


def test_other_thing_is_unchanged_and_served() -> None:
    here = world(GET_A, own("get_booking", {"booking_id": "B-8"}, booking_id="B-8"))
    here.call("update_booking", {"booking_id": "A-7", "cabin": "first"})
    assert said(here.call("get_booking", {"booking_id": "B-8"})) == (
        "ok",
        {"booking_id": "B-8"},
        "served",
        "fixture",
    )


def test_deleted_thing_is_not_found() -> None:
    here = world(GET_A)
    here.call("delete_booking", {"booking_id": "A-7"})
    assert said(here.call("get_booking", {"booking_id": "A-7"})) == (
        "error",
        {"error": "not_found"},
        "simulated",
        "overlay",
    )


def test_rejected_write_changes_nothing() -> None:
    here = world(GET_A, own("cancel_booking", "Error: too late", "error", booking_id="A-7"))
    here.call("cancel_booking", {"booking_id": "A-7"})
    assert here.call("get_booking", {"booking_id": "A-7"}).content == A


def test_created_thing_takes_later_writes() -> None:
    here = world()
    made = here.call("create_ticket", {"title": "Leak", "priority": "p1"}).content["ticket_id"]
    here.call("update_ticket", {"ticket_id": made, "priority": "p0"})
    assert here.call("get_ticket", {"ticket_id": made}).content["priority"] == "p0"


def test_echo_has_the_recorded_keys() -> None:
    content = world().call("create_ticket", {"title": "Leak"}).content
    assert list(content) == ["ticket_id", "title", "queue"]
    assert content["title"] == "Leak"
    assert content["queue"] is None
    assert content["ticket_id"].startswith("tkt-")
    assert len(content["ticket_id"]) == len("tkt-") + 8


def test_echo_of_a_change_shows_the_changed_object() -> None:
    shape = {"type": "object", "properties": {"booking_id": "string", "cabin": "string", "x": "y"}}
    here = world(GET_A, schemas={"update_booking": ToolSchema(reply_shape=shape)})
    answer = here.call("update_booking", {"booking_id": "A-7", "cabin": "first"})
    assert answer.content == {"booking_id": "A-7", "cabin": "first", "x": None}


def test_echo_of_a_text_tool_is_text_with_its_id() -> None:
    here = world(schemas={"pay": ToolSchema(reply_shape={"type": "string"}, id_prefix="PAY-")})
    text = here.call("pay", {"method": "card"}).content
    assert text.startswith("OK: pay accepted (PAY-")


def test_same_calls_get_the_same_ids_in_any_world() -> None:
    def ids(task_id: str) -> list[str]:
        here = world(task_id=task_id)
        return [here.call("create_ticket", {"title": t}).content["ticket_id"] for t in "aab"]

    first = ids("task-1")
    assert first == ids("task-1")
    assert len(set(first)) == 3
    assert not set(first) & set(ids("task-2"))


def test_two_worlds_of_one_task_share_no_state() -> None:
    one = world(GET_A)
    other = World.of(one.scene)
    one.call("cancel_booking", {"booking_id": "A-7"})
    assert other.call("get_booking", {"booking_id": "A-7"}).content == A
    assert other.fidelity().calls == 1


def test_frozen_world_is_not_changed_by_writes() -> None:
    here = world(GET_A, simulated=False)
    assert here.call("cancel_booking", {"booking_id": "A-7"}).counted == "echoed"
    assert here.call("get_booking", {"booking_id": "A-7"}).content == A
    made = here.call("create_ticket", {"title": "Leak"}).content["ticket_id"]
    assert here.call("get_ticket", {"ticket_id": made}).status == "not_recorded"
    assert here.call("calculate", {"expression": "1 + 1"}).status == "not_recorded"


def test_text_of_an_object_stays_text_when_it_changes() -> None:
    here = world(own("get_booking", '{"booking_id": "A-7", "status": "open"}', booking_id="A-7"))
    here.call("cancel_booking", {"booking_id": "A-7"})
    content = here.call("get_booking", {"booking_id": "A-7"}).content
    assert content == '{"booking_id": "A-7", "status": "cancelled"}'


def test_operator_may_say_that_a_tool_only_reads() -> None:
    entry = ToolEntry(effect=Effect.READ, source="operator")
    task = EnvironmentTask(task_id="task-1", prompt="", candidate_prompt=[], tools=TOOLS)
    here = World(task, (), {}, Guidance(), policy_of(TOOLS, pay=entry))
    assert here.call("pay", {"method": "card"}).status == "not_recorded"
