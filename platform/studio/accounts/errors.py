"""What can go wrong with accounts."""

from __future__ import annotations

from studio.common.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    StudioError,
    TooManyRequestsError,
)


class SignInFailedError(StudioError):
    """Address or password is wrong; which one is not said."""

    status = 401
    code = "sign_in_failed"
    title = "The email address or the password is wrong"


class TooManyAttemptsError(TooManyRequestsError):
    """Too many wrong passwords."""

    code = "too_many_attempts"
    title = "Too many wrong passwords"


class EmailTakenError(ConflictError):
    """Somebody has an account with this address."""

    code = "email_taken"
    title = "There is an account with this email address"


class PasswordTooWeakError(InvalidInputError):
    """The password is easy to guess."""

    code = "password_too_weak"
    title = "The password is too weak"


class PasswordWrongError(InvalidInputError):
    """The present password does not match."""

    code = "password_wrong"
    title = "The present password is wrong"


class UserNotFoundError(NotFoundError):
    """Nobody has an account with this address."""

    code = "user_not_found"
    title = "Nobody has an account with this email address"


class AlreadyMemberError(ConflictError):
    """The person is a member already."""

    code = "already_member"
    title = "This person is a member already"


class LastOwnerError(ConflictError):
    """A workspace keeps at least one owner."""

    code = "last_owner"
    title = "A workspace needs an owner"


class ForeignOriginError(StudioError):
    """A page of another site sent the request."""

    status = 403
    code = "foreign_origin"
    title = "The request comes from another site"


class KeysMakeNoKeysError(PermissionDeniedError):
    """A key asks for keys: whoever has one would never be rid of again."""

    code = "keys_make_no_keys"
    title = "API keys are made, seen and revoked by people only"


class KeyOutOfScopeError(PermissionDeniedError):
    """A key asks for what it is not for."""

    code = "key_out_of_scope"
    title = "The API key is not for this"


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


class ItemsQuotaError(StudioError):
    """The workspace has as many items as it may."""

    status = 403
    code = "items_quota_exceeded"
    title = "This workspace has as many items as it may"


class JobsQuotaError(TooManyRequestsError):
    """As many jobs wait and run as may."""

    code = "jobs_quota_exceeded"
    title = "As many jobs wait and run as this workspace may have"
