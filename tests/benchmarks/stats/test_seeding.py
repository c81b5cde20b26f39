import hashlib

from benchmarks.stats.seeding import TaskKey, code_units, seed_of

EIGHT = [TaskKey(f"t{i}") for i in range(1, 9)]


def test_x1_the_seed_is_the_first_six_bytes_of_the_texts_digest() -> None:
    text = (
        '["headline","demo","m1",[["t1","",""],["t2","",""],["t3","",""],["t4","",""],'
        '["t5","",""],["t6","",""],["t7","",""],["t8","",""]]]'
    )
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == "d78fb7f6deb7"
    assert seed_of("headline", "demo", "m1", EIGHT) == 237012266704567


def test_the_order_in_which_tasks_arrive_does_not_matter() -> None:
    assert seed_of("headline", "demo", "m1", reversed(EIGHT)) == 237012266704567


def test_purpose_benchmark_arm_and_digests_each_move_the_seed() -> None:
    seeds = {
        seed_of("headline", "demo", "m1", EIGHT),
        seed_of("latency", "demo", "m1", EIGHT),
        seed_of("headline", "other", "m1", EIGHT),
        seed_of("headline", "demo", "m2", EIGHT),
        seed_of("headline", "demo", "m1", [TaskKey(t.task_id, "e", "v") for t in EIGHT]),
        seed_of("headline", "demo", "m1", [TaskKey(t.task_id, "v", "e") for t in EIGHT]),
    }
    assert len(seeds) == 6


def test_a_seed_is_a_safe_integer() -> None:
    assert all(0 <= seed_of("headline", "demo", str(i), EIGHT) < 2**48 for i in range(20))


def test_tasks_are_sorted_by_utf_16_code_unit_and_not_by_code_point() -> None:
    emoji, private = "\U0001f600", "\ufb33"
    assert sorted([private, emoji], key=code_units) == [emoji, private]
    assert sorted([private, emoji]) == [private, emoji]
