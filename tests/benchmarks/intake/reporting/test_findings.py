from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.findings import findings_of, findings_of_build
from benchmarks.intake.reporting.tally import Tally
from benchmarks.records.intake import IntakeReport

BUILT = {
    "tasks": 1, "trials_merged": 0, "no_successful_trajectory": 0, "helpers_attached": 0,
    "closed": 1, "open": 0, "lost": {}, "unsolved_first": None,
}  # fmt: skip


def report(loss: float = 0.0, bar: float = 0.05) -> IntakeReport:
    return IntakeReport(
        generated_at="2026-11-02T09:20:00.000Z", verdict="fail" if loss > bar else "pass",
        loss=loss, bar=bar, sources=[], dialects={}, records=1, captures=1, conversations=1,
        turns=1, tool_calls=0, tool_results=0, joined_results=0, dropped={}, examples=[],
        duplicates=0, losses={"record": loss, "message": 0, "join": 0},
    )  # fmt: skip


def test_a_clean_report_has_no_finding() -> None:
    assert findings_of(report(), Tally()) == []


def test_a_loss_above_the_bar_comes_first_and_names_the_waiver() -> None:
    drop = Dropped(Reason.MALFORMED_LINE, "f#L3", "end of text")
    found = findings_of(report(loss=0.0873), Tally(dropped=[drop]))
    assert [one.code for one in found] == ["loss_above_bar", "malformed_records"]
    assert found[0].text == "8.7% of the records are lost; the bar is 5.0%"
    assert found[0].next == "mend the sources, or accept it: --max-loss 0.09"


def test_tools_that_cannot_be_classed_are_named() -> None:
    found = findings_of(report().with_(tools={"unknown_names": ["run_sql", "sync"]}), Tally())
    assert [one.text for one in found] == ["2 tools cannot be classed: run_sql, sync"]
    assert found[0].next == (
        "say whether each reads or writes: build-benchmark --tool-policy FILE, or afterwards "
        "regenerate-env --tool NAME=write"
    )


def test_secrets_are_counted_by_kind_and_their_absence_of_redaction_is_said() -> None:
    redacted = findings_of(report().with_(secrets={"api_key": 2, "bearer": 1}), Tally())
    assert [one.text for one in redacted] == ["secrets redacted: 2 api_key, 1 bearer"]
    kept = findings_of(report().with_(redacted=False), Tally())
    assert [one.text for one in kept] == ["secrets are kept as they are: redaction is off"]


def test_what_would_not_be_built_is_said() -> None:
    assert findings_of_build(BUILT) == []
    lost = {"no_user_turn": 6, "no_model_output": 1}
    firsts = {"no_user_turn": "f#L1", "no_model_output": "g#L2"}
    (one,) = findings_of_build({**BUILT, "lost": lost, "lost_first": firsts})
    assert (one.code, one.text) == (
        "conversations_lost",
        "no task can be made of 6 conversations without a user's words and 1 conversation "
        "without an answer of the model: a build counts them as loss",
    )
    assert one.next == "record the whole exchange; the first is f#L1"
    found = findings_of_build({**BUILT, "tasks": 0, "no_successful_trajectory": 2})
    assert [one.text for one in found] == [
        "no task can be made of these captures",
        "2 tasks have no trial that succeeded: left out",
    ]
