"""What can go wrong with live suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError

SearchBy = Literal["picture", "text"]
"""What stands in for an item when like ones are searched."""


class FeaturesMissingError(ConflictError):
    """No features of the item."""

    code = "features_missing"
    title = "The item has not been looked at yet"

    def __init__(self) -> None:
        super().__init__(
            "The platform has not computed the features of this item yet.",
            hint="It does so by itself soon after an upload; look at the jobs of the project.",
        )


class FeaturesNoneError(ConflictError):
    """No features of any item."""

    code = "features_none"
    title = "The items have not been looked at yet"

    def __init__(self) -> None:
        super().__init__(
            "The platform has not computed the features of any item of this project yet.",
            hint="It does so by itself soon after an upload; look at the jobs of the project.",
        )


class SearchStartingError(ConflictError):
    """What computes features of something that is no item is not there yet; a job that brings it has been started."""

    code = "search_starting"
    title = "The search is being set up"

    def __init__(self) -> None:
        super().__init__("The platform sets up the search.", hint="Try again in a minute.")


class SearchUnfitError(InvalidInputError):
    """Pictures are searched by a picture, texts by a sentence."""

    code = "search_unfit"
    title = "The project's items cannot be searched by this"

    def __init__(self, *, takes: SearchBy) -> None:
        super().__init__(f"The items of this project are searched by a {takes}.", hint=_INSTEAD[takes])


_INSTEAD: Mapping[SearchBy, str] = {
    "picture": "Send a picture as `file` to `POST /api/labeling/similar`.",
    "text": "Send what to look for as `text` to `GET /api/labeling/similar`.",
}


class EvidenceUnfitError(InvalidInputError):
    """What counted is found in texts only."""

    code = "evidence_unfit"
    title = "The item is no text"

    def __init__(self) -> None:
        super().__init__("What counted can be shown in texts.", hint="Ask for an item of a project of texts.")


class HeadMissingError(ConflictError):
    """Nothing suggests this label now."""

    code = "head_missing"
    title = "There is no suggestion to explain"

    def __init__(self) -> None:
        super().__init__("Nothing suggests this label any more.", hint="Load the suggestion again.")


class QueryUnusableError(InvalidInputError):
    """What was sent to compare with is no usable picture."""

    code = "query_unusable"
    title = "This is no picture to search with"
    param_names = ("reason",)

    def __init__(self, reason: str, text: Text) -> None:
        super().__init__(
            text,
            hint="Take another picture.",
            fields={"file": [text.en]},
            extra={"reason": reason, "reason_text": text.model_dump()},
        )
