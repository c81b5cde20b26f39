"""What a directory is ready for, and what is wrong with its manifest (spec/files.md 1 and 8.1)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts import document, layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.irregular import readable
from benchmarks.errors import Complaint, Unreadable
from benchmarks.records.base import JsonObject
from benchmarks.records.build import DATASET_FOUNDRY, TRACE_FOUNDRY
from benchmarks.records.manifest import PROMOTED, PROPOSAL
from benchmarks.records.vocabulary import OLD_SPLITS, Split, Stage
from benchmarks.records.wording import many

BLANK_BYTES = 4096
"""A file of more bytes is never taken for an empty one."""
UNREVIEWED = "machine_compiled_review_pending"
ORIGINS = ("derived-from-traces", "derived-from-dataset", "imported", "authored")
IMPORT_FORMATS = (
    "verifiers.v1",
    "verifiers.v0",
    "harbor",
    "inspect_ai",
    "automationbench",
    "hf-dataset",
    "other",
)
ENVIRONMENT_FORMATS = ("verifiers.v1", "verifiers.v0")
VERIFIER_KINDS = ("final-state", "reward-fns", "rubric-judge")
GENESES = ("replayed", "synthesized", "imported")
GOLD_KINDS = ("final-state", "rubric", "reference")
SPLITS = (*Split, *OLD_SPLITS)


@dataclass(frozen=True, slots=True)
class StageReport:
    """The stage of a directory; None is not a benchmark."""

    stage: Stage | None
    complaints: tuple[Complaint, ...] = ()
    has_lost_tasks: bool = False
    """Whether tasks.jsonl is there without a line, and benchmark.json lists tasks."""

    @property
    def errors(self) -> list[str]:
        """What is wrong with the documents, a line each."""
        return [f"{each.path}: {each.message}" for each in self.complaints]


def stage(directory: BenchmarkDir) -> StageReport:
    """The stage of a directory, by the first rule that fits, with every complaint found."""
    found: list[Complaint] = []
    benchmark = _object(directory, layout.BENCHMARK.path, found)
    manifest = _object(directory, layout.MANIFEST.path, found)
    if benchmark is not None:
        found += check_manifest(benchmark)
    valid = benchmark is not None and not any(_of_benchmark(each) for each in found)
    promotable = valid and not is_proposal(benchmark or {})
    has_tasks = directory.exists(layout.TASKS)
    proposed = _is_built(manifest) or (benchmark is not None and is_proposal(benchmark))
    if directory.exists(layout.PROMOTION) and promotable:
        chosen: Stage | None = Stage.PROMOTED
    elif has_tasks and proposed:
        chosen = Stage.PROPOSED
    elif promotable:
        chosen = Stage.PROMOTED
    elif _is_intake(directory, benchmark, has_tasks=has_tasks):
        chosen = Stage.INTAKE
    else:
        chosen = _rest(directory, found, has_tasks=has_tasks)
    lost = _lost_tasks(directory, benchmark)
    if lost is not None:
        found.append(lost)
    return StageReport(chosen, tuple(found), has_lost_tasks=lost is not None)


def _lost_tasks(directory: BenchmarkDir, benchmark: JsonObject | None) -> Complaint | None:
    """What is said of an empty tasks.jsonl beside tasks that are listed."""
    listed = len(_list(benchmark or {}, "tasks"))
    if not listed or not _is_blank(directory, layout.TASKS.path):
        return None
    said = f"it is empty, and {layout.BENCHMARK.path} lists {many(listed, 'task')}"
    cure = "put back a copy of it, or build again from the captures"
    return Complaint(layout.TASKS.path, None, f"{said}: {cure}")


def _is_blank(directory: BenchmarkDir, name: str) -> bool:
    """Whether a file is there and holds no line."""
    try:
        path = readable(directory, name)
        if path is None or not path.exists() or path.stat().st_size > BLANK_BYTES:
            return False
        return not path.read_bytes().strip()
    except (Unreadable, OSError):
        return False


def _rest(directory: BenchmarkDir, found: list[Complaint], *, has_tasks: bool) -> Stage | None:
    """Invalid where anything of a benchmark is there, with a reason that can be acted on."""
    there = [
        name
        for name in (
            "benchmark.json",
            "manifest.json",
            layout.DIRECTIONS.path,
            "intake-report.json",
        )
        if directory.exists(name)
    ]
    if not there:
        return None
    if not found:
        missing = "benchmark.json or manifest.json" if has_tasks else layout.TASKS.path
        found.append(Complaint(missing, None, f"missing beside {' and '.join(there)}"))
    return Stage.INVALID


def is_proposal(value: JsonObject) -> bool:
    """Whether benchmark.json is a proposal, also as the reference stamped one."""
    schema = value.get("schema_version")
    return schema == PROPOSAL or (schema == PROMOTED and value.get("status") == UNREVIEWED)


def check_manifest(value: JsonObject) -> list[Complaint]:
    """Everything that is wrong with a benchmark.json; a proposal needs only tasks with ids."""
    schema = value.get("schema_version")
    if schema not in (PROPOSAL, PROMOTED):
        known = f"{PROPOSAL} or {PROMOTED} is wanted"
        return [_complaint("schema_version", schema, known)]
    found = list(_task_ids(value.get("tasks")))
    if is_proposal(value):
        return found
    for check in (_identity, _taxonomy, _tasks, _environment, _verifier):
        found += check(value)
    return found


def _task_ids(tasks: Any) -> Iterator[Complaint]:
    if not isinstance(tasks, list):
        yield _complaint("tasks", tasks, "a list of tasks is wanted")
        return
    for index, task in enumerate(tasks):
        task_id = task.get("task_id") if isinstance(task, dict) else None
        if not isinstance(task_id, str) or not task_id.strip():
            yield _complaint(f"tasks.{index}.task_id", task_id, "a task needs an id")


def _identity(value: JsonObject) -> Iterator[Complaint]:
    benchmark_id = value.get("benchmark_id")
    if not isinstance(benchmark_id, str) or not benchmark_id.strip():
        yield _complaint("benchmark_id", benchmark_id, "an id is wanted")
    provenance = _part(value, "provenance")
    origin = provenance.get("origin")
    yield from _one_of("provenance.origin", origin, ORIGINS)
    if origin == "imported":
        source = _part(provenance, "imported_from")
        path = "provenance.imported_from"
        yield from _one_of(f"{path}.format", source.get("format"), IMPORT_FORMATS)
        yield from _text(f"{path}.ref", source.get("ref"))


def _taxonomy(value: JsonObject) -> Iterator[Complaint]:
    for index, category in enumerate(_list(value, "taxonomy")):
        category_id = category.get("category_id") if isinstance(category, dict) else None
        yield from _text(f"taxonomy.{index}.category_id", category_id)


def _tasks(value: JsonObject) -> Iterator[Complaint]:
    tasks = [
        (f"tasks.{index}", task)
        for index, task in enumerate(_list(value, "tasks"))
        if isinstance(task, dict)
    ]
    counts = Counter(str(task.get("task_id")) for _, task in tasks)
    categories = {
        each.get("category_id") for each in _list(value, "taxonomy") if isinstance(each, dict)
    }
    for path, task in tasks:
        if counts[str(task.get("task_id"))] > 1:
            yield _complaint(f"{path}.task_id", task.get("task_id"), "the id is there twice")
        category = task.get("category_id")
        if categories and category not in categories:
            yield _complaint(f"{path}.category_id", category, "not in the taxonomy")
        if task.get("genesis") is not None:
            yield from _one_of(f"{path}.genesis", task["genesis"], GENESES)
        if task.get("split") is not None:
            yield from _one_of(f"{path}.split", task["split"], SPLITS)
        if task.get("gold") is not None:
            yield from _one_of(f"{path}.gold.kind", _part(task, "gold").get("kind"), GOLD_KINDS)


def _environment(value: JsonObject) -> Iterator[Complaint]:
    environment = _part(value, "environment")
    yield from _one_of("environment.format", environment.get("format"), ENVIRONMENT_FORMATS)
    yield from _text("environment.package_ref", environment.get("package_ref"))


def _verifier(value: JsonObject) -> Iterator[Complaint]:
    verifier = _part(value, "verifier")
    yield from _one_of("verifier.kind", verifier.get("kind"), VERIFIER_KINDS)
    yield from _text("verifier.strict_metric", verifier.get("strict_metric"))


def _one_of(path: str, word: object, words: tuple[str, ...]) -> Iterator[Complaint]:
    if word not in words:
        yield _complaint(path, word, f"one of {', '.join(words)} is wanted")


def _text(path: str, value: object) -> Iterator[Complaint]:
    if not isinstance(value, str) or not value.strip():
        yield _complaint(path, value, "a text is wanted")


def _complaint(path: str, value: object, message: str) -> Complaint:
    return Complaint(f"{layout.BENCHMARK.path} {path}", value, message)


def _of_benchmark(complaint: Complaint) -> bool:
    return complaint.path.startswith(layout.BENCHMARK.path)


def _part(value: JsonObject, key: str) -> JsonObject:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _list(value: JsonObject, key: str) -> list[Any]:
    part = value.get(key)
    return part if isinstance(part, list) else []


def _is_built(manifest: JsonObject | None) -> bool:
    return (manifest or {}).get("schema_version") in (TRACE_FOUNDRY, DATASET_FOUNDRY)


def _is_intake(directory: BenchmarkDir, benchmark: JsonObject | None, *, has_tasks: bool) -> bool:
    looked = directory.exists(layout.DIRECTIONS) or directory.exists(layout.INTAKE_REPORT)
    tasks = has_tasks or (benchmark is not None and bool(benchmark.get("tasks")))
    unread = benchmark is None and directory.exists(layout.BENCHMARK)
    return looked and not tasks and not unread


def _object(directory: BenchmarkDir, name: str, found: list[Complaint]) -> JsonObject | None:
    """A document as it stands, whatever record it is; what does not read is a complaint."""
    try:
        path = readable(directory, name)
        return document.read(path) if path is not None else None
    except Unreadable as error:
        found.append(Complaint(name, None, error.message))
        return None
