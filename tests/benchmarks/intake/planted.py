"""Secrets of every kind, and every place they can stand in."""

import base64
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

KEY_CHARS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
TAIL = st.text(KEY_CHARS, min_size=20, max_size=40)
UPPER = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ234567", min_size=16, max_size=16)
LONG = st.text(KEY_CHARS, min_size=35, max_size=35)
PREFIXES = (
    "sk-", "sk-ant-", "sk-proj-", "sk-lf-", "pk-lf-", "lsv2_", "hf_", "gsk_", "ghp_", "gho_",
    "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-",
    "sk_live_", "sk_test_", "rk_live_", "SG.", "npm_", "dop_v1_",
)  # fmt: skip


def _jwt(tail: str) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    return f"{head}.{base64.urlsafe_b64encode(tail.encode()).decode().rstrip('=')}.{tail}"


def _pem(tail: str) -> str:
    return f"-----BEGIN RSA PRIVATE KEY-----\n{tail}\n-----END RSA PRIVATE KEY-----"


IN_ANY_TEXT: st.SearchStrategy[tuple[str, str]] = st.one_of(
    st.tuples(st.sampled_from(PREFIXES), TAIL).map(lambda p: ("".join(p), "".join(p))),
    UPPER.map(lambda t: (f"AKIA{t}", f"AKIA{t}")),
    UPPER.map(lambda t: (f"ASIA{t}", f"ASIA{t}")),
    LONG.map(lambda t: (f"AIza{t}", f"AIza{t}")),
    TAIL.map(lambda t: (f"Authorization: Bearer {t}1", t)),
    TAIL.map(lambda t: (f"curl -H 'Authorization: Basic {t}1='", t)),
    TAIL.map(lambda t: (f"Token {t}1", t)),
    TAIL.map(lambda t: (_jwt(t), t)),
    TAIL.map(lambda t: (_pem(t), t)),
    TAIL.map(lambda t: (f"Cookie: session={t}; theme=dark", t)),
    TAIL.map(lambda t: (f"postgres://app:{t}@db.test:5432/main", t)),
    TAIL.map(lambda t: (f"redis://:{t}@cache.test", t)),
    TAIL.map(lambda t: (f"AccountName=a;AccountKey={t}==;EndpointSuffix=x", t)),
    TAIL.map(lambda t: (f"Endpoint=sb://x;SharedAccessKey={t}", t)),
    TAIL.map(lambda t: (f"https://blob.test/a?sv=1&sig={t}&se=2", t)),
    TAIL.map(lambda t: (f"https://s3.test/a?X-Amz-Signature={t}", t)),
    TAIL.map(lambda t: (f"https://api.test/a?key={t}", t)),
    TAIL.map(lambda t: (f"DB_PASSWORD={t} run", t)),
    TAIL.map(lambda t: (f"tool --password {t} --verbose", t)),
    TAIL.map(lambda t: (f"client_secret: a1{t}", t)),
    TAIL.map(lambda t: (f"{{'passphrase': '{t}'}}", t)),
)
"""A text that holds a secret, and the characters that must not be seen again."""

NAMES = st.sampled_from((
    "password", "userPassword", "passwd", "pwd", "passphrase", "secret", "client_secret",
    "credentials", "api_key", "apiKey", "apikey", "access_key", "secret_key", "x-api-key",
    "x-goog-api-key", "access_token", "refreshToken", "id_token", "private_key", "Authorization",
    "Proxy-Authorization",
))  # fmt: skip


def _around(text: str) -> Any:
    return st.sampled_from((text, f"see {text} there", f"\n{text}\n", json.dumps({"note": text})))


PLANTED: st.SearchStrategy[tuple[Any, str]] = st.one_of(
    IN_ANY_TEXT.flatmap(lambda p: st.tuples(_around(p[0]), st.just(p[1]))),
    st.tuples(NAMES, TAIL).map(lambda p: ({p[0]: f"{p[1]}1"}, p[1])),
    st.tuples(NAMES, TAIL).map(lambda p: (json.dumps({p[0]: f"{p[1]}1"}), p[1])),
    st.tuples(NAMES, TAIL).map(lambda p: (json.dumps(json.dumps({p[0]: f"{p[1]}1"})), p[1])),
    st.tuples(NAMES, TAIL).map(lambda p: ({p[0]: [f"{p[1]}1"]}, p[1])),
    st.tuples(NAMES, TAIL).map(lambda p: ([{"name": p[0], "value": f"{p[1]}1"}], p[1])),
    TAIL.map(lambda t: ([["x-api-key", t], ["accept", "json"]], t)),
    TAIL.map(lambda t: ({"headers": {"Set-Cookie": f"sid={t}"}}, t)),
)
"""A value that holds a secret in some place, and what must not be seen again."""

Plant = Callable[[Any], dict[str, Any]]
MODEL = {"model": "m", "max_tokens": 5}


def _chat(messages: list[Any], **more: Any) -> dict[str, Any]:
    answer = {"choices": [{"message": {"role": "assistant", "content": "ok"}}]}
    return {"request": {**MODEL, "messages": messages, **more}, "response": answer}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _call(value: Any) -> dict[str, Any]:
    arguments = json.dumps({"note": value})
    return {"id": "a", "type": "function", "function": {"name": "go", "arguments": arguments}}


def _tool(value: Any) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": "go",
            "description": _text(value),
            "parameters": {"type": "object", "properties": {"x": {"default": value}}},
        },
    }


USER = {"role": "user", "content": "hi"}
PLACES: tuple[Plant, ...] = (
    lambda v: _chat([{"role": "system", "content": _text(v)}, USER]),
    lambda v: _chat([{"role": "user", "content": _text(v)}]),
    lambda v: _chat([{"role": "user", "content": [{"type": "text", "text": _text(v)}]}]),
    lambda v: _chat([{"role": "user", "content": [{"type": "hologram", "data": v}]}]),
    lambda v: _chat([USER, {"role": "assistant", "tool_calls": [_call(v)]}]),
    lambda v: _chat([USER, {"role": "tool", "tool_call_id": "a", "content": _text(v)}]),
    lambda v: _chat([USER], tools=[_tool(v)]),
    lambda v: _chat([USER], metadata={"note": v}),
    lambda v: {
        **_chat([USER]),
        "response": {"choices": [{"message": {"content": _text(v), "tool_calls": [_call(v)]}}]},
    },
    lambda v: {"status": 500, "request": {"messages": [USER]}, "response": {"error": v}},
    lambda v: {
        "schema_version": 4, "request_id": "r", "workload_name": _text(v),
        "request_body": json.dumps({"messages": [USER], "note": v}),
        "response_body": json.dumps({"choices": [{"message": {"content": _text(v)}}]}),
        "upstream_request_body": {"headers": v},
    },
    lambda v: {
        "request": {**MODEL, "system": _text(v), "messages": [
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "a", "name": "go", "input": {"note": v}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": _text(v)}]}],
            "tools": [{"name": "go", "description": _text(v), "input_schema": {"x": v}}]},
        "response": {"type": "message", "content": [{"type": "text", "text": _text(v)}]},
    },
    lambda v: {"task_id": 1, "trial": 0, "reward": 1, "traj": [
        {"role": "user", "content": _text(v)},
        {"role": "assistant", "content": None, "tool_calls": [_call(v)]},
        {"role": "tool", "name": "go", "content": _text(v)}]},
    lambda v: {"task_id": 1, "trial": 0, "reward": 0, "traj": [], "info": {"error": _text(v)}},
)  # fmt: skip
"""Records of every dialect that is read, with the value in a place of their own."""
