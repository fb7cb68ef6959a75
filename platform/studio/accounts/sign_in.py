"""Signing in and out: password, then what else the account asks for, then a session."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from allauth.account.stages import LoginStageController
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.http import HttpRequest

from studio.accounts import headless, services
from studio.accounts.account_events import account_event
from studio.accounts.attempts import attempt_failed, attempts_check, attempts_clear, client_address
from studio.accounts.errors import (
    EmailNotConfirmedError,
    ForeignOriginError,
    PasswordWrongError,
    SecondFactorNeededError,
    SignInFailedError,
)
from studio.accounts.models import Session, User
from studio.common.errors import StudioError

STEPS: dict[str, StudioError] = {
    "verify_email": EmailNotConfirmedError(hint="Open the mail that was sent to you and follow its link."),
    "mfa_authenticate": SecondFactorNeededError(hint="Send it to POST /api/auth/second-factor within 15 minutes."),
}
"""allauth's name of a step that a sign-in waits for -> what is answered."""


def origin_check(request: HttpRequest) -> None:
    """Refuses a request that a page of another site sent; for endpoints that are open before there is a session.

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
        SecondFactorNeededError: the password was right; a code must follow.
        EmailNotConfirmedError: the password was right; the link in the mail was not followed yet.
    """
    attempts_check(request, email, now)
    user = authenticate(request, username=email.strip().lower(), password=password)
    if not isinstance(user, User):
        attempt_failed(request, email, now)
        raise SignInFailedError(hint="Check both and try again.")
    attempts_clear(request, email)
    session_start(request=request, user=user)
    return user


def session_start(*, request: HttpRequest, user: User, is_new: bool = False) -> None:
    """Starts a session with a new id and a new CSRF token.

    Raises:
        SecondFactorNeededError: a code must follow.
        EmailNotConfirmedError: the link in the mail must be followed.
    """
    if request.user.is_authenticated:
        logout(request)
    headless.mark(request)
    perform_login(request, user, email=user.email, signup=is_new)
    step = step_pending(request)
    if step is not None:
        raise STEPS[step]


def step_pending(request: HttpRequest) -> str | None:
    """The step that a sign-in waits for: a key of ``STEPS``; None when none is under way."""
    if request.user.is_authenticated:
        return None
    return next((key for key in STEPS if LoginStageController.enter(request, key)), None)


def password_change(*, request: HttpRequest, user: User, old: str, new: str) -> None:
    """Changes the password; every other session of the person ends by that.

    Raises:
        TooManyAttemptsError: the present one was wrong too often.
        PasswordWrongError: ``old`` is not the present one.
        PasswordTooWeakError: with what is wrong with ``new``.
    """
    attempts_check(request, user.email)
    try:
        services.user_change_password(user=user, old=old, new=new)
    except PasswordWrongError:
        attempt_failed(request, user.email)
        raise
    attempts_clear(request, user.email)
    account_event("account.password_changed", request, user)
    session_renew(request=request, user=user)


def session_renew(*, request: HttpRequest, user: User) -> None:
    """Keeps this session alive after the password changed; all others end."""
    from allauth.usersessions.models import UserSession  # noqa: PLC0415 - seldom needed

    update_session_auth_hash(request, user)
    UserSession.objects.create_from_request(request)
    sessions_end_others(request=request, user=user)


def sessions_end_others(*, request: HttpRequest, user: User) -> int:
    """Ends all sessions of a person but this one; returns how many."""
    from allauth.usersessions.models import UserSession  # noqa: PLC0415 - seldom needed

    UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key).delete()
    return Session.objects.filter(user=user).exclude(session_key=request.session.session_key).delete()[0]


def session_end(*, request: HttpRequest) -> None:
    """Ends the session."""
    logout(request)


__all__ = [
    "STEPS",
    "client_address",
    "origin_check",
    "password_change",
    "session_end",
    "session_start",
    "step_pending",
    "user_sign_in",
]
