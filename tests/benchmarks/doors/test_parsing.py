import argparse

import pytest

from benchmarks.doors.parsing import (
    Parser,
    add_benchmark,
    add_listed,
    benchmark_of,
    integer,
    number,
    text_value,
)
from benchmarks.errors import InvalidArguments, SourceNotFound


def parser() -> Parser:
    made = Parser(prog="understudy runs rollout")
    add_benchmark(made)
    made.add_argument("run")
    made.add_argument("task")
    made.add_argument("--rollouts", type=integer(1, 20), default=1)
    add_listed(made, "--models", "--model", dest="models", help="arms")
    return made


def test_the_benchmark_is_positional_or_a_flag_wherever_the_flags_stand() -> None:
    for argv in (
        ["B", "R", "T"],
        ["--benchmark", "B", "R", "T"],
        ["R", "T", "--benchmark", "B"],
        ["B", "--rollouts", "2", "R", "T"],
    ):
        found = parser().parse(argv)
        assert (benchmark_of(found), found.run, found.task) == ("B", "R", "T")


def test_two_different_benchmarks_are_refused_and_two_spellings_of_one_are_not() -> None:
    found = argparse.Namespace(benchmark="a", benchmark_flag="b")
    with pytest.raises(InvalidArguments, match="two benchmarks are named: a and b"):
        benchmark_of(found)
    assert benchmark_of(argparse.Namespace(benchmark="a", benchmark_flag="./a")) == "a"


def test_no_benchmark_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="no benchmark is named"):
        benchmark_of(argparse.Namespace(benchmark=None, benchmark_flag=None))


def test_lists_take_commas_repeats_and_both_numbers_of_the_noun() -> None:
    found = parser().parse(["B", "R", "T", "--models", "a, b", "--model", "c"])
    assert found.models == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["2.5", "0", "21", "x", "1e1", ""])
def test_an_integer_out_of_form_or_bounds_names_value_and_bounds(text: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parser().parse(["B", "R", "T", "--rollouts", text])
    assert f"{text!r} is not an integer from 1..20" in caught.value.message


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "x"])
def test_a_number_must_be_finite_and_in_bounds(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        number(0, 1)(text)
    assert number(0, 1)("0.25") == 0.25


def test_an_unknown_flag_names_the_nearest() -> None:
    with pytest.raises(InvalidArguments, match=r"--rollout \(nearest: --rollouts\)"):
        parser().parse(["B", "R", "T", "--rollout", "2"])


def test_a_flag_is_not_guessed_from_its_beginning() -> None:
    with pytest.raises(InvalidArguments):
        parser().parse(["B", "R", "T", "--roll", "2"])


def test_a_text_may_stand_in_a_file_or_on_stdin(tmp_path: object) -> None:
    assert text_value("plain", lambda: "in") == "plain"
    assert text_value("-", lambda: "in") == "in"
    with pytest.raises(SourceNotFound, match="nowhere"):
        text_value("@nowhere", lambda: "in")
