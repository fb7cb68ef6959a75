"""Distils a classifier of texts into a small one: the teacher's scores become the student's targets.

The student is an ordinary trial: its job names family, size and parameters, the training loop (or the solver of a linear head)
chooses on the validation split, and the artefact is exported, checked and judged like any other. Only its material differs:
texts that nobody labelled stand beside those to train on, and the targets are those of ``engine.compress.soft_targets``.

Unlabelled texts as teaching material: Bucila, Caruana and Niculescu-Mizil 2006, "Model compression"
(https://doi.org/10.1145/1150402.1150464).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from automl.contracts.distillation import DISTILLATION_FILE, DistillationReport, Side
from engine.compress.soft_targets import Recipe
from engine.compress.text_model import Latency, TextModel, latencies
from engine.compress.trainable_model import with_soft_targets
from engine.data.text_tokens import PackedTokens, version_texts
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.items.kind import Trial
from engine.items.text.kind import reader_of
from engine.job import Job
from engine.tasks import task_part, task_spec
from engine.training.prepare import PreparedTrial, packed, prepare
from engine.training.train import train

_TIMED_TEXTS = 60


def distill(job: Job, teacher: Path, unlabelled: Sequence[str], recipe: Recipe | None = None) -> DistillationReport:
    """Trains the student that the job names and leaves its artefact, with ``distillation.json`` in it.

    Args:
        job: an order to train; its version has the labelled texts.
        teacher: folder of the teacher's artefact, for the same task and labels.
        unlabelled: more texts to learn from; may be empty.
        recipe: temperature and shares; None for the defaults.

    Raises:
        JobInvalidError: the teacher does not answer what the version asks, or the student cannot be taught.
        StoppedError: the job was asked to stop; there is no artefact.
        EngineError: the job cannot be done, with a code that says why.
    """
    chosen = recipe or Recipe()
    texts = [text for text in (text.strip() for text in unlabelled) if text]
    answering = TextModel.open(teacher, num_threads=job.spec.limits.num_threads)
    train(job, partial(material, teacher=answering, unlabelled=texts, recipe=chosen))
    report = _compared(job, teacher, num_unlabelled=len(texts), recipe=chosen)
    report.write(job.artefact_dir / DISTILLATION_FILE)
    return report


def material(job: Job, *, teacher: TextModel, unlabelled: Sequence[str], recipe: Recipe) -> PreparedTrial:
    """What a student is trained on.

    Args:
        job: names the student.
        teacher: gives the scores.
        unlabelled: texts beside those of the version, not empty ones.
        recipe: temperature and shares.

    Raises:
        JobInvalidError: as in ``distill``.
        BuildStoppedError: the job was asked to stop.
    """
    plain = prepare(job)
    _check(plain, teacher)
    records = plain.records[Split.TRAIN]
    texts = [*version_texts(plain.version, records), *unlabelled]
    scores_NL = teacher.scores(texts, job)
    learners = [*records, *(_record(number, text, teacher) for number, text in enumerate(unlabelled))]
    reader = reader_of(Trial(plain.family, plain.size, plain.params, plain.version, records, job.assets_dir), texts)
    items = packed(job, plain.version, reader)
    assert isinstance(items, PackedTokens)
    items = items.joined([record.item for record in learners[len(records) :]], unlabelled)
    return replace(
        with_soft_targets(plain, scores_NL, recipe),
        reader=reader,
        items=items,
        records={**plain.records, Split.TRAIN: learners},
    )


def _check(plain: PreparedTrial, teacher: TextModel) -> None:
    portable = task_part(plain.task.name, "portable")
    student = plain.task.name, plain.labels, portable.output_kind(plain.options)
    if student != (teacher.manifest.task, teacher.manifest.label_set.names, teacher.manifest.output):
        raise JobInvalidError(
            "The teacher was trained for another task or for other labels.",
            hint="Choose a teacher that was trained on a version with the same labels in the same order.",
        )
    if plain.start is not None:
        raise JobInvalidError("A student begins anew, not with an earlier model.", hint="Leave out start_from.")
    if plain.size.asset is not None:
        raise JobInvalidError(
            f"{plain.family.name} begins with pretrained weights and is no student.",
            hint="Choose a family that learns from texts alone.",
        )
    if plain.params.get("is_balanced"):
        raise JobInvalidError(
            "Labels are not balanced in distillation: the teacher's scores say how likely each is.",
            hint="Switch off is_balanced for the student, and on for the teacher.",
        )


def _record(number: int, text: str, teacher: TextModel) -> ItemRecord:
    """An unlabelled text as an item to train on; it is in no version."""
    content = text.encode()
    digest = hashlib.sha256(content).hexdigest()
    return ItemRecord(
        item=f"unlabelled_{number}",
        name=f"unlabelled_{number}.txt",
        blob=digest,
        media=MediaFacts(format="txt", size_bytes=len(content), num_characters=len(text)),
        split=Split.TRAIN,
        group=digest,
        annotations=(),
        provenance=f"model:{teacher.manifest.lineage.job}",
    )


def _compared(job: Job, teacher: Path, *, num_unlabelled: int, recipe: Recipe) -> DistillationReport:
    """Both sides on the texts that were held back, with one thread each."""
    version = DatasetVersion.open(job.data_dir)
    split = Split.TEST if version.records(Split.TEST) else Split.VALIDATION
    records = version.records(split)
    texts = version_texts(version, records)
    sides = [TextModel.open(folder) for folder in (teacher, job.artefact_dir)]
    timed = [texts[row] for row in np.linspace(0, len(texts) - 1, min(_TIMED_TEXTS, len(texts)), dtype=np.int64)]
    measured = latencies(sides, timed)
    parts = (
        _side(side, {split: _metrics(side, texts, records, version, job)}, pace)
        for side, pace in zip(sides, measured, strict=True)
    )
    teaching, learned = parts
    return DistillationReport(
        teacher=teaching,
        student=learned,
        temperature=recipe.temperature,
        hard_fraction=recipe.hard_fraction,
        num_labelled=len(version.records(Split.TRAIN)),
        num_unlabelled=num_unlabelled,
        split=split,
        metric=task_spec(version.manifest.task).objective(version.manifest.task_options).name,
    )


def _metrics(
    side: TextModel, texts: Sequence[str], records: Sequence[ItemRecord], version: DatasetVersion, job: Job
) -> Mapping[str, float]:
    manifest, labels = version.manifest, version.manifest.label_set.names
    targets = task_part(manifest.task, "data").targets(records, labels, manifest.task_options)
    measured: Mapping[str, float] = task_part(manifest.task, "metrics").metrics(side.scores(texts, job), targets, labels)
    return measured


def _side(side: TextModel, metrics: Mapping[Split, Mapping[str, float]], pace: Latency) -> Side:
    manifest = side.manifest
    return Side(
        job=manifest.lineage.job,
        train=manifest.train,
        metrics=metrics,
        model_bytes=side.model_bytes,
        answer_ms=pace.answer_ms,
        graph_ms=pace.graph_ms,
    )
