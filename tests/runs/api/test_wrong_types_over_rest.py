"""POST /api/runs with every JSON type in every field: a refusal with its code, never a 500."""

from typing import Any

import pytest

from runs.api.bodies import QueueBody
from runs.requests.checking import KNOWN_KEYS
from tests.factories import Desk
from tests.rest import Rest

pytestmark = pytest.mark.django_db
VALUES: tuple[Any, ...] = ({"a": [{}]}, [[{}]], [None], "", True, -0.5)


@pytest.mark.parametrize("key", sorted({*QueueBody.model_fields, *KNOWN_KEYS}))
def test_a_wrong_type_is_invalid_arguments(rest: Rest, desk: Desk, key: str) -> None:
    for value in VALUES:
        body = {"slug": "local--items", "models": ["scripted/oracle"], "dry_run": True, key: value}
        answered = rest.post("/api/runs", body)
        assert answered.status < 500, (key, value)
        if answered.status != 200:
            assert answered.code in {"invalid_arguments", "unknown_experiment"}, (key, value)
