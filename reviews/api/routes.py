"""The routes of this app, in the order in which they are tried."""

from django.urls import URLPattern

ROUTES: list[URLPattern] = []
