"""The fields of forms in a batch prediction: a job makes them of the lines that it kept and of its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from django.db import transaction

from automl.contracts.job import JobState
from automl.contracts.words import Words
from runtime.errors import RuntimeFault
from runtime.items.image.decode import Picture, picture_decode
from runtime.templates import Template, template_parse
from runtime.templates.fields import fields_of_best
from runtime.templates.lines import lines_of
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.common.errors import NotFoundError
from studio.datasets.models import Item
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.jobs.workdir import result_prefix
from studio.predictions.items import predicted_items
from studio.predictions.items.kind import PredictedItems
from studio.predictions.models import PredictionRun, Source
from studio.predictions.parts import part_tables
from studio.predictions.sources import sent_entries
from studio.templates.errors import FieldsMissingError, TemplateIncompleteError
from studio.templates.selectors import served_templates

KIND = "fields"
"""Of the job."""
FIELDS_FILE = "fields.jsonl"
words = Words(__file__)
_ITEMS_AT_ONCE = 200
_LEAST_SIDE_PX = 1_600
"""Of the shorter side of a picture that is decoded: rules of tables must not vanish."""


def fields_start(run: PredictionRun, slug: str | None) -> Job:
    """Queues the reading of all results that are there; while such a job waits or runs for the same template, gives that job.

    Raises:
        NotFoundError, TemplateIncompleteError: as of ``batch_templates``.
        JobsQuotaError: the workspace has too many jobs already.
    """
    batch_templates(run, slug)
    with quota_claimed(run.project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        job, _ = job_submit_once(
            workspace=run.project.workspace_id,
            project=run.project_id,
            kind=KIND,
            title=words("job.fields"),
            subject=run.id,
            payload={"template": slug},
            variant=(slug or "",),
        )
    return job


def fields_file(run: PredictionRun, slug: str | None) -> Path:
    """The newest file that a job has made: an object a picture and line.

    Raises:
        FieldsMissingError: there is none.
    """
    jobs = Job.objects.filter(project=run.project_id, kind=KIND, subject=run.id, state=JobState.SUCCEEDED.value)
    made = next((job for job in jobs.order_by("-id") if job.payload["template"] == slug), None)
    if made is None:
        raise FieldsMissingError
    try:
        return blobs().fetch_tree(result_prefix(made.id)) / FIELDS_FILE
    except BlobMissingError:
        raise FieldsMissingError from None


def batch_templates(run: PredictionRun, slug: str | None) -> dict[str, Template]:
    """The templates by which a batch prediction's pictures are read: the one that is named, or all that are complete.

    Raises:
        NotFoundError: none that is complete has that name.
        TemplateIncompleteError: none is complete.
    """
    served = served_templates(run.project_id)
    chosen = {each: content for each, content in served.items() if slug in (None, each)}
    if not served:
        raise TemplateIncompleteError
    if not chosen:
        raise NotFoundError("There is no such template, or it is not complete.")
    return {each: template_parse(each, content) for each, content in chosen.items()}


def fields_lines(run: PredictionRun, templates: Mapping[str, Template]) -> Iterator[bytes]:
    """One JSON object a picture and line: ``item`` and ``name``, and what was read, or ``error`` with its code.

    Args:
        run: with its model.
        templates: at least one.
    """
    assert run.artefact is not None
    kind = predicted_items(run.artefact.facts)
    sent = sent_entries(run, kind) if run.source == Source.FILES else iter(())
    for table in part_tables(run, ("item", "name", "code", "said")):
        for rows in _some(table.to_pylist()):
            items = Item.objects.filter(id__in=[row["item"] for row in rows if row["item"]]).only("id", *kind.item_fields)
            contents = {item.id: kind.of_item(item) for item in items}
            for row in rows:
                # Files that were sent come once more in the order of their results.
                content = contents.get(row["item"]) if row["item"] else next((entry.content for entry in sent), None)
                named = {"item": row["item"] or None, "name": row["name"]}
                form = _form(row, templates, _picture(kind, content))
                yield orjson.dumps({**named, **form}, option=orjson.OPT_APPEND_NEWLINE)


def _some(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for first in range(0, len(rows), _ITEMS_AT_ONCE):
        yield rows[first : first + _ITEMS_AT_ONCE]


def _form(row: Mapping[str, Any], templates: Mapping[str, Template], picture: Picture | None) -> Mapping[str, Any]:
    if row["code"]:
        return {"error": row["code"]}
    try:
        return fields_of_best(templates, lines_of(orjson.loads(row["said"] or b"[]")), picture)
    except RuntimeFault as fault:
        return {"error": fault.code, **fault.facts}


def _picture(kind: PredictedItems, content: Any) -> Picture | None:  # noqa: ANN401 - the kind's own form
    """None where the picture is gone: its lines were kept, and only what is drawn cannot be found."""
    if content is None:
        return None
    try:
        return picture_decode(kind.data(content), min_side_px=_LEAST_SIDE_PX)
    except (RuntimeFault, BlobMissingError):
        return None
