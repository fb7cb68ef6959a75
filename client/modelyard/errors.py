"""The errors of this package; all are subclasses of ``ModelyardError``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class ModelyardError(Exception):
    """Base of this package's errors. ``code`` is stable, ``hint`` says what to do."""

    code = "modelyard_error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class UnreachableError(ModelyardError):
    """The server did not answer, after several tries."""

    code = "unreachable"


class NotFoundHereError(ModelyardError):
    """A path on this machine that does not exist, or holds nothing to send."""

    code = "nothing_to_send"


class ApiError(ModelyardError):
    """The server refused the request; the fields are those of its problem document."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        hint: str = "",
        fields: Mapping[str, Sequence[str]] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.code = code
        self.fields = dict(fields or {})
        self.extra = dict(extra or {})


class JobFailedError(ModelyardError):
    """A job that was waited for did not succeed."""

    code = "job_failed"
