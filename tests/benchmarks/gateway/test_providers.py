import asyncio
from datetime import UTC, datetime

import pytest

from benchmarks.errors import CredentialsMissing
from benchmarks.gateway.client import OpenAIChat
from benchmarks.gateway.credentials import Credentials
from benchmarks.gateway.providers import Providers
from benchmarks.records.vocabulary import Route
from tests.stub_model import StubModel

NOWHERE = {"UNDERSTUDY_LOCAL_SERVERS": "http://127.0.0.1:9", "OLLAMA_HOST": "127.0.0.1:9"}


def models(environ: dict[str, str], *names: str) -> tuple[Providers, list[OpenAIChat]]:
    async def resolve() -> tuple[Providers, list[OpenAIChat]]:
        providers = Providers(
            Credentials({**NOWHERE, **environ}),
            width=4,
            version="1",
            wall_clock=lambda: datetime.now(UTC),
        )
        try:
            return providers, [await providers.model(name) for name in names]
        finally:
            await providers.aclose()

    return asyncio.run(resolve())


def test_models_of_one_credential_share_a_lane() -> None:
    providers, (first, second) = models({"OPENAI_API_KEY": "k"}, "a", "b")
    assert first.lane_key == second.lane_key
    assert list(providers.lanes) == [first.lane_key]
    assert first.route is Route.BYO


def test_a_local_server_that_lists_the_model_is_the_last_resort() -> None:
    with StubModel() as stub:
        url = stub.url.removesuffix("/v1")
        _, (model,) = models({"UNDERSTUDY_LOCAL_SERVERS": url}, "stub-model")
    assert model.route is Route.LOCAL
    assert model.called_model == "stub-model"


def test_a_model_that_nobody_has_is_named() -> None:
    with pytest.raises(CredentialsMissing, match="no key for model gpt-5.5"):
        models({}, "gpt-5.5")
