"""Codes of the second factor: limited in number when they are wrong, and each good once for as long as it is good at all.

django-allauth remembers a used code for half a minute; with the tolerance of a step before and after it is good for longer.
"""

from __future__ import annotations

import hashlib

from allauth.mfa import app_settings
from django.core.cache import cache
from django.http import HttpRequest

from studio.accounts import headless
from studio.accounts.attempts import attempt_failed, attempts_check, attempts_clear
from studio.accounts.errors import CodeWrongError


def code_ask(view: str, request: HttpRequest, *, user: str, code: str) -> None:
    """Has a view of allauth's look at a code.

    Args:
        view: as ``headless.ask`` takes it; it reads the code from the request.
        request: whose address the limit counts.
        user: id of the person.
        code: as typed.

    Raises:
        TooManyAttemptsError: too many wrong ones within the window.
        CodeWrongError: it is wrong, or was used already.
    """
    account = f"second factor {user}"
    attempts_check(request, account)
    digest = hashlib.sha256("".join(code.split()).encode()).hexdigest()
    used = f"code-used:{user}:{digest}"
    try:
        if cache.get(used) is not None:
            raise CodeWrongError(hint="Every code is good once. Wait for the next one.")
        headless.ask(view, request)
    except CodeWrongError:
        attempt_failed(request, account)
        raise
    cache.set(used, True, timeout=app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1))
    attempts_clear(request, account)
