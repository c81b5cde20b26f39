"""What verifiers are worth on real trials: measured here, kept in validity_expected.json.

python -m tests.real.validity            measures everything, prints what differs; exit 1 if any
python -m tests.real.validity --write    and writes it down
python -m understudy_site.docs           then makes docs/validity.md of it
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.contract.agreement import CELLS
from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.records.caller import Caller
from benchmarks.records.task import Task
from benchmarks.services.agreeing import agreement
from benchmarks.services.building import build_benchmark
from runs.execution.queue import execute_directory
from tests.executing import make_means
from tests.factories import make_request

EXPECTED = Path(__file__).parent / "validity_expected.json"
DATA = Path(__file__).parents[2].parent / "shared" / "data"
NOW = datetime(2026, 11, 2, tzinfo=UTC)
COUNTS = ("groups", "groups_used", "draws", "pairs", "judgeable")
ESTIMATES = ("accuracy", "accuracy_low", "accuracy_high", "kappa", "kappa_low", "kappa_high")
SUCCESSES = (1, 2, 3, 5, 7)


@dataclass(frozen=True, slots=True)
class Trials:
    """Real trials of some tasks, with the outcomes that they carry."""

    name: str
    sources: tuple[str, ...]
    successes: tuple[int, ...]
    label: str | None = None
    group: str | None = None

    def measured(self, data: Path, successes: int) -> dict[str, Any]:
        """The figures of contracts from so many successes."""
        found = agreement(
            sources=[data / source for source in self.sources],
            label=self.label,
            group=self.group,
            successes=successes,
            now=NOW,
        )
        return figures_of(found)


def figures_of(found: dict[str, Any]) -> dict[str, Any]:
    """What is kept of an agreement document."""
    cells = [found["confusion"][cell] for cell in CELLS]
    return {key: found[key] for key in COUNTS} | {
        "confusion": cells,
        **{key: found[key] for key in ESTIMATES},
    }


SUITES = ("banking", "slack", "travel", "workspace")
RUNS = "/metadata/success"
TASKS = "/metadata/suite_name,/metadata/user_task_id"
SETS = (
    Trials("tau-bench airline", ("tau-bench/gpt-4o-airline.trials01.json",), (1,)),
    Trials("tau-bench retail", ("tau-retail/final_results.visible.json",), (1, 2, 3)),
    Trials(
        "AgentDojo", tuple(f"agentdojo/{suite}.jsonl" for suite in SUITES), SUCCESSES, RUNS, TASKS
    ),
    *(
        Trials(f"AgentDojo {suite}", (f"agentdojo/{suite}.jsonl",), SUCCESSES, RUNS, TASKS)
        for suite in SUITES
    ),
)
AIRLINE = SETS[0].sources[0]
TRIVIAL = ("null_agent", "spam_agent")


def expected() -> dict[str, Any]:
    """What is written down."""
    found: dict[str, Any] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return found


def expected_figures(name: str, successes: int) -> dict[str, Any]:
    """The figures of one set that are written down."""
    found: dict[str, Any] = expected()["agreement"][name][str(successes)]
    return found


def built(data: Path, folder: Path) -> BenchmarkDir:
    """The airline benchmark, its verifiers put to the test."""
    directory = BenchmarkDir(folder)
    build_benchmark(
        directory=directory,
        slug="local--airline",
        source=[data / AIRLINE],
        waive_pilot="measured here",
        caller=Caller("os:mira", "shell"),
        now=NOW,
    )
    return directory


def verifiers_of(directory: BenchmarkDir) -> dict[str, Any]:
    """What the test of the verifiers of a benchmark came to."""
    tasks = directory.load(layout.VERIFIER_REPORT).tasks
    operators: dict[str, list[int]] = {}
    for task in tasks:
        for name, probes in task.by_operator.items():
            made, rejected = operators.get(name, [0, 0])
            operators[name] = [made + probes.made, rejected + probes.rejected]
    return {
        "tasks": len(tasks),
        "verdicts": dict(sorted(Counter(task.verdict for task in tasks).items())),
        "faults": {
            "made": sum(task.mutants.made for task in tasks),
            "rejected": sum(task.mutants.rejected for task in tasks),
            "equivalent": sum(task.mutants.equivalent for task in tasks),
            "broken": sum(task.mutants.broken for task in tasks),
        },
        "by_operator": dict(sorted(operators.items())),
        "harmless": {
            "made": sum(task.harmless.made for task in tasks),
            "accepted": sum(task.harmless.accepted for task in tasks),
        },
        "survivors": [one.say for task in tasks for one in task.survivors],
        "refused": [one.say for task in tasks for one in task.refused or ()],
    }


def floors_of(directory: BenchmarkDir) -> dict[str, Any]:
    """How many tasks each arm passes that needs no model, and how many of those change state."""
    identity = directory.load(layout.BENCHMARK).benchmark_id
    asked = make_request(
        benchmark_id=identity, trivial_arms=list(TRIVIAL), reference_arms=["oracle"]
    )
    directory.create(layout.request(asked.run_id), asked)
    execute_directory(directory, make_means(directory.path.parent))
    changing = {name for name, task in directory.tasks().items() if changes_state(task)}
    passed = [row for row in directory.rows().records if row.score == 1]
    return {
        "tasks": len(directory.tasks()),
        "changing_state": len(changing),
        "passed": {
            arm: {
                "all": sum(row.arm_kind == arm for row in passed),
                "changing_state": sum(
                    row.arm_kind == arm and row.task_id in changing for row in passed
                ),
            }
            for arm in (*TRIVIAL, "oracle")
        },
    }


def changes_state(task: Task) -> bool:
    """Whether a task asks for a change."""
    return any(entry.type == STATE_EFFECT for entry in task.outcome_contract.required)


def measured(data: Path) -> dict[str, Any]:
    """Every figure of the page."""
    with tempfile.TemporaryDirectory() as folder:
        directory = built(data, Path(folder) / "airline")
        verifiers = {**verifiers_of(directory), "floors": floors_of(directory)}
    return {
        "agreement": {
            trials.name: {
                str(successes): trials.measured(data, successes) for successes in trials.successes
            }
            for trials in SETS
        },
        "verifiers": verifiers,
    }


def main(words: Sequence[str]) -> int:
    """Measure, say what differs, and write it down where asked."""
    known = expected() if EXPECTED.is_file() else {}
    found = {"words": known.get("words", {}), **measured(DATA)}
    for key in ("agreement", "verifiers"):
        for name, figures in found[key].items():
            if known.get(key, {}).get(name) != figures:
                sys.stdout.write(f"{key}, {name}: {json.dumps(figures)}\n")
    if "--write" in words:
        EXPECTED.write_text(
            json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return int(found != known)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
