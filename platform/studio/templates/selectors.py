"""Reads of templates. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from runtime.attachments import templates_state
from runtime.templates import ReferencesNotFoundError, template_parse
from runtime.templates.fields import FieldsAnswer, fields_read
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.deployments.hooks import Attachment, State
from studio.projects.models import Project
from studio.registry.answers import judged_answers
from studio.registry.models import Artefact, Stage
from studio.templates.errors import TemplateIncompleteError, TemplateModelError, TemplateReferencesError
from studio.templates.models import Template
from studio.templates.reading import PictureRead, picture_lines

KNOWN_SCHEMA = 1


def template_get(sight: Sight, template: str) -> Template:
    """Finds a template.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _templates().filter(sight.of("project"), id=template, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such template.")
    return found


def template_page(project: Project, *, cursor: str | None, limit: int) -> Page[Template]:
    """Cuts a page out of a project's templates, newest first."""
    return page_of(_templates().filter(project=project), cursor=cursor, limit=limit)


def reader_of(project: Project, artefact: str | None = None) -> Artefact:
    """The model that reads for a project's templates: the one that is named, that in production, or the newest.

    Raises:
        NotFoundError: the project has no such model.
        TemplateModelError: none reads lines of text.
    """
    rows = Artefact.objects.filter(project=project).order_by("-number")
    if artefact is not None:
        named = rows.filter(id=artefact).first()
        if named is None:
            raise NotFoundError("There is no such model.")
        if not _reads_lines(named):
            raise TemplateModelError
        return named
    found = next(filter(_reads_lines, [*rows.filter(stage=Stage.PRODUCTION), *rows[:1]]), None)
    if found is None:
        raise TemplateModelError
    return found


def is_complete(template: Template) -> bool:
    """Whether pictures can be read by it."""
    return bool(template.content.get("references") and template.content.get("fields"))


def template_content(template: Template) -> dict[str, Any]:
    """What ``runtime.templates`` takes."""
    return whole_content(template.width, template.height, template.content)


def whole_content(width: int, height: int, content: Mapping[str, Any]) -> dict[str, Any]:
    """What is marked, with the size of the picture that it is marked on."""
    return {"schema_version": KNOWN_SCHEMA, "width": width, "height": height, **content}


def served_templates(project: str) -> Mapping[str, Mapping[str, Any]]:
    """Hook: those of a project that are complete, by slug."""
    rows = Template.objects.filter(project=project).order_by("slug")
    return {each.slug: template_content(each) for each in rows if is_complete(each)}


def attachments_now(project: Project, chosen: Mapping[str, State | None]) -> dict[str, Attachment]:
    """Hook: all that are complete, as one attachment."""
    del chosen
    versions = {each.slug: each.version for each in Template.objects.filter(project=project) if is_complete(each)}
    return {"templates": Attachment(templates_state(versions))}


def fields_of(template: Template, name: str, data: bytes, artefact: str | None) -> tuple[FieldsAnswer, PictureRead, Artefact]:
    """Reads a picture by a template: its fields, its size and lines, and the model that read them.

    Args:
        template: of the form.
        name: of the file, for the error.
        data: the file.
        artefact: id of the model; None takes ``reader_of``.

    Raises:
        TemplateIncompleteError: it has no reference or field yet.
        TemplateReferencesError: the picture does not show the form.
        TemplatePictureError: the file is no usable picture.
        NotFoundError, TemplateModelError: as ``reader_of``.
    """
    if not is_complete(template):
        raise TemplateIncompleteError
    model = reader_of(template.project, artefact)
    read = picture_lines(model, name, data)
    try:
        answer = fields_read(template_parse(template.slug, template_content(template)), read.lines, read.pixels)
    except ReferencesNotFoundError as error:
        raise TemplateReferencesError(error.found, error.needed, error.missing) from error
    return answer, read, model


def _reads_lines(artefact: Artefact) -> bool:
    return judged_answers(artefact.facts).are_lines


def _templates() -> QuerySet[Template]:
    return Template.objects.select_related("project")
