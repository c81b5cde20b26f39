"""The argument dictionary of spec/surface.md 4.3: each name once, the same wherever it occurs."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

Slug = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1024,
        description="The benchmark: its slug (local--name) or its bare name; see list_benchmarks.",
    ),
]
TaskId = Annotated[
    str,
    Field(min_length=1, max_length=256, pattern=r"^[^\x00-\x1f\x7f]+$", description="A task id."),
]
TaskIds = Annotated[
    list[TaskId],
    Field(min_length=1, max_length=10_000, description="Task ids, 1..10,000. Omitted: all."),
]
RunId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$", description="A run id, as queue_run gave it.")
]
ArmLabel = Annotated[str, Field(min_length=1, max_length=80, description="An arm's label.")]
Rollout = Annotated[int, Field(ge=0, description="The rollout's number, from 0.")]
SplitName = Annotated[
    Literal["train", "dev", "holdout", "all"], Field(description="A split, or all.")
]
Source = Annotated[
    str | list[str],
    Field(description="A file or a folder of captures, or 1..64 of them, on this machine."),
]
Name = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$",
        description="The name of a new directory under the first root.",
    ),
]
Decision = Annotated[
    Literal["accept", "restrict", "needs_more", "reject"], Field(description="The verdict.")
]
Note = Annotated[str, Field(max_length=2000, description="Why, at most 2,000 characters.")]
FeedbackText = Annotated[
    str, Field(min_length=1, max_length=4000, description="What is wrong with the task, in words.")
]
Share = Annotated[float, Field(ge=0, le=1, strict=False, description="A share from 0 to 1.")]
Threshold = Annotated[
    float,
    Field(gt=0, le=1, strict=False, description="The score that counts as a pass, over 0 to 1."),
]
Seconds = Annotated[float, Field(gt=0, strict=False, description="Seconds, over 0.")]
Seed = Annotated[
    int, Field(ge=0, le=2**53 - 1, description="A seed; the same seed, the same bytes.")
]
MaxAgeDays = Annotated[
    float, Field(ge=0, strict=False, description="Only captures this young; 0 is no limit.")
]
ArmKinds = Literal["null_agent", "spam_agent", "majority_class"]
ReferenceKinds = Literal["oracle", "replay"]
Reason = Annotated[str, Field(min_length=1, max_length=1024, description="The reason, recorded.")]
Field_ = Annotated[
    str, Field(max_length=512, description="A JSON pointer: read this one string whole, in pieces.")
]
Offset = Annotated[int, Field(ge=0, description="Where the piece begins, in characters.")]
MaxBytes = Annotated[
    int, Field(ge=4096, le=262_144, description="How big the answer may be, in bytes (32,768).")
]
Limit = Annotated[int, Field(ge=1, le=500, description="Items on a page, 1..500 (50).")]
Cursor = Annotated[
    str, Field(max_length=512, description="next_cursor of the page before, same filters.")
]
IdempotencyKey = Annotated[
    str,
    Field(
        pattern=r"^[ -~]{1,128}$",
        description="The same key and arguments write once; the answer then says replayed.",
    ),
]
DryRun = Annotated[bool, Field(description="Say what would happen, with a quote; write nothing.")]
Confirm = Annotated[
    bool, Field(description="True only after explicit consent in this conversation.")
]
WaitSeconds = Annotated[
    float, Field(ge=0, le=20, strict=False, description="Wait this long for the result, 0..20 s.")
]
Fixtures = Annotated[
    list[dict[str, Any]],
    Field(
        min_length=1,
        max_length=500,
        description="Rollouts that must pass or fail: {task_id, expect: pass or fail, calls: "
        "[{tool, arguments, status}], final_response, texts, termination, note}. Kept from now on.",
    ),
]
DirectionId = Annotated[
    str, Field(min_length=1, max_length=80, description="The card to pick, by its direction_id.")
]
Endpoints = Annotated[
    dict[str, Annotated[str, Field(min_length=1, max_length=1024)]],
    Field(description="Where live dependencies are, by name: stdio:COMMAND, or a URL."),
]
Postures = Annotated[
    dict[str, Literal["frozen", "simulated", "live"]],
    Field(description="How each dependency is played, by its name; live needs confirm."),
]
ToolEffects = Annotated[
    dict[str, Literal["read", "write", "unknown"]],
    Field(description="The operator's word on tools: {tool: read, write or unknown}."),
]
AuthoredLimit = Annotated[int, Field(ge=1, le=10_000, description="At most this many tasks.")]
AuthorModel = Annotated[
    str, Field(min_length=1, max_length=256, description="Model id; none: the preferred one.")
]
OnlyUnauthored = Annotated[
    bool, Field(description="Leave out tasks whose definition is verified already.")
]
WithOverview = Annotated[bool, Field(description="Write benchmark-overview.json too.")]
JsonArgument = Annotated[dict[str, Any], Field(description="A JSON object.")]


MEANINGS = {
    "attention": "true: tasks with any attention flag; a flag's name: tasks with that one.",
    "baseline": "The arm that the margin is against; any when omitted.",
    "category": "Only tasks of this category id.",
    "concurrency": "Rollouts in flight, 1..256 (8).",
    "contract_from": "Solved several times: learn from all successes, or the first (all).",
    "extra_writes": "Whether a write that no obligation asks for fails: forbid or allow.",
    "incumbent_models": "Which of the models did the captured work: they calibrate the tasks.",
    "include": "Further parts of the answer, each by name.",
    "margin": "The non-inferiority margin, over 0 and below 1, declared before the first row.",
    "max_total_tokens": "Stop a rollout at this many tokens, from 1,000.",
    "max_turns": "Turns of a rollout, 1..1000 (the task's own limit, 24).",
    "model_a": "The arm of run_a; needed where the run has several.",
    "model_b": "The arm of run_b; needed where the run has several.",
    "models": "Up to 8 model ids; `provider/model` pins the provider.",
    "prompt_overrides": "Up to 16 arms that are a model with a suffix on the system prompt.",
    "rebuild": "Build again into a directory that has tasks; ids, splits and edits stay.",
    "reference_arms": "oracle (must pass) and replay (the recorded incumbent): they cost nothing.",
    "refusals": "consulted: a task without a write also asks for one accepted call (plain).",
    "retry_of": "Ask again for what this ended run owes or lost; arms and tasks come from it.",
    "rollouts_per_task": "Rollouts of each task, 1..20 (1); trivial arms always run one.",
    "settings": "Sampling settings, sent as they are: temperature, top_p, max_output_tokens, ...",
    "sort": "The order of the tasks (manifest).",
    "split": "A split, or all (all).",
    "splits": "Shares of train, dev and holdout, together 1 (0.7, 0.2, 0.1).",
    "strict": "UNKNOWN checks refuse too.",
    "task_id": "A task id, or where the tool says so a list of up to 500.",
    "trivial_arms": "Arms that must fail, at no cost: null_agent, spam_agent, majority_class.",
    "workload": "Only captures of this workload, by id or name.",
}
"""What an argument means, where its type does not say it."""

CLOSED = ConfigDict(extra="forbid", strict=True)
"""An object argument takes its own keys and no others."""


class PromptOverride(TypedDict):
    """An arm that is a model with a suffix on the system prompt."""

    __pydantic_config__ = CLOSED  # type: ignore[misc]

    arm_label: ArmLabel
    model: str
    system_prompt_suffix: Annotated[str, Field(min_length=1, max_length=65_536)]


class Splits(TypedDict):
    """Three shares that sum to 1."""

    __pydantic_config__ = CLOSED  # type: ignore[misc]

    train: Share
    dev: Share
    holdout: Share


AuditWord = Literal["pass", "fail"]


class PilotAuditWords(TypedDict):
    """What the rollout of a pilot shows, of its newest run or of the one that is named."""

    __pydantic_config__ = CLOSED  # type: ignore[misc]

    agent: AuditWord
    verifier: AuditWord
    findings: NotRequired[list[Annotated[str, Field(min_length=1, max_length=1000)]]]
    run_id: NotRequired[RunId]
    rollout: NotRequired[Rollout]


PilotAudit = Annotated[
    PilotAuditWords,
    Field(description="Of the pilot task: did agent and world, and did the verifier, do right."),
]
