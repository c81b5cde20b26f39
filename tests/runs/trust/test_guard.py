import pytest

from benchmarks.errors import ApprovalRequired, PostureTooLow
from benchmarks.records.vocabulary import ArmKind, TrustLevel
from runs.requests.arms import ArmSpec
from runs.trust.guard import Shape, check, check_upload
from runs.trust.posture import Posture

SANDBOX = Posture()
BOUNDED = Posture(TrustLevel.BOUNDED_EXPERIMENTS)
MODEL = ArmSpec("m", ArmKind.INCUMBENT, model="m")
OTHER = ArmSpec("n", ArmKind.CANDIDATE, model="n")
OVERRIDE = ArmSpec("o", ArmKind.CANDIDATE, model="m", suffix="Be kind.")
LOCAL = ArmSpec("l", ArmKind.CANDIDATE, local={"ref": "l"})
NULL = ArmSpec("null_agent", ArmKind.NULL_AGENT)
ORACLE = ArmSpec("oracle", ArmKind.ORACLE)

FREE = [
    Shape((NULL, ORACLE), rollouts=1, explicit_tasks=False),
    Shape((MODEL,), rollouts=1, explicit_tasks=True),
    Shape((MODEL, NULL, ORACLE), rollouts=1, explicit_tasks=True),
    Shape((MODEL,), rollouts=3, explicit_tasks=False, retry_cells=1),
    Shape((NULL,), rollouts=1, explicit_tasks=False, retry_cells=0),
]
SPEND = [
    Shape((MODEL, OTHER), rollouts=1, explicit_tasks=True),
    Shape((MODEL, OVERRIDE), rollouts=1, explicit_tasks=True),
    Shape((MODEL, LOCAL), rollouts=1, explicit_tasks=True),
    Shape((MODEL,), rollouts=2, explicit_tasks=True),
    Shape((MODEL,), rollouts=1, explicit_tasks=False),
    Shape((MODEL,), rollouts=1, explicit_tasks=True, retry_cells=2),
]


@pytest.mark.parametrize("shape", FREE)
@pytest.mark.parametrize("posture", [SANDBOX, BOUNDED])
def test_a_free_shape_passes_without_notice_at_every_level(shape: Shape, posture: Posture) -> None:
    assert check(shape, posture, confirmed=False) is False


@pytest.mark.parametrize("shape", SPEND)
def test_a_spending_shape_is_refused_below_and_noticed_above(shape: Shape) -> None:
    with pytest.raises(PostureTooLow):
        check(shape, SANDBOX, confirmed=False)
    assert check(shape, BOUNDED, confirmed=False) is True
    assert check(shape, SANDBOX, confirmed=True) is True


def test_the_refusal_offers_one_action_for_a_person() -> None:
    with pytest.raises(PostureTooLow) as caught:
        check(SPEND[4], SANDBOX, confirmed=False)
    error = caught.value
    assert error.message == (
        "an all-task run of a model needs bounded_experiments; the posture is local_sandbox"
    )
    assert error.details["rule_id"] == "benchmark.queue-run-below-posture"
    assert [(action.command, action.who) for action in error.next_actions] == [
        ("understudy trust set bounded_experiments", "person")
    ]
    assert "confirm" in error.hint


@pytest.mark.parametrize(
    ("models", "posture", "confirmed"),
    [
        ((), Posture(), False),
        (("m",), Posture(), True),
        (("m",), Posture(provider_upload=True), False),
    ],
)
def test_captured_content_goes_where_somebody_let_it(
    models: tuple[str, ...], posture: Posture, confirmed: bool
) -> None:
    check_upload(models, posture, confirmed=confirmed)


@pytest.mark.parametrize("level", list(TrustLevel))
def test_without_a_word_captured_content_stays_at_any_level(level: TrustLevel) -> None:
    with pytest.raises(ApprovalRequired) as refused:
        check_upload(("m1", "m2"), Posture(level), confirmed=False, door="mcp")
    assert refused.value.details["gate"] == "customer_data_upload"
    assert "the provider of m1, m2" in refused.value.message
    assert "confirm: true" in refused.value.hint
    (action,) = refused.value.next_actions
    assert action.command == f"understudy trust set {level} --allow-provider-upload"
    assert action.who == "person"
