"""The checks of a build as a whole: ids, splits, paths, secrets and sums."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from benchmarks.audit.written import Written
from benchmarks.intake.redact import Redactor
from benchmarks.records.base import Record

PATH_KEYS = frozenset({"local_path", "pointer", "pointers", "path", "source", "output_dir"})
TYPES_NOT_VALUES = frozenset({"properties", "reply_shape"})
"""Keys of schemas.json whose values are names of types."""

BuildCheck = Callable[[Written], Iterator[str]]


def id_collision(written: Written) -> Iterator[str]:
    """Every task and every execution has an id of its own."""
    for what, ids in (
        ("task_id", [task.task_id for task in written.tasks]),
        ("execution_group", [task.execution_group for task in written.tasks]),
    ):
        for id_, count in Counter(ids).items():
            if id_ is not None and count > 1:
                yield f"{count} tasks have the {what} {id_}"


def cluster_split(written: Written) -> Iterator[str]:
    """Near duplicates share a split."""
    splits: dict[str, set[str]] = {}
    for task in written.tasks:
        if task.cluster_id is not None:
            splits.setdefault(task.cluster_id, set()).add(str(task.split))
    for cluster, found in splits.items():
        if len(found) > 1:
            yield f"cluster {cluster} stands in {', '.join(sorted(found))}"


def absolute_path(written: Written) -> Iterator[str]:
    """No recorded path leads out of the directory."""
    for name, values in documents(written).items():
        paths = (path for value in values for path in recorded_paths(value))
        out = next(filter(is_absolute, paths), None)
        if out is not None:
            yield f"{name} holds the path {out[:80]}"


def recorded_paths(value: Any) -> Iterator[str]:
    """The texts under keys that hold paths; contents of a capture are not paths."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in PATH_KEYS:
                found = item if isinstance(item, list) else [item]
                yield from (path for path in found if isinstance(path, str))
            if key in {"source", "sources", "captures", "artifacts"}:
                yield from recorded_paths(item)
            if key == "artifacts" and isinstance(item, Mapping):
                yield from (path for path in item.values() if isinstance(path, str))
    elif isinstance(value, list):
        for item in value:
            yield from recorded_paths(item)


def is_absolute(path: str) -> bool:
    """Whether a path is absolute on any system."""
    bare = path.partition("#")[0]
    return PurePosixPath(bare).is_absolute() or bool(PureWindowsPath(bare).drive)


def unredacted_secret(written: Written) -> Iterator[str]:
    """The redactor finds nothing in what was written; where it was off there is nothing to hold."""
    if not written.redacted:
        return
    for name, values in documents(written).items():
        redactor = Redactor()
        for value in values:
            redactor.clean(value)
        if redactor.counts:
            kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(redactor.counts.items()))
            yield f"{name} holds secrets: {kinds}"


def documents(written: Written) -> dict[str, Iterable[Any]]:
    """What every written file holds as JSON, by its name: record by record, as it is looked at."""
    schemas = {
        name: {key: v for key, v in schema.dump().items() if key not in TYPES_NOT_VALUES}
        for name, schema in written.schemas.items()
    }
    files: dict[str, Any] = {
        "tasks.jsonl": written.tasks,
        "tasks.json": written.environment,
        "fixtures.json": written.fixtures,
        "schemas.json": schemas,
        "guidance.json": [list(told.values()) for told in written.guidance.tools.values()],
        "gold.json": written.gold,
        "offline-validation.json": written.validation,
        "execution-index.jsonl": written.index,
        "intake-report.json": written.intake or {},
        **written.others,
    }
    return {name: parts(content) for name, content in files.items()}


def parts(content: Any) -> Iterator[Any]:
    """The values of a list, or the one value that is no list; records as they are written."""
    several = isinstance(content, Sequence) and not isinstance(content, str)
    for one in content if several else [content]:
        yield one.dump() if isinstance(one, Record) else one


def counts_do_not_add_up(written: Written) -> Iterator[str]:
    """Every count that goes down is explained. A failure here is a fault of the build itself."""
    report = written.intake
    if report is not None:
        told = report.captures + sum(report.dropped.values()) + report.duplicates
        if told != report.records:
            yield f"{report.records} records, but {told} captures, drops and duplicates"
    yield from index_sums(written)
    ids = {task.task_id for task in written.tasks}
    for name, found in (
        ("the environment", [row.task_id for row in written.environment]),
        ("gold.json", [row.task_id for row in written.gold]),
        ("offline validation", [row.task_id for row in written.validation]),
    ):
        if found and (set(found) != ids or len(found) != len(written.tasks)):
            yield f"{name} has {len(found)} tasks, tasks.jsonl has {len(written.tasks)}"


def index_sums(written: Written) -> Iterator[str]:
    """Every execution is a task or has a reason why it is none."""
    groups = [row for row in written.index if row.execution_group is not None]
    for row in groups:
        if row.task_id is None and not row.exclusion_reasons:
            yield f"execution {row.execution_group} is no task and has no reason"
    indexed = {row.task_id for row in groups if row.task_id is not None}
    absent = {task.task_id for task in written.tasks} - indexed
    if groups and absent:
        yield f"{len(absent)} tasks have no line in execution-index.jsonl: {min(absent)}"


BUILD_CHECKS: Mapping[str, BuildCheck] = {
    "id_collision": id_collision,
    "split_invalid": cluster_split,
    "absolute_path": absolute_path,
    "unredacted_secret": unredacted_secret,
    "counts_do_not_add_up": counts_do_not_add_up,
}
