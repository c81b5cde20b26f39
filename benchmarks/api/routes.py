"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern

from benchmarks.api.base import route
from benchmarks.api.captures import CapturesView
from benchmarks.api.directions import DirectionsView
from benchmarks.api.environment import EnvironmentView
from benchmarks.api.jobs import CancelJobView, JobResultView, JobsView, JobView
from benchmarks.api.manual import DocsView, SchemaView
from benchmarks.api.syncing import SyncView
from benchmarks.api.traces import DoctorView
from benchmarks.api.verification import VerificationView
from benchmarks.api.versions import VersionsView

ROUTES: list[URLPattern] = [
    *route("benchmarks/<str:slug>/versions", VersionsView),
    *route("benchmarks/<str:slug>/sync", SyncView),
    *route("benchmarks/<str:slug>/directions", DirectionsView),
    *route("benchmarks/<str:slug>/environment", EnvironmentView),
    *route("benchmarks/<str:slug>/verification", VerificationView),
    *route("traces/doctor", DoctorView),
    *route("captures", CapturesView),
    *route("jobs", JobsView),
    *route("jobs/<str:job_id>", JobView),
    *route("jobs/<str:job_id>/result", JobResultView),
    *route("jobs/<str:job_id>/cancel", CancelJobView),
    *route("schema", SchemaView),
    *route("docs", DocsView),
]
