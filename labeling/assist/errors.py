"""What can go wrong with live suggestions."""

from __future__ import annotations

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError


class FeaturesMissingError(ConflictError):
    """No features of the picture."""

    code = "features_missing"
    title = "The picture has not been looked at yet"

    def __init__(self) -> None:
        super().__init__(
            "The platform has not computed the features of this picture yet.",
            hint="It does so by itself soon after an upload; look at the jobs of the project.",
        )


class FeaturesNoneError(ConflictError):
    """No features of any picture."""

    code = "features_none"
    title = "The pictures have not been looked at yet"

    def __init__(self) -> None:
        super().__init__(
            "The platform has not computed the features of any picture of this project yet.",
            hint="It does so by itself soon after an upload; look at the jobs of the project.",
        )


class SearchStartingError(ConflictError):
    """What computes features of pictures that are no items is not there yet; a job that brings it has been started."""

    code = "search_starting"
    title = "The search is being set up"

    def __init__(self) -> None:
        super().__init__("The platform sets up the search by pictures.", hint="Try again in a minute.")


class QueryUnusableError(InvalidInputError):
    """What was sent to compare with is no usable picture."""

    code = "query_unusable"
    title = "This is no picture to search with"

    def __init__(self, reason: str, text: Text) -> None:
        super().__init__(
            text.en,
            hint="Take another picture.",
            fields={"file": [text.en]},
            extra={"reason": reason, "reason_text": text.model_dump()},
        )
