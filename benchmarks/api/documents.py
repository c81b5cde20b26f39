"""The parts that every document shares, as the OpenAPI document describes them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Document(BaseModel):
    """A document of the API. More keys may come; none of these goes."""

    model_config = ConfigDict(extra="allow")


class Freshness(Document):
    """How much of the directories the answer knows."""

    source: str = Field(description="`mirror` or `directory`.")
    complete: bool
    behind_bytes: int = 0
    read_at: str
    revision: int | None = Field(None, description="Grows with every sync that changed something.")


class Page(Document):
    """Which part of a list this is."""

    limit: int
    returned: int
    next_cursor: str | None = Field(description="Null at the end.")
    total: int | None = Field(description="Null when it would need a scan.")
    cut: list[str] = Field(default_factory=list, description="JSON pointers of shortened strings.")


class Notice(Document):
    """One line that must not be missed."""

    kind: str
    text: str = Field(max_length=240)


class Action(Document):
    """One thing to do next."""

    say: str
    command: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    spends: bool = False
    who: str = "agent"
    needs: list[str] = Field(default_factory=list)


class Complaint(Document):
    """One thing that is wrong."""

    path: str
    value: str
    message: str


class Problem(Document):
    """RFC 9457, with the code of the closed list."""

    type: str
    title: str
    status: int
    detail: str
    instance: str = Field(description="The request id, as in X-Request-Id.")
    code: str
    hint: str
    details: dict[str, Any]
    errors: list[Complaint]
    next_actions: list[Action]
    error: str = Field(description="The same as `detail`.")


class Written(Document):
    """How the answer of every write begins."""

    ok: bool
    replayed: bool = Field(False, description="The key had done it before: nothing was written.")
    actor: str
    door: str
    notices: list[Notice] = Field(default_factory=list)


class JobAnswer(Document):
    """Long work that goes on: ask again with GET /api/jobs/{job_id}."""

    ok: bool
    pending: bool
    job: dict[str, Any]
    next_actions: list[Action] = Field(default_factory=list)
