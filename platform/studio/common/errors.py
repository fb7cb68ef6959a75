"""Errors of the platform: each with a stable code, a sentence for people and a hint what to do.

They cross the wire as problem+json (``problem.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.base import Text

Param = str | int | float | list[str] | Text
"""A value in a sentence; a ``Text`` is said in the language of the sentence."""


class StudioError(Exception):
    """Base of everything that a caller of the platform can cause or meet.

    ``message`` and ``hint`` are English. The web app has a sentence for each code in every language, with ``params`` in it;
    a param named ``context`` chooses between several sentences for one code, as i18next does. A message that is a ``Text`` is
    the param ``reason`` as well.
    """

    status: int = 400
    """Of HTTP. It, ``code`` and ``title`` belong to the class, except where an error was raised within the framework."""
    code: str = "bad_request"
    title: str = "The request cannot be served"
    param_names: ClassVar[tuple[str, ...]] = ()
    """What may stand in the sentences for this code; an error need not carry all of them."""

    def __init__(
        self,
        message: str | Text = "",
        *,
        hint: str = "",
        fields: Mapping[str, Sequence[str]] | None = None,
        extra: Mapping[str, Any] | None = None,
        params: Mapping[str, Param] | None = None,
    ) -> None:
        params = {"reason": message, **(params or {})} if isinstance(message, Text) else params or {}
        given = {**(extra or {}), **params}
        if unknown := params.keys() - set(self.param_names):
            raise TypeError(f"{type(self).__name__} has no params {sorted(unknown)}")
        self.params: dict[str, Param] = {name: given[name] for name in self.param_names if name in given}
        self.message = (message.en if isinstance(message, Text) else message) or f"{self.title}."
        self.hint = hint
        self.fields = {name: list(messages) for name, messages in (fields or {}).items()}
        self.extra = dict(extra or {})
        super().__init__(self.message)


class InvalidInputError(StudioError):
    """A value is not acceptable; ``fields`` names it."""

    status = 422
    code = "invalid_input"
    title = "Some values are not acceptable"


class NotFoundError(StudioError):
    """The thing does not exist, or belongs to a workspace that the caller is no member of."""

    status = 404
    code = "not_found"
    title = "Not found"


class ConflictError(StudioError):
    """The present state does not allow this."""

    status = 409
    code = "conflict"
    title = "The present state does not allow this"


class PermissionDeniedError(StudioError):
    """The caller's role in the workspace does not allow this."""

    status = 403
    code = "permission_denied"
    title = "Your role does not allow this"


class NotSignedInError(StudioError):
    """No session and no valid API key."""

    status = 401
    code = "not_signed_in"
    title = "You are not signed in"


class TooManyRequestsError(StudioError):
    """A limit was reached; ``extra.retry_after_s`` is the time until the next try."""

    status = 429
    code = "too_many_requests"
    title = "Too many requests"


class UnavailableError(StudioError):
    """A part of the platform cannot serve at the moment."""

    status = 503
    code = "unavailable"
    title = "Not available at the moment"


class StoredNameUnknownError(ConflictError):
    """What is stored names what this installation does not have, such as a task of a later release."""

    code = "stored_name_unknown"
    title = "This installation does not know a stored name"
    param_names = ("name", "known")


class StoredDataUnreadableError(ConflictError):
    """What is stored does not have the form that this release reads; ``extra.fields`` names the values."""

    code = "stored_data_unreadable"
    title = "Stored data cannot be read by this release"
    param_names = ("subject", "fields")


class BodyTooLargeError(StudioError):
    """More bytes than one request may have."""

    status = 413
    code = "body_too_large"
    title = "The request is too large"
    param_names = ("limit",)


class BodyTooSlowError(StudioError):
    """The body of a request came too slowly, or not at all."""

    status = 408
    code = "body_too_slow"
    title = "The request took too long to arrive"


class LengthRequiredError(StudioError):
    """A body whose size is not announced."""

    status = 411
    code = "length_required"
    title = "The size of the request is missing"


class DiskFullError(StudioError):
    """The disk of the server, or of its database, is full."""

    status = 507
    code = "disk_full"
    title = "The server's disk is full"


class DatabaseBusyError(UnavailableError):
    """The database is locked by other work; the request can be sent again."""

    code = "database_busy"
    title = "The database is busy at the moment"


class DatabaseUnavailableError(UnavailableError):
    """The connection to the database broke, or there is none."""

    code = "database_unavailable"
    title = "The database does not answer at the moment"
