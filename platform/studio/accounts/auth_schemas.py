"""What signing in, invitations and the account's safety look like on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from django.conf import settings
from ninja import Schema
from pydantic import Field, StringConstraints

from studio.accounts.models import Invitation
from studio.accounts.roles import Role
from studio.accounts.schemas import Email, Password

Secret = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=512)]
Code = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]
SignUp = Literal["open", "invitation", "closed"]
Step = Literal["verify_email", "mfa_authenticate", "provider_sign_up"]


class ProviderOut(Schema):
    """A service that people may sign in with."""

    id: str
    name: str


class SignInOptionsOut(Schema):
    """What the pages in front of the sign-in offer."""

    sign_up: SignUp
    """Who may make an account; the first one of an installation is always open."""
    is_first: bool
    """Nobody has an account yet."""
    sends_mail: bool
    """Addresses are confirmed and forgotten passwords reset by mail."""
    providers: list[ProviderOut]
    step: Step | None
    """What a sign-in of this browser waits for."""


class ConfirmationSentOut(Schema):
    """A mail was sent; the account can be used when its link was followed."""

    email: str


class CodeIn(Schema):
    """A code of the authenticator app, or a recovery code."""

    code: Code


class KeyOfLinkIn(Schema):
    """The key of a mail's link."""

    key: Secret


class MailAddressIn(Schema):
    """An email address."""

    email: Email


class NewPasswordIn(Schema):
    """The key of a link, and the password to have from now on."""

    key: Secret
    password: Password


class ReauthenticateIn(Schema):
    """The current password or a code of the second factor."""

    password: Password | None = None
    code: Code | None = None


class ProviderIn(Schema):
    """Which service, and what to do afterwards."""

    provider: str
    next: Annotated[str, StringConstraints(pattern=r"^/([^/\\][^\\]*)?$", max_length=512)] = "/projects"
    """A page of the app."""
    invitation: Secret | None = None


class AddressOut(Schema):
    """Where to go."""

    url: str


class SecondFactorOut(Schema):
    """Whether there is a second factor."""

    is_on: bool
    num_recovery_codes: int
    """Those not used yet."""
    has_password: bool
    """Whether the account has a password of its own; who came by a provider has none."""


class SecondFactorSetupOut(Schema):
    """What an authenticator app takes in."""

    secret: str
    """For typing it in, base 32."""
    url: str
    svg: str
    """The same as a QR code."""


class RecoveryCodesOut(Schema):
    """Codes for the day when the app is lost; each is good once."""

    codes: list[str]


class SessionOut(Schema):
    """A browser that one is signed in with."""

    id: int
    user_agent: str
    address: str
    created_at: datetime
    last_seen_at: datetime
    is_current: bool


class InvitationIn(Schema):
    """An invitation to make."""

    role: Role
    email: Annotated[str, StringConstraints(strip_whitespace=True, max_length=254)] = ""
    """Whom it is for; empty: whoever has the link."""
    days: Annotated[int, Field(ge=1, le=settings.INVITATION_DAYS_MAX)] = 7
    max_uses: Annotated[int, Field(ge=1, le=1000)] = 1
    project: str | None = Field(None, max_length=40, description="id of the only project that the invitation is for")


class InvitationOut(Schema):
    """An invitation without its link."""

    id: str
    role: Role
    """In the project, if it is for one."""
    project: str | None
    """Id of the only project that it is for; null: the workspace."""
    project_name: str | None
    email: str
    invited_by: str
    created_at: datetime
    expires_at: datetime
    max_uses: int
    num_uses: int


class InvitationMadeOut(Schema):
    """A new invitation and its link, which is shown this once."""

    invitation: InvitationOut
    link: str
    is_mailed: bool


class InvitationSecretIn(Schema):
    """The part behind ``#`` of an invitation's link."""

    secret: Secret


class InvitationLookOut(Schema):
    """What an invited person sees before saying yes."""

    workspace: str
    """Its name."""
    project: str | None
    """Name of the only project that it is for; null: the workspace."""
    role: Role
    invited_by: str
    email: str
    expires_at: datetime
    can_sign_up: bool


class InvitationAcceptedOut(Schema):
    """The workspace that one is a member of now."""

    workspace: str
    role: Role
    """In the workspace: of whoever comes for one project, guest."""
    project: str | None
    """Id of the project that one was invited to."""


class ResetLinkOut(Schema):
    """A link to a new password, good once."""

    link: str
    valid_hours: int


def invitation_out(row: Invitation, project_names: Mapping[str, str]) -> InvitationOut:
    """Renders an invitation; the names of projects are by their ids."""
    return InvitationOut(
        id=row.id,
        role=Role(row.role),
        project=row.project or None,
        project_name=project_names.get(row.project),
        email=row.email,
        invited_by=row.created_by.name if row.created_by else "",
        created_at=row.created_at,
        expires_at=row.expires_at,
        max_uses=row.max_uses,
        num_uses=row.num_uses,
    )
