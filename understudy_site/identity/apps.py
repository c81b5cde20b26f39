from django.apps import AppConfig


class IdentityConfig(AppConfig):
    name = "understudy_site.identity"
    label = "identity"
