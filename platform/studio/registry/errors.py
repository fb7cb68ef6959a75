"""What a caller of the registry can do wrong, each with its cure."""

from __future__ import annotations

from typing import Literal

from studio.common.errors import ConflictError, InvalidInputError, NotFoundError, StudioError


class ArtefactStageError(ConflictError):
    """The table of stages has no such move."""

    code = "artefact_stage_not_allowed"
    title = "The model cannot be moved to this stage"
    param_names = ("before", "after")

    def __init__(self, *, before: str, after: str, allowed: list[str]) -> None:
        super().__init__(
            f"A model cannot go from {before} to {after}.",
            hint=f"From here it can become: {', '.join(allowed)}.",
            extra={"stage": before, "allowed": allowed},
            params={"before": before, "after": after},
        )


class ArtefactFileMissingError(NotFoundError):
    """The artefact has no such file."""

    code = "artefact_file_missing"
    title = "The model has no such file"

    def __init__(self, *, name: str, known: list[str]) -> None:
        super().__init__(f"There is no file {name!r}.", hint=f"Known: {', '.join(known)}.")


class ReportMissingError(NotFoundError):
    """The report does not cover this split."""

    code = "report_split_missing"
    title = "The report has no such split"

    def __init__(self, *, split: str, known: list[str]) -> None:
        super().__init__(f"The report says nothing of {split!r}.", hint=f"Known: {', '.join(known) or 'none'}.")


class ResultInvalidError(StudioError):
    """A job reported success, but what it left is no artefact."""

    status = 500
    code = "result_invalid"
    title = "The job's result cannot be used"


class PairUnfitError(InvalidInputError):
    """Two models have not answered the same items."""

    code = "models_not_comparable"
    title = "These models cannot be compared"

    def __init__(self) -> None:
        super().__init__(
            "The models were not evaluated on the same items.",
            hint="Compare models of the same dataset version.",
        )


class ThresholdsUnfitError(InvalidInputError):
    """The model cannot answer from these scores on."""

    code = "thresholds_unfit"
    title = "The model cannot use these thresholds"

    def __init__(self) -> None:
        super().__init__(
            "The thresholds do not suit what the model answers.",
            hint="Give labels that the model knows; of two labels that exclude each other both, which add up to one.",
            fields={"thresholds": ["unfit"]},
        )


class CoverageUnfitError(InvalidInputError):
    """The report of the model guarantees nothing at this error rate."""

    code = "coverage_unfit"
    title = "The model has no such guarantee"
    param_names = ("context", "needed", "given")

    def __init__(self, *, context: Literal["none", "rate", "items"], needed: int = 0, given: int = 0) -> None:
        super().__init__(
            _COVERAGE_UNFIT[context].format(needed=needed, given=given),
            hint="Choose an error rate and scope for which the report of the model has limits.",
            fields={"coverage": ["unfit"]},
            params={"context": context, "needed": needed, "given": given},
        )


_COVERAGE_UNFIT = {
    "none": "The report of the model says nothing of coverage; it is older, or its kind of answers has none.",
    "rate": "The report of the model has no limits for this error rate and scope.",
    "items": "This error rate needs at least {needed} items to set a limit on; there were {given}.",
}


class EvaluationUnfitError(InvalidInputError):
    """The version does not suit the model."""

    code = "evaluation_unfit"
    title = "The model cannot be evaluated on this version"
    param_names = ("context", "split")


class SplitLearnedError(EvaluationUnfitError):
    """The model has learned from the items that it should be judged by."""

    code = "split_was_learned"
    title = "The model has learned from this split"

    def __init__(self, *, split: str) -> None:
        super().__init__(
            f"The model has learned from the items of {split}, so they cannot judge it.",
            hint="Its report is that of the models that were judged before; new items in another split can judge it.",
            params={"split": split},
        )


class ExplainedLabelError(InvalidInputError):
    """The label whose score should be explained is none of the model's."""

    code = "explain_label_unknown"
    title = "The model does not know the label"
    param_names = ("label",)

    def __init__(self, *, label: str) -> None:
        hint = "Name a label of the model, or none for its best answer."
        super().__init__(
            f"The model does not know {label!r}.",
            hint=hint,
            fields={"label": ["is no label of the model"]},
            params={"label": label},
        )


class CompressionUnfitError(InvalidInputError):
    """The model cannot be made smaller."""

    code = "compression_unfit"
    title = "The model cannot be made smaller"
    param_names = ("context",)


class CandidateMissingError(NotFoundError):
    """A compression has no such candidate."""

    code = "candidate_missing"
    title = "There is no such candidate"
    param_names = ("method",)

    def __init__(self, *, method: str, known: list[str]) -> None:
        super().__init__(
            f"There is no candidate {method!r}.",
            hint=f"Known: {', '.join(known) or 'none'}.",
            params={"method": method},
        )


class OverBudgetError(ConflictError):
    """A candidate loses or costs more than its budget allows."""

    code = "over_budget"
    title = "The candidate is over budget"

    def __init__(self, *, limits: list[str]) -> None:
        super().__init__(
            "The candidate loses or costs more than the budget allows.",
            hint="Keep another candidate, or start again with a larger budget.",
            extra={"limits": limits},
        )
