"""`/healthz`: that the hub lives, its version, and which instance answers. It asks nobody who."""

import secrets

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from benchmarks.release import VERSION

INSTANCE_ID = secrets.token_hex(8)
"""Of this process: a hub that was started again has another."""


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """`{ok, version, instance_id}`."""
    return JsonResponse(
        {"ok": True, "version": VERSION, "instance_id": INSTANCE_ID},
        headers={"Cache-Control": "no-store"},
    )
