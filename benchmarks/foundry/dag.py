"""The lineage of every capture, and what became of every group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.foundry.grouping import Thread
from benchmarks.foundry.lineage import Sketch
from benchmarks.foundry.reasons import Drop
from benchmarks.records.capture import Capture
from benchmarks.records.dag import Edge, Group, IndexRow, Node, Quarantine, SourceDag

QUARANTINED = {
    Drop.NO_USER_TURN: "missing_user_turn",
    Drop.LINEAGE_CYCLE: "lineage_cycle",
}
SIBLING = "workflow_sibling"


@dataclass(frozen=True)
class Fate:
    """What became of a conversation: the id of its task, or why it has none."""

    thread: Thread
    task_id: str | None = None
    reason: Drop | None = None


@dataclass(frozen=True)
class DroppedRecord:
    """A record of a source that made no capture."""

    reason: str
    local_path: str
    content_sha256: str


def source_dag(fates: Sequence[Fate]) -> SourceDag:
    """The whole lineage; not valid when an edge hangs, a cycle exists or two nodes share an id."""
    nodes = [
        _node(capture, fate.thread.execution_group) for fate in fates for capture in fate.thread.own
    ]
    edges = [edge for fate in fates for edge in fate.thread.edges]
    quarantines = [_quarantine(fate) for fate in fates if fate.reason in QUARANTINED]
    issues = lineage_issues(nodes, edges)
    return SourceDag(
        valid=not issues,
        issues=issues,
        quarantines=quarantines,
        quarantined_groups=[found.execution_group for found in quarantines],
        nodes=nodes,
        edges=edges,
        groups=[_group(fate) for fate in fates],
    )


def lineage_issues(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[str]:
    """Everything that is wrong with a lineage, a line each."""
    ids = [node.id for node in nodes]
    known = set(ids)
    issues = [f"two nodes share the id {found}" for found in _repeated(ids)]
    issues += [
        f"edge {edge.from_} -> {edge.to} names an unknown node"
        for edge in edges
        if not {edge.from_, edge.to} <= known
    ]
    above = {edge.to: edge.from_ for edge in edges if edge.type != SIBLING}
    issues += [f"node {found} is its own ancestor" for found in ids if _loops(found, above)]
    return issues


def execution_index(fates: Sequence[Fate], dropped: Iterable[DroppedRecord]) -> list[IndexRow]:
    """One row per group and one per dropped record; whatever has no task has a reason."""
    return [*(_group_row(fate) for fate in fates), *(_record_row(found) for found in dropped)]


def workloads_of(captures: Iterable[Capture]) -> list[str]:
    """The workloads that captures name, by name or id, sorted."""
    named = (capture.scope.workload_name or capture.scope.workload_id for capture in captures)
    return sorted({name for name in named if name})


def helper_keys(thread: Thread) -> list[str]:
    """The captures of all helpers that a conversation started, in their order."""
    return [key for helper in thread.helpers for key in helper.capture_keys()]


def _with_helpers(thread: Thread) -> list[Capture]:
    return [*thread.own, *(capture for helper in thread.helpers for capture in helper.own)]


def trace_id_of(thread: Thread) -> str | None:
    """The valid trace id that a conversation started under."""
    trace = thread.main_line[0].trace
    return trace.trace_id if trace is not None and trace.valid else None


def _node(capture: Capture, group: str) -> Node:
    sketch = Sketch(capture)
    return Node(
        id=capture.capture_key,
        capture_id=capture.capture_id,
        execution_group=group,
        captured_at=capture.captured_at,
        message_count=sum(turn.origin == "request" for turn in capture.conversation.turns),
        has_error=sketch.failed,
        warnings=capture.warnings,
        source={"pointer": capture.source.pointer, "sha256": capture.source.sha256},
        trace_id=capture.trace.trace_id if capture.trace else None,
    )


def _group(fate: Fate) -> Group:
    thread = fate.thread
    continued = {edge.to for edge in thread.edges if edge.type != SIBLING}
    workloads = workloads_of(thread.own)
    return Group(
        id=thread.execution_group,
        capture_count=len(thread.own),
        edge_count=len(thread.edges),
        roots=[c.capture_key for c in thread.own if c.capture_key not in continued],
        grouping_label=thread.label,
        trace_id=trace_id_of(thread),
        workloads=workloads,
        workloads_spanned=workloads_of(_with_helpers(thread)),
        task_id=fate.task_id,
        helpers=helper_keys(thread) or None,
    )


def _quarantine(fate: Fate) -> Quarantine:
    thread = fate.thread
    identity = thread.main_line[0].source.identity
    return Quarantine(
        execution_group=thread.execution_group,
        code=QUARANTINED[fate.reason or Drop.NO_USER_TURN],
        edge_count=len(thread.edges),
        candidate_count=len(thread.own),
        available_identity_fields=[name for name, value in identity.dump().items() if value],
    )


def _group_row(fate: Fate) -> IndexRow:
    thread = fate.thread
    unsure = any(edge.confidence == "low" for edge in thread.edges)
    return IndexRow(
        execution_group=thread.execution_group,
        lineage_status="ambiguous" if unsure else "complete",
        grouping_label=thread.label,
        trace_id=trace_id_of(thread),
        capture_count=len(thread.own),
        edge_count=len(thread.edges),
        workloads=workloads_of(thread.own),
        task_id=fate.task_id,
        exclusion_reasons=[fate.reason.value] if fate.reason else [],
        source_status="excluded" if fate.reason else "included",
        source_files=_files((c.source.local_path, c.source.content_sha256) for c in thread.own),
    )


def _record_row(found: DroppedRecord) -> IndexRow:
    return IndexRow(
        lineage_status="unlinked",
        capture_count=0,
        edge_count=0,
        workloads=[],
        exclusion_reasons=[found.reason],
        source_status="excluded",
        source_files=_files([(found.local_path, found.content_sha256)]),
    )


def _files(named: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"local_path": path, "content_sha256": digest} for path, digest in dict.fromkeys(named)]


def _repeated(ids: Sequence[str]) -> list[str]:
    return [found for found, count in Counter(ids).items() if count > 1]


def _loops(start: str, above: Mapping[str, str]) -> bool:
    seen = {start}
    node = start
    while node in above:
        node = above[node]
        if node == start:
            return True
        if node in seen:
            return False
        seen.add(node)
    return False
