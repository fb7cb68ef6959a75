"""What a caller of templates can do wrong, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.base import Text
from studio.common.errors import ConflictError, InvalidInputError, NotFoundError


class TemplateModelError(ConflictError):
    """No model of the project reads lines of text."""

    code = "template_model_missing"
    title = "No model of the project reads text"

    def __init__(self) -> None:
        super().__init__(
            "No model of the project reads lines of text.", hint="Train a model in a project of text recognition first."
        )


class FieldsMissingError(NotFoundError):
    """The fields of a batch prediction have not been read yet."""

    code = "fields_missing"
    title = "The fields have not been read yet"

    def __init__(self) -> None:
        super().__init__(
            "No job has read the fields of this batch prediction.", hint="Have them read first: POST to the same address."
        )


class TemplateSlugTakenError(ConflictError):
    """Another template of the project has this name in calls."""

    code = "template_slug_taken"
    title = "The name in calls is taken"
    param_names = ("slug",)

    def __init__(self, *, slug: str) -> None:
        super().__init__(
            f"Another template of the project is called {slug!r}.",
            hint="Choose another.",
            fields={"slug": ["is taken"]},
            params={"slug": slug},
        )


class TemplatePictureError(InvalidInputError):
    """A file is no usable picture."""

    code = "template_picture_unusable"
    title = "The file is no usable picture"
    param_names = ("name", "reason")

    def __init__(self, name: str, reason: Text) -> None:
        super().__init__(reason, hint="Save it as JPEG or PNG.", params={"name": name})


class TemplateInvalidError(InvalidInputError):
    """What was marked is not by the contract."""

    code = "template_invalid"
    title = "The template cannot be saved so"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, hint="Give every field another name, a choice its values, and every reference its text.")


class TemplateIncompleteError(ConflictError):
    """There is no reference or no field yet."""

    code = "template_incomplete"
    title = "The template is not complete"

    def __init__(self) -> None:
        super().__init__("The template has no reference text or no field yet.", hint="Mark at least one of each, and save.")


class TemplateChangedError(ConflictError):
    """Somebody else saved the template meanwhile."""

    code = "template_changed"
    title = "Somebody else has changed the template"

    def __init__(self) -> None:
        super().__init__("The template was changed since it was opened.", hint="Load it again, then change it.")


class TemplateReferencesError(InvalidInputError):
    """The picture does not show the form."""

    code = "references_not_found"
    title = "The reference texts were not found"
    param_names = ("found", "needed", "missing")

    def __init__(self, found: int, needed: int, missing: Sequence[str]) -> None:
        super().__init__(
            f"{found} of the reference texts were found where they belong, {needed} are needed.",
            hint="See whether the picture shows the template's form, as a whole and legibly.",
            params={"found": found, "needed": needed, "missing": ", ".join(missing)},
        )
