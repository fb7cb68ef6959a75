"""The job ``advice``: what more items of each label would bring a model. Shapes: N items, L labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from pydantic import ValidationError

from automl.contracts.advice import ADVICE_FILE, AdviceReport, GainCurve, SubjectAdvice, Verdict
from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.job import StopReason
from automl.contracts.task import MetricSpec
from engine.advice import can_be_advised
from engine.advice.answers import answers_kind
from engine.advice.curves import SubjectCurve, curves, learner_chosen
from engine.advice.forecast import LEVEL, MeasuredCurve, gain_curve
from engine.advice.items import items_kind
from engine.advice.learner import Answers, AnswersKind, Material
from engine.advice.plan import LEAST_ITEMS, AdvicePlan, plan_of
from engine.advice.vectors import VECTORS_TO
from engine.data.packed import BuildStoppedError
from engine.errors import JobInvalidError
from engine.job import Job, StoppedError
from engine.quality.progress import within
from engine.tasks import task_spec
from engine.training.prepare import version_of

_MORE = (0.5, 1.0)
"""Shares of today's items that are forecast."""
_FLAT = 0.02
"""Of what a measure can be at most: a gain that is surely below is not worth the labelling."""
_RANKS = (Verdict.GAIN, Verdict.UNCLEAR, Verdict.FLAT, Verdict.TOO_FEW)


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/advice.json`` and returns how many subjects gain.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact, or no quick head can stand for it.
        VersionDamagedError: the version is broken.
        DataInvalidError: there are no items, or they carry labels that the artefact does not know.
    """
    job.progress("load", 0.0)
    manifest = _manifest(job)
    version = version_of(job, manifest.task)
    try:
        material = items_kind(manifest.decode.kind).material(job, manifest, version)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    metric = task_spec(manifest.task).objective(version.manifest.task_options, job.spec.objective)
    on_progress = within(job, "evaluate", VECTORS_TO, 0.98)
    report = advice(answers_kind(manifest.output), material, metric, seed=job.spec.seed, on_progress=on_progress)
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / ADVICE_FILE)
    job.progress("evaluate", 1.0)
    return {"num_gaining": float(sum(each.verdict is Verdict.GAIN for each in report.labels))}


def _manifest(job: Job) -> ArtefactManifest:
    if job.spec.artefact is None:
        raise JobInvalidError("The job says advice but not about which artefact.")
    try:
        manifest = ArtefactManifest.read(job.workdir / job.spec.artefact / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error
    if not can_be_advised(manifest.decode.kind, manifest.output.value) or manifest.files:
        raise JobInvalidError(f"No quick head can stand for this model, which answers with {manifest.output.value}.")
    return manifest


def advice(
    kind: AnswersKind, material: Material, metric: MetricSpec, *, seed: int, on_progress: Callable[[int, int], None]
) -> AdviceReport:
    """Measures the curves of all items and of each label, and says what follows.

    Args:
        kind: of the answers.
        material: the items.
        metric: the objective.
        seed: of draws and folds.
        on_progress: called after each point with those done and those in all; may raise to end the work.
    """
    num_items = len(material.groups_N)
    plan = plan_of(num_items, len(material.labels))
    counts_L = [int(kind.carriers(material.targets, label).sum()) for label in range(len(material.labels))]
    used = _drawn(material, plan.num_used, seed)
    found: dict[int | None, SubjectCurve] = {}
    if len(used.groups_N) >= LEAST_ITEMS:
        learner, answers_NL = learner_chosen(kind, used, seed=seed)
        labels = _poorest(kind, used, answers_NL, counts_L, plan)
        draws = plan.num_draws
        found = curves(
            kind, used, learner, objective=metric.name, labels=labels, num_draws=draws, seed=seed, on_progress=on_progress
        )
    advised = _each_label(found, material.labels, counts_L, metric)
    too_few = SubjectAdvice(label=None, num_items=num_items, verdict=Verdict.TOO_FEW)
    return AdviceReport(
        objective=metric.name,
        num_items=num_items,
        num_used=len(used.groups_N),
        num_draws=plan.num_draws,
        least_items=LEAST_ITEMS,
        level=LEVEL,
        overall=_subject(found[None], None, num_items, metric) if None in found else too_few,
        labels=tuple(sorted(advised, key=_order)),
        num_left_out=len(material.labels) - len(advised),
    )


def _each_label(
    found: Mapping[int | None, SubjectCurve], labels: Sequence[str], counts_L: Sequence[int], metric: MetricSpec
) -> list[SubjectAdvice]:
    """Of the labels that were measured, and of those with too few items."""
    return [
        _subject(found[place], label, count, metric)
        if place in found
        else SubjectAdvice(label=label, num_items=count, verdict=Verdict.TOO_FEW)
        for place, (label, count) in enumerate(zip(labels, counts_L, strict=True))
        if place in found or count < LEAST_ITEMS or not found
    ]


def _drawn(material: Material, number: int, seed: int) -> Material:
    """At most so many of the items."""
    if number >= len(material.groups_N):
        return material
    chosen = np.sort(np.random.default_rng(seed).choice(len(material.groups_N), number, replace=False))
    return replace(
        material,
        views={style: rows_ND[chosen] for style, rows_ND in material.views.items()},
        targets=material.targets[chosen],
        groups_N=material.groups_N[chosen],
    )


def _poorest(kind: AnswersKind, used: Material, answers_NL: Answers, counts_L: Sequence[int], plan: AdvicePlan) -> list[int]:
    """Labels with enough items, the poorest answered first; as many as are measured."""
    shares_L = [int(kind.carriers(used.targets, label).sum()) for label in range(len(counts_L))]
    enough = [label for label, count in enumerate(shares_L) if count >= LEAST_ITEMS]
    return sorted(enough, key=lambda label: kind.f1(answers_NL, used.targets, label))[: plan.num_labels]


def _subject(curve: SubjectCurve, label: str | None, num_items: int, metric: MetricSpec) -> SubjectAdvice:
    own, objective = gain_curves(curve, metric, num_items=num_items, more=[rounded(share * num_items) for share in _MORE])
    judged = own or objective
    scale = 1.0 if judged.is_higher_better else abs(judged.samples[-1].value)
    return SubjectAdvice(label=label, num_items=num_items, verdict=_verdict(judged, scale), own=own, objective=objective)


def gain_curves(
    curve: SubjectCurve, metric: MetricSpec, *, num_items: int, more: Sequence[int]
) -> tuple[GainCurve | None, GainCurve]:
    """Forecasts of a label's own F1 (None: all labels), and of the objective.

    Args:
        curve: as measured.
        metric: the objective.
        num_items: of the subject there are today.
        more: numbers of items to forecast, the fewest first.
    """
    objective = MeasuredCurve(
        measure=metric.name,
        is_higher_better=metric.is_higher_better,
        best=1.0 if metric.is_higher_better else None,
        sizes_K=curve.sizes_K,
        values_RBK=curve.objective_RBK,
        may_rise=curve.own_RBK is not None,
    )
    own = None
    if curve.own_RBK is not None:
        measured = MeasuredCurve("f1", is_higher_better=True, best=1.0, sizes_K=curve.sizes_K, values_RBK=curve.own_RBK)
        own = gain_curve(measured, num_items=num_items, more=more)
    return own, gain_curve(objective, num_items=num_items, more=more)


def _verdict(curve: GainCurve, scale: float) -> Verdict:
    low, high = curve.forecasts[0].interval
    if low > 0.0:
        return Verdict.GAIN
    return Verdict.FLAT if high <= _FLAT * scale else Verdict.UNCLEAR


def _order(advised: SubjectAdvice) -> tuple[int, float]:
    rank = _RANKS.index(advised.verdict)
    if advised.objective is None:
        return rank, -advised.num_items
    first = advised.objective.forecasts[0]
    return rank, -first.gain / first.num_more


def rounded(number: float) -> int:
    """A number of items as people name it: two digits, at least one item."""
    digits = max(0, len(str(int(number))) - 2)
    return max(1, int(round(number, -digits)))
