"""Django's settings. Values that differ between hosts come from ``env``; everything else is decided here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from kombu.entity import Queue

from studio.common.memory import memory_total_bytes
from studio.config.env import REPOSITORY, DatabaseConfig
from studio.config.settings_accounts import *  # noqa: F403 - Django reads them from here
from studio.config.settings_accounts import ENV

GIB = 2**30

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
    "studio.jobs",
    "studio.projects",
    "studio.datasets",
    "studio.registry",
    "studio.studies",
    "studio.deployments",
    "labeling",
    "labeling.campaigns",
    "labeling.label_changes",
    "labeling.assist",
    "labeling.comments",
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
            "ENGINE": "studio.config.postgresql",
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
        "ENGINE": "django.db.backends.sqlite3",
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

# --- sources that the server fetches from ---------------------------------------------------------------------------
SOURCE_FOLDERS = ENV.source_folders
"""Folders of this host that people may collect pictures from; none by default."""
SOURCE_NETWORKS = ENV.source_networks
"""Private networks that addresses and buckets may lie in; none by default."""

# --- blobs ----------------------------------------------------------------------------------------------------------
BLOBS_S3 = ENV.s3
BLOBS_DIR = HOME / "blobs"
BLOB_HOLDERS = ("labeling.branching.services",)
"""Modules whose ``blobs_held(hashes)`` tells of blobs that are named elsewhere than in a ``BlobField``."""

# --- what a higher room does when a lower one calls: plain names, looked up when used ---------------------------------
JOB_HANDLERS = {
    "ingest": "studio.datasets.handlers",
    "collect": "studio.datasets.handlers",
    "examples": "studio.datasets.handlers",
    "label_rows": "studio.datasets.handlers",
    "train": "studio.studies.handlers",
    "evaluate": "studio.registry.handlers",
    "export": "studio.deployments.handlers",
    "embed": "studio.datasets.embedding_jobs",
    "map": "studio.datasets.embedding_jobs",
    "profile": "studio.datasets.profile_jobs",
    "feedback": "labeling.handlers",
    "snapshot": "labeling.handlers",
    "restore": "labeling.branching.handlers",
    "archive_export": "labeling.transfer.handlers",
    "archive_import": "labeling.transfer.handlers",
    "quality": "labeling.quality.handlers",
    "label_change": "labeling.label_changes.handlers",
    "bulk": "labeling.bulk.handlers",
}
KEY_HOOKS = ("studio.deployments.handlers",)
"""Modules whose ``keys_changed()`` is called when a set of API keys has changed."""
KEY_SCOPES = {"project": "studio.projects.selectors", "deployment": "studio.deployments.selectors"}
"""What the scope of a key can name -> the module whose ``scope_names`` says what such things are called."""
WORKSPACE_HOOKS = ("studio.projects.workspaces",)
"""Modules whose ``workspaces_used(ids)`` says whether something lies in one of the workspaces."""
PROJECT_HOOKS = {
    "project_created": ("studio.datasets.handlers",),
    "project_counts": (
        "studio.datasets.handlers",
        "studio.studies.handlers",
        "studio.registry.handlers",
        "studio.deployments.handlers",
    ),
    "project_problems": ("studio.datasets.handlers", "labeling.quality.handlers"),
    "labels_used": ("studio.datasets.handlers",),
    "annotations_changed": ("labeling.assist.handlers",),
    "embeddings_added": ("labeling.assist.handlers",),
    "predictions_brought": ("labeling.handlers",),
    "open_comments": ("labeling.comments.selectors",),
}
"""Name of the function -> modules that have it; the signatures are in ``studio.projects.hooks``."""
LABEL_FORMATS = "labeling.formats"
"""The package whose modules are the label formats: ``studio.datasets.formats``."""

# --- jobs -----------------------------------------------------------------------------------------------------------
JOB_LEASE_S = 30.0
JOB_HEARTBEAT_S = 5.0
JOB_STALL_S = 180.0
"""A child that writes no event for so long is ended and counts as crashed."""
JOB_STOP_GRACE_S = 30.0
"""From ``control/stop`` to the end by force."""
JOB_RESEND_S = 15.0
"""A queued job that nobody took for so long gets a new message."""
JOB_SILENCE_S = 900.0
"""A job of the platform's own that shows no sign of life for so long is ended; reading the names in an archive shows none."""
JOB_MEMORY_BYTES = min(max(memory_total_bytes() // 4, GIB), 4 * GIB)
"""Of one job of the platform's own."""
JOB_PLACES = 4
"""Jobs of the platform's own that one worker runs side by side; its other threads are for the clock's tasks."""
JOB_THREADS = ENV.job_threads
NUM_WORKERS = ENV.num_workers
EVENT_KEEP = timedelta(days=1)
COMMENT_KEEP = timedelta(days=30)
"""How long a comment that was taken back can be brought back."""
EVENT_VIEWERS_MAX = 24
"""Each viewer of an event stream holds one thread of the web process."""

CELERY_BROKER_URL = ENV.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_timeout": 10, "socket_connect_timeout": 5}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "control"
# RabbitMQ closes a channel whose message is not acknowledged in half an hour; a training may take days.
CELERY_TASK_QUEUES = [
    Queue("control"),  # type: ignore[no-untyped-call]  # kombu has no types
    Queue("jobs", queue_arguments={"x-consumer-timeout": 14 * 24 * 3600 * 1000}),  # type: ignore[no-untyped-call]
]
CELERY_BEAT_SCHEDULE_FILENAME = str(RUN_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "jobs.sweep": {"task": "studio.jobs.tasks.jobs_sweep_task", "schedule": 5.0, "options": {"expires": 5.0}},
    "jobs.prune": {"task": "studio.jobs.tasks.workdirs_prune_task", "schedule": 6 * 3600.0, "options": {"expires": 3600.0}},
    "blobs.sweep": {"task": "studio.jobs.tasks.blobs_sweep_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "events.prune": {"task": "studio.common.tasks.events_prune_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "counts.fold": {"task": "studio.datasets.tasks.counts_fold_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "sign_in.prune": {
        "task": "studio.accounts.tasks.sign_in_failures_prune_task",
        "schedule": 600.0,
        "options": {"expires": 600.0},
    },
    "rates.prune": {"task": "studio.accounts.tasks.rates_prune_task", "schedule": 600.0, "options": {"expires": 600.0}},
    "keys.expire": {"task": "studio.accounts.tasks.keys_expire_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "audit.seal": {"task": "studio.accounts.tasks.audit_seal_task", "schedule": 60.0, "options": {"expires": 60.0}},
    "audit.prune": {"task": "studio.accounts.tasks.audit_prune_task", "schedule": 6 * 3600.0, "options": {"expires": 3600.0}},
    "embeddings.sweep": {
        "task": "studio.datasets.tasks.embeddings_sweep_task",
        "schedule": 3.0,
        "options": {"expires": 3.0},
    },
    "heads.sweep": {
        "task": "labeling.assist.tasks.heads_sweep_task",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "predictions.collect": {
        "task": "studio.deployments.tasks.log_collect_task",
        "schedule": 1.0,
        "options": {"expires": 5.0},
    },
    "predictions.prune": {
        "task": "studio.deployments.tasks.log_prune_task",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "comments.prune": {
        "task": "labeling.comments.tasks.comments_prune_task",
        "schedule": 6 * 3600.0,
        "options": {"expires": 3600.0},
    },
    "serving.rebuild": {
        "task": "studio.deployments.tasks.serving_rebuild_task",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
}

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
QUOTA_USAGE = {
    "storage_bytes": "studio.datasets.quota_use",
    "items": "studio.datasets.quota_use",
    "jobs": "studio.jobs.quota_use",
    "predictions_per_minute": "studio.deployments.quota_use",
    "predictions_per_day": "studio.deployments.quota_use",
}
"""The module whose ``quota_used(workspace, quota)`` says how much of it is used."""
