"""Cards, picks and postures over REST."""

from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.services.answering import Answer
from benchmarks.services.directing import propose_directions
from tests.benchmarks.services.factories import CALLER, NOW, desk, look_up, refund
from tests.rest import Rest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = "/api/benchmarks/local--desk/directions"
TOOLS = "application tools"


@pytest.fixture
def intake(lab_home: Path, tmp_path: Path) -> Path:
    """An intake of four refunds and three look-ups, its cards proposed."""
    talks = (*(refund(number) for number in range(1, 5)), *(look_up(n) for n in range(5, 8)))
    path = lab_home / "benchmarks" / "desk"
    propose_directions(
        directory=BenchmarkDir(path),
        slug="local--desk",
        source=[desk(tmp_path / "source", *talks)],
        answer=Answer(),
        caller=CALLER,
        now=NOW,
    )
    return path


def test_cards_are_read_and_a_pick_and_postures_are_recorded(intake: Path) -> None:
    rest = Rest()
    found = rest.get(URL).document
    assert [card["direction_id"] for card in found["directions"]] == [
        "issue-refunds",
        "look-up-orders",
    ]
    answered = rest.patch(URL, {"pick": "issue-refunds", "postures": {TOOLS: "frozen"}})
    assert (answered.status, answered.document["ok"]) == (200, True)
    assert answered.document["picked"]["door"] == "rest"
    again = rest.get(URL).document
    assert again["picked"]["actor"] == "token:ci"
    assert again["dependencies"][0]["approved_by"] == "token:ci"


def test_proposing_again_is_a_job_that_ends_with_the_cards(intake: Path) -> None:
    (intake / "directions.json").unlink()
    answered = Rest().post(URL, {"wait_s": 20})
    assert (answered.status, len(answered.document["directions"])) == (200, 2)
    assert (intake / "directions.json").is_file()


def test_a_live_posture_needs_an_admins_token_and_a_persons_word(intake: Path) -> None:
    live = {"postures": {TOOLS: "live"}, "confirm": True}
    assert Rest().patch(URL, live).status == 403
    admin = Rest("read", "build", "admin", name="boss")
    assert admin.patch(URL, {"postures": {TOOLS: "live"}}).code == "approval_required"
    assert admin.patch(URL, live).document["dependencies"][0]["posture"] == "live"


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 400), ({"pick": "nothing"}, 400), ({"postures": {TOOLS: "real"}}, 400), ({"x": 1}, 400)],
)
def test_an_answer_that_says_nothing_or_wrong_is_refused(
    intake: Path, body: dict[str, object], status: int
) -> None:
    answered = Rest().patch(URL, body)
    assert (answered.status, answered.code) == (status, "invalid_arguments")


def test_reading_needs_read_and_answering_needs_build(intake: Path) -> None:
    reader = Rest("read", name="reader")
    assert reader.get(URL).status == 200
    assert reader.patch(URL, {"pick": "issue-refunds"}).status == 403
    assert reader.post(URL, {}).status == 403


def test_a_key_records_once(intake: Path) -> None:
    rest, key = Rest(), {"Idempotency-Key": "pick-1"}
    body = {"pick": "look-up-orders"}
    assert rest.patch(URL, body, headers=key).document["replayed"] is False
    assert rest.patch(URL, body, headers=key).document["replayed"] is True
