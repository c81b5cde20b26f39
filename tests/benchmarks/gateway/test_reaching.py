"""Where a model would be reached, asked before anything is sent."""

from collections.abc import Iterator

import pytest

from benchmarks.errors import CredentialsMissing, InvalidArguments
from benchmarks.gateway.credentials import Credentials
from benchmarks.gateway.reaching import leaves_machine, preferred_model, reach
from benchmarks.records.vocabulary import Route
from tests.stub_model import StubModel

NOWHERE = {"UNDERSTUDY_LOCAL_SERVERS": "http://127.0.0.1:9", "OLLAMA_HOST": "127.0.0.1:9"}


@pytest.fixture(scope="module")
def stub() -> Iterator[StubModel]:
    with StubModel() as server:
        yield server


def gateway(stub: StubModel) -> Credentials:
    return Credentials({
        **NOWHERE, "UNDERSTUDY_GATEWAY_URL": stub.url, "UNDERSTUDY_API_KEY": "k",
    })  # fmt: skip


def local(stub: StubModel) -> Credentials:
    return Credentials({**NOWHERE, "UNDERSTUDY_LOCAL_SERVERS": stub.url})


def test_a_model_behind_a_key_leaves_the_machine_wherever_its_server_is(stub: StubModel) -> None:
    assert reach("anything", gateway(stub)).route is Route.GATEWAY
    assert leaves_machine("anything", gateway(stub))


def test_a_model_that_a_local_server_lists_does_not(stub: StubModel) -> None:
    found = reach("local/stub-model", local(stub))
    assert (found.model, found.base_url, found.route) == ("stub-model", stub.url, Route.LOCAL)
    assert not leaves_machine("stub-model", local(stub))


def test_a_model_that_nobody_has_is_sent_to_nobody(stub: StubModel) -> None:
    with pytest.raises(CredentialsMissing, match="no key for model other"):
        reach("other", local(stub))
    assert not leaves_machine("other", local(stub))


@pytest.mark.parametrize("preferences", [("stub-model",), ("a", "stub-*", "b"), ("*",)])
def test_the_first_preference_that_is_listed(preferences: tuple[str, ...], stub: StubModel) -> None:
    assert preferred_model(preferences, gateway(stub)) == "stub-model"
    assert preferred_model(preferences, local(stub)) == "stub-model"


def test_no_preference_that_fits_lists_what_there_is(stub: StubModel) -> None:
    with pytest.raises(InvalidArguments) as refused:
        preferred_model(("gemma-*",), gateway(stub))
    assert refused.value.details == {"models": ["stub-model"], "preferences": ["gemma-*"]}
    assert refused.value.hint == "name one: --model stub-model; or set UNDERSTUDY_AUTHORS"


def test_without_gateway_and_server_there_is_nobody_to_prefer() -> None:
    with pytest.raises(CredentialsMissing, match="no gateway or server of this machine"):
        preferred_model(("gemma-*",), Credentials(NOWHERE))
