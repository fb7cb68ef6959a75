"""From rows and reports to what goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.report import JudgedItem, Report
from studio.datasets.items.wire import item_shown, thumbnail_url
from studio.datasets.models import Item
from studio.registry.lineage import Lineage
from studio.registry.models import Artefact, Evaluation, Stage, StageChange
from studio.registry.schemas import (
    ArtefactOut,
    EvaluationOut,
    JudgedMemberOut,
    LineageNodeOut,
    LineageOut,
    ReportItemOut,
    ReportOut,
    SplitReportOut,
    StageChangeOut,
)
from studio.registry.selectors import artefact_teaches


def artefact_out(artefact: Artefact) -> ArtefactOut:
    """A model."""
    facts = artefact.facts
    trial = artefact.trial
    num_members = max(1, len(facts.lineage.members))
    kind = f"{facts.train.family} {facts.train.size}" if num_members == 1 else f"mean of {num_members}"
    return ArtefactOut(
        id=artefact.id,
        project=artefact.project_id,
        number=artefact.number,
        name=f"{kind} #{artefact.number}",
        study=trial.study_id if trial else None,
        trial=artefact.trial_id,
        version=artefact.version_id,
        version_number=artefact.version.number,
        family=facts.train.family,
        size=facts.train.size,
        stage=Stage(artefact.stage),
        metrics={split: dict(values) for split, values in facts.metrics.items()},
        intervals={split: dict(ends) for split, ends in facts.intervals.items()},
        num_judged=_num_judged(artefact, facts),
        num_members=num_members,
        latency_ms=artefact.latency_ms,
        model_bytes=artefact.model_bytes,
        size_bytes=artefact.size_bytes,
        tolerance=facts.tolerance,
        licences=list(facts.licences),
        created_at=artefact.created_at,
        teaches=artefact_teaches(artefact),
        manifest=facts,
    )


def _num_judged(artefact: Artefact, facts: ArtefactManifest) -> dict[Split, int]:
    """As the model says; one from before that was judged by its version's splits."""
    if facts.num_judged:
        return dict(facts.num_judged)
    counts: dict[str, int] = artefact.version.manifest.get("num_items_by_split", {})
    return {split: counts[split] for split in facts.metrics if split in counts}


def report_out(report: Report, distillation: DistillationReport | None, members: Sequence[Artefact] = ()) -> ReportOut:
    """The numbers of a report, of the lesson if there was one, and the judged models that it is of."""
    splits = [
        SplitReportOut(
            split=each.split,
            num_items=each.num_items,
            is_learned=each.is_learned,
            metrics=dict(each.metrics),
            intervals=dict(each.intervals),
            per_class=list(each.per_class),
            confusion=[list(row) for row in each.confusion],
            precision_recall=list(each.precision_recall),
            per_size=list(each.per_size),
            roc=list(each.roc),
            calibration=list(each.calibration),
            regression=each.regression,
        )
        for each in report.splits
    ]
    return ReportOut(
        labels=list(report.labels),
        splits=splits,
        curves=list(report.curves),
        train_seconds=report.train_seconds,
        latency_ms=report.latency_ms,
        model_bytes=report.model_bytes,
        table=report.table,
        distillation=distillation,
        judgement=report.judgement,
        tempering=report.tempering,
        shipped=report.shipped,
        members=[_member_out(each) for each in members],
    )


def _member_out(artefact: Artefact) -> JudgedMemberOut:
    train = artefact.facts.train
    number = artefact.trial.number if artefact.trial is not None else 0
    return JudgedMemberOut(
        trial=artefact.trial_id or "", number=number, artefact=artefact.id, family=train.family, size=train.size
    )


def report_items_out(items: Sequence[JudgedItem]) -> list[ReportItemOut]:
    """Judged items with what lists show of them, in one query."""
    known = Item.objects.in_bulk([item.item for item in items])
    return [_report_item_out(item, known.get(item.item)) for item in items]


def _report_item_out(item: JudgedItem, kept: Item | None) -> ReportItemOut:
    if kept is None:
        return ReportItemOut(
            **dict(item), name=item.item, thumbnail_url=None, text=None, row=None, width_px=None, height_px=None
        )
    shown = item_shown(kept)
    return ReportItemOut(
        **dict(item),
        name=kept.name,
        thumbnail_url=thumbnail_url(kept.id, kept.blob) if shown.has_thumbnail else None,
        text=shown.text,
        row=dict(shown.row.cells) if shown.row is not None else None,
        width_px=kept.width,
        height_px=kept.height,
    )


def evaluation_out(evaluation: Evaluation) -> EvaluationOut:
    """An evaluation."""
    return EvaluationOut(
        id=evaluation.id,
        artefact=evaluation.artefact_id,
        version=evaluation.version_id,
        version_number=evaluation.version.number,
        split=Split(evaluation.split),
        metrics=evaluation.metrics,
        num_items=evaluation.num_items,
        job=evaluation.job_id,
        created_at=evaluation.created_at,
    )


def stage_change_out(change: StageChange) -> StageChangeOut:
    """A promotion."""
    return StageChangeOut(
        before=Stage(change.before), after=Stage(change.after), reason=change.reason, by=change.by, at=change.at
    )


def lineage_out(lineage: Lineage) -> LineageOut:
    """The way back."""
    return LineageOut(nodes=[LineageNodeOut(**asdict(node)) for node in lineage.nodes], edges=lineage.edges)
