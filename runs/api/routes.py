"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern

from benchmarks.api.base import route
from runs.api.standing import BenchmarkStatusView
from runs.api.trust import TrustView

ROUTES: list[URLPattern] = [
    *route("benchmarks/<str:slug>/status", BenchmarkStatusView),
    *route("trust", TrustView),
]
