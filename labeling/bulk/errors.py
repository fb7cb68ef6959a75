"""What bulk changes refuse."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class SplitFixedError(ConflictError):
    """Moving items between splits once a version exists would let a model be tested on what it was trained on."""

    code = "split_fixed"
    title = "The splits are fixed"

    def __init__(self) -> None:
        super().__init__(
            "The project has a version already, so its items keep their splits.", hint="Use a new project for other splits."
        )


class BulkTargetError(InvalidInputError):
    """Neither items nor a filter, or both."""

    code = "bulk_target_invalid"
    title = "It is not said which items are meant"

    def __init__(self) -> None:
        super().__init__("Name items, or give a filter that they match.", fields={"items": ["either items or matching"]})


class BulkBusyError(ConflictError):
    """It runs, or it was undone already."""

    code = "bulk_not_undoable"
    title = "This cannot be undone now"

    def __init__(self, state: str) -> None:
        super().__init__(f"The change is {state}.", hint="Wait until it has ended, or cancel its job first.")
