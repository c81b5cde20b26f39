"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern

from benchmarks.api.base import route
from benchmarks.api.jobs import CancelJobView, JobResultView, JobsView, JobView

ROUTES: list[URLPattern] = [
    *route("jobs", JobsView),
    *route("jobs/<str:job_id>", JobView),
    *route("jobs/<str:job_id>/result", JobResultView),
    *route("jobs/<str:job_id>/cancel", CancelJobView),
]
