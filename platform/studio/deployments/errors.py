"""What a caller of deployments can do wrong or meet, each with its cure."""

from __future__ import annotations

from exporters.errors import ExportError
from studio.common.errors import ConflictError, InvalidInputError, StudioError, UnavailableError


class DeploymentSlugTakenError(ConflictError):
    """Another deployment of the workspace has this address."""

    code = "deployment_slug_taken"
    title = "The address is taken"
    param_names = ("slug",)

    def __init__(self, *, slug: str) -> None:
        super().__init__(
            f"Another deployment has the address {slug!r}.",
            hint="Choose another.",
            fields={"slug": ["is taken"]},
            params={"slug": slug},
        )


class DeploymentArtefactError(InvalidInputError):
    """The model cannot be served by this deployment."""

    code = "deployment_artefact_unfit"
    title = "The model cannot be served here"


class TrafficInvalidError(InvalidInputError):
    """The calls of a deployment cannot be shared like this."""

    code = "traffic_invalid"
    title = "The calls cannot be shared like this"
    param_names = ("reason",)


class RolloutRunningError(ConflictError):
    """The models of a deployment are being changed by a rollout."""

    code = "rollout_running"
    title = "A rollout is running"

    def __init__(self) -> None:
        super().__init__("The deployment's rollout decides on its models.", hint="Stop the rollout first.")


class RolloutEndedError(ConflictError):
    """There is nothing to stop any more."""

    code = "rollout_ended"
    title = "The rollout has ended"


class RolloutInvalidError(InvalidInputError):
    """A rollout cannot be started like this."""

    code = "rollout_invalid"
    title = "The rollout cannot start like this"
    param_names = ("reason",)


class FeedbackUnfitError(InvalidInputError):
    """The true answer does not fit the prediction."""

    code = "feedback_unfit"
    title = "The feedback does not fit the answer"
    param_names = ("call",)

    def __init__(self, *, call: str, detail: str) -> None:
        hint = "Send label for an answer with labels and value for a number; place counts the items of a call from 0."
        super().__init__(f"{call}: {detail}", hint=hint, params={"call": call})


class KeepInputsUnfitError(InvalidInputError):
    """Inputs of unsure answers cannot be kept where answers have no uncertainty."""

    code = "keep_inputs_unfit"
    title = "There are no unsure answers to keep"

    def __init__(self) -> None:
        super().__init__(
            "A model that predicts a number does not say how unsure it is.",
            hint="Keep all inputs, or none.",
            fields={"keep_inputs": ["all or none, where a number is predicted"]},
        )


class ExportNotReadyError(ConflictError):
    """There is nothing to download yet."""

    code = "export_not_ready"
    title = "The export is not ready"

    def __init__(self, *, state: str) -> None:
        super().__init__(f"The export's job is {state}.", hint="Wait for the job to succeed.", extra={"state": state})


class PredictionServerError(UnavailableError):
    """The prediction server does not answer."""

    code = "prediction_server_unreachable"
    title = "The prediction server does not answer"


class ExplainedModelError(InvalidInputError):
    """What counted is found in texts and in rows, each at an address of its own."""

    code = "explain_unfit"
    title = "The model reads something else"
    param_names = ("context",)

    def __init__(self, *, reads: str) -> None:
        hint = f"Ask a deployment of a project of {reads}."
        super().__init__(f"This shows what counted where a model reads {reads}.", hint=hint, params={"context": reads})


class ExplainedBackgroundError(InvalidInputError):
    """There are no rows to compare with."""

    code = "explain_background_missing"
    title = "There are no rows to compare with"

    def __init__(self) -> None:
        super().__init__("The model came without a report that holds rows of its training data.", hint="Train the model again.")


class RowModelError(InvalidInputError):
    """A form for rows is asked of a model that reads none."""

    code = "model_reads_no_rows"
    title = "The model reads no rows"

    def __init__(self) -> None:
        super().__init__("The model reads no rows of a table.", hint="Ask a deployment of a project of tables.")


def export_problem(error: ExportError, *, status: int = 422) -> StudioError:
    """An exporter's error as one of ours; its code stays, so that it can be looked up."""
    name = type(error).__name__
    kind = type(name, (StudioError,), {"status": status, "code": error.code, "title": "The model cannot be exported"})
    problem = kind(error.message, hint=error.hint)
    assert isinstance(problem, StudioError)
    return problem
