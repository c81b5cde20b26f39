"""The routes of this app."""

from django.urls import URLPattern

ROUTES: list[URLPattern] = []
