"""The job ``refit`` of models that see items in batches: the one that is shipped learns once more from all that it may.

What the judged trials found stays as it is: the parameters, how many epochs, the temperature. The report is that of the judged
models, because nothing is left to judge the new one by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import RefitOrder, StopReason
from automl.contracts.report import Judgement, Report, Shipped
from engine.answers import Averaging
from engine.artefact.session import session_of
from engine.artefact.write import ArtefactWriter
from engine.errors import JobInvalidError
from engine.items import item_kind
from engine.job import Job, StoppedError
from engine.tasks import task_part
from engine.tasks.shared.classification.metrics import Answers, intervals, limits, metrics_of
from engine.training import loop, probe, publish, steps, temperature
from engine.training.checkpoint import CheckpointStore
from engine.training.evidence import tempering_of
from engine.training.lineage import lineage_of
from engine.training.members import Mean, Member, chosen
from engine.training.network import new_model
from engine.training.objective import objective_of
from engine.training.prepare import PreparedTrial, prepare

_EXPORT_AT, _PARITY_AT = 0.9, 0.96


class MeanOfScores(nn.Module):
    """The mean of what several shipped models say ``_BL``, with one temperature of its own; any input that they take."""

    def __init__(self, members: Sequence[nn.Module], divisor: float, averaging: Averaging):
        super().__init__()
        self.members = nn.ModuleList(members)
        self.divisor = divisor
        self.averaging = averaging

    def forward(self, items: Tensor) -> Tensor:
        """Scores 0..1."""
        mean_BL = torch.stack([member(items) for member in self.members]).mean(dim=0)
        return self.averaging.tempered_tensor(mean_BL, self.divisor)


def refitted(order: RefitOrder, job: Job) -> Mapping[str, float]:
    """Leaves the artefact and returns the metrics of what was judged.

    Raises:
        BuildStoppedError: the job was asked to stop.
        StoppedError: so it was, or what was judged is all that could be shipped; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    members = [Member.open(job.workdir / path) for path in order.members]
    judged = prepare(job, members[0].manifest.train)
    objective = judged.task.objective(judged.options, job.spec.objective)
    item = judged.items.graph_input(judged.rows(Split.VALIDATION)[:1])[0]
    mean = chosen(members, judged.targets, objective, item=item, ratio=order.max_answer_ratio)
    if len(mean.members) == 1 and set(order.learns) <= set(members[0].manifest.learned):
        raise StoppedError(StopReason.PRUNED)
    prepared = [prepare(job, member.manifest.train) for member in mean.members]
    parts = []
    for number, (member, own) in enumerate(zip(mean.members, prepared, strict=True)):
        span = tuple(
            loop.PROGRESS_FROM + (loop.PROGRESS_TO - loop.PROGRESS_FROM) * at / len(prepared) for at in (number, number + 1)
        )
        parts.append(_learned(member, joined(own, order.learns), job, number=number, span=(span[0], span[1])))
        job.control.raise_if_stopped()
    return _publish(mean, parts, prepared, order, job)


def joined(prepared: PreparedTrial, learns: Sequence[Split]) -> PreparedTrial:
    """The same, with all that is learned from among the training items."""
    records = [record for split in learns for record in prepared.records[split]]
    # Made anew, not joined: how many boxes a row of targets holds differs by split.
    targets = task_part(prepared.task.name, "data").targets(
        records, prepared.labels, prepared.options, **prepared.reader.target_values
    )
    return replace(
        prepared,
        records={**prepared.records, Split.TRAIN: records},
        targets={**prepared.targets, Split.TRAIN: targets},
    )


def _learned(member: Member, prepared: PreparedTrial, job: Job, *, number: int, span: tuple[float, float]) -> nn.Module:
    """One member, learned anew as its trial learned: as long as it took there to come to the weights that were kept."""
    torch.manual_seed(job.spec.seed)
    model = new_model(prepared, job)
    if prepared.family.is_frozen:
        probe.begin(model, prepared, objective=objective_of(model, prepared, job), job=job)
    else:
        model = _trained(model, member, prepared, job, number=number, span=span)
    if prepared.task.consumes.is_calibrated:
        head = model.get_submodule("head")
        assert isinstance(head, nn.Linear)
        temperature.fold_in(head, member.temperature)
    return model


