"""Every address of the hub."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from benchmarks.api.routes import ROUTES as BENCHMARK_ROUTES
from benchmarks.api.unknown import unknown_route
from reviews.api.routes import ROUTES as REVIEW_ROUTES
from runs.api.routes import ROUTES as RUN_ROUTES
from understudy_site.hub.health import healthz
from understudy_site.identity.api import ROUTES as IDENTITY_ROUTES
from understudy_site.identity.views import sign_in

# Here, and not when Django starts: only what answers addresses needs the pages.
admin.autodiscover()
API = [
    *BENCHMARK_ROUTES,
    *REVIEW_ROUTES,
    *RUN_ROUTES,
    *IDENTITY_ROUTES,
    re_path("", unknown_route),
]
urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("healthz", healthz, name="healthz"),
    path("healthz/", healthz),
    path("sign-in/<str:secret>", sign_in, name="sign-in"),
    path("api", unknown_route),
    path("api/", include(API)),
    path("admin/", admin.site.urls),
]
handler400 = "understudy_site.failing.bad_request"
handler403 = "understudy_site.failing.permission_denied"
handler404 = "understudy_site.failing.page_not_found"
handler500 = "understudy_site.failing.server_error"
