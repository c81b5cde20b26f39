from benchmarks.records.dag import Quarantine, SourceDag

WHOLE = SourceDag(
    valid=True, issues=[], quarantines=[], quarantined_groups=[], nodes=[], edges=[], groups=[]
)


def test_a_whole_lineage_has_no_faults() -> None:
    assert (WHOLE.quarantined, WHOLE.faults) == (None, [])


def test_groups_in_quarantine_are_counted_by_their_reason() -> None:
    codes = ("missing_user_turn", "missing_user_turn", "missing_model_output")
    lines = [Quarantine(execution_group=str(n), code=code) for n, code in enumerate(codes)]
    dag = WHOLE.with_(quarantines=lines, quarantined_groups=["0", "1", "2"])
    said = "in quarantine: 3 groups (2 missing user turn, 1 missing model output)"
    assert (dag.quarantined, dag.faults) == (said, [said])


def test_an_invalid_lineage_says_its_issues() -> None:
    dag = WHOLE.with_(valid=False, issues=["a", "b"], quarantined_groups=["g"])
    assert dag.faults == ["in quarantine: 1 group", "not valid: a; b"]
