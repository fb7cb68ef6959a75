"""Turns rows into the schemas of the API."""

from __future__ import annotations

from runtime.templates.fields import FieldsAnswer
from studio.registry.models import Artefact
from studio.templates.models import Template
from studio.templates.reading import PictureRead
from studio.templates.schemas import FormOut, TemplateDetailOut, TemplateOut
from studio.templates.selectors import is_complete


def template_out(template: Template) -> TemplateOut:
    """A template in a list."""
    return TemplateOut(
        id=template.id,
        project=template.project_id,
        name=template.name,
        slug=template.slug,
        version=template.version,
        width=template.width,
        height=template.height,
        picture_url=f"/api/templates/{template.id}/picture",
        thumbnail_url=f"/api/templates/{template.id}/thumbnail",
        num_references=len(template.content["references"]),
        num_fields=len(template.content["fields"]),
        is_complete=is_complete(template),
        created_at=template.created_at,
        changed_at=template.changed_at,
    )


def template_detail_out(template: Template) -> TemplateDetailOut:
    """A template with all that is marked on it."""
    return TemplateDetailOut.model_validate(
        {**template_out(template).model_dump(), **template.content, "lines": template.lines}
    )


def form_out(answer: FieldsAnswer, read: PictureRead, artefact: Artefact) -> FormOut:
    """A picture that was read."""
    return FormOut.model_validate({**answer, "artefact": artefact.id, "width": read.width, "height": read.height})
