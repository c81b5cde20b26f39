"""benchmark-overview.json, written anew from the tasks, the captures and the environment."""

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.authoring.overview import Subject, overview
from benchmarks.records.base import JsonObject, Record
from benchmarks.services.standing import newest_captures


def write_overview(directory: BenchmarkDir, *, model: str, at: str) -> JsonObject:
    """Write the overview of a benchmark as it stands; the document is handed back.

    Raises:
        InvalidBenchmark: a document that it rests on does not validate.
    """
    manifest, gold = directory.load(layout.BENCHMARK), directory.load(layout.GOLD)
    document = overview(
        Subject(
            tasks=list(directory.tasks().values()),
            categories=manifest.taxonomy if manifest is not None else [],
            captures=newest_captures(directory.read(layout.CAPTURES).records),
            shown={task.task_id: task for task in directory.load_list(layout.ENV_TASKS)},
            gold={task.task_id: task for task in gold.tasks} if gold is not None else {},
        ),
        model=model,
        at=at,
    )
    directory.replace(layout.OVERVIEW, Record.read(document))
    return document
