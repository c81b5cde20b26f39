"""What every page of ours sends beside its body (spec/surface.md 6.1)."""

from typing import TypeVar

from django.http import HttpResponseBase

R = TypeVar("R", bound=HttpResponseBase)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
GUARDS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def guard(response: R) -> R:
    """The response, under the policy that lets no text of a record become anything but text."""
    for name, value in GUARDS.items():
        response[name] = value
    return response
