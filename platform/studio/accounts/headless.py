"""Calls django-allauth's headless API behind our own endpoints, and returns its errors in our form.

Its views read the same request: an endpoint takes the body that the view documents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from django.http import HttpRequest
from django.utils.module_loading import import_string

from studio.accounts.errors import (
    CodeWrongError,
    EmailNotConfirmedError,
    LinkInvalidError,
    PasswordTooWeakError,
    PasswordWrongError,
    ReauthenticationNeededError,
    SignInStepMissingError,
    TooManyAttemptsError,
)
from studio.common.errors import ConflictError, InvalidInputError, PermissionDeniedError, StudioError

_BY_CODE: dict[str, type[StudioError]] = {
    "incorrect_code": CodeWrongError,
    "incorrect_password": PasswordWrongError,
    "invalid_password_reset": LinkInvalidError,
    "invalid_or_expired_key": LinkInvalidError,
    "unverified_email": EmailNotConfirmedError,
    "too_many_login_attempts": TooManyAttemptsError,
    "rate_limited": TooManyAttemptsError,
}
RETRY_AFTER_S = 300


def ask(view: str, request: HttpRequest, *, also: Sequence[int] = ()) -> dict[str, Any]:
    """Has a view of allauth's answer a request.

    Args:
        view: below ``allauth.headless``, like ``mfa.views.ManageTOTPView``.
        request: method and body are what the view expects.
        also: statuses beside 200 that are no refusal.

    Returns:
        ``data`` and ``meta`` of its answer, and ``status``.

    Raises:
        StudioError: the refusal, in our form.
    """
    from allauth.headless.constants import Client  # noqa: PLC0415 - as the view, not before somebody needs it

    response = import_string(f"allauth.headless.{view}").as_api_view(client=Client.BROWSER)(request)
    answer: dict[str, Any] = json.loads(response.content or b"{}")
    answer["status"] = response.status_code
    if response.status_code in {200, *also}:
        return answer
    raise _refusal(answer)


def mark(request: HttpRequest) -> None:
    """Tells allauth's own functions that a browser's program asks, which wants no pages and no redirects."""
    request.allauth.headless = SimpleNamespace(client="browser")  # type: ignore[attr-defined]


def _refusal(answer: Mapping[str, Any]) -> StudioError:
    errors = answer.get("errors", [])
    status = answer["status"]
    for error in errors:
        if error.get("code") in _BY_CODE:
            return _known(_BY_CODE[error["code"]], error)
    if status == 401:
        is_signed_in = answer.get("meta", {}).get("is_authenticated")
        return ReauthenticationNeededError(hint="Enter your password or a code.") if is_signed_in else SignInStepMissingError()
    if status == 429:
        return _known(TooManyAttemptsError, {})
    if status == 403:
        return PermissionDeniedError()
    if status == 409:
        return ConflictError()
    fields: dict[str, list[str]] = {}
    for error in errors:
        fields.setdefault(error.get("param", "body"), []).append(error["message"])
    kind = PasswordTooWeakError if "password" in fields else InvalidInputError
    return kind(" ".join(error["message"] for error in errors), fields=fields)


def _known(kind: type[StudioError], error: Mapping[str, Any]) -> StudioError:
    if kind is TooManyAttemptsError:
        return kind(hint="Wait a few minutes.", extra={"retry_after_s": RETRY_AFTER_S})
    fields = {error["param"]: [error["message"]]} if "param" in error else None
    return kind(fields=fields)
