"""The rate limit, where DRF asks for one."""

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from benchmarks.doors.identity import Identity
from understudy_site.identity.limits import READ, WRITE, spend

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class IdentityThrottle(BaseThrottle):
    """So many reads and writes a minute for each identity, over all processes."""

    def allow_request(self, request: Request, view: object) -> bool:
        """True, once the request was counted.

        Raises:
            RateLimited: it was one too many.
        """
        if isinstance(request.auth, Identity):
            spend(request.auth.actor, READ if request.method in SAFE else WRITE)
        return True
