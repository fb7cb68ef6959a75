"""Settings of accounts: who may have one, and django-allauth behind our API, by our adapters; its own pages are not served."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from studio.config.env import env_read

ENV = env_read()

SIGN_UP = ENV.sign_up
HAS_MAIL = ENV.mail is not None
"""Whether mail is sent: addresses are confirmed, and forgotten passwords are reset by it."""
OIDC = ENV.oidc
INVITATION_DAYS_MAX = 90
SESSION_IDLE = timedelta(minutes=ENV.session_idle_minutes) or None
"""A session that nobody used for so long has ended; None: they end by their age alone."""
SESSION_USE_NOTED_EACH = min(timedelta(minutes=5), (SESSION_IDLE or timedelta(days=1)) / 4)
PASSWORD_RESET_TIMEOUT = int(timedelta(hours=24).total_seconds())
"""Links to a new password are good for so long, and once."""

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "studio.accounts.password_rules.ProductWordValidator"},
]
SIGN_IN_WINDOW = timedelta(minutes=15)
SIGN_IN_FAILURES_PER_ACCOUNT = 10
SIGN_IN_FAILURES_PER_ADDRESS = 50

AUDIT_KEEP = timedelta(days=ENV.audit_days) if ENV.audit_days else None
"""How long rows of the audit trail are kept; None keeps them for ever."""

HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
HEADLESS_FRONTEND_URLS = {
    "account_confirm_email": f"{ENV.public_url}/confirm-email#{{key}}",
    "account_reset_password": f"{ENV.public_url}/forgot-password",
    "account_reset_password_from_key": f"{ENV.public_url}/new-password#{{key}}",
    "account_signup": f"{ENV.public_url}/sign-up",
    "socialaccount_login_error": f"{ENV.public_url}/sign-in",
}
"""Pages that links in mail lead to. Keys stand behind ``#``: browsers send that part to nobody."""

ACCOUNT_ADAPTER = "studio.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if ENV.mail else "none"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = ENV.public_url.partition(":")[0]
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = ENV.mail is not None
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Modelyard] "
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
"""Of the session at work: all others end."""
ACCOUNT_RATE_LIMITS = {"signup": f"{ENV.sign_up_limit}/h/ip", "login": None, "login_failed": "5/5m/key"}
"""Passwords have limits of their own, in the database: ``accounts/attempts.py``."""

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "accounts_sharedcache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
"""The default is django-allauth's, and shared: limits count over all processes, and a code is good once. The other is each
process's own, for what is only dear to find again."""

MFA_TOTP_TOLERANCE = 1
"""A code is good for half a minute before and after its own: it takes time to type, and clocks differ."""
MFA_ADAPTER = "studio.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Modelyard"
MFA_ALLOW_UNVERIFIED_EMAIL = True
"""Where mail is set up, nobody comes in without a confirmed address anyway."""
MFA_REAUTHENTICATION_REQUIRED = True

SOCIALACCOUNT_ADAPTER = "studio.accounts.adapters.ProviderAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
"""Who has an account already enters it, if the provider says that the address is confirmed."""
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": []}}
if ENV.oidc:
    SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"] = [
        {
            "provider_id": "oidc",
            "name": ENV.oidc.name,
            "client_id": ENV.oidc.client_id,
            "secret": ENV.oidc.client_secret,
            "settings": {"server_url": ENV.oidc.issuer},
        }
    ]

USERSESSIONS_TRACK_ACTIVITY = False
"""The session itself knows when it was used last: a row written at every request would be dear."""

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
"""For mail alone: pages are the front end's."""
DEFAULT_FROM_EMAIL = ENV.mail.sender if ENV.mail else "modelyard@localhost"
EMAIL_BACKEND = ENV.mail.backend if ENV.mail else "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 15
if ENV.mail:
    EMAIL_HOST, EMAIL_PORT = ENV.mail.host, ENV.mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = ENV.mail.user, ENV.mail.password
    EMAIL_USE_SSL, EMAIL_USE_TLS = ENV.mail.is_tls, ENV.mail.is_starttls
