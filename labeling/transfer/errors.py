"""What can be wrong with an archive of a project, each with its cure."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.common.errors import ConflictError, InvalidInputError, NotFoundError
from studio.datasets.files.reasons import REASONS

words = Words(__file__)


class ArchiveInvalidError(InvalidInputError):
    """The file is no archive of a project, is damaged, or was tampered with. Nothing of it is kept."""

    code = "archive_invalid"
    title = "This is no archive of a project"
    param_names = ("reason",)

    def __init__(self, place: str, code: str, **values: object) -> None:
        """The place in the archive, and what is wrong there: a key below ``archive`` of the words, or of ``REASONS``."""
        reason = REASONS[code] if code in REASONS else words(f"archive.{code}", **values)
        message = words("invalid", place=place, reason=reason)
        super().__init__(message, hint="Export the project again and import that file.", extra={"place": place})


class ProjectExistsError(ConflictError):
    """The project is here already."""

    code = "project_exists"
    title = "This project is here already"
    param_names = ("context",)

    def __init__(self, *, is_deleted: bool) -> None:
        open_it = "Open the project that is there, or import the archive on another platform."
        super().__init__(
            "An archive keeps all ids, so that its versions stay what they are; a project can be on one platform once.",
            hint="It was deleted: restore it on the page of projects." if is_deleted else open_it,
            extra={"is_deleted": is_deleted},
            params={"context": "deleted" if is_deleted else "present"},
        )


class ArchiveMissingError(NotFoundError):
    """No archive has been made."""

    code = "archive_missing"
    title = "There is no archive of this project yet"
