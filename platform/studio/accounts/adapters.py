"""Adapters of django-allauth: addresses, limits, texts and users come from our own code."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.stages import EmailVerificationStage
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import translation

from studio.accounts import attempts, services, sign_up
from studio.accounts.errors import MailFailedError
from studio.accounts.models import Language, User

if TYPE_CHECKING:
    from allauth.socialaccount.models import SocialLogin
    from cryptography.fernet import MultiFernet

_DJANGO_LANGUAGE = {Language.EN: "en", Language.ZH: "zh-hans"}


class ConfirmStage(EmailVerificationStage):  # type: ignore[misc]  # a library without types
    """Asks for a confirmed address whoever signed up while mail was set up; accounts from before go on as they are."""

    def handle(self) -> Any:  # noqa: ANN401 - allauth's own signature
        """Looks whether the person was ever asked."""
        if not self.login.user.must_confirm_email:
            return None, True
        return super().handle()


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # a library without types
    """Accounts."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Where a request comes from."""
        return attempts.client_ip(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anybody may make an account."""
        del request
        return sign_up.is_open()

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuses when too many passwords were wrong."""
        attempts.attempts_check(request, str(credentials.get("email", "")))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Counts a wrong password."""
        attempts.attempt_failed(request, str(credentials.get("email", "")))

    def get_login_stages(self) -> list[str]:
        """The steps of a sign-in after the password."""
        return ["studio.accounts.adapters.ConfirmStage", "allauth.mfa.stages.AuthenticateStage"]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends a mail in the language of whom it is for.

        Raises:
            MailFailedError: the server for mail did not take it.
        """
        person = context.get("user") or User.objects.filter(email=email).first()
        language = _DJANGO_LANGUAGE[Language(person.language)] if person else context.get("language", "en")
        try:
            with translation.override(language):
                super().send_mail(template_prefix, email, context)
        except OSError as error:  # smtplib's errors are such
            raise MailFailedError(hint="Try again later; the operator finds the cause in the server's log.") from error


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # a library without types
    """The second factor: secrets of authenticator apps lie encrypted in the database."""

    def encrypt(self, text: str) -> str:
        """Encrypts with a key made of the installation's secret."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The other way round."""
        return _cipher().decrypt(encrypted_text.encode()).decode()


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # a library without types
    """People who sign in with a provider of identities."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Whether the provider's person gets an account: by an allowed domain, an invitation, or because anybody does."""
        domains = settings.OIDC.domains if settings.OIDC else ()
        confirmed = {each.email.rpartition("@")[2].lower() for each in sociallogin.email_addresses if each.verified}
        return bool(confirmed & set(domains)) or sign_up.pending_invitation(request) is not None or sign_up.is_open()

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Takes the name over."""
        user: User = super().populate_user(request, sociallogin, data)
        first, last = (str(data.get(part) or "") for part in ("first_name", "last_name"))
        name = str(data.get("name") or f"{first} {last}")
        user.email = user.email.lower()
        user.name = (name.strip() or user.email.partition("@")[0])[:120]
        user.language = sign_up.language_of(request)
        user.must_confirm_email = settings.HAS_MAIL and not any(each.verified for each in sociallogin.email_addresses)
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:  # noqa: ANN401
        """Makes the account with a workspace of its own, and lets it into the one it was invited to."""
        with transaction.atomic():
            user: User = super().save_user(request, sociallogin, form)
            services.workspace_of_new_person(user)
            sign_up.invitation_take(request, user)
        return user


def _cipher() -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415 - slow to import, and seldom needed

    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    hashes = (hashlib.sha256(f"second factor {key!s}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(each)) for each in hashes])
