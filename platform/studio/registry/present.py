"""From rows and reports to what goes over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.report import JudgedItem, Report, SplitReport
from engine.compress.methods import method_names, method_of
from studio.datasets.items.present import item_preview, thumbnail_url_if_any
from studio.datasets.models import Item
from studio.registry.explained_rows import ExplainedRow
from studio.registry.lineage import Lineage
from studio.registry.models import Artefact, Evaluation, Stage, StageChange
from studio.registry.pairs import JudgedPair, PairReport
from studio.registry.schemas import (
    ArtefactOut,
    CompressedOut,
    EvaluationOut,
    ExplainedOut,
    ExplainedRowOut,
    JudgedMemberOut,
    LineageNodeOut,
    LineageOut,
    PairedTestOut,
    PairItemOut,
    PairReportOut,
    ReportItemOut,
    ReportOut,
    SplitReportOut,
    StageChangeOut,
)
from studio.registry.selectors import (
    artefact_compresses,
    artefact_compresses_by_training,
    artefact_continues,
    artefact_teaches,
)


def artefact_name(artefact: Artefact) -> str:
    """What a model is called: what was trained, and its number within the project."""
    facts = artefact.facts
    num_members = len(facts.lineage.members)
    kind = f"mean of {num_members}" if num_members > 1 else f"{facts.train.family} {facts.train.size}"
    made = f" {facts.lineage.method}" if facts.lineage.method else ""
    return f"{kind}{made} #{artefact.number}"


def artefact_out(artefact: Artefact) -> ArtefactOut:
    """A model."""
    facts = artefact.facts
    trial = artefact.trial
    return ArtefactOut(
        id=artefact.id,
        project=artefact.project_id,
        number=artefact.number,
        name=artefact_name(artefact),
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
        num_members=max(1, len(facts.lineage.members)),
        latency_ms=artefact.latency_ms,
        model_bytes=artefact.model_bytes,
        size_bytes=artefact.size_bytes,
        tolerance=facts.tolerance,
        licences=list(facts.licences),
        created_at=artefact.created_at,
        note=artefact.note,
        thresholds=artefact.answers_from,
        is_threshold_chosen=bool(artefact.thresholds),
        coverage=artefact.covered_by,
        compressed=_compressed_out(artefact),
        compresses=artefact_compresses(artefact),
        compresses_by_training=artefact_compresses_by_training(artefact),
        teaches=artefact_teaches(artefact),
        continues=artefact_continues(artefact),
        manifest=facts,
    )


def _compressed_out(artefact: Artefact) -> CompressedOut | None:
    method = artefact.facts.lineage.method
    if method is None:
        return None
    title = method_of(method).title if method in method_names() else Text.same(method)
    parent = artefact.parent
    return CompressedOut(
        parent=artefact.parent_id, parent_number=parent.number if parent is not None else None, method=method, title=title
    )


def _num_judged(artefact: Artefact, facts: ArtefactManifest) -> dict[Split, int]:
    """As the model says; one from before that was judged by its version's splits."""
    if facts.num_judged:
        return dict(facts.num_judged)
    counts: dict[str, int] = artefact.version.manifest.get("num_items_by_split", {})
    return {split: counts[split] for split in facts.metrics if split in counts}


def report_out(
    report: Report,
    distillation: DistillationReport | None,
    members: Sequence[Artefact] = (),
    num_models: Mapping[str, int] | None = None,
) -> ReportOut:
    """The numbers of a report, of the lesson if there was one, and the judged models that it is of.

    Args:
        report: as it was written.
        distillation: of a model that another one taught.
        members: the judged models.
        num_models: by split, how many models have been judged on it.
    """
    counts = num_models or {}
    splits = [_split_out(each, counts.get(each.split.value, 1)) for each in report.splits]
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
        coverage=report.coverage,
        profile=report.profile,
        members=[_member_out(each) for each in members],
    )


def _split_out(each: SplitReport, num_models: int) -> SplitReportOut:
    return SplitReportOut(
        split=each.split,
        num_items=each.num_items,
        num_models=num_models,
        is_learned=each.is_learned,
        metrics=dict(each.metrics),
        intervals=dict(each.intervals),
        per_class=list(each.per_class),
        confusion=[list(row) for row in each.confusion],
        object_confusion=[list(row) for row in each.object_confusion],
        precision_recall=list(each.precision_recall),
        per_size=list(each.per_size),
        roc=list(each.roc),
        calibration=list(each.calibration),
        score_distribution=list(each.score_distribution),
        similarity=each.similarity,
        text_lines=each.text_lines,
        baseline=dict(each.baseline),
        regression=each.regression,
        slices=each.slices,
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


def _report_item_out(item: JudgedItem, row: Item | None) -> ReportItemOut:
    if row is None:
        return ReportItemOut(
            **dict(item), name=item.item, thumbnail_url=None, text=None, row=None, width_px=None, height_px=None
        )
    shown = item_preview(row)
    return ReportItemOut(
        **dict(item),
        name=row.name,
        thumbnail_url=thumbnail_url_if_any(row.id, row.blob, row.format),
        text=shown.text,
        row=dict(shown.row.cells) if shown.row is not None else None,
        width_px=row.width,
        height_px=row.height,
    )


def pair_report_out(pair: PairReport) -> PairReportOut:
    """How two models compare."""
    return PairReportOut(
        num_items=pair.num_items,
        num_fixed=pair.num_fixed,
        num_broken=pair.num_broken,
        test=None if pair.test is None else PairedTestOut(**asdict(pair.test)),
        is_amount=pair.is_amount,
    )


def pair_items_out(pairs: Sequence[JudgedPair]) -> list[PairItemOut]:
    """Pairs with what lists show of their items."""
    before = report_items_out([pair.before for pair in pairs])
    after = report_items_out([pair.after for pair in pairs])
    return [PairItemOut(before=one, after=other) for one, other in zip(before, after, strict=True)]


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


def explained_out(explanation: Mapping[str, Any]) -> ExplainedOut:
    """What an answer hangs on, as ``runtime.explaining.item_explain`` found it."""
    return ExplainedOut.model_validate({"segments": [], "grid": None, **explanation})


def explained_row_out(explained: ExplainedRow) -> ExplainedRowOut:
    """What an answer to a row hangs on."""
    return ExplainedRowOut.model_validate(asdict(explained))
