"""What a caller of the study app can do wrong, each with its cure."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.task import Problem
from studio.common.errors import ConflictError, InvalidInputError


class StudyStrategyUnknownError(InvalidInputError):
    """No strategy of that name."""

    code = "study_strategy_unknown"
    title = "There is no such strategy"

    def __init__(self, *, strategy: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"There is no strategy {strategy!r}.", hint=f"Known: {', '.join(known)}.", fields={"strategy": ["unknown"]}
        )


class StudyFamilyUnknownError(InvalidInputError):
    """A family that the task cannot use."""

    code = "study_family_unknown"
    title = "The task has no such model family"

    def __init__(self, *, families: list[str], known: list[str]) -> None:
        super().__init__(
            f"The task does not know {', '.join(families)}.",
            hint=f"Known: {', '.join(known)}.",
            fields={"families": [f"unknown: {', '.join(families)}"]},
        )


class StudyObjectiveUnknownError(InvalidInputError):
    """A metric that the task does not measure."""

    code = "study_objective_unknown"
    title = "The task has no such metric"

    def __init__(self, *, objective: str, known: list[str]) -> None:
        super().__init__(
            f"The task does not measure {objective!r}.", hint=f"Known: {', '.join(known)}.", fields={"objective": ["unknown"]}
        )


class TrialNotOnFrontError(InvalidInputError):
    """Only a trial that no other one beats can be chosen."""

    code = "trial_not_on_front"
    title = "The trial is not on the study's front"

    def __init__(self) -> None:
        super().__init__(
            "Another trial is as good or better in all objectives, or the study has only one.",
            hint="Choose a trial of the study's front.",
            fields={"trial": ["not on the front"]},
        )


class TeacherUnsuitableError(InvalidInputError):
    """A model that cannot teach, or not with this version."""

    code = "teacher_unsuitable"
    title = "The model cannot be the teacher"
    param_names = ("reason",)

    def __init__(self, reason: Text, *, hint: str) -> None:
        super().__init__(reason, hint=hint, fields={"teacher": [reason.en]})


class StartUnsuitableError(InvalidInputError):
    """A model that training cannot go on from, or not with this study."""

    code = "start_unsuitable"
    title = "Training cannot go on from this model"
    param_names = ("context",)

    def __init__(self, message: str, *, context: str) -> None:
        hint = "Choose another model, or start with a new one."
        super().__init__(message, hint=hint, fields={"start_from": [message]}, params={"context": context})


class StudyBlockedError(InvalidInputError):
    """The version cannot be trained on, or nothing fits this host."""

    code = "study_blocked"
    title = "The study cannot be started"

    def __init__(self, *, problems: tuple[Problem, ...]) -> None:
        super().__init__(
            " ".join(problem.message.en for problem in problems),
            hint=" ".join(problem.remedy.en for problem in problems),
            extra={"problems": [problem.model_dump(mode="json") for problem in problems]},
        )


class StudyEndedError(ConflictError):
    """The study's state does not allow this."""

    code = "study_ended"
    title = "The study's state does not allow this"

    def __init__(self, *, state: str, hint: str) -> None:
        super().__init__(f"The study is {state}.", hint=hint, extra={"state": state})


class StudyPausedError(ConflictError):
    """What is asked needs a study whose trials go on."""

    code = "study_paused"
    title = "The study is paused"

    def __init__(self) -> None:
        super().__init__("The study is paused.", hint="Resume it first.")


class StudyNotDoneError(ConflictError):
    """Only a study that has ended well ships another of its trials."""

    code = "study_not_done"
    title = "The study has not ended well"

    def __init__(self, *, state: str) -> None:
        hint = "Wait until it has ended, or start a new study."
        super().__init__("Only a study that has ended well ships another trial.", hint=hint, extra={"state": state})


class CureUnsuitableError(ConflictError):
    """A cure that the study does not have: it runs, did not fail so, or a person has to do it."""

    code = "cure_unsuitable"
    title = "This does not cure the study"

    def __init__(self, *, cure: str, known: list[str]) -> None:
        hint = f"It has: {', '.join(known)}." if known else "Look at the reason of the failure, and start a new study."
        super().__init__("The study has no such cure.", hint=hint, extra={"cure": cure, "known": known})


class PreflightUnsuitableError(InvalidInputError):
    """A study that cannot be tried beforehand."""

    code = "preflight_unsuitable"
    title = "This training cannot be checked beforehand"

    def __init__(self) -> None:
        super().__init__(
            "Small models that learn from a large one cannot be checked beforehand.",
            hint="Start the training; it says what is wrong.",
            fields={"strategy": ["cannot be checked"]},
        )
