"""The three digests of a task, and the rule that a stamp moves only with its group.

env (MAJOR, rerun) is every key that is not named here, so a key nobody knows yet is breaking.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.records.blocks import Hashes
from benchmarks.records.digest import json_digest
from benchmarks.records.task import Task

VERIFIER_KEYS = frozenset({
    "outcome_contract",
    "contract",
    "gold",
    "gold_ref",
    "verifier",
    "verifier_ref",
    "rubric",
    "rubric_ref",
    "metric",
    "metrics",
    "metric_config",
    "checks",
    "reward",
    "reward_fns",
    "sentinels",
    "claims",
})
META_KEYS = frozenset({
    "task_id",
    "category_id",
    "split",
    "title",
    "name",
    "description",
    "docs",
    "notes",
    "tags",
    "created_at",
    "incumbent",
    "authored",
    "cluster_id",
    "helpers",
    "execution_group",
    "source",
    "trace",
    "grouping_label",
    "world_model",
})
UNHASHED_KEYS = frozenset({
    "version",
    "content_hashes",
    "stamp_basis",
    "version_history",
    "self_check",
    "task_hash",
    "status",
    "machine_confidence",
    "close_call",
    "capability_fit",
    "review",
    "environment_ref",
})
ENVIRONMENT_OMITS = frozenset({"outcome_contract", "split"})
"""Keys of a row of the environment's tasks.json that belong to the other two groups."""
SCHEMA_OMITS = frozenset({"observed_n", "observation_counts"})
"""Keys of a tool schema that count recordings: neither a candidate nor an answer depends on them,
and with them one more capture would bump every task that offers the tool."""


def group_of(key: str) -> str | None:
    """`verifier`, `meta` or `env`; None for a key that no digest covers."""
    if key in UNHASHED_KEYS:
        return None
    if key in VERIFIER_KEYS:
        return "verifier"
    return "meta" if key in META_KEYS else "env"


def content_hashes(line: Task | Mapping[str, Any]) -> Hashes:
    """The three digests of a task line, computed from its own keys (spec/files.md 3.4)."""
    body = line.dump() if isinstance(line, Task) else line
    parts: dict[str, dict[str, Any]] = {"env": {}, "verifier": {}, "meta": {}}
    for key, value in body.items():
        group = group_of(key)
        if group is not None:
            parts[group][key] = value
    return Hashes(**{f"{group}_sha256": json_digest(part) for group, part in parts.items()})


def task_digest(task: Task) -> str:
    """One digest over the three: it moves when anything of the task is changed, and only then."""
    return json_digest(content_hashes(task).dump())


def stamped_content(task: Task) -> Hashes:
    """The digests, by today's rule, of the content that the task's stamps speak of.

    A line without `boundary_rule` was stamped by the reference, by another rule; the line itself
    is then the only witness of what was stamped.
    """
    if task.stamp_basis is not None:
        return task.stamp_basis
    if task.boundary_rule is not None and task.content_hashes is not None:
        return task.content_hashes
    return content_hashes(task)


def is_edited(task: Task | Mapping[str, Any]) -> bool:
    """Whether a task of ours was changed by hand after it was stamped."""
    record = task if isinstance(task, Task) else Task.read(task)
    if record.boundary_rule is None or record.content_hashes is None:
        return False
    return stamped_content(record) != content_hashes(record)


def restamp(old: Task | None, new: Task) -> Task:
    """`new` with its stamps: where a group did not change, the stamp of `old` stays.

    `stamp_basis` then holds our own digests beside a stamp that another rule made.
    """
    fresh = content_hashes(new)
    if old is None or old.content_hashes is None:
        return new.with_(content_hashes=fresh, stamp_basis=None)
    before = stamped_content(old)
    kept = {
        name: getattr(old.content_hashes, name)
        for name in Hashes.model_fields
        if getattr(before, name) == getattr(fresh, name)
    }
    stamps = fresh.with_(**kept)
    return new.with_(content_hashes=stamps, stamp_basis=None if stamps == fresh else fresh)


def environment_sha256(
    row: Mapping[str, Any],
    fixtures: Sequence[Mapping[str, Any]],
    schemas: Mapping[str, Mapping[str, Any]],
    guidance: Mapping[str, Any],
) -> str:
    """The digest of one task's own slice of the environment.

    `fixtures` are its own rows and the shared rows it can reach, `schemas` and `guidance` those of
    its tools. The contract and the split are left out: they are the other groups' business.
    """
    return json_digest({
        "task": {key: value for key, value in row.items() if key not in ENVIRONMENT_OMITS},
        "fixtures": list(fixtures),
        "schemas": {
            name: {key: value for key, value in schema.items() if key not in SCHEMA_OMITS}
            for name, schema in schemas.items()
        },
        "guidance": dict(guidance),
    })


def splits_sha256(splits: Sequence[tuple[str, str]]) -> str:
    """The digest of `[[task_id, split], ...]` in the order of the manifest."""
    return json_digest([[task_id, str(split)] for task_id, split in splits])
