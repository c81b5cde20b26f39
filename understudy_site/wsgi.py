"""The hub as a WSGI application: `gunicorn understudy_site.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "understudy_site.settings")

application = get_wsgi_application()
