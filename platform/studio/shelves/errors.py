"""What a caller of shelves can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class ShelfModelError(InvalidInputError):
    """The deployment's model finds no single things."""

    code = "shelf_model_unfit"
    title = "The model does not answer with boxes"

    def __init__(self) -> None:
        super().__init__(
            "The deployment belongs to another project, or its model answers with something else than boxes.",
            hint="Choose a deployment of this project whose model was made for object detection.",
            fields={"deployment": ["does not answer with boxes"]},
        )


class ShelfGalleryError(InvalidInputError):
    """The gallery is another workspace's."""

    code = "shelf_gallery_elsewhere"
    title = "The gallery belongs to another workspace"

    def __init__(self) -> None:
        super().__init__(
            "The gallery belongs to another workspace.",
            hint="Choose a gallery of this workspace.",
            fields={"gallery": ["belongs to another workspace"]},
        )


class ShelfIncompleteError(ConflictError):
    """Its deployment or its gallery was deleted."""

    code = "shelf_incomplete"
    title = "The shelf lacks its deployment or its gallery"

    def __init__(self) -> None:
        super().__init__("The deployment or the gallery of this shelf was deleted.", hint="Choose another one for the shelf.")


class ShelfBoxError(InvalidInputError):
    """A box lies outside the photo, or is empty."""

    code = "shelf_box_outside"
    title = "A box does not lie in the photo"
    param_names = ("width", "height")

    def __init__(self, width: int, height: int) -> None:
        super().__init__(
            f"A box does not lie in the photo of {width} x {height} pixels.",
            hint="Send the boxes that the check of the same photo answered with.",
            params={"width": width, "height": height},
        )
