"""Paths of the API that do not exist."""

import difflib

from django.http import HttpRequest, HttpResponse
from django.urls import URLResolver, get_resolver
from django.views.decorators.csrf import csrf_exempt

from benchmarks.api.errors import problem
from benchmarks.api.missing import UnknownRoute

API = "api/"
ELSEWHERE = {"trace-viewer": "traces are shown by GET /api/rollouts?slug=&task="}
"""Paths of the reference, and where to look instead."""


@csrf_exempt
def unknown_route(request: HttpRequest) -> HttpResponse:
    """A 404 that says where to look."""
    word = request.path.strip("/").removeprefix(API).split("/")[0]
    near = difflib.get_close_matches(word, first_words(), n=1)
    hint = ELSEWHERE.get(word) or (
        f"nearest: /{API}{near[0]}" if near else "GET /api/schema lists every route"
    )
    error = UnknownRoute(f"there is no route {request.path!r}", hint=hint)
    return problem(error, request_id=getattr(request, "request_id", ""))


def first_words() -> list[str]:
    """The words that stand right behind `/api/`."""
    found: set[str] = set()
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and str(resolver.pattern) == API:
            found |= {str(each.pattern).split("/")[0] for each in resolver.url_patterns}
    return sorted(word for word in found if word.replace("-", "").isalpha())
