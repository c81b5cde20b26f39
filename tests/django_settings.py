"""Django's settings for the tests: those of the product, in a home and a database of their own.

The database is SQLite in memory, or what `UNDERSTUDY_TEST_DATABASE_URL` names.
"""

import os
import tempfile

for _name in list(os.environ):
    if _name.startswith("UNDERSTUDY_") and not _name.startswith("UNDERSTUDY_TEST_"):
        del os.environ[_name]
os.environ.pop("REDIS_URL", None)
os.environ.pop("DATABASE_URL", None)
if _url := os.environ.get("UNDERSTUDY_TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = _url
_home = tempfile.TemporaryDirectory(prefix="understudy-test-home-")
os.environ["UNDERSTUDY_HOME"] = _home.name

from understudy_site.settings import *  # noqa: E402, F403

os.environ.pop("DATABASE_URL", None)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
