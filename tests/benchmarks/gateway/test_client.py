import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.gateway import client as client_module
from benchmarks.gateway.base import ChatAnswer, ChatCall
from benchmarks.gateway.client import OpenAIChat, http_client
from benchmarks.gateway.credentials import Target
from benchmarks.gateway.failures import CallFailed
from benchmarks.gateway.limiter import Lane
from benchmarks.gateway.patience import Patience
from tests.stub_model import Behaviour, StubModel

CALL = ChatCall("stub-model", [{"role": "user", "content": "Set item I-1 to shipped."}], key="k-0")


@pytest.fixture(autouse=True)
def no_back_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits between tries are tested by themselves."""
    monkeypatch.setattr(client_module, "back_off", lambda kind, tried, key: 0.0)


def ask(
    url: str, call: ChatCall = CALL, patience: Patience | None = None, lane: Lane | None = None
) -> ChatAnswer:
    async def one() -> ChatAnswer:
        async with http_client(2, "0.1.0") as http:
            target = Target("stub-model", url, "sk-secret-secret", "test")
            own = lane or Lane("k", 2)
            chat = OpenAIChat(target, lane=own, http=http, wall_clock=lambda: datetime.now(UTC))
            return await chat.complete(call, patience or Patience())

    return asyncio.run(one())


def fails(url: str, patience: Patience | None = None) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        ask(url, patience=patience)
    return caught.value


def test_one_turn_over_the_wire() -> None:
    with StubModel() as stub:
        answer = ask(stub.url)
        (seen,) = stub.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == "Bearer sk-secret-secret"
    assert seen.headers["idempotency-key"] == "k-0"
    assert seen.headers["user-agent"] == "understudy/0.1.0"
    assert seen.body == {
        "model": "stub-model",
        "messages": [{"role": "user", "content": "Set item I-1 to shipped."}],
        "stream": False,
    }
    assert answer.calls[0].name == "update_item"
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (830, 61)
    assert answer.latency_ms > 0


@pytest.mark.parametrize(
    ("status", "tries"), [(500, 4), (503, 4), (529, 4), (408, 3), (425, 3), (401, 1), (418, 1)]
)
def test_each_failure_is_tried_as_often_as_the_table_says(status: int, tries: int) -> None:
    with StubModel(Behaviour(status=status)) as stub:
        failure = fails(stub.url)
        assert stub.calls == tries
    assert failure.message.startswith(f"HTTP {status}: ")


def test_every_try_of_a_turn_has_the_same_key_and_bytes() -> None:
    with StubModel(Behaviour(status=500, failing=2)) as stub:
        patience = Patience()
        answer = ask(stub.url, patience=patience)
        keys = {seen.headers["idempotency-key"] for seen in stub.seen}
        bodies = [seen.body for seen in stub.seen]
    assert answer.calls
    assert keys == {"k-0"}
    assert bodies[0] == bodies[1] == bodies[2]
    assert patience.retries == 2


def test_three_calls_are_three_calls_and_nothing_is_cached() -> None:
    with StubModel() as stub:
        for _ in range(3):
            ask(stub.url)
        assert stub.calls == 3


def test_a_limit_is_waited_for_as_the_provider_says_and_takes_no_rollout_time() -> None:
    limited = Behaviour(status=429, failing=2, headers={"Retry-After-Ms": "40"})
    with StubModel(limited) as stub:
        patience = Patience()
        ask(stub.url, patience=patience)
        assert stub.calls == 3
    assert patience.limited == 2
    assert patience.retries == 0
    assert patience.waited_s >= 0.06
    assert patience.used_s < patience.waited_s


def test_no_money_is_final_at_once_and_closes_the_lane() -> None:
    lane = Lane("k", 2)
    with StubModel(Behaviour(status=429, error={"error": {"code": "insufficient_quota"}})) as stub:
        with pytest.raises(CallFailed) as caught:
            ask(stub.url, lane=lane)
        assert stub.calls == 1
    assert caught.value.kind.name == "quota"
    assert lane.out_of_quota


def test_an_answer_that_is_no_answer_is_tried_three_times() -> None:
    with StubModel(Behaviour(broken_body=True)) as stub:
        failure = fails(stub.url)
        assert stub.calls == 3
    assert failure.kind.code == "bad_response"


def test_a_refused_connection_is_tried_five_times() -> None:
    patience = Patience()
    failure = fails("http://127.0.0.1:9/v1", patience)
    assert patience.retries == 4
    assert failure.kind.name == "unreachable"
    assert failure.message.startswith("ConnectError")


def test_an_answer_that_breaks_off_may_have_been_paid() -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
        await writer.drain()
        writer.close()

    async def one() -> Patience:
        server = await asyncio.start_server(handler, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        patience = Patience()
        target = Target("m", f"http://127.0.0.1:{port}", "k", "test")
        async with http_client(1, "0") as http, server:
            chat = OpenAIChat(
                target, lane=Lane("k", 1), http=http, wall_clock=lambda: datetime.now(UTC)
            )
            with pytest.raises(CallFailed) as caught:
                await chat.complete(CALL, patience)
        assert caught.value.kind.name == "broken_off"
        return patience

    patience = asyncio.run(one())
    assert patience.retries == 1
    assert patience.unreported == 2


def test_the_newer_name_of_the_output_limit_is_remembered() -> None:
    def script(body: dict[str, Any], number: int) -> Any:
        if "max_tokens" in body:
            error = {"error": {"message": "use 'max_completion_tokens' instead"}}
            return 400, {}, error
        return None

    async def two(url: str) -> None:
        call = ChatCall("m", CALL.messages, settings={"max_output_tokens": 5})
        async with http_client(2, "0") as http:
            target = Target("m", url, "k", "test")
            chat = OpenAIChat(
                target, lane=Lane("k", 2), http=http, wall_clock=lambda: datetime.now(UTC)
            )
            await chat.complete(call, Patience())
            await chat.complete(call, Patience())

    with StubModel(Behaviour(script=script)) as stub:
        asyncio.run(two(stub.url))
        keys = [sorted(set(seen.body) - {"model", "messages", "stream"}) for seen in stub.seen]
    assert keys == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_keys_never_reach_an_error() -> None:
    error = {"error": {"message": "bad key sk-secret-secret"}}
    with StubModel(Behaviour(status=401, error=error)) as stub:
        failure = fails(stub.url)
    assert failure.message == "HTTP 401: bad key [key]"


def test_a_redirect_is_refused() -> None:
    moved = Behaviour(status=302, headers={"Location": "http://127.0.0.1:9/"})
    with StubModel(moved) as stub:
        assert fails(stub.url).message.startswith("HTTP 302")


def test_a_client_has_room_for_its_window_and_four_more() -> None:
    async def limits() -> tuple[int | None, bool]:
        async with http_client(8, "1") as http:
            pool: Any = http._transport
            return pool._pool._max_connections, http.follow_redirects

    assert asyncio.run(limits()) == (12, False)


def test_a_cancelled_call_closes_its_connection() -> None:
    async def one(url: str, gone: Callable[[], int]) -> int:
        async with http_client(2, "0") as http:
            target = Target("m", url, "k", "test")
            chat = OpenAIChat(
                target, lane=Lane("k", 2), http=http, wall_clock=lambda: datetime.now(UTC)
            )
            task = asyncio.create_task(chat.complete(CALL, Patience()))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.1)
            return gone()

    with StubModel(Behaviour(hangs=True)) as stub:
        left = asyncio.run(one(stub.url, lambda: len(stub.answers.connections)))
    assert left == 0
