"""Distillation: which model teaches, who learns from it, and from what besides the version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from django.db.models import QuerySet

from automl.contracts.dataset import Split
from automl.contracts.family import FamilySpec
from automl.contracts.job import UNLABELLED_FILE, TrainConfig
from automl.planning.facts import VersionFacts
from engine.compress.offered import lesson, students
from engine.tasks import task_spec
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion, Item, ItemState
from studio.datasets.selectors import version_manifest
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_teaches
from studio.studies.errors import TeacherUnsuitableError

TEACHER_DIR = "teacher"
"""Where the teacher lies in the working directory."""
MAX_UNLABELLED = 20_000
"""Texts; a teacher of 118 million weights reads them in about ten minutes."""


def teacher_check(*, teacher: Artefact | None, version: DatasetVersion) -> Artefact:
    """Says whether a model can teach with a version.

    Raises:
        TeacherUnsuitableError: no model is named, it is of another project, knows other labels or is small itself.
    """
    if teacher is None:
        raise TeacherUnsuitableError("Distillation needs a teacher.", hint="Name a model of the project.")
    if teacher.project_id != version.project_id:
        raise TeacherUnsuitableError("The teacher belongs to another project.", hint="Choose a model of this project.")
    if not artefact_teaches(teacher):
        hint = "Choose a model that began with pretrained weights, such as a text encoder."
        raise TeacherUnsuitableError("The model has nothing to teach: no smaller one learns from it.", hint=hint)
    if teacher.facts.label_set.names != version_manifest(version).label_set.names:
        hint = "Choose a version with the same labels in the same order, or train the teacher again."
        raise TeacherUnsuitableError("The teacher knows other labels than the version has.", hint=hint)
    return teacher


def students_of(version: DatasetVersion) -> tuple[FamilySpec, ...]:
    """Who can learn, each with one size."""
    return students(task_spec(version.project.task))


def lessons_of(version: DatasetVersion, facts: VersionFacts) -> tuple[TrainConfig, ...]:
    """How each student is trained."""
    num_unlabelled = min(MAX_UNLABELLED, unlabelled(version).count())
    return tuple(
        lesson(student, num_labelled=facts.num_train, num_unlabelled=num_unlabelled) for student in students_of(version)
    )


def unlabelled(version: DatasetVersion) -> QuerySet[Item]:
    """What nobody has labelled yet, and nothing that is held back to judge with."""
    return Item.objects.filter(
        dataset__project=version.project_id,
        deleted_at=None,
        state=ItemState.UNLABELLED,
        split=Split.TRAIN.value,
        text__isnull=False,
    )


def lessons_place(*, teacher: Artefact, version: DatasetVersion, workdir: Path) -> None:
    """Puts the teacher and the unlabelled texts into a working directory."""
    link = workdir / TEACHER_DIR
    if not link.is_symlink():
        link.symlink_to(blobs().fetch_tree(teacher.tree), target_is_directory=True)
    with (workdir / UNLABELLED_FILE).open("w", encoding="utf-8") as file:
        file.writelines(_lines(version))


def _lines(version: DatasetVersion) -> Iterator[str]:
    for text in unlabelled(version).order_by("id").values_list("text", flat=True)[:MAX_UNLABELLED].iterator(chunk_size=500):
        yield json.dumps(text) + "\n"
