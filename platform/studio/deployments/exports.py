"""Builds an artefact for a target in a job, and keeps the one file that it leaves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from automl.contracts.artefact import CARD_FILES, TEMPLATES_DIR
from automl.contracts.base import Text
from automl.contracts.family import ParamValue
from automl.contracts.words import Words
from exporters.build import artefact_check, build, options_checked, target_find
from exporters.errors import ExportError
from exporters.gallery import NamedVectors, gallery_join, gallery_manifest
from runtime.attachments import attached_in
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.deployments.errors import export_problem
from studio.deployments.hooks import attachments_now, exported_gallery, served_templates
from studio.deployments.models import Export
from studio.jobs.handlers import Reporter
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.jobs.workdir import job_workdir
from studio.registry.document.card import model_card
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_answering

words = Words(__file__)

BUILD_DIR = "build"
MODEL_DIR = "model"
GALLERY_DIR = "with-gallery"
CARDS_DIR = "with-cards"


def export_create(
    *, artefact: Artefact, target: str, options: Mapping[str, ParamValue], actor: Principal, gallery: str | None = None
) -> Export:
    """Starts a build.

    Args:
        artefact: the model.
        target: what for.
        options: of the target.
        actor: who starts it.
        gallery: with whose names the product answers; None: with what the model answers.

    Raises:
        StudioError: no such target or gallery, an option that is not allowed, or a model that the target cannot ship.
    """
    title, fields = _checked(artefact, target, options, gallery)
    project = artefact.project
    with quota_claimed(project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        export_id = new_id("exp")
        job = job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind="export",
            title=words("job.export", number=artefact.number, target=title),
            subject=export_id,
            payload={"export": export_id},
        )
        attached = attachment_states(artefact, gallery)
        export = Export.objects.create(
            id=export_id, project=project, artefact=artefact, job=job, attached=attached, created_by=actor.id, **fields
        )
        detail = {"artefact": artefact.id, **fields}
        workspace = project.workspace_id
        audit_record(
            workspace=workspace, project=project.id, actor=actor, action="export.created", subject=export.id, detail=detail
        )
        event_record(workspace=workspace, project=project.id, type="export.created", subject=export.id, data=detail)
    return export


def attachment_states(artefact: Artefact, gallery: str | None) -> dict[str, Any]:
    """The states of all that a build of now takes along with the model, by kind.

    Args:
        artefact: the model.
        gallery: that goes into it, if any.
    """
    now = attachments_now(artefact.project, {"gallery": {"id": gallery}} if gallery else {})
    return {kind: each.state for kind, each in now.items()}


def _checked(
    artefact: Artefact, target: str, options: Mapping[str, ParamValue], gallery: str | None
) -> tuple[Text, dict[str, Any]]:
    """The target's title, and what an export keeps of what was asked for; raises as ``export_create``."""
    try:
        spec = target_find(target).spec
        fields: dict[str, Any] = {"target": target, "options": options_checked(spec, options)}
        facts = artefact.facts
        if gallery is not None:
            name, named = exported_gallery(artefact, gallery)
            fields["gallery"] = _gallery_kept(name, named)
            facts = gallery_manifest(facts, named)
        artefact_check(spec, facts)
    except ExportError as error:
        raise export_problem(error) from error
    return spec.title, fields


def export_build(*, job: Job, reporter: Reporter) -> None:
    """The work of a build job. Doing it again builds again and keeps the same row.

    Raises:
        StudioError: the build failed, or its product did not answer like the model.
    """
    export = Export.objects.select_related("artefact").get(id=job.subject)
    if export.blob:
        return
    out_dir = job_workdir(job.id) / BUILD_DIR
    for left in (BUILD_DIR, MODEL_DIR, GALLERY_DIR, CARDS_DIR):
        shutil.rmtree(job_workdir(job.id) / left, ignore_errors=True)
    reporter.progress("fetch", 0.05)
    folder = artefact_answering(export.artefact, job_workdir(job.id) / MODEL_DIR)
    if export.gallery is not None:
        name, named = exported_gallery(export.artefact, export.gallery["id"])
        try:
            folder = gallery_join(folder, named, job_workdir(job.id) / GALLERY_DIR)
        except ExportError as error:  # it was emptied meanwhile
            raise export_problem(error) from error
        Export.objects.filter(id=export.id).update(gallery=_gallery_kept(name, named))  # it may have changed while this waited
    folder = _with_cards(export.artefact, folder, job)
    Export.objects.filter(id=export.id).update(attached=attached_in(folder))
    reporter.check_cancelled()
    reporter.progress("build", 0.15)
    reporter.log(f"building {export.target} of {export.artefact_id}")
    try:
        report = build(export.target, folder, out_dir, export.options, model=export.artefact_id)
    except ExportError as error:
        raise export_problem(error) from error
    reporter.log(f"{report.file}: {report.size_bytes} bytes; check: {report.check.model_dump_json()}")
    reporter.progress("store", 0.95)
    blob = blobs().put_file(out_dir / report.file, move=True)
    Export.objects.filter(id=export.id).update(report=report.model_dump(mode="json"), blob=blob.sha256)
    shutil.rmtree(out_dir, ignore_errors=True)


def _gallery_kept(name: str, named: NamedVectors) -> dict[str, Any]:
    """What an export keeps of the gallery that goes into it."""
    return {"name": name, **(named.state.model_dump() if named.state else {})}


def _with_cards(artefact: Artefact, folder: Path, job: Job) -> Path:
    """The artefact's files with its model cards beside them: who gets the product reads what the model is good for.

    The templates of its project lie there too.
    """
    described = job_workdir(job.id) / CARDS_DIR
    shutil.copytree(folder, described, copy_function=os.symlink)
    for language, name in CARD_FILES.items():
        (described / name).write_text(model_card(artefact, language), encoding="utf-8")
    for slug, content in served_templates(artefact.project_id).items():
        place = described / TEMPLATES_DIR / f"{slug}.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return described
