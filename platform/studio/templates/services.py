"""Writes of templates: make, change, delete. Deployments of the project answer by what is saved at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from runtime.templates import TemplateInvalidError as InvalidData
from runtime.templates import content_version, template_parse
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.deployments.gateway import templates_publish
from studio.projects.models import Project
from studio.templates.errors import TemplateChangedError, TemplateInvalidError, TemplateSlugTakenError
from studio.templates.models import SLUG_LENGTH, Template
from studio.templates.reading import picture_lines
from studio.templates.selectors import reader_of, whole_content

_STEM = "template"
_DIGITS = 8
"""Room behind the stem of a slug."""
_EMPTY: Mapping[str, Any] = {"references": [], "fields": []}


@dataclass(frozen=True)
class MarkedForm:
    """A picture of a form, with what was read and what is marked there."""

    data: bytes
    width: int
    """In pixels, as it is seen upright; so is the height."""
    height: int
    lines: Sequence[Mapping[str, Any]]
    """``text``, ``points`` and ``score`` of each."""
    content: Mapping[str, Any]
    """``references`` and ``fields``."""


def template_create(
    *, project: Project, name: str, file: str, data: bytes, actor: Principal, slug: str | None = None
) -> Template:
    """Makes a template of a picture, with the lines that a model of the project reads there; nothing is marked yet.

    Args:
        project: whose.
        name: of the form.
        file: name of the picture's file.
        data: its content.
        actor: who makes it.
        slug: by which calls name it, once in the project; None makes one of the name.

    Raises:
        TemplateSlugTakenError: another template of the project has the slug.
        TemplateModelError: no model of the project reads lines.
        TemplatePictureError: the file is no usable picture.
        StorageQuotaError: it exceeds the workspace's storage quota.
    """
    read = picture_lines(reader_of(project), file, data)
    lines = [{"text": each.text, "points": each.corners.tolist(), "score": each.score} for each in read.lines]
    form = MarkedForm(data, read.width, read.height, lines, _EMPTY)
    with transaction.atomic():
        Project.objects.select_for_update().get(id=project.id)  # two of the same name must not choose the same slug
        chosen = _slug_unused(project, slug) if slug else _slug_free(project, name)
        return template_add(project=project, name=name, slug=chosen, form=form, actor=actor)


def template_add(*, project: Project, name: str, slug: str, form: MarkedForm, actor: Principal) -> Template:
    """Makes a template of a form of which everything is known.

    Args:
        project: whose.
        name: of the form.
        slug: by which calls name it; no other template of the project has it.
        form: its picture, and what is marked there.
        actor: who makes it.

    Raises:
        StorageQuotaError: it exceeds the workspace's storage quota.
    """
    ref = blobs().put_bytes(form.data)
    with quota_claimed(project.workspace_id, {Quota.STORAGE_BYTES: ref.size_bytes}), transaction.atomic():
        template = Template.objects.create(
            project=project,
            name=name,
            slug=slug,
            blob=ref.sha256,
            size_bytes=ref.size_bytes,
            width=form.width,
            height=form.height,
            lines=list(form.lines),
            content=dict(form.content),
            version=content_version(whole_content(form.width, form.height, form.content)),
            changed_at=timezone.now(),
            created_by=actor.id,
        )
        _record(template, "template.created", actor)
    return template


def template_update(*, template: Template, name: str, content: Mapping[str, Any], based_on: str, actor: Principal) -> Template:
    """Saves what was marked.

    Args:
        template: which.
        name: of the form; its slug stays, since programs call it.
        content: ``references`` and ``fields``; one of them may still be empty.
        based_on: the version that was changed.
        actor: who changes it.

    Raises:
        TemplateChangedError: another version was saved meanwhile.
        TemplateInvalidError: the content is not by the contract.
    """
    whole = whole_content(template.width, template.height, content)
    try:
        template_parse(template.slug, whole, is_complete=False)
    except InvalidData as error:
        raise TemplateInvalidError(error.detail) from error
    with transaction.atomic():
        locked = Template.objects.select_for_update().get(id=template.id)
        if locked.version != based_on:
            raise TemplateChangedError
        locked.name, locked.content = name, dict(content)
        locked.version, locked.changed_at = content_version(whole), timezone.now()
        locked.save(update_fields=["name", "content", "version", "changed_at"])
        _record(template, "template.changed", actor)
    return locked


def template_delete(*, template: Template, actor: Principal) -> None:
    """Forgets a template; deployments no longer answer by it."""
    with transaction.atomic():
        _record(template, "template.deleted", actor)
        Template.objects.filter(id=template.id).delete()


def _record(template: Template, action: str, actor: Principal) -> None:
    workspace, project = template.project.workspace_id, template.project_id
    audit_record(
        workspace=workspace, project=project, actor=actor, action=action, subject=template.id, detail={"name": template.name}
    )
    event_record(workspace=workspace, project=project, type="template.changed", subject=template.id)
    transaction.on_commit(lambda: templates_publish(project))


def _slug_unused(project: Project, slug: str) -> str:
    if Template.objects.filter(project=project, slug=slug).exists():
        raise TemplateSlugTakenError(slug=slug)
    return slug


def _slug_free(project: Project, name: str) -> str:
    stem = slugify(name)[: SLUG_LENGTH - _DIGITS].strip("-_").replace("_", "-") or _STEM
    used = set(Template.objects.filter(project=project, slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in used:
        number += 1
    return slug
