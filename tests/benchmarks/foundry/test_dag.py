from benchmarks.foundry.dag import (
    DroppedRecord,
    Fate,
    execution_index,
    lineage_issues,
    source_dag,
)
from benchmarks.foundry.grouping import threads_of
from benchmarks.foundry.reasons import Drop
from benchmarks.records.dag import Edge, Node
from tests.benchmarks.foundry.factories import call, capture, result

ASK, DONE = ("user", "Refund A-1007."), ("assistant", "Done.")
LOOK, FOUND = ("assistant", call("get", "c1", id=1)), ("tool", result("x", "get", "c1"))


def node(name: str) -> Node:
    return Node(
        id=name, capture_id=name, execution_group="g", message_count=1, has_error=False, source={}
    )


def edge(start: str, end: str, kind: str = "prefix_append") -> Edge:
    return Edge(from_=start, to=end, type=kind, execution_group="g", confidence="deterministic")


def test_a_sound_lineage_has_no_issue() -> None:
    assert lineage_issues([node("a"), node("b")], [edge("a", "b")]) == []


def test_everything_wrong_with_a_lineage_is_named() -> None:
    nodes = [node("a"), node("b"), node("c"), node("a")]
    edges = [edge("b", "c"), edge("c", "b"), edge("a", "nowhere")]
    assert lineage_issues(nodes, edges) == [
        "two nodes share the id a",
        "edge a -> nowhere names an unknown node",
        "node b is its own ancestor",
        "node c is its own ancestor",
    ]


def test_a_sibling_is_no_ancestor() -> None:
    edges = [edge("a", "b", "workflow_sibling"), edge("b", "a", "workflow_sibling")]
    assert lineage_issues([node("a"), node("b")], edges) == []


def fates() -> list[Fate]:
    captures = [
        capture([ASK], [LOOK], at="09:00:00", line=1),
        capture([ASK, LOOK, FOUND], [DONE], at="09:00:05", line=2),
        capture([DONE], [DONE], line=3),
    ]
    first, second = threads_of(captures, lambda _: True)
    return [Fate(first, task_id="task-1"), Fate(second, reason=Drop.NO_USER_TURN)]


def test_every_capture_is_a_node_and_every_conversation_a_group() -> None:
    found = source_dag(fates())
    assert (found.valid, found.issues) == (True, [])
    assert [one.capture_id for one in found.nodes] == ["req-1", "req-2", "req-3"]
    assert [one.message_count for one in found.nodes] == [1, 3, 1]
    first, second = found.groups
    assert (first.capture_count, first.edge_count, first.task_id) == (2, 1, "task-1")
    assert first.roots == [found.nodes[0].id]
    assert (second.capture_count, second.task_id) == (1, None)


def test_a_conversation_without_a_user_is_in_quarantine() -> None:
    found = source_dag(fates())
    (quarantine,) = found.quarantines
    assert quarantine.code == "missing_user_turn"
    assert found.quarantined_groups == [quarantine.execution_group] == [found.groups[1].id]


def test_whatever_has_no_task_has_a_reason() -> None:
    rows = execution_index(fates(), [DroppedRecord("malformed_line", "a.jsonl", "5d1e")])
    assert [(row.task_id, row.exclusion_reasons, row.source_status) for row in rows] == [
        ("task-1", [], "included"),
        (None, ["no_user_turn"], "excluded"),
        (None, ["malformed_line"], "excluded"),
    ]
    assert [row.lineage_status for row in rows] == ["complete", "complete", "unlinked"]
    assert rows[2].execution_group is None
    assert rows[2].source_files == [{"local_path": "a.jsonl", "content_sha256": "5d1e"}]
    assert rows[0].source_files == [{"local_path": "captures.jsonl", "content_sha256": "5d1e"}]
