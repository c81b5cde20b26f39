"""How fast a build is audited: the leaks of 1,000 tasks with 20 tools each, and near duplicates.

The near duplicates are sought among 10,000 drawn sentences of 5 to 15 words, joined exactly. Prints
one JSON object a figure: the median of the runs and the target.

    python tests/perf/audits.py [--tasks 1000] [--runs 3] [--seed 7]
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.audit.leakage import leakage_audit
from benchmarks.audit.written import Written
from benchmarks.foundry.similarity import NEAR, near_pairs
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    GoldTask,
    ToolSchema,
)
from benchmarks.records.task import Task

TEXTS = 10_000
TEXTS_S, LEAKS_S = 1.0, 5.0
TOOLS, TURNS = 20, 6
SYLLABLES = [
    "ba",
    "co",
    "du",
    "fe",
    "gi",
    "ho",
    "ju",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "so",
    "te",
    "vi",
    "wo",
    "za",
]


def word(rng: Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 4)))


def sentence(rng: Random, least: int, most: int) -> str:
    return " ".join(word(rng) for _ in range(rng.randint(least, most)))


def tool(number: int, rng: Random) -> Tool:
    properties = {
        word(rng): {"type": "string", "description": sentence(rng, 5, 15)} for _ in range(5)
    }
    return Tool(
        name=f"tool_{number}",
        description=sentence(rng, 20, 60),
        parameters={"type": "object", "properties": properties},
    )


def build(tasks: int, rng: Random) -> Written:
    """A build whose tasks share their tools, each with golds of its own."""
    tools = [tool(number, rng) for number in range(TOOLS)]
    schemas = {
        one.name: ToolSchema(description=one.description, parameters=one.parameters)
        for one in tools
    }
    lines, shown, fixtures, gold = [], [], [], []
    for number in range(tasks):
        name, ids = f"task-{number:016x}", [f"ID-{rng.randint(10**6, 10**7)}" for _ in range(4)]
        arguments = {f"a{at}": {"match": "exact", "value": id_} for at, id_ in enumerate(ids)}
        entry = Entry.read({"type": "state_effect", "tool": "tool_0", "arguments": arguments})
        prompt = f"{sentence(rng, 20, 60)} {ids[0]}"
        lines.append(
            Task(
                task_id=name,
                title=prompt[:100],
                tool_definitions=tools,
                outcome_contract=Contract(status="operator", required=[entry]),
            )
        )
        message: dict[str, Any] = {"role": "user", "content": prompt}
        shown.append(EnvironmentTask(task_id=name, prompt=prompt, candidate_prompt=[message]))
        fixtures.append(FixtureRow(task_id=name, tool="tool_1", content=ids))
        texts = [sentence(rng, 20, 60) for _ in range(TURNS)]
        gold.append(GoldTask(task_id=name, texts=texts, final_response=texts[-1]))
    return Written(tasks=lines, environment=shown, fixtures=fixtures, schemas=schemas, gold=gold)


def median_s(work: Callable[[], object], runs: int) -> float:
    """The median time of some runs, in seconds."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return round(statistics.median(taken), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = Random(args.seed)
    whole = build(args.tasks, rng)
    texts = {f"t{number}": sentence(rng, 5, 15) for number in range(TEXTS)}
    figures = (
        ("leakage audit", args.tasks, LEAKS_S, lambda: leakage_audit(whole)),
        ("near duplicates", TEXTS, TEXTS_S, lambda: near_pairs(texts, NEAR)),
    )
    for name, size, target, work in figures:
        found = {"figure": name, "size": size, "median_s": median_s(work, args.runs)}
        sys.stdout.write(json.dumps({**found, "target_s": target}) + "\n")


if __name__ == "__main__":
    main()
