"""The one settings module of Django: what the hub, the workers and the mirror run with.

Every value that an operator may change comes from the environment through
`benchmarks/artifacts/settings.py`; the variables are those of spec/surface.md 7.1.
"""

from benchmarks.artifacts.home import home
from benchmarks.release import VERSION
from understudy_site.database import database

HOME = home()
SAID = HOME.settings

DEBUG = SAID.debug
SECRET_KEY = SAID.secret_key or HOME.secret().decode("ascii")
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ALLOWED_HOSTS = [*LOOPBACK_HOSTS, *SAID.allowed_hosts]
CSRF_TRUSTED_ORIGINS = [*SAID.trusted_origins]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

INSTALLED_APPS = [
    "understudy_site",  # first: its templates dress Django's own pages
    "understudy_site.admin_app.LabAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "understudy_site.identity",
    "benchmarks",
    "reviews",
    "runs",
]
MIDDLEWARE = [
    "understudy_site.middleware.RequestIdMiddleware",
    "understudy_site.middleware.OriginMiddleware",
    "understudy_site.middleware.DatabaseMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "understudy_site.urls"
ASGI_APPLICATION = "understudy_site.asgi.application"
WSGI_APPLICATION = "understudy_site.wsgi.application"
APPEND_SLASH = False  # every path answers with and without its final slash, without a redirect
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": database(SAID.database_url, HOME.path / "hub.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # static files come from the package: nothing to collect
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no CORS headers are ever sent

SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SAMESITE = "Strict"
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
if SAID.behind_proxy:
    # Only then: a client without a proxy in front could claim TLS and be believed.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    MIDDLEWARE.insert(1, "understudy_site.hub.tls.TlsMiddleware")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "understudy_site.identity.authentication.TokenAuthentication",
        "understudy_site.identity.authentication.SessionAuthentication",
    ],
    # Permissions are asked of the table of services, by the base of every route.
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["understudy_site.identity.throttling.IdentityThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "benchmarks.api.schema.LabSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Understudy",
    "DESCRIPTION": "The hub of a benchmark lab. Queueing is not executing: nothing here runs.",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api",
    "AUTHENTICATION_WHITELIST": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["benchmarks.api.schema.finish"],
}

UNDERSTUDY_MIRRORS = [
    "benchmarks.mirror.MIRRORS",
    "reviews.mirror.MIRRORS",
    "runs.mirror.MIRRORS",
]
"""What a sync reads, in this order: an app's tables point only at those of the apps above it."""

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["stderr"], "level": SAID.log_level},
    # A refusal is answered, not logged: its address may hold a sign-in link.
    "loggers": {"django.request": {"level": "ERROR"}},
}
