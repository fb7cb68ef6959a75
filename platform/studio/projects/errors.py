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


class LabelUnknownError(InvalidInputError):
    """The project has no such label."""

    code = "label_unknown"
    title = "There is no such label"


class LabelTakenError(ConflictError):
    """The project has a label of that name already."""

    code = "label_taken"
    title = "There is a label of that name"
