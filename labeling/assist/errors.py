"""What can go wrong with live suggestions."""

from __future__ import annotations

from studio.common.errors import ConflictError


class FeaturesMissingError(ConflictError):
    """No features of the picture."""

    code = "features_missing"
    title = "The picture has not been looked at yet"

    def __init__(self) -> None:
        super().__init__(
            "The platform has not computed the features of this picture yet.",
            hint="It does so by itself soon after an upload; look at the jobs of the project.",
        )
