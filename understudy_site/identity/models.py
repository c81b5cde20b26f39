"""Who may come in: API tokens, one-time sign-in links, and how much each identity asks.

These tables are no mirror of anything: `benchmarks sync --rebuild` leaves them alone. No secret is
in them, only its SHA-256; a secret of 32 random bytes needs neither salt nor a slow hash.
"""

from django.conf import settings
from django.db import models


class Token(models.Model):
    """A named key to the API. What it may do is never more than what its owner may do now."""

    name = models.CharField(max_length=64, unique=True)
    """Kept for ever, so that `token:<name>` in a ledger means one token."""
    sha256 = models.CharField(max_length=64, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    """The token that asked for it: it ends no later than that one, and is revoked with it."""
    permissions = models.JSONField(default=list)
    benchmarks = models.JSONField(default=list)
    """Shell patterns over slugs; empty: every benchmark."""
    agent = models.BooleanField(default=False)
    """Whether an agent holds it: its reviews are not a person's."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    """Written at most once a minute."""
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return self.name


class SignInLink(models.Model):
    """A link that signs one user in, once, from this machine."""

    sha256 = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"link of {self.user_id}"


class Allowance(models.Model):
    """How many requests of one kind an identity was granted in one minute, by all processes."""

    identity = models.CharField(max_length=160)
    kind = models.CharField(max_length=8)
    """`read` or `write`."""
    minute = models.BigIntegerField(default=0)
    """Minutes since the epoch; a new minute starts from nothing."""
    granted = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("identity", "kind"), name="one_allowance_a_kind"),
        )

    def __str__(self) -> str:
        return f"{self.identity} {self.kind}"
