"""The two ways to be let in: a session of the browser, and an API key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja.errors import HttpError
from ninja.security import APIKeyCookie, HttpBearer

from studio.accounts.access import Principal, principal_of_key, principal_of_user, secret_sha256
from studio.accounts.errors import StaleTokenError
from studio.accounts.key_rules import keys_alive
from studio.accounts.keys import keys_used
from studio.accounts.sessions import use_note

KEY_USE_NOTED_EACH = timedelta(seconds=30)
"""A key's last use is written at most this often: a read must not cost a write each time."""


class SessionAuth(APIKeyCookie):
    """The browser's session cookie, with the CSRF check."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Principal | None:
        """Finds the person of the session."""
        if not key or not request.user.is_authenticated:
            return None
        use_note(request)
        return principal_of_user(request.user)

    def __call__(self, request: HttpRequest) -> Principal | None:
        """Leaves a request without a session cookie alone, so that it is answered 401 and not as a failed CSRF check."""
        if self.param_name not in request.COOKIES or not request.user.is_authenticated:
            return None
        try:
            return cast("Principal | None", super().__call__(request))
        except HttpError as refused:
            raise StaleTokenError(hint="Reload the page, or sign in again.") from refused


class ApiKeyAuth(HttpBearer):
    """``Authorization: Bearer my_...``."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        """Finds the key."""
        now = timezone.now()
        key: Any = keys_alive(now=now).filter(secret_sha256=secret_sha256(token)).first()
        if key is None:
            return None
        if key.last_used_at is None or now - key.last_used_at > KEY_USE_NOTED_EACH:
            keys_used({key.id: now}, address=request.META.get("REMOTE_ADDR", ""))
        return principal_of_key(key)


AUTH = [ApiKeyAuth(), SessionAuth()]
