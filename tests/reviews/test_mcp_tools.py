"""The MCP tools of this app: arguments as the door checks them, answers as the services give."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located, roots
from benchmarks.doors.call import Call
from benchmarks.doors.progress import Progress
from benchmarks.errors import ApprovalRequired, GateFailed, NotMeasured, OutsideRoot
from benchmarks.records.caller import Caller
from benchmarks.records.vocabulary import Attention, Stage
from reviews import mcp_tools
from reviews.mcp_tools import TOOLS
from tests.reviews.desks import make_desk
from tests.reviews.factories import ANSWERED, make_contract, make_task

SLUG = "local--refund-desk"
ENTRIES = {entry.name: entry for entry in TOOLS}


@pytest.fixture
def desk(lab_home: Path) -> Located:
    easy = make_task("t2", outcome_contract=make_contract(ANSWERED))
    return make_desk(lab_home / "benchmarks", make_task("t1"), easy)


@pytest.fixture
def call(lab_home: Path) -> Call:
    here = home()
    return Call(
        caller=Caller("mcp:claude-code@mira", "mcp"),
        home=here,
        roots=roots(here),
        cwd=lab_home,
        progress=Progress(),
        clock=lambda: datetime(2026, 11, 4, 9, tzinfo=UTC),
    )


def use(name: str, call: Call, **arguments: Any) -> Any:
    """Call a tool with arguments checked as the server checks them."""
    entry = ENTRIES[name]
    checked = entry.model.model_validate(arguments)
    given = {key: getattr(checked, key) for key in entry.own}
    return entry.function(call, **given)


def test_benchmarks_are_listed_with_the_published_keys(call: Call, desk: Located) -> None:
    document = use("list_benchmarks", call)
    assert [each["slug"] for each in document["benchmarks"]] == [SLUG]
    assert use("list_benchmarks", call, stage="promoted")["benchmarks"] == []
    assert set(document) <= {*ENTRIES["list_benchmarks"].keys}


def test_task_is_read_with_the_published_keys(call: Call, desk: Located) -> None:
    document = use("read_task", call, slug=SLUG, task_id="t1", include=["gold"])
    promoted_only = {"manifest_task", "sidecar"}
    assert set(ENTRIES["read_task"].keys) - promoted_only <= set(document)
    assert document["gold"]["final_response"] == "Done."
    found = use("read_task", call, slug=SLUG, task_id="t1", field="/title")
    assert found["piece"]["text"] == "Refund t1"


def test_look_at_the_gold_is_recorded_and_no_other_reading(call: Call, desk: Located) -> None:
    use("read_task", call, slug=SLUG, task_id="t1")
    assert not call.home.audit.exists()
    use("read_task", call, slug=SLUG, task_id="t1", include=["gold"])
    [line] = call.home.audit.read_text(encoding="utf-8").splitlines()
    looked = json.loads(line)
    assert (looked["service"], looked["ref"], looked["door"]) == ("read_task.gold", "t1", "mcp")


def test_review_by_an_agent_says_so(call: Call, desk: Located) -> None:
    one = use("submit_review", call, slug=SLUG, task_id="t1", decision="accept", note="fine")
    assert (one["review"]["source"], one["review"]["actor"]) == ("agent", "mcp:claude-code@mira")
    two = use("submit_review", call, slug=SLUG, task_id=["t1", "t2"], decision="reject")
    assert len(two["reviews"]) == 2


def test_an_audit_of_the_pilot_needs_a_rollout_that_shows_it(call: Call, desk: Located) -> None:
    audit = {"agent": "pass", "verifier": "fail", "findings": ["verifier: too lenient"]}
    with pytest.raises(NotMeasured, match="no current rollout shows task t1"):
        use("submit_review", call, slug=SLUG, task_id="t1", decision="accept", pilot_audit=audit)


def test_auto_accepts_and_feedback_answer_with_their_keys(call: Call, desk: Located) -> None:
    applied = use("apply_auto_accepts", call, slug=SLUG)
    assert set(ENTRIES["apply_auto_accepts"].keys) <= set(applied)
    said = use("submit_feedback", call, slug=SLUG, task_id="t1", feedback="too strict")
    assert set(ENTRIES["submit_feedback"].keys) <= set(said)


def test_promotion_refuses_and_an_override_needs_a_persons_word(call: Call, desk: Located) -> None:
    with pytest.raises(GateFailed):
        use("promote_benchmark", call, slug=SLUG)
    with pytest.raises(ApprovalRequired):
        use("promote_benchmark", call, slug=SLUG, override_rigor="refusals are real")
    document = use(
        "promote_benchmark", call, slug=SLUG, override_rigor="refusals are real", confirm=True
    )
    assert set(ENTRIES["promote_benchmark"].keys) <= set(document)
    assert document["notices"][0]["kind"] == "override"


def test_directory_outside_the_roots_is_refused(call: Call, tmp_path: Path) -> None:
    outside = make_desk(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot):
        use("read_task", call, slug=str(outside.directory.path), task_id="t1")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("submit_review", {"slug": SLUG, "task_id": "t1", "decision": "maybe"}),
        ("submit_review", {"slug": SLUG, "task_id": [], "decision": "accept"}),
        ("submit_review", {"slug": SLUG, "task_id": "t1", "decision": "accept", "nota": "x"}),
        (
            "submit_review",
            {"slug": SLUG, "task_id": "t1", "decision": "accept", "pilot_audit": {"agent": "pass"}},
        ),
        ("submit_feedback", {"slug": SLUG, "task_id": "t1", "feedback": ""}),
        ("read_task", {"slug": SLUG}),
    ],
)
def test_wrong_arguments_are_refused_by_the_published_schema(
    name: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError):
        ENTRIES[name].model.model_validate(arguments)


def test_words_of_the_schemas_are_those_of_the_vocabulary() -> None:
    flags = get_args(get_args(get_args(mcp_tools.AttentionFlag)[0])[1])
    assert list(flags) == [flag.value for flag in Attention]
    stages = get_args(get_args(mcp_tools.StageName)[0])
    assert list(stages) == [stage.value for stage in Stage]


def test_the_rigor_report_is_measured_and_kept_or_read_as_it_stands(
    call: Call, desk: Located
) -> None:
    with pytest.raises(NotMeasured):
        use("read_rigor_report", call, slug=SLUG, refresh=False)
    measured = use("read_rigor_report", call, slug=SLUG)
    assert measured["schema_version"] == "understudy.rigor_report.v1"
    assert use("read_rigor_report", call, slug=SLUG, refresh=False) == measured
    gate = use("read_rigor_report", call, slug=SLUG, ci=True)
    assert (gate["schema_version"], gate["verdict"]) == ("understudy.rigor_ci.v1", "fail")
    keys = {*ENTRIES["read_rigor_report"].keys}
    assert (set(measured) - keys, set(gate) - keys) == (set(), set())
