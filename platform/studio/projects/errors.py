"""What can go wrong with projects."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class TaskUnknownError(InvalidInputError):
    """There is no such task type."""

    code = "task_unknown"
    title = "There is no such task"


class TaskOptionError(InvalidInputError):
    """A task option is unknown or has a value that it cannot have."""

    code = "task_option_invalid"
    title = "A task option is not acceptable"


class LabelInUseError(ConflictError):
    """Annotations carry the label that would go."""

    code = "label_in_use"
    title = "The label is in use"
    param_names = ("labels",)


class ProjectInUseError(ConflictError):
    """The project's services answer callers."""

    code = "project_in_use"
    title = "Services of this project are running"
    param_names = ("num_services",)

    def __init__(self, num_services: int) -> None:
        super().__init__(
            f"{num_services} of them would go on answering, with no page to see or to end them.",
            hint="Delete the services first; their models stay.",
            extra={"num_services": num_services},
        )
