"""The admin: where people review."""

from django.contrib.admin import AdminSite


class LabAdminSite(AdminSite):
    site_header = site_title = "Understudy"
    index_title = "Dashboard"
