from runs.leaderboard.figures import Arm
from runs.leaderboard.ties import order_changes, overlap, tie, ties_among
from tests.runs.leaderboard.boards import arm_of, provider_error, row, scores


def share(arm: str, passed: int, of: int = 30) -> Arm:
    return arm_of(scores(arm, [1.0] * passed + [0.0] * (of - passed)))


def x25() -> list[Arm]:
    return [share("a", 24), share("b", 18), share("c", 9)]


def test_x25_neighbours_tie_and_the_ends_do_not() -> None:
    ties = ties_among(x25())
    assert (ties.of("a"), ties.of("b"), ties.of("c")) == (["b"], ["a", "c"], ["b"])
    assert ties.leaders == ["a", "b"]


def test_older_readers_get_the_chained_number() -> None:
    assert ties_among(x25()).groups() == {"a": 1, "b": 1, "c": 1}
    apart = [share("a", 30), share("b", 15), share("c", 0)]
    assert ties_among(apart).groups() == {"a": 1, "b": 2, "c": 3}


def test_two_arms_share_a_letter_exactly_when_they_tie() -> None:
    assert ties_among(x25()).letters() == {"a": "a", "b": "ab", "c": "b"}
    apart = [share("a", 30), share("b", 15), share("c", 0)]
    assert ties_among(apart).letters() == {"a": "a", "b": "b", "c": "c"}
    alike = [share("a", 20), share("b", 19), share("c", 18)]
    assert ties_among(alike).letters() == {"a": "a", "b": "a", "c": "a"}


def test_few_tasks_also_tie_by_the_small_sample_interval() -> None:
    a, b = share("a", 9, of=10), share("b", 3, of=10)
    assert not overlap(a.mean.ci, b.mean.ci)
    assert overlap(a.mean.ci_small, b.mean.ci_small)
    assert tie(a, b)


def test_thirty_tasks_do_not_ask_the_small_sample_interval() -> None:
    a, c = share("a", 24), share("c", 9)
    assert not tie(a, c)


def test_an_arm_with_one_task_ties_with_every_arm() -> None:
    one = arm_of([row("t01", 1, model="one")])
    ties = ties_among([share("a", 30), one, share("c", 0)])
    assert ties.of("one") == ["a", "c"]
    assert ties.of("a") == ["one"]
    assert ties.letters() == {"a": "a", "one": "ab", "c": "b"}


def test_no_arm_has_no_leader() -> None:
    assert ties_among([]).leaders == []


def test_an_order_that_hangs_on_missing_cells_is_named() -> None:
    sure = arm_of(scores("sure", [1, 1, 1, 0]))
    lucky = arm_of([
        row("t01", 1, model="lucky"),
        *(provider_error(f"t0{n}", model="lucky") for n in (2, 3, 4)),
    ])
    assert order_changes([lucky, sure]) == [
        {"a": "lucky", "b": "sure", "scored": "lucky", "attempted": "sure", "all_passed": "lucky"}
    ]


def test_an_order_that_holds_is_not_named() -> None:
    assert order_changes(x25()) == []


def test_an_arm_without_a_score_ties_and_does_not_lead() -> None:
    empty = arm_of([provider_error("t01", model="z")])
    ties = ties_among([share("a", 24), share("b", 23), empty])
    assert ties.of("z") == ["a", "b"]
    assert ties.leaders == ["a", "b"]
    assert ties_among([empty]).leaders == []


def test_an_arm_without_a_score_has_no_letter() -> None:
    empty = arm_of([provider_error("t01", model="z")])
    ties = ties_among([share("a", 30), share("b", 0), empty])
    assert ties.letters() == {"a": "a", "b": "b", "z": ""}
