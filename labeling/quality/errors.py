"""What a caller of the quality report can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class QualityEmptyError(InvalidInputError):
    """There is nothing to look at."""

    code = "quality_empty"
    title = "The dataset has no items"

    def __init__(self) -> None:
        super().__init__(hint="Upload data first.")


class QualityUnfitError(InvalidInputError):
    """Items of this kind are not looked at one by one."""

    code = "quality_unsupported"
    title = "The quality report is there for pictures and texts"

    def __init__(self) -> None:
        super().__init__("The items of this project are rows of a table.", hint="Look at the profile of its columns.")


class QualityNothingError(InvalidInputError):
    """The findings chosen are gone, dismissed or do not allow this."""

    code = "quality_nothing"
    title = "None of the findings chosen allows this"

    def __init__(self) -> None:
        super().__init__(hint="Load the page again: somebody may have dealt with them meanwhile.")


class QualityActionError(InvalidInputError):
    """The action does not fit the kind of finding."""

    code = "quality_action"
    title = "This cannot be done about this kind of finding"


class QualityUndoneError(ConflictError):
    """It has been undone before."""

    code = "quality_undone"
    title = "This has been undone already"
