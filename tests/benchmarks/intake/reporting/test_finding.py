from benchmarks.intake.reporting.finding import (
    counted,
    error,
    gravest_first,
    info,
    listed,
    warning,
)


def test_errors_come_first_and_the_order_within_a_kind_stays() -> None:
    found = [info("a", "", ""), warning("b", "", ""), error("c", "", ""), warning("d", "", "")]
    assert [one.code for one in gravest_first(found)] == ["c", "b", "d", "a"]


def test_a_finding_is_written_with_its_severity_as_a_word() -> None:
    assert warning("cut", "1 text was cut", "raise it").dump() == {
        "code": "cut", "severity": "warning", "text": "1 text was cut", "next": "raise it",
    }  # fmt: skip


def test_words_agree_with_their_number() -> None:
    assert counted(1, "span carries", "spans carry") == "1 span carries"
    assert counted(2, "span carries", "spans carry") == "2 spans carry"
    assert counted(0, "span carries", "spans carry") == "0 spans carry"


def test_eight_names_are_listed_and_the_others_counted() -> None:
    names = [f"t{number}" for number in range(10)]
    assert listed(names[:8]) == "t0, t1, t2, t3, t4, t5, t6, t7"
    assert listed(names) == "t0, t1, t2, t3, t4, t5, t6, t7 and 2 more"
