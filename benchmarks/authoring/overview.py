"""benchmark-overview.json: what the benchmark is about, for people (spec/files.md 8.5).

Words come from the verified definitions of its tasks, counts from its captures. No model is asked.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from benchmarks.contract.source_text import as_text
from benchmarks.foundry.turns import system_text
from benchmarks.records.authoring import VERIFIED, grounding_of
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from benchmarks.records.digest import bytes_digest
from benchmarks.records.environment import EnvironmentTask, GoldTask
from benchmarks.records.manifest import Category
from benchmarks.records.task import Task

SCHEMA = "understudy.benchmark_overview.v1"
EXCERPT_CHARS = 400
SHOWN_TASKS = 5
CHARS_PER_TOKEN = 4
AXES = ("approx_context_tokens", "turn_count", "tool_call_count", "distinct_tools",
        "error_retry_events")  # fmt: skip
FRONTIER_TIMES = 2
"""How far over the median an axis must stand, beside being in the highest tenth."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What an overview is made of."""

    tasks: Sequence[Task]
    categories: Sequence[Category]
    captures: Sequence[Capture]
    shown: Mapping[str, EnvironmentTask]
    gold: Mapping[str, GoldTask]


def overview(subject: Subject, *, model: str, at: str) -> JsonObject:
    """The whole document."""
    return {
        "schema_version": SCHEMA,
        "model": model,
        "authored_at": at,
        "workload_summary": workload_summary(subject),
        "categories": [category_block(one, subject.tasks) for one in subject.categories],
        "system_prompt_clusters": system_prompt_clusters(subject.captures),
        "tool_usage": tool_usage(subject.captures),
        "task_complexity": complexity(subject),
    }


def workload_summary(subject: Subject) -> str | None:
    """The categories in the words of their authors, the largest first; None without any."""
    sizes = Counter(task.category_id for task in subject.tasks)
    ordered = sorted(subject.categories, key=lambda one: -sizes[one.category_id])
    words = [archetype(members(one, subject.tasks)) for one in ordered]
    said = [title for title, _ in words if title]
    return f"{len(subject.tasks)} tasks: {'; '.join(said)}" if said else None


def category_block(category: Category, tasks: Sequence[Task]) -> JsonObject:
    """One category with the words of its verified tasks; its own name without any."""
    own = members(category, tasks)
    title, description = archetype(own)
    representative = [*verified_of(own), *own]
    return {
        "category_id": category.category_id,
        "archetype_title": title or category.name or category.category_id,
        "archetype_description": description or category.description,
        "representative_task_ids": list(dict.fromkeys(one.task_id for one in representative))[
            :SHOWN_TASKS
        ],
        "task_count": len(own),
    }


def members(category: Category, tasks: Sequence[Task]) -> list[Task]:
    """The tasks of a category."""
    return [task for task in tasks if task.category_id == category.category_id]


def verified_of(tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose definition was borne out."""
    return [task for task in tasks if grounding_of(task.authored) == VERIFIED]


def archetype(tasks: Sequence[Task]) -> tuple[str | None, str | None]:
    """The category name that was proposed most often, and a statement of a task that has it."""
    named = [(str((task.authored["category_proposal"] or {}).get("name") or ""), task)
             for task in verified_of(tasks)]  # fmt: skip
    counts = Counter(name for name, _ in named if name)
    if not counts:
        return None, None
    title = min(counts, key=lambda name: (-counts[name], name))
    first = next(task for name, task in named if name == title)
    return title, first.authored.get("intent_summary") or first.authored.get("statement")


def system_prompt_clusters(captures: Sequence[Capture]) -> list[JsonObject]:
    """The system texts of all captures, whatever their dialect, the most frequent first."""
    texts = Counter(
        text for capture in captures if (text := system_text(capture.conversation.turns).strip())
    )
    return [
        {
            "hash": bytes_digest(text.encode()),
            "count": count,
            "coverage": round(count / len(captures), 4),
            "representative_excerpt": text[:EXCERPT_CHARS],
        }
        for text, count in sorted(texts.items(), key=lambda item: (-item[1], item[0]))
    ]


def tool_usage(captures: Sequence[Capture]) -> list[JsonObject]:
    """In how many captures each tool was defined, and how often it was called."""
    defined: Counter[str] = Counter()
    called: Counter[str] = Counter()
    for capture in captures:
        conversation = capture.conversation
        defined.update({tool.name for tool in conversation.tools if not tool.inferred})
        called.update(made_calls(conversation))
    names = sorted({*defined, *called}, key=lambda name: (-called[name], name))
    return [{"tool": name, "defined": defined[name], "calls": called[name]} for name in names]


def made_calls(conversation: Conversation) -> Iterator[str]:
    """The tools that a capture itself called: a history that is sent along is no new call."""
    is_whole = conversation.granularity == "session"
    for turn in conversation.turns:
        if is_whole or turn.origin == "response":
            yield from (call.name for call in turn.calls())


def complexity(subject: Subject) -> JsonObject:
    """How large each task is, and on which axes it stands apart from the others."""
    measured = {
        task.task_id: measures(subject.shown.get(task.task_id), subject.gold.get(task.task_id))
        for task in subject.tasks
    }
    bars = {axis: frontier_bar([one[axis] for one in measured.values()]) for axis in AXES}
    found: JsonObject = {}
    for task_id, one in measured.items():
        axes = [axis for axis in AXES if one[axis] >= bars[axis]]
        found[task_id] = {**one, "frontier": bool(axes), "frontier_axes": axes}
    return found


def measures(shown: EnvironmentTask | None, gold: GoldTask | None) -> dict[str, int]:
    """The axes of one task."""
    calls = gold.calls if gold is not None else []
    texts = [
        *(as_text(message.get("content")) for message in (shown.candidate_prompt if shown else ())),
        (shown.system_prompt or "") if shown else "",
        *(shown.user.turns if shown else ()),
        *((gold.texts or []) if gold is not None else ()),
        *(as_text(call.arguments) + as_text(call.content) for call in calls),
    ]
    spoken = len(gold.texts or []) if gold is not None else 0
    asked = sum(m.get("role") == "user" for m in shown.candidate_prompt) if shown else 0
    turns = {call.turn for call in calls if call.turn is not None}
    return {
        "approx_context_tokens": sum(map(len, texts)) // CHARS_PER_TOKEN,
        "turn_count": asked + (len(shown.user.turns) if shown else 0) + spoken + 2 * len(turns),
        "tool_call_count": len(calls),
        "distinct_tools": len({call.tool for call in calls}),
        "error_retry_events": sum(
            call.status != "ok" and any(later.tool == call.tool for later in calls[place + 1 :])
            for place, call in enumerate(calls)
        ),
    }


def frontier_bar(values: Sequence[int]) -> float:
    """What a task must reach to stand apart; out of reach where nothing does."""
    if len(values) < 2:
        return math.inf
    bar = max(quantiles(values, n=10, method="inclusive")[-1], FRONTIER_TIMES * median(values))
    return bar if bar > 0 else math.inf
