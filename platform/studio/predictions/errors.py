"""What a caller of batch predictions can do wrong, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence

from studio.common.errors import ConflictError, InvalidInputError

_NAMED = 20


class PredictionModelError(InvalidInputError):
    """The model cannot predict of this project's kind of items."""

    code = "prediction_model_unfit"
    title = "The model does not suit the project"

    def __init__(self) -> None:
        super().__init__(
            "The model was made for another task, or belongs to another workspace.",
            hint="Choose a model of this project, or of another one with the same task.",
            fields={"artefact": ["was made for another task or workspace"]},
        )


class PredictionModelGoneError(ConflictError):
    """The model of the run was deleted."""

    code = "prediction_model_gone"
    title = "The model was deleted"

    def __init__(self) -> None:
        super().__init__("The model of this prediction was deleted.", hint="Start a new prediction with another model.")


class PredictionEmptyError(InvalidInputError):
    """There is nothing to predict of."""

    code = "prediction_empty"
    title = "There is nothing to predict of"

    def __init__(self) -> None:
        super().__init__("Nothing was found to predict of.", hint="Choose other data, or send a file.")


class PredictionSourceError(InvalidInputError):
    """What is named does not go with the source."""

    code = "prediction_source_invalid"
    title = "The data to predict of is not said clearly"

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail, hint="Name uploads for files and a version for a version.", fields={field: [detail]})


class PredictionColumnsError(InvalidInputError):
    """The rows have none of the columns that the model reads."""

    code = "prediction_columns_missing"
    title = "The table has none of the model's columns"
    param_names = ("columns",)

    def __init__(self, known: Sequence[str]) -> None:
        more = "" if len(known) <= _NAMED else ", ..."
        columns = ", ".join(known[:_NAMED]) + more
        hint = f"The model reads: {columns}."
        super().__init__("The rows have none of the columns that the model reads.", hint=hint, params={"columns": columns})


class PredictionBusyError(ConflictError):
    """The run, or what is made of its results, is still under way."""

    code = "prediction_busy"
    title = "The prediction is still running"

    def __init__(self) -> None:
        super().__init__("The prediction is still running.", hint="Wait until it has ended, or cancel it.")


class PredictionCompleteError(ConflictError):
    """There is nothing left to go on with."""

    code = "prediction_complete"
    title = "The prediction is complete"

    def __init__(self) -> None:
        super().__init__("Every item has its result.", hint="Start it again to predict of the same data once more.")


class PredictionNoItemsError(ConflictError):
    """Suggestions are for items of the project, and these results are of files or of none."""

    code = "prediction_no_items"
    title = "The results belong to no items of the project"

    def __init__(self) -> None:
        super().__init__(
            "Only results of the project's own items can become suggestions.", hint="Predict of the project's data."
        )


class ItemNotExplainedError(InvalidInputError):
    """What an answer depends on cannot be found for this model and item."""

    code = "explain_item_unfit"
    title = "This answer cannot be explained"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, hint="Choose an item that the model reads, and a label or object it knows.")
