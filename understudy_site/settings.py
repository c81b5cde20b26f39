"""The one settings module of Django.

This release mirrors nothing yet: the apps hold no tables, and no verb needs a database. `manage.py
NOUN VERB` and `understudy NOUN VERB` are the same command.
"""

from benchmarks.artifacts.home import home

HOME = home()

DEBUG = False
USE_TZ = True
TIME_ZONE = "UTC"
INSTALLED_APPS = ["understudy_site", "benchmarks", "reviews", "runs"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": HOME.path / "hub.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
