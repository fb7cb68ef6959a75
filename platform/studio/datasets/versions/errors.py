"""What a caller can do wrong with versions and their splits, each with its cure."""

from __future__ import annotations

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError


class SharesFixedError(ConflictError):
    """Once a version exists, moving items between splits would let a model be tested on what it was trained on."""

    code = "shares_fixed"
    title = "The shares of the splits are fixed"

    def __init__(self) -> None:
        super().__init__(
            "The project has a version already, so its items keep their splits.",
            hint="Leave the shares out, or use a new project for other shares.",
        )


class SplitFieldError(InvalidInputError):
    """A rule for the splits names a field by which nothing can be decided."""

    code = "split_field"
    title = "The splits cannot be made by this field"
    param_names = ("reason",)

    def __init__(self, reason: Text, *, hint: str = "Choose another field, or let labels decide.") -> None:
        super().__init__(reason, hint=hint, fields={"field": [reason.en]})
