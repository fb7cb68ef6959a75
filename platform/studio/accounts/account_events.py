"""What happens to people's accounts, brought into the audit: sign-ins, passwords, second factors, providers.

Django and allauth send signals, however it came about. A session that code starts (``force_login``, a command) comes from no
address of the network and is nobody's sign-in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.account.signals import email_confirmed, password_reset
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.socialaccount.signals import social_account_added
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from studio.accounts.attempts import client_address
from studio.accounts.models import User
from studio.accounts.security_events import security_event


def account_event(action: str, request: HttpRequest | None, person: User | None, **detail: str) -> None:
    """Records an event of somebody's account that a request brought about.

    Args:
        action: one of ``audit_words.TOPICS`` below ``account.``.
        request: without an address it was code, and nothing is recorded.
        person: whose account; None where there is none of that name.
        detail: what else is worth knowing.
    """
    if request is not None and "REMOTE_ADDR" in request.META:
        security_event(action, person=person, address=client_address(request), detail=dict(detail))


@receiver(user_logged_in)
def _signed_in(request: HttpRequest | None, user: User, **_: object) -> None:
    account_event("account.sign_in", request, user)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest | None, user: User | None, **_: object) -> None:
    if user is not None:
        account_event("account.sign_out", request, user)


@receiver(user_login_failed)
def _failed(credentials: Mapping[str, Any], request: HttpRequest | None = None, **_: object) -> None:
    email = str(credentials.get("username") or credentials.get("email") or "")[:254]
    account_event("account.sign_in_failed", request, User.objects.filter(email=email).first(), email=email)


@receiver(password_reset)
def _password_reset(request: HttpRequest, user: User, **_: object) -> None:
    account_event("account.password_reset", request, user)


@receiver(email_confirmed)
def _email_confirmed(request: HttpRequest, email_address: Any, **_: object) -> None:  # noqa: ANN401 - allauth has no types
    account_event("account.email_confirmed", request, email_address.user, email=email_address.email)


@receiver(authenticator_added)
def _factor_added(request: HttpRequest, user: User, authenticator: Authenticator, **_: object) -> None:
    account_event(_FACTOR_WORDS[authenticator.type][0], request, user)


@receiver(authenticator_reset)
def _factor_made_anew(request: HttpRequest, user: User, authenticator: Authenticator, **_: object) -> None:
    account_event(_FACTOR_WORDS[authenticator.type][0], request, user)


@receiver(authenticator_removed)
def _factor_removed(request: HttpRequest, user: User, authenticator: Authenticator, **_: object) -> None:
    if (action := _FACTOR_WORDS[authenticator.type][1]) is not None:
        account_event(action, request, user)


@receiver(social_account_added)
def _provider_connected(request: HttpRequest, sociallogin: Any, **_: object) -> None:  # noqa: ANN401 - allauth has no types
    account_event("account.provider_connected", request, sociallogin.user, provider=sociallogin.account.provider)


_FACTOR_WORDS: dict[str, tuple[str, str | None]] = {
    Authenticator.Type.TOTP: ("account.mfa_enabled", "account.mfa_disabled"),
    Authenticator.Type.RECOVERY_CODES: ("account.recovery_codes_made", None),
    Authenticator.Type.WEBAUTHN: ("account.passkey_added", "account.passkey_removed"),
}
"""What adding and removing a factor is called in the audit."""
