"""The pages of this app in the admin."""

from benchmarks.admin.base import LabPage
from runs.admin.authoring import AuthoringPage
from runs.admin.benchmark import BenchmarkPage
from runs.admin.benchmarks import BenchmarkCsv, BenchmarkList
from runs.admin.dashboard import Dashboard
from runs.admin.jobs import JobList
from runs.admin.queueing import QueuePage
from runs.admin.regrading import RegradePage
from runs.admin.run import CancelPage, RequestText, RunLive, RunPage
from runs.admin.runs import RunList

PAGES: tuple[type[LabPage], ...] = (
    Dashboard,
    BenchmarkList,
    BenchmarkCsv,
    BenchmarkPage,
    QueuePage,
    RegradePage,
    AuthoringPage,
    RunList,
    JobList,
    RunPage,
    RunLive,
    CancelPage,
    RequestText,
)
