"""HTTP endpoints of signing in: accounts, passwords, providers."""

from __future__ import annotations

from allauth.socialaccount.adapter import get_adapter as provider_adapter
from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Status

from studio.accounts import headless, services, sign_in, sign_up
from studio.accounts.access import person_of
from studio.accounts.account_deletion import account_delete
from studio.accounts.account_events import account_event
from studio.accounts.auth_schemas import (
    AddressOut,
    CodeIn,
    ConfirmationSentOut,
    KeyOfLinkIn,
    MailAddressIn,
    NewPasswordIn,
    ProviderIn,
    ProviderOut,
    SignInOptionsOut,
    Step,
)
from studio.accounts.codes import code_ask
from studio.accounts.errors import EmailNotConfirmedError, MailMissingError, SignInStepMissingError
from studio.accounts.models import User
from studio.accounts.providers import provider_address, provider_step
from studio.accounts.schemas import MeIn, MeOut, SignInIn, SignUpIn, me_out

router = Router(tags=["accounts"])


@router.get("/auth/options", response=SignInOptionsOut, auth=None, operation_id="sign_in_options")
def sign_in_options(request: HttpRequest) -> SignInOptionsOut:
    """Options of the sign-in pages, and the state of a sign-in; also sets the CSRF cookie."""
    get_token(request)
    providers = provider_adapter(request).list_providers(request) if settings.OIDC else []
    return SignInOptionsOut(
        sign_up="open" if sign_up.is_open() else settings.SIGN_UP,
        is_first=sign_up.is_first(),
        sends_mail=settings.HAS_MAIL,
        providers=[ProviderOut(id=each.app.provider_id, name=each.name) for each in providers],
        step=_step(request),
    )


def _step(request: HttpRequest) -> Step | None:
    pending: Step | None = sign_in.step_pending(request)  # type: ignore[assignment]  # keys of STEPS
    return pending or ("provider_sign_up" if provider_step(request) else None)


@router.post("/auth/sign-up", response={201: MeOut, 202: ConfirmationSentOut}, auth=None, operation_id="sign_up")
def sign_up_post(request: HttpRequest, body: SignUpIn) -> Status[MeOut | ConfirmationSentOut]:
    """Makes an account and signs it in; 202: a mail was sent, whose link must be followed first."""
    sign_in.origin_check(request)
    try:
        user = sign_up.user_sign_up(
            request=request,
            email=body.email,
            password=body.password,
            name=body.name,
            language=body.language,
            invitation=body.invitation,
        )
    except EmailNotConfirmedError:
        return Status(202, ConfirmationSentOut(email=body.email))
    return Status(201, me_out(user))


@router.post("/auth/sign-in", response=MeOut, auth=None, operation_id="sign_in")
def sign_in_post(request: HttpRequest, body: SignInIn) -> MeOut:
    """Signs a person in; 401 ``second_factor_needed``: go on with POST /auth/second-factor."""
    sign_in.origin_check(request)
    return me_out(sign_in.user_sign_in(request=request, email=body.email, password=body.password))


@router.post("/auth/second-factor", response=MeOut, auth=None, operation_id="sign_in_second_factor")
def sign_in_second_factor(request: HttpRequest, body: CodeIn) -> MeOut:
    """The second step of a sign-in: a code of the authenticator app, or a recovery code."""
    sign_in.origin_check(request)
    if sign_in.step_pending(request) != "mfa_authenticate":
        raise SignInStepMissingError(hint="Enter your password again.")
    user = str(request.session["account_login"].get("user_pk"))
    code_ask("mfa.views.AuthenticateView", request, user=user, code=body.code)
    return me_out(_signed_in(request))


@router.post("/auth/email/confirm", response={204: None}, auth=None, operation_id="email_confirm")
def email_confirm(request: HttpRequest, body: KeyOfLinkIn) -> Status[None]:
    """Confirms an address by the key of the mail's link. One signs in afterwards."""
    del body  # allauth's view reads it
    sign_in.origin_check(request)
    headless.ask("account.views.VerifyEmailView", request, also=(401,))
    return Status(204, None)


@router.post("/auth/password-reset", response={204: None}, auth=None, operation_id="password_reset")
def password_reset(request: HttpRequest, body: MailAddressIn) -> Status[None]:
    """Sends a link to a new password, if there is an account; the answer does not show whether there is one."""
    sign_in.origin_check(request)
    if not settings.HAS_MAIL:
        raise MailMissingError(hint="Ask an owner of your workspace or the operator for a link to a new password.")
    headless.ask("account.views.RequestPasswordResetView", request)  # reads the address from the request
    account_event("account.password_reset_asked", request, User.objects.filter(email=body.email.strip().lower()).first())
    return Status(204, None)


@router.post("/auth/password-reset/confirm", response={204: None}, auth=None, operation_id="password_reset_confirm")
def password_reset_confirm(request: HttpRequest, body: NewPasswordIn) -> Status[None]:
    """Sets a new password by the key of a link; all sessions of the person end. One signs in afterwards."""
    del body  # allauth's view reads it
    sign_in.origin_check(request)
    headless.ask("account.views.ResetPasswordView", request, also=(401,))
    return Status(204, None)


@router.post("/auth/provider", response=AddressOut, auth=None, operation_id="provider_sign_in")
def provider_sign_in(request: HttpRequest, body: ProviderIn) -> AddressOut:
    """The address of a service to sign in with; the browser goes there and comes back to ``next``."""
    sign_in.origin_check(request)
    sign_up.invitation_keep(request, body.invitation)
    return AddressOut(url=provider_address(request, body.provider, body.next))


@router.post("/auth/sign-out", response={204: None}, operation_id="sign_out")
def sign_out(request: HttpRequest) -> Status[None]:
    """Ends the session."""
    sign_in.session_end(request=request)
    return Status(204, None)


@router.get("/auth/me", response=MeOut, operation_id="me_get")
def me_get(request: HttpRequest) -> MeOut:
    """The person who is signed in; also sets the CSRF cookie. 403 for a key, which is no person."""
    user = person_of(request)
    get_token(request)
    return me_out(user)


@router.patch("/auth/me", response=MeOut, operation_id="me_update")
def me_update(request: HttpRequest, body: MeIn) -> MeOut:
    """Changes name, language, theme, password, or whether notices are mailed."""
    user = person_of(request)
    if body.password is not None:
        sign_in.password_change(request=request, user=user, old=body.password.old, new=body.password.new)
    changed = services.user_update(
        user=user, name=body.name, language=body.language, theme=body.theme, has_notice_mail=body.has_notice_mail
    )
    return me_out(changed)


@router.delete("/auth/me", response={204: None}, operation_id="me_delete")
def me_delete(request: HttpRequest) -> Status[None]:
    """Deletes one's own account and ends its keys. Needs a fresh session; 409 ``last_owner``: a workspace would have no owner.

    What one labelled, wrote and trained stays in the workspaces, without the name.
    """
    account_delete(request=request, user=person_of(request))
    return Status(204, None)


def _signed_in(request: HttpRequest) -> User:
    user = request.user
    if not isinstance(user, User):
        raise SignInStepMissingError
    return user
