"""Django's admin with the lab's own site."""

from django.contrib.admin.apps import AdminConfig


class LabAdminConfig(AdminConfig):
    default_site = "understudy_site.admin_site.LabAdminSite"
