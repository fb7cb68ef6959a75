"""Django's settings. Values that differ between hosts come from ``env``; everything else is decided here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from studio.config.env import REPOSITORY, DatabaseConfig
from studio.config.settings_accounts import *  # noqa: F403 - Django reads them from here
from studio.config.settings_accounts import ENV
from studio.config.settings_jobs import *  # noqa: F403 - the same

REPOSITORY_DIR = REPOSITORY
"""Engine processes start here."""
HOME = ENV.home
JOBS_DIR = HOME / "jobs"
"""One working directory a job."""
CACHE_DIR = HOME / "cache"
"""Packed pictures, features and copies of blobs; safe to delete while nothing runs."""
RUN_DIR = HOME / "run"
"""Sockets, locks and pid files."""
SERVING_DIR = HOME / "serving"
"""What the prediction server reads and writes."""
ASSETS_DIR = ENV.assets_dir
FRONTEND_DIST = REPOSITORY / "frontend" / "dist"
DOCS_DIST = REPOSITORY / "frontend" / "docs" / "dist"
PUBLIC_URL = ENV.public_url
PREDICTION_URL = ENV.prediction_url

SECRET_KEY = ENV.secret_key
DEBUG = ENV.is_debug
ALLOWED_HOSTS = list(ENV.allowed_hosts)
ROOT_URLCONF = "studio.config.urls"
ASGI_APPLICATION = "studio.config.asgi.application"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "studio.config",
    "studio.common",
    "studio.accounts",
    "studio.projects",
    "studio.jobs",
    "studio.datasets",
    "studio.studies",
    "studio.registry",
    "studio.predictions",
    "studio.deployments",
    "studio.galleries",
    "studio.templates",
    "studio.shelves",
    "studio.devices",
    "labeling",
    "labeling.campaigns",
    "labeling.label_changes",
    "labeling.bulk",
    "labeling.assist",
    "labeling.comments",
    "labeling.branching",
    "labeling.transfer",
    "labeling.quality",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "studio.config.headers.ContentSecurityMiddleware",
    "studio.common.problem.ProblemMiddleware",
    "studio.common.text.TextMiddleware",
    "studio.config.frontend.FrontendMiddleware",
    "studio.common.problem.RepeatMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "studio.accounts.sessions.PersonMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]


def _database(config: DatabaseConfig) -> dict[str, Any]:
    if config.is_postgres:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": config.name,
            "USER": config.user,
            "PASSWORD": config.password,
            "HOST": config.host,
            "PORT": config.port,
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {"prepare_threshold": config.prepare_threshold, **config.options},
        }
    return {
        "ENGINE": "studio.config.sqlite3",
        "NAME": config.name,
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            # Writers queue at BEGIN instead of failing halfway with "database is locked".
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
        },
    }


DATABASES = {"default": _database(ENV.database)}

# --- accounts and the browser ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["studio.accounts.access.SessionBackend"]
IS_HTTPS = PUBLIC_URL.startswith("https://")
SESSION_ENGINE = "studio.accounts.sessions"
SESSION_COOKIE_AGE = int(timedelta(days=30).total_seconds())
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL, *(["http://localhost:5173", "http://127.0.0.1:5173"] if DEBUG else [])]
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if IS_HTTPS else None
X_FRAME_OPTIONS = "DENY"
BEHIND_PROXY = ENV.is_behind_proxy
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 40 * 1024 * 1024
"""Above the largest request the API allows: 32 MiB of pictures in one batch, and its form."""
DATA_UPLOAD_MAX_NUMBER_FILES = 4096
"""Above the largest batch of pictures: Django's own limit of 100 would refuse an ordinary folder."""

STATIC_URL = "/static/"
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = False

# --- what the server calls ------------------------------------------------------------------------------------------
SOURCE_FOLDERS = ENV.source_folders
"""Folders of this host that people may collect pictures from; none by default."""
SOURCE_NETWORKS = ENV.source_networks
"""Private networks that addresses, buckets and webhooks of alerts may lie in; none by default."""

# --- blobs ----------------------------------------------------------------------------------------------------------
BLOBS_S3 = ENV.s3
BLOBS_DIR = HOME / "blobs"

# --- handlers, hooks and routers are named by each app: studio.common.app_config -----------------------------------
LABEL_FORMATS = "labeling.formats"
"""The package whose modules are the label formats: ``studio.datasets.files.formats``."""

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    # One line a request or task says nothing that the rows do not say, and the sweep alone would write one every five seconds.
    "loggers": {
        name: {"level": "WARNING"}
        for name in ("django.server", "httpx", "urllib3", "celery.app.trace", "celery.worker.strategy", "celery.beat")
    },
}

# --- what a workspace may use at most, where it has no limits of its own ------------------------------------------------
QUOTAS = {name: limit or None for name, limit in ENV.quotas.items()}
"""``studio.accounts.quotas.Quota`` -> limit; None: there is none."""
RATES = {name: limit or None for name, limit in ENV.rates.items()}
"""``studio.accounts.rates.Rate`` -> requests of one caller a minute; None: as many as there are."""
