"""Which tools of a run are real, and what stands against calling them."""

import asyncio
from typing import Any, get_args

import pytest

from benchmarks.environment.live import LiveFailed, LiveReply, LiveTools
from benchmarks.records.base import JsonObject
from benchmarks.records.direction import Dependencies, Dependency, PostureWord
from benchmarks.versioning.hashing import content_hashes
from runs.arms.http_tools import HttpTools
from runs.executor.live import LiveGround, LiveSession, live_faults, open_live, token_name
from runs.live.mcp_server import McpTools
from tests.factories import Item

PLACE = "https://desk.example/mcp"
LIVE = {"posture": "live"}
TASK = Item(1, changes=LIVE).task()


def desk(**changes: Any) -> Dependency:
    known = {
        "name": "item desk",
        "kind": "mcp",
        "tools": ["get_item", "update_item"],
        "posture": "live",
        "approved_by": "os:mira",
        "endpoint": PLACE,
    }
    return Dependency.read({**known, **changes})


def ground(*dependencies: Dependency, allowed: tuple[str, ...] = (PLACE,)) -> LiveGround:
    return LiveGround(Dependencies(dependencies=list(dependencies)), allowed)


def test_an_approved_place_of_this_machine_answers_for_its_tools() -> None:
    found = ground(desk())
    assert found.faults(TASK) == []
    assert {tool: one.name for tool, one in found.tools_of(TASK).items()} == {
        "get_item": "item desk",
        "update_item": "item desk",
    }


@pytest.mark.parametrize(
    ("dependency", "allowed", "fault"),
    [
        (desk(approved_by=None), (PLACE,), ("ApprovalRequired", "was approved by nobody")),
        (desk(endpoint=None), (PLACE,), ("InvalidArguments", "has no endpoint")),
        (desk(endpoint="orders"), (PLACE,), ("InvalidArguments", "https://HOST")),
        (desk(), (), ("ApprovalRequired", "was not approved on this machine")),
    ],
)
def test_what_stands_against_a_place_is_said(
    dependency: Dependency, allowed: tuple[str, ...], fault: tuple[str, str]
) -> None:
    ((class_, said),) = ground(dependency, allowed=allowed).faults(TASK)
    assert class_ == fault[0]
    assert said.startswith(f"task {TASK.task_id}: the live dependency item desk")
    assert fault[1] in said


def test_a_live_task_whose_dependency_nobody_knows_was_approved_by_nobody() -> None:
    said = f"task {TASK.task_id} has live tools nobody approved"
    assert ground().faults(TASK) == [("ApprovalRequired", said)]


def test_other_postures_and_other_tools_are_nothing_to_ask_about() -> None:
    recorded = Item(1).task()
    assert ground(desk(posture="frozen")).faults(recorded) == []
    assert ground(desk(tools=["send_mail"])).faults(recorded) == []
    assert ground(desk(tools=["send_mail"])).tools_of(TASK) == {}


@pytest.mark.parametrize("posture", [None, "frozen", "simulated"])
def test_a_task_that_was_made_for_a_recording_is_made_again_before_anything_real_is_called(
    posture: str | None,
) -> None:
    recorded = TASK.with_(posture=posture)
    ((class_, said),) = ground(desk()).faults(recorded)
    assert (class_, "regenerate-env" in said) == ("EnvironmentNotReady", True)
    assert ground(desk()).tools_of(recorded) == {}


def test_every_fault_of_every_task_is_listed_once() -> None:
    other = Item(2, changes=LIVE).task()
    mailer = desk(name="mailer", endpoint=None)
    found = live_faults([TASK, other, TASK], ground(desk(approved_by=None), mailer))
    assert [said.split(":")[0] for _, said in found] == [
        f"task {TASK.task_id}", f"task {TASK.task_id}",
        f"task {other.task_id}", f"task {other.task_id}",
    ]  # fmt: skip


class Place:
    """A place that counts."""

    def __init__(self, name: str) -> None:
        self.name, self.closed = name, False

    def serves(self, tool: str) -> bool:
        return True

    async def call(self, tool: str, arguments: JsonObject) -> LiveReply:
        if tool == "broken":
            raise LiveFailed("no answer")
        return LiveReply("ok", f"{self.name}: {tool}")

    async def aclose(self) -> None:
        self.closed = True


def test_a_session_opens_each_place_once_when_it_is_first_called_and_closes_all() -> None:
    opened: list[Place] = []

    def opener(dependency: Dependency) -> LiveTools:
        opened.append(Place(dependency.name))
        return opened[-1]

    async def work() -> list[str]:
        session = LiveSession({"a": desk(), "broken": desk(), "b": desk(name="mailer")}, opener)
        assert (session.serves("a"), session.serves("c")) == (True, False)
        said = [(await session.call(tool, {})).content for tool in ("a", "a", "b")]
        with pytest.raises(LiveFailed, match="item desk: no answer"):
            await session.call("broken", {})
        await session.aclose()
        return said

    assert asyncio.run(work()) == ["item desk: a", "item desk: a", "mailer: b"]
    assert [(place.name, place.closed) for place in opened] == [
        ("item desk", True),
        ("mailer", True),
    ]


def test_the_kind_of_place_decides_who_calls_it() -> None:
    assert isinstance(open_live(desk(), {}), McpTools)
    assert isinstance(open_live(desk(endpoint="stdio:server"), {}), McpTools)
    assert isinstance(open_live(desk(endpoint="tool+https://h/{tool}"), {}), HttpTools)
    with pytest.raises(LiveFailed, match="https://HOST"):
        open_live(desk(endpoint=None), {})


def test_the_key_of_a_dependency_stands_in_the_environment_under_its_name() -> None:
    assert token_name("item desk (http)") == "UNDERSTUDY_LIVE_TOKEN_ITEM_DESK_HTTP"


def test_rows_of_a_live_task_are_stale_once_it_is_played_from_a_recording() -> None:
    played = {
        posture: content_hashes(TASK.with_(posture=posture)) for posture in get_args(PostureWord)
    }
    assert len({hashes.env_sha256 for hashes in played.values()}) == 3
    assert len({hashes.verifier_sha256 for hashes in played.values()}) == 1
