"""The pages of this app in the admin."""

from benchmarks.admin.base import LabPage
from benchmarks.admin.syncing import SyncPage

PAGES: tuple[type[LabPage], ...] = (SyncPage,)
