"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern

from benchmarks.api.base import route
from runs.api.authoring import AuthoringView
from runs.api.leaderboard import LeaderboardView, ParetoView
from runs.api.ledgers import (
    CalibrationsView,
    EventsView,
    HoldoutLooksView,
    RowsView,
    RunEventsView,
    RunRowsView,
)
from runs.api.regrading import RegradeView
from runs.api.rollouts import DiffView, LiveView, ReplayView, RolloutView, TaskRolloutsView
from runs.api.runs import CancelView, CellsView, RunsView, RunView
from runs.api.standing import BenchmarkStatusView
from runs.api.trust import TrustView

ROUTES: list[URLPattern] = [
    *route("benchmarks/<str:slug>/status", BenchmarkStatusView),
    *route("benchmarks/<str:slug>/authoring", AuthoringView),
    *route("benchmarks/<str:slug>/regrade", RegradeView),
    *route("benchmarks/<str:slug>/leaderboard", LeaderboardView),
    *route("benchmarks/<str:slug>/pareto.csv", ParetoView),
    *route("runs", RunsView),
    *route("runs/live", LiveView),
    *route("runs/<str:run_id>", RunView),
    *route("runs/<str:run_id>/cancel", CancelView),
    *route("runs/<str:run_id>/cells", CellsView),
    *route("runs/<str:run_id>/events", RunEventsView),
    *route("runs/<str:run_id>/rows", RunRowsView),
    *route("rows", RowsView),
    *route("events", EventsView),
    *route("calibrations", CalibrationsView),
    *route("holdout-looks", HoldoutLooksView),
    *route("rollouts", TaskRolloutsView),
    *route("rollouts/one", RolloutView),
    *route("rollouts/diff", DiffView),
    *route("replay", ReplayView),
    *route("trust", TrustView),
]
