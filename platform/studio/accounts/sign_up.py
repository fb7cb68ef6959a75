"""New accounts: who may make one, by the switch MODELYARD_SIGN_UP and by invitations."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest

from studio.accounts import headless, services
from studio.accounts.errors import InvitationInvalidError, SignUpClosedError, TooManySignUpsError
from studio.accounts.invitations import invitation_accept, invitation_find
from studio.accounts.models import Invitation, Language, User
from studio.accounts.sign_in import STEPS, session_start

RETRY_AFTER_S = 3600
_SESSION_KEY = "modelyard_invitation"
"""Where a session keeps an invitation while its person is away at a provider of identities."""


def is_first() -> bool:
    """Whether nobody has an account yet."""
    return not User.objects.exists()


def is_open() -> bool:
    """Whether anybody may make an account. The first one of an installation can always be made."""
    return settings.SIGN_UP == "open" or is_first()


def user_sign_up(
    *, request: HttpRequest, email: str, password: str, name: str, language: Language, invitation: str | None = None
) -> User:
    """Makes an account, lets it into the workspace of the invitation, and signs it in.

    Where mail is sent, somebody who has an account already gets a mail that says so, and the answer is the same.

    Raises:
        SignUpClosedError: one needs an invitation, or there are no new accounts.
        InvitationInvalidError: the invitation is used up or too old.
        TooManySignUpsError: too many from one address of the network.
        EmailNotConfirmedError: a mail was sent; its link must be followed first.
        EmailTakenError: there is an account, and no mail to say it by.
    """
    found = _door(invitation)
    if not ratelimit.consume(request, action="signup"):
        raise TooManySignUpsError(hint="Try again in an hour.", extra={"retry_after_s": RETRY_AFTER_S})
    headless.mark(request)
    if settings.HAS_MAIL and User.objects.filter(email=email.strip().lower()).exists():
        _notify_owner(email.strip().lower(), password)
        raise STEPS["verify_email"]
    with transaction.atomic():
        confirms = settings.HAS_MAIL and not is_first()
        user = services.user_sign_up(email=email, password=password, name=name, language=language)
        if confirms:
            User.objects.filter(id=user.id).update(must_confirm_email=True)
            user.must_confirm_email = True
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
        if found is not None and invitation is not None:
            invitation_accept(secret=invitation, user=user)
    session_start(request=request, user=user, is_new=True)
    return user


def _door(invitation: str | None) -> Invitation | None:
    found = invitation_find(invitation) if invitation else None
    if found is None and not is_open():
        hint = "Ask an owner of a workspace for an invitation." if settings.SIGN_UP == "invitation" else "Ask the operator."
        raise SignUpClosedError(hint=hint)
    if settings.SIGN_UP == "closed" and not is_first():
        raise SignUpClosedError(hint="Ask the operator.")
    return found


def _notify_owner(email: str, password: str) -> None:
    """Writes to the owner of the account, and takes the time that making one takes."""
    services.password_set(User(email=email), password)
    make_password(password)
    get_adapter().send_account_already_exists_mail(email)


def invitation_keep(request: HttpRequest, secret: str | None) -> None:
    """Remembers an invitation while the person is away at a provider."""
    if secret:
        invitation_find(secret)
        request.session[_SESSION_KEY] = secret
    else:
        request.session.pop(_SESSION_KEY, None)


def pending_invitation(request: HttpRequest) -> Invitation | None:
    """The invitation remembered, if it is good and the switch lets anybody in by one."""
    secret = request.session.get(_SESSION_KEY)
    if not secret or settings.SIGN_UP == "closed":
        return None
    try:
        return invitation_find(secret)
    except InvitationInvalidError:
        return None


def invitation_take(request: HttpRequest, user: User) -> None:
    """Lets a new person into the workspace of the invitation remembered."""
    if pending_invitation(request) is not None:
        invitation_accept(secret=request.session.pop(_SESSION_KEY), user=user)


def language_of(request: HttpRequest) -> Language:
    """The language that a browser prefers, of ours."""
    return Language.ZH if request.headers.get("Accept-Language", "").lower().startswith("zh") else Language.EN
