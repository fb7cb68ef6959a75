"""What can be wrong with an archive of a project, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError, NotFoundError


class ArchiveInvalidError(InvalidInputError):
    """The file is no archive of a project, is damaged, or was tampered with. Nothing of it is kept."""

    code = "archive_invalid"
    title = "This is no archive of a project"

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}.", hint="Export the project again and import that file.", extra={"place": place})


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
