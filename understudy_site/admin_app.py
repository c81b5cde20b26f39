"""Django's admin with the lab's own site."""

from django.contrib.admin.apps import SimpleAdminConfig


class LabAdminConfig(SimpleAdminConfig):
    """The admin, its pages left to `urls.py`: what answers no address starts twice as fast."""

    default_site = "understudy_site.admin_site.LabAdminSite"
