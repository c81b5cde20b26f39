"""The pages of this app in the admin."""

from benchmarks.admin.base import LabPage
from reviews.admin.inbox_page import InboxPage
from reviews.admin.task_page import TaskOfPage, TaskPage, TaskTextOfPage, TaskTextPage

PAGES: tuple[type[LabPage], ...] = (
    InboxPage,
    TaskPage,
    TaskOfPage,
    TaskTextPage,
    TaskTextOfPage,
)