def _trained(
    model: nn.Module, member: Member, prepared: PreparedTrial, job: Job, *, number: int, span: tuple[float, float]
) -> nn.Module:
    judgement = member.report.judgement
    if judgement is None or judgement.epoch is None:
        raise JobInvalidError("The trial does not say after which epoch its weights were kept.", hint="Train it again.")
    store = CheckpointStore(job.workdir / "checkpoints" / str(number))
    fitted = steps.fit_until(model, prepared, job, epoch=judgement.epoch, span=span, store=store)
    if fitted.halt is not None:  # a schedule that was cut off is not what was judged
        raise StoppedError(fitted.halt if isinstance(fitted.halt, StopReason) else StopReason.CANCELLED)
    return fitted.model.cpu()


def _publish(
    mean: Mean, parts: Sequence[nn.Module], prepared: Sequence[PreparedTrial], order: RefitOrder, job: Job
) -> Mapping[str, float]:
    items = item_kind(prepared[0].task.modality.items)
    whole = replace(prepared[0], reader=items.joined([own.reader for own in prepared]))
    shipped = [publish.shipped_of(model, own) for model, own in zip(parts, prepared, strict=True)]
    averaging = whole.answers.averaging
    graph = shipped[0] if averaging is None or len(shipped) == 1 else MeanOfScores(shipped, mean.temperature, averaging)
    network = parts[0] if len(parts) == 1 else nn.ModuleList(parts)
    writer = ArtefactWriter(job.artefact_dir, cache_dir=job.cache_dir)
    job.progress("export", _EXPORT_AT)
    writer.write_model(network, graph, publish.golden_of(whole))
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    writer.check_parity(publish.decode_of(whole), whole.output)
    item = whole.items.graph_input(whole.rows(Split.VALIDATION)[:1])[0]
    report, thresholds = _report(mean, whole, job.spec.objective)
    report = report.model_copy(
        update={
            "splits": publish.marked(report.splits, order.learns),
            "train_seconds": job.control.elapsed_s,
            "latency_ms": session_of(writer.folder).latency_ms(item),
            "model_bytes": writer.model_path.stat().st_size,
            "shipped": _shipped(mean, whole, order.learns),
        }
    )
    manifest = publish.network_manifest(whole, job, splits=report.splits, thresholds=thresholds, learned=order.learns)
    trials = tuple(member.trial for member in mean.members)
    licences = dict.fromkeys(licence for own in prepared for licence in publish.licences_of(own))
    if not whole.answers.is_large:
        writer.write_answers(mean.answers())
    writer.finish(
        manifest.model_copy(
            update={
                "lineage": lineage_of(job, whole.version.id, trials),
                "licences": tuple(licences),
            }
        ),
        report,
        publish.contents_of(whole),
    )
    job.progress("evaluate", 1.0)
    assert report.judgement is not None
    return report.judgement.metrics


def _report(mean: Mean, whole: PreparedTrial, objective: str) -> tuple[Report, Mapping[str, float]]:
    """The report of what was judged: of the one trial, or of the mean of the answers of several; and its thresholds."""
    first = mean.members[0]
    if len(mean.members) == 1:
        return first.report, first.manifest.thresholds
    splits = mean.judged_by
    predicted, truth = mean.predictions_of(splits), np.concatenate([whole.targets[split] for split in splits])
    found: dict[Split, NDArray[np.float32]] = dict(mean.answers())
    found.pop(Split.TRAIN, None)
    judged = publish.judged_of(found, whole, predicted, truth, objective=objective)
    folds = min((member.report.judgement.num_folds for member in mean.members if member.report.judgement), default=1)
    compared = Answers.of(predicted, truth, limits(judged.thresholds, whole.labels))
    judgement = Judgement(
        by="folds" if len(splits) > 1 else "split",
        num_folds=folds if len(splits) > 1 else 1,
        num_items=len(predicted),
        metrics=metrics_of(compared),
        intervals=intervals(compared),
    )
    tempering = tempering_of(mean.temperature, whole, found)
    return first.report.model_copy(
        update={"splits": judged.splits, "judgement": judgement, "tempering": tempering, "coverage": judged.coverage}
    ), judged.thresholds


def _shipped(mean: Mean, whole: PreparedTrial, learns: tuple[Split, ...]) -> Shipped:
    judged = set.intersection(*(set(member.manifest.learned) for member in mean.members))
    alone = {report.split: report.metrics for report in mean.members[0].report.splits} if len(mean.members) > 1 else {}
    return Shipped(
        trials=tuple(member.trial for member in mean.members),
        learned=learns,
        num_learned=sum(len(whole.records[split]) for split in learns),
        num_more=sum(len(whole.records[split]) for split in learns if split not in judged),
        alone=alone,
    )
