"""The documents under environment/ (spec/files.md 7.5, 7.6)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Score
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool
from benchmarks.records.tool_policy import EffectSource
from benchmarks.records.vocabulary import AnySplit, Split


class ScriptedUser(Record):
    """What the user says after the boundary, in order."""

    mode: Literal["none", "scripted", "simulated"] = "none"
    turns: list[str] = Field(default_factory=list)
    stop: bool | None = None


class EnvironmentTask(Record):
    """What a candidate is shown of a task, and the limits of a rollout."""

    task_id: str
    prompt: str
    candidate_prompt: list[JsonObject]
    system_prompt: str | None = nullable()
    source_messages: list[JsonObject] = Field(default_factory=list)
    split: AnySplit = Split.NONE
    outcome_contract: Contract | None = nullable()
    tool_surface: list[str] = Field(default_factory=list)
    boundary_rule: str | None = None
    tools: list[Tool] = Field(default_factory=list)
    tool_effects: dict[str, EffectSource] = Field(default_factory=dict)
    user: ScriptedUser = Field(default_factory=ScriptedUser)
    max_turns: int = 24
    posture: Literal["frozen", "simulated", "live"] | None = None
    """How the world answers (spec/build.md 9.2); absent: as suggested for its tools."""


class Entity(Record):
    """A thing in the world: its type and its id."""

    type: str
    id: str


class FixtureRow(Record):
    """One recorded answer of the pre-state."""

    task_id: str | None = None
    """Absent: the row serves every task."""
    tool: str
    arguments: JsonObject = Field(default_factory=dict)
    status: Literal["ok", "error"] = "ok"
    content: Any = nullable()
    seq: int | None = None
    call_id: str | None = None
    entity: Entity | None = None


class ToolSchema(Record):
    """What the world knows of a tool, without recorded values."""

    inferred: bool = False
    required: list[str] = Field(default_factory=list)
    properties: dict[str, Any] = Field(default_factory=dict)
    required_by_observation: list[str] = Field(default_factory=list)
    enums_by_observation: JsonObject = Field(default_factory=dict)
    observed_n: int = 0
    observation_counts: JsonObject = Field(default_factory=dict)
    rejection_style: str | None = nullable()
    observed_error_example: str | None = nullable()
    description: str | None = None
    parameters: JsonObject | None = None
    annotations: JsonObject | None = None
    effect: str | None = None
    reply_shape: Any = None
    constant: bool | None = None
    builtin: str | None = None
    builtin_format: JsonObject | None = None
    """How a builtin writes its result: the form that reproduced every record."""
    id_prefix: str | None = None
    """The letters before the digits of recorded ids of a tool that makes ids."""
    unenforced: list[str] | None = None
    """Rules of the definition that a recorded accepted call breaks: the recording is stronger."""


class Guidance(Record):
    """Messages for rejected calls: data, not code."""

    schema_version: Literal["understudy.rejection_guidance.v1"] = "understudy.rejection_guidance.v1"
    note: str = "data, not code"
    tools: dict[str, dict[str, str]] = Field(default_factory=dict)


class RecordedCall(Record):
    """One call of the source, with its status and its result where that is kept."""

    call_id: str
    tool: str
    arguments: Any = nullable()
    status: str
    write: bool | None = None
    confirmed: bool | None = None
    """False where the result was never captured."""
    content: Any = None
    turn: int | None = None
    """The source's turn that made the call: calls of one turn were made together."""


class GoldTask(Record):
    """The scorer's side of a task: never opened by the world."""

    task_id: str
    post_state_observations: list[RecordedCall] = Field(default_factory=list)
    final_response: str | None = None
    calls: list[RecordedCall] = Field(default_factory=list)
    texts: list[str] | None = None
    text_turns: list[int] | None = None
    """The source's turn of each text, so that words and calls keep their order."""
    termination: str | None = None


class Gold(Record):
    """environment/gold.json."""

    schema_version: Literal["understudy.environment_gold.v1"] = "understudy.environment_gold.v1"
    note: str = "scorer only"
    tasks: list[GoldTask] = Field(default_factory=list)


class OracleScore(Score):
    """The score of the source replayed through the world."""

    fidelity: JsonObject | None = None
    missing_gold: list[str] | None = None
    problem: str | None = None
    """Why the contract is not judgeable, in words."""


class TaskValidation(Record):
    """Whether a task's environment and verifier hold together."""

    task_id: str
    verifier_sha256: str | None = None
    oracle: OracleScore
    sentinels: dict[str, Score] = Field(default_factory=dict)
    trials_fidelity: JsonObject | None = None
    """The fidelity that the task's own trials would have had."""

    @property
    def is_solvable(self) -> bool:
        """Whether the oracle scored strictly 1 and the recording missed nothing on its way."""
        missed = (self.oracle.fidelity or {}).get("not_recorded", 0)
        return self.oracle.strict == 1 and not missed

    @property
    def passing_sentinels(self) -> list[str]:
        """The sentinels that the verifier let pass: each is a hole in it."""
        return [name for name, score in self.sentinels.items() if score.strict != 0]


class OfflineValidation(Record):
    """environment/offline-validation.json."""

    schema_version: Literal["understudy.verifier_validation.v1"] = (
        "understudy.verifier_validation.v1"
    )
    oracle_authority: str = "captured_incumbent"
    verifiers: JsonObject | None = None
    engine: str | None = None
    generated_at: str | None = None
    tasks: list[TaskValidation] = Field(default_factory=list)
