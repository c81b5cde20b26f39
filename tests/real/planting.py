"""Secrets put into every place of a real record: each text, each object, each JSON in a text."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SECRET = re.compile(r"Zq7Rk\d{6}Xv4Bn8Tp3")
AS_TEXT: tuple[Callable[[str], str], ...] = (
    lambda secret: f" sk-{secret} ",
    lambda secret: f" Bearer {secret} ",
    lambda secret: f" export DB_PASSWORD={secret} ",
    lambda secret: f" run --client-secret {secret} ",
    lambda secret: f" postgres://app:{secret}@db.test/x ",
    lambda secret: f"\nCookie: sid={secret}; a=b\n",
    lambda secret: f" https://blob.test/a?v=1&sig={secret} ",
    lambda secret: f' {{"passphrase": "{secret}"}} ',
    lambda secret: f"\n-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----\n",
    lambda secret: f"\nx-goog-api-key: {secret}\n",
    lambda secret: f" {json.dumps(json.dumps({'access_token': secret}))} ",
    lambda secret: f" AccountName=a;AccountKey={secret}==; ",
)
NAMED: tuple[Callable[[str], dict[str, Any]], ...] = (
    lambda secret: {"x_client_secret": secret},
    lambda secret: {"x_headers": {"Authorization": f"Bearer {secret}", "x-api-key": secret}},
    lambda secret: {"x_headers": [["Proxy-Authorization", secret], ["Cookie", f"a={secret}"]]},
    lambda secret: {"x_headers": [{"name": "Set-Cookie", "value": f"sid={secret}"}]},
    lambda secret: {"x_attributes": [{"key": "db.password", "value": {"stringValue": secret}}]},
    lambda secret: {"x_private_key": [secret]},
    lambda secret: {f"sk-{secret}": 1},
)
EVENT = "data: {"
SHORTEST = 12


@dataclass(slots=True)
class Planter:
    """Puts a secret of its own into each place, of the next kind each time."""

    count: int = 0
    kinds: set[int] = field(default_factory=set)

    def planted(self, value: Any) -> Any:
        """The value with secrets in all places that may hold any word."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.planted(item) for item in value]
        if isinstance(value, dict):
            found = {key: self.planted(item) for key, item in value.items()}
            secret, kind = self._next(len(NAMED))
            return {**found, **NAMED[kind](secret)}
        return value

    def _next(self, kinds: int) -> tuple[str, int]:
        self.count += 1
        return f"Zq7Rk{self.count:06}Xv4Bn8Tp3", self.count % kinds

    def _text(self, text: str) -> str:
        inner = _json_in(text)
        if inner is not None:
            return json.dumps(self.planted(inner))
        if EVENT in text:
            return "\n".join(map(self._event, text.split("\n")))
        if len(text) < SHORTEST or " " not in text or text.startswith("data:"):
            return text
        secret, kind = self._next(len(AS_TEXT))
        return text + AS_TEXT[kind](secret)

    def _event(self, line: str) -> str:
        inner = _json_in(line.removeprefix("data: "))
        if not line.startswith(EVENT) or inner is None:
            return line
        return f"data: {json.dumps(self.planted(inner))}"


def _json_in(text: str) -> Any:
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
