"""What can go wrong with accounts."""

from __future__ import annotations

from studio.common.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    StudioError,
    TooManyRequestsError,
    UnavailableError,
)


class SignInFailedError(StudioError):
    """Address or password is wrong; which one is not disclosed."""

    status = 401
    code = "sign_in_failed"
    title = "The email address or the password is wrong"


class TooManyAttemptsError(TooManyRequestsError):
    """Too many wrong passwords or codes."""

    code = "too_many_attempts"
    title = "Too many wrong passwords or codes"
    param_names = ("minutes",)


class RateLimitedError(TooManyRequestsError):
    """The caller asks for something costly more often than the installation allows."""

    code = "rate_limited"
    title = "Too many requests in a short time"
    param_names = ("limit", "retry_after_s")


class EmailTakenError(ConflictError):
    """Somebody has an account with this address."""

    code = "email_taken"
    title = "There is an account with this email address"


class PasswordTooWeakError(InvalidInputError):
    """The password is easy to guess."""

    code = "password_too_weak"
    title = "The password is too weak"
    param_names = ("reason",)


class PasswordWrongError(InvalidInputError):
    """The current password does not match."""

    code = "password_wrong"
    title = "The current password is wrong"


class UserNotFoundError(NotFoundError):
    """Nobody has an account with this address."""

    code = "user_not_found"
    title = "Nobody has an account with this email address"


class AlreadyMemberError(ConflictError):
    """The person is a member already."""

    code = "already_member"
    title = "This person is a member already"


class ProjectRoleError(InvalidInputError):
    """Nobody can have this role in a single project."""

    code = "project_role_invalid"
    title = "This role is not for a single project"


class OwnerSeesAllError(ConflictError):
    """An owner of the workspace may do everything in each of its projects, whatever roles the project names."""

    code = "owner_sees_all"
    title = "Owners of the workspace have access to every project"


class GuestNeedsProjectError(InvalidInputError):
    """A guest sees only projects that name them, so that nothing is there for a guest of none."""

    code = "guest_needs_project"
    title = "A guest is invited to a project"


class LastOwnerError(ConflictError):
    """A workspace keeps at least one owner."""

    code = "last_owner"
    title = "A workspace needs an owner"
    param_names = ("name",)


class ForeignOriginError(StudioError):
    """A page of another site sent the request."""

    status = 403
    code = "foreign_origin"
    title = "The request comes from another site"


class KeysMakeNoKeysError(PermissionDeniedError):
    """A key may not make keys: a stolen one could then never be revoked for good."""

    code = "keys_make_no_keys"
    title = "API keys are made, seen and revoked by people only"


class KeysManageNoMembersError(PermissionDeniedError):
    """A key asks who is in a workspace to change: a person that it let in would stay when the key is revoked."""

    code = "keys_manage_no_members"
    title = "Members are invited, changed and removed by people only"


class KeyOutOfScopeError(PermissionDeniedError):
    """The key's scope does not include this."""

    code = "key_out_of_scope"
    title = "The API key is not for this"
    param_names = ("context",)


class StaleTokenError(StudioError):
    """The CSRF token does not go with the session: signed in anew meanwhile, cookies cleared, or another site's page."""

    status = 403
    code = "csrf_failed"
    title = "This page and your session do not belong together any more"


class StorageQuotaError(StudioError):
    """The workspace has as much stored as it may."""

    status = 507
    code = "storage_quota_exceeded"
    title = "The storage of this workspace is used up"
    param_names = ("used", "limit")


class ItemsQuotaError(StudioError):
    """The workspace has as many items as it may."""

    status = 403
    code = "items_quota_exceeded"
    title = "This workspace holds as much data as it may"
    param_names = ("used", "limit")


class JobsQuotaError(TooManyRequestsError):
    """As many jobs wait and run as may."""

    code = "jobs_quota_exceeded"
    title = "As many jobs wait and run as this workspace may have"
    param_names = ("used", "limit")


class SignUpClosedError(StudioError):
    """Accounts are made by invitation only, or not at all."""

    status = 403
    code = "sign_up_closed"
    title = "New accounts are not open to everybody here"


class TooManySignUpsError(TooManyRequestsError):
    """Too many new accounts from one address of the network."""

    code = "too_many_sign_ups"
    title = "Too many new accounts from your network"


class SecondFactorNeededError(StudioError):
    """The password was right; the code of the second step is missing."""

    status = 401
    code = "second_factor_needed"
    title = "The code of your authenticator app is needed"


class EmailNotConfirmedError(StudioError):
    """Nobody has followed the link in the mail yet."""

    status = 403
    code = "email_not_confirmed"
    title = "The email address is not confirmed yet"


class CodeWrongError(InvalidInputError):
    """The code of the second step is wrong, used already, or out of date."""

    code = "code_wrong"
    title = "The code is wrong"


class LinkInvalidError(InvalidInputError):
    """The link of a mail or of an owner was used already, is too old, or was never given."""

    code = "link_invalid"
    title = "This link is not valid any more"


class ReauthenticationNeededError(StudioError):
    """The session is not fresh enough for what concerns the account's safety."""

    status = 403
    code = "reauthentication_needed"
    title = "Confirm first that it is you"


class SignInStepMissingError(ConflictError):
    """Nobody is halfway through a sign-in, or it took too long."""

    code = "sign_in_step_missing"
    title = "This step of the sign-in is not under way"


class ProviderUnknownError(NotFoundError):
    """The installation has no such provider of identities."""

    code = "provider_unknown"
    title = "There is no such sign-in service"


class SessionMissingError(NotFoundError):
    """The session has ended, or is somebody else's."""

    code = "session_missing"
    title = "There is no such session"


class ProviderFailedError(StudioError):
    """The provider of identities does not answer as it should."""

    status = 502
    code = "provider_failed"
    title = "The sign-in service does not answer"


class InvitationInvalidError(NotFoundError):
    """The invitation is used up, revoked, too old, or was never made."""

    code = "invitation_invalid"
    title = "This invitation is not valid any more"


class InvitationForAnotherError(StudioError):
    """The invitation is for another email address."""

    status = 403
    code = "invitation_for_another"
    title = "This invitation is for another email address"


class ResetNotAllowedError(StudioError):
    """The member's account reaches into workspaces that the owner does not own."""

    status = 403
    code = "reset_not_allowed"
    title = "You cannot make a link to a new password for this member"
    param_names = ("reason",)


class MailMissingError(ConflictError):
    """The installation sends no mail."""

    code = "mail_missing"
    title = "This installation sends no mail"


class MailFailedError(UnavailableError):
    """The server for mail did not take a message."""

    code = "mail_failed"
    title = "The mail could not be sent"
