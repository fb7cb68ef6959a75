"""What a caller of label changes can do wrong, each with its cure."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Text
from automl.contracts.words import sentences
from studio.common.errors import ConflictError, InvalidInputError


class LabelPlanError(InvalidInputError):
    """The change cannot be done to this label set."""

    code = "label_plan"
    title = "The labels cannot be changed like this"
    param_names = ("reason",)

    def __init__(self, complaints: Mapping[str, Text]) -> None:
        super().__init__(sentences(list(complaints.values())), fields={field: [text.en] for field, text in complaints.items()})


class LabelChangeBusyError(ConflictError):
    """Another change of the labels is under way."""

    code = "label_change_busy"
    title = "The labels are being changed"


class LabelChangeUndoneError(ConflictError):
    """Only the change that is through can be undone, and only once."""

    code = "label_change_undone"
    title = "This change cannot be undone now"
