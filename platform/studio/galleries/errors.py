"""What a caller of galleries can do wrong, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError


class GalleryModelError(InvalidInputError):
    """The deployment's model does not compare pictures."""

    code = "gallery_model_unfit"
    title = "The model does not compare pictures"

    def __init__(self) -> None:
        super().__init__(
            "The deployment belongs to another project, or its model answers with something else than vectors.",
            hint="Choose a deployment of this project whose model was made for image similarity.",
            fields={"deployment": ["does not compare pictures"]},
        )


class GalleryRateError(InvalidInputError):
    """The model has no limit for this rate of false matches."""

    code = "gallery_rate_unknown"
    title = "The model has no limit for this rate"
    param_names = ("rates",)

    def __init__(self, rates: Sequence[str]) -> None:
        known = ", ".join(rates)
        super().__init__(
            "The model has no limit for this rate of false matches.",
            hint=f"It has one for: {known}.",
            fields={"false_match_rate": [f"is none of {known}"]},
            params={"rates": known},
        )


class GalleryModelGoneError(ConflictError):
    """The model of the gallery was deleted."""

    code = "gallery_model_gone"
    title = "The gallery's model was deleted"

    def __init__(self) -> None:
        super().__init__("The model of this gallery was deleted.", hint="Bring the gallery to its deployment's model.")


class GalleryModelOtherError(ConflictError):
    """A product answers with the names of a gallery that compares by another model."""

    code = "gallery_model_other"
    title = "The gallery compares by another model"
    param_names = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The gallery {name} compares by another model.",
            hint="Bring the gallery to this model, or export the model that it compares by.",
            params={"name": name},
        )


class GalleryPictureError(InvalidInputError):
    """A file is no usable picture; none of the call's was taken."""

    code = "gallery_picture_unusable"
    title = "A file is no usable picture"
    param_names = ("name", "reason")

    def __init__(self, name: str, reason: Text) -> None:
        super().__init__(reason, hint="Leave it out, or save it as JPEG or PNG.", params={"name": name})


class GalleryPictureTakenError(ConflictError):
    """The same picture is there under another name."""

    code = "gallery_picture_taken"
    title = "The picture has another name already"
    param_names = ("name", "taken")

    def __init__(self, name: str, taken: str) -> None:
        super().__init__(
            f"The picture {name} is in the gallery as {taken}.",
            hint="Delete that entry first, or leave the picture out.",
            params={"name": name, "taken": taken},
        )


class GalleryBatchError(InvalidInputError):
    """Too many pictures at once, or none."""

    code = "gallery_batch_size"
    title = "So many pictures are not taken at once"
    param_names = ("most",)

    def __init__(self, most: int) -> None:
        super().__init__(
            f"A call adds between one and {most} pictures.", hint="Send them in several calls.", params={"most": most}
        )


class GalleryBusyError(ConflictError):
    """The gallery goes over to another model."""

    code = "gallery_busy"
    title = "The gallery is going over to another model"

    def __init__(self) -> None:
        super().__init__("The gallery is going over to another model.", hint="Wait until that has ended, or cancel it.")


class GalleryCurrentError(ConflictError):
    """There is no other model to go over to."""

    code = "gallery_current"
    title = "The gallery has its deployment's model"

    def __init__(self) -> None:
        super().__init__("The gallery compares by its deployment's model already.", hint="Publish another model first.")
