"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern, path

from benchmarks.api.base import route
from reviews.api.assessing import CalibrationView, PolicyView, PromotionView, RigorView
from reviews.api.benchmarks import BenchmarksView, BenchmarkView, TasksView, TaskView
from reviews.api.noting import FeedbackView, FlagsView, ResolveFeedbackView, ResolveFlagView
from reviews.api.reviewing import AutoAcceptView, ReviewsView

ROUTES: list[URLPattern] = [
    *route("benchmarks", BenchmarksView),
    *route("benchmarks/<str:slug>", BenchmarkView),
    *route("benchmarks/<str:slug>/tasks", TasksView),
    # An id may hold slashes, also a last one: it is taken as it stands, and without it after that.
    path("benchmarks/<str:slug>/tasks/<path:task_id>", TaskView.as_view()),
    *route("benchmarks/<str:slug>/rigor", RigorView),
    *route("benchmarks/<str:slug>/calibration", CalibrationView),
    *route("benchmarks/<str:slug>/promotion", PromotionView),
    *route("benchmarks/<str:slug>/policy", PolicyView),
    *route("reviews", ReviewsView),
    *route("reviews/auto", AutoAcceptView),
    *route("feedback", FeedbackView),
    *route("feedback/<str:ref>/resolve", ResolveFeedbackView),
    *route("flags", FlagsView),
    *route("flags/<str:ref>/resolve", ResolveFlagView),
]
