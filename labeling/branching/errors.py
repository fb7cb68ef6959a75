"""What a caller of branches can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, NotFoundError


class RestoreRunningError(ConflictError):
    """Two restores at once would mix their states."""

    code = "restore_running"
    title = "The data is being put back to a version already"

    def __init__(self) -> None:
        super().__init__(hint="Wait until it is done, or cancel it under Jobs.")


class RestoreUndoneError(ConflictError):
    """Only the last restore that succeeded can be undone."""

    code = "restore_not_undoable"
    title = "This cannot be undone any more"

    def __init__(self) -> None:
        super().__init__(hint="Restore the version that was cut before it instead.")


class BranchTakenError(ConflictError):
    """There is a branch of that name."""

    code = "branch_taken"
    title = "There is a branch of that name"
    param_names = ("name",)


class BranchUnknownError(NotFoundError):
    """There is no branch of that name."""

    code = "branch_unknown"
    title = "There is no such branch"
    param_names = ("name",)
