"""The Celery task of this app: mirror one directory, or all."""

import logging
from typing import Any

from celery import shared_task
from django.db import DatabaseError

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import resolve, roots
from benchmarks.errors import UnderstudyError
from benchmarks.mirror.syncing import catch_up

BUDGET_S = 120.0
"""One directory must not keep the others from being read: the next sync goes on from there."""

logger = logging.getLogger(__name__)


@shared_task(name="benchmarks.sync_directory")
def sync_directory(slug: str | None = None) -> dict[str, Any]:
    """Mirror what a directory has gained, or without a name every directory of the roots."""
    here = home()
    within = roots(here)
    try:
        located = resolve(slug, within, cwd=here.path) if slug is not None else None
        return catch_up(located, budget_s=BUDGET_S, within=within)
    except UnderstudyError as error:
        logger.warning("%s is not mirrored: %s", slug or "the roots", error.message)
        return error.document()
    except DatabaseError as error:
        logger.warning("nothing is mirrored: the database fails: %s", error)
        return {"error": {"code": "gateway_failed", "message": str(error)}}
