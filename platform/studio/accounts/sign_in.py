"""Signing in and out, with a limit on wrong passwords per account and per address of the network."""

from __future__ import annotations

import hashlib
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.http import HttpRequest
from django.utils import timezone

from studio.accounts.errors import ForeignOriginError, SignInFailedError, TooManyAttemptsError
from studio.accounts.models import SignInFailure, User

BACKEND = "studio.accounts.access.SessionBackend"


def client_address(request: HttpRequest) -> str:
    """Where a request comes from; behind a proxy, what the nearest proxy saw."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    return (forwarded.rsplit(",", 1)[-1].strip() or request.META.get("REMOTE_ADDR") or "unknown")[:64]


def origin_check(request: HttpRequest) -> None:
    """Refuses a request that a page of another site sent; for doors that are open before there is a session.

    Raises:
        ForeignOriginError: it did.
    """
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS or urlsplit(origin).netloc == request.get_host():
        return
    raise ForeignOriginError(hint="Open Modelyard by the address in MODELYARD_PUBLIC_URL.")


def user_sign_in(*, request: HttpRequest, email: str, password: str, now: datetime | None = None) -> User:
    """Checks the password and starts a session.

    Raises:
        TooManyAttemptsError: too many wrong passwords within the window.
        SignInFailedError: address or password is wrong.
    """
    now = now or timezone.now()
    account = hashlib.sha256(email.strip().lower().encode()).hexdigest()
    address = client_address(request)
    _attempts_check(account, address, now)
    user = authenticate(request, username=email.strip().lower(), password=password)
    if not isinstance(user, User):
        SignInFailure.objects.create(account_sha256=account, address=address, at=now)
        raise SignInFailedError(hint="Check both and try again.")
    SignInFailure.objects.filter(account_sha256=account, address=address).delete()
    session_start(request=request, user=user)
    return user


def session_start(*, request: HttpRequest, user: User) -> None:
    """Starts a session with a new id and a new CSRF token."""
    login(request, user, backend=BACKEND)


def session_renew(*, request: HttpRequest, user: User) -> None:
    """Keeps this session alive after the password changed; all others have ended."""
    update_session_auth_hash(request, user)


def session_end(*, request: HttpRequest) -> None:
    """Ends the session."""
    logout(request)


def failures_prune(*, now: datetime | None = None) -> int:
    """Deletes failures that no limit looks at any more; returns how many."""
    return SignInFailure.objects.filter(at__lt=(now or timezone.now()) - settings.SIGN_IN_WINDOW).delete()[0]


def _attempts_check(account: str, address: str, now: datetime) -> None:
    recent = SignInFailure.objects.filter(address=address, at__gt=now - settings.SIGN_IN_WINDOW)
    limits = (
        (recent.filter(account_sha256=account), settings.SIGN_IN_FAILURES_PER_ACCOUNT),
        (recent, settings.SIGN_IN_FAILURES_PER_ADDRESS),
    )
    for failures, limit in limits:
        times = list(failures.order_by("-at").values_list("at", flat=True)[:limit])
        if len(times) == limit:
            wait_s = max(1, int((times[-1] + settings.SIGN_IN_WINDOW - now).total_seconds()))
            raise TooManyAttemptsError(
                f"Too many wrong passwords. Try again in {-(-wait_s // 60)} minutes.",
                hint="If you forgot the password, ask an owner of your workspace.",
                extra={"retry_after_s": wait_s},
            )
