"""Turns rows into the schemas of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import Annotations
from automl.contracts.table import Row
from studio.accounts.schemas import ActorOut, actors_out
from studio.common.stored import read_stored
from studio.datasets.items.filters import ItemFilter
from studio.datasets.items.lookup import items_read
from studio.datasets.items.present import picture_url, thumbnail_url_if_any
from studio.jobs.schemas import job_out
from studio.predictions.answers import keeps_scores
from studio.predictions.items.kind import PredictedItems
from studio.predictions.models import PredictionRun, Source
from studio.predictions.reasons import REASONS
from studio.predictions.schemas import PredictionFileOut, PredictionModelOut, PredictionResultOut, PredictionRunOut
from studio.registry.models import Artefact
from studio.registry.present import artefact_name


def runs_out(runs: Sequence[PredictionRun]) -> list[PredictionRunOut]:
    """Runs with the names of those who started them, in two queries for all."""
    actors = actors_out({run.created_by for run in runs})
    return [_run_out(run, actors[run.created_by]) for run in runs]


def run_out(run: PredictionRun) -> PredictionRunOut:
    """One run."""
    return runs_out([run])[0]


def results_out(run: PredictionRun, kind: PredictedItems, rows: Sequence[Mapping[str, Any]]) -> list[PredictionResultOut]:
    """Results as they are listed; pictures of the project have addresses of their own."""
    items = items_read([row["item"] for row in rows if row["item"]]) if kind.excerpt == 0 else {}
    return [_result_out(run, kind, row, items.get(row["item"])) for row in rows]


def _run_out(run: PredictionRun, created_by: ActorOut) -> PredictionRunOut:
    return PredictionRunOut(
        id=run.id,
        project=run.project_id,
        artefact=_model_out(run.artefact) if run.artefact else None,
        source=Source(run.source),
        filter=None if run.filter is None else read_stored(ItemFilter, run.filter, subject=run.id),
        version=run.version_id,
        version_number=run.version.number if run.version else None,
        files=[PredictionFileOut(name=file.name, size_bytes=file.size_bytes) for file in run.files.all()],
        num_expected=run.num_expected,
        num_results=run.num_results,
        num_failed=run.num_failed,
        num_asked=run.num_asked,
        error_rate=run.coverage.get("error_rate"),
        columns=run.columns,
        num_suggested=run.num_suggested,
        job=job_out(run.job) if run.job else None,
        suggest_job=job_out(run.suggest_job) if run.suggest_job else None,
        created_at=run.created_at,
        created_by=created_by,
    )


def _model_out(artefact: Artefact) -> PredictionModelOut:
    facts = artefact.facts
    return PredictionModelOut(
        id=artefact.id,
        project=artefact.project_id,
        number=artefact.number,
        name=artefact_name(artefact),
        output=facts.output,
        labels=list(facts.label_set.names),
        keeps_scores=keeps_scores(facts),
    )


def _result_out(
    run: PredictionRun,
    kind: PredictedItems,
    row: Mapping[str, Any],
    item: Any,  # noqa: ANN401 - the kind's own
) -> PredictionResultOut:
    beside = orjson.loads(row["beside"]) if row["beside"] else {}
    thumbnail = f"/api/predictions/{run.id}/results/{row['place']}/thumbnail" if row["thumbnail"] else None
    return PredictionResultOut(
        place=row["place"],
        item=row["item"] or None,
        name=row["name"],
        text=row["text"][: kind.excerpt] if kind.excerpt and row["text"] else None,
        row=Row(cells=orjson.loads(row["text"])) if kind.excerpt is None and row["text"] else None,
        thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format) if item else thumbnail,
        picture_url=picture_url(item.id, item.blob) if item else None,
        width=row["width"],
        height=row["height"],
        annotations=list(Annotations.validate_json(row["said"])) if row["said"] else [],
        scores=row["scores"],
        **beside,
        code=row["code"] or None,
        reason=REASONS[row["code"]] if row["code"] else None,
    )
