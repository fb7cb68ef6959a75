"""What goes wrong with templates, each with a stable code."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RuntimeFault


class TemplateInvalidError(RuntimeFault):
    """A template's data is not by the contract."""

    code = "template_invalid"
    status = 422
    title = "The template cannot be used"
    hint = "Save the template again on its page."
    easydl_code = 336001


class TemplateUnknownError(RuntimeFault):
    """The deployment has no template of that name, or none at all."""

    code = "template_unknown"
    status = 404
    title = "There is no such template"
    hint = "Name one of the deployment's templates as ?template=<name>, or none to take the one that fits."
    easydl_code = 336001


class ReferencesNotFoundError(RuntimeFault):
    """Too few of the reference texts were read in the picture, or they lie otherwise than on the template."""

    code = "references_not_found"
    status = 422
    title = "The reference texts were not found"
    hint = "See whether the picture shows the template's form, as a whole and legibly."
    easydl_code = 336001

    def __init__(self, found: int, needed: int, missing: Sequence[str]) -> None:
        shown = ", ".join(missing[:5])
        super().__init__(f"{found} of the reference texts were found where they belong, {needed} are needed. Missing: {shown}")
        self.found, self.needed, self.missing = found, needed, list(missing)
        self.facts = {"found": found, "needed": needed, "missing": list(missing)}
