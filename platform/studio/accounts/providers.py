"""Signing in with a provider of identities: where to send a browser, and where it comes back."""

from __future__ import annotations

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal.flows.signup import get_pending_signup
from django.conf import settings
from django.http import HttpRequest
from requests import RequestException

from studio.accounts import headless
from studio.accounts.errors import ProviderFailedError, ProviderUnknownError

PROCESS = "login"


def provider_address(request: HttpRequest, provider: str, next_page: str) -> str:
    """The provider's page, with what it must know to send the browser back.

    Raises:
        ProviderUnknownError: there is no such provider.
        ProviderFailedError: it does not say where its pages are.
    """
    if settings.OIDC is None or provider != "oidc":
        raise ProviderUnknownError
    headless.mark(request)
    found = get_adapter(request).get_provider(request, provider)
    try:
        return str(found.redirect(request, PROCESS, next_url=f"{settings.PUBLIC_URL}{next_page}", headless=True).url)
    except (RequestException, KeyError, ValueError) as error:
        raise ProviderFailedError(hint="Try again later, or sign in with a password.") from error


def provider_step(request: HttpRequest) -> bool:
    """Whether the address that the provider gave belongs to an account that it may not open."""
    return settings.OIDC is not None and get_pending_signup(request) is not None
