"""The pages of this app in the admin."""

from benchmarks.admin.base import LabPage

PAGES: tuple[type[LabPage], ...] = ()
