"""Every address of the hub."""

from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

from understudy_site.hub.health import healthz
from understudy_site.identity.views import sign_in

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("healthz", healthz, name="healthz"),
    path("healthz/", healthz),
    path("sign-in/<str:secret>", sign_in, name="sign-in"),
    path("admin/", admin.site.urls),
]
