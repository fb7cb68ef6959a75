"""Limits on wrong passwords and codes: per account and address of the network, and per address over all accounts."""

from __future__ import annotations

import hashlib
import ipaddress
from datetime import datetime

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from studio.accounts.errors import TooManyAttemptsError
from studio.accounts.models import SignInFailure, User
from studio.accounts.security_events import security_event


def client_address(request: HttpRequest) -> str:
    """Where a request comes from; behind a proxy, what the nearest proxy saw."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    return (forwarded.rsplit(",", 1)[-1].strip() or request.META.get("REMOTE_ADDR") or "unknown")[:64]


def client_ip(request: HttpRequest) -> str:
    """The same as an address that a column of addresses takes; ``0.0.0.0`` where it is not known."""
    try:
        return str(ipaddress.ip_address(client_address(request)))
    except ValueError:
        return "0.0.0.0"  # noqa: S104 - a value to show, nothing is bound


def attempts_check(request: HttpRequest, account: str, now: datetime | None = None) -> None:
    """Looks before a password or code is compared.

    Args:
        request: whose address counts.
        account: what the attempts are about: an email address, or the id of a person.
        now: the time.

    Raises:
        TooManyAttemptsError: too many wrong ones within the window.
    """
    now = now or timezone.now()
    recent = SignInFailure.objects.filter(address=client_address(request), at__gt=now - settings.SIGN_IN_WINDOW)
    limits = (
        (recent.filter(account_sha256=_hash(account)), settings.SIGN_IN_FAILURES_PER_ACCOUNT),
        (recent, settings.SIGN_IN_FAILURES_PER_ADDRESS),
    )
    for failures, limit in limits:
        times = list(failures.order_by("-at").values_list("at", flat=True)[:limit])
        if len(times) == limit:
            wait_s = max(1, int((times[-1] + settings.SIGN_IN_WINDOW - now).total_seconds()))
            minutes = -(-wait_s // 60)
            raise TooManyAttemptsError(
                f"Too many wrong passwords or codes. Try again in {minutes} minutes.",
                hint=_way_back(),
                extra={"retry_after_s": wait_s},
                params={"minutes": minutes},
            )


def attempt_failed(request: HttpRequest, account: str, now: datetime | None = None) -> None:
    """Notes a wrong one. The one after which no more are let in is an event of security, once for the window."""
    now = now or timezone.now()
    address = client_address(request)
    SignInFailure.objects.create(account_sha256=_hash(account), address=address, at=now)
    recent = SignInFailure.objects.filter(address=address, at__gt=now - settings.SIGN_IN_WINDOW)
    if recent.filter(account_sha256=_hash(account)).count() == settings.SIGN_IN_FAILURES_PER_ACCOUNT:
        _record_blocked(account, address)


def _record_blocked(account: str, address: str) -> None:
    known = account.strip().lower()
    person = User.objects.filter(Q(email=known) | Q(id=known.rpartition(" ")[2])).first()
    detail = {"email": person.email} if person else {}
    security_event("account.sign_in_blocked", person=person, address=address, detail=detail)


def attempts_clear(request: HttpRequest, account: str) -> None:
    """Forgets the wrong ones after a right one."""
    SignInFailure.objects.filter(account_sha256=_hash(account), address=client_address(request)).delete()


def failures_prune(*, now: datetime | None = None) -> int:
    """Deletes failures that no limit counts any more; returns how many."""
    return SignInFailure.objects.filter(at__lt=(now or timezone.now()) - settings.SIGN_IN_WINDOW).delete()[0]


def _way_back() -> str:
    if settings.HAS_MAIL:
        return "If you forgot the password, have a link to a new one sent to you: Forgot password? below the form."
    return "If you forgot the password, ask an owner of your workspace or the operator for a link to a new one."


def _hash(account: str) -> str:
    return hashlib.sha256(account.strip().lower().encode()).hexdigest()
