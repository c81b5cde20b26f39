"""`--home DIR`: for one verb and whatever it starts, and for nothing after it."""

import os

import pytest

from benchmarks.artifacts.home import home
from understudy_site.shell import at_home


@pytest.mark.parametrize("before", ["/a/home", None])
def test_the_home_of_a_verb_is_the_home_of_all_that_it_calls(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    if before is None:
        monkeypatch.delenv("UNDERSTUDY_HOME", raising=False)
    else:
        monkeypatch.setenv("UNDERSTUDY_HOME", before)
    with at_home("/another/home"):
        assert str(home().passes) == "/another/home/intake"
        assert os.environ["UNDERSTUDY_HOME"] == "/another/home"
    assert os.environ.get("UNDERSTUDY_HOME") == before


def test_without_the_option_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSTUDY_HOME", "/a/home")
    with at_home(None):
        assert str(home().path) == "/a/home"
    assert os.environ["UNDERSTUDY_HOME"] == "/a/home"
