"""What a caller of the labelling app can do wrong, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.base import Text
from automl.contracts.task import Problem
from automl.contracts.words import sentences
from studio.common.errors import ConflictError, InvalidInputError, NotSignedInError, PermissionDeniedError
from studio.datasets.items.present import item_out
from studio.datasets.models import Item


class AnnotationStaleError(ConflictError):
    """Somebody changed the item meanwhile; the error carries what it is now."""

    code = "annotation_stale"
    title = "The item was changed meanwhile"

    def __init__(self, current: Item) -> None:
        super().__init__(
            f"The item is at revision {current.revision}.",
            hint="Look at extra.current, then save again with its revision.",
            extra={"current": item_out(current).model_dump(mode="json")},
        )


class AnotherPersonError(NotSignedInError):
    """A journal came with the session of somebody else."""

    code = "another_person"
    title = "Somebody else is signed in"

    def __init__(self) -> None:
        super().__init__(hint="Sign in as the person who made these changes; they are kept until then.")


class AnnotationInvalidError(InvalidInputError):
    """The annotations do not fit the task or the label set."""

    code = "annotation_invalid"
    title = "The annotations do not fit the project"
    param_names = ("reason",)

    def __init__(self, complaints: Sequence[Text]) -> None:
        super().__init__(sentences(complaints), fields={"annotations": [each.en for each in complaints]})


class ItemDeletedError(ConflictError):
    """A deleted item cannot be annotated."""

    code = "item_deleted"
    title = "The item has been deleted"

    def __init__(self) -> None:
        super().__init__(hint="Restore it first.")


class ReviewNothingError(ConflictError):
    """The item is unlabelled."""

    code = "review_nothing"
    title = "There is nothing to review"


class ReviewOwnWorkError(ConflictError):
    """Author and reviewer are the same person."""

    code = "review_own_work"
    title = "Somebody else has to review this"

    def __init__(self) -> None:
        super().__init__("You wrote these annotations.", hint="Ask another member of the workspace.")


class ReviewExistsError(ConflictError):
    """The revision has been reviewed."""

    code = "review_exists"
    title = "This has been reviewed already"


class ReviewChangedError(ConflictError):
    """The item is no longer as the decision left it."""

    code = "review_changed"
    title = "This has been changed meanwhile"

    def __init__(self) -> None:
        super().__init__(hint="Open it and look at it as it is now.")


class ReviewOfAnotherError(PermissionDeniedError):
    """Only who decided takes it back."""

    code = "review_of_another"
    title = "Somebody else decided this"


class VersionBlockedError(InvalidInputError):
    """The dataset cannot become a version as it stands."""

    code = "version_blocked"
    title = "Some problems must be mended first"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            " ".join(problem.message.en for problem in problems[:5]),
            hint="Mend the problems listed in extra.problems.",
            extra={"problems": [problem.model_dump(mode="json") for problem in problems[:200]]},
        )
