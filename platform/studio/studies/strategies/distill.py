"""Distillation: small models learn, each once, from a large one and from texts that nobody has labelled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from automl.contracts.dataset import Split
from automl.contracts.family import FamilySpec
from automl.contracts.job import UNLABELLED_FILE, TrainConfig
from automl.contracts.words import Words
from engine.compress.text_students import student_config, students
from engine.tasks import task_spec
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion, Item, ItemState
from studio.datasets.versions.selectors import version_manifest
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_teaches
from studio.studies.errors import TeacherUnsuitableError
from studio.studies.models import Study
from studio.studies.strategy import Scope, StudyRequest

words = Words(__file__)

TEACHER_DIR = "teacher"
"""Where the teacher lies in the working directory."""
MAX_UNLABELLED = 20_000
"""Texts; a teacher of 118 million weights reads them in about ten minutes."""


class Distill:
    """The strategy that takes a teacher."""

    name = "distill"
    searches = None
    takes = frozenset({"teacher"})
    is_taught = True

    def families(self, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
        """Who can learn, each with one size.

        Raises:
            TeacherUnsuitableError: no model is named, or it cannot teach with this version.
        """
        teacher_check(teacher=request.teacher, version=version)
        return students(task_spec(version.project.task))

    def first_trials(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """How each student is trained."""
        num_unlabelled = min(MAX_UNLABELLED, unlabelled(scope.version).count())
        learners = students(task_spec(scope.version.project.task))
        return tuple(
            student_config(each, num_labelled=scope.facts.num_train, num_unlabelled=num_unlabelled) for each in learners
        )

    def examples(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The same."""
        return self.first_trials(scope)

    def order(self, study: Study, workdir: Path) -> Mapping[str, Any]:
        """Places the teacher and the unlabelled texts."""
        assert study.teacher is not None
        teacher_link(teacher=study.teacher, version=study.version, workdir=workdir)
        return {"kind": "distill", "artefact": TEACHER_DIR, "lineage": {"teacher": study.teacher.id}}


STRATEGY = Distill()


def teacher_check(*, teacher: Artefact | None, version: DatasetVersion) -> Artefact:
    """Says whether a model can teach with a version.

    Raises:
        TeacherUnsuitableError: no model is named, it is of another project, knows other labels or is small itself.
    """
    if teacher is None:
        raise TeacherUnsuitableError(words("teacher.missing"), hint="Name a model of the project.")
    if teacher.project_id != version.project_id:
        raise TeacherUnsuitableError(words("teacher.elsewhere"), hint="Choose a model of this project.")
    if not artefact_teaches(teacher):
        hint = "Choose a model that began with pretrained weights, such as a text encoder."
        raise TeacherUnsuitableError(words("teacher.small"), hint=hint)
    if teacher.facts.label_set.names != version_manifest(version).label_set.names:
        hint = "Choose a version with the same labels in the same order, or train the teacher again."
        raise TeacherUnsuitableError(words("teacher.labels"), hint=hint)
    return teacher


def unlabelled(version: DatasetVersion) -> QuerySet[Item]:
    """The unlabelled items, without those that are held back for judging."""
    return Item.objects.filter(
        dataset__project=version.project_id,
        deleted_at=None,
        state=ItemState.UNLABELLED,
        split=Split.TRAIN.value,
        text__isnull=False,
    )


def teacher_link(*, teacher: Artefact, version: DatasetVersion, workdir: Path) -> None:
    """Puts the teacher and the unlabelled texts into a working directory."""
    link = workdir / TEACHER_DIR
    if not link.is_symlink():
        link.symlink_to(blobs().fetch_tree(teacher.tree), target_is_directory=True)
    with (workdir / UNLABELLED_FILE).open("w", encoding="utf-8") as file:
        file.writelines(_lines(version))


def _lines(version: DatasetVersion) -> Iterator[str]:
    for text in unlabelled(version).order_by("id").values_list("text", flat=True)[:MAX_UNLABELLED].iterator(chunk_size=500):
        yield json.dumps(text) + "\n"
