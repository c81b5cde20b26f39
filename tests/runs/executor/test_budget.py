from runs.executor.budget import Breaker, Budget, Verdict


def spend(budget: Budget, *costs: float | None, arm: str = "m") -> list[Verdict]:
    seen = []
    for cost in costs:
        budget.add_row(arm, cost, 0)
        verdict = budget.verdict()
        if verdict is Verdict.WARN:
            budget.warned = True
        seen.append(verdict)
    return seen


def test_the_worked_case_of_a_dollar() -> None:
    budget = Budget(stop_loss_usd=1.0)
    held = []
    for rows in range(1, 8):
        budget.add_row("m", 0.30, 0)
        held.append(budget.holds({"m": min(4, 7 - rows)}))
        if rows == 4:
            assert budget.verdict() is Verdict.WARN
            budget.warned = True
        elif rows < 7:
            assert budget.verdict() is Verdict.GO
    assert held[3:] == [True, True, True, True]
    assert budget.verdict() is Verdict.STOP


def test_dispatch_holds_when_what_is_running_may_reach_twice_the_stop_loss() -> None:
    budget = Budget(stop_loss_usd=1.0)
    spend(budget, 0.30, 0.30, 0.30)
    assert not budget.holds({"m": 3})
    assert budget.holds({"m": 4})


def test_a_warning_comes_once_also_across_restarts() -> None:
    assert spend(Budget(stop_loss_usd=1.0), 1.2, 0.1) == [Verdict.WARN, Verdict.GO]
    assert spend(Budget(stop_loss_usd=1.0, warned=True), 1.2) == [Verdict.GO]


def test_lost_and_late_money_counts() -> None:
    budget = Budget(stop_loss_usd=1.0, lost_usd=1.5, late_usd=0.6)
    assert budget.total_usd == 2.1
    assert budget.verdict() is Verdict.STOP


def test_without_a_stop_loss_nothing_holds_or_stops() -> None:
    budget = Budget()
    assert spend(budget, 1e6) == [Verdict.GO]
    assert not budget.holds({"m": 100})


def test_an_unpriced_row_is_counted_and_is_not_zero() -> None:
    budget = Budget(stop_loss_usd=1.0)
    spend(budget, None, 0.5)
    assert budget.unpriced_rows == 1
    assert budget.mean_cost("m") == 0.5
    assert budget.block() == {
        "recorded_usd": 0.5,
        "stop_loss_usd": 1.0,
        "warned": False,
        "stopped": False,
        "unpriced_rows": 1,
        "lost_usd": 0.0,
        "late_usd": 0.0,
        "unreported_calls": 0,
    }


def test_the_breaker_opens_at_eighteen_of_the_last_twenty() -> None:
    breaker = Breaker()
    opened = [breaker.add("lane", failed=True) for _ in range(20)]
    assert opened == [False] * 19 + [True]
    calm = Breaker()
    assert not any(calm.add("lane", failed=number % 20 >= 3) for number in range(200))


def test_each_provider_has_a_breaker_of_its_own() -> None:
    breaker = Breaker()
    for _ in range(19):
        breaker.add("a", failed=True)
    assert not breaker.add("b", failed=True)
    assert breaker.add("a", failed=True)
