import pytest

from benchmarks.records.blocks import Usage
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import ArmKind
from runs.requests.arms import ArmSpec
from runs.requests.authoring import authoring_notice
from runs.requests.quoting import Grounds, Kept, percentile, posture_notice, quote, ways_out

MODEL = ArmSpec("m", ArmKind.CANDIDATE, model="m")
OTHER = ArmSpec("n", ArmKind.CANDIDATE, model="n")
NULL = ArmSpec("null_agent", ArmKind.NULL_AGENT)


def price(model: str, usage: Usage) -> float | None:
    """A dollar per million tokens, for model m only."""
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
    return tokens / 1e6 if model == "m" else None


def grounds(**changes: object) -> Grounds:
    known: dict[str, object] = {
        "kept": {},
        "captured": None,
        "price": price,
        "table_sha256": "ab",
        "is_free": lambda model: model.startswith("scripted/"),
    }
    return Grounds(**{**known, **changes})  # type: ignore[arg-type]


def test_without_rows_or_captures_a_rollout_is_ten_thousand_tokens() -> None:
    quoted = quote({MODEL: 10}, 0, grounds())
    assert quoted["cost_usd"] == pytest.approx(0.1)
    assert (quoted["cells"], quoted["owed"], quoted["on_disk"]) == (10, 10, 0)
    assert quoted["tokens"] == {"input": 80_000, "output": 20_000}
    assert quoted["tokens_from"] == "constant"
    assert quoted["basis"] == "table"


def test_captured_tokens_beat_the_constant() -> None:
    captured = Usage(input_tokens=100, output_tokens=10)
    quoted = quote({MODEL: 2}, 0, grounds(captured=captured))
    assert quoted["tokens_from"] == "captures"
    assert quoted["cost_usd"] == pytest.approx(0.00022)


def test_kept_rows_beat_captured_tokens_and_give_a_spread() -> None:
    costs = tuple(cents / 100 for cents in range(1, 12))
    kept = {"m": Kept(costs, latencies_ms=(60_000.0,))}
    quoted = quote({MODEL: 16}, 4, grounds(kept=kept, captured=Usage(input_tokens=1)))
    assert quoted["cost_usd"] == pytest.approx(0.96)
    assert quoted["cost_low_usd"] == pytest.approx(0.32)
    assert quoted["cost_high_usd"] == pytest.approx(1.60)
    assert quoted["tokens_from"] == "kept_rows"
    assert quoted["cells"] == 20
    assert quoted["minutes"] == 2.0


def test_a_model_without_price_is_named_and_makes_a_lower_bound() -> None:
    quoted = quote({MODEL: 1, OTHER: 1}, 0, grounds())
    assert quoted["partial"] is True
    assert quoted["unpriced"] == ["n"]
    assert quoted["cost_usd"] == pytest.approx(0.01)


def test_nothing_but_unpriced_models_is_unknown_and_not_zero() -> None:
    quoted = quote({OTHER: 1}, 0, grounds())
    assert quoted["cost_usd"] is None
    assert quoted["basis"] == "unknown"


def test_arms_that_cost_nothing_are_free() -> None:
    scripted = ArmSpec("s", ArmKind.CANDIDATE, model="scripted/careful")
    quoted = quote({NULL: 3, scripted: 3}, 0, grounds())
    assert quoted["cost_usd"] == 0
    assert quoted["basis"] == "free"
    assert quoted["partial"] is False
    assert quoted["tokens_from"] is None


def test_a_percentile_lies_between_neighbours() -> None:
    assert percentile([1.0, 2.0], 0.1) == pytest.approx(1.1)
    assert percentile([5.0], 0.9) == 5.0


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("local_sandbox", "stop: runs cancel"),
        ("bounded_experiments", "stop: runs cancel; lower: trust set local_sandbox"),
        ("hosted_ops", "stop: runs cancel; lower: trust set local_sandbox"),
    ],
)
def test_a_lower_level_is_offered_only_where_there_is_one(level: str, said: str) -> None:
    assert ways_out(level) == said
    request = RunRequest.read({
        "run_id": "run-1", "benchmark_id": "demo", "models": ["m"], "split": "all", "tasks": "all",
        "rollouts_per_task": 1, "created_at": "2026-11-02T12:00:00.000Z", "status": "queued",
        "progress": {"completed": 0, "total": 1},
    })  # fmt: skip
    quoted = {**quote({MODEL: 1}, 0, grounds()), "calls": 1}
    assert authoring_notice(level, request, quoted, 1).text.endswith(f"no cap; {said}")


def test_the_notice_names_level_arms_size_cost_and_the_way_back() -> None:
    quoted = quote({MODEL: 240, NULL: 120}, 0, grounds())
    notice = posture_notice("bounded_experiments", [MODEL, NULL], 120, 2, quoted)
    assert notice.text == (
        "bounded_experiments: 1 model arm (m) and 1 zero-cost arm (null_agent)"
        " x 120 tasks x 2 rollouts = 360 rollouts; about $2.40; no cap;"
        " stop: runs cancel; lower: trust set local_sandbox"
    )
    assert notice.rollouts == 360
    assert notice.arms == ["m", "null_agent"]


def test_at_the_lowest_level_no_lower_one_is_named() -> None:
    notice = posture_notice("local_sandbox", [MODEL], 1, 1, quote({MODEL: 1}, 0, grounds()))
    assert notice.text == (
        "local_sandbox: 1 model arm (m) x 1 task x 1 rollout = 1 rollout; about $0.01; no cap;"
        " stop: runs cancel"
    )


def test_a_notice_is_one_line_of_at_most_240_characters() -> None:
    arms = [ArmSpec(f"m{n}" + "x" * 60, ArmKind.CANDIDATE, model="n") for n in range(8)]
    quoted = quote(dict.fromkeys(arms, 1), 0, grounds())
    notice = posture_notice("bounded_experiments", arms, 1, 1, quoted)
    assert len(notice.text) <= 240
    assert "cost unknown" in notice.text
