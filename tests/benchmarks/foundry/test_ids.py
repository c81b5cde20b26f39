from benchmarks.foundry.ids import (
    benchmark_id,
    category_id,
    cluster_id,
    fingerprint_group,
    session_group,
    task_id,
    trace_group,
)

ROOT = "789923b8b49ccb3859659160ced15916"


def test_the_printed_vectors_hold() -> None:
    assert fingerprint_group(ROOT) == (
        "ecd3aab93469f815c9a53cb32c1642cc2333d42215b5697a6d5ae01a02529f9b"
    )
    assert task_id(fingerprint_group(ROOT), ()) == "task-ecd3aab93469f815"
    assert (
        task_id(trace_group("4bf92f3577b34da6a3ce929d0e0e4736", 0), ()) == "task-a462ec479fee3370"
    )
    assert task_id(session_group("golden-claude-001"), ()) == "task-063177d3f85b271f"
    assert category_id(["issue_refund", "get_order"]) == "cap-25c02cd40838"


def test_a_taken_task_id_grows() -> None:
    group = fingerprint_group(ROOT)
    taken = {"task-ecd3aab93469f815"}
    assert task_id(group, taken) == "task-ecd3aab93469f815c9a53cb3"
    taken.add("task-ecd3aab93469f815c9a53cb3")
    assert task_id(group, taken) == "task-ecd3aab93469f815c9a53cb32c1642cc"


def test_a_benchmark_is_named_by_its_source_and_workload() -> None:
    assert benchmark_id("captures", "refunds").startswith("trace-")
    assert len(benchmark_id("captures", None)) == len("trace-") + 16
    assert benchmark_id("captures", None) != benchmark_id("captures", "refunds")


def test_a_cluster_is_named_by_its_first_task() -> None:
    assert cluster_id(["b", "a"]) == cluster_id(["a", "c"]) != cluster_id(["b"])
